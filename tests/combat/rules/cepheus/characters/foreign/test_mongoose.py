"""Actors of mgt2e onto sheets: the fields read, a remark on each other one, and all errors at once."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from characters.games import find_problems
from combat.rules.cepheus import SYSTEM
from combat.rules.cepheus.characters.foreign import READERS
from combat.rules.cepheus.characters.foreign.actors import MAX_ACTORS
from combat.rules.cepheus.characters.foreign.mongoose import MONGOOSE
from combat.rules.core.sheets.foreign import Foreign
from tests.thinning import thin_rows


def thing(kind: str, name: str, **system: Any) -> dict[str, Any]:
    usual = {"tl": "9", "cost": 200, "weight": 1, "quantity": 1, "status": None, "notes": "", "active": False}
    return {"name": name, "type": kind, "system": usual | system}


def weapon(name: str, skill: str, damage: str, meters: int, **more: Any) -> dict[str, Any]:
    figures = {"range": meters, "damage": damage, "skill": skill, "magazine": 6 if meters else 0, "ammo": 0}
    plain = {"characteristic": "DEX", "damageBonus": "", "damageType": "standard", "traits": ""}
    return thing("weapon", name, status="equipped", weapon=figures | plain | more)


def make_actor(**changes: Any) -> dict[str, Any]:
    """A free trader with a wound, a pistol of their own and armor."""
    scores = dict(zip(("STR", "DEX", "END", "INT", "EDU", "SOC"), (7, 8, 6, 9, 7, 5), strict=True))
    system = {
        "speed": {"base": 6, "value": 6},
        "hits": {"value": 19, "max": 21, "damage": 2, "tmpDamage": 0},
        "description": "<p>Smuggler</p>",
        "settings": {"columns": "3", "autoAge": True},
        "characteristics": {
            **{key: {"value": n, "current": n, "show": True, "dm": 0} for key, n in scores.items()},
            "CHA": {"value": 7, "show": False},
            "LCK": {"value": 9, "show": True},
        },
        "skills": {
            "admin": {"value": 0, "trained": False},
            "guncombat": {
                "value": 0,
                "trained": True,
                "specialities": {"slug": {"value": 2}, "energy": {"value": 0}},
            },
            "vaccsuit": {"value": 0, "trained": True},
            "untrained": {"value": 0},
        },
        "damage": {"STR": {"value": 0}, "END": {"value": 2, "tmp": 1}},
        "sophont": {"age": "34", "species": "Human", "profession": "Trader", "weight": 80},
        "finance": {"cash": "1200", "pension": 0, "medicalDebt": 500},
    }
    items = [
        weapon("Sting", "guncombat.slug", "3D6-3", 20, traits="Auto 2", attackBonus=1),
        thing("armour", "Hull suit", armour={"protection": "5", "worn": 1, "rad": 0, "form": "standard"}),
        thing("item", "Binoculars"),
        thing("term", "Merchant"),
    ]
    return {
        "name": "Jane",
        "type": "traveller",
        "system": system | changes.pop("system", {}),
        "items": items,
        "_stats": {"systemId": "mgt2e"},
        **changes,
    }


def read(data: Any) -> Foreign:
    (found,) = MONGOOSE.read(data, {})
    assert not found.problems, found.problems
    assert find_problems(SYSTEM, found.sheet) == ()
    return found


def test_traveller_has_scores_wounds_skills_and_money() -> None:
    found = read(make_actor())
    assert found.sheet["attributes"] == {"str": 7, "dex": 8, "end": 6, "int": 9, "edu": 7, "soc": 5}
    assert found.sheet["tracks"] == {"end": 3}
    assert found.sheet["skills"] == {"slug_pistol": 2, "zero_g": 0}
    assert (found.sheet["credits"], found.sheet["move_m"]) == (1200, 6)
    assert found.notes == "Age: 34\nSpecies: Human\nSmuggler\nProfession: Trader"


def test_things_are_those_of_the_catalogue_or_their_own() -> None:
    pistol, suit, glasses = read(make_actor()).sheet["items"]
    assert (pistol["place"], suit["place"], glasses["entry"]) == ("held", "worn", "binoculars")
    assert suit["record"]["ar"] == 5
    wanted = {"damage": "3d6-3", "range_types": ["pistol"], "skills": ["slug_pistol"], "magazine": 6}
    assert wanted.items() <= pistol["record"].items()
    assert pistol["record"]["rate_of_fire"] == [1, 2]


def test_weapon_without_a_range_is_for_melee() -> None:
    (fang,) = read(make_actor(items=[weapon("Shock fang", "melee.bludgeon", "2D6", 0)])).sheet["items"]
    assert (fang["record"]["group"], fang["record"]["range_types"]) == ("melee", ["close_quarters"])


@pytest.mark.parametrize(
    "line",
    [
        "items[4]: Gun Combat (Slug) 2 is read as Slug Pistol",
        "items[3] “Merchant”: term: items of this kind have no place here",
        "system.characteristics.LCK.value: 9: not imported",
        "system.finance.medicalDebt: 500: not imported",
        "items[0] “Sting”.weapon.attackBonus: 1: not imported",
    ],
)
def test_what_is_left_out_is_said(line: str) -> None:
    assert line in [str(remark) for remark in read(make_actor()).remarks]


def test_nothing_that_every_file_has_gets_a_remark() -> None:
    assert len(read(make_actor()).remarks) == 7, "those five, the vacc suit and the binoculars"


def test_hits_of_an_npc_do_not_say_which_score_is_hurt() -> None:
    found = read(make_actor(type="npc", system={"damage": {}}))
    assert found.sheet["tracks"] == {}
    assert "system.hits: 19 of 21 left: which score is damaged is not said, so none is" in map(
        str, found.remarks
    )


def test_list_of_actors_is_read_and_bad_ones_are_refused_singly() -> None:
    beast = {"name": "Sand cat", "type": "creature", "system": {}, "_stats": {"systemId": "mgt2e"}}
    jane, cat, nothing = MONGOOSE.read([make_actor(), beast, 3], {})
    assert not jane.problems
    assert str(cat.problems[0]).endswith(
        "“Sand cat” is a creature: of mgt2e, only travellers and NPCs are read"
    )
    assert "must be an actor of mgt2e" in str(nothing.problems[0])
    item = {**thing("armour", "Hull suit"), "_stats": {"systemId": "mgt2e"}}
    (suit,) = MONGOOSE.read(item, {})
    assert MONGOOSE.recognizes(item)
    assert str(suit.problems[0]).endswith("“Hull suit” is an item (armour): import items on the page “Gear”")
    assert "at most 50 are read at once" in str(MONGOOSE.read([make_actor()] * (MAX_ACTORS + 1), {})[-1])


@pytest.mark.parametrize(
    ("changes", "meant"),
    [
        ({}, True),
        ({"_stats": {}}, True),
        ({"_stats": {"systemId": "twodsix"}}, False),
        ({"_stats": {}, "system": {"characteristics": {"strength": {"value": 7}}}}, False),
        ({"type": "weapon"}, True),
        ({"type": "weapon", "_stats": {}}, False),
    ],
)
def test_files_of_this_program_alone_are_meant(changes: dict[str, Any], meant: bool) -> None:
    data = make_actor(**changes)
    assert MONGOOSE.recognizes(data) is meant
    others = [reader for reader in READERS if reader is not MONGOOSE and not reader.plain]
    assert not (meant and any(reader.recognizes(data) for reader in others))


def list_places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every table or list in a document, each with one of its keys."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield value, key
        yield from list_places(one)


BAD: list[tuple[Any, ...]] = [
    (None,),
    ([],),
    ({},),
    (-3,),
    (1e300,),
    (True,),
    ("x" * 30_000,),
    ([{"a": [1]}],),
]


@pytest.mark.parametrize("bad", thin_rows(BAD, (-3,), ([{"a": [1]}],)))
def test_any_value_in_any_place_is_read_or_refused(bad: Any) -> None:
    for number in range(len(list(list_places(make_actor())))):
        data = copy.deepcopy(make_actor())
        table, key = list(list_places(data))[number]
        table[key] = bad
        for found in MONGOOSE.read(data, {}):
            assert found.problems or find_problems(SYSTEM, found.sheet) == (), (key, bad)
