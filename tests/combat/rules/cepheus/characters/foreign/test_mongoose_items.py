"""Items of mgt2e outside of actors: a user's own records, known catalogue items, and what is left out."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from combat.rules.cepheus.characters.foreign import ITEM_READERS
from combat.rules.cepheus.characters.foreign.items import ITEMS, MAX_LISTED
from combat.rules.cepheus.characters.foreign.mongoose_items import MONGOOSE_ITEMS
from combat.rules.cepheus.characters.goods import CATALOGUE
from combat.rules.core.sheets.catalogue import find_record_problems
from combat.rules.core.sheets.foreign import ForeignItem
from tests.combat.rules.cepheus.characters.foreign.actors import LOOKOUT
from tests.combat.rules.cepheus.characters.foreign.actors import weapon as twodsix_weapon
from tests.combat.rules.cepheus.characters.foreign.test_mongoose import list_places, make_actor, thing, weapon

STING = weapon("Sting", "guncombat.slug", "3D6-3", 20, traits="Auto 2", attackBonus=1)
SUIT = thing("armour", "Hull suit", armour={"protection": "5", "rad": 20, "form": "standard"})
TEA = thing("item", "Tea set", notes="<p>Six cups.</p>", cost="30")
STATS = {"_stats": {"systemId": "mgt2e"}}


def read(data: Any) -> ForeignItem:
    (found,) = MONGOOSE_ITEMS.read(data, {})
    assert not found.problems, found.problems
    return found


@pytest.mark.parametrize("more", [{}, STATS, {"_stats": {"systemId": ""}}])
@pytest.mark.parametrize(
    ("data", "kind", "figures"),
    [
        (STING, "weapon", {"damage": "3d6-3", "rate_of_fire": [1, 2], "tl": 9, "magazine": 6}),
        (SUIT, "armor", {"ar": 5, "cost": 200, "weight_kg": 1}),
        (TEA, "gear", {"text": "Six cups.", "cost": 30}),
    ],
)
def test_each_kind_of_item_has_its_kind_here(
    data: dict[str, Any], more: dict[str, Any], kind: str, figures: dict[str, Any]
) -> None:
    found = read({**data, **more})
    assert (found.kind, found.name) == (kind, data["name"])
    assert {key: found.record[key] for key in figures} == figures
    assert find_record_problems(CATALOGUE, kind, found.record) == ()
    first = next(reader for reader in ITEM_READERS if reader.recognizes({**data, **more}))
    assert first is MONGOOSE_ITEMS


def test_what_finds_no_place_is_told() -> None:
    assert [str(remark) for remark in read(SUIT).remarks] == ["“Hull suit”.armour.rad: 20: not imported"]
    assert "“Sting”.weapon.attackBonus: 1: not imported" in map(str, read(STING).remarks)
    assert read(TEA).remarks == ()


def test_what_the_catalogue_has_is_named() -> None:
    assert read(thing("item", "Binoculars")).known == "Binoculars"


@pytest.mark.parametrize("kind", ["augment", "software", "term", "associate", "x" * 500])
def test_other_kinds_are_left_out_with_a_sentence(kind: str) -> None:
    kept, left = MONGOOSE_ITEMS.read({"name": "Hold", "items": [TEA, {**thing(kind, "Eye"), **STATS}]}, {})
    assert (kept.kind, left.kind) == ("gear", "")
    (remark,) = left.remarks
    assert str(remark) == f"items[1] “Eye”: {kind[:30]}: items of this kind have no place here"


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ([TEA, "a pistol"], "items[1]: must be an item of mgt2e with type and system"),
        ([TEA, make_actor()], "items[1]: must be an item of mgt2e with type and system"),
        ([TEA, {**TEA, "name": ""}], "items[1] “”.name: is missing"),
        ([TEA] * (MAX_LISTED + 1), f"the document: has {MAX_LISTED + 1} items; at most {MAX_LISTED}"),
    ],
)
def test_faults_are_told_with_their_place(data: Any, problem: str) -> None:
    problems = [str(p) for found in MONGOOSE_ITEMS.read(data, {}) for p in found.problems]
    assert [said for said in problems if said.startswith(problem)], problems


def test_nothing_else_is_an_item_of_this_program() -> None:
    other = {**STING, "_stats": {"systemId": "dnd5e"}}
    wrong: list[Any] = [make_actor(), LOOKOUT, twodsix_weapon("Rifle", "3d6"), other, {"type": ["weapon"]}]
    for data in (*wrong, 3, []):
        assert not MONGOOSE_ITEMS.recognizes(data)
    assert ITEMS.recognizes(twodsix_weapon("Rifle", "3d6"))


@pytest.mark.parametrize("bad", [None, [], {}, -3, 1e300, True, "x" * 30_000, [{"a": [1]}]])
def test_any_value_in_any_place_is_read_or_refused(bad: Any) -> None:
    for sound in (STING, SUIT, TEA):
        for number in range(len(list(list_places({**sound, **STATS})))):
            data = copy.deepcopy({**sound, **STATS})
            table, key = list(list_places(data))[number]
            table[key] = bad
            if not MONGOOSE_ITEMS.recognizes(data):
                continue
            for found in MONGOOSE_ITEMS.read(data, {}):
                if not found.problems and found.kind:
                    assert find_record_problems(CATALOGUE, found.kind, found.record) == (), (key, bad)
                else:
                    assert found.problems or found.remarks, (key, bad)
