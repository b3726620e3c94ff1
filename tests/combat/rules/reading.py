"""The log of a stage, as everyone reads it, the state after it, and the parts of a figure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from combat.rules.core.declaration.parts import Figure, Part
from combat.rules.core.state import events as e
from combat.rules.core.state.history import StateTimeline, Step
from combat.rules.core.state.state import State
from combat.rules.core.wording import describe_facts
from tests.combat.rules.stage import Stage


def read_all(stage: Stage) -> list[str]:
    """The lines that the GM reads of the last command."""
    return _read(stage, stage.facts)


def read_log(stage: Stage) -> list[str]:
    """The lines that everyone reads of the last command."""
    return _read(stage, [fact for fact in stage.facts if fact.to == e.EVERYONE])


def _read(stage: Stage, facts: Sequence[e.Fact]) -> list[str]:
    names = {who: combatant.name for who, combatant in stage.state.combatants.items()}
    return [line.text for line in describe_facts(stage.system, facts, names)]


def fold_steps(start: State, steps: Iterable[Step]) -> State:
    """The state after these steps, from the state before the first."""
    course = StateTimeline(start)
    for step in steps:
        course.follow(step)
    return course.state


def find_part(figure: Figure, key: str) -> Part | None:
    """The part of this key."""
    return next((part for part in figure.parts if part.key == key), None)
