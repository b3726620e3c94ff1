"""Taking a drug in a fight, or giving it to someone; antidotes, panaceas, slow drug, drugs against radiation.

RULING R94: the parts of the equipment lists that can matter in a fight.
"""

from __future__ import annotations

from collections.abc import Callable

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, allows
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.commands.commands import Field, Give
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.belongings import has_any
from combat.rules.core.state.state import Item, State, find_condition, find_item, replace
from combat.rules.core.turn.hands import use_one
from combat.rules.core.turn.turns import add_condition

from ..body.drugs import RULE, take_dose, take_stim
from ..body.states import follow_wounds
from ..book.tables import DAY_SECONDS, doses
from ..characters.conditions import is_dead
from ..characters.machinery import check_limbs
from ..characters.values import find_score, is_person
from ..dice import better_of, difficulty_terms, lose_aim, roll_check, roll_terms
from ..world.acting import act, people_field
from ..world.economy import check_minor, check_significant, pay_minor, pay_significant
from ..world.sight_lines import check_within
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
    """Take points off Endurance only; it is no injury, so the time for first aid does not begin again.
    RULING R38"""
    roll = context.roll(dice, by=who, rule=RULE, why="roll.damage")
    old = find_score(context.state[who], "end")
    context.emit(
        e.TrackChanged(who, "end", old, new=old - min(old, roll.total), why=why, terms=(), roll=roll), RULE
    )
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
    "antidote": give_antidote,
    "panacea": give_panacea,
    "radiation": shield,
    "slow": slow_down,
    "stim": take_stim,
}


# ---------------------------------------------------------------- taking and giving


def is_drug(item: Item) -> bool:
    """Whether an item is a drug."""
    return item.kind == "gear" and bool(item.data.get("works")) and item.count > 0


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
    check_limbs(state, state[command.actor])
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
    use_one(
        context, command.actor, item, rule=RULE, how="how.uses_up", last="item_is.used_up", gone="destroyed"
    )
    context.emit(e.Said("log.takes", who, args={"item": item.name}), RULE)
    work(context, command.actor, who, item)


def work(context: RuleContext, doctor: str, who: str, item: Item) -> None:
    """Let a drug do what its row says; words that no rule plays are for the GM."""
    works = str(item.data["works"])
    if works in MEDICINES:
        MEDICINES[works](context, doctor, who)
    elif works in doses():
        take_dose(context, who, works)
    else:
        context.emit(e.Said("log.drug_text", who, args={"text": str(item.data.get("text", ""))}), RULE)


def check_drug_now(state: State, actor: str) -> None:
    """Refuse taking a drug without one at hand or without an action for it."""
    if not has_any(state[actor].items, is_drug):
        raise Refused("not_allowed", f"{state[actor].name} has no drugs.")
    if not allows(check_minor, state, actor, "taking a drug"):
        check_significant(state, actor, "giving a drug")


def drug_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The drug, and the person who gets it."""
    items = tuple(
        Choice(item.id, item.name, str(item.data.get("text", "")))
        for item in state[actor].items
        if is_drug(item)
    )
    first = items[0].value if items else ""

    def check(state: State, who: str) -> None:
        check_drug(state, Give(actor=actor, item=first, target=who))

    people = people_field(state, actor, "For", check if first else None)
    return (Field("item", "Drug", "choice", options=items, value=first), people)


ACTIONS = (act("take_drug", take_drug, check_drug_now, fields=drug_fields),)
