"""Chases in the tactics: pursuing, matching a weave or giving up, escaping, stopping to fight."""

from __future__ import annotations

from combat.rules.core.basics.errors import allows
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.commands.commands import Command
from combat.rules.core.map.bodies import check_room, nearest
from combat.rules.core.space import distance, plan_distance, towards
from combat.rules.core.state.state import Combatant, State, present

from ..book.options import find_option
from ..book.tables import RANGE_BANDS, SQUARE_METERS
from ..characters import machinery
from ..characters.values import PERSON, ROBOT, is_out, is_vehicle
from ..vehicles.crew import Change, check_place
from ..vehicles.driving import (
    ANYTHING,
    HALF_ARC,
    MUST_WEAVE,
    PURSUES,
    SHAKEN_OFF,
    Drive,
    angle_off_nose,
    check_running,
    check_uncontrolled,
    move_ahead,
    stop_before,
    turn_between,
)
from ..vehicles.stunts import Evade, Weave, check_weave, find_most, preview_control
from ..world.economy import MINOR, SIGNIFICANT
from .worth import count_chance

Submission = tuple[str, Command]
GAP = 20.0  # meters that a pursuer keeps
SHOOTING = RANGE_BANDS["medium"].to_m  # meters within which a driver stops and fights
PATIENCE = 10  # the round from which nobody pursues who is no slower
BOLD, SURE = 0.5, 0.7  # the least chances at which a driver matches a weave, and begins one


def find_driving(state: State, combatant: Combatant, foes: list[Combatant]) -> Submission | None:
    """The next action of a driver, or of who takes the controls; None without a vehicle in control, or if it
    was driven this round."""
    vehicle = machinery.find_driven(state, combatant.id)
    if vehicle is None:
        return take_controls(state, combatant)
    if is_out(vehicle):
        return None
    if not (allows(check_running, state, vehicle) and allows(check_uncontrolled, state, vehicle)):
        return None
    if vehicle.marks.get(PURSUES):
        return pursue(state, combatant, vehicle)
    if is_hunted(state, vehicle, foes):
        return shake_off(state, combatant, vehicle) or flee(state, combatant, vehicle)
    if quarry := find_quarry(state, vehicle, foes):
        return chase(state, combatant, vehicle, quarry)
    if SHAKEN_OFF in vehicle.marks and was_shaken_off(state, vehicle):  # the hunt goes on in the next round
        return flee(state, combatant, vehicle)
    has_escaped = all(is_far(vehicle, foe) and not is_ahead(vehicle, foe) for foe in foes)
    return (flee if has_escaped else brake)(state, combatant, vehicle)


def take_controls(state: State, combatant: Combatant) -> Submission | None:
    """Push a driver who cannot act aside: else the vehicle goes on out of control. [CE-VEH-08]

    Neither animals nor drones do.
    """
    vehicle = machinery.find_vehicle(state, combatant.id)
    if vehicle is None or machinery.find_speed(state, vehicle) <= 0 or not combatant.budget.get(MINOR, 0):
        return None
    is_able = combatant.sheet["kind"] in (PERSON, ROBOT) and not machinery.is_drone(combatant)
    can_drive = is_able and allows(check_running, state, vehicle)
    if not can_drive or not allows(check_place, state, vehicle, combatant.id, machinery.DRIVER):
        return None
    return "change_place", Change(actor=combatant.id, station="driver")


def was_shaken_off(state: State, vehicle: Combatant) -> bool:
    """Whether a pursuer did not match a weave in this round. [CE-VACT-25]"""
    return str(vehicle.marks.get(SHAKEN_OFF, "")).startswith(f"{state.round}:")


def brake(state: State, combatant: Combatant, vehicle: Combatant) -> Submission | None:
    """Stop to fight: while everyone keeps their speed, no one gets away. [CE-VEH-05]"""
    return steer(combatant, 0) if machinery.find_speed(state, vehicle) > 0 else None


def steer(combatant: Combatant, speed: int) -> Submission | None:
    """Keep a course with the minor action, or with what the significant one is given up for. [CE-VEH-05]"""
    left = combatant.budget
    if not (left.get(MINOR, 0) or left.get(SIGNIFICANT, 0)):
        return None
    return "drive", Drive(actor=combatant.id, speed=speed)


def is_far(vehicle: Combatant, foe: Combatant) -> bool:
    """Whether someone is too far to stop and fight."""
    return distance(*nearest(vehicle, foe)) > SHOOTING


def is_ahead(vehicle: Combatant, other: Combatant) -> bool:
    """Whether someone is before the nose of a vehicle."""
    return turn_between(angle_off_nose(vehicle, other.at), 0) <= HALF_ARC


def is_after(state: State, vehicle: Combatant, other: Combatant) -> bool:
    """Whether a vehicle drives towards someone."""
    return machinery.find_speed(state, vehicle) > 0 and is_ahead(vehicle, other)


# ---------------------------------------------------------------- pursuing


def find_quarry(state: State, vehicle: Combatant, foes: list[Combatant]) -> Combatant | None:
    """An enemy who drives away, ahead or too far to fight, and slow enough to catch. [CE-VEH-06]"""
    for foe in foes:
        if not is_vehicle(foe) or machinery.find_speed(state, foe) <= 0 or is_after(state, foe, vehicle):
            continue
        is_away = is_far(vehicle, foe) or is_after(state, vehicle, foe)
        if is_away and can_catch(state, vehicle, foe) and not was_shaken_off(state, vehicle):
            return foe
    return None


def can_catch(state: State, vehicle: Combatant, quarry: Combatant) -> bool:
    """Whether a pursuer is fast enough; after some rounds, only one who is faster goes on."""
    own, theirs = machinery.find_top_speed(state, vehicle), machinery.find_speed(state, quarry)
    return own > theirs or (own == theirs and state.round < PATIENCE)


def chase(state: State, combatant: Combatant, vehicle: Combatant, quarry: Combatant) -> Submission | None:
    """Drive after the quarry, as near as the speed allows. [CE-VEH-06]"""
    if not combatant.budget.get(SIGNIFICANT, 0):
        return None
    most = machinery.count_round_meters(machinery.find_top_speed(state, vehicle))
    meters = max(0.0, min(most, plan_distance(*nearest(vehicle, quarry)) - GAP))
    goal = towards(vehicle.at, quarry.at, meters)
    has_room = meters > 1 and allows(check_room, state, vehicle, goal, SQUARE_METERS)
    to = f"{goal.x:.1f},{goal.y:.1f}" if has_room else ""
    speed = None if to else min(round(machinery.find_speed(state, quarry)), int(most))
    if not find_option(state, "use_chases"):
        return "drive", Drive(actor=combatant.id, why="obstacles", to=to, speed=speed)
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
    if machinery.find_speed(state, quarry) <= 0:
        return brake(state, combatant, vehicle)
    if not can_catch(state, vehicle, quarry):
        return "break_off", Command(actor=combatant.id)
    return chase(state, combatant, vehicle, quarry)


def _has_fight_left(state: State, quarry: Combatant) -> bool:
    """Whether someone fights on: a person, or those in a vehicle that may no longer work."""
    fights = machinery.has_fighters if is_vehicle(quarry) else machinery.can_fight
    return fights(state, quarry)


# ---------------------------------------------------------------- escaping


def is_hunted(state: State, vehicle: Combatant, foes: list[Combatant]) -> bool:
    """Whether someone who moves pursues a vehicle, or follows it while it drives away."""
    after = (f for f in present(state) if f.marks.get(PURSUES) == vehicle.id)
    if any(machinery.find_speed(state, pursuer) > 0 for pursuer in after):
        return True
    if machinery.find_speed(state, vehicle) <= 0:
        return False
    return any(is_vehicle(f) and is_after(state, f, vehicle) and not is_ahead(vehicle, f) for f in foes)


def shake_off(state: State, combatant: Combatant, vehicle: Combatant) -> Submission | None:
    """Weave between obstacles with the highest number likely to succeed [CE-VACT-20]; without obstacles, take
    evasive action. [CE-VACT-03]"""
    if not combatant.budget.get(SIGNIFICANT, 0) or machinery.find_speed(state, vehicle) <= 0:
        return None
    if allows(check_weave, state, Weave(actor=combatant.id, number=1)):
        for number in range(find_most(state, vehicle), 0, -1):
            weave = Weave(actor=combatant.id, number=number)
            if find_chance(state, weave) >= SURE:
                return "weave", weave
    speed = find_flight(state, vehicle)
    if not speed:
        return None
    return "evade", Evade(actor=combatant.id, speed=speed)


def flee(state: State, combatant: Combatant, vehicle: Combatant) -> Submission | None:
    """Drive on, straight ahead. [CE-VEH-05]"""
    speed = find_flight(state, vehicle)
    return steer(combatant, speed) if speed else brake(state, combatant, vehicle)


def find_flight(state: State, vehicle: Combatant) -> int:
    """The speed of a flight, in km/h: the highest if nothing is in the way, or that of now; else 0."""
    for kph in (machinery.find_top_speed(state, vehicle), machinery.find_speed(state, vehicle)):
        goal = move_ahead(vehicle, machinery.count_round_meters(int(kph)))
        if stop_before(state, vehicle, goal, ANYTHING) == goal:
            return int(kph)
    return 0


def find_chance(state: State, command: Command) -> float:
    """The chance of a check at the controls."""
    return count_chance(add_up(preview_control(state, command).modifiers))
