"""Taking a drug in a fight, or giving it to someone."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Give
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Item, State, find_item
from combat.rules.core.turn.hands import use_one

from ..body.drugs import RULE, take
from ..dice.focus import lose_aim
from ..people.conditions import is_dead
from ..people.values import is_person
from ..world.economy import check_minor, check_significant, pay_minor, pay_significant
from ..world.touch import check_within
from .medicines import MEDICINES


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
