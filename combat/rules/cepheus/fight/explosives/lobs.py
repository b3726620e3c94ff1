"""Grenades, rockets and smoke: thrown or fired at someone or at a place, and the landing after a miss."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable

import msgspec
from msgspec import UNSET

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, why_refused
from combat.rules.core.basics.modifiers import Modifiers, add_up
from combat.rules.core.basics.words import Args, Label, joined, say
from combat.rules.core.commands.commands import Command, Field, Preview, as_command, first_open
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.map.bodies import is_concealed_from, nearest, stand_in
from combat.rules.core.space import (
    EPSILON,
    Point,
    Reach,
    check_goal,
    distance,
    find_across,
    map_of,
    on_ground,
    plan_distance,
    read_points,
    ship_distance,
    squares_around,
    towards,
)
from combat.rules.core.space.rays.area_shapes import Shape
from combat.rules.core.space.rays.sight import go_astray
from combat.rules.core.state import events as e
from combat.rules.core.state.belongings import has_any
from combat.rules.core.state.state import Berth, Combatant, Item, State, find_item, present, replace

from ...body.hits import Onward, chain
from ...book.options import find_option
from ...book.tables import RANGE_BANDS, Grenade, Weapon, find_burst
from ...characters.conditions import is_dead
from ...characters.machinery import find_shared_shell, find_shell
from ...dice import DICE, find_cuts, is_weightless, roll_blind, roll_terms, use_aim
from ...vehicles.gunnery import note_shot
from ...world.acting import act
from ...world.bands import EDGE, describe_distance, is_in_body, measure, snap
from ...world.economy import check_significant, pay_significant
from ...world.order import offer_interrupt
from ...world.senses import WARM
from ...world.sight_lines import find_grid, is_wall_between
from ..aim import Attack, Sight, burst_terms, find_sight, modifiers_for_attack, range_rows
from ..checks import REST, check_attack, check_usable, find_arms
from ..clouds import is_in_cloud, make_shape, raise_cloud
from ..shots import add_dice, aerosol_terms, fire, is_halved, kill_terms
from ..weapons import WEAPONS, describe_arm, find_load, find_weapon, read_arm
from .blasts import (
    Blast,
    Caught,
    Rings,
    explode,
    find_caught,
    find_rings,
    find_shapes,
    is_open_to,
    is_shut_in,
)

SPOT = "spot"  # id of the stand-in for the place, while its sums are made
IN_FRONT = 2.0  # meters in front of someone
NEIGHBOURS = 4  # the nearest enemies, looked at in pairs
FARTHEST = 50.0  # meters within which squares of the map are offered
SQUARE = 3  # meters across
SCATTER = 6  # meters, less the Effect
COMPASS = ("east", "northeast", "north", "northwest", "west", "southwest", "south", "southeast")
EXPLODES_FROM = 4  # on 1D6, for a rocket that misses
FREE, STOPPED, BACK = "log.scatters", "log.scatters_to_wall", "log.scatters_back"
NO_FARTHER, BELOW = "log.scatters_nowhere", "log.scatters_below"


class Lob(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`to` is zone:ID, front:COMBATANT (just in front of them), between:COMBATANT:COMBATANT or "x,y" in
    meters."""

    weapon: str
    to: str
    rounds: int = 0
    rested: bool = False


# ---------------------------------------------------------------- places


def find_spot(state: State, who: str, to: str) -> Point:
    """The place a command names."""
    kind, _, name = to.partition(":")
    if kind == "zone":
        zone = check_goal(state.scene, name)
        return snap(state, zone.centre)
    if kind == "front":
        return on_ground(state.scene, towards(state[name].at, state[who].at, IN_FRONT))
    if kind == "between":
        one, _, other = name.partition(":")
        a, b = state[one].at, state[other].at
        return on_ground(state.scene, Point(round((a.x + b.x) / 2, 3), round((a.y + b.y) / 2, 3)))
    return snap(state, on_ground(state.scene, read_points(to)[0]))


def put_spot(state: State, who: str, to: str) -> State:
    """The state with a stand-in at the place, so that attacks aim at it as at a person: it has the cover of
    its zone, and the light and smoke there, but neither dodges nor moves.

    RULING R93. RULING R97: for those inside a closed vehicle a place within its body is inside it too.
    """
    at, shell = find_spot(state, who, to), find_shell(state, state[who])
    berth = Berth(shell.id) if shell and is_in_body(shell, at) else UNSET
    spot = Combatant(SPOT, "That place", "", {"kind": "person"}, at=at, marks={WARM: False}, berth=berth)
    return replace(state, combatants={**state.combatants, SPOT: spot})


def aim_at_spot(command: Lob) -> Attack:
    """The attack on the stand-in for the place."""
    return as_command(Attack, command, target=SPOT)


# ---------------------------------------------------------------- throwing


def check_lob(state: State, command: Lob) -> Sight:
    """Refuse items without effect at a landing place, and places out of reach or sight. [CE-THROW-02]"""
    item = find_weapon(state, state[command.actor], command.weapon)
    if not can_lob(item):
        raise Refused("bad_value", f"{item.name} does not explode: attack someone with it.")
    return check_attack(put_spot(state, command.actor, command.to), aim_at_spot(command))


def can_lob(item: Item) -> bool:
    """Whether an item is a weapon that takes effect at its landing place."""
    if item.kind not in WEAPONS:
        return False
    return item.kind == "grenade" or bool(item.data.get("fires")) or bool(item.data.get("radius_m"))


def lob(context: RuleContext, command: Lob) -> Then | None:
    """Throw or fire as a significant action: it lands there, or elsewhere after a miss. [CE-THROW-02]

    Everyone near is caught. [CE-EXPL-01]  RULING R93
    """
    state = context.state
    sight = check_lob(state, command)
    if offer_interrupt(context, command.actor):
        return None
    flight = make_flight(state, aim_at_spot(command), sight, find_terms(state, command, sight))
    return let_fly(context, replace(flight, target=""), sight)


def find_terms(state: State, command: Lob, sight: Sight) -> Modifiers:
    """The DMs of a throw or a shot at a place."""
    spotted = put_spot(state, command.actor, command.to)
    return modifiers_for_attack(spotted, aim_at_spot(command), sight, alone=True)


# ---------------------------------------------------------------- before the roll


def preview_lob(state: State, command: Lob) -> Preview:
    """The sums, and the names of those caught if it lands there."""
    sight = check_lob(state, command)
    rings = make_flight(state, aim_at_spot(command), sight, ()).rings
    notes = (*describe_blast(state, sight, rings), say("note.range", band=f"band.{sight.band}"))
    return Preview(find_terms(state, command, sight), (), "against.eight", dice=DICE, notes=notes)


def describe_blast(state: State, sight: Sight, rings: Rings, at: Point | None = None) -> tuple[Label, ...]:
    """The effect in each of its rings, and the people in them as far as the viewer may know. [CE-EXPL-01]

    It lands at its target, or `at` a place on the way.
    """
    if not rings:
        cloud = find_cloud(state, sight, at)
        inside = tuple(Caught(f.id, 0) for f in present(state) if is_in_cloud(state, cloud, f))
        return describe_caught(state, sight.combatant, ((cloud.meters, ""),), inside)
    caught = _find_caught(state, sight, rings, at)
    return describe_caught(state, sight.combatant, rings, caught)


def describe_caught(
    state: State, own: Combatant, rings: Rings, all_caught: Iterable[Caught]
) -> tuple[Label, ...]:
    """The rings of an explosion with the people in them, as far as the viewer may know. [CE-EXPL-01]"""
    known = [(c, state[c.who]) for c in all_caught]
    caught = [c for c, f in known if f.side == own.side or not is_concealed_from(state, own, f)]
    notes = []
    for n, (to_m, dice) in enumerate(rings):
        people = [_name(state[c.who], own) for c in caught if c.ring == n]
        key = "note.ring" if dice else "note.cloud"
        inside = {"people": joined(people)} if people else {}
        notes.append(say(f"{key}_on" if people else key, dice=dice, metres=to_m, **inside))
    return tuple(notes) if caught else (*notes, "note.nobody_inside")


def _name(other: Combatant, own: Combatant) -> Label:
    return say("note.ally" if other.side == own.side else "note.enemy", target=other.id)


def find_victims(state: State, command: Lob) -> tuple[str, ...]:
    """Those caught if it lands on target; smoke catches no one. [CE-EXPL-01]"""
    return name_caught(state, check_lob(state, command))


def find_victims_of_attack(state: State, command: Attack) -> tuple[str, ...]:
    """Those caught by an explosive aimed at someone; no one for other attacks. [CE-EXPL-01]"""
    if not can_lob(find_weapon(state, state[command.actor], command.weapon)):
        return ()
    sight = find_sight(state, command)
    return name_caught(state, sight) if is_explosive(sight) else ()


def find_area(state: State, command: Lob) -> tuple[Shape, ...]:
    """The rings around the place."""
    return find_rings_around(state, check_lob(state, command))


def find_area_of_attack(state: State, command: Attack) -> tuple[Shape, ...]:
    """The rings around the target of an explosive; none for other attacks."""
    sight = find_sight(state, command)
    return find_rings_around(state, sight) if is_explosive(sight) else ()


def find_rings_around(state: State, sight: Sight, at: Point | None = None) -> tuple[Shape, ...]:
    """The rings of damage, or what smoke fills, around the target or `at` a place on the way. [CE-EXPL-01]"""
    edges = tuple(to_m for to_m, _ in find_rings(find_payload(sight) or sight.arm))
    if not edges:
        return (find_cloud(state, sight, at),)
    return find_shapes(state, at or sight.target.at, edges)


def find_cloud(state: State, sight: Sight, at: Point | None = None) -> Shape:
    """What the smoke of a grenade fills around the target or `at` a place on the way. [CE-COND-04]"""
    payload = find_payload(sight) or sight.arm
    return make_shape(state, at or sight.target.at, float(payload.radius_m))


def name_caught(state: State, sight: Sight, at: Point | None = None) -> tuple[str, ...]:
    """The ids of those in the rings of an explosion at its target, or `at` a place on the way."""
    rings = find_rings(find_payload(sight) or sight.arm)
    return tuple(caught.who for caught in _find_caught(state, sight, rings, at))


def _find_caught(state: State, sight: Sight, rings: Rings, at: Point | None = None) -> tuple[Caught, ...]:
    """Those in the rings, or in the closed vehicle that thrower and target share.  RULING R97"""
    inside = find_shared_shell(state, sight.combatant, sight.target)
    return find_caught(state, at or sight.target.at, rings, inside)


# ---------------------------------------------------------------- form


def find_things(state: State, actor: str) -> list[Item]:
    """The items someone has that go off where they come down."""
    arms = find_arms(state, actor)
    return [item for item in arms if can_lob(item)] if has_any(arms, can_lob) else []


def find_places(state: State, actor: str) -> tuple[Choice, ...]:
    """Places between two enemies, in front of one, and zones; any other place is typed, or tapped on the
    map."""
    combatant = state[actor]
    foes = [f for f in present(state) if f.side != combatant.side and not f.inside]
    foes.sort(key=lambda f: (distance(*nearest(combatant, f)), f.id))
    pairs = itertools.combinations(foes[:NEIGHBOURS], 2)
    named = [
        *((f"between:{a.id}:{b.id}", f"between {a.name} and {b.name}") for a, b in pairs),
        *((f"front:{f.id}", f"in front of {f.name}") for f in foes),
        *((f"zone:{z.id}", z.name) for z in state.scene.zones),
    ]
    return tuple(
        Choice(key, label, describe_distance(state, combatant, find_spot(state, actor, key)))
        for key, label in named
    )


def lob_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The item and the place. [CE-THROW-02]"""
    options = [
        Choice(i.id, i.name, describe_arm(i), why_refused(check_usable, state[actor], i))
        for i in find_things(state, actor)
    ]
    options.sort(key=lambda option: bool(option.refused))
    return (
        Field(
            "weapon", "What", "choice", options=tuple(options), value=first_open(options), rule="CE-THROW-02"
        ),
        place_field(state, actor, "CE-EXPL-01"),
        REST,
    )


def check_lob_now(state: State, actor: str) -> None:
    """Refuse without an explosive or smoke in hand, or without a significant action left."""
    if not find_things(state, actor):
        raise Refused("not_allowed", f"{state[actor].name} has nothing that explodes or makes smoke.")
    if not find_usable_lobs(state, actor):
        raise Refused("not_allowed", "No grenade or launcher is ready: ready or reload one first.")
    check_significant(state, actor, "that")


def find_reach(state: State, actor: str) -> tuple[Reach, ...]:
    """The squares of the map within reach of an explosive at hand."""
    return find_squares(state, actor, find_usable_lobs(state, actor))


def find_usable_lobs(state: State, actor: str) -> list[Item]:
    """The items that can be thrown or fired now."""
    things = find_things(state, actor)
    return [i for i in things if not why_refused(check_usable, state[actor], i)]


def place_field(state: State, actor: str, rule: str) -> Field:
    """The place of a throw: at first one that no wall keeps it from, if there is any."""
    at, places = state[actor].at, find_places(state, actor)
    reached = (
        one.value for one in places if not is_wall_between(state, at, find_spot(state, actor, one.value))
    )
    first = next(reached, first_open(places))
    return Field("to", "Where", "place", options=places, value=first, help="or x,y in meters", rule=rule)


def find_squares(state: State, actor: str, items: list[Item]) -> tuple[Reach, ...]:
    """The squares of the map that one of these weapons reaches, up to 50 m."""
    at = state[actor].at
    rows = [row for item in items for row in read_arm(item).range_types]
    bands = {band for row in rows for band in range_rows(state).get(row, ())}
    most = max((RANGE_BANDS[band].to_m for band in bands), default=0.0)
    most = min(most, FARTHEST)
    squares = (on_ground(state.scene, at) for at in squares_around(state.scene, at, most, SQUARE))
    reached = ((square, distance(at, square)) for square in squares)
    return tuple(Reach(square, meters, SQUARE) for square, meters in reached if meters <= most + EPSILON)


# Explosives on their way: grenades thrown or launched, rockets, and the landing after a miss.


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
    far = meters if key == FREE else round(ship_distance(what.aimed_at, at), 1)
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
    farthest; at the thrower's feet, never behind.  RULING R22. RULING R98: below an open hole, but for what
    floats."""
    angle = math.pi / 4 * COMPASS.index(way)
    aimed, start = what.aimed_at, what.start
    at = Point(
        *(round(aimed.x + meters * math.cos(angle), 3), round(aimed.y - meters * math.sin(angle), 3)),
        *(aimed.z, aimed.shift),
    )
    ahead = find_across(start, at) * find_across(start, aimed) + (at.y - start.y) * (aimed.y - start.y)
    if ahead <= 0:
        return start, BACK
    free = go_astray(map_of(state.scene), find_grid(state), start, aimed, at)
    floats = is_weightless(state, stand_in(state[what.by], free))
    end = free if floats else on_ground(state.scene, free)
    if end.x != free.x:
        return end, BELOW
    return end, FREE if free == at else STOPPED if round(plan_distance(aimed, free), 1) else NO_FARTHER


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


ACTIONS = (
    act(
        "lob",
        lob,
        check_lob_now,
        fields=lob_fields,
        preview=preview_lob,
        reach=find_reach,
        caught=find_victims,
        caught_rolls=False,
        area=find_area,
    ),
)
