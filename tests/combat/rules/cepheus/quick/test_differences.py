"""The differences of the quick rules from the full ones, rule by rule."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus import SYSTEM as FULL
from combat.rules.cepheus.care.treatment import count_times
from combat.rules.cepheus.dice import hindrances
from combat.rules.cepheus.quick import SYSTEM as QUICK
from combat.rules.cepheus.vehicles.gunnery import evasion_terms, own_evasion_terms
from combat.rules.cepheus.world.cover import judge
from combat.rules.cepheus.world.senses import can_see
from combat.rules.core.declaration.system import System
from combat.rules.core.state.state import replace
from tests.combat.rules.stage import Stage

both = pytest.mark.parametrize("system", [QUICK, FULL], ids=["quick", "full"])


def make_sheet(skills: dict[str, int] | None = None, *weapons: str, **more: Any) -> dict[str, Any]:
    """Someone with 7 in everything, so that no characteristic has a DM."""
    scores = dict.fromkeys(("str", "dex", "end", "int", "edu", "soc"), 7)
    return {"name": "N", "attributes": scores, "skills": skills or {}, "weapons": list(weapons), **more}


def set_duel(system: System, meters: float, *weapons: str, skills: dict[str, int] | None = None) -> Stage:
    """Ada (f1) acts, Bo (f2) stands this many meters away; both have Initiative 9."""
    stage = Stage(system)
    stage.add("Ada", "allies", (0, 0), make_sheet(skills, *weapons))
    stage.add("Bo", "enemies", (meters, 0), make_sheet({}, "dagger"))
    stage.begin("f1", "f2")
    for who in ("f1", "f2"):
        stage.edit(who, initiative=9, marks={**stage[who].marks, "base": 9})
    return stage


def attack(stage: Stage, *answers: Any, **fields: Any) -> None:
    weapon = next(item for item in stage["f1"].items if item.kind == "weapon")
    stage.do("attack", "f1", dice=answers, target="f2", weapon=weapon.id, **fields)


# ---------------------------------------------------------------- actions


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
def test_aim_outlasts_a_target_out_of_sight_in_the_quick_rules(system: System) -> None:
    """RULING R71"""
    stage = set_duel(system, 20, "auto_pistol", skills={"slug_pistol": 0})
    stage.zone("wall", x=8, y=2, width=4, depth=10, terrain=["wall"])
    stage.do("aim", "f1", target="f2")
    for to in ("20,5", "20,9"):
        stage.turn("f2")
        stage.do("move", "f2", to=to)
    assert not can_see(stage.state, stage["f1"], stage["f2"])
    assert stage.has("f1", "aiming") is (system is QUICK)


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


@pytest.mark.rule("CS-REACT-04", "CS-REACT-08")
@both
def test_the_penalty_of_a_reaction_is_on_all_checks(system: System) -> None:
    stage = set_duel(system, 5, "auto_pistol", skills={"slug_pistol": 0})
    attack(stage, "dodge", (1, 1))
    assert [term.value for term in hindrances(stage.state, stage["f2"], "athletics")] == [-1]
    bare = [term.value for term in hindrances(stage.state, stage["f2"], "")]
    assert bare == ([-1] if system is QUICK else [])


# ---------------------------------------------------------------- cover and stance


@pytest.mark.rule("CS-COVER-05", "CS-STANCE-03")
@pytest.mark.parametrize("stance", ["crouched", "prone"])
@pytest.mark.parametrize(("kind", "dm"), [("quarter", -1), ("half", -2), ("three_quarter", -4), ("full", -4)])
def test_low_stance_has_a_step_better_up_to_full_cover(kind: str, dm: int, stance: str) -> None:
    stage = set_duel(QUICK, 5)
    stage.give("f2", stance)
    found = judge(stage.state, stage["f2"], kind)
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


@pytest.mark.rule("CS-VACT-01")
@both
def test_evasive_driving_does_not_hamper_shots_from_the_vehicle(system: System) -> None:
    stage = set_duel(system, 20, "auto_pistol", skills={"slug_pistol": 0})
    stage.state = replace(stage.state, phase="prep")
    car = {"kind": "vehicle", "attributes": {"hull": 3, "structure": 2, "armor": 6}, "open": True}
    vehicle = stage.add("Raft", "allies", (0, 0), {**car, "passengers": 3})
    stage.do("seat", target="f1", vehicle=vehicle, station="passenger")
    stage.state = replace(stage.state, phase="fight")
    stage.give(vehicle, "evading", level=2)
    (mine,) = evasion_terms(stage.state, stage["f2"], stage["f1"])
    assert (mine.value, mine.rule) == (-2, "CE-VACT-05")
    own = [term.value for term in own_evasion_terms(stage.state, stage["f1"], stage["f2"])]
    assert own == ([] if system is QUICK else [-2])


# ---------------------------------------------------------------- omissions


@pytest.mark.rule("CS-VLOC-10")
def test_the_words_of_a_hit_part_are_those_of_the_flat_table() -> None:
    assert "third" in QUICK.characters.describe_condition("drive_hit").text
    assert "third" not in FULL.characters.describe_condition("drive_hit").text
