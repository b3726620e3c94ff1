"""The catalog, a user's own records, and items, conditions and Hit Points of a sheet in a fight."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rules import find_system
from combat.rules.core.sheets.catalogue import OWN, find_record_problems, find_thing_problems, new_thing
from combat.rules.core.sheets.sheets import Carried, find_sheet_problems
from combat.rules.cosmos.book import tables
from tests.combat.rules.cosmos.figures import CosmosStage, sheet, words
from tests.typed import sure

SYSTEM = find_system("cosmos")
CATALOGUE = sure(SYSTEM.book.catalogue)
PLAN = sure(SYSTEM.book.sheets)


def record(kind: str = "weapon", entry: str = "pistol", **changes: Any) -> dict[str, Any]:
    """A user's own record, after one of the catalog."""
    found = sure(CATALOGUE.find_entry(kind, entry))
    return {**copy.deepcopy(found.record), "id": OWN, "origin": OWN, **changes}


def problems(**changes: Any) -> dict[str, str]:
    return {p.place: p.message for p in find_record_problems(CATALOGUE, "weapon", record(**changes))}


def thing(thing_id: str = "i1", kind: str = "weapon", entry: str = "pistol", **more: Any) -> dict[str, Any]:
    return {
        "id": thing_id,
        "kind": kind,
        "entry": entry,
        **({"loaded": 15} if entry == "pistol" else {}),
        **more,
    }


def sheet_problems(**more: Any) -> list[str]:
    data = {**sheet(weapons=()), **more}
    return [str(p) for p in find_sheet_problems(PLAN, SYSTEM.characters.sheet, data)]


# ---------------------------------------------------------------- the catalog


def test_catalogue_holds_all_data_but_fists_and_bare_skin() -> None:
    counts = {kind.key: 0 for kind in CATALOGUE.kinds}
    for entry in CATALOGUE.find_entries():
        counts[entry.kind] += 1
    assert counts == {
        "weapon": len(tables.weapons()) - 1,
        "armor": len(tables.armors()) - 1,
        "shield": len(tables.shields()),
        "suit": len(tables.suits()),
        "medical": len(tables.medical_gear()),
        "drug": len(tables.drugs()),
        "gear": len(tables.gear()),
    }


def test_every_entry_is_sound_by_the_schema_of_own_records() -> None:
    for entry in CATALOGUE.find_entries():
        assert find_record_problems(CATALOGUE, entry.kind, entry.record) == (), entry.id
        assert entry.summary or entry.kind == "gear", entry.id
        assert set(entry.traits) <= set(CATALOGUE.traits)
        assert entry.age in CATALOGUE.ages


def test_every_entry_can_lie_on_a_sheet_and_join_a_fight() -> None:
    items: list[dict[str, Any]] = []
    for entry in CATALOGUE.find_entries():
        made = new_thing(CATALOGUE, entry, {item["id"] for item in items})
        assert find_thing_problems(CATALOGUE, made, "") == ()
        items.append({"id": made.id, "kind": made.kind, "entry": made.entry, "loaded": made.loaded})
    assert sheet_problems(items=items) == []
    combatant = SYSTEM.characters.make_combatant("f1", "Ada", "", sheet(weapons=(), items=items), {})
    assert len(combatant.items) == len(items) + 1  # and the fists


# ---------------------------------------------------------------- own records


def test_record_of_ones_own_is_sound() -> None:
    assert problems(name="Zara's pistol", damage="2d6+1", magazine=6) == {}


@pytest.mark.parametrize(
    ("changes", "place", "words"),
    [
        ({"name": "  "}, "name", "must have 1 to 60 characters"),
        ({"damage": "lots"}, "damage", "is not written as it must be"),
        ({"damage": "99d999"}, "damage", "must be at most 20d20+99"),
        ({"equipment": 4}, "equipment", "must be at most 3"),
        ({"ap": -1}, "ap", "must be at least 0"),
        ({"range_m": 0}, "", "range_m belongs to ranged and thrown weapons, and to all of them"),
        ({"reach_m": 2}, "", "reach_m belongs to melee weapons, and to all of them"),
        ({"era": "Future"}, "era", "must be one of: Any, Primitive, Industrial, Advanced, Stellar, Cosmic"),
        ({"traits": ["magic"]}, "traits", "“magic” is none of: "),
        ({"cost": -5}, "cost", "must be 0 to 10000000"),
        ({"effect": {"condition": "Sleepy"}}, "effect.condition", "must be one of: "),
        ({"effect": {"rounds": 999}}, "effect.rounds", "must be 0 to 100"),
        ({"magic": 1}, "magic", "is unknown here"),
    ],
)
def test_record_that_does_not_fit_names_the_figure(changes: dict[str, Any], place: str, words: str) -> None:
    found = problems(**changes)
    assert list(found) == [place]
    assert words in found[place]


def test_kind_that_is_not_there_is_told() -> None:
    (problem,) = find_record_problems(CATALOGUE, "spell", {})
    assert problem.message == "there is no kind of item “spell”"


def test_own_weapon_is_fought_with_by_its_own_figures() -> None:
    stage = CosmosStage()
    own = record(name="Heirloom", damage="3d6", equipment=3, magazine=2)
    items = [{"id": "i1", "kind": "weapon", "record": own, "place": "held", "loaded": 1}]
    ada, bo = stage.hero(weapons=(), items=items), stage.foe()
    stage.begin(ada, bo)
    weapon = stage.weapon(ada, OWN)
    preview = stage.preview("attack", ada, target=bo, weapon=weapon)
    assert ("Heirloom", 3) in [(words(term.label), term.value) for term in preview.modifiers]
    before = stage.hp(bo)
    stage.do("attack", ada, target=bo, weapon=weapon, dice=((9, 8), (6, 6, 6)))
    assert before - stage.hp(bo) == 18
    assert stage.refused("attack", ada, target=bo, weapon=weapon).code == "no_budget"


# ---------------------------------------------------------------- items on a sheet


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"entry": "blunderbuss"}, "items[0].entry: there is no weapon “blunderbuss” in the catalogue"),
        ({"loaded": 16}, "items[0].loaded: must be 0 to 15"),
        ({"place": "worn"}, "items[0].place: must be carried or held"),
        ({"place": "ground"}, "items[0].place: is not written as it must be"),
        ({"wear": {"damaged": 9}}, "items[0].wear.damaged: must be at most 1"),
        ({"wear": {"rust": 1}}, "items[0].wear.rust: is unknown here; known are: damaged"),
        ({"count": 0}, "items[0].count: must be at least 1"),
        ({"record": {"id": "x"}}, "items[0]: has either an entry of the catalogue or a record of its own"),
        ({"kind": "spell"}, "items[0].entry: there is no spell “pistol” in the catalogue"),
    ],
)
def test_thing_that_cannot_be_is_told_with_its_place(more: dict[str, Any], told: str) -> None:
    assert sheet_problems(items=[{**thing(), **more}]) == [told]


def test_rounds_belong_only_into_what_takes_them() -> None:
    told = "items[0].loaded: takes no ammunition"
    assert sheet_problems(items=[thing(kind="armor", entry="kevlar", loaded=3)]) == [told]


def test_ids_of_things_are_their_own() -> None:
    told = ["items[1].id: “i1” is taken by another item"]
    assert sheet_problems(items=[thing(), thing()]) == told


def test_one_suit_of_armor_is_worn_at_a_time() -> None:
    worn = [thing(f"i{n}", "armor", entry, place="worn") for n, entry in enumerate(("kevlar", "plate"))]
    assert sheet_problems(items=worn) == ["items: only one suit of armor can be worn"]


def test_things_join_a_fight_as_they_are() -> None:
    items = [
        thing("i1", place="held", loaded=4, spares=2, wear={"damaged": 1}),
        thing("i2", entry="knife"),
        thing("i3", "armor", "kevlar", place="worn", wear={"damaged": 1, "taken": 30}),
        thing("i4", "drug", "adrenaline", count=3),
    ]
    combatant = SYSTEM.characters.make_combatant("f1", "Ada", "", sheet(weapons=(), items=items), {})
    found = {item.name: item for item in combatant.items}
    pistol, kevlar = found["Pistol"], found["Kevlar vest"]
    assert (pistol.place, pistol.loaded, pistol.spares, pistol.marks) == ("held", 4, 2, {"damaged": 1})
    assert (found["Knife"].place, found["Adrenaline"].count) == ("carried", 3)
    assert (kevlar.place, kevlar.marks) == ("worn", {"damaged": 1, "taken": 30})
    assert [item.id for item in combatant.items] == ["f1-1", "f1-2", "f1-3", "f1-4", "f1-5"]


def test_jam_of_a_sheet_is_a_jam_in_the_fight() -> None:
    stage = CosmosStage()
    jams = next(e for e in CATALOGUE.find_entries() if "jamming" in e.traits)
    full = CATALOGUE.capacity("weapon", jams.record)
    held: dict[str, Any] = {"id": "i1", "kind": "weapon", "entry": jams.id, "place": "held", "loaded": full}
    held["wear"] = {"jammed": 1}
    ada, bo = stage.hero(weapons=(), items=[held]), stage.foe()
    stage.begin(ada, bo)
    assert "jammed" in stage.refused("attack", ada, target=bo, weapon=stage.weapon(ada, jams.id)).message


# ---------------------------------------------------------------- health and conditions


def test_hit_points_come_from_the_sheet_up_to_the_maximum() -> None:
    for stored, come in ((31, 31), (999, 96)):
        ada = SYSTEM.characters.make_combatant("f1", "Ada", "", sheet(tracks={"hp": stored}), {})
        assert ada.tracks == {"hp": come}
    assert sheet_problems(tracks={"mana": 3}) == ["tracks.mana: there is only hp"]


@pytest.mark.rule("COS-STATE-19", "COS-STATE-20")
def test_who_joins_with_0_hit_points_is_dying_and_unconscious() -> None:
    combatant = SYSTEM.characters.make_combatant("f1", "Ada", "", sheet(tracks={"hp": 0}), {})
    assert [held.kind for held in combatant.conditions] == ["dying", "unconscious"]
    assert SYSTEM.characters.health(combatant).is_out


def test_who_joins_stable_is_not_dying() -> None:
    combatant = SYSTEM.characters.make_combatant(
        "f1", "Ada", "", sheet(tracks={"hp": -1}, conditions=[{"kind": "stable"}]), {}
    )
    assert [held.kind for held in combatant.conditions] == ["stable", "unconscious"]


@pytest.mark.rule("COS-DEATH-11")
def test_who_joins_below_minus_might_is_dead() -> None:
    dead = SYSTEM.characters.make_combatant("f1", "Ada", "", sheet(tracks={"hp": -6}), {})
    alive = SYSTEM.characters.make_combatant("f1", "Ada", "", sheet(tracks={"hp": -5}), {})
    assert (SYSTEM.characters.health(dead).dead, SYSTEM.characters.health(alive).dead) == (True, False)


def test_lasting_conditions_come_along_with_their_own_names() -> None:
    held = [{"kind": "injury", "note": "Broken arm"}, {"kind": "bleeding", "level": 2}]
    combatant = SYSTEM.characters.make_combatant("f1", "Ada", "", sheet(conditions=held), {})
    assert [(c.kind, words(c.label), c.level) for c in combatant.conditions] == [
        ("injury", "Broken arm", 1),
        ("bleeding", "Bleeding", 2),
    ]
    assert len({c.id for c in combatant.conditions}) == 2


def test_conditions_of_a_turn_do_not_last() -> None:
    (told,) = sheet_problems(conditions=[{"kind": "charging"}])
    assert told.startswith("conditions[0].kind: must be one of: bleeding")


# ---------------------------------------------------------------- stat blocks still work


def test_stat_blocks_are_sound_sheets() -> None:
    for block in SYSTEM.book.find_blocks().values():
        assert find_sheet_problems(PLAN, SYSTEM.characters.sheet, block.sheet) == (), block.id


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"weapons": ["sword", "lightsaber"]}, "weapons[1]: there is no weapon “lightsaber”"),
        ({"gear": ["towel"]}, "gear[0]: there is no gear “towel”"),
        ({"armor": "mithril"}, "armor: there is no armor “mithril”"),
        ({"shield": "aegis"}, "shield: there is no shield “aegis”"),
        ({"size": "tiny"}, "size: must be one of: small, medium, large, huge"),
        ({"career": "pirate"}, "career: must be one of: military, academic, criminal, explorer, corporate"),
        ({"abilities": {"hp": 5000}}, "abilities.hp: must be -999 to 999"),
        ({"abilities": {"flight": True}}, "abilities.flight: is unknown here"),
        ({"abilities": {"hp": "lots"}}, "abilities.hp: must be a whole number, not text"),
    ],
)
def test_words_the_game_does_not_know_are_told(more: dict[str, Any], told: str) -> None:
    (found,) = sheet_problems(**more)
    assert found.startswith(told)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 40)
    | st.sampled_from(["", "hp", "weapon", "pistol", "held", "x"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["id", "kind", "entry", "record", "place", "loaded", "wear", "hp", "level", "note", "count"]
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=12,
)


@given(st.sampled_from(["items", "tracks", "conditions", "abilities", "weapons", "skills", "gear"]), JSON)
def test_a_sheet_without_problems_always_makes_a_combatant(field: str, value: Any) -> None:
    data = {**sheet(weapons=()), field: value}
    if not find_sheet_problems(PLAN, SYSTEM.characters.sheet, data):
        combatant = SYSTEM.characters.make_combatant("f1", "Ada", "", data, {})
        SYSTEM.characters.health(combatant)


def test_thing_of_ones_own_keeps_its_record_on_the_sheet() -> None:
    own = CATALOGUE.describe("weapon", record(name="Heirloom"))
    made = new_thing(CATALOGUE, own, {"i1"})
    assert isinstance(made, Carried)
    assert (made.id, made.entry, made.record["name"], made.loaded) == ("i2", "", "Heirloom", 15)
