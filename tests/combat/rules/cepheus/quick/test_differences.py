"""The differences of the quick rules from the full ones, rule by rule."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus import SYSTEM as FULL
from combat.rules.cepheus.book.options import SPECIALS
from combat.rules.cepheus.care.treatment import count_times
from combat.rules.cepheus.dice.rolls import hindrances
from combat.rules.cepheus.fight.reactions import count_parry
from combat.rules.cepheus.people.machinery import find_top_speed
from combat.rules.cepheus.people.values import find_score
from combat.rules.cepheus.quick import SYSTEM as QUICK
from combat.rules.cepheus.vehicles.gunnery import evasion_terms, own_evasion_terms
from combat.rules.cepheus.world.cover import judge
from combat.rules.cepheus.world.senses import can_see
from combat.rules.core.commands.commands import read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import Done, find_action, run
from combat.rules.core.state.state import replace
from tests.combat.rules.stage import Script, Stage

both = pytest.mark.parametrize("system", [QUICK, FULL], ids=["quick", "full"])


def make_sheet(skills: dict[str, int] | None = None, *weapons: str, **more: Any) -> dict[str, Any]:
    """Someone with 7 in everything, so that no characteristic has a DM."""
    scores = dict.fromkeys(("str", "dex", "end", "int", "edu", "soc"), 7)
    return {"name": "N", "attributes": scores, "skills": skills or {}, "weapons": list(weapons), **more}


def set_duel(system: System, metres: float, *weapons: str, skills: dict[str, int] | None = None) -> Stage:
    """Ada (f1) acts, Bo (f2) stands this many meters away; both have Initiative 9."""
    stage = Stage(system)
    stage.add("Ada", "heroes", (0, 0), make_sheet(skills, *weapons))
    stage.add("Bo", "foes", (metres, 0), make_sheet({}, "dagger"))
    stage.begin("f1", "f2")
    for who in ("f1", "f2"):
        stage.edit(who, initiative=9, marks={**stage[who].marks, "base": 9})
    return stage


def attack(stage: Stage, *answers: Any, **fields: Any) -> None:
    weapon = next(item for item in stage["f1"].items if item.kind == "weapon")
    stage.do("attack", "f1", dice=answers, target="f2", weapon=weapon.id, **fields)


# ---------------------------------------------------------------- actions


@pytest.mark.rule("CS-ROUND-03", "CS-ROUND-02")
def test_one_minor_and_one_significant_action_and_no_trade() -> None:
    stage = set_duel(QUICK, 5, "auto_pistol", skills={"slug_pistol": 0})
    stage.do("aim", "f1", target="f2")
    assert stage["f1"].budget == {"minor": 0, "significant": 1}
    assert stage.refused("aim", "f1", target="f2").code == "no_budget"
    full = set_duel(FULL, 5, "auto_pistol", skills={"slug_pistol": 0})
    full.do("aim", "f1", target="f2")
    full.do("aim", "f1", target="f2")  # the significant action is traded
    assert full["f1"].budget == {"minor": 1, "significant": 0}


@pytest.mark.rule("CS-MINOR-01")
@both
def test_aim_outlasts_a_move_in_the_quick_rules(system: System) -> None:
    stage = set_duel(system, 5, "auto_pistol", skills={"slug_pistol": 0})
    stage.do("aim", "f1", target="f2")
    stage.turn("f1")
    stage.do("move", "f1", to="1,0")
    assert stage.has("f1", "aiming") is (system is QUICK)


@pytest.mark.rule("CS-MINOR-01")
@both
def test_aim_outlasts_a_target_that_goes_out_of_sight_in_the_quick_rules(system: System) -> None:
    """RULING R71"""
    stage = set_duel(system, 20, "auto_pistol", skills={"slug_pistol": 0})
    stage.zone("wall", x=8, y=2, width=4, depth=10, terrain=["wall"])
    stage.do("aim", "f1", target="f2")
    for to in ("20,5", "20,9"):
        stage.turn("f2")
        stage.do("move", "f2", to=to)
    assert not can_see(stage.state, stage["f1"], stage["f2"])
    assert stage.has("f1", "aiming") is (system is QUICK)


@pytest.mark.rule("CS-MINOR-01")
def test_aim_ends_with_the_attack_and_with_another_target() -> None:
    stage = set_duel(QUICK, 5, "auto_pistol", skills={"slug_pistol": 0})
    stage.edit("f2", side="heroes")
    stage.state = replace(stage.state, phase="prep")
    other = stage.add("Cy", "foes", (9, 0), make_sheet())
    stage.state = replace(stage.state, phase="fight")
    for target, levels in (("f2", 1), ("f2", 2), (other, 1)):
        stage.turn("f1")
        stage.do("aim", "f1", target=target)
        assert [held.level for held in stage["f1"].conditions if held.kind == "aiming"] == [levels]
    attack(stage, "none", (1, 1))
    assert not stage.has("f1", "aiming")


# ---------------------------------------------------------------- reactions


@pytest.mark.rule("CS-INIT-04", "CS-REACT-01", "CS-REACT-02")
@pytest.mark.parametrize("score", [5, 4])
def test_initiative_is_a_purse(score: int) -> None:
    stage = set_duel(QUICK, 5, "auto_pistol", skills={"slug_pistol": 0})
    stage.edit("f2", initiative=score, marks={"base": score})
    for left in (score - 2, score - 4):
        stage.turn("f1")
        attack(stage, "dodge", (1, 1))
        assert stage["f2"].initiative == left
    stage.turn("f1")
    attack(stage, (1, 1))  # no question: the purse is empty
    assert [request.rule for request in stage.asked] == ["CE-ATK-08"]


@pytest.mark.rule("CS-INIT-04", "CS-REACT-01")
def test_the_purse_pays_at_once_also_after_ones_turn() -> None:
    stage = set_duel(QUICK, 5, "auto_pistol", skills={"slug_pistol": 0})
    stage.edit("f2", acted=True)
    attack(stage, "dodge", (1, 1))
    assert stage["f2"].initiative == 7
    stage.do("next_turn")
    assert (stage.state.round, stage["f2"].initiative) == (2, 9)  # full again


@pytest.mark.rule("CS-REACT-08")
def test_who_has_parried_has_less_of_everything() -> None:
    stage = set_duel(QUICK, 2, "sword", skills={"slashing_weapons": 0})
    attack(stage, "parry", (1, 1))
    for skill in ("athletics", ""):
        assert [term.value for term in hindrances(stage.state, stage["f2"], skill)] == [-1]


@pytest.mark.rule("CS-REACT-04", "CS-REACT-08")
@both
def test_the_penalty_of_a_reaction_is_on_all_checks(system: System) -> None:
    stage = set_duel(system, 5, "auto_pistol", skills={"slug_pistol": 0})
    attack(stage, "dodge", (1, 1))
    assert [term.value for term in hindrances(stage.state, stage["f2"], "athletics")] == [-1]
    bare = [term.value for term in hindrances(stage.state, stage["f2"], "")]
    assert bare == ([-1] if system is QUICK else [])


@pytest.mark.rule("CS-REACT-07")
@pytest.mark.parametrize(("skills", "points"), [({}, 1), ({"piercing_weapons": 2}, 2)])
def test_a_parry_is_worth_one_at_least(skills: dict[str, int], points: int) -> None:
    stage = Stage(QUICK)
    stage.add("Bo", sheet=make_sheet(skills, "dagger"))
    assert count_parry(stage.state, stage["f1"]) == points
    full = Stage(FULL)
    full.add("Bo", sheet=make_sheet(skills, "dagger"))
    assert count_parry(full.state, full["f1"]) == (points if skills else 0)


# ---------------------------------------------------------------- cover and stance


@pytest.mark.rule("CS-COVER-05", "CS-STANCE-03")
@pytest.mark.parametrize("stance", ["crouched", "prone"])
@pytest.mark.parametrize(("kind", "dm"), [("quarter", -1), ("half", -2), ("three_quarter", -4), ("full", -4)])
def test_the_low_have_a_step_better_and_never_more_than_full_cover(kind: str, dm: int, stance: str) -> None:
    stage = set_duel(QUICK, 5)
    stage.give("f2", stance)
    found = judge(stage.state, stage["f1"], stage["f2"], kind)
    assert (found.dm, found.beyond) == (dm, False)


@pytest.mark.rule("CS-STANCE-05")
@both
def test_shots_at_the_prone_are_harder_at_close_range_too(system: System) -> None:
    stage = set_duel(system, 2, "auto_pistol", skills={"slug_pistol": 0})
    stage.give("f2", "prone")
    attack(stage, (1, 1))
    told = {term.label: term.value for term in stage.check("check.attack").modifiers}
    assert told.get("term.prone_target", 0) == (-2 if system is QUICK else 0)


# ---------------------------------------------------------------- damage


@pytest.mark.rule("CS-DMG-02")
def test_damage_may_have_a_bonus_of_its_own() -> None:
    stage = set_duel(QUICK, 20, "rifle", skills={"slug_rifle": 0})
    first, *rest = stage["f1"].items
    stage.edit("f1", items=(replace(first, data={**first.data, "damage": "2d6+2"}), *rest))
    stage.edit("f2", pc=False)
    attack(stage, "none", (6, 5), (4, 3))
    assert sum(stage["f2"].tracks[key] for key in ("str", "dex", "end")) == 21 - 7 - 2 - 3


@pytest.mark.rule("CS-DMG-03", "CS-DMG-04")
def test_damage_goes_to_endurance_first_every_time() -> None:
    stage = set_duel(QUICK, 5)
    stage.set_track("f2", end=3)
    action = find_action(QUICK, "deal_damage")
    command = read_command(action, {"target": "f2", "amount": "5"})
    done = run(QUICK, stage.state, action, command, Script(["str=2"]))
    assert isinstance(done, Done)
    hurt = done.state["f2"]
    assert [find_score(hurt, key) for key in ("end", "str", "dex")] == [0, 5, 7]


@pytest.mark.rule("CS-DMG-03", "CS-DMG-04")
@pytest.mark.parametrize(("choice", "body"), [("str", (5, 7, 0)), ("dex", (7, 5, 0))])
def test_a_second_wound_begins_with_endurance_too(choice: str, body: tuple[int, int, int]) -> None:
    stage = set_duel(QUICK, 20, "rifle", skills={"slug_rifle": 0})
    stage.set_track("f2", end=3)
    stage.edit("f2", pc=True)
    attack(stage, "none", (4, 4), (2, 2, 1), choice)
    assert tuple(stage["f2"].tracks[key] for key in ("str", "dex", "end")) == body


@pytest.mark.rule("CS-HEAL-04")
def test_the_seriously_wounded_need_surgery_before_first_aid() -> None:
    stage = set_duel(QUICK, 1)
    stage.set_track("f2", str=3, dex=3, end=3)
    stage.edit("f2", marks={"hurt_at": 0})
    assert "surgery comes before" in stage.refused("first_aid", "f1", target="f2").message


@pytest.mark.rule("CS-SUPP-03")
def test_the_suppressed_lose_their_next_action() -> None:
    stage = set_duel(QUICK, 20, "rifle", skills={"slug_rifle": 0})
    weapon = next(item for item in stage["f1"].items if item.kind == "weapon")
    stage.do("suppress", "f1", dice=[(6, 5)], target="f2", weapon=weapon.id)
    assert (stage["f2"].initiative, stage.has("f2", "suppressed")) == (8, False)
    stage.do("next_turn")
    assert (stage.state.active, stage["f2"].budget) == ("f2", {"minor": 1, "significant": 0})


@pytest.mark.rule("CS-SUPP-03")
def test_ducking_ends_an_aim_for_the_kill_where_the_table_plays_it() -> None:
    stage = set_duel(QUICK, 20, "rifle", skills={"slug_rifle": 0})
    stage.give("f2", "aiming_kill", level=2, marks={"target": "f1"})
    weapon = next(item for item in stage["f1"].items if item.kind == "weapon")
    stage.do("suppress", "f1", dice=[(6, 5)], target="f2", weapon=weapon.id)
    assert not stage.has("f2", "aiming_kill")


@pytest.mark.rule("CS-MED-01")
@both
def test_first_aid_does_not_go_through_a_wall(system: System) -> None:
    stage = set_duel(system, 1, "dagger", skills={"medicine": 0})
    stage.set_track("f2", end=5)
    stage.edit("f2", marks={**stage["f2"].marks, "hurt_at": 0})
    stage.do("set_map", map={"walls": [{"id": "w", "x1": 0.5, "y1": -9, "x2": 0.5, "y2": 9}]})
    assert stage.refused("first_aid", "f1", target="f2").message == (
        "A wall stands between Ada and Bo: go round it."
    )


@pytest.mark.rule("CS-MED-01")
@pytest.mark.parametrize(("seconds", "helps"), [(300, True), (301, False)])
def test_first_aid_helps_for_five_minutes_only(seconds: int, helps: bool) -> None:
    stage = set_duel(QUICK, 1)
    stage.set_track("f2", end=3)
    stage.edit("f2", marks={"hurt_at": 0})
    stage.state = replace(stage.state, clock=seconds)
    assert count_times(stage.state, stage["f2"]) == (2 if helps else 0)
    if not helps:
        assert "five minutes" in stage.refused("first_aid", "f1", target="f2").message


# ---------------------------------------------------------------- vehicles


def shoot_at_car(location: tuple[int, int]) -> Stage:
    """A rifle's 15 points on a car of armor 6, and the hits."""
    stage = Stage(QUICK)
    stage.add("Ada", "heroes", (0, 0), make_sheet({"slug_rifle": 0}, "rifle"))
    numbers = {"hull": 3, "structure": 2, "armor": 6}
    stage.add("Car", "foes", (20, 0), {"kind": "vehicle", "attributes": numbers, "size_dm": 1})
    stage.begin("f1")
    attack(stage, (4, 4), (5, 5, 5), location)
    return stage


@pytest.mark.rule("CS-VDMG-01", "CS-VLOC-10", "CS-VLOC-04")
def test_damage_to_a_vehicle_is_one_roll_and_one_hit() -> None:
    stage = shoot_at_car((4, 6))  # 9 points would be a Double Hit by the full rules
    assert [(held.kind, held.level) for held in stage["f2"].conditions] == [("drive_hit", 1)]
    assert find_top_speed(stage.state, stage["f2"]) == stage["f2"].sheet.get("speed_kph", 0)
    assert shoot_at_car((3, 3))["f2"].tracks["armor"] == 5


@pytest.mark.rule("CS-VACT-01")
@both
def test_evasive_driving_does_not_hamper_shots_from_the_vehicle(system: System) -> None:
    stage = set_duel(system, 20, "auto_pistol", skills={"slug_pistol": 0})
    stage.state = replace(stage.state, phase="prep")
    car = {"kind": "vehicle", "attributes": {"hull": 3, "structure": 2, "armor": 6}, "open": True}
    vehicle = stage.add("Raft", "heroes", (0, 0), {**car, "passengers": 3})
    stage.do("seat", target="f1", vehicle=vehicle, station="passenger")
    stage.state = replace(stage.state, phase="fight")
    stage.give(vehicle, "evading", level=2)
    (mine,) = evasion_terms(stage.state, stage["f2"], stage["f1"])
    assert (mine.value, mine.rule) == (-2, "CE-VACT-05")
    own = [term.value for term in own_evasion_terms(stage.state, stage["f1"], stage["f2"])]
    assert own == ([] if system is QUICK else [-2])


# ---------------------------------------------------------------- omissions


@pytest.mark.rule("CS-INIT-05")
def test_what_the_summary_leaves_out_is_off_until_the_table_wants_it() -> None:
    assert {option.key for option in SPECIALS} >= {"use_delay", "use_grapple", "use_panic_fire"}
    for option in SPECIALS:
        assert QUICK.option(Stage(QUICK).state, option.key) is False


@pytest.mark.rule("CS-VLOC-10")
def test_the_words_of_a_hit_part_are_those_of_the_flat_table() -> None:
    assert "third" in QUICK.people.describe_condition("drive_hit").text
    assert "third" not in FULL.people.describe_condition("drive_hit").text
