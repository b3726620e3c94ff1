"""Collisions: the damage to the target, to the vehicle, and to everyone inside."""

from __future__ import annotations

import math

import msgspec

from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Field, number_field
from combat.rules.core.commands.context import Apart, RuleContext, Then
from combat.rules.core.gm.decisions import Target, overrule
from combat.rules.core.map.moving import Course
from combat.rules.core.passengers import find_aboard
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State
from combat.rules.core.turn.turns import is_shared

from ..body.damage import find_cuts, wound
from ..body.hits import Hit, Onward, chain, put_off
from ..body.machines import can_explode, machine_cuts
from ..body.moving import MOVER
from ..book.options import find_option
from ..characters import machinery
from ..characters.conditions import is_busy, is_held, is_scrap
from ..characters.values import find_full, is_machine, is_vehicle
from ..world.acting import gm
from ..world.order import mark
from .driving import find_course, find_facing, move_ahead
from .fields import FACINGS, any_vehicle, choose, find_vehicles

KPH_A_DIE, THROWN_METERS, SECURED_SHARE, SOLID_SHARE = 10, 3, 4, 4
MAX_DICE = 100
HIGHEST = 10_000  # no dice reach them
Belted = tuple[tuple[str, bool], ...]  # people, and whether each is strapped in

FASTEST = 100_000  # km/h
NAMED = {option.value for option in FACINGS}


def count_dice(state: State, kph: float) -> int:
    """A die for every 10 km/h, rounded up; the table may cap what counts. [CE-COLL-02]  RULING R27"""
    cap = int(find_option(state, "collision_speed_cap"))
    counted = min(kph, cap) if cap else kph
    return min(MAX_DICE, math.ceil(round(counted, 3) / KPH_A_DIE))


def impact_speed_of(state: State, vehicle: Combatant, struck: Combatant | None) -> float:
    """The speed of two towards each other, in km/h; head-on it is the sum of both.  RULING R27"""
    return closing_speed(state, machinery.find_speed(state, vehicle), find_facing(vehicle), struck)


def closing_speed(state: State, own: float, facing: float, struck: Combatant | None) -> float:
    """The same for a speed in km/h and a direction in degrees clockwise from the top."""
    if struck is None or not is_machine(struck):
        return own
    other = machinery.find_speed(state, struck)
    turn = math.radians(find_facing(struck) - facing)
    return math.hypot(own - other * math.cos(turn), other * math.sin(turn))


def is_solid(vehicle: Combatant, struck: Combatant) -> bool:
    """Whether the target damages the vehicle as well: with at least a quarter of its Hull or its Structure.
    [CE-COLL-04] People never do.  RULING R27"""
    if not is_machine(struck):
        return False
    keys = [key for key in ("hull", "structure") if find_full(vehicle, key) > 0]
    return any(SOLID_SHARE * find_full(struck, key) >= find_full(vehicle, key) for key in keys)


class Collided(msgspec.Struct, frozen=True, tag=True):
    """A collision after its roll: the victims, in order, and the number of dice."""

    victims: tuple[str, ...]
    roll: Roll
    dice: int


def take_collision(context: RuleContext, collided: Collided, onward: Onward = ()) -> Then | None:
    """Apply a collision: at once, or [CE-ROUND-05] at the end of a shared count.  RULING R33"""
    return Then(hurt_next, collided.victims, collided.roll, collided.dice, onward)


def collide(
    context: RuleContext,
    vehicle: str,
    struck: str,
    speed: float,
    solid: bool,
    waits: bool = True,
    onward: Onward = (),
) -> Then | None:
    """Roll once for everyone in a collision: the target, the vehicle and those inside. [CE-COLL-01]

    It `waits` for the end of a shared count, unless the GM calls it.
    """
    dice = count_dice(context.state, speed)
    if dice < 1:
        return None
    told = e.Said("log.collides_with" if struck else "log.crashes", vehicle, struck)
    context.emit(told, "CE-COLL-01")
    victims = (*((struck,) if struck else ()), *((vehicle,) if solid else ()))
    waits = waits and is_shared(context.state)
    cuts = () if waits else collision_cuts(context.state, victims)
    roll = context.roll(f"{dice}d6", by=vehicle, rule="CE-COLL-02", why="roll.collision", cuts=cuts)
    if solid:
        mark(context, vehicle, machinery.SPEED, value=None, rule="CE-COLL-01")
    collided = Collided(victims, roll, dice)
    if waits:
        put_off(context, vehicle, collided)
        return chain(None, onward)
    return take_collision(context, collided, onward)


def collision_cuts(state: State, victims: tuple[str, ...]) -> tuple[int, ...]:
    """The sums of the dice at which someone starts to end up differently; all, if someone is busy with a task
    that a wound may disturb."""
    cuts: set[int] = set()
    for who in victims:
        inside = find_belted(state, who) if is_machine(state[who]) else ()
        for each, secured in ((who, False), *inside):
            if is_busy(state[each]):
                return ()
            cuts |= {cut * (SECURED_SHARE if secured else 1) for cut in _find_own_cuts(state, each)}
    return tuple(sorted(cut for cut in cuts if cut > 0)) or (HIGHEST,)


def _find_own_cuts(state: State, who: str) -> tuple[int, ...]:
    """The points, before armor, at which a collision starts to have another result for one victim."""
    ap = 0 if find_option(state, "collision_armor") else HIGHEST
    if is_machine(state[who]):
        return machine_cuts(state, who, ap)
    return find_cuts(state[who], ap=ap)


def hurt_next(
    context: RuleContext, victims: tuple[str, ...], roll: Roll, dice: int, onward: Onward
) -> Then | None:
    """Damage the next victim, and then those inside it if it is a vehicle."""
    if not victims:
        return chain(None, onward)
    who, left = victims[0], victims[1:]
    next_one: Onward = (hurt_next, left, roll, dice, onward)
    more = _may_explode(context.state, left, roll)
    if is_machine(context.state[who]):
        aboard = find_belted(context.state, who)
        next_one = (shake, who, left, roll, dice, next_one, aboard)
        more = more or any(is_machine(context.state[rider]) for rider, _ in aboard)
    return wound(context, make_hit(context.state, who, roll.total, roll), next_one, more)


def find_belted(state: State, vehicle: str) -> Belted:
    """Those inside a vehicle, and whether each is strapped in."""
    riders = find_aboard(state, vehicle)
    return tuple((rider.id, bool(rider.marks.get(machinery.SECURED))) for rider in riders)


def make_hit(state: State, who: str, points: int, roll: Roll | None) -> Hit:
    """The damage as rolled, without Effect; armor counts, except by table option. [CE-COLL-03]  RULING R27"""
    armored = bool(find_option(state, "collision_armor"))
    return Hit(
        target=who, dice_total=points, rule="CE-COLL-03", why="why.collision", roll=roll, armored=armored
    )


def shake(
    context: RuleContext,
    vehicle: str,
    left: tuple[str, ...],
    roll: Roll,
    dice: int,
    onward: Onward,
    aboard: Belted,
) -> Then | None:
    """Shake those inside a damaged vehicle, one after the other; those who were `aboard` at the collision,
    even if it has exploded since. `left` are the victims still to come.  [CE-COLL-05]"""
    hull = context.state[vehicle]
    armor = hull.tracks.get("armor", 0) if find_option(context.state, "collision_armor") else 0
    if roll.total <= armor and not is_scrap(hull):
        return chain(None, onward)
    then = Then(shake_next, aboard, vehicle, roll, dice, onward)
    return _settle(context.state, (vehicle,), left, roll=roll, then=then)


def _settle(state: State, done: tuple[str, ...], left: tuple[str, ...], roll: Roll, then: Then) -> Then:
    """Go on without those who are done: their fate affects no one else, unless something may explode or
    someone holds another."""
    if _may_explode(state, left, roll) or any(is_held(combatant) for combatant in state.combatants.values()):
        return then
    return Then(then.step, *then.args, apart=Apart(dict.fromkeys(done), then))


def _may_explode(state: State, who: tuple[str, ...], roll: Roll) -> bool:
    """Whether a collision may blow up any of these."""
    return any(can_explode(state, state[each], roll.total) for each in who)


def shake_next(
    context: RuleContext,
    people: Belted,
    vehicle: str,
    roll: Roll,
    dice: int,
    onward: Onward,
    shaken: tuple[str, ...] = (),
) -> Then | None:
    """Shake the next person: without a belt they take all the damage and are thrown [CE-COLL-05]; with one
    they take a quarter, rounded down [CE-COLL-08], and stay in place. [CE-COLL-07]"""
    if not people:
        then = chain(None, onward)
        left = onward[1] if onward[:1] == (hurt_next,) else ()
        return _settle(context.state, shaken, left, roll=roll, then=then) if then and left else then
    (who, secured), left = people[0], people[1:]
    points = roll.total // SECURED_SHARE if secured else roll.total
    if not secured and context.state[who].inside == vehicle:
        throw_out(context, who, vehicle, dice)
    hit = make_hit(context.state, who, points, None if secured else roll)
    return wound(context, hit, (shake_next, left, vehicle, roll, dice, onward, (*shaken, who)))


def throw_out(context: RuleContext, who: str, vehicle: str, dice: int) -> None:
    """Throw someone out of an open vehicle, 3 m for each die, no farther than the next wall; a closed one
    keeps them inside. [CE-COLL-06]"""
    if not is_vehicle(context.state[who]):
        goal = move_ahead(context.state[vehicle], float(THROWN_METERS * dice))
        path = (context.state[who].at, goal)
        MOVER.carry(context, Course(who, path, "throw", "CE-COLL-06", "how.is_thrown"))


# What the GM says about vehicles: their speed, their direction, their collisions.


class SetMotion(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The speed of a vehicle in km/h, and its direction in degrees clockwise from the top."""

    speed: int = 0
    facing: int = 0


class Crash(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A vehicle runs into a combatant (`struck`) or something else at a speed in km/h; `solid` things damage
    it."""

    struck: str = ""
    speed: int = 50
    solid: bool = True


def check_vehicle(state: State, who: str) -> Combatant:
    """Refuse anything but a vehicle."""
    if not is_vehicle(state[who]):
        raise Refused("bad_target", f"{state[who].name} is no vehicle: choose one.")
    return state[who]


def set_motion(context: RuleContext, command: SetMotion) -> None:
    """Set a vehicle's speed and direction. [CE-VEH-02]"""
    vehicle = check_speed(context.state, command.target, command.speed)
    overrule(context, "gm.motion", command, command.target, n=command.speed, facing=command.facing % 360)
    mark(context, vehicle.id, machinery.SPEED, value=command.speed or None, rule="CE-VEH-04")
    mark(context, vehicle.id, machinery.FACING, value=command.facing % 360, rule="CE-VEH-02")


def check_speed(state: State, who: str, speed: int) -> Combatant:
    """Refuse a speed that a vehicle cannot have now."""
    vehicle = check_vehicle(state, who)
    top = machinery.find_top_speed(state, vehicle)
    if not 0 <= speed <= top:
        raise Refused("bad_value", f"{vehicle.name} goes 0 to {top:g} km/h now, not {speed}.")
    return vehicle


def find_top_speed(combatant: Combatant) -> int:
    """The top speed of an undamaged vehicle in km/h; 0 for all others."""
    return int(combatant.sheet.get("speed_kph", 0)) if is_vehicle(combatant) else 0


def set_off(context: RuleContext, who: str, speed: int) -> None:
    """Let a vehicle begin at a speed: it faces along its road as the fight begins. [CE-VEH-04]"""
    vehicle = check_speed(context.state, who, speed)
    mark(context, vehicle.id, machinery.SPEED, value=speed or None, rule="CE-VEH-04")


def crash(context: RuleContext, command: Crash) -> Then | None:
    """Let a vehicle collide: with what, how fast, and whether that is solid. [CE-COLL-04]"""
    vehicle = check_vehicle(context.state, command.target)
    if command.struck == vehicle.id or (command.struck and context.state[command.struck].inside):
        raise Refused("bad_target", "Choose something else that it runs into, or nobody.")
    if not 1 <= command.speed <= FASTEST:
        raise Refused("bad_value", f"Speed: 1 to {FASTEST} km/h.")
    return collide(
        context, vehicle.id, command.struck, speed=float(command.speed), solid=command.solid, waits=False
    )


def motion_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The vehicle, its speed, and its direction."""
    vehicles = find_vehicles(state)
    now = str(round(find_course(state, vehicles[0]))) if vehicles else "0"
    return (
        choose(state, "target", "Vehicle", vehicles),
        number_field("speed", "Speed, km/h", 0, low=0, high=100_000, rule="CE-VEH-04"),
        Field(
            "facing",
            "Facing",
            "choice",
            options=FACINGS,
            value=now if now in NAMED else "0",
            rule="CE-VEH-02",
        ),
    )


ACTIONS = (gm("set_motion", set_motion, any_vehicle, fields=motion_fields),)
