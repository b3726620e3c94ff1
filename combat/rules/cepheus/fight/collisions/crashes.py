"""Crashes before they are rolled: their damage, and those hit if a vehicle explodes."""

from __future__ import annotations

from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.commands import Preview
from combat.rules.core.people import find_aboard
from combat.rules.core.space import Point
from combat.rules.core.state.state import Combatant, State, replace

from ...body.machines import can_explode
from ...people import machinery
from ...people.conditions import is_dead
from ...people.values import is_vehicle
from ...vehicles.collisions import count_dice
from ...vehicles.motion import Crash, check_vehicle
from ...vehicles.stunts import Weave, describe_crash, preview_control
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
    return replace(found, notes=(*found.notes, *describe_explosion(state, vehicle, dice, vehicle.at)))


def preview_crash(state: State, command: Crash) -> Preview:
    """The effects of a collision that the GM calls. [CE-COLL-02] [CE-COLL-04]"""
    vehicle = check_vehicle(state, command.target)
    struck = state.combatants.get(command.struck)
    dice = count_dice(state, float(command.speed))
    notes: tuple[Label, ...] = ()
    if struck:
        key = "note.collision_both" if command.solid else "note.collision"
        notes = (say(key, dice=f"{dice}D6", target=struck.id, who=vehicle.id),)
    elif command.solid:
        notes = describe_crash(dice, vehicle.id)
    hit = [each for each in (struck, vehicle if command.solid else None) if each and is_vehicle(each)]
    told = (describe_explosion(state, each, dice, each.at) for each in hit)
    return Preview((), (), "", "", (*notes, *(note for each in told for note in each)))


def describe_explosion(state: State, vehicle: Combatant, dice: int, at: Point) -> tuple[Label, ...]:
    """Whether a collision with n dice may explode a vehicle [CE-VLOC-17]; if so, the damage and the people
    hit where it happens. [CE-VLOC-18]"""
    if not can_explode(state, vehicle, dice * FACES):
        return ()
    told = say("note.crash_may_burst", who=vehicle.id)
    return (told, *describe_caught(state, vehicle, RINGS, find_caught(state, vehicle, at)))


def find_caught(state: State, vehicle: Combatant, at: Point) -> tuple[Caught, ...]:
    """The people inside a vehicle that explodes at a place, and those near it. [CE-VLOC-17]"""
    there = replace(state, combatants={**state.combatants, vehicle.id: replace(vehicle, at=at)})
    inside = (rider.id for rider in find_aboard(state, vehicle.id) if not is_dead(rider))
    near = find_near(there, vehicle.id, 0, INNER[0])
    far = find_near(there, vehicle.id, INNER[0], OUTER[0])
    return (*(Caught(who, 0) for who in (*inside, *near)), *(Caught(who, 1) for who in far))
