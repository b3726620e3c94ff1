"""Lists of other programs in JSON as notes: how many of each, their names, and who is hidden."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.play.notes.lists import FOLLOWS, KEEPS, MAX_LIST, STAYS, UNKNOWN
from combat.play.notes.lists import write_notes as write_notes_for
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.sheets.foreign import is_json
from tests.combat.play.notes.test_notes import read, tell

WRONG: tuple[Any, ...] = (0, -3, 10_000, "lots", True, [5], {})  # no HP


def write_notes(text: str, slug: str = "cepheus") -> str:
    return write_notes_for(text, find_system(slug))


def combatant(name: str, alias: str = "", hidden: bool = False, **more: Any) -> dict[str, Any]:
    """A combatant as Improved Initiative saves it."""
    block = {"Name": name, "HP": {"Value": 9, "Notes": ""}, "Player": "", "Actions": []}
    return {"Id": "a1", "StatBlock": block, "Alias": alias, "Hidden": hidden, "CurrentHP": 4, **more}


ENCOUNTER = {
    "Name": "Dock fight",
    "ActiveCombatantId": None,
    "Combatants": [
        combatant("Pirate", IndexLabel=1),
        combatant("Pirate", IndexLabel=2),
        combatant("Pirate", IndexLabel=3, hidden=True),
        combatant("Pirate", "Old Tom"),
        combatant("Owlbear (cub), angry"),
    ],
}


def test_encounter_of_improved_initiative_becomes_notes() -> None:
    assert write_notes(json.dumps(ENCOUNTER)).splitlines() == [
        "2 Pirate",
        "1 Pirate (hidden)",
        "1 Old Tom as Pirate",
        "1 Owlbear cub angry",
        FOLLOWS.format("Cepheus"),
    ]


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (combatant("Pirate"), "1 Pirate (4/9 HP)"),
        (combatant("Pirate", hidden=True, CurrentHP=9), "1 Pirate (hidden, 9 HP)"),
        ({"name": "Pirate", "hp": 12}, "1 Pirate (12 HP)"),
        ({"name": "Pirate", "hp": {"value": 5, "max": 8}}, "1 Pirate (5/8 HP)"),
        ({"name": "Pirate", "health": "7", "maxHP": 20, "count": 2}, "2 Pirate (7/20 HP)"),
        ({"name": "Pirate", "stats": {"hp": 15}, "currentStats": {"hp": 0}}, "1 Pirate (0/15 HP)"),
        ({"name": "Pirate", "current_hp": 6}, "1 Pirate (6 HP)"),
        ({"name": "Pirate", "hp": 12, "maxHP": 9}, "1 Pirate (9 HP)"),
        *[({"name": "Pirate", "hp": wrong}, "1 Pirate") for wrong in WRONG],
    ],
)
def test_hp_are_kept_where_the_game_has_such_a_number(data: dict[str, Any], line: str) -> None:
    first, last = write_notes(json.dumps([data]), "cosmos").splitlines()
    assert (first, last) == (line, KEEPS if "HP" in line else STAYS)
    assert "HP)" not in write_notes(json.dumps([data]))


def test_notes_are_understood_and_what_is_not_stays_in_the_box() -> None:
    found = read(write_notes(json.dumps(ENCOUNTER)))
    assert tell(found) == [(2, "Pirate", "", ""), (1, "Pirate", "", ""), (1, "Old Tom", "", "")]
    assert [group.hidden for group in found.groups] == [False, True, False]
    assert found.rest == f"1 Owlbear cub angry\n{FOLLOWS.format('Cepheus')}"


def test_notes_with_hp_are_understood_too() -> None:
    found = read(write_notes(json.dumps(ENCOUNTER), "cosmos"), "cosmos")
    assert tell(found) == [(2, "Pirate", "", ""), (1, "Pirate", "", ""), (1, "Old Tom", "", "")]
    assert [(group.health, group.hidden) for group in found.groups] == [
        ((4, 9), False),
        ((4, 9), True),
        ((4, 9), False),
    ]
    assert found.rest == f"1 Owlbear cub angry (4/9 HP)\n{KEEPS}"


@pytest.mark.parametrize(
    ("data", "first"),
    [
        ([{"name": "Pirate", "ac": 12}, {"name": "Pirate", "ac": 7}], "2 Pirate"),
        ({"npcs": [{"callsign": "Raider", "count": 3}]}, "3 Raider"),
        ({"Creatures": [{"Statblock": {"Name": "Pirate"}}]}, "1 Pirate"),
        ({"name": "Pirate", "quantity": "4", "hidden": True}, "4 Pirate (hidden)"),
        ([{"name": "Pirate", "count": -2}], "1 Pirate"),
        ([{"name": "Pirate"}, 3, None, {"ac": 4}], "1 Pirate"),
    ],
)
def test_other_lists_by_name_are_read_too(data: Any, first: str) -> None:
    assert write_notes(json.dumps(data)) == f"{first}\n{STAYS}"


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (
            {"title": "Dock", "enemies": [{"name": "Pirate", "count": 4}], "allies": [{"name": "Soldier"}]},
            ["1 Soldier (allies)", "4 Pirate (enemies)"],
        ),
        ({"encounter": {"Friends": {"Soldier": 2}, "foes": ["Pirate x3"]}},
            ["2 Soldier (allies)", "3 Pirate (enemies)"]),
        ({"combatants": ["Guard"], "allies": ["Soldier"]}, ["1 Guard", "1 Soldier (allies)"]),
        ({"allies": ["Soldier", "Medic"]}, ["1 Soldier (allies)", "1 Medic (allies)"]),
        (
            [{"name": "Soldier", "side": "Allies", "hidden": True}, {"name": "Pirate", "side": "Enemies"}],
            ["1 Soldier (allies, hidden)", "1 Pirate (enemies)"],
        ),
        (
            {"tokens": [{"name": "Soldier", "disposition": 1}, {"name": "Pirate", "disposition": -1}]},
            ["1 Soldier (allies)", "1 Pirate (enemies)"],
        ),
        ([{"name": "Soldier", "faction": "Navy"}, {"name": "Pirate", "team": 7}], ["1 Soldier", "1 Pirate"]),
    ],
)  # fmt: skip
def test_sides_of_a_list_are_kept_and_nobody_is_lost(data: Any, lines: list[str]) -> None:
    assert write_notes(json.dumps(data)).splitlines() == [*lines, STAYS]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"Combatants": [', "This JSON is broken: copy the whole text of the export again."),
        ("[" * 100_000, "This JSON is broken"),
        ("[1, 2]", UNKNOWN),
        ("{}", UNKNOWN),
        ('{"Combatants": {"Name": 3}}', UNKNOWN),
        (json.dumps([{"name": "Pirate"}] * 101), "The list has 101 entries: up to 100 combatants"),
        ("[" + " " * MAX_LIST, "A list has at most 1,000,000 characters"),
    ],
)
def test_anything_else_is_refused_in_a_sentence(text: str, words: str) -> None:
    with pytest.raises(Refused) as refused:
        write_notes(text)
    assert (refused.value.code, words in refused.value.message) == ("bad_value", True)


def test_notes_that_begin_with_words_are_no_list() -> None:
    assert is_json(' {"a": 1}')
    assert not is_json("4 pirates [hidden]")


@pytest.mark.parametrize(
    "text", ["[elite] 4 pirates", "[x](y)", "[1] 4 pirates", "[ ] 4 pirates", "[Ana, Ben]", "[", "[1"]
)
def test_bracket_alone_makes_no_list(text: str) -> None:
    assert not is_json(text)


@pytest.mark.parametrize(
    "text", ["[1, 2]", "[]", "[ null ]", '["Ana", Ben]', "[ {", "[[", "\n[\n\t{", "{Combatants: ["]
)
def test_json_and_text_like_an_export_is_a_list_though_broken(text: str) -> None:
    assert is_json(text)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(
                    ["Name", "name", "Alias", "StatBlock", "Combatants", "count", "Hidden", "hp", "CurrentHP"]
                )
                | st.text(),
                inner,
            )
        ),
    )
)
def test_any_json_is_read_or_refused(data: Any) -> None:
    try:
        text = write_notes(json.dumps(data), "cosmos")
    except Refused:
        return
    assert text.endswith((STAYS, KEEPS))
    read(text[:4000], "cosmos")


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        ({"creatures": ["Pirate", "Docker"], "quantities": [4, 2]}, ["4 Pirate", "2 Docker"]),
        ({"creatures": [{"name": "Pirate"}], "quantities": {"Pirate": 3}}, ["3 Pirate"]),
        ({"creatures": {"Pirate": 4}}, ["4 Pirate"]),
        (["4: Pirate", "Docker x2", "3x Thug", "Boss"], ["4 Pirate", "2 Docker", "3 Thug", "1 Boss"]),
        *[
            ([{"name": "Pirate", name: 5}], ["5 Pirate"])
            for name in ("qty", "howMany", "num", "numberOf", "Copies")
        ],
        ([{"name": "Pirate", "isCount": True, "level": 5}], ["1 Pirate"]),
    ],
)
def test_number_of_each_is_found_under_other_names(data: Any, lines: list[str]) -> None:
    assert write_notes(json.dumps(data)).splitlines()[:-1] == lines
