"""Positions in yards: distances, sides, lines of sight, and reach by hand.

Every action by hand uses this: blows, First Aid, painkillers, picking up. The page does not mention walls, so
the rules of the core apply.
"""

from __future__ import annotations

from functools import partial
from math import ceil

import msgspec

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.memory import remember_each
from combat.rules.core.basics.modifiers import Modifiers
from combat.rules.core.basics.words import possessive, say_number
from combat.rules.core.declaration.parts import Measured
from combat.rules.core.map import bodies
from combat.rules.core.map.bodies import body_of, nearest
from combat.rules.core.space import Point, Scene, Zone, distance, map_of
from combat.rules.core.space.grid import Grid, make_grid
from combat.rules.core.space.rays.sight import (
    Body,
    Lines,
    Sighting,
    check_lines,
    draw_lines,
    point_terms,
    sight_by_points,
)
from combat.rules.core.state import belongings
from combat.rules.core.state.belongings import Way
from combat.rules.core.state.state import Combatant, Item, State

from ..book.options import find_option
from ..book.tables import ARMS, HANDS, RANGE_RANKS, REACH_YARDS, Weapon
from ..characters.conditions import find_useless

NEUTRAL = "neutral"  # a side without enemies
NEAR = 1.5  # yards: next to someone, also diagonally
SLACK = 0.01  # yards: places are rounded, so a way cut to so many yards may be a little longer
CELL_YARDS = 1.0
RULE = "CG-REF-11"  # the page does not mention walls: the GM decides


def check_within(state: State, combatant: Combatant, target: Combatant) -> None:
    """Refused("out_of_range") for a target who is not adjacent, or behind a wall.  [CG-BLEED-03]"""
    if not is_near(combatant, target):
        away = describe_distance(state, combatant, target)
        raise Refused("out_of_range", f"{target.name} is {away} away: go next to them first.")
    check_open(state, combatant, target)


def check_open(state: State, combatant: Combatant, target: Combatant) -> None:
    """Refused("out_of_range") with the barrier that blocks every hand. [CG-REF-11]"""
    bodies.check_open(state, find_grid(state), combatant, target)


def check_place(state: State, combatant: Combatant, place: Point, name: str) -> None:
    """Refused("out_of_range") for a named item too far away or behind a wall."""
    away = count_yards(combatant, bodies.stand_in(combatant, place))
    if away > NEAR:
        raise Refused("out_of_range", f"{name} lies {in_yards(away)} away: go there first.")
    bodies.check_open_to(state, find_grid(state), combatant, place=place, name=name)


def way_from(state: State, who: str) -> Way:
    """The distance from a combatant to a place, in words."""
    combatant = state[who]

    def describe(place: Point) -> str:
        return f"{describe_distance(state, combatant, bodies.stand_in(combatant, place))} away"

    return describe


find_thing = partial(belongings.find_thing, find_way=way_from)
fallen_choices = partial(belongings.fallen_choices, find_way=way_from)


def count_item_hands(item: Item) -> int:
    """The hands an item takes while held; parts of the body and worn items take none."""
    return int(item.data.get("hands", 1)) if item.kind in ("weapon", "shield", "item") else 0


def find_held(combatant: Combatant) -> list[Item]:
    """The items in hand that can be dropped: weapons first, then the shield, then the rest."""
    held = [i for i in combatant.items if i.place == "held" and count_item_hands(i)]
    return sorted(held, key=lambda item: ("weapon", "shield", "item").index(item.kind))


def find_shield(combatant: Combatant) -> Item | None:
    """The shield on a combatant's arm."""
    return next((i for i in combatant.items if i.kind == "shield" and i.place == "held"), None)


def find_arms(combatant: Combatant) -> list[str]:
    """The arms that can be used. [CG-LIMB-02]"""
    useless = find_useless(combatant)
    return [arm for arm in ARMS if arm not in useless]


def find_lost_things(combatant: Combatant, arm: str) -> list[Item]:
    """The items that fall when an arm becomes useless: those it holds, and those for both.  RULING R45

    The first weapon is in the better hand, a shield or another item on the other arm.
    """
    held = find_held(combatant)
    main = "left_arm" if combatant.sheet.get("hand") == "left" else "right_arm"
    both = [item for item in held if count_item_hands(item) > 1]
    single = [item for item in held if item not in both]
    weapons = [item for item in single if item.kind == "weapon"]
    in_main = weapons[:1]
    rest = [item for item in single if item not in in_main]
    return [*both, *(in_main if arm == main else rest)]


def find_excess(combatant: Combatant, held: list[Item]) -> list[Item]:
    """The held items without a usable hand; weapons and shields are kept longest.  RULING R45"""
    kept, excess = list(held), list[Item]()
    while sum(map(count_item_hands, kept)) > len(find_arms(combatant)):
        excess.append(kept.pop())
    return excess


def check_hands(combatant: Combatant, *drawn: Item) -> None:
    """Refuse to hold more than the usable hands can. [CG-LIMB-02]  RULING R45"""
    free = len(find_arms(combatant)) - sum(count_item_hands(item) for item in find_held(combatant))
    needed = sum(count_item_hands(item) for item in drawn)
    if needed > free:
        names = " and ".join(item.name for item in drawn)
        hands = "hand" if needed == 1 else "hands"
        has = "none" if free <= 0 else str(free)
        text = f"{names} takes {needed} free {hands}, {combatant.name} has {has}: drop something first."
        raise Refused("not_allowed", text)


def check_arm(combatant: Combatant) -> None:
    """Refuse work by hand without a usable arm. [CG-LIMB-02]  RULING R45"""
    if not find_arms(combatant):
        whose = possessive(combatant.name)
        raise Refused("not_allowed", f"{whose} arms are both hurt: let someone else do this.")


def check_grip(combatant: Combatant, item: Item) -> None:
    """Refuse a weapon that takes more arms than are usable. [CG-LIMB-02]"""
    needed = count_item_hands(item)
    if needed > len(find_arms(combatant)):
        arms, whose = "both arms" if needed == HANDS else "an arm", possessive(combatant.name)
        text = f"{item.name} takes {arms}; {whose} are hurt: use something else, or kick."
        raise Refused("not_allowed", text)


# Positions in yards: distances, reach, sides. A unit of the scene is a yard.


def count_yards(one: Combatant, other: Combatant) -> float:
    """Yards between two combatants, height included: for blows, shots and hands.  RULING R35"""
    return distance(*nearest(one, other))


def is_near(one: Combatant, other: Combatant) -> bool:
    """Whether two combatants are next to each other."""
    return one.id == other.id or count_yards(one, other) <= NEAR


def is_within(state: State, one: Combatant, other: Combatant) -> bool:
    """Whether one combatant reaches another by hand: next to them, with nothing in the way."""
    return is_near(one, other) and bodies.is_unbarred(state, find_grid(state), one, other)


def count_approach(one: Combatant, other: Combatant, reach: float) -> float:
    """Yards to go until a blow reaches someone; 0 within reach. [CG-MOVE-03]"""
    away = count_yards(one, other)
    return 0.0 if away <= max(reach, NEAR) else away - (reach - REACH_YARDS)


def count_range_ranks(state: State, one: Combatant, other: Combatant, weapon: Weapon) -> int:
    """The cost of range in ranks, if the table has it: each step beyond the first.  RULING R35"""
    if find_option(state, "range_penalty") == "off" or not weapon.range_yards:
        return 0
    steps = max(1, ceil((count_yards(one, other) - SLACK) / weapon.range_yards))
    return RANGE_RANKS * (steps - 1)


def in_yards(yards: float) -> str:
    """A distance in words, rounded to a tenth: "5 yd", "5.1 yd"."""
    return f"{say_number(yards)} yd"


def describe_distance(state: State, one: Combatant, other: Combatant) -> str:
    """The distance to someone, in words."""
    return in_yards(count_yards(one, other))


def describe_way(state: State, combatant: Combatant, zone: Zone) -> str:
    """The distance to the middle of a zone, in words."""
    return in_yards(distance(combatant.at, zone.centre))


def measure(state: State, a: Point, b: Point) -> Measured:
    """Yards along a straight line."""
    return Measured(in_yards(distance(a, b)), a, b)


def are_enemies(one: Combatant, other: Combatant) -> bool:
    """Whether two combatants are on sides that fight each other."""
    return one.side != other.side and NEUTRAL not in (one.side, other.side)


# Lines of sight on the battle map, in yards, and the obstacles between two combatants.


def find_grid(state: State) -> Grid:
    """The squares of the map, of 1 yard."""
    return make_grid(map_of(state.scene), CELL_YARDS, hexes=False)


def find_lines(state: State, one: Combatant, other: Combatant) -> Lines:
    """The lines from one combatant to another, and what they cross."""
    return draw_lines(map_of(state.scene), find_grid(state), body_of(one), body_of(other))


class Between(msgspec.Struct, frozen=True):
    """What lies between two bodies: whether they see each other, and the ranks that obstacles cost."""

    seen: bool
    terms: Modifiers


@remember_each
def _find_between(scene: Scene, one: Body, other: Body) -> Between:
    battle_map = map_of(scene)
    lines = draw_lines(battle_map, make_grid(battle_map, CELL_YARDS, hexes=False), one, other)
    return Between(lines.are_seen, point_terms(lines, RULE))


def check_seen(state: State, one: Combatant, other: Combatant) -> None:
    """Refuse a target behind a wall. [CG-REF-11]"""
    if not _find_between(state.scene, body_of(one), body_of(other)).seen:
        check_lines(find_lines(state, one, other), one.name, other.name)


def obstacle_terms(state: State, one: Combatant, other: Combatant) -> Modifiers:
    """The ranks that the GM gave an obstacle, taken off attacks across it. [CG-REF-11]"""
    return _find_between(state.scene, body_of(one), body_of(other)).terms


def look(state: State, one: Combatant, other: Combatant) -> Sighting:
    """What one combatant sees of another, by the map."""
    return sight_by_points(find_lines(state, one, other), RULE)
