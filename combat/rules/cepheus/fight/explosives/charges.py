"""Demolition charges: set with a check, set off with a button."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.typed import convert
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import Field
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Item, State, find_item, has_condition, replace

from ...book.records import Explosive
from ...characters.machinery import check_limbs
from ...dice.focus import lose_aim
from ...dice.rolls import better_of, roll_check
from ...world.acting import act
from ...world.economy import check_significant, pay_significant
from ..weapons import INSIDE, Handle, Things, check_any_item, item_field
from .blasts import Blast, explode

DEMOLITIONS = "demolitions"
SET_BY, EFFECT = "set_by", "effect"  # marks of a charge that is set


def check_charge(state: State, command: Handle) -> Item:
    """Refuse to set an item that is not a charge."""
    item = find_item(state[command.actor], command.weapon)
    if item.kind != "explosive":
        raise Refused("bad_value", f"{item.name} is no charge: choose an explosive.")
    check_limbs(state, state[command.actor])
    return item


def set_charge(context: RuleContext, command: Handle) -> None:
    """Roll Demolitions with the better of Education and Dexterity: the Effect, 1 at least, multiplies the
    damage. [CE-SIG-05] The charge lies where its setter is, also inside a vehicle."""
    item, who = check_charge(context.state, command), command.actor
    pay_significant(context, who, "Setting a charge", "CE-SIG-05")
    lose_aim(context, who, "why.does_something_else")
    key = better_of(context.state[who], "edu", "dex")
    effect = roll_check(
        context, who, what="check.charge", skill=DEMOLITIONS, characteristic=key, rule="CE-SIG-05"
    )
    combatant = context.state[who]
    left = item.count - 1
    marks = {SET_BY: who, EFFECT: max(1, effect)} | ({INSIDE: combatant.inside} if combatant.inside else {})
    one = replace(item, count=1, place="ground", at=combatant.at, marks=marks)
    if left:
        one = replace(one, id=f"{item.id} {left}")
        context.emit(e.ItemChanged(who, replace(item, count=left), ""), "CE-SIG-05")
        context.emit(e.ItemGained(who, one, ""), "CE-SIG-05")
    context.emit(e.ItemLost(who, one, "how.sets"), "CE-SIG-05")


def find_charges(state: State, who: str) -> tuple[Item, ...]:
    """The charges that someone has set but not set off."""
    return tuple(item for item in state.ground if item.marks.get(SET_BY) == who)


def find_place(state: State, charge: Item) -> tuple[Point, str]:
    """The place of a charge: on the ground, or with the vehicle it lies in; then the id of that vehicle if it
    is closed."""
    assert charge.at is not None
    carrier = state.combatants.get(str(charge.marks.get(INSIDE, "")))
    if carrier is None or carrier.gone:
        return charge.at, ""
    is_shell = not (carrier.sheet.get("open") or has_condition(carrier, "destroyed"))
    return carrier.at, carrier.id if is_shell else ""


def check_set_off(state: State, command: Handle) -> Item:
    """Refuse to set off another person's charge."""
    charge = next((i for i in find_charges(state, command.actor) if i.id == command.weapon), None)
    if charge is None or charge.at is None:
        raise Refused("unknown", "That is no charge you have set: choose one of yours.")
    return charge


def set_off(context: RuleContext, command: Handle) -> Then:
    """Set a charge off: the button is a free action; the radius is rolled. [CE-OTHER-02] [CE-EXPL-01]"""
    item = check_set_off(context.state, command)
    at, inside = find_place(context.state, item)
    record = convert(item.data, Explosive)
    gone = replace(item, at=None, place="spent")
    context.emit(e.ItemGained(command.actor, gone, ""), "CE-EXPL-01")
    context.emit(e.ItemLost(command.actor, gone, "how.sets_off"), "CE-EXPL-01")
    why = say("roll.radius", item=record.name)
    roll = context.roll(record.radius, by=command.actor, rule="CE-EXPL-01", why=why)
    times = record.times * int(item.marks.get(EFFECT, 1))
    rings = ((float(roll.total), record.damage),)
    blast = Blast(by=command.actor, at=at, weapon=record.name, rings=rings, times=times, inside=inside)
    return Then(explode, blast)


def charge_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The actor's charges. [CE-SIG-05]"""
    return (item_field(_find_charges(state, actor)),)


def _find_charges(state: State, actor: str) -> Things:
    return Things([i for i in state[actor].items if i.kind == "explosive"])


def set_off_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The charges that the actor has set. [CE-EXPL-01]"""
    return (item_field(Things(find_charges(state, actor))),)


def check_charge_now(state: State, actor: str) -> None:
    """Refuse setting a charge without having one."""
    check_any_item(_find_charges(state, actor), f"{state[actor].name} has no charge to set.")
    check_significant(state, actor, "setting a charge")


def check_set_off_now(state: State, actor: str) -> None:
    """Refuse setting off without a charge that the actor has set."""
    if not find_charges(state, actor):
        raise Refused("not_allowed", f"{state[actor].name} has set no charge.")


ACTIONS = (
    act("set_charge", set_charge, check_charge_now, fields=charge_fields),
    act("set_off", set_off, check_set_off_now, fields=set_off_fields),
)
