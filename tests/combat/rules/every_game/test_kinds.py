"""Every action, condition and weapon has a kind, and every kind one icon and one hue."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.words import say
from combat.rules.core.book.conditions import OF_EVERY_GAME
from combat.rules.core.declaration.parts import ACTION, CONDITION, DAMAGE, HARM, PLAIN, load_kinds
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.actions import GM_ACTIONS, SEAT_ACTIONS
from tests.combat.rules.games import lack

ROOT = Path(__file__).parents[4]
GAMES = pytest.mark.parametrize("system", [find_system(slug) for slug in SYSTEMS], ids=list(SYSTEMS))
HUE = re.compile(r"^((?:\.k-\w+(?:,\s)?)+) \{\s+--hue: var\(--(\w+)\);?\s+\}", re.MULTILINE)


def find_hues() -> dict[str, list[str]]:
    """The hues that the stylesheet gives each kind: it should be one."""
    found: dict[str, list[str]] = {}
    for kinds, hue in HUE.findall((ROOT / "static/css/page/cosmos.css").read_text("utf-8")):
        for kind in re.findall(r"\.k-(\w+)", kinds):
            found.setdefault(kind, []).append(hue)
    return found


def find_symbols() -> dict[str, str]:
    """The drawings of the sprite by their ids."""
    sprite = ElementTree.parse(ROOT / "static/img/kinds.svg").getroot()
    return {
        symbol.attrib["id"]: "".join(ElementTree.tostring(part, "unicode") for part in symbol)
        for symbol in sprite
    }


@GAMES
def test_every_action_and_condition_is_of_a_kind(system: System) -> None:
    actions = system.actions.by_name.keys() | GM_ACTIONS.keys() | SEAT_ACTIONS.keys()
    conditions = system.characters.conditions.keys() | OF_EVERY_GAME.keys()
    for section, wanted in ((ACTION, actions), (CONDITION, conditions)):
        named = system.kinds.sections[section].keys()
        bare, odd = sorted(wanted - named), sorted(named - wanted)
        where = f"[{section}] of kinds.toml (of core/declaration/kinds.toml for what every game has)"
        assert not bare, lack(system, f"gives no kind to {', '.join(bare)} under {where}")
        assert not odd, lack(system, f"names {', '.join(odd)} under [{section}] of kinds.toml, but has none")


@GAMES
def test_every_weapon_deals_damage_of_a_kind(system: System) -> None:
    if system.book.catalogue is None:
        pytest.skip("the game has no catalogue")
    weapons = [
        e for e in system.book.catalogue.find_entries() if e.kind == "weapon" and e.record.get("damage")
    ]
    assert weapons
    assert [weapon.name for weapon in weapons if system.kinds.of_damage(weapon.name) == HARM] == []


@GAMES
def test_causes_of_damage_are_words_of_the_game(system: System) -> None:
    """A key that is neither a cause, a weapon nor a word of a record would never be used."""
    entries = system.book.catalogue.find_entries() if system.book.catalogue else ()
    texts = {text for entry in entries for text in _texts(entry.record)}
    kinds = {entry.kind for entry in entries}
    causes = {key.rpartition(".")[2] for key in system.words.words}
    odd = [key for key in system.kinds.sections[DAMAGE] if key not in texts | kinds | causes]
    assert not odd, lack(system, f"names {', '.join(odd)} under [damage] of kinds.toml: no weapon, no word")


def _texts(record: dict[str, object]) -> set[str]:
    found = set()
    for value in record.values():
        found |= {value} if isinstance(value, str) else set()
        found |= {each for each in value if isinstance(each, str)} if isinstance(value, list) else set()
    return found


def test_every_kind_has_one_hue_and_a_drawing_of_its_own() -> None:
    symbols, hues = find_symbols(), find_hues()
    assert symbols.keys() == load_kinds().keys() == hues.keys()
    assert {kind: found for kind, found in hues.items() if len(found) != 1} == {}
    assert len(set(symbols.values())) == len(symbols)


def test_damage_is_known_by_weapon_cause_or_what_fills_the_cause() -> None:
    kinds = find_system("guardians").kinds
    assert kinds.of_damage("Heavy Pistol") == "kinetic"
    assert kinds.of_damage("why.toil") == "fatigued"
    assert kinds.of_damage(say("why.blow", item="Long Sword", part="part.torso")) == "blade"


def test_what_people_made_up_has_a_plain_icon() -> None:
    kinds = find_system("cosmos").kinds
    assert kinds.of_condition("allergic_to_cats") == PLAIN
    assert kinds.of_damage("Grandma's umbrella") == HARM
