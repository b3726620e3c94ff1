"""The conditions of the game, with their effects and ends."""

from __future__ import annotations

from pathlib import Path

from combat.rules.core.book.conditions import load_conditions
from combat.rules.core.state.state import SURRENDERED, Combatant, Condition

OUT = ("unconscious", "exhausted", "dead")  # no turns, no actions, no defense
STOPPED = ("stunned", "terrified", "surprised", SURRENDERED)  # awake, but without actions

KINDS = load_conditions(Path(__file__).parents[1] / "conditions.toml")


def find_on_part(combatant: Combatant, kind: str, part: str) -> Condition | None:
    """The condition of this kind on a part of the body."""
    for held in combatant.conditions:  # odds ask this most often of all: no generator, also below
        if held.kind == kind and held.marks.get("part") == part:
            return held
    return None


def is_on_part(combatant: Combatant, kind: str, part: str) -> bool:
    """Whether a part of the body has a condition of this kind."""
    for held in combatant.conditions:  # noqa: SIM110 - a generator takes twice as long
        if held.kind == kind and held.marks.get("part") == part:
            return True
    return False
