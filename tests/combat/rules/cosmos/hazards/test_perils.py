"""Falls, electricity, lightning, and rolls against hazards."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.basics.modifiers import add_up
from combat.rules.cosmos.hazards.falling import count_fall_dice
from tests.combat.rules.cosmos.figures import CosmosStage, pair, words

SAVED, FAILED = (4, 4), (4, 3)  # Coordination 6 against 14


def one(**more: Any) -> tuple[CosmosStage, str]:
    stage = CosmosStage()
    return stage, stage.hero(**more)


def gravity(stage: CosmosStage, value: str) -> None:
    stage.do("set_setting", key="gravity", value=value)


# ---------------------------------------------------------------- falling


@pytest.mark.rule("COS-HAZ-01", "COS-HAZ-02")
@pytest.mark.parametrize(("metres", "dice"), [(10, 3), (9, 3), (2, 0), (3, 1), (60, 20), (75, 20)])
def test_a_fall_is_a_die_for_three_metres_and_twenty_at_most(metres: int, dice: int) -> None:
    stage, ada = one()
    assert count_fall_dice(stage.state, stage[ada], metres) == dice


@pytest.mark.rule("COS-HAZ-01")
def test_a_fall_hurts_through_armor_and_ends_prone() -> None:
    stage, ada = one(armor="heavy")
    stage.do("fall", target=ada, metres=10, dice=[FAILED, (4, 4, 3)])
    assert (stage.hp(ada), stage.has(ada, "prone")) == (85, True)


@pytest.mark.rule("COS-HAZ-01")
def test_two_metres_are_no_fall() -> None:
    stage, ada = one()
    stage.do("fall", target=ada, metres=2)
    assert (stage.hp(ada), stage.has(ada, "prone")) == (96, False)


@pytest.mark.rule("COS-HAZ-02")
def test_no_more_than_twenty_dice() -> None:
    stage, ada = one()
    stage.do("fall", target=ada, metres=75, dice=[FAILED, (1,) * 20])
    assert stage.hp(ada) == 76


@pytest.mark.rule("COS-HAZ-03")
def test_a_coordination_save_halves_a_fall() -> None:
    stage, ada = one()
    stage.do("fall", target=ada, metres=10, dice=[SAVED, (4, 4, 3)])
    save = stage.check("Coordination save")
    assert (save.total, save.against) == (14, 14)
    assert stage.hp(ada) == 91


@pytest.mark.rule("COS-HAZ-04")
@pytest.mark.parametrize("landing", ["water", "soft"])
def test_water_and_soft_ground_halve_the_dice(landing: str) -> None:
    stage, ada = one()
    stage.do("fall", target=ada, metres=10, landing=landing, dice=[FAILED, (5,)])
    assert stage.hp(ada) == 91


@pytest.mark.rule("COS-ENV-03")
@pytest.mark.parametrize("gear", [[], ["magnetic_boots"]])
def test_nothing_falls_in_zero_gravity(gear: list[str]) -> None:
    stage, ada = one(gear=gear)
    gravity(stage, "zero")
    stage.do("fall", target=ada, metres=30)
    assert stage.hp(ada) == 96


@pytest.mark.parametrize(
    ("where", "save", "hp"),
    [
        pytest.param("low", FAILED, 91, marks=pytest.mark.rule("COS-ENV-07")),
        pytest.param("low", SAVED, 94, marks=pytest.mark.rule("COS-ENV-07")),
        pytest.param("high", FAILED, 74, marks=pytest.mark.rule("COS-ENV-11")),
        pytest.param("high", SAVED, 86, marks=pytest.mark.rule("COS-ENV-11")),
    ],
)
def test_gravity_has_its_say_after_the_save(where: str, save: tuple[int, int], hp: int) -> None:
    stage, ada = one()
    gravity(stage, where)
    stage.do("fall", target=ada, metres=10, dice=[save, (4, 4, 3)])
    assert stage.hp(ada) == hp


@pytest.mark.rule("COS-ENV-07")
def test_low_gravity_halves_a_fall() -> None:
    stage, ada = one()
    gravity(stage, "low")
    stage.do("fall", target=ada, metres=10, dice=[FAILED, (4, 4, 3)])
    assert 96 - stage.hp(ada) == 5


@pytest.mark.rule("COS-ENV-11")
def test_high_gravity_doubles_a_fall() -> None:
    stage, ada = one()
    gravity(stage, "high")
    stage.do("fall", target=ada, metres=10, dice=[FAILED, (4, 4, 3)])
    assert 96 - stage.hp(ada) == 22


@pytest.mark.rule("COS-HAZ-01", "COS-HAZ-03")
def test_who_is_not_hurt_by_a_fall_stays_on_their_feet() -> None:
    stage, ada = one()
    stage.do("fall", target=ada, metres=3, dice=[SAVED, (1,)])
    assert (stage.hp(ada), stage.has(ada, "prone")) == (96, False)


@pytest.mark.rule("COS-HAZ-01", "COS-COND-25")
def test_who_lies_already_is_prone_once_after_a_fall() -> None:
    stage, ada = one()
    stage.give(ada, "prone")
    stage.do("fall", target=ada, metres=3, dice=[FAILED, (4,)])
    assert [held.kind for held in stage[ada].conditions] == ["prone"]


@pytest.mark.rule("COS-ENV-03")
def test_without_gravity_the_log_says_why_nobody_fell() -> None:
    stage, ada = one()
    gravity(stage, "zero")
    stage.do("fall", target=ada, metres=30)
    assert stage.log()[-1] == "Nothing falls in zero gravity."


@pytest.mark.parametrize("metres", [0, -3, 10_001])
def test_strange_falls_are_refused(metres: int) -> None:
    stage, ada = one()
    assert stage.refused("fall", target=ada, metres=metres).code == "bad_value"


# ---------------------------------------------------------------- electricity


@pytest.mark.rule("COS-HAZ-09", "COS-HAZ-10")
@pytest.mark.parametrize(("dice", "stunned"), [((4, 4), True), ((4, 5), False)])
def test_a_touch_deals_2d6_and_stuns(dice: tuple[int, int], stunned: bool) -> None:
    stage, ada = one()
    stage.do("shock", target=ada, dice=[(3, 5), dice])
    save = stage.check("Might save")
    assert (save.against, stage.hp(ada), stage.has(ada, "stunned")) == (14, 88, stunned)


@pytest.mark.rule("COS-HAZ-13")
@pytest.mark.parametrize(
    ("armor", "lost"), [("none", 8), ("light", 6), ("heavy", 8), ("chain", 8), ("powered", 0)]
)
def test_metal_armor_is_no_help_against_electricity(armor: str, lost: int) -> None:
    stage, ada = one(armor=armor)
    stage.do("shock", target=ada, dice=[(3, 5), (9, 9)])
    assert stage.hp(ada) == 96 - lost


@pytest.mark.rule("COS-HAZ-12")
def test_water_conducts_to_the_living_in_it_alone() -> None:
    stage = CosmosStage()
    stage.zone("pool", x=0, y=0, width=5, depth=5, terrain=["water"])
    stage.zone("deck", x=5, y=0, width=5, depth=5)
    ada, bo, dead = stage.hero(at=(1, 1)), stage.foe(at=(7, 1)), stage.foe("Cy", (2, 2))
    stage.give(dead, "dead")
    stage.do("shock", kind="water", target=ada, dice=[(3, 5), (9, 9)])
    assert [stage.hp(who) for who in (ada, bo, dead)] == [88, 96, 96]


@pytest.mark.rule("COS-HAZ-10", "COS-DEATH-11")
def test_whom_a_touch_kills_is_not_asked_to_avoid_the_stun() -> None:
    stage, ada = one()
    stage.set_track(ada, hp=1)
    stage.do("shock", target=ada, dice=[(6, 6)])
    assert stage.has(ada, "dead")
    assert not stage.checks("Might save")


@pytest.mark.rule("COS-HAZ-11")
def test_an_arc_hits_everybody_in_six_metres_of_line() -> None:
    stage = CosmosStage()
    ada, bo = stage.hero(at=(0, 0)), stage.hero("Bo", at=(2, 0))
    cy, di = stage.foe("Cy", at=(6, 0)), stage.foe("Di", at=(8, 0))
    ed, fay = stage.foe("Ed", at=(3, 2)), stage.foe("Fay", at=(6.8, 0))
    stage.do("shock", kind="arc", start=f"near:{ada}", to=f"near:{di}", dice=[(3, 5, 2)])
    assert [stage.hp(who) for who in (ada, bo, cy, di, ed, fay)] == [96, 86, 86, 96, 96, 96]
    assert not stage.has(bo, "stunned")


def test_an_arc_needs_a_direction_and_someone_in_it() -> None:
    stage, ada = one()
    assert stage.refused("shock", kind="arc", start="0,0", to="0,0").code == "bad_value"
    assert stage.refused("shock", kind="arc", start=f"near:{ada}", to="9,9").code == "bad_target"
    assert stage.refused("shock", kind="arc", start="there", to="9,9").code == "bad_value"


@pytest.mark.rule("COS-HAZ-12")
def test_water_conducts() -> None:
    stage = CosmosStage()
    stage.zone("pool", x=0, y=0, width=6, depth=6, terrain=["water"])
    stage.zone("pond", x=20, y=0, width=6, depth=6, terrain=["water"])
    ada, bo = stage.hero(at=(1, 1)), stage.hero("Bo", at=(5, 5))
    cy, di = stage.foe("Cy", at=(10, 0)), stage.foe("Di", at=(21, 1))
    stage.do("shock", kind="water", target=ada, dice=[(3, 5), (1, 2), (1, 2)])
    assert [stage.hp(who) for who in (ada, bo, cy, di)] == [88, 88, 96, 96]
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
    stage, ada = one(abilities={"save_bonus_radiation_energy": 2})
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


@pytest.mark.parametrize(
    ("approach", "skills", "total"),
    [
        pytest.param("detect", {"Survival": 3}, 14, marks=pytest.mark.rule("COS-HAZ-22")),
        pytest.param("avoid", {"Athletics": 2}, 15, marks=pytest.mark.rule("COS-HAZ-23")),
        pytest.param("endure", {"Survival": 3}, 14, marks=pytest.mark.rule("COS-HAZ-24")),
    ],
)
def test_rolls_about_a_hazard(approach: str, skills: dict[str, int], total: int) -> None:
    stage, ada = one(skills=skills)
    stage.do("hazard_check", target=ada, approach=approach, dice=[(4, 4)])
    check = stage.check()
    assert (check.total, check.against) == (total, 14)


@pytest.mark.rule("COS-HAZ-22")
def test_detecting_rolls_awareness_and_survival() -> None:
    stage, ada = one(skills={"Survival": 3})
    stage.do("hazard_check", target=ada, approach="detect", dice=[(4, 4)])
    assert [(words(t.label), t.value) for t in stage.check().modifiers] == [
        ("Awareness", 5),
        ("Half Survival", 1),
    ]
    assert (stage.check().total, stage.check().against, stage.check().good) == (14, 14, True)


@pytest.mark.rule("COS-HAZ-23")
def test_avoiding_rolls_coordination_and_athletics() -> None:
    stage, ada = one(skills={"Athletics": 2})
    stage.do("hazard_check", target=ada, approach="avoid", dice=[(4, 4)])
    terms = [(words(t.label), t.value) for t in stage.check().modifiers]
    assert terms == [("Coordination", 6), ("Half Athletics", 1)]
    assert (stage.check().total, stage.check().good) == (15, True)


@pytest.mark.rule("COS-HAZ-24")
@pytest.mark.parametrize(("might", "label", "total"), [(5, "Might", 14), (3, "Resolve", 13)])
def test_enduring_rolls_the_better_of_might_and_resolve(might: int, label: str, total: int) -> None:
    stage, ada = one(skills={"Survival": 3}, attributes={"MIG": might})
    stage.do("hazard_check", target=ada, approach="endure", dice=[(4, 4)])
    check = stage.check()
    assert (words(check.modifiers[0].label), check.total) == (label, total)


@pytest.mark.rule("COS-HAZ-25")
def test_escaping_is_as_the_hazard_says() -> None:
    stage, ada = one(skills={"Athletics": 2})
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
    stage, ada = one(skills={"Survival": 3})
    stage.begin()
    shown = stage.preview("navigate", ada, approach="detect", tn=17)
    assert (add_up(shown.modifiers), shown.against[0].value) == (6, 17)
    stage.do("navigate", ada, approach="detect", tn=17, dice=[(6, 5)])
    assert (stage[ada].budget["standard"], stage.check().good) == (0, True)


@pytest.mark.parametrize("fields", [{"tn": 1}, {"tn": 61}, {"skill": "Juggling"}])
def test_strange_rolls_are_refused(fields: dict[str, Any]) -> None:
    stage, ada = one()
    assert stage.refused("hazard_check", target=ada, approach="detect", **fields).code == "bad_value"


def test_a_survival_kit_helps() -> None:
    stage, ada = one(skills={"Survival": 3}, gear=["survival_kit"])
    stage.do("hazard_check", target=ada, approach="detect", dice=[(4, 4)])
    assert stage.check().total == 15
