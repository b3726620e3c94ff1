"""The effects of actions in a few words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import pytest

from combat.pages.table.rows import view_items
from combat.rules import SYSTEMS, find_system
from combat.rules.core.declaration.actions import MOST, WEAPON, find_brief, name_loaded, name_weapon
from combat.rules.core.state.state import Item, State, replace
from tests.combat.rules.stage import Stage


def begin(slug: str) -> State:
    """The demo fight of a game at its start."""
    demo, stage = find_system(slug).demo.make_first(), Stage(slug)
    for step in (*demo.setup, demo.script[0]):
        stage.do(step.name, dice=step.answers, **step.command)
    return stage.state


@pytest.mark.parametrize("slug", SYSTEMS)
def test_every_action_of_a_turn_has_a_few_words(slug: str) -> None:
    system, state = find_system(slug), begin(slug)
    actions = [action for action in system.actions.by_name.values() if action.who != "gm"]
    for combatant in state.combatants.values():
        for action in actions:
            brief = find_brief(action, state, combatant)
            where = f"{action.name}: {brief}"
            assert 0 < len(brief) <= MOST, where
            assert brief[-1] != "…", f"{where}: at most {MOST} letters"
            assert brief[-1] != ".", f"{where}: end without a full stop"
            assert brief[0].upper() == brief[0], f"{where}: begin with a capital"


def is_fist(kind: str, record: Mapping[str, Any]) -> bool:
    """What a game's catalogue may say."""
    return kind == "weapon" and record.get("hands") == 0


def test_weapon_in_hand_is_named_with_what_is_left_in_it() -> None:
    state = begin(next(iter(SYSTEMS)))
    combatant = next(iter(state.combatants.values()))
    fist = Item("a", "weapon", "Fist", {"hands": 0}, place="held")
    club, gun = Item("b", "weapon", "Club", place="held"), Item("c", "weapon", "Gun", place="held", loaded=3)
    away = Item("d", "weapon", "Bow", place="carried")

    plain = find_system(next(iter(SYSTEMS))).actions.by_name["start"]
    actions = {
        "weapon": replace(plain, brief="Nothing", find_brief=partial(name_weapon, is_fist)),
        "loaded": replace(plain, brief="Nothing", find_brief=name_loaded),
        "other": plain,
    }

    def say(name: str, *items: Item) -> str:
        return find_brief(actions[name], state, replace(combatant, items=items))

    assert say("weapon", away, fist, club, gun) == "Club"
    assert say("loaded", away, fist, club, gun) == "Gun, 3 left"
    assert say("weapon", away, fist) == say("loaded", club) == "Nothing"
    assert say("other", club) == ""
    long = Item("e", "weapon", "Weapon of a very long name indeed", place="held", loaded=3)
    assert say("weapon", long) == "Weapon of a very long name in…"


@pytest.mark.parametrize("slug", SYSTEMS)
def test_no_part_of_a_body_is_named_as_the_weapon_in_hand(slug: str) -> None:
    """Whatever the data of a game calls it: its catalogue tells."""
    system, state = find_system(slug), begin(slug)
    catalogue, combatant = system.book.catalogue, next(iter(state.combatants.values()))
    for entry in catalogue.find_entries() if catalogue else ():
        if entry.kind == WEAPON and catalogue and catalogue.is_built_in(entry.kind, entry.record):
            claw = Item("a", entry.kind, entry.name, entry.record, place="held")
            bare = replace(combatant, items=(claw,))
            is_gun = "ranged" in entry.record.get("modes", ())  # such as a robot's: the tile names it
            assert (find_brief(system.actions.by_name["attack"], state, bare) == entry.name) == is_gun
            club = Item("b", WEAPON, "Club", place="held")
            assert [name.partition(" ")[0] for name in view_items(system, (claw, club))] == ["Club"]
            assert view_items(system, (claw,))[0].startswith(entry.name), "all that they can fight with"


def test_two_equal_weapons_in_hand_are_named_once() -> None:
    system = find_system("tiny")
    dagger, vest = Item("a", WEAPON, "Dagger", place="held"), Item("c", "armor", "Vest", place="worn")
    assert view_items(system, (dagger, replace(dagger, id="b"), vest)) == ("Dagger × 2", "Vest")
