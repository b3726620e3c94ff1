"""Ramming: driving into someone or something on purpose."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifiers
from combat.rules.core.basics.words import Label, say, say_number
from combat.rules.core.commands.commands import Command, Field, Preview, adjusted
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.commands.forms import number_field
from combat.rules.core.gm.decisions import Target, overrule
from combat.rules.core.map.bodies import nearest
from combat.rules.core.space import distance, plan_distance
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, present, replace

from ...book.tables import SQUARE_METERS
from ...characters import machinery
from ...dice.rolls import DICE, modifiers_for_check
from ...vehicles.collisions import closing_speed, collide, count_dice, impact_speed_of, is_solid
from ...vehicles.driving import (
    act_aboard,
    check_driver,
    check_uncontrolled,
    control_terms,
    find_speeds,
    may_drive_hard,
    pay_control,
    travel,
)
from ...vehicles.facing import bearing_between, find_facing
from ...vehicles.fields import any_vehicle, choose
from ...vehicles.gunnery import evasion_terms
from ...vehicles.stunts import roll_control
from ...vehicles.ways import stop_before
from ...world.acting import gm
from ...world.bands import find_meters
from ...world.order import mark, offer_interrupt
from ..reactions import react
from .crashes import describe_impact

SURE = "sure_ram"  # mark of a target so large that a ram cannot miss


class Ram(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Drive into a target, at the current speed or another one, in km/h."""

    target: str
    speed: int | None = None


class RuleRam(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The GM states that a target is so large that a ram cannot fail."""

    sure: bool = True


def check_ram(state: State, command: Ram) -> tuple[Combatant, Combatant, float]:
    """The vehicle, the target, and the speed in km/h; Refused if it is out of reach this round."""
    vehicle, target = check_driver(state, command.actor), state[command.target]
    check_uncontrolled(state, vehicle)
    if target.inside:
        raise Refused("bad_target", f"{target.name} sits in something: ram that.")
    if target.id == vehicle.id:
        raise Refused("bad_target", "Choose something else to ram.")
    top = machinery.find_top_speed(state, vehicle)
    speed = machinery.find_speed(state, vehicle) if command.speed is None else float(command.speed)
    if not 0 < speed <= top:
        raise Refused("bad_value", f"{vehicle.name} rams at 1 to {top:g} km/h: say how fast.")
    meters, reach = distance(*nearest(vehicle, target)), machinery.count_round_meters(speed)
    if meters > reach:
        away, far = say_number(meters), say_number(reach)
        text = f"{target.name} is {away} m away: at {speed:g} km/h a round is {far} m."
        raise Refused("out_of_range", text)
    here, there = nearest(vehicle, target)
    if abs(there.z - here.z) > max(SQUARE_METERS, plan_distance(here, there)):
        text = f"{target.name} is too far up or down for {vehicle.name}: choose a target on its way."
        raise Refused("out_of_range", text)
    end = stop_before(state, vehicle, target.at)
    if end != target.at and distance(*nearest(replace(vehicle, at=end), target)) > SQUARE_METERS:
        raise Refused("bad_target", f"An obstacle keeps {vehicle.name} from {target.name}: maneuver first.")
    return vehicle, target, speed


def ram(context: RuleContext, command: Ram) -> Then | None:
    """Ram: a significant action and a check of the vehicle's skill. [CE-VACT-12]

    The target's dodge and evasive action count as against any attack [CE-VACT-13]; the rammer's own is over.
    [CE-VACT-07]
    """
    vehicle, target, speed = check_ram(context.state, command)
    if offer_interrupt(context, command.actor):
        return None
    pay_control(context, command.actor, attentive=True)
    driver = context.state[command.actor]
    return Then(_roll, command, vehicle.id, speed, evasion_terms(context.state, driver, target))


def _roll(context: RuleContext, command: Ram, vehicle: str, speed: float, terms: Modifiers) -> Then | None:
    """Roll to hit; a very large target is hit without a check, if the GM says so. [CE-VACT-14]"""
    target = context.state[command.target]
    if target.marks.get(SURE):
        context.emit(e.Said("log.sure_ram", command.actor, command.target), "CE-VACT-14")
        return _strike(context, command.target, vehicle, speed)
    reaction = react(context, command.target, command.actor, "ram")
    more = adjusted(command, (*terms, *reaction))
    effect = roll_control(
        context,
        command.actor,
        "check.ram",
        rule="CE-VACT-12",
        terms=more,
        matters="none",
        target=command.target,
    )
    if effect >= 0:
        return _strike(context, command.target, vehicle, speed)
    return travel(context, vehicle, target.at, speed)


def _strike(context: RuleContext, target: str, vehicle: str, speed: float) -> Then | None:
    """Collide at the speed of the two towards each other; at the same speed and direction nothing happens.
    RULING R27"""
    struck = context.state[target]
    travel(context, vehicle, struck.at, speed, strikes=True)
    rammer = context.state[vehicle]
    impact = impact_speed_of(context.state, rammer, struck)
    if not count_dice(context.state, impact):
        context.emit(e.Said("log.rams_softly", vehicle, target), "CE-COLL-02")
        return None
    return Then(collide, vehicle, target, impact, is_solid(rammer, struck))


def preview(state: State, command: Ram) -> Preview:
    """The sums of a ram."""
    vehicle, target, speed = check_ram(state, command)
    own = modifiers_for_check(state, command.actor, str(vehicle.sheet.get("drives_by", "")), "dex")
    evading = evasion_terms(state, state[command.actor], target)
    terms = adjusted(command, (*own, *control_terms(state, vehicle), *evading))
    notes = describe_collision(state, vehicle, target, speed)
    return Preview(terms, (), "against.eight", dice=DICE, notes=notes)


def describe_collision(
    state: State, vehicle: Combatant, target: Combatant, speed: float
) -> tuple[Label, ...]:
    """The effects of a successful ram: the dice and the people hit.  [CE-COLL-02] [CE-COLL-04]"""
    facing = find_facing(vehicle)
    if target.at != vehicle.at:
        facing = round(bearing_between(vehicle.at, target.at))
    dice = count_dice(state, closing_speed(state, speed, facing, target))
    if not dice:
        return (say("note.no_collision", target=target.id),)
    moved = {w: replace(c, at=target.at) for w, c in state.combatants.items() if vehicle.id in (w, c.inside)}
    there = replace(state, combatants={**state.combatants, **moved})
    return describe_impact(there, there[vehicle.id], target, dice=dice, solid=is_solid(vehicle, target))


def rule_ram(context: RuleContext, command: RuleRam) -> None:
    """Mark whether a target is too large to miss. [CE-VACT-14]"""
    overrule(context, "gm.sure_ram" if command.sure else "gm.no_sure_ram", command, command.target)
    mark(context, command.target, SURE, value=command.sure or None, rule="CE-VACT-14")


def may_ram(state: State, actor: str) -> None:
    """Refuse a ram unless at the controls and with something to ram."""
    may_drive_hard(state, actor)
    vehicle = check_driver(state, actor)
    if not any(not other.inside and other.id != vehicle.id for other in present(state)):
        raise Refused("not_allowed", "There is nothing to ram.")


def _ram_speed_field(state: State, actor: str) -> Field:
    """The speed of a ram: as the vehicle goes now, or from a standstill as fast as it can."""
    now, top = find_speeds(state, actor)
    told = f"1 to {top}, {round(machinery.count_round_meters(top))} m a round"
    return number_field("speed", "Speed, km/h", now or top, low=0, high=top, help=told, rule="CE-VEH-04")


def ram_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The target, and the speed."""

    def check(state: State, who: str) -> None:
        speed = round(machinery.find_top_speed(state, check_driver(state, actor)))
        check_ram(state, Ram(actor=actor, target=who, speed=speed))

    others = [f for f in present(state) if f.id not in (actor, state[actor].inside)]
    others.sort(key=lambda f: find_meters(state, state[actor], f))
    whom = choose(state, "target", "Whom", people=others, check=check, rule="CE-VACT-12")
    return (whom, _ram_speed_field(state, actor))


def rule_ram_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The target, and whether a ram can miss it."""
    return (
        choose(state, "target", "What", present(state)),
        Field("sure", "So large that a ram cannot miss", "flag", value="true", required=False),
    )


ACTIONS = (
    act_aboard("ram", ram, may_ram, fields=ram_fields, preview=preview),
    gm("rule_ram", rule_ram, any_vehicle, fields=rule_ram_fields),
)
