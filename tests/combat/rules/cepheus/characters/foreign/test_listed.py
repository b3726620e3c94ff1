"""Lists of people with profiles, as JSON: everything is read, or remarked on."""

from __future__ import annotations

import json
from typing import Any

import pytest

from combat.rules.cepheus.characters.foreign import READERS
from combat.rules.core.sheets.foreign import Foreign

READER = READERS[-1]
JANE = {
    "name": "Jane",
    "upp": "687B9C-4",
    "skills": ["Pilot-2", "Admin 0", {"name": "Medic", "level": 1}],
    "credits": "1,500",
    "equipment": ["Rifle", "Blade x 2", "Grandfather's watch"],
    "age": 42,
    "mood": "grim",
}


def read(data: Any) -> Foreign:
    assert READER.recognizes(data)
    (found,) = READER.read(data, {})
    return found


def told(found: Foreign) -> str:
    return "\n".join(map(str, found.remarks))


def test_person_with_a_profile_is_read_and_the_rest_is_listed() -> None:
    found = read([JANE])
    scores = found.sheet["attributes"]
    assert scores == {"str": 6, "dex": 8, "end": 7, "int": 11, "edu": 9, "soc": 12, "psi": 4}
    assert found.sheet["skills"] == {"piloting": 2, "admin": 0, "medicine": 1}
    assert (found.sheet["credits"], found.notes) == (1500, "Age: 42")
    assert [item["entry"] for item in found.sheet["items"]] == ["rifle", "blade"]
    assert "equipment: Grandfather's watch: not imported" in told(found)
    assert "mood: grim: not imported" in told(found)


@pytest.mark.parametrize("skills", [{"Pilot": 2, "Admin": 0}, "Pilot-2, Admin-0", ["Pilot 2", "Admin 0"]])
def test_skills_are_a_table_a_text_or_a_list(skills: Any) -> None:
    assert read({**JANE, "skills": skills}).sheet["skills"] == {"piloting": 2, "admin": 0}


@pytest.mark.parametrize(
    ("fields", "places"),
    [
        ({"weapons": ["Rifle"], "armor": "Cloth"}, [("rifle", "held"), ("cloth", "worn")]),
        ({"weapon": {"name": "Blade"}, "armour": [{"name": "Mesh"}]}, [("blade", "held"), ("mesh", "worn")]),
        (
            {"equipment": ["Cloth"], "weapons": "Blade, Blade"},
            [("blade", "held"), ("blade", "held"), ("cloth", "worn")],
        ),
    ],
)
def test_weapons_and_armor_of_the_catalogue_are_carried(fields: Any, places: list[tuple[str, str]]) -> None:
    found = read({"name": "Ann", "upp": "777A87", **fields})
    assert [(item["entry"], item.get("place")) for item in found.sheet["items"]] == places
    assert not found.remarks


def test_weapons_and_armor_that_no_catalogue_has_are_told() -> None:
    found = read({"name": "Ann", "upp": "777A87", "weapons": ["Laser sword"], "armor": 7})
    assert "weapons: Laser sword: not imported" in told(found)
    assert "armor: 7: not imported" in told(found)


@pytest.mark.parametrize(("stated", "count"), [(2, 2), ("2", 2), (1.0, 1), (None, 1), ("two", 0), (0, 0)])
def test_item_in_a_table_says_how_many(stated: Any, count: int) -> None:
    found = read({"name": "Ann", "upp": "777A87", "weapons": [{"name": "Blade", "quantity": stated}]})
    assert sum(item.get("count", 1) for item in found.sheet["items"]) == count
    assert ("not imported" in told(found)) == (count == 0)


def test_figures_of_an_item_of_the_catalogue_are_told() -> None:
    armor = {"name": "Mesh", "rating": 9, "img": "mesh.png", "notes": ""}
    found = read({"name": "Ann", "upp": "777A87", "armor": armor})
    assert told(found) == "armor: Mesh: as in the catalogue, without rating"


def test_signs_of_a_word_processor_are_read() -> None:
    found = read(
        {"name": "A\u00adnn", "upp": "77\u00ad7A87", "skills": ["Ad\u00admin\u20111", "Pilot\u20102"]}
    )
    assert (found.name, found.sheet["attributes"]["int"]) == ("Ann", 10)
    assert found.sheet["skills"] == {"admin": 1, "piloting": 2}


@pytest.mark.parametrize(
    ("weapons", "skill"), [([], "natural_weapons"), (["Blade", "Cudgel"], "piercing_weapons")]
)
def test_cascade_with_one_level_is_one_skill(weapons: list[str], skill: str) -> None:
    """RULING R55"""
    found = read({"name": "Ann", "upp": "777A87", "skills": ["Melee Combat 1"], "weapons": weapons})
    assert found.sheet["skills"] == {skill: 1}


@pytest.mark.parametrize(("written", "number"), [("1,250", 1250), ("1.250,50", 0), ("1,5", 0), ("-3", 0)])
def test_money_is_a_whole_number(written: str, number: int) -> None:
    found = read({"name": "Ann", "upp": "777A87", "credits": written})
    assert found.sheet["credits"] == number
    assert (f"credits: {written} is no whole number: not imported" in told(found)) == (
        written in ("1.250,50", "1,5")
    )


@pytest.mark.parametrize("around", ["characters", "people", "npcs", "crew"])
def test_list_may_stand_in_a_table(around: str) -> None:
    assert read({around: [JANE], "version": 3}).name == "Jane"


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ({**JANE, "name": ""}, "person 2, name: must have 1 to 60 characters"),
        ({**JANE, "upp": 7}, "person 2, upp: "),
        (7, "person 2: must be a table of named values"),
    ],
)
def test_fault_names_its_person(broken: Any, said: str) -> None:
    sound, faulty = READER.read([JANE, broken], {})
    assert not sound.problems
    assert str(faulty.problems[0]).startswith(said)


@pytest.mark.parametrize("data", [{"name": "Ann"}, [{"name": "Ann", "upp": "Facade"}], [7], "Jane 777777"])
def test_other_values_are_not_taken_for_a_list_of_people(data: Any) -> None:
    assert not READER.recognizes(data), json.dumps(data)
