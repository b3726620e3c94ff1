"""Actors of twodsix onto sheets: the fields read, a note on each other one, and all errors at once."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from characters.games import check_sheet, find_problems
from combat.rules.cepheus import SYSTEM
from combat.rules.cepheus.characters.foreign.actors import MAX_ACTORS, READER
from combat.rules.core.sheets.foreign import Foreign
from tests.combat.rules.cepheus.characters.foreign.actors import (
    BEAST,
    FAULTY,
    LOOKOUT,
    RIG,
    SENTRY,
    actor,
    armor,
    being,
    characteristics,
    item,
    skill,
    weapon,
)


def read(data: Any) -> Foreign:
    (found,) = READER.read(data, {})
    assert not found.problems, found.problems
    assert find_problems(SYSTEM, found.sheet) == ()
    return found


def told(found: Foreign) -> str:
    return "\n".join(str(remark) for remark in found.remarks)


# ---------------------------------------------------------------- travellers


def test_traveller_has_scores_skills_things_and_money() -> None:
    found = read(LOOKOUT)
    sheet = found.sheet
    assert (found.name, sheet["kind"], sheet["credits"]) == ("Lookout", "person", 1250)
    assert sheet["attributes"] == {"str": 8, "dex": 6, "end": 8, "int": 7, "edu": 7, "soc": 4}
    assert sheet["tracks"] == {"str": 6}
    assert sheet["skills"] == {"slug_rifle": 1, "natural_weapons": 0}  # Driving is asked
    things = {one.get("entry") or one["record"]["name"]: one for one in sheet["items"]}
    assert list(things) == ["rifle", "cloth", "Old Musket", "binoculars", "Thermos"]
    assert (
        things["rifle"]["place"],
        things["cloth"]["place"],
        things["Old Musket"].get("place", "carried"),
    ) == (
        "held",
        "worn",
        "carried",
    )
    assert things["Thermos"]["count"] == 2


def test_words_of_a_traveller_go_to_the_notes_without_html() -> None:
    assert read(LOOKOUT).notes == "Age: 34\nSpecies: Human\nWatches the gate.\nSleeps badly & late."


def test_thing_that_no_catalogue_has_becomes_one_of_its_own() -> None:
    (musket,) = [one["record"] for one in read(LOOKOUT).sheet["items"] if one.get("record", {}).get("damage")]
    assert (musket["name"], musket["damage"], musket["magazine"]) == ("Old Musket", "3d6", 1)
    assert (musket["range_types"], musket["skills"], musket["notes"]) == (
        ["rifle"],
        ["slug_rifle"],
        "Slow to load",
    )


@pytest.mark.parametrize(
    "line",
    [
        "system.finances.debt: 400: not imported",
        "system.heroPoints: 2: not imported",
        "items[4]: Investigate 1: there is no such skill here",
        "items[1]: Gun Combat 1 is read as Slug Rifle",
        "items[5] “Rifle”: is Rifle of the catalogue, with the figures and words there",
        "items[6] “Old Musket”.armorPiercing: 2: not imported",
        "items[7] “Unarmed”: everybody can strike with bare hands: left out",
        "items[11] “Night owl”: trait: items of this kind have no place here",
    ],
)
def test_what_finds_no_place_is_told(line: str) -> None:
    assert line in told(read(LOOKOUT))


def test_bookkeeping_is_not_told() -> None:
    said = told(read(LOOKOUT))
    for word in ("encumbrance", "untrainedSkill", "shortLabel", "docReference", "stamina"):
        assert word not in said


def test_damage_unlike_the_catalogues_makes_an_own_item() -> None:
    found = read(actor("traveller", "Ann", being(), weapon("Rifle", "4d6")))
    assert found.sheet["items"][0]["record"]["damage"] == "4d6"
    assert "has damage 4d6, in the catalogue 3d6" in told(found)


def test_movement_in_a_strange_unit_counts_as_meters() -> None:
    found = read(actor("traveller", "Ann", being(movement={"walk": 10, "units": "furlongs"})))
    assert found.sheet["move_m"] == 10
    assert "system.movement.units: furlongs: read as meters" in told(found)


def test_active_effects_are_told() -> None:
    assert "effects: 2 active effects" in told(read(actor("traveller", "Ann", being(), effects=[{}, {}])))


def test_old_files_with_data_instead_of_system_are_read() -> None:
    old = copy.deepcopy(LOOKOUT)
    old["data"] = old.pop("system")
    for one in old["items"]:
        one["data"] = one.pop("system")
    assert read(old) == read(LOOKOUT)


# ---------------------------------------------------------------- animals, robots, vehicles


def test_animal_has_natural_armor_attacks_and_pace() -> None:
    found = read(BEAST)
    sheet = found.sheet
    assert (sheet["kind"], sheet["natural_armor"], sheet["move_m"]) == ("animal", 2, 12)
    assert sheet["natural_attacks"] == [{"name": "Claws", "damage": "2d6+1"}]
    assert sheet["skills"] == {"natural_weapons": 1}
    assert "system.movement.climb: 6: not imported" in told(found)
    assert "system.animalType.niche: carnivore: not imported" in told(found)
    assert found.notes == "Size: 80 kg"


def test_robot_has_hull_and_structure_of_its_hits() -> None:
    found = read(SENTRY)
    sheet = found.sheet
    assert sheet["attributes"] == {
        "str": 12, "dex": 10, "int": 7, "edu": 5, "soc": 0, "hull": 5, "structure": 5, "armor": 9,
    }  # fmt: skip
    assert sheet["natural_attacks"] == [{"name": "Pincers", "damage": "3d6"}]
    assert sheet["skills"] == {"energy_rifle": 2}
    assert "Hull 5 and Structure 5 are those of 37 hits, one for every 8" in told(found)
    assert "system.characteristics.endurance: 15: machines have none here" in told(found)


def test_robot_of_the_catalogue_has_the_points_of_its_model() -> None:
    found = read({**SENTRY, "name": "Combat Drone"})
    assert (found.sheet["model"], found.sheet["attributes"]["hull"], found.sheet["drone"]) == (
        "combat_drone",
        4,
        True,
    )


def test_vehicle_has_a_body_a_crew_and_mounted_weapons() -> None:
    found = read(RIG)
    sheet = found.sheet
    assert sheet["attributes"] == {"hull": 10, "structure": 9, "armor": 6}
    assert sheet["tracks"] == {"hull": 7}
    assert (sheet["speed_kph"], sheet["agility"], sheet["crew"], sheet["passengers"]) == (70, -1, 2, 4)
    assert (sheet["drives_by"], sheet["open"]) == ("wheeled_vehicle", True)
    (gun,) = sheet["items"]
    assert (gun["kind"], gun["place"], gun["record"]["damage"]) == ("mount", "held", "4d6")
    assert gun["record"]["rate_of_fire"] == [1, 4]
    assert "systemStatus.sensors: destroyed: imported as working" in told(found)
    assert "“Crew Cabin”: part of the vehicle: only its weapons are imported" in told(found)


def test_vehicle_without_structure_gets_the_least_and_says_so() -> None:
    bare = copy.deepcopy(RIG)
    bare["system"]["damageStats"] = {}
    found = read(bare)
    assert found.sheet["attributes"]["structure"] == 1
    assert "damageStats.structure: is 0: a vehicle has at least 1" in told(found)


# ---------------------------------------------------------------- errors


def test_file_with_every_fault_tells_all_of_them_at_once() -> None:
    (found,) = READER.read(FAULTY, {})
    assert {str(problem).removeprefix("actor 1, ") for problem in found.problems} == {
        "name: is missing",
        "items[3]: must be a table of named values",
        "items[0] “Admin”.value: must be a whole number",
        "system.characteristics.strength.value: must be a whole number from 0 to 999, not 4000",
        "system.characteristics.dexterity.value: must be a whole number from 0 to 999, not strong",
        "system.characteristics.endurance.value: must be a whole number from 0 to 999, not nothing",
        "system.characteristics.education.value: must be a whole number from 0 to 999, not true",
        "system.finances.cash: must be a whole number from 0 to 1000000000, not -5",
        "system.movement.walk: must be a whole number from 0 to 999, not 1000000",
        "items[1] “”.name: is missing",
        "items[2] “Plating”.armor: must be a whole number from 0 to 99, not 500",
    }


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("ship", "actor 2: “Ann” is a ship: these rules fight with traveller, animal, robot, vehicle only"),
        ("space-object", "actor 2: “Ann” is a space object: these rules fight with"),
        ("weapon", "actor 2: “Ann” is an item (weapon): import items on the page “Gear”"),
        ("trait", "actor 2: “Ann” is an item (trait)"),
    ],
)
def test_ships_and_items_among_actors_are_refused_by_name(kind: str, said: str) -> None:
    found = READER.read([LOOKOUT, {"name": "Ann", "type": kind, "system": {}}], {})
    assert str(found[1].problems[0]).startswith(said)


def test_what_lies_beside_the_actors_of_an_adventure_is_told() -> None:
    found = READER.read({"actors": [LOOKOUT, BEAST], "items": [armor("Cloth", 9)], "journal": []}, {})
    assert "items: 1 beside the actors: not imported" in told(found[0])
    assert "beside the actors" not in told(found[1])


def test_list_of_actors_is_read_and_limited() -> None:
    assert [one.name for one in READER.read([LOOKOUT, BEAST], {})] == ["Lookout", "Ridge Cat"]
    many = READER.read([LOOKOUT] * (MAX_ACTORS + 1), {})
    assert f"has {MAX_ACTORS + 1} actors" in many[-1].problems[0].message


@pytest.mark.parametrize("strength", [34, 48, 999])
def test_strength_beyond_the_digits_of_a_profile_is_kept(strength: int) -> None:
    scores = {**characteristics("777777"), "strength": {"value": strength, "damage": 0}}
    found = read(actor("animal", "Grazer", being(characteristics=scores)))
    assert found.sheet["attributes"]["str"] == strength


def test_folders_among_the_documents_are_passed_over() -> None:
    folder = {"name": "Crew", "type": "Actor", "sorting": "a", "_id": "f1"}
    assert [one.name for one in READER.read([folder, LOOKOUT], {})] == ["Lookout"]


@pytest.mark.parametrize(("length", "said"), [(60, ""), (61, "name: has more than 60 characters: cut")])
def test_long_name_is_cut_and_told(length: int, said: str) -> None:
    found = read(actor("traveller", "n" * length, being()))
    assert (found.name, told(found)) == ("n" * 60, said)


def test_too_many_items_are_refused() -> None:
    (found,) = READER.read(actor("traveller", "Ann", being(), *[item("equipment", "Rope")] * 201), {})
    assert "“Ann”, items: has 201; at most 200 are read" in {str(p) for p in found.problems}


def test_too_many_items_of_all_actors_are_refused() -> None:
    crowd = [actor("traveller", "Ann", being(), *[item("equipment", "Rope")] * 200)] * 21
    (found,) = READER.read(crowd, {})
    assert found.problems[0].message == "has 4,200 items; at most 4,000 are read at once"


def test_long_list_of_remarks_is_cut_and_counted() -> None:
    found = read(actor("traveller", "Ann", being("768579", **{f"extra{n}": n + 1 for n in range(150)})))
    assert len(found.remarks) == 101
    assert "50 more entries found no place" in told(found)


# ---------------------------------------------------------------- fuzzing

ATOMS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12)
ANYTHING = st.recursive(
    ATOMS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def change(data: Any, path: list[int], value: Any) -> Any:
    """A document with one value, found by a path of choices, replaced."""
    here = data
    for step in path:
        keys = list(here) if isinstance(here, dict) else list(range(len(here)))
        key = keys[step % len(keys)]
        if isinstance(here[key], dict | list) and here[key] and step % 4:
            here = here[key]
            continue
        here[key] = value
        break
    return data


@given(
    st.sampled_from([LOOKOUT, BEAST, SENTRY, RIG]),
    st.lists(st.integers(0, 60), min_size=1, max_size=6),
    ANYTHING,
)
def test_one_value_changed_is_read_or_told(sound: dict[str, Any], path: list[int], value: Any) -> None:
    data = change(copy.deepcopy(sound), path, value)
    if not READER.recognizes(data):
        return
    for found in READER.read(data, {}):
        if not found.problems:
            problems = find_problems(SYSTEM, found.sheet)
            assert problems or check_sheet(SYSTEM, found.sheet)["attributes"]


@given(ANYTHING)
def test_anything_is_recognized_or_not(data: Any) -> None:
    if READER.recognizes(data):
        assert READER.read(data, {})


@given(st.text(max_size=20), st.integers(-5, 12))
def test_any_skill_is_read_or_told(name: str, level: int) -> None:
    (found,) = READER.read(actor("traveller", "Ann", being(), skill(name, level)), {})
    assert not found.problems
    if name.strip() and level >= 0 and not found.sheet["skills"]:
        assert found.remarks or name.casefold().startswith("untrained") or not name.isprintable()


def test_armor_against_lasers_is_read() -> None:
    shiny = armor("Mirror Coat", 2, secondaryArmor={"value": 8, "protectionTypes": ["laser"]})
    record = read(actor("traveller", "Ann", being(), shiny)).sheet["items"][0]["record"]
    assert (record["ar"], record["ar_laser"]) == (2, 10)
