"""A combatant's things by where they are, and the hands that hold them."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.memory import Seen, remember_by
from combat.rules.core.basics.requests import Choice
from combat.rules.core.space import Point
from combat.rules.core.state import belongings
from combat.rules.core.state.belongings import Way
from combat.rules.core.state.state import Combatant, Item, State, replace

from ..book.tables import ARMS, HANDS
from ..people.conditions import is_on_part
from .place import count_yards


def way_from(state: State, who: str) -> Way:
    """How far a place is from a combatant, in words."""
    fighter = state[who]

    def describe(place: Point) -> str:
        return f"{count_yards(fighter, replace(fighter, at=place)):.0f} yd away"

    return describe


def find_thing(state: State, who: str, item_id: str) -> Item:
    """A combatant's item; Refused says how far away it lies, or that they have none such."""
    return belongings.find_thing(state, who, item_id, way_from(state, who))


def fallen_choices(state: State, who: str) -> tuple[Choice, ...]:
    """The weapons a combatant came with that lie on the ground, refused with where that is."""
    fallen = [item for item in belongings.find_fallen(state, who) if item.kind == "weapon"]
    way = way_from(state, who)
    return tuple(Choice(i.id, i.name, "", belongings.tell_fallen(i, way)) for i in fallen)


def count_item_hands(item: Item) -> int:
    """The hands a thing takes while held; parts of the body and what is worn take none."""
    return int(item.data.get("hands", 1)) if item.kind in ("weapon", "shield", "item") else 0


def find_held(fighter: Combatant) -> list[Item]:
    """What is in hand and can be dropped: weapons first, then the shield, then the rest."""
    held = [i for i in fighter.items if i.place == "held" and count_item_hands(i)]
    return sorted(held, key=lambda item: ("weapon", "shield", "item").index(item.kind))


def find_shield(fighter: Combatant) -> Item | None:
    """The shield on a fighter's arm."""
    return next((i for i in fighter.items if i.kind == "shield" and i.place == "held"), None)


def find_arms(fighter: Combatant) -> list[str]:
    """[CG-LIMB-02] The arms that can be used."""
    return list(_find_arms(fighter))


def _look_at_arms(fighter: Combatant) -> Seen:
    return (fighter.conditions,), None


@remember_by(_look_at_arms)
def _find_arms(fighter: Combatant) -> tuple[str, ...]:
    lame = ("disabled", "destroyed")
    return tuple(arm for arm in ARMS if not any(is_on_part(fighter, kind, arm) for kind in lame))


def find_lost_things(fighter: Combatant, arm: str) -> list[Item]:
    """What falls when an arm can no longer be used: what needs both, and what that hand has.  RULING R45

    The first weapon is in the better hand, a shield or anything else on the other arm.
    """
    held = find_held(fighter)
    main = "left_arm" if fighter.sheet.get("hand") == "left" else "right_arm"
    both = [item for item in held if count_item_hands(item) > 1]
    single = [item for item in held if item not in both]
    weapons = [item for item in single if item.kind == "weapon"]
    in_main = weapons[:1]
    rest = [item for item in single if item not in in_main]
    return [*both, *(in_main if arm == main else rest)]


def find_excess(fighter: Combatant, held: list[Item]) -> list[Item]:
    """What no usable hand is left for, of things held: weapons and shields are kept longest.  RULING R45"""
    kept, excess = list(held), list[Item]()
    while sum(map(count_item_hands, kept)) > len(find_arms(fighter)):
        excess.append(kept.pop())
    return excess


def check_hands(fighter: Combatant, *drawn: Item) -> None:
    """[CG-LIMB-02] Refuse to hold more than the usable hands can.  RULING R45"""
    free = len(find_arms(fighter)) - sum(count_item_hands(item) for item in find_held(fighter))
    needed = sum(count_item_hands(item) for item in drawn)
    if needed > free:
        names = " and ".join(item.name for item in drawn)
        hands = "hand" if needed == 1 else "hands"
        has = "none" if free <= 0 else str(free)
        text = f"{names} takes {needed} free {hands}, {fighter.name} has {has}: drop something first."
        raise Refused("not_allowed", text)


def check_grip(fighter: Combatant, item: Item) -> None:
    """[CG-LIMB-02] Refuse a weapon that takes more arms than can be used."""
    needed = count_item_hands(item)
    if needed > len(find_arms(fighter)):
        text = f"{item.name} takes {'both arms' if needed == HANDS else 'an arm'}; {fighter.name}'s"
        raise Refused("not_allowed", f"{text} are hurt: use something else, or kick.")
