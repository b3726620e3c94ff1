"""Explosives and smoke, thrown or fired at a place that may be empty."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from msgspec import UNSET

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, why_refused
from combat.rules.core.basics.modifiers import Modifiers
from combat.rules.core.basics.words import Label, joined, say
from combat.rules.core.commands.commands import Command, Field, Preview, as_command, first_open
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.map.bodies import is_concealed_from, nearest
from combat.rules.core.space import (
    EPSILON,
    Point,
    Reach,
    check_zone,
    distance,
    on_ground,
    read_points,
    squares_around,
    towards,
)
from combat.rules.core.space.rays.area_shapes import Shape
from combat.rules.core.state.belongings import has_any
from combat.rules.core.state.state import Berth, Combatant, Item, State, present, replace

from ...book.tables import RANGE_BANDS
from ...characters.machinery import find_shared_shell, find_shell
from ...dice.rolls import DICE
from ...world.acting import act
from ...world.bands import describe_distance, is_in_body, snap
from ...world.blast_areas import find_shapes
from ...world.economy import check_significant
from ...world.order import offer_interrupt
from ...world.senses import WARM
from ...world.sight_lines import is_wall_between
from ..aim import Attack, Sight, find_sight, modifiers_for_attack, range_rows
from ..checks import check_attack
from ..clouds import is_in_cloud, make_shape
from ..fields import REST, check_usable, find_arms
from ..weapons import WEAPONS, describe_arm, find_weapon, read_arm
from .blasts import Caught, Rings, find_caught, find_rings
from .launch import find_payload, is_explosive, let_fly, make_flight

SPOT = "spot"  # id of the stand-in for the place, while its sums are made
IN_FRONT = 2.0  # meters in front of someone


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
        zone = check_zone(state.scene, name)
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

NEIGHBOURS = 4  # the nearest enemies, looked at in pairs

FARTHEST = 50.0  # meters within which squares of the map are offered

SQUARE = 3  # meters across


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
