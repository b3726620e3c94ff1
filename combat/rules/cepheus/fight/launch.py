"""What explodes where it comes down: grenades thrown or launched, rockets, and where a miss goes."""

from __future__ import annotations

import math

import msgspec

from combat.rules.core.basics.modifiers import Modifiers
from combat.rules.core.basics.words import Args, Label, say
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.space import Point, map_of
from combat.rules.core.space.hands import stop_flight
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, find_item, has_condition, replace

from ..body.hits import Onward, chain
from ..book.options import find_option
from ..book.records import Grenade, Weapon
from ..book.tables import find_burst
from ..dice.focus import use_aim
from ..dice.rolls import find_cuts, roll_blind, roll_terms
from ..people.machinery import find_shared_shell
from ..world.areas import is_open_to
from ..world.bands import EDGE, measure
from ..world.economy import pay_significant
from ..world.lines import find_grid
from .aim import Attack, Sight, burst_terms, modifiers_for_attack
from .blasts import Blast, Rings, explode, find_rings
from .clouds import raise_cloud
from .shots import add_dice, fire, kill_terms
from .weapons import find_load

SCATTER = 6  # metres, less the Effect
COMPASS = ("east", "northeast", "north", "northwest", "west", "southwest", "south", "southeast")
EXPLODES_FROM = 4  # on 1D6, for a rocket that misses


class Flight(msgspec.Struct, frozen=True, kw_only=True):
    """Something explosive on its way: from where to where, what it does there.

    Without a `target` it is a place that is aimed at. What is thrown or fired `inside` a closed vehicle, by
    its id, stays in it.
    """

    by: str
    target: str
    start: Point
    aimed_at: Point
    weapon: Label
    load: str = ""
    terms: Modifiers
    rings: Rings
    stuns: bool = False
    fails: bool = False
    inside: str = ""
    is_blind: bool = False


class Thrown(msgspec.Struct, frozen=True, kw_only=True):
    """A weapon that was thrown, by its id: where it came from, and where it lies if it hits."""

    by: str
    item: str
    start: Point
    aimed_at: Point


def find_thrown(state: State, sight: Sight) -> Thrown | None:
    """[CE-THROW-01] What may come down elsewhere, if something is thrown.

    RULING R97: inside a closed vehicle it has nowhere else to go.
    """
    who, target = sight.fighter, sight.target
    if sight.mode != "thrown" or find_shared_shell(state, who, target):
        return None
    return Thrown(by=who.id, item=sight.item.id, start=who.at, aimed_at=target.at)


def find_payload(sight: Sight) -> Grenade | None:
    """The grenade that is thrown, or that a launcher has loaded."""
    if isinstance(sight.arm, Grenade):
        return sight.arm
    return find_load(sight.item)


def is_explosive(sight: Sight) -> bool:
    """[CE-THROW-02] Whether it is what comes after the impact that counts."""
    return find_payload(sight) is not None or bool(sight.arm.radius_m and sight.mode == "ranged")


def launch(context: RuleContext, command: Attack, sight: Sight) -> Then:
    """[CE-THROW-02] A significant action; nobody dodges the throw, only the blast.  RULING R19"""
    terms = modifiers_for_attack(
        context.state, command, sight, *burst_terms(sight, command.burst), alone=True
    )
    return let_fly(context, make_flight(context.state, command, sight, terms), sight)


def let_fly(context: RuleContext, flight: Flight, sight: Sight) -> Then:
    """Pay for it, let go of it, and see where it comes down."""
    pay_significant(context, flight.by, "Attack", "CE-ATK-01")
    use_aim(context, flight.by)
    let_go(context, sight)
    back = find_back_blast(context.state, sight)
    return Then(explode, back, (fly, flight)) if back else Then(fly, flight)


def make_flight(state: State, command: Attack, sight: Sight, terms: Modifiers) -> Flight:
    """What is under way once it is thrown or fired."""
    payload = find_payload(sight)
    rings = find_rings(payload or sight.arm)
    more = find_burst(sight.rounds).extra_damage if command.burst == "grouped" else "0"
    kill = sum(term.value for term in kill_terms(state, sight))
    return Flight(
        by=command.actor,
        target=command.target,
        start=sight.fighter.at,
        aimed_at=sight.target.at,
        weapon=payload.name if payload else sight.item.name,
        load=payload.id if payload else "",
        terms=terms,
        rings=tuple((to_m, add_dice(add_dice(dice, more), str(kill))) for to_m, dice in rings),
        stuns=bool(payload and payload.stuns),
        fails=payload is None,
        inside=find_shared_shell(state, sight.fighter, sight.target),
    )


def let_go(context: RuleContext, sight: Sight) -> None:
    """The grenade is gone, or the round out of the launcher."""
    who = sight.fighter.id
    if sight.mode != "thrown":
        fire(context, sight, sight.rounds)
        return
    item = find_item(context.state[who], sight.item.id)
    if item.count > 1:
        context.emit(e.ItemChanged(who, replace(item, count=item.count - 1), "how.throws"), "CE-THROW-02")
    else:
        context.emit(e.ItemLost(who, replace(item, place="spent", count=1), "how.throws"), "CE-THROW-02")


# ---------------------------------------------------------------- back blast


def find_back_blast(state: State, sight: Sight) -> Blast | None:
    """What a launcher does to those right behind it; None if nobody stands there."""
    arm = sight.arm
    if not isinstance(arm, Weapon) or not arm.back_blast:
        return None
    behind = tuple(f.id for f in state.combatants.values() if _is_behind(state, sight, f, arm.back_blast_m))
    if not behind:
        return None
    rings = ((arm.back_blast_m, arm.back_blast),)
    return Blast(by=sight.fighter.id, at=sight.fighter.at, weapon="term.back_blast", rings=rings, only=behind)


def _is_behind(state: State, sight: Sight, other: Combatant, metres: float) -> bool:
    fighter, target = sight.fighter, sight.target
    if other.id == fighter.id or other.gone or other.inside or has_condition(other, "dead"):
        return False
    way = (target.at.x - fighter.at.x) * (other.at.x - fighter.at.x)
    way += (target.at.y - fighter.at.y) * (other.at.y - fighter.at.y)
    near = way < 0 and measure(state, fighter.at, other.at) <= metres + EDGE
    return near and is_open_to(state, fighter.at, other)


# ---------------------------------------------------------------- coming down


def fly(context: RuleContext, flight: Flight, onward: Onward = ()) -> Then | None:
    """[CE-THROW-04] The roll only says where it comes down."""
    effect = roll_flight(context, flight)
    if effect >= 0:
        return Then(come_down, flight, flight.aimed_at, onward)
    return Then(scatter, flight, effect, onward)


def roll_flight(context: RuleContext, flight: Flight) -> int:
    """Roll for where it comes down, blindly or not; returns the Effect."""
    if flight.is_blind:
        return roll_blind(context, flight.by, flight.terms, flight.target, name_flight(flight))
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
    """What is rolled for: a target, or a place where nobody has to be."""
    if not flight.target:
        return say("roll.lob", item=flight.weapon)
    return say("roll.attack", item=flight.weapon, target=flight.target)


def scatter(context: RuleContext, flight: Flight, effect: int, onward: Onward) -> Then | None:
    """[CE-THROW-05] A miss comes down elsewhere, in any of eight directions; a rocket that misses goes
    off on 4 or more on 1D6.  RULING R22. RULING R97: inside a closed vehicle it has nowhere else to go."""
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
    """[CE-THROW-05] A thrown weapon that hits nobody lies elsewhere; odds do not mind where.  RULING R22"""
    item = next((item for item in context.state.ground if item.id == thrown.item), None)
    if item is not None:
        at = drift(context, thrown, item.name, effect, cuts=(len(COMPASS) + 1,))
        context.emit(e.ItemLost(thrown.by, replace(item, at=at)), "CE-THROW-06")
    return chain(None, onward)


def drift(
    context: RuleContext, what: Flight | Thrown, name: Label, effect: int, cuts: tuple[int, ...] = ()
) -> Point:
    """[CE-THROW-06] Where what has missed comes down, in any of eight directions.  RULING R22"""
    metres = count_scatter(context.state, effect)
    roll = context.roll("1d8", by=what.by, rule="CE-THROW-05", why="roll.scatter", cuts=cuts)
    way = COMPASS[roll.total - 1]
    told: Args = {"item": name, "metres": metres, "way": f"compass.{way}"}
    context.emit(e.Said("log.scatters", args=told), "CE-THROW-06")
    return find_landing(context.state, what, way, metres)


def count_scatter(state: State, effect: int) -> int:
    """[CE-THROW-06] 6 - Effect metres, the Effect of a miss being negative.  RULING R22"""
    if find_option(state, "scatter") == "six_plus_effect":
        return max(0, SCATTER + effect)
    return SCATTER - effect


def find_landing(state: State, what: Flight | Thrown, way: str, metres: int) -> Point:
    """Where a miss comes down: before a wall in its way, and never behind the thrower, but at their feet.

    RULING R22
    """
    angle = math.pi / 4 * COMPASS.index(way)
    aimed, start = what.aimed_at, what.start
    at = Point(
        round(aimed.x + metres * math.cos(angle), 3), round(aimed.y - metres * math.sin(angle), 3), aimed.z
    )
    ahead = (at.x - start.x) * (aimed.x - start.x) + (at.y - start.y) * (aimed.y - start.y)
    return stop_flight(map_of(state.scene), find_grid(state), start, at) if ahead > 0 else start


def come_down(context: RuleContext, flight: Flight, at: Point, onward: Onward) -> Then | None:
    """It goes off, or makes smoke."""
    if not flight.rings:
        return raise_cloud(context, flight.by, flight.load, at, onward)
    blast = Blast(
        by=flight.by,
        at=at,
        weapon=flight.weapon,
        rings=flight.rings,
        stuns=flight.stuns,
        alone=not onward,
        inside=flight.inside,
    )
    return explode(context, blast, onward)
