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
    return next((c for c in combatant.conditions if c.kind == kind and c.marks.get("part") == part), None)


def is_on_part(combatant: Combatant, kind: str, part: str) -> bool:
    """Whether a part of the body has a condition of this kind."""
    return find_on_part(combatant, kind, part) is not None
