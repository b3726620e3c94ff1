"""The parts of a System: few fields each, and every field explained in place."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Mapping
from functools import partial
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from combat.pages.table.rows import view_items
from combat.rules import SYSTEMS, find_system
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.book import Book, Demos, Imports
from combat.rules.core.declaration.characters import Characters
from combat.rules.core.declaration.parts import (
    HEXAGON,
    MOST,
    OCTAGON,
    ROUND,
    SQUARE,
    WEAPON,
    Actions,
    Look,
    Ring,
    Space,
    Tactics,
    Turn,
    Zones,
    find_brief,
    name_loaded,
    name_weapon,
    outline_ring,
)
from combat.rules.core.declaration.system import System, system_of
from combat.rules.core.engine.engine import ReplayDriver
from combat.rules.core.state.state import Item, State, present, replace
from tests.combat.rules.games import GAMES, every_game, set_up
from tests.combat.rules.stage import Stage

PARTS = (Characters, Turn, Space, Actions, Book, Tactics, Look, Demos)
DOZEN = 12

every_part = pytest.mark.parametrize("part", [*PARTS, Zones, Imports], ids=lambda part: part.__name__)


def test_a_system_is_its_names_and_eight_parts() -> None:
    fields = msgspec.structs.fields(System)
    assert [field.name for field in fields if field.type not in PARTS] == ["slug", "name", "folder"]
    assert {field.type for field in fields if field.type in PARTS} == set(PARTS)


@every_part
def test_a_part_is_frozen_and_has_a_dozen_fields_at_most(part: type[msgspec.Struct]) -> None:
    assert part.__struct_config__.frozen
    assert len(part.__struct_fields__) <= DOZEN


@every_part
def test_every_field_is_explained_above_it(part: type[msgspec.Struct]) -> None:
    lines, _ = inspect.getsourcelines(part)
    (body,) = ast.parse("".join(lines)).body
    assert isinstance(body, ast.ClassDef)
    fields = [node for node in body.body if isinstance(node, ast.AnnAssign)]
    bare = [
        ast.unparse(field.target)
        for field in fields
        if ast.unparse(field.target) in part.__struct_fields__
        and not lines[field.lineno - 2].strip().startswith("#")
    ]
    assert bare == []


def test_squares_are_one_unit_wide_unless_a_game_says_otherwise() -> None:
    assert (Space().cell_meters, Space(cell_meters=1.5).cell_meters) == (1, 1.5)


def test_a_context_leads_to_the_whole_game() -> None:
    for system in GAMES.values():
        assert system_of(RuleContext(system, system.begin(), ReplayDriver())) is system


# The effects of actions in a few words.


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


# Rings around a combatant: each game's own bands, drawn as each game counts.


def test_round_ring_needs_no_corners() -> None:
    assert outline_ring(Ring("w", 10, "10 m", ROUND), 1) == ()


@pytest.mark.parametrize(("shape", "corners"), [(SQUARE, 4), (OCTAGON, 8), (HEXAGON, 6)])
def test_counted_ring_takes_in_its_last_cell(shape: str, corners: int) -> None:
    found = outline_ring(Ring("w", 3, "3 m", shape), 1)
    assert len(found) == corners
    assert max(x for x, _ in found) == 3.5


@every_game
def test_rings_of_every_weapon_grow(system: System) -> None:
    """Each names a weapon of theirs, and rings are sorted from near to far."""
    state = set_up(system).state
    state = replace(state, scene=replace(state.scene, settings={"positioning": "squares"}))
    found = {combatant.id: system.space.rings(state, combatant) for combatant in present(state)}
    assert any(found.values()) or system.space.rings is Space().rings
    for who, rings in found.items():
        for ring, following in pairwise(rings):
            assert ring.item in {item.id for item in state[who].items}
            assert ring.item != following.item or ring.meters < following.meters
            assert ring.words
