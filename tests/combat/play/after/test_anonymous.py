"""A fight without names: it can be played again, is the same fight, and holds nothing that people typed."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from combat.play.after.anonymous import Names, find_difference, find_known_words, make_anonymous
from combat.rules import find_system
from combat.rules.core.engine.document import Document, make_document, read_document, replay, write_document
from combat.rules.core.state.state import present
from tests.combat.rules.every_game.wild.wild import play_all, wild_fights
from tests.combat.rules.games import every_slug
from tests.combat.rules.stored import every_fight

TYPED = "Xyzzy"  # begins every typed text below


def strip(document: Document) -> Document:
    """The document without names; fails unless it is whole."""
    found = make_anonymous(find_system(document.system), document)
    assert found.stopped == ""
    verdict = replay(found.document, find_system)
    assert verdict.ok, verdict.summary
    assert find_difference(document, found.document) == 0
    assert len(found.document.steps) == len(document.steps)
    return found.document


@pytest.mark.slow
@every_fight
def test_stored_fight_without_names_is_the_same_fight(path: Path) -> None:
    document = read_document(path.read_bytes())
    bare = strip(document)
    names = {combatant.name for combatant in present(document.final) if combatant.pc}
    assert names.isdisjoint(combatant.name for combatant in present(bare.final))
    assert [(f.id, f.tracks, f.at) for f in present(bare.final)] == [
        (f.id, f.tracks, f.at) for f in present(document.final)
    ]


@every_slug
def test_wild_fight_without_names_is_the_same_fight(slug: str) -> None:
    @wild_fights
    def check(seed: int, length: int) -> None:
        log = play_all(find_system(slug), seed, length)
        strip(make_document(TYPED, log.start, tuple(log.steps), log.state))

    check()


@every_slug
def test_what_a_condition_of_the_gm_changes_is_no_name(slug: str) -> None:
    own = find_system(slug).characters.own_conditions
    names = Names(find_known_words(find_system(slug)))
    for word in (*own.changes, *own.effects):
        assert names.change(word, "", "") == word


def change(text: str, path: str = "target", key: str = "target") -> str:
    """A text of a command with new names."""
    return Names(find_known_words(find_system("cosmos"))).change(text, path, key)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "f3",
        "f3-1",
        "f3-1-17",
        "f1-g12",
        "near:f2",
        "zone:z4",
        "3.5,-2",
        "prone",
        "condition.prone",
        "zero-g",
        "True",
    ],
)
def test_word_of_the_program_stays(text: str) -> None:
    assert change(text) == text


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (f"{TYPED} Smith", "Text-1"),
        (f"near:{TYPED}", "near:Text-1"),
        (f"{TYPED} 12", "Text-1 12"),
        ("call me at home", "Text-1"),
        ("a" * 64, "1".zfill(64)),
        ("Müller", "Text-1"),
    ],
)
def test_unknown_words_become_numbers(text: str, wanted: str) -> None:
    assert change(text) == wanted


@pytest.mark.parametrize("text", ["prone", "555-1234", "f3", "12"])
def test_text_in_a_typed_field_always_becomes_a_number(text: str) -> None:
    assert change(text, "reason", "reason") == "Text-1"


def test_programs_side_stays_and_a_typed_one_gets_a_number() -> None:
    assert change("enemies", "side", "side") == "enemies"
    assert change("555-1234", "side", "side") == change("Our friends", "side", "side") == "Side-1"


def test_same_text_gets_the_same_number() -> None:
    names = Names(find_known_words(find_system("cosmos")))
    command = {"name": TYPED, "sheet": {"name": TYPED, "notes": "secret", "skills": {"Basket weaving": 3}}}
    assert names.walk(command) == {
        "name": "Combatant-1",
        "sheet": {"name": "Combatant-1", "notes": "Text-1", "skills": {"Text-2": 3}},
    }


def test_text_in_every_step_is_gone_with_what_rules_made_of_it() -> None:
    path = next(Path(__file__).parents[2].glob("rules/cosmos/stored/cosmos-long.json"))
    document = read_document(path.read_bytes())
    names = [combatant.name for combatant in present(document.final) if combatant.pc]
    assert len(names) >= 2
    raw = write_document(strip(document)).decode()
    assert [name for name in (*names, document.final.scene.name) if name in raw] == []
    assert msgspec.json.decode(raw)["name"] == "Reported fight"


@pytest.mark.parametrize("key", ["what", "why", "handout", "note", "text", "name"])
@pytest.mark.parametrize("typed", ["0176 1234567", "555/123-4567", "Call Rhea: 0176-1234567"])
def test_typed_numbers_are_not_taken_for_the_programs_numbers(key: str, typed: str) -> None:
    names = Names(find_known_words(find_system("cosmos")))
    told = str(names.walk({key: typed}))
    assert not re.search(r"\d{2}|Rhea", told), told
