"""Single items of twodsix: a user's own records, known catalog items, and what is left out."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rules.cepheus.characters.foreign.items import ITEMS, MAX_LISTED
from combat.rules.cepheus.characters.goods import CATALOGUE
from combat.rules.core.sheets.catalogue import find_record_problems
from combat.rules.core.sheets.foreign import ForeignItem
from tests.combat.rules.cepheus.characters.foreign.actors import (
    BEAST,
    LOOKOUT,
    RIG,
    armor,
    item,
    skill,
    weapon,
)
from tests.combat.rules.cepheus.characters.foreign.test_actors import ANYTHING, change

MUSKET = weapon(
    "Old Musket",
    "3d6",
    damageBonus=1,
    damageType="piercing",
    armorPiercing=2,
    techLevel=3,
    price="1,250.5",
    weight=4.5,
    associatedSkillName="Slug Rifle",
    features="Slow to load",
)


def read(data: Any) -> ForeignItem:
    (found,) = ITEMS.read(data, {})
    assert not found.problems, found.problems
    return found


def told(found: ForeignItem) -> str:
    return "\n".join(str(remark) for remark in found.remarks)


def test_weapon_by_itself_is_a_record_of_ones_own() -> None:
    found = read(MUSKET)
    record = found.record
    assert (found.name, found.kind, found.known) == ("Old Musket", "weapon", "")
    assert (record["damage"], record["damage_type"], record["skills"]) == ("3d6+1", "P", ["slug_rifle"])
    assert (record["tl"], record["cost"], record["weight_kg"]) == (3, 1250, 4.5)
    assert find_record_problems(CATALOGUE, "weapon", record) == ()


def test_what_finds_no_place_is_told() -> None:
    assert told(read(MUSKET)).splitlines() == [
        "“Old Musket”.range: 100/300: Rifle counts",
        "“Old Musket”.price: 1250.5 is read as 1250",
        "“Old Musket”.armorPiercing: 2: not imported",
    ]


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("weight", "heavy", "weight: heavy: not imported"),
        ("price", "-5", "price: -5: not imported"),
        ("techLevel", 99, "techLevel: 99: not imported"),
        ("associatedSkillName", "Juggling", "skill Juggling is unknown here"),
        ("quantity", 12, "quantity: 12: not imported"),
    ],
)
def test_figure_that_cannot_be_read_is_told(field: str, value: Any, said: str) -> None:
    changed = copy.deepcopy(MUSKET)
    changed["system"][field] = value
    assert said in told(read(changed))


@pytest.mark.parametrize("price", ["Cr500", "500 Cr", "cr 500", 500, 500.0, "500"])
def test_price_is_read_as_programs_write_it(price: Any) -> None:
    assert read(armor("Plating", 5, price=price)).record["cost"] == 500


@pytest.mark.parametrize(
    ("data", "kind", "figures"),
    [
        (armor("Plating", 5, weight=0.5), "armor", {"ar": 5, "ar_laser": 5, "weight_kg": 0.5}),
        (item("equipment", "Thermos", description="<p>Keeps tea hot.</p>"), "gear",
         {"text": "Keeps tea hot."}),
        (item("consumable", "Soup", shortdescr="A day's food."), "gear", {"text": "A day's food."}),
        (item("component", "Roof Gun", subtype="armament", damage="4d6", range="200", rateOfFire="Auto 4"),
         "mount", {"damage": "4d6", "rate_of_fire": [1, 4]}),
    ],
)  # fmt: skip
def test_each_kind_of_item_has_its_kind_here(data: Any, kind: str, figures: dict[str, Any]) -> None:
    found = read(data)
    assert found.kind == kind
    assert {key: found.record[key] for key in figures} == figures


def test_what_the_catalogue_has_is_named() -> None:
    assert read(weapon("Rifle", "3d6")).known == "Rifle"
    assert read(weapon("Rifle", "4d6")).known == ""


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (skill("Admin", 1), "skills: items of this kind have no place here"),
        (item("trait", "Night owl"), "trait: items of this kind have no place here"),
        (weapon("Charm", "lots"), "damage lots is no dice such as 3d6: left out"),
        (item("component", "Cabin", subtype="hull"), "part of the vehicle: only its weapons are imported"),
    ],
)
def test_what_is_no_thing_here_is_left_out_with_a_reason(data: Any, why: str) -> None:
    found = read(data)
    assert (found.kind, found.record) == ("", {})
    (remark,) = found.remarks  # that is enough: its figures are not listed one by one
    assert remark.message.startswith(why)


def test_list_of_items_is_read_each_with_its_place() -> None:
    folder = {"name": "Guns", "type": "Item", "sorting": "a", "color": None, "_id": "f1"}
    both = [MUSKET, skill("Admin", 1)]
    for listed in (both, {"name": "Folder", "items": both}, [folder, *both]):
        assert ITEMS.recognizes(listed)
        first, second = ITEMS.read(listed, {})
        assert first.kind == "weapon"
        assert "items[0] “Old Musket”.armorPiercing" in told(first)
        assert "items[1] “Admin”" in told(second)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ([MUSKET, "a pistol"], "items[1]: must be an item with type and system"),
        ([MUSKET, LOOKOUT], "items[1]: must be an item with type and system"),
        ([MUSKET, weapon("", "3d6")], "items[1] “”.name: is missing"),
        (armor("Plating", 500), "“Plating”.armor: must be a whole number from 0 to 99, not 500"),
        ([MUSKET] * (MAX_LISTED + 1), f"the document: has {MAX_LISTED + 1} items; at most {MAX_LISTED}"),
    ],
)
def test_faults_are_told_with_their_place(data: Any, problem: str) -> None:
    problems = [str(p) for found in ITEMS.read(data, {}) for p in found.problems]
    assert [said for said in problems if said.startswith(problem)], problems


def test_actors_are_no_items() -> None:
    for data in (LOOKOUT, BEAST, RIG, [LOOKOUT, BEAST], {"actors": [LOOKOUT]}):
        assert not ITEMS.recognizes(data)


@given(
    st.sampled_from([MUSKET, armor("Plating", 5), item("tool", "Drill", description="Drills.")]),
    st.lists(st.integers(0, 60), min_size=1, max_size=6),
    ANYTHING,
)
def test_one_value_changed_is_read_or_told(sound: dict[str, Any], path: list[int], value: Any) -> None:
    data = change(copy.deepcopy(sound), path, value)
    if not ITEMS.recognizes(data):
        return
    for found in ITEMS.read(data, {}):
        if not found.problems and found.kind:
            assert find_record_problems(CATALOGUE, found.kind, found.record) == ()
        else:
            assert found.problems or found.remarks


@given(ANYTHING)
def test_anything_is_recognized_or_not(data: Any) -> None:
    if ITEMS.recognizes(data):
        assert ITEMS.read(data, {})
