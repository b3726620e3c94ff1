"""The history of an encounter: steps are never erased, only struck through."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import msgspec

from ..basics.dice.requests import Answer
from ..basics.release import PATTERN, RELEASE
from . import events as e
from .fold import fold_all
from .state import State, replace

COMMAND, UNDO, REDO, CANCEL, SEAL, SEATS = "command", "undo", "redo", "cancel", "seal", "seats"
RENEWALS = IMPORT, RESTORE, COPY = "import", "restore", "copy"  # why the dice start with a new secret
SHOWN_DIGITS = 16  # of a seal, in the log
# These are possible while an action waits, and after an undo: they decide nothing else
ANY_TIME = ("note", "set_standing", "pause", "resume", "roll_dice", "gm_roll", "send_word", "gm_word")


class Step(msgspec.Struct, frozen=True):
    """One entry of the log: a command with its answers and facts, an undo, redo or cancel, new dice, seats.

    `target` is the number of the step that an undo strikes, a redo restores, or a command does again because
    a roll before it was overruled. `release` is that of the program that wrote it. `seal` commits to the dice
    of later steps, and `opened` is the secret of the earlier ones.
    """

    number: int
    kind: str = COMMAND
    name: str = ""
    command: dict[str, Any] = {}
    answers: tuple[Answer, ...] = ()
    facts: tuple[e.Fact, ...] = ()
    by: str = ""
    target: int = 0
    release: Annotated[str, msgspec.Meta(pattern=PATTERN)] = RELEASE
    seal: str = ""
    opened: str = ""


def make_renewal(number: int, why: str, seal: str) -> Step:
    """The step that starts new dice after an import, a restore or a copy: the old secret is not here."""
    told = e.Said(f"log.dice_{why}", args={"seal": seal[:SHOWN_DIGITS]})
    return Step(number, SEAL, why, facts=(e.Fact(told),), seal=seal)


def make_seating(number: int, people: tuple[str, ...]) -> Step:
    """The step that says whom people play from seats now. No undo takes it back: it is about persons."""
    return Step(number, SEATS, facts=(e.Fact(e.PlayersSet(people), to=e.GM_ONLY),))


def has_public_roll(step: Step) -> bool:
    """Whether a roll of a step is numbered in the public series."""
    return any(answer.number and not answer.series for answer in step.answers)


class Timeline(msgspec.Struct, frozen=True):
    """Which steps count now, and which can be redone (last undone first)."""

    live: tuple[int, ...] = ()
    undone: tuple[int, ...] = ()


def follow_step(line: Timeline, step: Step) -> Timeline:
    """The timeline after one more step. A new command ends the chance to redo, unless it is a remark.

    A redone step moves after the steps done since its undo.
    """
    if step.kind == UNDO:
        return Timeline(line.live[:-1], (step.target, *line.undone))
    if step.kind == REDO:
        return Timeline((*line.live, step.target), line.undone[1:])
    if step.kind == COMMAND:
        return Timeline((*line.live, step.number), find_undone(line.undone, step.name))
    return line


def find_undone(undone: tuple[int, ...], name: str) -> tuple[int, ...]:
    """The steps that can still be redone after a command of this name."""
    return undone if name in ANY_TIME else ()


def find_replaced(steps: Iterable[Step], number: int) -> int:
    """The step that an overruled one replaced, or one done again after it; 0 for others.

    An overruled one replaced the step of the last undo before it.
    """
    before = [step for step in steps if step.number <= number]
    if before and before[-1].kind == COMMAND and before[-1].target:
        return before[-1].target
    if not before or not before[-1].command.get("overruled"):
        return 0
    return next((step.target for step in reversed(before) if step.kind == UNDO), 0)


def find_timeline(steps: Iterable[Step]) -> Timeline:
    """The timeline after all the steps."""
    line = Timeline()
    for step in steps:
        line = follow_step(line, step)
    return line


def find_counting(steps: Iterable[Step]) -> list[Step]:
    """The steps whose facts count now, in their order; with those of the seats, which no undo strikes."""
    steps = list(steps)
    by_number, found = {step.number: step for step in steps}, list[Step]()
    seats = [step for step in steps if step.kind == SEATS]
    for number in find_timeline(steps).live:
        while seats and seats[0].number < number:
            found.append(seats.pop(0))
        found.append(by_number[number])
    return [*found, *seats]


class StateTimeline:
    """The states along a log, by step number; 0 is before the first.

    A redone step has the state after its redo.
    """

    def __init__(self, start: State) -> None:
        self.line = Timeline()
        self.states = {0: start}
        self.facts: dict[int, tuple[e.Fact, ...]] = {}
        self.state = start

    def follow(self, step: Step) -> State:
        """The state after one more step."""
        self.facts[step.number] = step.facts
        self.line = follow_step(self.line, step)
        if step.kind == UNDO:
            self.state = go_back(self.states[self.line.live[-1] if self.line.live else 0], self.state)
        elif step.kind != CANCEL:
            self.state = fold_all(self.state, self.facts[step.target if step.kind == REDO else step.number])
        else:
            self.state = use_up(self.state, step.facts)
        self.states[step.number] = self.state
        if step.kind == REDO:
            self.states[step.target] = self.state
        return self.state


def go_back(before: State, now: State) -> State:
    """The state after an undo. Used numbers stay used: nothing else gets them later. Seats stay taken."""
    return replace(before, made=max(before.made, now.made), played=now.played)


def use_up(state: State, facts: Iterable[e.Fact]) -> State:
    """The state after a cancelled command: only the numbers of its facts stay used."""
    return replace(state, made=fold_all(state, facts).made)
