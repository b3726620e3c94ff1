"""The conditions of the game: what each does and what ends it."""

from __future__ import annotations

from combat.rules.core.basics.words import say_number
from combat.rules.core.state.state import Condition
from combat.rules.core.system import ConditionKind

from ..book.tables import DEFENSIVES, VALUES, lasting

OUT = ("unconscious", "coma", "dead")  # no turns, no actions
STOPPED = ("paralyzed", "stunned")  # conscious, but no actions  RULING R40

_KINDS = (
    (
        "unconscious",
        "Unconscious",
        "No turns and no actions. New damage calls for a new check, which can only make things worse.",
        "a check after healing, Rouse, or an hour",
        "SS-DMG-08",
    ),
    (
        "coma",
        "In a coma",
        "No communication, no consciousness checks; a coma check every 24 hours.",
        "a good coma check, or a medical center and electroshock",
        "SS-DMG-09",
    ),
    ("dead", "Dead", "No longer in play.", "nothing", "SS-COMA-06"),
    (
        "prone",
        "Prone",
        "−1 on attacks and some physical checks; attacks against them have +1.",
        "standing up, an action",
        "SS-PRONE-01",
    ),
    ("blinded", "Blinded", "−1 on attacks and what needs sight.", "as the source says", "SS-BLIND-01"),
    ("paralyzed", "Paralyzed", "No actions.", "as the source says", "SS-COND-01"),
    ("stunned", "Stunned", "No actions.", "as the source says", "SS-COND-01"),
    ("woozy", "Woozy", "−1 on all checks.", "the end of the next turn", "SS-COND-02"),
    ("hindered", "Hindered", "−1 on the next roll.", "the next roll", "SS-COND-02"),
    ("maimed", "Limb disintegrated", "The GM says which, and what that means.", "the GM", "SS-MANV-05"),
    ("assisted", "Assisted", "+1 on one check.", "that check, or the helper's next turn", "SS-OTHER-09"),
    (
        "treated",
        "Advanced healing done",
        "Electroshock will end the coma.",
        "waking up",
        "SS-COMA-11",
    ),
)


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


KINDS = {
    kind.kind: kind
    for kind in (*(ConditionKind(*row) for row in _KINDS), *_defensive_kinds(), *_lasting_kinds())
}


def name_condition(held: Condition) -> str:
    """What a condition is called: the name somebody gave it, or that of its kind."""
    known = KINDS.get(held.kind)
    return known.label if known and held.label == f"condition.{held.kind}" else str(held.label)
