"""The effects of actions in a few words."""

from __future__ import annotations

import pytest

from combat.rules import SYSTEMS, find_system
from combat.rules.core.declaration.actions import MOST, find_brief, name_loaded, name_weapon
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
            brief = find_brief(system.actions.briefs, state, combatant, action.name)
            where = f"{action.name}: {brief}"
            assert 0 < len(brief) <= MOST, where
            assert brief[-1] != "…", f"{where}: at most {MOST} letters"
            assert brief[-1] != ".", f"{where}: end without a full stop"
            assert brief[0].upper() == brief[0], f"{where}: begin with a capital"


def test_weapon_in_hand_is_named_with_what_is_left_in_it() -> None:
    state = begin(next(iter(SYSTEMS)))
    combatant = next(iter(state.combatants.values()))
    fist = Item("a", "weapon", "Fist", {"traits": ["natural"]}, place="held")
    club, gun = Item("b", "weapon", "Club", place="held"), Item("c", "weapon", "Gun", place="held", loaded=3)
    away = Item("d", "weapon", "Bow", place="carried")

    def say(brief: str, *items: Item) -> str:
        briefs = {"weapon": name_weapon("Nothing"), "loaded": name_loaded("Nothing")}
        return find_brief(briefs, state, replace(combatant, items=items), brief)

    assert say("weapon", away, fist, club, gun) == "Club"
    assert say("loaded", away, fist, club, gun) == "Gun, 3 left"
    assert say("weapon", away, fist) == say("loaded", club) == "Nothing"
    assert say("other", club) == ""
    long = Item("e", "weapon", "Weapon of a very long name indeed", place="held", loaded=3)
    assert say("weapon", long) == "Weapon of a very long name in…"
