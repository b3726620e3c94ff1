"""The tables: they load, refer to what exists, and their figures follow the rules."""

from __future__ import annotations

import re

import msgspec
import pytest

from combat.rules.core.aftermath import make_aftermath
from combat.rules.core.basics.dice.dice import parse_dice
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.commands.commands import read_command
from combat.rules.core.engine.engine import Done, run
from combat.rules.core.sheets.catalogue import find_record_problems
from combat.rules.core.sheets.sheets import blank_draft, find_faults, find_sheet_problems
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, replace
from combat.rules.starshock import SYSTEM
from combat.rules.starshock.book import tables
from combat.rules.starshock.book.tables import NpcBlock
from combat.rules.starshock.characters.conditions import KINDS
from combat.rules.starshock.characters.sheet import check_sheet, features_of, value_terms
from tests.combat.rules.stage import Script
from tests.combat.rules.starshock.figures import StarStage, sheet
from tests.combat.rules.tables import Accessors, check_tables

ACCESSORS: Accessors = {
    "weapon": tables.weapons,
    "maneuver": tables.maneuvers,
    "armor": tables.armors,
    "consumable": tables.consumables,
    "lasting": tables.lasting,
    "item": tables.things,
    "attribute": tables.attributes,
    "skill": tables.skills,
    "feature": tables.features,
    "spread": tables.distributions,
    "npc": tables.npcs,
    "action": tables.actions,
    "free_action": tables.free_actions,
}
NPCS = list(tables.npcs().values())
by_name = pytest.mark.parametrize("npc", NPCS, ids=[npc.id for npc in NPCS])


def test_every_table_of_the_files_loads_by_id() -> None:
    """Archetypes are read where characters are made."""
    check_tables(tables.DATA, ACCESSORS, "archetype")


def test_every_record_says_where_it_comes_from() -> None:
    for accessor in ACCESSORS.values():
        for record in accessor().values():
            assert record.origin in ("combat page", "house") or record.origin.startswith("game: ")
            assert all(name in record.__struct_fields__ or " " in name for name in record.house_fields)


# ---------------------------------------------------------------- references


def test_weapons_name_what_exists() -> None:
    for weapon in tables.weapons().values():
        assert set(weapon.skills) <= set(tables.skills()), weapon.id
        assert parse_dice(weapon.damage).most >= 0
        assert set(weapon.maneuvers) <= set(tables.maneuvers()), weapon.id
    for maneuver in tables.maneuvers().values():
        for effect in maneuver.effects:
            assert not effect.condition or effect.condition in KINDS, maneuver.id
            assert effect.attribute or effect.type != "check_or", maneuver.id
            assert parse_dice(effect.amount).most >= 0


def test_doses_name_what_exists() -> None:
    for dose in tables.consumables().values():
        assert not dose.gives or dose.gives in tables.lasting()
        assert not dose.heal_skill or dose.heal_skill in tables.skills()
        for kind in (dose.check.fail, dose.check.success) if dose.check else ():
            assert kind in KINDS
    for row in tables.lasting().values():
        assert not row.afterwards or row.afterwards in tables.lasting()
        assert row.id in KINDS


def test_rates_are_options_of_the_table() -> None:
    keys = {option.key for option in SYSTEM.book.options}
    named = {row.rate_option for row in tables.actions().values()} - {""}
    assert named == {key for key in keys if key.startswith("rate_")}


def test_features_refer_to_what_exists() -> None:
    for feature in tables.features().values():
        assert feature.text
        assert not feature.ignores_penalty_with or feature.ignores_penalty_with in tables.skills()
        assert not feature.immune or feature.immune in KINDS


# ---------------------------------------------------------------- figures that follow from rules


@by_name
@pytest.mark.rule("SS-DEF-01", "SS-DEF-03", "SS-DEF-05", "SS-DEF-07")
def test_npc_armor_and_resistance_follow_from_the_rules(npc: NpcBlock) -> None:
    block = SYSTEM.book.find_blocks()[npc.id]
    combatant = SYSTEM.characters.make_combatant("f1", block.name, "enemies", block.sheet, {})
    state = State("starshock", combatants={"f1": combatant})
    assert add_up(value_terms(state, combatant, "armor")) == npc.armor
    assert add_up(value_terms(state, combatant, "resistance")) == npc.resistance


@by_name
def test_npc_begins_with_weapons_in_its_hands(npc: NpcBlock) -> None:
    block = SYSTEM.book.find_blocks()[npc.id]
    combatant = SYSTEM.characters.make_combatant("f1", block.name, "enemies", block.sheet, {})
    held = [item for item in combatant.items if item.place == "held" and item.kind == "weapon"]
    assert held[0].data["id"] == npc.weapons[0]
    assert sum(item.data["hands"] for item in held) <= 2


# ---------------------------------------------------------------- sheets


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"attributes": {"str": 1}}, "attributes.dex: is missing"),
        ({"attributes": {"str": 99, "dex": 0, "int": 0, "prs": 0}}, "Expected `int` <= 12"),
        ({"attributes": {"str": 1, "dex": 0, "int": 0, "prs": 0, "wit": 1}}, "there is no such attribute"),
        ({"skills": ["Juggling"]}, "there is no skill “Juggling”"),
        ({"skills": ["Melee", "Melee"]}, "names a skill twice"),
        ({"weapons": ["laser"]}, "there is no weapon “laser”"),
        ({"gear": ["towel"]}, "there is no gear “towel”"),
        ({"features": ["gills"]}, "there is no feature “gills”"),
        ({"wears": "barrel"}, "there is no armor “barrel”"),
        ({"background": "Plumber"}, "background: must be one of: Half-Venusian"),
        ({"xp": -1}, "Expected `int` >= 0"),
        ({"tracks": {"hp": 3}}, "there are only damage and luck"),
        ({"tracks": {"damage": -3}}, "must be at least 0"),
        ({"conditions": [{"kind": "blinded"}]}, "must be one of: unconscious"),
        ({"items": [{"id": "a", "kind": "weapon", "entry": "laser"}]}, "there is no weapon “laser”"),
    ],
)
def test_a_sheet_says_what_is_wrong_with_it(change: dict[str, object], message: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=re.escape(message)):
        check_sheet({**sheet(), **change})


def test_equal_items_are_one_stack() -> None:
    combatant = SYSTEM.characters.make_combatant("f1", "Ada", "x", sheet(gear=("spray_on_skin",) * 3), {})
    (skin,) = (item for item in combatant.items if item.kind == "consumable")
    assert skin.count == 3


def thing(number: int, kind: str, entry: str, place: str = "carried", **more: object) -> dict[str, object]:
    return {"id": f"i{number}", "kind": kind, "entry": entry, "place": place, **more}


def test_a_character_brings_its_things_damage_and_state() -> None:
    items = [
        thing(1, "weapon", "ray_gun", "held"),
        thing(2, "weapon", "aluminum_crossbow", loaded=0),
        thing(3, "consumable", "spray_on_skin", count=2),
        thing(4, "armor", "plastic_plate", "worn"),
    ]
    data = sheet(items=items, tracks={"damage": 9}, luck=4, conditions=[{"kind": "unconscious"}])
    combatant = SYSTEM.characters.make_combatant("f1", "Ada", "x", data, {})
    assert [(i.id, i.name, i.place) for i in combatant.items] == [
        ("f1-1", "Ray-Gun", "held"),
        ("f1-2", "Aluminum Crossbow", "carried"),
        ("f1-3", "Spray-on Skin", "carried"),
        ("f1-4", "Plastic Plate", "worn"),
        ("f1-5", "Unarmed", "held"),
    ]
    assert [item.loaded for item in combatant.items[:2]] == [None, 0]
    assert combatant.tracks == {"damage": 9, "luck": 4}
    assert [held.kind for held in combatant.conditions] == ["unconscious", "prone"]
    assert SYSTEM.characters.health(combatant).is_out


@pytest.mark.parametrize(
    ("things", "message"),
    [
        ([thing(1, "weapon", "beam_rifle", "held"), thing(2, "weapon", "dagger", "held")], "3 hands"),
        (
            [thing(1, "armor", "plastic_plate", "worn"), thing(2, "armor", "tungsten_belt", "worn")],
            "only one",
        ),
        ([thing(1, "weapon", "dagger"), thing(1, "weapon", "dagger")], "is taken by another item"),
    ],
)
def test_nobody_holds_or_wears_too_much(things: list[dict[str, object]], message: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=message):
        check_sheet(sheet(items=things))


def test_a_fight_leaves_its_marks_on_the_sheet() -> None:
    items = [
        thing(1, "weapon", "aluminum_crossbow", "held", loaded=1),
        thing(2, "consumable", "spray_on_skin"),
    ]
    stage = StarStage("dock")
    stage.add("Ada", "allies", (1, 1), sheet(items=items, skills=("Archery",)), pc=True)
    stage.foe("Bo", zone="dock")
    stage.begin("f1", "f2")
    stage.turn("f1", 2)
    stage.do("attack", "f1", dice=[(1, 1)], target="f2", weapon="f1-1")
    stage.do("adjust", target="f1", track="damage", to=5)
    after = make_aftermath(SYSTEM, stage["f1"])
    assert after.sheet["tracks"] == {"damage": 5}
    assert after.sheet["items"][0]["loaded"] == 0
    assert SYSTEM.characters.make_combatant("f9", "Ada", "x", after.sheet, {}).tracks["damage"] == 5


# ---------------------------------------------------------------- the sheet and catalog for pages


def test_a_new_character_has_seven_points() -> None:
    plan = SYSTEM.book.sheets
    assert plan is not None
    draft = blank_draft(plan)
    assert find_faults(plan, draft) == ()
    (budget,) = plan.creation.find_budgets(draft)
    assert (budget.spent, budget.most) == (4, 7)
    greedy = msgspec.structs.replace(draft, attributes={"str": 3, "dex": 3, "int": 2, "prs": 0})
    assert [fault.place for fault in find_faults(plan, greedy)] == ["attributes"]
    strong = msgspec.structs.replace(draft, attributes={**draft.attributes, "str": 4})
    assert "attributes.str" in [fault.place for fault in find_faults(plan, strong)]


def test_decisions_are_written_to_a_sheet_and_read_again() -> None:
    plan = SYSTEM.book.sheets
    assert plan is not None
    draft = blank_draft(plan)
    draft = msgspec.structs.replace(
        draft, skills={**draft.skills, "Melee": 1, "xp": 6}, chosen={"background": "Athlete"}
    )
    written = plan.write(sheet(), draft)
    assert plan.read(written) == draft
    assert plan.summarize(written) == "Athlete, 6 XP"
    assert find_sheet_problems(plan, SYSTEM.characters.sheet, written) == ()
    combatant = SYSTEM.characters.make_combatant("f1", "Ada", "x", written, {})
    assert [feature.id for feature in features_of(combatant)] == [
        "athlete_strength_training",
        "athlete_resilience",
    ]


def test_checks_are_rolled_from_the_sheet() -> None:
    plan = SYSTEM.book.sheets
    assert plan is not None
    data = sheet(skills=("Physics",), int=3, luck=3)
    state = State("starshock", combatants={"me": SYSTEM.characters.make_combatant("me", "Ada", "", data, {})})
    state = replace(state, phase="fight")
    for name, more, total in (("check", {"attribute": "int", "skill": "Physics"}, 11), ("initiative", {}, 9)):
        action = plan.checks[name]
        command = read_command(action, {"actor": "me", **more})
        done = run(SYSTEM, state, action, command, Script([(4, 3)]))
        assert isinstance(done, Done)
        (told,) = (fact.event for fact in done.facts if isinstance(fact.event, e.Checked))
        assert told.total == total
        assert action.preview is not None
        assert action.preview(state, command).against


def test_the_catalogue_holds_everything_but_bare_hands() -> None:
    catalogue = SYSTEM.book.catalogue
    assert catalogue is not None
    entries = catalogue.find_entries()
    assert len(entries) == 24 + 8 + 9 + 14
    for entry in entries:
        assert entry.summary or entry.kind == "consumable"
        assert find_record_problems(catalogue, entry.kind, entry.record) == (), entry.id
    rifle = catalogue.find_entry("weapon", "beam_rifle")
    assert rifle is not None
    assert "both hands" in rifle.summary
    assert (rifle.price, catalogue.capacity("weapon", rifle.record)) == (180, None)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"damage": "9d9d9"}, "damage"),
        ({"modes": []}, "modes"),
        ({"hands": 3}, "hands"),
        ({"name": ""}, "name"),
        ({"maneuvers": ["petrify"]}, "maneuvers"),
        ({"maneuvers": ["hard_blow"]}, "maneuvers"),
    ],
)
def test_ones_own_weapon_is_checked(change: dict[str, object], place: str) -> None:
    catalogue = SYSTEM.book.catalogue
    assert catalogue is not None
    record = {**msgspec.to_builtins(tables.weapons()["dagger"]), "origin": "own", **change}
    problems = find_record_problems(catalogue, "weapon", record)
    assert [problem.place for problem in problems][:1] == [place]


@pytest.mark.parametrize("kind", ["consumable", "item"])
@pytest.mark.parametrize(("outcome", "places"), [("blinded", []), ("petrified", ["check.fail"])])
def test_the_check_of_ones_own_gear_leads_to_a_condition(kind: str, outcome: str, places: list[str]) -> None:
    catalogue = SYSTEM.book.catalogue
    assert catalogue is not None
    table = {"consumable": tables.consumables()["hypnotoxin"], "item": tables.things()["atomic_lantern"]}
    check = {"attribute": "prs", "difficulty": 10, "fail": outcome}
    record = {**msgspec.to_builtins(table[kind]), "check": check}
    assert [problem.place for problem in find_record_problems(catalogue, kind, record)] == places


@pytest.mark.parametrize(("dice", "places"), [("1d6", []), ("99d9999", ["rolled_resistance"])])
def test_the_dice_of_ones_own_armor_are_checked(dice: str, places: list[str]) -> None:
    catalogue = SYSTEM.book.catalogue
    assert catalogue is not None
    record = {**msgspec.to_builtins(tables.armors()["em_shield_generator"]), "rolled_resistance": dice}
    assert [problem.place for problem in find_record_problems(catalogue, "armor", record)] == places
