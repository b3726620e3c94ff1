"""Taking a drug in a fight, or giving it to someone; antidotes, panaceas, slow drug, drugs against radiation.

RULING R94: the parts of the equipment lists that can matter in a fight.
"""

from __future__ import annotations

from collections.abc import Callable

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.commands.commands import Give
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Item, State, find_condition, find_item, replace
from combat.rules.core.turn.hands import use_one
from combat.rules.core.turn.turns import add_condition

from ..body.drugs import RULE, take
from ..body.states import follow_wounds, note_wound
from ..book.tables import DAY_SECONDS
from ..dice.focus import lose_aim
from ..dice.rolls import better_of, difficulty_terms, roll_check, roll_terms
from ..people.conditions import is_dead
from ..people.values import find_score, is_person
from ..world.economy import check_minor, check_significant, pay_minor, pay_significant
from ..world.touch import check_within
from .treatment import SKILL

ANTIDOTE, SLOWED = "antidote", "slowed"
WRONG_DRUG, OVERDOSE = "1d6", "1d6"
SHIELDED_AT = "shielded_at"  # mark: the time of the last dose against radiation, in seconds


def give_antidote(context: RuleContext, doctor: str, who: str) -> None:
    """Roll Medicine to find the right antidote: the next poison or disease does nothing. A wrong one is a
    poison itself: a Difficult Endurance check, or 1D6."""
    key = better_of(context.state[doctor], "edu", "int")
    effect = roll_check(
        context,
        doctor,
        what="check.right_drug",
        skill=SKILL,
        characteristic=key,
        rule=RULE,
        target=who,
        matters="none",
    )
    if effect >= 0:
        protect(context, who)
    elif not resists(context, who, difficulty_terms("difficult", RULE), RULE):
        lose_endurance(context, who, WRONG_DRUG, "why.wrong_drug")


def give_panacea(context: RuleContext, doctor: str, who: str) -> None:
    """Treat as Medicine 0 does, no matter who gives it; a failure does no harm."""
    terms = (Modifier("term.panacea", 0, RULE),)
    effect = roll_terms(context, doctor, terms, what="check.panacea", rule=RULE, target=who, cuts=(8,))
    if effect >= 0:
        protect(context, who)


def protect(context: RuleContext, who: str) -> None:
    """Protect for a day, or until used up."""
    until = context.state.clock + DAY_SECONDS
    held = find_condition(context.state[who], ANTIDOTE)
    if held is None:
        add_condition(context, who, ANTIDOTE, marks={"ends_at": until})
        return
    changed = replace(held, marks={**held.marks, "ends_at": until})
    context.emit(e.ConditionChanged(who, changed), RULE, e.GM_ONLY)


def resists(context: RuleContext, who: str, terms: Modifiers, rule: str) -> bool:
    """Roll an Endurance check with these terms."""
    effect = roll_check(
        context,
        who,
        what="check.resist",
        skill="",
        characteristic="end",
        terms=terms,
        rule=rule,
        matters="none",
    )
    return effect >= 0


def lose_endurance(context: RuleContext, who: str, dice: str, why: str) -> None:
    """Take points off Endurance only."""
    roll = context.roll(dice, by=who, rule=RULE, why="roll.damage")
    old = find_score(context.state[who], "end")
    context.emit(e.TrackChanged(who, "end", old, old - min(old, roll.total), why, (), roll), RULE)
    note_wound(context, who, RULE)
    follow_wounds(context, who, hurt=True)


def shield(context: RuleContext, doctor: str, who: str) -> None:
    """Protect against radiation, once a day: a second dose costs 1D6 Endurance."""
    last = context.state[who].marks.get(SHIELDED_AT)
    context.emit(e.Said("log.shielded", who), RULE)
    if last is not None and context.state.clock - int(last) < DAY_SECONDS:
        lose_endurance(context, who, OVERDOSE, "why.overdose")
    context.emit(e.Marked(who, SHIELDED_AT, context.state.clock), RULE, e.GM_ONLY)


def slow_down(context: RuleContext, doctor: str, who: str) -> None:
    """Slow someone down sixty times: a round of the others is an instant, too short to act in."""
    if find_condition(context.state[who], SLOWED) is None:
        add_condition(context, who, SLOWED)


MEDICINES: dict[str, Callable[[RuleContext, str, str], None]] = {
    "medicinal_drugs": give_antidote,
    "panaceas": give_panacea,
    "anti_radiation_drugs": shield,
    "fast_drug": slow_down,
}


# ---------------------------------------------------------------- taking and giving


def is_drug(item: Item) -> bool:
    """Whether an item is a drug."""
    return item.kind == "gear" and item.data.get("group") == "drug" and item.count > 0


def check_drug(state: State, command: Give) -> Item:
    """Refuse an item that is not a drug, and a patient who is dead, a machine, or out of reach."""
    item = find_item(state[command.actor], command.item)
    if not is_drug(item):
        raise Refused("bad_value", f"{item.name} is not a drug: choose one.")
    patient = state[command.target or command.actor]
    if not is_person(patient) or is_dead(patient):
        raise Refused("bad_target", f"Drugs do nothing for {patient.name}: choose someone alive.")
    if patient.id == command.actor:
        check_minor(state, command.actor, "taking a drug")
        return item
    check_within(state, state[command.actor], patient)
    check_significant(state, command.actor, "giving a drug")
    return item


def take_drug(context: RuleContext, command: Give) -> None:
    """Take a drug as a minor action, or give it as a significant one: the text gives no cost, and drawing an
    item or treating someone costs the same."""
    item, who = check_drug(context.state, command), command.target or command.actor
    if who == command.actor:
        pay_minor(context, who, "taking a drug", RULE)
        lose_aim(context, who, "why.does_something_else")
    else:
        pay_significant(context, command.actor, "giving a drug", RULE)
        lose_aim(context, command.actor, "why.does_something_else")
    use_one(context, command.actor, item, RULE, "how.uses_up", "item_is.used_up", "destroyed")
    medicine = MEDICINES.get(str(item.data.get("id", "")))
    if medicine is None:
        take(context, who, item)
        return
    context.emit(e.Said("log.takes", who, args={"item": item.name}), RULE)
    medicine(context, command.actor, who)
