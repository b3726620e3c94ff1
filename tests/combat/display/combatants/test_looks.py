"""Looks that suit: each stat block names its own, words of a name choose, and no beast has a human face."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from characters.faces import KEYS, NATURES, SIGNS, choose_fitting, find_looks, fits
from combat.display.combatants.cards import make_card
from combat.display.combatants.tokens import find_look
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.data import read_toml
from combat.rules.core.declaration.parts import LOOKS_FILE, load_look_words
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.sheets import ME
from combat.rules.core.state.state import Combatant, replace
from tests.combat.rules.tiny import SYSTEM as TINY

HUMAN = ("person", "alien")
NAMED = st.sampled_from(["Captain", "Medic", "Hound", "Dov", "Sgt. Marek", "Mrs. Vance", "Guard 3", "Pilot"])


def make(system: System, key: str, name: str = "", **changes: Any) -> Combatant:
    """One of a stat block, by its name or one of their own."""
    block = system.book.find_blocks()[key]
    return replace(system.characters.make_combatant(ME, name or block.name, "", block.sheet, {}), **changes)


def look_of(system: System, key: str, name: str = "", **changes: Any) -> str:
    look = find_look(system, make(system, key, name, **changes), "is-foe", active=False, down=False)
    return look.face or look.bust


@pytest.fixture(params=SYSTEMS)
def system(request: pytest.FixtureRequest) -> System:
    """Each game."""
    return find_system(request.param)


def test_every_stat_block_names_looks_of_one_nature(system: System) -> None:
    blocks = system.book.find_blocks()
    assert {block.name.casefold() for block in blocks.values()} == {*system.looks}
    for key, block in blocks.items():
        looks = system.looks[block.name.casefold()]
        natures = {NATURES[look] for look in looks}
        assert len(natures) == 1 or natures == {*HUMAN}, key
        assert len({*looks}) == len(looks), key
        assert len(looks) >= 2 or natures == {"vehicle"}, key
        if system.look.appearance(make(system, key)) in (*SIGNS, "robot"):
            assert not natures & {*HUMAN}, key


def test_no_row_names_a_block_that_is_gone(system: System) -> None:
    path = system.folder / LOOKS_FILE
    rows = read_toml(path) if path.exists() else {"blocks": {}}
    assert {*rows["blocks"]} <= {*system.book.find_blocks()}


def test_words_name_looks_that_are_drawn() -> None:
    words = load_look_words()
    assert all(word == word.casefold() and " " not in word for word in words)
    assert {look for looks in words.values() for look in looks} <= {*NATURES}
    assert {"captain", "medic", "hound"} <= {*words}


def test_page_of_all_blocks_never_repeats_a_picture_side_by_side(system: System) -> None:
    """In the order of the gallery, and each kind alone."""
    blocks = [*system.book.find_blocks().values()]
    cards = [make_card(system, one.id, one.name, (one.tier, ""), sheet=one.sheet) for one in blocks]
    looks = [(card.kind, card.look.face or card.look.bust) for card in cards if card]
    assert len(looks) == len(blocks)
    for kind in {kind for kind, _ in looks} | {None}:
        shown = [look for of, look in looks if kind in (of, None)]
        assert not [here for here, there in pairwise(shown) if here == there], kind
    people = {block.name: look for block, (_, look) in zip(blocks, looks, strict=True) if look in KEYS}
    assert len({*people.values()}) >= len(people) - 1, "each block of people has a face of its own"


@given(name=NAMED, number=st.integers(0, 200), pc=st.booleans())
def test_animals_and_machines_never_have_a_human_face(name: str, number: int, pc: bool) -> None:
    for slug in SYSTEMS:
        system = find_system(slug)
        blocks = [*system.book.find_blocks()]
        one = make(system, blocks[number % len(blocks)], name, pc=pc)
        usual = find_looks(system, replace(one, name=str(one.sheet["name"])))
        nature = NATURES[usual[0]]
        natures = {NATURES[look] for look in find_looks(system, one)}
        assert natures == {nature} or natures <= {*HUMAN}, one.name


@pytest.mark.parametrize(
    ("slug", "key", "name", "look"),
    [
        ("cosmos", "pirate", "Pirate 2", "corsair"),
        ("cosmos", "pirate", "Captain Vox", "captain"),
        ("cosmos", "pirate", "Medic", "medic"),
        ("cosmos", "security_robot", "Security robot", "sentry"),
        ("guardians", "war_hound", "War Hound", "hound"),
        ("guardians", "war_hound", "Captain", "hound"),
        ("cepheus", "chaser_beast", "Hound", "hound"),
        ("cepheus", "core_helicopter", "Marit", "copter"),
    ],
)
def test_the_block_and_words_of_the_name_choose(slug: str, key: str, name: str, look: str) -> None:
    found = look_of(find_system(slug), key, name)
    if (key, name) == ("war_hound", "Captain"):
        assert NATURES[found] == "animal"
    else:
        assert found == look


def test_names_vary_within_what_suits() -> None:
    cosmos = find_system("cosmos")
    looks = {
        look_of(cosmos, "pirate", name) for name in ("Bo", "Kit", "Vex", "Ro", "Zed", "Ash", "Lu", "Fen")
    }
    assert looks == {*cosmos.looks["pirate"]}
    assert look_of(cosmos, "pirate", "Otis") != "deckhand"


def test_ready_characters_have_a_face_that_fits_their_name() -> None:
    assert choose_fitting(("medic", "scientist"), "Marit") == "scientist"
    assert fits(choose_fitting(("medic",), "Marit"), "Marit"), "none of its own fits"
    assert choose_fitting(("medic",), "") == "medic"


def test_a_made_up_game_has_looks_too() -> None:
    assert look_of(TINY, "brawler") == "thug"
    assert look_of(TINY, "master") == "fighter"
