"""Lists of people with profiles, as JSON: everything is read, or remarked on."""

from __future__ import annotations

import json
from typing import Any

import pytest

from combat.rules.cepheus.people.foreign import READERS
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
def test_other_values_are_not_theirs(data: Any) -> None:
    assert not READER.recognizes(data), json.dumps(data)
