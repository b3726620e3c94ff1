"""The conditions of the game: what each does stands in its row, and is asked for here."""

from __future__ import annotations

from pathlib import Path

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier
from combat.rules.core.basics.words import say_number
from combat.rules.core.book.conditions import ConditionKind, Conditions, Term, load_conditions
from combat.rules.core.state.state import SURRENDERED, Combatant, Condition, has_condition

from ..book.tables import DEFENSIVE_BONUS, DEFENSIVES, VALUES, Lasting, lasting

# The numbers that defensive actions change: those of a pair may not add up
ACTIONS = {"armor": "armor_action", "resistance": "resistance_action"}


def _defensive_kinds() -> list[ConditionKind]:
    return [
        ConditionKind(
            row.id,
            row.doing,
            f"+1 {VALUES[row.value]}.",
            ends="the start of the user's next turn",
            rule=row.rule,
            until="start",
            terms={ACTIONS[row.value]: Term(row.rule, DEFENSIVE_BONUS)},
            ended_by=("new_fight",),
        )
        for row in DEFENSIVES.values()
    ]


def make_lasting_kind(row: Lasting) -> ConditionKind:
    """The lasting effect of a dose as a condition; a crash stays on the sheet."""
    return ConditionKind(
        row.id,
        row.name,
        _describe(row),
        ends=_describe_end(row),
        rule="SS-OTHER-24",
        terms={
            **{key: Term("", value) for key, value in row.attributes.items()},
            "action_penalty": Term("", row.action_penalty),
            "consciousness": Term("SS-OTHER-24", row.consciousness),
        },
        begins="start_lasting",
        ended_by=("rest",) if row.until_rest else (),
        tags=("lasting",) if row.until_rest else (),
    )


def _describe(row: Lasting) -> str:
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


def _describe_end(row: Lasting) -> str:
    if row.until_rest:
        return "resting for a shift"
    return f"{row.rounds} rounds" if row.rounds else "being used up"


_PRINTED = load_conditions(Path(__file__).parents[1] / "conditions.toml")
KINDS = Conditions(
    _PRINTED
    | {kind.kind: kind for kind in (*_defensive_kinds(), *map(make_lasting_kind, lasting().values()))},
    _PRINTED.own,
)


OUT = KINDS.losing("consciousness")  # no turns, no actions
STOPPED = (*KINDS.losing("actions"), SURRENDERED)  # conscious, but no actions  RULING R40
DOWN = KINDS.losing("standing")


def is_down(combatant: Combatant) -> bool:
    """Whether someone lies on the ground."""
    return has_condition(combatant, *DOWN)


def terms_of(combatant: Combatant, number: str) -> list[Modifier]:
    """The changes of a number by the conditions someone has, in the order in which they began.

    A term without a rule has that of the source of the condition.
    """
    return [
        Modifier(term.label or held.label, term.value, term.rule or held.rule)
        for held in combatant.conditions
        if (row := KINDS.find_row(held)) and (term := row.terms.get(number)) and term.value
    ]


def lasting_of(combatant: Combatant) -> list[tuple[Condition, Lasting]]:
    """The lasting effects of doses that someone has, each with its row. [SS-OTHER-24]"""
    rows = lasting()
    return [(held, rows[held.kind]) for held in combatant.conditions if held.kind in rows]


def find_burning(combatant: Combatant) -> list[Condition]:
    """The lasting effects that do damage for each physical action or meter. [SS-OTHER-24]"""
    return [held for held, row in lasting_of(combatant) if row.burns]


def check_target(target: Combatant, what: str) -> None:
    """Refuse a target that a condition bars from something."""
    if bar := KINDS.find_bar(target, what):
        raise Refused("bad_target", bar)


def name_condition(held: Condition) -> str:
    """The name of a condition: its own, or that of its kind."""
    known = KINDS.get(held.kind)
    return known.label if known and held.label == f"condition.{held.kind}" else str(held.label)
