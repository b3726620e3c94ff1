"""The history of an encounter: steps that are never erased, only struck through."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from . import events as e
from .fold import fold_all
from .requests import Answer
from .state import State

COMMAND, UNDO, REDO, CANCEL = "command", "undo", "redo", "cancel"


class Step(msgspec.Struct, frozen=True):
    """One entry of the log: a command with its answers and facts, or an undo, redo or cancel.

    `target` is the number of the step that an undo strikes or a redo restores.
    """

    number: int
    kind: str = COMMAND
    name: str = ""
    command: dict[str, Any] = {}
    answers: tuple[Answer, ...] = ()
    facts: tuple[e.Fact, ...] = ()
    by: str = ""
    target: int = 0


class Timeline(msgspec.Struct, frozen=True):
    """Which steps count now, and which could be restored (last undone first)."""

    live: tuple[int, ...] = ()
    undone: tuple[int, ...] = ()


def follow_step(line: Timeline, step: Step) -> Timeline:
    """The timeline after one more step. A new command ends the chance to redo."""
    if step.kind == UNDO:
        return Timeline(line.live[:-1], (step.target, *line.undone))
    if step.kind == REDO:
        return Timeline((*line.live, step.target), line.undone[1:])
    if step.kind == COMMAND:
        return Timeline((*line.live, step.number), ())
    return line


def find_timeline(steps: Iterable[Step]) -> Timeline:
    """The timeline after all the steps."""
    line = Timeline()
    for step in steps:
        line = follow_step(line, step)
    return line


def fold_steps(start: State, steps: Iterable[Step]) -> State:
    """The state that the live steps give, from the state before the first."""
    known = {step.number: step for step in steps}
    state = start
    for number in find_timeline(known.values()).live:
        state = fold_all(state, known[number].facts)
    return state
