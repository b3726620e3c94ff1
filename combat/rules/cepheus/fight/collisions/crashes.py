"""Crashes before they are rolled: their damage, and those hit if a vehicle explodes."""

from __future__ import annotations

from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.commands import Field, Preview
from combat.rules.core.commands.forms import number_field
from combat.rules.core.passengers import find_aboard
from combat.rules.core.state.state import Combatant, State, present, replace

from ...body.machines import can_explode
from ...characters import machinery
from ...characters.conditions import is_dead
from ...characters.values import is_vehicle
from ...vehicles.collisions import count_dice
from ...vehicles.driving import act_aboard
from ...vehicles.fields import any_vehicle, choose, find_vehicles
from ...vehicles.motion import Crash, check_vehicle, crash
from ...vehicles.stunts import Weave, describe_crash, may_weave, preview_control, weave, weave_fields
from ...world.acting import gm
from ..explosives.blasts import Caught, Rings
from ..explosives.lobs import describe_caught
from .wrecks import INNER, OUTER, find_near

RINGS: Rings = (INNER, OUTER)
FACES = 6  # of each die


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


ACTIONS = (
    act_aboard("weave", weave, may_weave, fields=weave_fields, preview=preview_weave),
    gm("crash", crash, any_vehicle, fields=crash_fields, preview=preview_crash),
)
