"""What the quick rules play otherwise than the full ones, one rule after the other."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus import SYSTEM as FULL
from combat.rules.cepheus.book.options import SPECIALS
from combat.rules.cepheus.dice.rolls import hindrances
from combat.rules.cepheus.fight.reactions import count_parry
from combat.rules.cepheus.people.values import find_score
from combat.rules.cepheus.quick import SYSTEM as QUICK
from combat.rules.cepheus.world.cover import judge
from combat.rules.core.basics.dice import parse_dice
from combat.rules.core.commands.commands import read_command
from combat.rules.core.engine.engine import Done, find_action, run
from combat.rules.core.system import System
from tests.combat.rules.stage import Script, Stage

both = pytest.mark.parametrize("system", [QUICK, FULL], ids=["quick", "full"])


def make_sheet(skills: dict[str, int] | None = None, *weapons: str, **more: Any) -> dict[str, Any]:
    """Somebody with 7 in everything, so that no characteristic has a DM."""
    scores = dict.fromkeys(("str", "dex", "end", "int", "edu", "soc"), 7)
    return {"name": "N", "attributes": scores, "skills": skills or {}, "weapons": list(weapons), **more}


def set_duel(system: System, metres: float, *weapons: str, skills: dict[str, int] | None = None) -> Stage:
    """Ada (f1) acts, Bo (f2) stands so many metres away; both have Initiative 9."""
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


# ---------------------------------------------------------------- reactions


@pytest.mark.rule("CS-INIT-04", "CS-REACT-01", "CS-REACT-02")
def test_initiative_is_a_purse() -> None:
    stage = set_duel(QUICK, 5, "auto_pistol", skills={"slug_pistol": 0})
    stage.edit("f2", initiative=5, marks={"base": 5})
    for left in (3, 1):
        stage.turn("f1")
        attack(stage, "dodge", (1, 1))
        assert stage["f2"].initiative == left
    stage.turn("f1")
    attack(stage, (1, 1))  # nobody is asked: the purse is empty
    assert [request.rule for request in stage.asked] == ["CE-ATK-08"]


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
@pytest.mark.parametrize(("kind", "dm"), [("quarter", -1), ("half", -2), ("three_quarter", -4), ("full", -4)])
def test_the_crouched_have_a_step_better_and_never_more_than_full_cover(kind: str, dm: int) -> None:
    stage = set_duel(QUICK, 5)
    stage.give("f2", "crouched")
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
    dice = parse_dice("2d6+2")
    assert (dice.count, dice.sides, dice.plus) == (2, 6, 2)


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


# ---------------------------------------------------------------- what is left out


@pytest.mark.rule("CS-INIT-05")
def test_what_the_summary_leaves_out_is_off_until_the_table_wants_it() -> None:
    assert {option.key for option in SPECIALS} >= {"use_delay", "use_grapple", "use_panic_fire"}
    for option in SPECIALS:
        assert QUICK.option(Stage(QUICK).state, option.key) is False
