"""Undo and redo: steps are struck through and restored, never erased."""

from __future__ import annotations

from combat.rules.core.state import events as e
from combat.rules.core.state.history import (
    CANCEL,
    COMMAND,
    REDO,
    UNDO,
    Step,
    Timeline,
    find_timeline,
    fold_steps,
    follow_step,
)
from combat.rules.core.state.state import State

START = State("tiny")


def steps(*kinds: str) -> list[Step]:
    """A log: commands that count up a mark, "undo" and "redo" where possible, "cancel"."""
    line, found = Timeline(), []
    for number, kind in enumerate(kinds, 1):
        target = {UNDO: line.live, REDO: line.undone[:1]}.get(kind, (0,))[-1]
        fact = e.Fact(e.Marked("", f"step {number}", True))
        step = Step(number, kind, facts=(fact,), target=target)
        line = follow_step(line, step)
        found.append(step)
    return found


def marks(*kinds: str) -> list[str]:
    """The steps whose facts count after this log."""
    return sorted(fold_steps(START, steps(*kinds)).marks)


def test_commands_follow_each_other() -> None:
    assert find_timeline(steps(COMMAND, COMMAND)) == Timeline((1, 2))
    assert marks(COMMAND, COMMAND) == ["step 1", "step 2"]


def test_undo_strikes_the_last_step() -> None:
    assert find_timeline(steps(COMMAND, COMMAND, UNDO)) == Timeline((1,), (2,))
    assert marks(COMMAND, COMMAND, UNDO) == ["step 1"]


def test_undo_goes_on_with_the_one_before() -> None:
    assert find_timeline(steps(COMMAND, COMMAND, UNDO, UNDO)) == Timeline((), (1, 2))
    assert fold_steps(START, steps(COMMAND, COMMAND, UNDO, UNDO)) == START


def test_redo_restores_the_one_undone_last() -> None:
    log = steps(COMMAND, COMMAND, COMMAND, UNDO, UNDO, REDO)
    assert find_timeline(log) == Timeline((1, 2), (3,))
    assert marks(COMMAND, COMMAND, COMMAND, UNDO, UNDO, REDO) == ["step 1", "step 2"]
    assert marks(COMMAND, COMMAND, COMMAND, UNDO, UNDO, REDO, REDO) == ["step 1", "step 2", "step 3"]


def test_a_new_command_ends_the_chance_to_redo_and_erases_nothing() -> None:
    log = steps(COMMAND, COMMAND, UNDO, COMMAND)
    assert find_timeline(log) == Timeline((1, 4), ())
    assert marks(COMMAND, COMMAND, UNDO, COMMAND) == ["step 1", "step 4"]
    assert [step.number for step in log] == [1, 2, 3, 4]
    assert log[1].facts


def test_undo_after_redo_strikes_the_same_again() -> None:
    assert find_timeline(steps(COMMAND, COMMAND, UNDO, REDO, UNDO)) == Timeline((1,), (2,))


def test_undo_of_a_later_command_leaves_the_struck_ones_struck() -> None:
    log = steps(COMMAND, COMMAND, UNDO, COMMAND, UNDO)
    assert find_timeline(log) == Timeline((1,), (4,))


def test_cancelled_actions_change_nothing_and_keep_the_redo() -> None:
    assert find_timeline(steps(COMMAND, COMMAND, UNDO, CANCEL)) == Timeline((1,), (2,))
    assert marks(COMMAND, CANCEL) == ["step 1"]
    assert marks(COMMAND, COMMAND, UNDO, CANCEL, REDO) == ["step 1", "step 2"]


def test_an_empty_log_is_the_start() -> None:
    assert find_timeline(()) == Timeline()
    assert fold_steps(START, ()) is START


def test_note_keeps_the_chance_to_redo() -> None:
    line = find_timeline(steps(COMMAND, COMMAND, UNDO))
    noted = follow_step(line, Step(4, COMMAND, "note"))
    assert noted == Timeline((1, 4), (2,))
    assert follow_step(noted, Step(5, REDO, target=2)) == Timeline((1, 4, 2), ())
    assert follow_step(noted, Step(5, COMMAND, "attack")) == Timeline((1, 4, 5), ())
