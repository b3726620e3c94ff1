"""Reach by hand: near enough, with no wall or shut door between; items by place, and hands.  RULING R37

Every action by hand uses this: blows, First Aid, painkillers, picking up. The page does not mention walls, so
the rules of the core apply.
"""

from __future__ import annotations

from functools import partial

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import possessive
from combat.rules.core.map import bodies
from combat.rules.core.space import Point
from combat.rules.core.state import belongings
from combat.rules.core.state.belongings import Way
from combat.rules.core.state.state import Combatant, Item, State

from ..book.tables import ARMS, HANDS
from ..characters.conditions import find_useless
from .place import NEAR, count_yards, describe_distance, in_yards, is_near
from .sight_lines import find_grid


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
