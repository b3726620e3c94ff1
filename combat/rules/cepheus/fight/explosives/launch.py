"""Explosives on their way: grenades thrown or launched, rockets, and the landing after a miss."""

from __future__ import annotations

import math

import msgspec

from combat.rules.core.basics.modifiers import Modifiers, add_up
from combat.rules.core.basics.words import Args, Label, say
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.space import Point, map_of, on_ground, plan_distance
from combat.rules.core.space.rays.hands import stop_flight
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, find_item, replace

from ...body.hits import Onward, chain
from ...book.options import find_option
from ...book.records import Grenade, Weapon
from ...book.tables import find_burst
from ...characters.conditions import is_dead
from ...characters.machinery import find_shared_shell
from ...dice.focus import use_aim
from ...dice.rolls import find_cuts, roll_blind, roll_terms
from ...vehicles.gunnery import note_shot
from ...world.bands import EDGE, measure
from ...world.blast_areas import is_open_to
from ...world.economy import pay_significant
from ...world.sight_lines import find_grid
from ..aim import Attack, Sight, burst_terms, modifiers_for_attack
from ..clouds import raise_cloud
from ..shots import add_dice, aerosol_terms, fire, is_halved, kill_terms
from ..weapons import find_load
from .blasts import Blast, Rings, explode, find_rings, is_shut_in

SCATTER = 6  # meters, less the Effect
COMPASS = ("east", "northeast", "north", "northwest", "west", "southwest", "south", "southeast")
EXPLODES_FROM = 4  # on 1D6, for a rocket that misses
FREE, STOPPED, BACK = "log.scatters", "log.scatters_to_wall", "log.scatters_back"
NO_FARTHER = "log.scatters_nowhere"


class Flight(msgspec.Struct, frozen=True, kw_only=True):
    """An explosive on its way: from where to where, and its effect there.

    Without a `target` the aim is a place. A throw or shot `inside` a closed vehicle (its id) stays in it. A
    beam beyond Distant range has its damage `halved`. Without rings it raises a `cloud`.
    """

    by: str
    target: str
    start: Point
    aimed_at: Point
    weapon: Label
    cloud: Grenade | None = None
    terms: Modifiers
    rings: Rings
    stuns: bool = False
    fails: bool = False
    halved: bool = False
    inside: str = ""
    is_blind: bool = False


class Thrown(msgspec.Struct, frozen=True, kw_only=True):
    """A thrown weapon, by its id: its starting place, and its landing place on a hit."""

    by: str
    item: str
    start: Point
    aimed_at: Point


def find_thrown(state: State, sight: Sight) -> Thrown | None:
    """The thrown weapon that a miss may carry elsewhere; None if it is not thrown. [CE-THROW-01]

    RULING R97: inside a closed vehicle it stays there.
    """
    who, target = sight.combatant, sight.target
    if sight.mode != "thrown" or find_shared_shell(state, who, target):
        return None
    return Thrown(by=who.id, item=sight.item.id, start=who.at, aimed_at=target.at)


def find_payload(sight: Sight) -> Grenade | None:
    """The grenade that is thrown, or that is loaded in a launcher."""
    if isinstance(sight.arm, Grenade):
        return sight.arm
    return find_load(sight.item)


def is_explosive(sight: Sight) -> bool:
    """Whether the effect of a weapon comes after the impact. [CE-THROW-02]"""
    return find_payload(sight) is not None or bool(sight.arm.radius_m and sight.mode == "ranged")


def launch(context: RuleContext, command: Attack, sight: Sight) -> Then:
    """Launch as a significant action; the target can dodge only the blast, not the throw. [CE-THROW-02]
    RULING R19"""
    terms = modifiers_for_flight(context.state, command, sight)
    return let_fly(context, make_flight(context.state, command, sight, terms), sight)


def modifiers_for_flight(state: State, command: Attack, sight: Sight) -> Modifiers:
    """The DMs of an explosive at someone: one that is fired has that of firing into combat [CE-INTO-01], one
    that is thrown has not.  RULING R34"""
    burst = burst_terms(sight, command.burst)
    return modifiers_for_attack(state, command, sight, *burst, alone=sight.mode == "thrown")


def let_fly(context: RuleContext, flight: Flight, sight: Sight) -> Then:
    """Pay for it, let go of it, and roll where it lands."""
    pay_significant(context, flight.by, "Attack", "CE-ATK-01")
    use_aim(context, flight.by)
    let_go(context, sight)
    back = find_back_blast(context.state, sight)
    return Then(explode, back, (fly, flight)) if back else Then(fly, flight)


def make_flight(state: State, command: Attack, sight: Sight, terms: Modifiers) -> Flight:
    """The flight of an explosive once it is thrown or fired; aerosol on the way weakens a laser. [CE-COND-06]

    [CE-XRANGE-08] Half the damage for energy weapons at extreme range.
    """
    payload = find_payload(sight)
    rings = find_rings(payload or sight.arm)
    more = find_burst(sight.rounds).extra_damage if command.burst == "grouped" else "0"
    added = add_up((*kill_terms(state, sight), *aerosol_terms(state, sight)))
    return Flight(
        by=command.actor,
        target=command.target,
        start=sight.combatant.at,
        aimed_at=sight.target.at,
        weapon=payload.name if payload else sight.item.name,
        cloud=payload if payload and not rings else None,
        terms=terms,
        rings=tuple((to_m, add_dice(add_dice(dice, more), str(added))) for to_m, dice in rings),
        stuns=bool(payload and payload.stuns),
        fails=payload is None,
        halved=is_halved(sight),
        inside=find_shared_shell(state, sight.combatant, sight.target),
    )


def let_go(context: RuleContext, sight: Sight) -> None:
    """Take the grenade from the thrower, or the round from the launcher. Out of a closed vehicle both are
    fire into an arc. [CE-VEH-12]"""
    who = sight.combatant.id
    if sight.mode != "thrown":
        fire(context, sight, sight.rounds)
        return
    note_shot(context, who, sight.item, sight.target)
    item = find_item(context.state[who], sight.item.id)
    if item.count > 1:
        context.emit(e.ItemChanged(who, replace(item, count=item.count - 1), "how.throws"), "CE-THROW-02")
    else:
        context.emit(e.ItemLost(who, replace(item, place="spent", count=1), "how.throws"), "CE-THROW-02")


# ---------------------------------------------------------------- back blast


def find_back_blast(state: State, sight: Sight) -> Blast | None:
    """The blast behind a launcher; None if no one stands there."""
    arm = sight.arm
    if not isinstance(arm, Weapon) or not arm.back_blast:
        return None
    behind = tuple(f.id for f in state.combatants.values() if _is_behind(state, sight, f, arm.back_blast_m))
    if not behind:
        return None
    rings = ((arm.back_blast_m, arm.back_blast),)
    return Blast(
        by=sight.combatant.id, at=sight.combatant.at, weapon="term.back_blast", rings=rings, only=behind
    )


def _is_behind(state: State, sight: Sight, other: Combatant, meters: float) -> bool:
    combatant, target = sight.combatant, sight.target
    if other.id == combatant.id or other.gone or is_shut_in(state, other) or is_dead(other):
        return False
    way = (target.at.x - combatant.at.x) * (other.at.x - combatant.at.x)
    way += (target.at.y - combatant.at.y) * (other.at.y - combatant.at.y)
    near = way < 0 and measure(state, combatant.at, other.at) <= meters + EDGE
    return near and is_open_to(state, combatant.at, other)


# ---------------------------------------------------------------- landing


def fly(context: RuleContext, flight: Flight, onward: Onward = ()) -> Then | None:
    """Roll to hit, which only decides where it lands. [CE-THROW-04]"""
    effect = roll_flight(context, flight)
    if effect >= 0:
        return Then(come_down, flight, flight.aimed_at, onward)
    return Then(scatter, flight, effect, onward)


def roll_flight(context: RuleContext, flight: Flight) -> int:
    """Roll for where it lands, blindly or not; returns the Effect."""
    if flight.is_blind:
        return roll_blind(context, flight.by, flight.terms, target=flight.target, why=name_flight(flight))
    return roll_terms(
        context,
        flight.by,
        flight.terms,
        what="check.attack",
        rule="CE-ATK-09",
        target=flight.target,
        why=name_flight(flight),
        cuts=find_cuts(flight.terms, "all"),
        outcomes=("outcome.hit", "outcome.miss"),
    )


def name_flight(flight: Flight) -> Label:
    """The label of what is aimed at: a target, or a place that may be empty."""
    if not flight.target:
        return say("roll.lob", item=flight.weapon)
    return say("roll.attack", item=flight.weapon, target=flight.target)


def scatter(context: RuleContext, flight: Flight, effect: int, onward: Onward) -> Then | None:
    """Move a miss elsewhere, in any of eight directions; a rocket that misses explodes on 4 or more on 1D6.
    [CE-THROW-05]  RULING R22. RULING R97: inside a closed vehicle it stays there."""
    if flight.fails:
        roll = context.roll(
            "1d6", by=flight.by, rule="CE-THROW-05", why="roll.goes_off", cuts=(EXPLODES_FROM,)
        )
        if roll.total < EXPLODES_FROM:
            context.emit(e.Said("log.no_explosion", args={"item": flight.weapon}), "CE-THROW-05")
            return chain(None, onward)
    if flight.inside:
        return Then(come_down, flight, flight.aimed_at, onward)
    at = drift(context, flight, flight.weapon, effect)
    return Then(come_down, flight, at, onward)


def scatter_thrown(context: RuleContext, thrown: Thrown, effect: int, onward: Onward = ()) -> Then | None:
    """Move a thrown weapon that hits no one; the odds ignore where. [CE-THROW-05]  RULING R22"""
    item = next((item for item in context.state.ground if item.id == thrown.item), None)
    if item is not None:
        at = drift(context, thrown, item.name, effect, cuts=(len(COMPASS) + 1,))
        context.emit(e.ItemLost(thrown.by, replace(item, at=at)), "CE-THROW-06")
    return chain(None, onward)


def drift(
    context: RuleContext, what: Flight | Thrown, name: Label, effect: int, cuts: tuple[int, ...] = ()
) -> Point:
    """The landing place of a miss, in any of eight directions. [CE-THROW-06]  RULING R22"""
    meters = count_scatter(context.state, effect)
    roll = context.roll("1d8", by=what.by, rule="CE-THROW-05", why="roll.scatter", cuts=cuts)
    way = COMPASS[roll.total - 1]
    at, key = find_landing(context.state, what, way, meters)
    far = meters if key == FREE else round(plan_distance(what.aimed_at, at), 1)
    told: Args = {"item": name, "metres": far, "way": f"compass.{way}"}
    context.emit(e.Said(key, what.by if key == BACK else "", args=told), "CE-THROW-06")
    return at


def count_scatter(state: State, effect: int) -> int:
    """The distance of a miss: 6 - Effect meters; the Effect of a miss is negative. [CE-THROW-06]
    RULING R22"""
    if find_option(state, "scatter") == "six_plus_effect":
        return max(0, SCATTER + effect)
    return SCATTER - effect


def find_landing(state: State, what: Flight | Thrown, way: str, meters: int) -> tuple[Point, str]:
    """The landing place of a miss, on the ground, and its line of the log: at a wall in its way at the
    farthest; at the thrower's feet, never behind.  RULING R22"""
    angle = math.pi / 4 * COMPASS.index(way)
    aimed, start = what.aimed_at, what.start
    at = Point(
        round(aimed.x + meters * math.cos(angle), 3), round(aimed.y - meters * math.sin(angle), 3), aimed.z
    )
    ahead = (at.x - start.x) * (aimed.x - start.x) + (at.y - start.y) * (aimed.y - start.y)
    if ahead <= 0:
        return start, BACK
    free = stop_flight(map_of(state.scene), find_grid(state), start, at)
    key = FREE if free == at else STOPPED if round(plan_distance(aimed, free), 1) else NO_FARTHER
    return on_ground(state.scene, free), key


def come_down(context: RuleContext, flight: Flight, at: Point, onward: Onward) -> Then | None:
    """Explode, or make smoke."""
    if flight.cloud:
        return raise_cloud(context, flight.by, flight.cloud, at=at, onward=onward)
    blast = Blast(
        by=flight.by,
        at=at,
        weapon=flight.weapon,
        rings=flight.rings,
        stuns=flight.stuns,
        halved=flight.halved,
        alone=not onward,
        inside=flight.inside,
    )
    return explode(context, blast, onward)
