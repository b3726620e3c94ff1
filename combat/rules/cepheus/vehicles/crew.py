"""The crew: getting in and out of vehicles, changing places, strapping in, and operators of drones."""

from __future__ import annotations

from typing import Literal

import msgspec

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, why_refused
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import Command, Field, Preview, Targeted, check_any, first_open
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.gm.decisions import Target, overrule
from combat.rules.core.passengers import board, find_aboard, find_at_station, leave
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, present, replace
from combat.rules.core.turn.turns import add_condition, remove_conditions

from ..body.moving import settle_place, stand_beside
from ..characters import machinery
from ..characters.conditions import is_scrap
from ..characters.machinery import OPERATED, find_operator, is_drone
from ..characters.values import ANIMAL, VEHICLE, is_out, is_person, is_vehicle
from ..dice import lose_aim
from ..world.acting import act, gm
from ..world.economy import check_minor, check_significant, pay_minor, pay_significant
from ..world.order import mark
from ..world.sight_lines import check_within
from .fields import any_vehicle, choose, find_people, find_vehicles

RULE = "CE-VEH-08"
Station = Literal["driver", "gunner", "passenger", "operator"]

STATIONS = tuple(Choice(key, label) for key, label in machinery.STATIONS)
DRONE_RULE = "CE-VDMG-01"


class Enter(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Get into a vehicle, strapped in or not."""

    target: str
    station: Station = "passenger"
    secured: bool = True


class Change(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Take another place inside."""

    station: Station


class Strap(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Strap in, or undo it."""

    secured: bool = True


class Seat(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The GM puts someone inside a vehicle, or takes them out."""

    vehicle: str = ""
    station: Station = "passenger"
    secured: bool = True


def check_place(state: State, vehicle: Combatant, who: str, station: str) -> None:
    """Refuse a full vehicle, and controls that are taken. [CE-VEH-01]  RULING: the text says no more."""
    if not is_vehicle(vehicle):
        raise Refused("bad_target", f"{vehicle.name} is no vehicle: choose one.")
    if is_scrap(vehicle):
        raise Refused("bad_target", f"{vehicle.name} is scrap: no one can get in.")
    if state[who].inside and not is_vehicle(state[who]) and state[who].inside != vehicle.id:
        raise Refused("not_allowed", f"{state[who].name} is inside something else: get out first.")
    drivers = [other for other in find_drivers(state, vehicle.id, who) if not is_out(other)]
    if station == machinery.DRIVER and drivers:
        raise Refused("not_allowed", f"{drivers[0].name} is at the controls: they have to leave them first.")
    places = count_places(vehicle)
    others = [other for other in find_aboard(state, vehicle.id) if other.id != who]
    if len(others) >= places:
        raise Refused(
            "not_allowed", f"{vehicle.name} is full: it has {places} {'place' if places == 1 else 'places'}."
        )


def find_drivers(state: State, vehicle: str, who: str) -> list[Combatant]:
    """The people at the controls of a vehicle, other than the one who wants to be there."""
    return [other for other in find_at_station(state, vehicle, machinery.DRIVER) if other.id != who]


def sit_down(context: RuleContext, who: str, vehicle: str, station: Station) -> None:
    """Take a place inside. The next driver pushes a driver who cannot act aside.

    RULING: the text is silent; without this no one inside could stop the vehicle.
    """
    if station == machinery.DRIVER:
        for other in find_drivers(context.state, vehicle, who):
            board(context, other.id, vehicle, station=machinery.PASSENGER, rule=RULE)
    board(context, who, vehicle, station=station, rule=RULE)
    settle_place(context, who)


def check_enter(state: State, command: Enter) -> None:
    """Refuse to get in without a vehicle in reach and a free place."""
    combatant, vehicle = state[command.actor], state[command.target]
    check_place(state, vehicle, command.actor, command.station)
    if combatant.inside == vehicle.id:
        raise Refused("not_allowed", f"{combatant.name} is inside already: change places instead.")
    check_within(state, combatant, vehicle)


def enter(context: RuleContext, command: Enter) -> None:
    """Get in: a minor action, like a move."""
    check_enter(context.state, command)
    lose_aim(context, command.actor, "why.moves")
    pay_minor(context, command.actor, "Getting in", RULE)
    sit_down(context, command.actor, command.target, command.station)
    mark(context, command.actor, machinery.SECURED, value=command.secured or None, rule="CE-COLL-07")


def get_out(context: RuleContext, command: Command) -> None:
    """Get out: a minor action."""
    check_inside(context.state, command.actor)
    lose_aim(context, command.actor, "why.moves")
    pay_minor(context, command.actor, "Getting out", RULE)
    step_out(context, command.actor)


def step_out(context: RuleContext, who: str) -> None:
    """Leave a vehicle, to a free place beside it."""
    leave(context, who, RULE)
    mark(context, who, machinery.SECURED, value=None, rule="CE-COLL-07")
    stand_beside(context, who, RULE)


def describe_jump(state: State, vehicle: Combatant) -> str:
    """A warning for those who would get into a moving vehicle; "" for one that stands.  RULING R46"""
    speed = round(machinery.find_speed(state, vehicle))
    return f"goes {speed} km/h: the GM says what the jump does" if speed else ""


def preview_get_out(state: State, command: Command) -> Preview:
    """Warn those who get out of a moving vehicle: the book has no rule for jumps, so the GM decides."""
    vehicle = check_inside(state, command.actor)
    speed = round(machinery.find_speed(state, vehicle))
    return Preview(notes=(say("note.jump", who=vehicle.id, n=speed),) if speed else ())


def check_inside(state: State, who: str) -> Combatant:
    """The vehicle someone is in; Refused outside of one."""
    vehicle = machinery.find_vehicle(state, who)
    if vehicle is None:
        raise Refused("not_allowed", f"{state[who].name} is in no vehicle.")
    return vehicle


def change_place(context: RuleContext, command: Change) -> None:
    """Take another place: a minor action, which unstraps the belt."""
    vehicle = check_inside(context.state, command.actor)
    if context.state[command.actor].station == command.station:
        raise Refused("not_allowed", f"{context.state[command.actor].name} is there already.")
    check_place(context.state, vehicle, command.actor, command.station)
    lose_aim(context, command.actor, "why.moves")
    pay_minor(context, command.actor, "Changing places", RULE)
    sit_down(context, command.actor, vehicle.id, command.station)
    mark(context, command.actor, machinery.SECURED, value=None, rule="CE-COLL-07")


def strap_in(context: RuleContext, command: Strap) -> None:
    """Fasten or unfasten a belt or the like: a free action. [CE-COLL-07] [CE-COLL-08]"""
    check_inside(context.state, command.actor)
    actor = context.state[command.actor]
    if bool(actor.marks.get(machinery.SECURED)) == command.secured:
        text = f"{actor.name} is {'already' if command.secured else 'not'} strapped in."
        raise Refused("not_allowed", text)
    mark(context, command.actor, machinery.SECURED, value=command.secured or None, rule="CE-COLL-07")
    told = e.Said("log.straps_in" if command.secured else "log.unstraps", command.actor)
    context.emit(told, "CE-COLL-07")


def seat(context: RuleContext, command: Seat) -> None:
    """Place someone as the GM says."""
    if not command.vehicle:
        overrule(context, "gm.unseats", command, command.target)
        step_out(context, command.target)
        return
    overrule(context, "gm.seats", command, command.target)
    take_seat(context, command.target, command.vehicle, command.station, command.secured)


def take_seat(context: RuleContext, who: str, vehicle: str, station: Station, secured: bool = True) -> None:
    """Place someone inside as the GM says, strapped in or not."""
    check_place(context.state, context.state[vehicle], who, station)
    sit_down(context, who, vehicle, station)
    mark(context, who, machinery.SECURED, value=secured or None, rule="CE-COLL-07")


# ---------------------------------------------------------------- where they begin


def count_places(combatant: Combatant) -> int:
    """For how many a vehicle has places; 0 for all others."""
    if not is_vehicle(combatant):
        return 0
    return int(combatant.sheet.get("crew", 1)) + int(combatant.sheet.get("passengers", 0))


def take_free_seat(context: RuleContext, who: str, vehicle: str) -> None:
    """Place someone where a vehicle needs them: at the controls, at its guns, else as a passenger."""
    if context.state[who].inside not in ("", vehicle):
        step_out(context, who)
    take_seat(context, who, vehicle, _find_free_station(context.state, vehicle, who))


def _find_free_station(state: State, vehicle: str, who: str) -> Station:
    if state[who].sheet["kind"] in (ANIMAL, VEHICLE):
        return "passenger"
    if not why_refused(check_place, state, state[vehicle], who, machinery.DRIVER):
        return "driver"
    has_guns = bool(machinery.find_mounts(state[vehicle]))
    return "gunner" if has_guns and not find_at_station(state, vehicle, machinery.GUNNER) else "passenger"


# ---------------------------------------------------------------- forms


def may_enter(state: State, actor: str) -> None:
    """Refuse without a vehicle next to the actor that has a free place."""
    reasons = [
        why_refused(check_enter, state, Enter(actor=actor, target=other.id)) for other in find_vehicles(state)
    ]
    if not reasons:
        raise Refused("not_allowed", "There is no vehicle here.")
    if all(reasons):
        raise Refused("not_allowed", reasons[0])
    check_minor(state, actor, "getting in")


def may_leave(state: State, actor: str) -> None:
    """Refuse outside of a vehicle."""
    check_inside(state, actor)
    check_minor(state, actor, "this")


def is_seated(state: State, actor: str) -> None:
    """Refuse outside of a vehicle."""
    check_inside(state, actor)


def enter_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The vehicle, the station, and whether strapped in."""

    def check(state: State, who: str) -> None:
        check_enter(state, Enter(actor=actor, target=who))

    vehicles = choose(state, "target", "Vehicle", people=find_vehicles(state), check=check, rule=RULE)
    options = tuple(replace(o, detail=describe_jump(state, state[o.value])) for o in vehicles.options)
    return (
        replace(vehicles, options=options),
        Field("station", "As", "choice", options=STATIONS, value=machinery.PASSENGER),
        Field("secured", "Strapped in", "flag", value="true", rule="CE-COLL-07", required=False),
    )


def place_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The new place."""
    now, vehicle = state[actor].station, machinery.find_vehicle(state, actor)

    def check(station: str) -> None:
        if vehicle:
            check_place(state, vehicle, actor, station)

    options = tuple(
        msgspec.structs.replace(option, refused=why_refused(check, option.value))
        for option in STATIONS
        if option.value != now
    )
    return (Field("station", "As", "choice", options=options, value=first_open(options)),)


def strap_fields(state: State, actor: str) -> tuple[Field, ...]:
    """Into or out of the belt."""
    now = bool(state[actor].marks.get(machinery.SECURED))
    return (Field("secured", "Strapped in", "flag", value="" if now else "true", required=False),)


def seat_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The person, the vehicle, and the station: filled in for the next one outside, with their own side."""
    people = [f for f in present(state) if not is_vehicle(f)]
    outside = next((one for one in people if not one.inside), None)
    station, vehicle = _find_free_seat(state, outside) if outside else (machinery.PASSENGER, None)
    target = choose(state, "target", "Who", people)
    return (
        msgspec.structs.replace(target, value=outside.id if outside else target.value),
        _vehicle_field(state, vehicle),
        Field("station", "As", "choice", options=STATIONS, value=station),
        Field("secured", "Strapped in", "flag", value="true", rule="CE-COLL-07", required=False),
    )


def _find_free_seat(state: State, who: Combatant) -> tuple[str, Combatant | None]:
    """The station and the vehicle someone most likely takes, of their side: free controls come first."""
    vehicles = [one for one in find_vehicles(state) if one.side == who.side]
    for station in (machinery.DRIVER, machinery.PASSENGER):
        for one in vehicles:
            if not why_refused(check_place, state, one, who.id, station):
                return station, one
    return machinery.PASSENGER, None


def _vehicle_field(state: State, wanted: Combatant | None) -> Field:
    """The vehicles, and "none" to get out of the one they are in."""
    options = tuple(Choice(f.id, f.name) for f in find_vehicles(state))
    out = Choice("", "none: they get out")
    value = wanted.id if wanted else first_open(options)
    return Field("vehicle", "Vehicle", "choice", options=(*options, out), value=value, required=False)


# Drones: an operator spends an action on a drone, which then acts with the operator's skills. RULING R74


class Assign(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Set the operator of a drone; none if `operator` is empty."""

    operator: str = ""


def check_steer(state: State, command: Targeted) -> Combatant:
    """Refuse to steer a drone of another operator, or one that does not respond."""
    operator, drone = state[command.actor], state[command.target]
    if not is_drone(drone):
        raise Refused("bad_target", f"{drone.name} is no drone.")
    found = find_operator(state, drone)
    if found is None or found.id != operator.id:
        raise Refused("not_allowed", f"{operator.name} does not steer {drone.name}: the GM says who does.")
    if is_out(drone) or machinery.is_blind(state, drone):
        raise Refused("not_allowed", f"{drone.name} does not answer: repair it first.")
    return drone


def steer(context: RuleContext, command: Targeted) -> None:
    """Steer a drone with a significant action, one for each: it acts on its next turn."""
    drone = check_steer(context.state, command)
    pay_significant(context, command.actor, "Steering a drone", DRONE_RULE)
    lose_aim(context, command.actor, "why.does_something_else")
    remove_conditions(context, drone.id, "steered", rule=DRONE_RULE)
    add_condition(context, drone.id, "steered", rule=DRONE_RULE, by=command.actor)


def assign(context: RuleContext, command: Assign) -> None:
    """Set the operator of a drone as the GM says."""
    drone = context.state[command.target]
    if not is_drone(drone):
        raise Refused("bad_target", f"{drone.name} is no drone: choose one.")
    if command.operator and not is_person(context.state[command.operator]):
        raise Refused("bad_target", "A drone is steered by a person: choose one.")
    overrule(context, "gm.operator", command, command.target)
    mark(context, drone.id, OPERATED, value=command.operator or None, rule=DRONE_RULE)


def may_steer(state: State, actor: str) -> None:
    """Refuse without a drone of the actor's own."""
    mine = [f for f in present(state) if f.marks.get(machinery.OPERATED) == actor and machinery.is_drone(f)]
    if not mine:
        raise Refused("not_allowed", f"{state[actor].name} steers no drone.")
    check_steer(state, Targeted(actor=actor, target=mine[0].id))
    check_significant(state, actor, "steering")


def steer_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The drone."""

    def check(state: State, who: str) -> None:
        check_steer(state, Targeted(actor=actor, target=who))

    return (choose(state, "target", "Drone", people=filter(machinery.is_drone, present(state)), check=check),)


def assign_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The drone, and its operator."""
    found = [f for f in present(state) if machinery.is_drone(f)]
    return (
        choose(state, "target", "Drone", found),
        choose(state, "operator", "Steered by", find_people(state), required=False),
    )


ACTIONS = (
    act("get_in", enter, may_enter, fields=enter_fields, has_odds=False),
    act("get_out", get_out, may_leave, preview=preview_get_out, has_odds=False),
    act("change_place", change_place, may_leave, fields=place_fields, has_odds=False),
    act("strap_in", strap_in, is_seated, fields=strap_fields, has_odds=False),
    gm("seat", seat, any_vehicle, fields=seat_fields),
    act("steer", steer, may_steer, fields=steer_fields, has_odds=False),
    gm("assign_drone", assign, check_any(assign_fields, "There is no drone here."), fields=assign_fields),
)
