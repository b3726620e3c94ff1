"""Undo and redo: steps are struck through and restored, never erased."""

from __future__ import annotations

import pytest

from combat.rules.core.state import events as e
from combat.rules.core.state.history import (
    CANCEL,
    COMMAND,
    REDO,
    UNDO,
    Step,
    Timeline,
    find_timeline,
    follow_step,
)
from combat.rules.core.state.state import State
from tests.combat.rules.reading import fold_steps

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


DO, C = COMMAND, CANCEL


@pytest.mark.parametrize(
    ("kinds", "live", "undone"),
    [
        ((), (), ()),
        ((DO, DO), (1, 2), ()),
        ((DO, DO, UNDO), (1,), (2,)),
        ((DO, DO, UNDO, UNDO), (), (1, 2)),
        ((DO, DO, DO, UNDO, UNDO, REDO), (1, 2), (3,)),
        ((DO, DO, DO, UNDO, UNDO, REDO, REDO), (1, 2, 3), ()),
        ((DO, DO, UNDO, REDO, UNDO), (1,), (2,)),  # the same again
        ((DO, DO, UNDO, DO, UNDO), (1,), (4,)),  # the struck ones stay struck
        ((DO, C), (1,), ()),
        ((DO, DO, UNDO, C), (1,), (2,)),
        ((DO, DO, UNDO, C, REDO), (1, 2), ()),
    ],
)
def test_steps_are_struck_and_restored(
    kinds: tuple[str, ...], live: tuple[int, ...], undone: tuple[int, ...]
) -> None:
    assert find_timeline(steps(*kinds)) == Timeline(live, undone)
    assert marks(*kinds) == [f"step {number}" for number in live]


def test_new_command_ends_the_chance_to_redo_and_erases_nothing() -> None:
    log = steps(COMMAND, COMMAND, UNDO, COMMAND)
    assert find_timeline(log) == Timeline((1, 4), ())
    assert marks(COMMAND, COMMAND, UNDO, COMMAND) == ["step 1", "step 4"]
    assert [step.number for step in log] == [1, 2, 3, 4]
    assert log[1].facts


def test_note_keeps_the_chance_to_redo() -> None:
    line = find_timeline(steps(COMMAND, COMMAND, UNDO))
    noted = follow_step(line, Step(4, COMMAND, "note"))
    assert noted == Timeline((1, 4), (2,))
    assert follow_step(noted, Step(5, REDO, target=2)) == Timeline((1, 4, 2), ())
    assert follow_step(noted, Step(5, COMMAND, "attack")) == Timeline((1, 4, 5), ())
