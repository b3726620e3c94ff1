"""Clocks: Fatigue, rest, bleeding, and effects that end with a fight or a day."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.state import events as e
from combat.rules.guardians.characters.values import find_armor
from tests.combat.rules.guardians.stage import ADA, BO, GuardStage, duel, lone


def pair(**options: Any) -> GuardStage:
    """Ada and Bo; Ada always acts first."""
    stage = GuardStage(**options)
    stage.hero("Ada", "club", bludgeon_weapons=10, firearms=5, coordination=20)
    stage.foe("Bo")
    stage.begin_fight(20, 1)
    return stage


def next_round(stage: GuardStage) -> None:
    """End both turns; Ada leads the next round."""
    here = stage.state.round
    while stage.state.round == here:
        last = all(stage[who].acted or who == stage.state.active for who in (ADA, BO))
        rolls = [1 + 19 * (who == ADA) for who in (ADA, BO) if not stage.has(who, "dead")]
        stage.end_turn(*(rolls if last else ()))


def toil(stage: GuardStage, rounds: int) -> list[int]:
    """Fight n rounds of blows; return the Fatigue after each."""
    found = []
    for _ in range(rounds):
        stage.attack(99, who=ADA, on=BO, weapon="fist")
        next_round(stage)
        found.append(stage[ADA].tracks["fatigue"])
    return found


@pytest.mark.rule("CG-FAT-01", "CG-FAT-02")
def test_fatigue_begins_with_the_sixth_round_in_a_row() -> None:
    assert toil(pair(), 10) == [0, 0, 0, 0, 0, 1, 1, 1, 1, 2]
    assert toil(pair(fatigue_first_point="end_of_fifth"), 6) == [0, 0, 0, 0, 1, 1]


@pytest.mark.rule("CG-FAT-01")
def test_another_round_ends_the_run_and_points_stay() -> None:
    stage = pair()
    toil(stage, 6)
    stage.do("other", ADA, what="shoots at the lamp")
    next_round(stage)
    assert toil(stage, 5) == [1, 1, 1, 1, 1]
    assert toil(stage, 1) == [2]


@pytest.mark.rule("CG-FAT-01")
def test_the_gm_says_what_is_physical() -> None:
    stage = pair()
    toil(stage, 5)
    stage.attack(99, who=ADA, on=BO, weapon="fist")
    stage.do("toil", target=ADA, physical=False, reason="a mere tap")
    next_round(stage)
    assert stage[ADA].tracks["fatigue"] == 0
    stage = pair()
    toil(stage, 5)
    stage.do("other", ADA, what="lifts the gate")
    stage.do("toil", target=ADA, physical=True)
    next_round(stage)
    assert stage[ADA].tracks["fatigue"] == 1


@pytest.mark.rule("CG-FAT-01")
@pytest.mark.parametrize(("option", "points"), [("no", 0), ("yes", 1)])
def test_defense_alone_tires_by_house_rule(option: str, points: int) -> None:
    stage = pair(defense_counts_as_physical=option)
    for _ in range(6):
        stage.attack(10, "dodge", 1, who=ADA, on=BO)
        next_round(stage)
    assert stage[BO].tracks["fatigue"] == points


@pytest.mark.rule("CG-FAT-05")
@pytest.mark.parametrize(("option", "minutes"), [("at_zero", 10), ("below_health", 1)])
def test_a_minute_of_rest_for_each_point(option: str, minutes: int) -> None:
    stage = GuardStage(exhaustion_ends=option)
    stage.hero("Ada")
    stage.do("adjust", target=ADA, track="fatigue", to=10)
    if minutes > 1:
        stage.do("pass_time", count=minutes - 1, unit="minutes")
        assert stage.has(ADA, "exhausted")
    stage.do("pass_time", count=1, unit="minutes")
    assert not stage.has(ADA, "exhausted")


@pytest.mark.rule("CG-FAT-05")
@pytest.mark.parametrize(("busy", "left"), [(True, 5), (False, 2)])
def test_only_inaction_is_rest(busy: bool, left: int) -> None:
    stage = lone()
    stage.set_track(ADA, fatigue=5)
    stage.do("pass_time", count=3, unit="minutes", busy=busy)
    assert stage[ADA].tracks["fatigue"] == left


@pytest.mark.rule("CG-FAT-06")
def test_a_defense_interrupts_the_rest() -> None:
    stage = pair()
    stage.set_track(BO, fatigue=3)
    for _ in range(9):
        next_round(stage)
    stage.attack(10, "dodge", 1, who=ADA, on=BO)
    next_round(stage)
    assert stage[BO].tracks["fatigue"] == 3


@pytest.mark.rule("CG-FAT-01")
@pytest.mark.parametrize(
    ("weapon", "thrown", "physical"),
    [
        ("light_pistol", False, None),
        ("knife", True, True),
        ("knife", False, True),
        ("throwing_knife", False, True),
    ],
)
def test_throwing_takes_muscle_and_shooting_does_not(
    weapon: str, thrown: bool, physical: bool | None
) -> None:
    stage = pair()
    stage.hold_things(ADA, weapon)
    stage.attack(99, who=ADA, on=BO, thrown=thrown)
    assert stage[ADA].marks.get("physical") is physical


@pytest.mark.rule("CG-LIMB-04")
def test_days_of_rest_heal_a_torn_limb_and_never_a_lost_one() -> None:
    stage = GuardStage(healing_per_day=2)
    stage.hero("Ada")
    stage.set_part(ADA, "left_arm", 0)
    stage.set_part(ADA, "right_arm", 4)
    stage.do("limb", target=ADA, place="left_arm", state="stanched")
    stage.do("pass_time", count=3, unit="days")
    assert (stage.part(ADA, "left_arm"), stage.part(ADA, "right_arm")) == (0, 10)
    assert stage.is_so(ADA, "destroyed", "left_arm")
    healed = {fact.rule for fact in stage.facts if isinstance(fact.event, e.TrackChanged)}
    assert healed == {"CG-REF-11"}, "the rule of the torso is that of no arm"


@pytest.mark.rule("CG-FAT-06")
def test_ten_rounds_without_interruption() -> None:
    stage = pair()
    stage.set_track(ADA, fatigue=9)
    for _ in range(10):
        assert stage[ADA].tracks["fatigue"] == 9
        next_round(stage)
    assert stage[ADA].tracks["fatigue"] == 8
    for _ in range(7):
        next_round(stage)
    stage.do("other", ADA, what="looks around")
    for _ in range(9):
        next_round(stage)
    assert stage[ADA].tracks["fatigue"] == 8


# ---------------------------------------------------------------- bleeding


@pytest.mark.rule("CG-BLEED-02", "CG-ROUND-02")
def test_who_bleeds_dies_after_health_minutes() -> None:
    stage = lone(health=2, coordination=20)
    stage.foe("Bo")
    stage.begin_fight(20, 1)
    for _ in range(3):
        next_round(stage)
    stage.do("limb", target=ADA, place="left_leg", state="crushed")
    for _ in range(20):
        next_round(stage)
    assert (stage.state.round, stage.has(ADA, "dead")) == (24, False)
    stage.end_turn()
    stage.end_turn(1)
    assert (stage.state.round, stage.has(ADA, "dead")) == (25, True)


# ---------------------------------------------------------------- Toughness, days


@pytest.mark.rule("CG-SPEC-04")
@pytest.mark.parametrize(
    ("option", "after_fight", "after_minute", "after_day"),
    [("end_of_encounter", 10, 10, 10), ("next_day", 7, 7, 10), ("per_minute", 7, 8, 10)],
)
def test_when_toughness_comes_back(option: str, after_fight: int, after_minute: int, after_day: int) -> None:
    stage = pair(toughness_recovers=option)
    stage.set_track(ADA, toughness=7)
    stage.do("end_fight")
    assert stage[ADA].tracks["toughness"] == after_fight
    stage.do("pass_time", count=1, unit="minutes")
    assert stage[ADA].tracks["toughness"] == after_minute
    stage.do("pass_time", count=1, unit="days")
    assert stage[ADA].tracks["toughness"] == after_day


@pytest.mark.rule("CG-SPEC-03")
@pytest.mark.parametrize("foe", [{"wears": ("chain_mail",)}, {"natural_armor": {"left_arm": 3}}])
def test_armor_and_scales_are_repaired_between_fights(foe: dict[str, Any]) -> None:
    stage = lone("long_sword", blades=12, coordination=20)
    stage.foe("Bo", **foe)
    whole = find_armor(stage[BO], "left_arm")
    stage.begin_fight(20, 1)
    stage.attack(10, "none", 7, 2, (1, 1))
    assert find_armor(stage[BO], "left_arm") == 0
    assert "between fights" in stage.refused("repair", target=BO).message
    stage.do("end_fight")
    stage.do("repair", target=BO)
    assert find_armor(stage[BO], "left_arm") == whole > 0
    assert "needs repair" in stage.refused("repair", target=BO).message


def test_time_passes_only_between_fights() -> None:
    stage = pair()
    assert stage.refused("pass_time", count=1, unit="hours").code == "not_allowed"
    stage.do("end_fight")
    assert stage.refused("pass_time", count=0, unit="hours").code == "bad_value"
    assert stage.refused("pass_time", count=1, unit="years").code == "bad_value"


# ---------------------------------------------------------------- what counts, and what is no rest


@pytest.mark.rule("CG-FAT-01")
@pytest.mark.parametrize(
    ("name", "fields", "physical"),
    [
        ("move", {"to": "0,1"}, True),
        ("other", {"what": "lifts the gate", "physical": True}, True),
        ("other", {"what": "looks around"}, None),
        ("stand_up", {}, True),
        ("guard", {}, None),
        ("hold", {}, None),
        ("put_away", {"item": "club"}, None),
        ("draw", {"item": "knife"}, None),
        ("let_go", {"item": "club"}, None),
        ("painkillers", {"target": ADA}, None),
    ],
)
def test_what_is_purely_physical(name: str, fields: dict[str, Any], physical: bool | None) -> None:
    stage = duel("club", "knife", hero={"gear": ("painkillers",)})
    stage.change_item(ADA, "knife", place="carried")
    if name == "stand_up":
        stage.give(ADA, "prone")
    if "item" in fields:
        fields = {"item": stage.item(ADA, fields["item"]).id}
    stage.do(name, ADA, **fields)
    assert stage[ADA].marks.get("physical") is physical
    assert bool(stage[ADA].marks.get("active")) is (name not in ("hold", "let_go"))


@pytest.mark.rule("CG-FAT-01")
def test_defense_beside_another_deed_does_not_tire() -> None:
    stage = pair(defense_counts_as_physical="yes")
    for _ in range(6):
        stage.attack(10, "dodge", 1, who=ADA, on=BO)
        stage.end_turn()
        stage.do("other", BO, what="calls for help")
        next_round(stage)
    assert stage[BO].tracks["fatigue"] == 0


@pytest.mark.rule("CG-FAT-01")
def test_a_run_ends_with_the_fight() -> None:
    stage = pair()
    toil(stage, 5)
    stage.do("end_fight")
    stage.begin_fight(20, 1)
    assert toil(stage, 1) == [0]


@pytest.mark.rule("CG-FAT-05")
def test_who_is_not_tired_has_nothing_to_rest_off() -> None:
    stage = lone()
    stage.do("pass_time", count=1, unit="hours")
    assert not stage.told(e.TrackChanged)


@pytest.mark.rule("CG-SPEC-04")
def test_toughness_comes_back_with_time_where_no_fight_ends() -> None:
    stage = lone()
    stage.set_track(ADA, toughness=7)
    stage.do("pass_time", count=1, unit="minutes")
    assert stage[ADA].tracks["toughness"] == 10


@pytest.mark.rule("CG-SPEC-04")
def test_each_rank_of_toughness_takes_a_minute_of_its_own() -> None:
    stage = pair(toughness_recovers="per_minute")
    stage.set_track(ADA, toughness=8)
    found = []
    for _ in range(20):
        next_round(stage)
        found.append(stage[ADA].tracks["toughness"])
    assert found == [8] * 9 + [9] * 10 + [10]
    stage.set_track(ADA, toughness=9)
    for _ in range(5):
        next_round(stage)
    stage.set_track(ADA, toughness=10)
    next_round(stage)
    stage.set_track(ADA, toughness=9)
    for _ in range(9):
        next_round(stage)
    assert stage[ADA].tracks["toughness"] == 9


@pytest.mark.rule("CG-REF-11", "CG-TORSO-02")
@pytest.mark.parametrize(
    ("count", "unit", "busy", "points"),
    [(1, "days", False, 13), (1, "days", True, 12), (23, "hours", False, 12), (49, "hours", False, 14)],
)
def test_whole_days_of_rest_heal(count: int, unit: str, busy: bool, points: int) -> None:
    stage = lone()
    stage.set_part(ADA, "torso", 12)
    stage.do("pass_time", count=count, unit=unit, busy=busy)
    assert stage.part(ADA, "torso") == points


@pytest.mark.rule("CG-REF-11", "CG-TORSO-02")
def test_hours_add_up_to_a_day() -> None:
    stage = lone()
    stage.set_part(ADA, "torso", 12)
    found = []
    for _ in range(4):
        stage.do("pass_time", count=8, unit="hours")
        found.append(stage.part(ADA, "torso"))
    assert found == [12, 12, 13, 13]


@pytest.mark.rule("CG-REF-02")
@pytest.mark.parametrize(("turns", "left"), [(10, False), (11, True)])
def test_turns_that_nobody_plays_count_for_what_the_gm_gave(turns: int, left: bool) -> None:
    stage = lone()
    stage.do("give_condition", target=ADA, kind="frightened", turns=turns)
    stage.do("pass_time", count=1, unit="minutes")
    assert stage.has(ADA, "frightened") is left
