"""What is left after a fight: what the fallen and the scene hold, and how much of it lies open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from ...declaration.system import System
from ...map.vision import find_known, find_player_sides, keeps_secrets
from ...people.sides import has_turns
from ...sheets.sheets import Money, is_meant
from ...space import map_of
from ...space.battle_map import is_hidden_at
from ...space.rays.fog import holds
from ...state.state import Combatant, Item, State, present

SCENE = ""  # the id of the scene as a holder
MONEY_UNIT = "money.unit"
MONEY = "money"  # the mark of a combatant for what it gained or lost since it joined
SEARCHED = "searched"  # the mark of a combatant whose pockets everyone has seen
ASKS, LEFT = "asks:", "left:"  # before an item's id: marks of who asks for it, and of the fight
IN_SIGHT = ("held", "worn")  # the places of items that everyone sees


class Holder(msgspec.Struct, frozen=True):
    """Someone fallen with their items and money, or the scene with what lies on the ground.

    Of one who is not `searched`, players see what is held and worn.
    """

    id: str
    items: tuple[Item, ...]
    money: int = 0
    searched: bool = False


def find_holders(system: System, state: State) -> tuple[Holder, ...]:
    """The fallen with what can be taken from them, in the order they joined, then the scene."""
    found = [
        Holder(
            one.id,
            tuple(item for item in one.items if can_part(system, item)),
            count_money(system, one),
            bool(one.marks.get(SEARCHED)),
        )
        for one in present(state)
        if is_fallen(system, state, one)
    ]
    ground = tuple(item for item in state.ground if item.at and can_part(system, item))
    return tuple(one for one in (*found, Holder(SCENE, ground, searched=True)) if one.items or one.money)


def is_fallen(system: System, state: State, combatant: Combatant) -> bool:
    """Whether others can take what someone has: a player character's only once they are dead."""
    if combatant.pc:
        return system.people.health(combatant).dead
    return not has_turns(system, state, combatant)


def can_part(system: System, item: Item) -> bool:
    """Whether an item can change hands: no fist, no claw, no mounted gun."""
    catalogue = system.book.catalogue
    if catalogue is None:
        return True
    return catalogue.find_kind(item.kind) is not None and not catalogue.is_built_in(item.kind, item.data)


def find_open(system: System, state: State) -> dict[str, tuple[Item, ...]]:
    """The items of each holder, by id, that every player sees and that nobody has left behind."""
    unknown = system.find_unknown(state)
    return {
        holder.id: tuple(item for item in items if _is_open(state, holder, item, unknown))
        for holder in find_holders(system, state)
        if holder.id not in unknown
        for items in [_find_seen(system, state) if holder.id == SCENE else holder.items]
    }


def _is_open(state: State, holder: Holder, item: Item, unknown: frozenset[str]) -> bool:
    if item not in holder.items or f"{LEFT}{item.id}" in state.marks:
        return False
    return (holder.searched or item.place in IN_SIGHT) and find_owner(item, state) not in unknown


def _find_seen(system: System, state: State) -> tuple[Item, ...]:
    """The items on the ground that all players see."""
    battle_map = map_of(state.scene)
    lying = [(item, item.at) for item in state.ground if item.at]
    seen = [(item, at) for item, at in lying if not is_hidden_at(battle_map.hidden, at.x, at.y)]
    if not keeps_secrets(state.scene):
        return tuple(item for item, _ in seen)
    eyes = system.find_eyes(state)
    known = find_known(state, eyes, find_player_sides(state))
    cells = ((item, known.window.find_cell(eyes.grid.plot(at))) for item, at in seen)
    return tuple(item for item, cell in cells if holds(known.window, known.seen, cell))


def find_takers(system: System, state: State) -> tuple[Combatant, ...]:
    """Those whom the table usually gives things to: the player characters, or else all who stand."""
    here = [one for one in present(state) if not system.people.health(one).dead]
    people = [one for one in here if one.pc]
    return tuple(people or (one for one in here if has_turns(system, state, one)))


def find_owner(item: Item, state: State) -> str:
    """The first owner of an item on the ground, whose id its own begins with."""
    return next((who for who in state.combatants if item.id.startswith(f"{who}-")), "")


# ---- Money ----


def find_money(system: System, sheet: Mapping[str, Any]) -> Money | None:
    """The money that a sheet of this game counts; None if it counts none."""
    plan = system.book.sheets
    if plan is None or plan.money is None or plan.money.key not in sheet:
        return None
    return plan.money if is_meant(plan.money, plan.read(dict(sheet)).chosen) else None


def count_money(system: System, combatant: Combatant) -> int:
    """The money that a combatant has now."""
    money = find_money(system, combatant.sheet)
    if money is None:
        return 0
    return int(combatant.sheet[money.key]) + int(combatant.marks.get(MONEY, 0))


def name_money(system: System) -> str:
    """The game's money inside a sentence; empty if it has none."""
    plan = system.book.sheets
    return system.draw(MONEY_UNIT) if plan and plan.money else ""


# ---- What players ask for ----


def find_asks(state: State) -> Iterator[tuple[Combatant, str]]:
    """Those who ask for something, each with the id of an item."""
    for one in present(state):
        for key in one.marks:
            if key.startswith(ASKS):
                yield one, key.removeprefix(ASKS)
