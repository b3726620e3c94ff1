"""Falls, electricity, lightning, and rolls against hazards."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.basics.modifiers import add_up
from combat.rules.cosmos.hazards.falling import count_fall_dice
from tests.combat.rules.cosmos.figures import CosmosStage, lone, pair, words

SAVED, FAILED = (4, 4), (4, 3)  # Coordination 6 against 14


def gravity(stage: CosmosStage, value: str) -> None:
    stage.do("set_setting", key="gravity", value=value)


# ---------------------------------------------------------------- falling


@pytest.mark.rule("COS-HAZ-01", "COS-HAZ-02")
@pytest.mark.parametrize(
    ("meters", "dice"), [(10, 3), (9, 3), (2, 0), (3, 1), (60, 20), (75, 20), (8.2 - 2.2, 2), (5.99, 1)]
)
def test_a_fall_is_a_die_for_three_meters_and_twenty_at_most(meters: float, dice: int) -> None:
    stage, ada = lone()
    assert count_fall_dice(stage.state, stage[ada], meters) == dice


@pytest.mark.rule("COS-HAZ-04")
@pytest.mark.parametrize("landing", ["water", "soft"])
def test_water_and_soft_ground_halve_the_dice(landing: str) -> None:
    stage, ada = lone()
    stage.do("fall", target=ada, metres=10, landing=landing, dice=[FAILED, (5,)])
    assert stage.hp(ada) == 91


@pytest.mark.rule("COS-HAZ-01", "COS-COND-25")
def test_who_lies_already_is_prone_once_after_a_fall() -> None:
    stage, ada = lone()
    stage.give(ada, "prone")
    stage.do("fall", target=ada, metres=3, dice=[FAILED, (4,)])
    assert [held.kind for held in stage[ada].conditions] == ["prone"]


@pytest.mark.parametrize("meters", [0, -3, 10_001])
def test_strange_falls_are_refused(meters: int) -> None:
    stage, ada = lone()
    assert stage.refused("fall", target=ada, metres=meters).code == "bad_value"


# ---------------------------------------------------------------- electricity


@pytest.mark.rule("COS-HAZ-09", "COS-HAZ-10")
@pytest.mark.parametrize(("dice", "stunned"), [((4, 4), True), ((4, 5), False)])
def test_a_touch_deals_2d6_and_stuns(dice: tuple[int, int], stunned: bool) -> None:
    stage, ada = lone()
    stage.do("shock", target=ada, dice=[(3, 5), dice])
    save = stage.check("Might save")
    assert (save.against, stage.hp(ada), stage.has(ada, "stunned")) == (14, 88, stunned)


@pytest.mark.rule("COS-HAZ-13")
@pytest.mark.parametrize(
    ("armor", "lost"), [("none", 8), ("light", 6), ("heavy", 8), ("chain", 8), ("powered", 0)]
)
def test_metal_armor_is_no_help_against_electricity(armor: str, lost: int) -> None:
    stage, ada = lone(armor=armor)
    stage.do("shock", target=ada, dice=[(3, 5), (9, 9)])
    assert stage.hp(ada) == 96 - lost


@pytest.mark.rule("COS-HAZ-10", "COS-DEATH-11")
def test_whom_a_touch_kills_is_not_asked_to_avoid_the_stun() -> None:
    stage, ada = lone()
    stage.set_track(ada, hp=1)
    stage.do("shock", target=ada, dice=[(6, 6)])
    assert stage.has(ada, "dead")
    assert not stage.checks("Might save")


def test_an_arc_needs_a_direction_and_someone_in_it() -> None:
    stage, ada = lone()
    assert stage.refused("shock", kind="arc", start="0,0", to="0,0").code == "bad_value"
    assert stage.refused("shock", kind="arc", start=f"near:{ada}", to="9,9").code == "bad_target"
    assert stage.refused("shock", kind="arc", start="there", to="9,9").code == "bad_value"


@pytest.mark.rule("COS-HAZ-12")
def test_water_conducts_to_the_living_in_it_alone() -> None:
    stage = CosmosStage()
    stage.zone("pool", x=0, y=0, width=6, depth=6, terrain=["water"])
    stage.zone("pond", x=20, y=0, width=6, depth=6, terrain=["water"])
    ada, bo = stage.hero(at=(1, 1)), stage.hero("Bo", at=(5, 5))
    cy, di, dead = stage.foe("Cy", at=(10, 0)), stage.foe("Di", at=(21, 1)), stage.foe("Ed", at=(2, 2))
    stage.give(dead, "dead")
    stage.do("shock", kind="water", target=ada, dice=[(3, 5), (1, 2), (1, 2)])
    assert [stage.hp(who) for who in (ada, bo, cy, di, dead)] == [88, 88, 96, 96, 96]
    assert (stage.has(ada, "stunned"), stage.has(bo, "stunned")) == (True, True)
    assert stage.refused("shock", kind="water", target=cy).code == "bad_target"


@pytest.mark.rule("COS-HAZ-12")
@pytest.mark.parametrize(("x", "y"), [(0, 10), (0, -10), (10, 0), (-10, 0)])
def test_another_pool_conducts_nothing(x: int, y: int) -> None:
    stage = CosmosStage()
    stage.zone("pool", x=0, y=0, width=6, depth=6, terrain=["water"])
    stage.zone("pond", x=x, y=y, width=6, depth=6, terrain=["water"])
    ada, bo = stage.hero(at=(1, 1)), stage.foe(at=(x + 1, y + 1))
    stage.do("shock", kind="water", target=ada, dice=[(3, 5), (9, 9)])
    assert (stage.hp(ada), stage.hp(bo)) == (88, 96)


@pytest.mark.rule("COS-HAZ-12")
def test_under_water_everybody_is_in_it() -> None:
    stage, ada, bo = pair()
    stage.do("set_setting", key="water", value="underwater")
    stage.do("shock", kind="water", target=ada, dice=[(1, 1), (9, 9), (9, 9)])
    assert (stage.hp(ada), stage.hp(bo)) == (94, 94)


def test_some_species_shrug_off_energy() -> None:
    stage, ada = lone(abilities={"save_bonus_radiation_energy": 2})
    stage.do("shock", target=ada, dice=[(1, 1), (4, 3)])
    assert stage.check("Might save").total == 14


# ---------------------------------------------------------------- lightning


@pytest.mark.rule("COS-XENV-08")
@pytest.mark.parametrize(("die", "hps"), [(1, [86, 96, 96]), (3, [96, 96, 86])])
def test_lightning_strikes_at_random(die: int, hps: list[int]) -> None:
    stage = CosmosStage()
    people = [stage.hero(), stage.hero("Bo"), stage.foe("Cy")]
    stage.do("lightning", dice=[die, (3, 5, 2)])
    assert [stage.hp(who) for who in people] == hps


@pytest.mark.rule("COS-XENV-08")
def test_lightning_spares_the_dead_and_those_indoors() -> None:
    stage = CosmosStage()
    ada, bo = stage.hero(), stage.hero("Bo")
    stage.give(ada, "dead")
    stage.do("lightning", dice=[1, (1, 1, 1)])
    assert (stage.hp(ada), stage.hp(bo)) == (96, 93)
    assert stage.refused("lightning", targets=[ada]).code == "bad_target"


# ---------------------------------------------------------------- rolls against hazards


@pytest.mark.rule("COS-HAZ-24")
def test_enduring_rolls_resolve_where_it_is_better_than_might() -> None:
    stage, ada = lone(skills={"Survival": 3}, attributes={"MIG": 3})
    stage.do("hazard_check", target=ada, approach="endure", dice=[(4, 4)])
    assert (words(stage.check().modifiers[0].label), stage.check().total) == ("Resolve", 13)


@pytest.mark.rule("COS-HAZ-25")
def test_escaping_is_as_the_hazard_says() -> None:
    stage, ada = lone(skills={"Athletics": 2})
    assert stage.refused("hazard_check", target=ada, approach="escape").code == "bad_value"
    stage.do(
        "hazard_check",
        target=ada,
        approach="escape",
        attribute="MIG",
        skill="Athletics",
        tn=14,
        dice=[(4, 4)],
    )
    check = stage.check()
    assert (check.total, check.good) == (14, True)


@pytest.mark.rule("COS-ACT-03")
def test_in_a_fight_it_is_a_full_use_of_a_skill() -> None:
    stage, ada = lone(skills={"Survival": 3})
    stage.begin()
    shown = stage.preview("navigate", ada, approach="detect", tn=17)
    assert (add_up(shown.modifiers), shown.against[0].value) == (6, 17)
    stage.do("navigate", ada, approach="detect", tn=17, dice=[(6, 5)])
    assert (stage[ada].budget["standard"], stage.check().good) == (0, True)


@pytest.mark.parametrize("fields", [{"tn": 1}, {"tn": 61}, {"skill": "Juggling"}])
def test_strange_rolls_are_refused(fields: dict[str, Any]) -> None:
    stage, ada = lone()
    assert stage.refused("hazard_check", target=ada, approach="detect", **fields).code == "bad_value"
