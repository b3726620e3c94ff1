"""A combatant's items by place, and the hands that hold them."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.memory import Seen, remember_by
from combat.rules.core.basics.words import possessive
from combat.rules.core.space import Point
from combat.rules.core.state import belongings
from combat.rules.core.state.belongings import Way
from combat.rules.core.state.state import Combatant, Item, State, replace

from ..book.tables import ARMS, HANDS
from ..people.conditions import is_on_part
from .place import count_yards


def way_from(state: State, who: str) -> Way:
    """The distance from a combatant to a place, in words."""
    combatant = state[who]

    def describe(place: Point) -> str:
        return f"{count_yards(combatant, replace(combatant, at=place)):.0f} yd away"

    return describe


def find_thing(state: State, who: str, item_id: str) -> Item:
    """A combatant's item; Refused says how far away it lies, or that they have no such item."""
    return belongings.find_thing(state, who, item_id, way_from)


def fallen_choices(state: State, who: str) -> tuple[Choice, ...]:
    """A combatant's own weapons that lie on the ground, each refused with its place."""
    fallen = [item for item in belongings.find_fallen(state, who) if item.kind == "weapon"]
    way = way_from(state, who)
    return tuple(Choice(i.id, i.name, "", belongings.tell_fallen(i, way)) for i in fallen)


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
    return list(_find_arms(combatant))


def _look_at_arms(combatant: Combatant) -> Seen:
    return (combatant.conditions,), None


@remember_by(_look_at_arms)
def _find_arms(combatant: Combatant) -> tuple[str, ...]:
    lame = ("disabled", "destroyed")
    return tuple(arm for arm in ARMS if not any(is_on_part(combatant, kind, arm) for kind in lame))


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


def check_grip(combatant: Combatant, item: Item) -> None:
    """Refuse a weapon that takes more arms than are usable. [CG-LIMB-02]"""
    needed = count_item_hands(item)
    if needed > len(find_arms(combatant)):
        arms, whose = "both arms" if needed == HANDS else "an arm", possessive(combatant.name)
        text = f"{item.name} takes {arms}; {whose} are hurt: use something else, or kick."
        raise Refused("not_allowed", text)
