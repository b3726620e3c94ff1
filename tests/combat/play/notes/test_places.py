"""Notes as people say them: places that no scene has, people with others, common words."""

from __future__ import annotations

import pytest

from combat.play.notes.glossary import make_glossary
from combat.play.notes.notes import read_notes
from combat.play.notes.parts import Reading
from combat.rules import find_system
from tests.combat.rules.games import WITH_ARCHETYPES


def read(text: str, slug: str = "cepheus") -> Reading:
    system = find_system(slug)
    return read_notes(text, make_glossary(system, system.begin(), "allies"))


@pytest.mark.parametrize(
    ("text", "expected", "place"),
    [
        ("3 thugs, a captain called Vex, 2 guards behind the crates", [3, 1, 2], "behind the crates"),
        ("1 sniper on the roof with a dagger", [1], "on the roof"),
        ("2 guards with daggers at the gate", [2], "at the gate"),
        ("Captain Vex in the back room", [1], "in the back room"),
    ],
)
def test_place_that_no_scene_has_hides_nobody(text: str, expected: list[int], place: str) -> None:
    reading = read(text)
    assert [one.count for one in reading.groups] == expected
    (issue,) = reading.issues
    assert (issue.words, issue.minor) == (place, True)
    assert issue.message == "No zone is called that: they start with their side."
    assert not reading.rest


def test_people_with_others_are_two_groups_of_one_side() -> None:
    reading = read("a captain called Vex with 2 guards (allies)")
    assert [(one.count, one.title, one.side) for one in reading.groups] == [
        (1, "Vex", "allies"),
        (2, "Starport Guard", "allies"),
    ]
    assert not reading.issues


def test_place_in_a_name_stays_in_it() -> None:
    (group,) = read("2 Jovians in Walker-Tank", "starshock").groups
    assert group.title == "Jovian in Walker-Tank"


@pytest.mark.parametrize("slug", WITH_ARCHETYPES)
@pytest.mark.parametrize("word", ["goons", "bandits", "bodyguards", "raiders", "mercenaries"])
def test_common_word_means_someone_in_every_game(slug: str, word: str) -> None:
    (group,) = read(f"2 {word}", slug).groups
    assert group.count == 2
