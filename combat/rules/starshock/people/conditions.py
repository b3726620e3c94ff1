"""The conditions of the game, with their effects and ends."""

from __future__ import annotations

from pathlib import Path

from combat.rules.core.basics.words import say_number
from combat.rules.core.book.conditions import ConditionKind, load_conditions
from combat.rules.core.state.state import SURRENDERED, Condition

from ..book.tables import DEFENSIVES, VALUES, lasting

OUT = ("unconscious", "coma", "dead")  # no turns, no actions
STOPPED = ("paralyzed", "stunned", SURRENDERED)  # conscious, but no actions  RULING R40


def _defensive_kinds() -> tuple[ConditionKind, ...]:
    return tuple(
        ConditionKind(
            row.id, row.doing, f"+1 {VALUES[row.value]}.", "the start of the user's next turn", row.rule
        )
        for row in DEFENSIVES.values()
    )


def _lasting_kinds() -> tuple[ConditionKind, ...]:
    return tuple(
        ConditionKind(row.id, row.name, _describe(row.id), _describe_end(row.id), "SS-OTHER-24")
        for row in lasting().values()
    )


def _describe(kind: str) -> str:
    row = lasting()[kind]
    parts = [f"{say_number(value, signed=True)} {key.capitalize()}" for key, value in row.attributes.items()]
    if row.action_penalty:
        change = "lighter" if row.action_penalty > 0 else "heavier"
        parts.append(f"Action Penalty {abs(row.action_penalty)} {change}")
    if row.consciousness:
        parts.append(f"{say_number(row.consciousness, signed=True)} on consciousness checks")
    if row.heals_after != "0":
        parts.append(f"heals {row.heals_after} at the end")
    if row.heals_each_turn:
        parts.append(f"heals {row.heals_each_turn} each turn while 2d6 fall below the damage")
    if row.vision:
        parts.append("then damage by the strength of the vision, and unconscious")
    if row.burns:
        parts.append("1 damage for each physical action or meter")
    return "; ".join(parts) + "."


def _describe_end(kind: str) -> str:
    row = lasting()[kind]
    if row.until_rest:
        return "resting for a shift"
    return f"{row.rounds} rounds" if row.rounds else "being used up"


_OF_TABLES = (*_defensive_kinds(), *_lasting_kinds())
KINDS = load_conditions(Path(__file__).parents[1] / "conditions.toml") | {
    kind.kind: kind for kind in _OF_TABLES
}


def name_condition(held: Condition) -> str:
    """The name of a condition: its own, or that of its kind."""
    known = KINDS.get(held.kind)
    return known.label if known and held.label == f"condition.{held.kind}" else str(held.label)
