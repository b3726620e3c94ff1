"""Questions that readers ask instead of guessing: ranges, skills, items' places, names of other books."""

from __future__ import annotations

from typing import Any

import pytest

from characters.games import find_problems
from combat.rules.cepheus import SYSTEM
from combat.rules.cepheus.book import tables
from combat.rules.cepheus.characters.foreign import READERS
from combat.rules.cepheus.characters.foreign.items import ITEMS
from combat.rules.core.sheets.foreign import Foreign
from tests.combat.rules.cepheus.characters.foreign.actors import RIG, actor, armor, being, item, skill, weapon

READER, _, TABLED, LISTED, LINES, _ = READERS
GUNS = [row for row in tables.weapons().values() if row.group == "ranged" and row.damage]
BLADES = [row for row in tables.weapons().values() if row.group == "melee" and row.id != "unarmed_strike"]
CE_BANDS = {"close_quarters": "closeQuarters", "extended_reach": "extendedReach"} | {
    "assault_weapon": "assaultWeapon"
}


def read(data: Any, **answers: str) -> Foreign:
    """The only actor of a document; answers are given by the ends of their keys."""
    (first,) = READER.read(data, {})
    given = {
        question.key: value
        for question in first.questions
        for end, value in answers.items()
        if question.key.endswith(end)
    }
    assert len(given) >= len(answers), (answers, first.questions)
    (found,) = READER.read(data, given)
    assert not found.problems, found.problems
    assert find_problems(SYSTEM, found.sheet) == ()
    return found


def asked(found: Foreign) -> dict[str, str]:
    """The questions by text, with their present choices."""
    return {question.text: question.chosen for question in found.questions}


def place_of(found: Foreign, name: str) -> str:
    (thing,) = [one for one in found.sheet["items"] if name == one.get("entry")]
    return str(thing.get("place", "carried"))


def person(*items: dict[str, Any], **more: Any) -> dict[str, Any]:
    return actor("traveller", "Ann", being(**more), *items)


# ---------------------------------------------------------------- weapons


def gun_item(row: Any, **shape: Any) -> dict[str, Any]:
    """A gun of the tables under another name, in the fields of the program."""
    kind = "laser" if row.laser else "plasma" if row.energy else "ballistic"
    plain = {
        "range": "",
        "rangeBand": "none",
        "weaponType": "ranged",
        "damageType": kind,
        "ammo": str(row.magazine),
        "equipped": "equipped",
    }
    return weapon(f"Old {row.name} Mk2", row.damage, **{**plain, **shape})


SHAPES: dict[str, Any] = {
    "band of the rules": lambda row: {
        "rangeBand": CE_BANDS.get(row.range_types[0], row.range_types[0]),
    },
    "two distances": lambda row: {"range": "40/120", "rangeBand": "40/120"},
    "kilometers": lambda row: {"range": "1.5 km"},
    "feet": lambda row: {"range": "60 ft"},
    "words": lambda row: {"range": "Very Long"},
    "nothing": lambda row: {},
    "band of another book": lambda row: {"rangeBand": "close"},
    "a band of swords": lambda row: {"rangeBand": "closeQuarters"},
    "only shots": lambda row: {"weaponType": "", "damageType": "NONE"},
}


@pytest.mark.parametrize("shape", SHAPES)
def test_gun_never_becomes_a_weapon_for_melee(shape: str) -> None:
    for row in GUNS:
        found = read(person(gun_item(row, **SHAPES[shape](row))))
        (thing,) = found.sheet["items"]
        record = thing["record"]
        assert record["group"] == "ranged", row.id
        assert record.get("magazine", 0) == row.magazine, row.id
        is_asked = any(question.key.endswith(".skill") for question in found.questions)
        assert is_asked or record["skills"] != ["archery"], row.id
        if shape == "band of the rules":
            assert record["range_types"] == [row.range_types[0]], row.id
            assert not any(question.key.endswith(".range") for question in found.questions), row.id


@pytest.mark.parametrize("row", BLADES, ids=lambda row: row.id)
def test_weapon_for_melee_stays_one(row: Any) -> None:
    kind = {"B": "bludgeoning", "P": "piercing", "S": "slashing"}[row.damage_type[0]]
    plain = {"range": "", "ammo": "", "weaponType": "melee", "associatedSkillName": "Melee Combat"}
    band = CE_BANDS[row.range_types[0]]
    thing = weapon(
        f"Old {row.name}", row.damage, rangeBand=band, damageType=kind, equipped="equipped", **plain
    )
    record = read(person(thing)).sheet["items"][0]["record"]
    assert (record["group"], record.get("magazine", 0)) == ("melee", 0)
    assert (record["range_types"], record["skills"]) == ([row.range_types[0]], [f"{kind}_weapons"])


def test_range_and_skill_are_those_answered() -> None:
    gun = weapon("Needler", "3d6", rangeBand="none", range="20/100", damageType="NONE", equipped="equipped")
    first = read(person(gun))
    assert asked(first)["Needler, range 20/100: which range?"] == "pistol"
    found = read(person(gun), range="assault_weapon", skill="slug_pistol")
    record = found.sheet["items"][0]["record"]
    assert (record["range_types"], record["skills"]) == (["assault_weapon"], ["slug_pistol"])
    assert not record.get("two_handed")
    assert "items[0] “Needler”: Needler, range 20/100: which range? Assault Weapon" in {
        str(remark) for remark in found.remarks
    }


@pytest.mark.parametrize("name", ["Heavy Weapons", "Archery", "Slug Pistol"])
def test_weapon_with_one_named_skill_asks_nothing(name: str) -> None:
    """Not even where its range and damage make another likely."""
    gun = weapon("Needler", "3d6", damageType="NONE", associatedSkillName=name, equipped="equipped")
    found = read(person(gun))
    assert found.questions == ()
    assert found.sheet["items"][0]["record"]["skills"] == [name.lower().replace(" ", "_")]


def test_answer_that_is_no_option_counts_as_none() -> None:
    gun = weapon("Needler", "3d6", rangeBand="none", range="", equipped="equipped")
    found = read(person(gun), range="orbital")
    (question,) = [one for one in found.questions if one.key.endswith("range")]
    assert question.chosen == ""


def test_item_by_itself_asks_as_well() -> None:
    (found,) = ITEMS.read(weapon("Needler", "3d6", rangeBand="none", range="20/100"), {})
    assert [question.text for question in found.questions] == ["Needler, range 20/100: which range?"]
    (found,) = ITEMS.read(
        weapon("Needler", "3d6", rangeBand="none", range="20/100"), {found.questions[0].key: "shotgun"}
    )
    assert found.record["range_types"] == ["shotgun"]


# ---------------------------------------------------------------- places


def test_things_in_the_backpack_are_carried() -> None:
    found = read(person(armor("Cloth", 9, equipped="backpack"), weapon("Rifle", "3d6", equipped="backpack")))
    assert (place_of(found, "cloth"), place_of(found, "rifle")) == ("carried", "carried")
    assert not found.questions


@pytest.mark.parametrize(
    ("place", "where"), [("ship", "on the ship"), ("vehicle", "in the vehicle"), ("base", "at the base")]
)
def test_things_left_elsewhere_stay_there_unless_they_are_taken(place: str, where: str) -> None:
    data = person(armor("Cloth", 9, equipped=place), item("equipment", "Binoculars", equipped=place))
    found = read(data)
    assert found.sheet["items"] == []
    assert asked(found) == {f"Cloth, Binoculars ({where}): where to?": "left_out"}
    assert f"Left {where}: Cloth, Binoculars" in found.notes
    taken = read(data, **{f"place-{place}": "carried"})
    assert (place_of(taken, "cloth"), place_of(taken, "binoculars")) == ("carried", "carried")
    assert "Left" not in taken.notes


def test_thing_that_is_used_up_is_left_out_and_told() -> None:
    found = read(person(item("equipment", "Binoculars", quantity=0)))
    assert found.sheet["items"] == []
    assert "items[0] “Binoculars”: quantity 0: left out" in {str(remark) for remark in found.remarks}


def test_place_that_is_not_said_is_asked() -> None:
    bare = armor("Cloth", 9)
    del bare["system"]["equipped"]
    found = read(person(bare))
    assert asked(found) == {"Cloth: the file says no place. Where to?": "carried"}
    assert place_of(read(person(bare), place="ready"), "cloth") == "worn"


# ---------------------------------------------------------------- people


def test_movement_of_zero_is_asked() -> None:
    data = person(movement={"walk": 0, "units": "ft"})
    found = read(data)
    assert found.sheet["move_m"] == 6
    assert asked(found) == {"Movement is 0 m in the file: how far?": "6"}
    assert read(data, walk="0").sheet["move_m"] == 0


def test_psionic_strength_that_every_file_has_is_asked() -> None:
    scores = being()["characteristics"]
    scores["psionicStrength"]["value"] = 7
    found = read(person(characteristics=scores))
    assert "psi" not in found.sheet["attributes"]
    assert read(person(characteristics=scores), psi="yes").sheet["attributes"]["psi"] == 7
    assert (
        read(person(item("psiAbility", "Telepathy"), characteristics=scores)).sheet["attributes"]["psi"] == 7
    )


def test_gun_combat_without_a_gun_is_asked() -> None:
    """RULING R55"""
    data = person(skill("Gun Combat", 2))
    (question,) = read(data).questions
    assert question.text == "Gun Combat 2: which skill?"
    assert [key for key, _ in question.options][:3] == ["archery", "energy_pistol", "energy_rifle"]
    assert read(data, skill0="shotgun").sheet["skills"] == {"shotgun": 2}
    assert read(data, skill0="left_out").sheet["skills"] == {}


def test_gun_combat_with_a_gun_is_the_skill_of_that() -> None:
    found = read(person(skill("Gun Combat", 2), weapon("Shotgun", "4d6", equipped="equipped")))
    assert found.sheet["skills"] == {"shotgun": 2}
    assert not found.questions


@pytest.mark.parametrize("level", [0, 3])
def test_skill_by_its_own_name_goes_before_a_cascade(level: int) -> None:
    """RULING R55"""
    gun = weapon("Rifle", "3d6", equipped="equipped")
    found = read(person(skill("Gun Combat", 1), skill("Slug Rifle", level), gun))
    assert found.sheet["skills"] == {"slug_rifle": level}
    assert not found.questions


@pytest.mark.parametrize(
    ("name", "key"),
    [("Pilot", "piloting"), ("Vacc Suit", "zero_g"), ("Zero-G", "zero_g"), ("Repair", "mechanics")],
)
def test_every_reader_knows_the_names_of_other_books(name: str, key: str) -> None:
    """RULING R55"""
    texts = {
        LINES: f"Jane 789A77 {name}-2",
        LISTED: f"Jane 789A77 Age 30\n{name}-2, Admin-0",
        TABLED: "Jane permalink\nStr\n" + "\t".join(["7 (+0)"] * 6) + f"\nSkills\n{name} 2\n",
    }
    for reader, text in texts.items():
        assert reader.recognizes(text)
        (found,) = reader.read(text, {})
        assert (found.problems, found.sheet["skills"][key]) == ((), 2)
    assert read(person(skill(name, 2))).sheet["skills"] == {key: 2}


@pytest.mark.parametrize("reader", [LINES, LISTED])
def test_gun_combat_of_a_text_is_asked(reader: Any) -> None:
    text = "Jane 789A77 Gun Combat 2" if reader is LINES else "Jane 789A77 Age 30\nGun Combat 2"
    (found,) = reader.read(text, {})
    (question,) = found.questions
    assert question.text == "Gun Combat 2: which skill?"
    (found,) = reader.read(text, {question.key: "slug_pistol"})
    assert found.sheet["skills"] == {"slug_pistol": 2}


# ---------------------------------------------------------------- vehicles


def rig(**system: Any) -> dict[str, Any]:
    return {**RIG, "system": {**RIG["system"], **system}}


def test_skill_to_drive_is_asked_where_it_may_be_several() -> None:
    found = read(rig(skillToOperate="Driving"))
    assert asked(found)["Driven by Driving: which skill?"] == ""
    assert (
        read(rig(skillToOperate="Driving"), driving="tracked_vehicle").sheet["drives_by"] == "tracked_vehicle"
    )


def test_armor_label_of_a_tank_is_told() -> None:
    body = {**RIG["system"]["damageStats"], "armorLabel": "Heavy"}
    told = [str(remark) for remark in read(rig(damageStats=body)).remarks]
    assert "system.damageStats.armorLabel: Heavy: not imported" in told


# ---------------------------------------------------------------- actors of other origin


@pytest.mark.parametrize(
    "other",
    [
        {"_stats": {"systemId": "mgt2e"}},
        {"_stats": {"systemId": "dnd5e"}, "type": "vehicle"},
        {"system": {"characteristics": {"STR": {"value": 7}}}},
    ],
)
def test_actors_of_other_systems_are_not_taken_for_twodsix(other: dict[str, Any]) -> None:
    assert not READER.recognizes({**person(), **other})
