"""Getting in and out of vehicles, changing places, and strapping in."""

from __future__ import annotations

from typing import Literal

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import Command, Preview
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.gm.decisions import Target, overrule
from combat.rules.core.people import board, find_aboard, find_at_station, leave
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State

from ..body.moving import settle_place
from ..dice.focus import lose_aim
from ..people import machinery
from ..people.conditions import is_scrap
from ..people.values import is_out, is_vehicle
from ..world.economy import pay_minor
from ..world.order import mark
from ..world.touch import check_within

RULE = "CE-VEH-08"
Station = Literal["driver", "gunner", "passenger", "operator"]


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
    places = int(vehicle.sheet.get("crew", 1)) + int(vehicle.sheet.get("passengers", 0))
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
            board(context, other.id, vehicle, machinery.PASSENGER, RULE)
    board(context, who, vehicle, station, RULE)
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
    mark(context, command.actor, machinery.SECURED, command.secured or None, "CE-COLL-07")


def get_out(context: RuleContext, command: Command) -> None:
    """Get out: a minor action."""
    check_inside(context.state, command.actor)
    lose_aim(context, command.actor, "why.moves")
    pay_minor(context, command.actor, "Getting out", RULE)
    step_out(context, command.actor)


def step_out(context: RuleContext, who: str) -> None:
    """Leave a vehicle, to the place where it stands."""
    leave(context, who, RULE)
    mark(context, who, machinery.SECURED, None, "CE-COLL-07")
    settle_place(context, who)


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
    mark(context, command.actor, machinery.SECURED, None, "CE-COLL-07")


def strap_in(context: RuleContext, command: Strap) -> None:
    """Fasten or unfasten a belt or the like: a free action. [CE-COLL-07] [CE-COLL-08]"""
    check_inside(context.state, command.actor)
    actor = context.state[command.actor]
    if bool(actor.marks.get(machinery.SECURED)) == command.secured:
        text = f"{actor.name} is {'already' if command.secured else 'not'} strapped in."
        raise Refused("not_allowed", text)
    mark(context, command.actor, machinery.SECURED, command.secured or None, "CE-COLL-07")
    told = e.Said("log.straps_in" if command.secured else "log.unstraps", command.actor)
    context.emit(told, "CE-COLL-07")


def seat(context: RuleContext, command: Seat) -> None:
    """Place someone as the GM says."""
    if not command.vehicle:
        overrule(context, "gm.unseats", command, command.target)
        step_out(context, command.target)
        return
    check_place(context.state, context.state[command.vehicle], command.target, command.station)
    overrule(context, "gm.seats", command, command.target)
    sit_down(context, command.target, command.vehicle, command.station)
    mark(context, command.target, machinery.SECURED, command.secured or None, "CE-COLL-07")
