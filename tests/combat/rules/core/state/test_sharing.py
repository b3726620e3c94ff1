"""Equal parts of two states become the same objects."""

from __future__ import annotations

from combat.rules.core.space import Point
from combat.rules.core.state.sharing import share_with
from combat.rules.core.state.state import Combatant, Condition, Item, State, decode, encode, replace

SWORD, SHIELD = Item("f1-1", "sword", "Sword", {"damage": "d8"}), Item("f1-2", "shield", "Shield")
ADA = Combatant("f1", "Ada", "heroes", {"strength": 10}, {"hp": 9}, items=(SWORD, SHIELD))
BO = Combatant("f2", "Bo", "foes", {"strength": 8}, {"hp": 5})
KNOWN = State("cosmos", combatants={"f1": ADA, "f2": BO}, order=("f1", "f2"))


def read(state: State) -> State:
    """The state as another process reads it."""
    return decode(encode(state))


def test_equal_state_is_the_known_one() -> None:
    assert share_with(read(KNOWN), KNOWN) is KNOWN


def test_all_but_the_changed_parts_are_the_known_ones() -> None:
    hurt = replace(ADA, tracks={"hp": 3}, at=Point(1.0, 2.0), items=(replace(SWORD, loaded=1), SHIELD))
    now = replace(KNOWN, combatants={"f1": hurt, "f2": BO}, round=2)
    shared = share_with(read(now), KNOWN)
    assert encode(shared) == encode(now)
    assert shared.combatants["f2"] is BO
    assert shared.order is KNOWN.order
    assert shared["f1"].sheet is ADA.sheet
    assert shared["f1"].tracks == {"hp": 3}
    assert shared["f1"].items[1] is SHIELD
    assert shared["f1"].items[0].data is SWORD.data
    assert shared["f1"].items[0].loaded == 1


def test_parts_with_ids_are_found_at_other_places() -> None:
    one, other = Condition("c1", "dazed", "x"), Condition("c2", "prone", "y")
    known = replace(KNOWN, combatants={"f1": replace(ADA, conditions=(one, other))})
    now = replace(KNOWN, combatants={"f1": replace(ADA, conditions=(other,), items=(SHIELD, SWORD))})
    shared = share_with(read(now), known)
    assert shared["f1"].conditions[0] is other
    assert shared["f1"].items == (SHIELD, SWORD)
    assert shared["f1"].items[0] is SHIELD


def test_what_is_equal_but_written_differently_stays_as_it_is() -> None:
    known = replace(KNOWN, marks={"fog": True})
    now = read(replace(KNOWN, marks={"fog": 1}))
    assert now == known
    assert encode(share_with(now, known)) == encode(now) != encode(known)
