"""Chases in the tactics: pursuing, matching a weave or giving up, escaping, stopping to fight."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused, allows
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.commands.commands import Command
from combat.rules.core.map.bodies import check_room, nearest
from combat.rules.core.space import distance, towards
from combat.rules.core.state.state import Combatant, State, present

from ..book.tables import RANGE_BANDS, SQUARE_METRES
from ..people import machinery
from ..people.values import is_out, is_vehicle
from ..vehicles.driving import MUST_WEAVE, PURSUES, Drive, check_running, check_uncontrolled
from ..vehicles.stunts import Evade, Weave, check_weave, find_most, preview_control
from ..world.economy import MINOR, SIGNIFICANT
from .worth import count_chance

Submission = tuple[str, Command]
GAP = 20.0  # meters that a pursuer keeps
SHOOTING = RANGE_BANDS["medium"].to_m  # meters within which a driver stops and fights
BOLD, SURE = 0.5, 0.7  # the least chances at which a driver matches a weave, and begins one


def find_driving(state: State, combatant: Combatant, foes: list[Combatant]) -> Submission | None:
    """The next action of a driver; None without a vehicle in control, or if it was driven this round."""
    vehicle = machinery.find_driven(state, combatant.id)
    if vehicle is None or is_out(vehicle):  # a wreck, in most of the turns
        return None
    try:
        check_running(state, vehicle)
        check_uncontrolled(state, vehicle)
    except Refused:
        return None
    if vehicle.marks.get(PURSUES):
        return pursue(state, combatant, vehicle)
    if is_pursued(state, vehicle) and (trick := shake_off(state, combatant, vehicle)):
        return trick
    quarry = find_quarry(state, vehicle, foes)
    return chase(state, combatant, vehicle, quarry) if quarry else brake(state, combatant, vehicle)


def brake(state: State, combatant: Combatant, vehicle: Combatant) -> Submission | None:
    """Stop to fight: while everyone keeps their speed, no one gets away. [CE-VEH-05]"""
    if not combatant.budget.get(MINOR, 0) or machinery.find_speed(state, vehicle) <= 0:
        return None
    return "drive", Drive(actor=combatant.id, speed=0)


# ---------------------------------------------------------------- pursuing


def find_quarry(state: State, vehicle: Combatant, foes: list[Combatant]) -> Combatant | None:
    """An enemy who drives away: too far to fight, and slow enough to catch. [CE-VEH-06]"""
    for foe in foes:
        speed = machinery.find_speed(state, foe) if is_vehicle(foe) else 0
        is_far = distance(*nearest(vehicle, foe)) > SHOOTING
        if speed > 0 and is_far and machinery.find_top_speed(state, vehicle) >= speed:
            return foe
    return None


def chase(state: State, combatant: Combatant, vehicle: Combatant, quarry: Combatant) -> Submission | None:
    """Drive after the quarry, as near as the speed allows. [CE-VEH-06]"""
    if not combatant.budget.get(SIGNIFICANT, 0):
        return None
    most = machinery.count_round_metres(machinery.find_top_speed(state, vehicle))
    metres = max(0.0, min(most, distance(*nearest(vehicle, quarry)) - GAP))
    goal = towards(vehicle.at, quarry.at, metres)
    has_room = metres > 1 and allows(check_room, state, vehicle, goal, SQUARE_METRES)
    to = f"{goal.x:.1f},{goal.y:.1f}" if has_room else ""
    speed = None if to else min(round(machinery.find_speed(state, quarry)), int(most))
    return "drive", Drive(actor=combatant.id, why="pursue", target=quarry.id, to=to, speed=speed)


def pursue(state: State, combatant: Combatant, vehicle: Combatant) -> Submission | None:
    """Match a weave if it is likely to succeed, else break off; fight a quarry that stands still.
    [CE-VACT-24] [CE-VACT-25]"""
    quarry = state.combatants.get(str(vehicle.marks[PURSUES]))
    if vehicle.marks.get(MUST_WEAVE):
        weave = Weave(actor=combatant.id)
        if find_chance(state, weave) >= BOLD and combatant.budget.get(SIGNIFICANT, 0):
            return "weave", weave
        return "break_off", Command(actor=combatant.id)
    if quarry is None or quarry.gone or not _has_fight_left(state, quarry):
        return "break_off", Command(actor=combatant.id)
    if machinery.find_speed(state, quarry) > 0:
        return chase(state, combatant, vehicle, quarry)
    return brake(state, combatant, vehicle)


def _has_fight_left(state: State, quarry: Combatant) -> bool:
    """Whether someone fights on: a person, or those in a vehicle that may no longer work."""
    fights = machinery.has_fighters if is_vehicle(quarry) else machinery.can_fight
    return fights(state, quarry)


# ---------------------------------------------------------------- escaping


def is_pursued(state: State, vehicle: Combatant) -> bool:
    """Whether someone who moves pursues a vehicle."""
    after = (f for f in present(state) if f.marks.get(PURSUES) == vehicle.id)
    return any(machinery.find_speed(state, pursuer) > 0 for pursuer in after)


def shake_off(state: State, combatant: Combatant, vehicle: Combatant) -> Submission | None:
    """Weave between obstacles with the highest number likely to succeed [CE-VACT-20]; without obstacles, take
    evasive action. [CE-VACT-03]"""
    if not combatant.budget.get(SIGNIFICANT, 0) or machinery.find_speed(state, vehicle) <= 0:
        return None
    numbers = range(find_most(state, vehicle), 0, -1)
    weaves = (Weave(actor=combatant.id, number=n) for n in numbers)
    for weave in weaves:
        if allows(check_weave, state, weave) and find_chance(state, weave) >= SURE:
            return "weave", weave
    return "evade", Evade(actor=combatant.id)


def find_chance(state: State, command: Command) -> float:
    """The chance of a check at the controls."""
    return count_chance(add_up(preview_control(state, command).modifiers))
