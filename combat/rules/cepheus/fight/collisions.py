"""Crashes and ramming: the damage before it is rolled, ramming on purpose, and exploding wrecks."""

from __future__ import annotations

from typing import Any

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifiers
from combat.rules.core.basics.words import Label, say, say_number
from combat.rules.core.commands.commands import Command, Field, Preview, adjusted, number_field
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.gm.decisions import Target, overrule
from combat.rules.core.map.bodies import nearest
from combat.rules.core.passengers import find_aboard
from combat.rules.core.space import distance, plan_distance
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, has_condition, present, replace

from ..body.machines import can_explode, on_explosion
from ..body.moving import stand_beside
from ..book.tables import SQUARE_METERS
from ..characters import machinery
from ..characters.conditions import is_dead
from ..characters.values import is_vehicle
from ..dice import DICE, modifiers_for_check
from ..vehicles.collisions import (
    Crash,
    check_vehicle,
    closing_speed,
    collide,
    count_dice,
    crash,
    impact_speed_of,
    is_solid,
)
from ..vehicles.driving import (
    act_aboard,
    bearing_between,
    check_driver,
    check_pursuit,
    check_uncontrolled,
    control_terms,
    find_facing,
    find_speeds,
    may_drive_hard,
    pay_control,
    stop_before,
    travel,
)
from ..vehicles.fields import any_vehicle, choose, find_vehicles
from ..vehicles.gunnery import evasion_terms
from ..vehicles.stunts import (
    Weave,
    describe_crash,
    may_weave,
    preview_control,
    roll_control,
    weave,
    weave_fields,
)
from ..world.acting import gm
from ..world.bands import EDGE, find_meters
from ..world.order import mark, offer_interrupt
from .explosives.blasts import Blast, Caught, Rings, explode, is_open_to, is_shut_in
from .explosives.lobs import describe_caught
from .reactions import react

# Vehicles that explode, with everyone inside and near.


INNER, OUTER = (6.0, "4d6"), (12.0, "2d6")  # meters and dice  [CE-VLOC-17] [CE-VLOC-18]
WHY = "why.explosion"
RINGS: Rings = (INNER, OUTER)
FACES = 6  # of each die
SURE = "sure_ram"  # mark of a target so large that a ram cannot miss


@on_explosion
def blow_up(context: RuleContext, who: str, by: str) -> Then | None:
    """Deal 4D6 to everyone within 6 m and inside [CE-VLOC-17], 2D6 to those within 12 m. [CE-VLOC-18]

    One roll for each ring; armor counts.  RULING R48. In a closed vehicle no one can dodge or dive
    [CE-VLOC-19]; in an open one they can. [CE-VLOC-20]
    """
    near = find_near(context.state, who, 0, INNER[0])
    inside = tuple(rider.id for rider in find_aboard(context.state, who) if not is_dead(rider))
    far = find_near(context.state, who, INNER[0], OUTER[0])
    then: tuple[Any, ...] = (_empty, who)
    first = (*inside, *near)
    alone = not any(is_vehicle(context.state[one]) for one in (*first, *far))
    if far:
        then = (explode, _make_blast(context.state, who, OUTER, only=far, alone=alone), then)
    if first:
        return Then(explode, _make_blast(context.state, who, INNER, only=first, alone=alone), then)
    step, *args = then
    return Then(step, *args)


def find_near(state: State, who: str, beyond: float, within: float) -> tuple[str, ...]:
    """Those within a number of meters of a wreck, in the open or in an open vehicle."""
    return tuple(
        other.id
        for other in state.combatants.values()
        if not other.gone
        and other.id != who
        and other.inside != who
        and not has_condition(other, "dead", "destroyed")
        and not is_shut_in(state, other)
        and (beyond + EDGE < find_meters(state, who, other) or not beyond)
        and find_meters(state, who, other) <= within + EDGE
        and is_open_to(state, state[who].at, other)
    )


def _make_blast(state: State, who: str, ring: tuple[float, str], only: tuple[str, ...], alone: bool) -> Blast:
    return Blast(by="", at=state[who].at, weapon=WHY, rings=(ring,), only=only, alone=alone, midst=True)


def _empty(context: RuleContext, who: str) -> None:
    """Move everyone out of a wreck that no longer exists."""
    for rider in find_aboard(context.state, who):
        context.emit(e.Boarded(rider.id, "", ""), "CE-VLOC-17")
        stand_beside(context, rider.id, "CE-VLOC-17")


def preview_weave(state: State, command: Weave) -> Preview:
    """The sums of a weave, and the effects of a crash. [CE-VACT-23]"""
    found = preview_control(state, command)
    vehicle = machinery.find_vehicle(state, command.actor)
    if vehicle is None:
        return found
    dice = count_dice(state, machinery.find_speed(state, vehicle))
    return replace(found, notes=(*found.notes, *describe_explosion(state, vehicle, dice, vehicle)))


def preview_crash(state: State, command: Crash) -> Preview:
    """The effects of a collision that the GM calls. [CE-COLL-02] [CE-COLL-04]"""
    vehicle = check_vehicle(state, command.target)
    struck = state.combatants.get(command.struck)
    dice = count_dice(state, float(command.speed))
    notes: tuple[Label, ...] = ()
    if struck:
        notes = describe_impact(state, vehicle, struck, dice=dice, solid=command.solid)
    elif command.solid:
        notes = (*describe_crash(dice, vehicle.id), *describe_explosion(state, vehicle, dice, vehicle))
    return Preview((), (), "", dice="", notes=notes)


def describe_impact(
    state: State, vehicle: Combatant, struck: Combatant, dice: int, solid: bool
) -> tuple[Label, ...]:
    """The effects when a vehicle runs into another combatant where both are: the damage, and which of them
    may explode.  [CE-COLL-02] [CE-COLL-04]"""
    key = "note.collision_both" if solid else "note.collision"
    told = say(key, dice=f"{dice}D6", target=struck.id, who=vehicle.id)
    hit = [each for each in (struck, vehicle if solid else None) if each and is_vehicle(each)]
    bursts = (describe_explosion(state, each, dice, vehicle) for each in hit)
    return (told, *(note for burst in bursts for note in burst))


def describe_explosion(state: State, vehicle: Combatant, dice: int, own: Combatant) -> tuple[Label, ...]:
    """Whether a collision with n dice may explode a vehicle [CE-VLOC-17]; if so, the damage and the people
    hit [CE-VLOC-18], as `own` may know of them."""
    if not can_explode(state, vehicle, dice * FACES):
        return ()
    told = say("note.crash_may_burst", who=vehicle.id)
    return (told, *describe_caught(state, own, RINGS, find_caught(state, vehicle)))


def find_caught(state: State, vehicle: Combatant) -> tuple[Caught, ...]:
    """The people inside a vehicle that explodes where it is, and those near it. [CE-VLOC-17]"""
    inside = (rider.id for rider in find_aboard(state, vehicle.id) if not is_dead(rider))
    near = find_near(state, vehicle.id, 0, INNER[0])
    far = find_near(state, vehicle.id, INNER[0], OUTER[0])
    return (*(Caught(who, 0) for who in (*inside, *near)), *(Caught(who, 1) for who in far))


def crash_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The vehicle, what it runs into, and whether that is solid."""
    vehicles = find_vehicles(state)
    return (
        choose(state, "target", "Vehicle", vehicles),
        choose(state, "struck", "Into whom", present(state), required=False),
        number_field("speed", "Speed, km/h", 50, low=1, high=100_000, rule="CE-COLL-02"),
        Field("solid", "Solid enough to damage it", "flag", value="true", rule="CE-COLL-04", required=False),
    )


# Ramming: driving into someone or something on purpose.


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
    check_pursuit(state, vehicle, target)
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
    act_aboard("weave", weave, may_weave, fields=weave_fields, preview=preview_weave),
    gm("crash", crash, any_vehicle, fields=crash_fields, preview=preview_crash),
    act_aboard("ram", ram, may_ram, fields=ram_fields, preview=preview),
    gm("rule_ram", rule_ram, any_vehicle, fields=rule_ram_fields),
)
