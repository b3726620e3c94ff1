"""Drugs of the equipment lists that tell in a fight, by the clock: what they do and what comes after."""

from __future__ import annotations

import msgspec

from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.state import (
    Combatant,
    Condition,
    Item,
    State,
    find_condition,
    has_condition,
    replace,
)
from combat.rules.core.turns import add_condition, remove_condition, remove_conditions

from ..book.tables import MINUTE_SECONDS, ROUND_SECONDS
from ..world.order import BASE, mark, set_score
from .damage import lose
from .senses import tire

RULE = "CE-FAT-01"
DODGED = "dodged_free"  # the mark of the round and how many dodges of it were free
STIMS = "stims"  # the mark of how many stim drugs since the last sleep


class Dose(msgspec.Struct, frozen=True):
    """A drug of a fight: rounds until it works, seconds that it does, and what it does meanwhile."""

    delay: int
    lasts: int
    initiative: int
    dodges: int
    afterwards: str = ""


DOSES = {
    "combat_drug": Dose(4 * ROUND_SECONDS, 10 * MINUTE_SECONDS, 4, 1),
    "metabolic_accelerator": Dose(8 * ROUND_SECONDS, 10 * MINUTE_SECONDS, 8, 2, "2d6"),
}


def take(context: RuleContext, who: str, item: Item) -> None:
    """Somebody swallows or is given a drug; what is none of a fight's is told, and left to the GM."""
    key = str(item.data.get("id", ""))
    context.emit(e.Said("log.takes", who, args={"item": item.name}), RULE)
    if key == "stim_drugs":
        _take_stim(context, who)
    elif key in DOSES:
        works_at = context.state.clock + DOSES[key].delay
        add_condition(context, who, "drugged", marks={"drug": key, "at": works_at})
    else:
        context.emit(e.Said("log.drug_text", who, args={"text": str(item.data.get("text", ""))}), RULE)


def _take_stim(context: RuleContext, who: str) -> None:
    """Fatigue goes, for a point of damage; one more point for each one since the last sleep."""
    taken = int(context.state[who].marks.get(STIMS, 0)) + 1
    context.emit(e.Marked(who, STIMS, taken), RULE, e.GM_ONLY)
    remove_conditions(context, who, "fatigued", why="why.stim", rule=RULE)
    lose(context, who, taken, "why.stim", RULE, injury=False)


def pass_drugs(context: RuleContext, who: str) -> None:
    """Drugs whose time has come begin to work, and those whose time is over end."""
    for held in context.state[who].conditions:
        is_due = context.state.clock >= int(held.marks.get("at", context.state.clock + 1))
        if held.kind == "drugged" and is_due:
            _begin(context, who, held)
    for held in context.state[who].conditions:
        is_over = context.state.clock >= int(held.marks.get("ends_at", context.state.clock + 1))
        if held.kind in DOSES and is_over:
            _end(context, who, held)
        elif held.kind == "antidote" and is_over:
            remove_condition(context, who, held, "why.expired", RULE)


def _begin(context: RuleContext, who: str, held: Condition) -> None:
    key = str(held.marks["drug"])
    remove_condition(context, who, held, "why.drug_works", RULE)
    ends_at = int(held.marks["at"]) + DOSES[key].lasts
    known = find_condition(context.state[who], key)
    if known:  # a second dose makes it last, and does no more
        told = e.ConditionChanged(who, replace(known, marks={**known.marks, "ends_at": ends_at}))
        context.emit(told, RULE, e.GM_ONLY)
        return
    add_condition(context, who, key, marks={"ends_at": ends_at})
    _shift_initiative(context, who, DOSES[key].initiative)


def _end(context: RuleContext, who: str, held: Condition) -> None:
    """The bill: tired out, and after some of them hurt as well."""
    dose = DOSES[held.kind]
    remove_condition(context, who, held, "why.expired", RULE)
    _shift_initiative(context, who, -dose.initiative)
    if has_condition(context.state[who], "dead"):
        return
    if dose.afterwards:
        roll = context.roll(dose.afterwards, by=who, rule=RULE, why="roll.drug_ends")
        lose(context, who, roll.total, "why.drug_ends", RULE, roll=roll, injury=False)
    tire(context, who, "why.drug_ends")


def _shift_initiative(context: RuleContext, who: str, points: int) -> None:
    """The score of a fight under way, for the rounds to come as well."""
    fighter = context.state[who]
    if context.state.phase != "fight" or fighter.initiative is None:
        return
    mark(context, who, BASE, int(fighter.marks.get(BASE, 0)) + points, RULE)
    set_score(context, who, fighter.initiative + points, "why.drug", RULE)


def initiative_terms(fighter: Combatant) -> Modifiers:
    """What drugs add where Initiative is rolled while they work."""
    held = [c for c in fighter.conditions if c.kind in DOSES]
    return tuple(Modifier(c.label, DOSES[c.kind].initiative, RULE) for c in held)


def count_free_dodges(state: State, fighter: Combatant) -> int:
    """How many more dodges of this round cost neither Initiative nor a DM."""
    most = max((DOSES[c.kind].dodges for c in fighter.conditions if c.kind in DOSES), default=0)
    return max(0, most - _count_dodged(state, fighter)) if most else 0


def _count_dodged(state: State, fighter: Combatant) -> int:
    in_round, _, used = str(fighter.marks.get(DODGED, "")).partition(":")
    return int(used) if in_round == str(state.round) else 0


def dodge_freely(context: RuleContext, who: str) -> bool:
    """Use up a dodge that costs nothing; whether there was one."""
    fighter = context.state[who]
    if not count_free_dodges(context.state, fighter):
        return False
    used = _count_dodged(context.state, fighter) + 1
    context.emit(e.Marked(who, DODGED, f"{context.state.round}:{used}"), RULE, e.GM_ONLY)
    return True
