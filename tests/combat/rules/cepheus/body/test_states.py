"""Wounded, seriously wounded, unconscious, awake again, dead; minds; fatigue; drugs."""

from __future__ import annotations

import pytest

from combat.rules.cepheus.body.drugs import count_free_dodges, dodge_freely, initiative_terms
from combat.rules.cepheus.body.states import AWAKE, come_round, count_rest
from combat.rules.cepheus.characters.sheet import find_health
from combat.rules.cepheus.dice import modifiers_for_check
from combat.rules.cepheus.world.economy import find_budget
from combat.rules.cepheus.world.motion import allowed_meters
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.figures import ADA, BO, CepheusStage, lone

AWAKE_DICE, FAILED = (6, 6), (1, 1)


@pytest.fixture
def stage() -> CepheusStage:
    return lone()


def word(stage: CepheusStage, who: str = ADA) -> object:
    return find_health(stage[who]).word


@pytest.mark.rule("CE-STANCE-01", "CE-DMG-12")
def test_who_crouched_and_drops_is_prone_alone(stage: CepheusStage) -> None:
    stage.give(ADA, "crouched")
    stage.wounded(ADA, 0, 0, 3)
    assert [stage.has(ADA, kind) for kind in ("prone", "crouched")] == [True, False]


@pytest.mark.rule("CE-STANCE-01")
@pytest.mark.parametrize(("before", "after"), [("crouched", "prone"), ("prone", "crouched")])
def test_a_stance_from_the_gm_ends_the_other(stage: CepheusStage, before: str, after: str) -> None:
    stage.do("give_condition", target=ADA, kind=before)
    stage.do("give_condition", target=ADA, kind=after)
    assert [stage.has(ADA, kind) for kind in (before, after)] == [False, True]


# ---------------------------------------------------------------- labels


@pytest.mark.rule("CE-DMG-10", "CE-DMG-11", "CE-INJ-01", "CE-INJ-02", "CS-DMG-06", "CS-DMG-07")
@pytest.mark.rule("CS-INJ-01", "CS-INJ-02")
@pytest.mark.parametrize(
    ("body", "label"),
    [
        ((7, 7, 7), "health.unhurt"),
        ((7, 7, 6), "health.wounded"),
        ((6, 7, 7), "health.wounded"),
        ((7, 6, 7), "health.wounded"),
        ((6, 7, 3), "health.wounded"),
        ((7, 6, 0), "health.wounded"),
        ((6, 6, 6), "health.seriously_wounded"),
        ((6, 6, 0), "health.seriously_wounded"),
    ],
)
def test_one_label_for_each_state(stage: CepheusStage, body: tuple[int, int, int], label: str) -> None:
    stage.wounded(ADA, *body)
    assert word(stage) == label
    assert stage.has(ADA, "seriously_wounded") is (label == "health.seriously_wounded")


@pytest.mark.rule("CE-DMG-12", "CE-DMG-13", "CS-DMG-08")
@pytest.mark.parametrize(
    ("body", "out"), [((0, 5, 0), True), ((0, 5, 3), False), ((0, 0, 5), True), ((0, 1, 5), False)]
)
def test_two_at_zero_are_unconscious_one_is_not(
    stage: CepheusStage, body: tuple[int, int, int], out: bool
) -> None:
    stage.wounded(ADA, *body)
    assert stage.has(ADA, "unconscious") is out
    assert not stage.has(ADA, "dead")


@pytest.mark.rule("CE-INJ-05", "CS-INJ-04")
def test_the_seriously_wounded_have_no_minor_action(stage: CepheusStage) -> None:
    stage.wounded(ADA, 6, 6, 6)
    assert find_budget(stage.state, stage[ADA]) == {"minor": 0, "significant": 1}


# ---------------------------------------------------------------- falling unconscious and waking


def test_the_turn_of_who_falls_unconscious_is_over(stage: CepheusStage) -> None:
    stage.hero("Bo")
    stage.begin(ADA, BO)
    stage.give(ADA, "aiming")
    stage.give(BO, "grappled", by=ADA)
    stage.hit(ADA, 14, "str")
    assert stage[ADA].budget == {"minor": 0, "significant": 0}
    assert not stage.has(ADA, "aiming")
    assert not stage.has(BO, "grappled")


@pytest.mark.rule("CE-UNCON-01")
@pytest.mark.parametrize(("seconds", "checks"), [(59, 0), (60, 1)])
def test_the_check_comes_after_a_minute(stage: CepheusStage, seconds: int, checks: int) -> None:
    stage.wounded(ADA, 0, 5, 0)
    stage.wait(seconds)
    stage.run(lambda context: come_round(context, ADA), [FAILED] * checks)
    assert len(stage.checks("check.wake")) == checks


@pytest.mark.rule("CE-UNCON-01")
def test_ten_rounds_bring_the_first_check(stage: CepheusStage) -> None:
    stage.hero("Bo")
    stage.begin(BO, ADA)
    stage.wounded(ADA, 0, 5, 0)
    for number in range(2, 11):
        stage.do("next_turn")
        assert (stage.state.round, stage.asked) == (number, [])
    stage.do("next_turn", dice=[FAILED])
    assert stage.check("check.wake").who == ADA


@pytest.mark.rule("CE-UNCON-02")
def test_who_came_round_goes_out_again_by_any_wound(stage: CepheusStage) -> None:
    """R40"""
    stage.wounded(ADA, 0, 5, 0)
    stage.wait(60)
    stage.run(lambda context: come_round(context, ADA), [AWAKE_DICE])
    stage.hit(ADA, 1)
    assert stage.has(ADA, "unconscious")
    assert AWAKE not in stage[ADA].marks


@pytest.mark.rule("CE-UNCON-02")
def test_healing_does_not_put_out_who_came_round(stage: CepheusStage) -> None:
    stage.wounded(ADA, 0, 5, 0)
    stage.edit(ADA, conditions=(), marks={AWAKE: True})
    stage.do("adjust", target=ADA, track="dex", to=6)
    assert not stage.has(ADA, "unconscious")


def test_healing_above_two_zeros_wakes(stage: CepheusStage) -> None:
    stage.wounded(ADA, 0, 5, 0)
    stage.do("adjust", target=ADA, track="end", to=1)
    assert not stage.has(ADA, "unconscious")


def test_gm_takes_back_a_death(stage: CepheusStage) -> None:
    stage.hit(ADA, 30)
    stage.do("adjust", target=ADA, track="end", to=1)
    assert not stage.has(ADA, "dead")
    assert stage.has(ADA, "unconscious")


def test_the_dead_lose_nothing_more(stage: CepheusStage) -> None:
    stage.hit(ADA, 30)
    stage.hit(ADA, 5)
    assert not stage.losses()


# ---------------------------------------------------------------- the mind


@pytest.mark.rule("CE-MENT-01")
def test_neurotoxin_takes_intelligence() -> None:
    stage = lone("Ada", "777877")
    stage.do("hazard", target=ADA, hazard="neurotoxin", dice=[FAILED, 3])
    assert stage[ADA].tracks["int"] == 5
    assert add_up(modifiers_for_check(stage.state, ADA, "", "int")) == -1


@pytest.mark.rule("CE-MENT-01")
def test_a_mind_at_zero_is_helpless_until_a_point_is_back(stage: CepheusStage) -> None:
    stage.do("deal_mind", target=ADA, key="edu", amount="9")
    assert stage.has(ADA, "helpless")
    assert stage.has(ADA, "prone")
    stage.do("adjust", target=ADA, track="edu", to=1)
    assert not stage.has(ADA, "helpless")


@pytest.mark.rule("CE-MENT-01")
def test_the_helpless_have_no_turns(stage: CepheusStage) -> None:
    """RULING R72"""
    stage.hero("Bo")
    stage.begin(BO, ADA)
    stage.do("deal_mind", target=ADA, key="int", amount="9")
    stage.do("next_turn")
    assert (stage.state.round, stage.state.active) == (2, BO)


def test_minds_are_left_alone_where_the_table_plays_so() -> None:
    stage = CepheusStage(use_mental=False)
    stage.hero()
    assert "House rule" in stage.refused("deal_mind", target=ADA, key="edu", amount="3").message


# ---------------------------------------------------------------- fatigue


@pytest.mark.rule("CE-FAT-01", "CE-FAT-02")
def test_the_gm_tires_people_out_who_have_less_of_everything(stage: CepheusStage) -> None:
    stage.do("exhaust", target=ADA)
    assert stage.has(ADA, "fatigued")
    assert add_up(modifiers_for_check(stage.state, ADA, "", "end")) == -2
    stage.edit(ADA, sheet={**stage[ADA].sheet, "skills": {"athletics": 0}})
    assert add_up(modifiers_for_check(stage.state, ADA, "athletics", "end")) == -2


@pytest.mark.rule("CE-FAT-03")
@pytest.mark.parametrize(("profile", "hours"), [("779777", 2), ("774777", 4), ("77F777", 1)])
def test_rest_is_three_hours_less_the_dm(profile: str, hours: int) -> None:
    stage = lone("Ada", profile)
    assert count_rest(stage[ADA]) == hours
    stage.do("exhaust", target=ADA)
    stage.do("pass_time", hours=hours - 1, minutes=59, resting=True)
    assert stage.has(ADA, "fatigued")
    stage.do("pass_time", minutes=1, resting=True)
    assert not stage.has(ADA, "fatigued")


@pytest.mark.rule("CE-FAT-04")
def test_tired_out_twice_is_unconscious(stage: CepheusStage) -> None:
    for _ in range(2):
        stage.do("give_condition", target=ADA, kind="fatigued")
    assert [held.kind for held in stage[ADA].conditions] == ["fatigued", "unconscious", "prone"]
    stage.do("adjust", target=ADA, track="end", to=6)
    assert stage.has(ADA, "unconscious")  # wounds have nothing to do with it


# ---------------------------------------------------------------- drugs


@pytest.mark.rule("CE-FAT-01")
def test_combat_drug_works_after_four_rounds_and_tires() -> None:
    stage = lone(gear=["combat_drug"])
    stage.begin(ADA)
    stage.do("take_drug", ADA, item=stage.item(ADA, "combat_drug").id)
    assert stage[ADA].budget["minor"] == 0
    assert stage.has(ADA, "drugged")
    stage.do("end_fight")
    stage.do("pass_time", minutes=1)
    assert stage.has(ADA, "combat_drug")
    said = [(stage.system.draw(term.label), term.value) for term in initiative_terms(stage[ADA])]
    assert said == [("Combat drug", 4)]
    assert count_free_dodges(stage.state, stage[ADA]) == 1
    stage.hit(ADA, 5)
    assert stage.losses() == {"end": 3}
    stage.do("pass_time", minutes=10)
    assert stage.has(ADA, "fatigued")
    assert not stage.has(ADA, "combat_drug")


def test_accelerator_hurts_when_it_ends() -> None:
    stage = lone(gear=["metabolic_accelerator"])
    stage.begin(ADA)
    stage.do("take_drug", ADA, item=stage.item(ADA, "metabolic_accelerator").id)
    stage.do("end_fight")
    stage.do("pass_time", minutes=1)
    assert add_up(initiative_terms(stage[ADA])) == 8
    stage.do("pass_time", minutes=10, dice=[(2, 2)])
    assert stage.body(ADA) == (7, 7, 3)
    assert stage.has(ADA, "fatigued")


@pytest.mark.rule("CE-FAT-01")
@pytest.mark.parametrize(("drug", "rounds"), [("combat_drug", 4), ("metabolic_accelerator", 8)])
def test_a_drug_works_after_its_rounds_and_for_ten_minutes(drug: str, rounds: int) -> None:
    stage = lone(gear=[drug])
    stage.begin(ADA)
    stage.do("take_drug", ADA, item=stage.item(ADA, drug).id)
    for number in range(1, rounds + 1):
        assert not stage.has(ADA, drug), number
        stage.do("next_turn")
    (held,) = (held for held in stage[ADA].conditions if held.kind == drug)
    assert held.marks == {"ends_at": stage.state.clock + 600}


def test_stims_cost_more_each_time() -> None:
    stage = lone(gear=["stim_drugs", "stim_drugs"])
    for body, dice in (((7, 7, 6), ()), ((7, 7, 4), ("end=2",))):
        stage.do("exhaust", target=ADA)
        stage.begin(ADA)
        stage.do("take_drug", ADA, item=stage.item(ADA, "stim_drugs").id, dice=dice)
        assert not stage.has(ADA, "fatigued")
        assert stage.body(ADA) == body
    assert not any(item.data.get("id") == "stim_drugs" for item in stage[ADA].items)


def test_a_drug_for_someone_else_takes_a_significant_action() -> None:
    stage = lone(gear=["stim_drugs"])
    stage.hero("Bo", at=(1, 0))
    stage.give(BO, "fatigued")
    stage.begin(ADA, BO)
    stage.do("take_drug", ADA, item=stage.item(ADA, "stim_drugs").id, target=BO)
    assert stage[ADA].budget == {"minor": 1, "significant": 0}
    assert not stage.has(BO, "fatigued")
    assert stage.body(BO) == (7, 7, 6)


def test_free_dodges_are_counted_by_the_round(stage: CepheusStage) -> None:
    stage.give(ADA, "metabolic_accelerator", marks={"ends_at": 999})
    free: list[bool] = []
    for _ in range(3):
        stage.run(lambda context: free.append(dodge_freely(context, ADA)))
    assert free == [True, True, False]
    assert count_free_dodges(stage.state, stage[ADA]) == 0
    stage.state = replace(stage.state, round=1)
    assert count_free_dodges(stage.state, stage[ADA]) == 2


# ---------------------------------------------------------------- hobbling


@pytest.mark.rule("CE-INJ-04", "CS-INJ-03")
def test_seriously_wounded_hobble_a_meter_and_a_half_per_round(stage: CepheusStage) -> None:
    assert allowed_meters(stage[ADA]) == 6
    stage.wounded(ADA, 6, 6, 6)
    assert allowed_meters(stage[ADA]) == allowed_meters(stage[ADA], actions=2) == 1.5
    stage.edit(ADA, marks={"moved_m": "1.00"})
    assert allowed_meters(stage[ADA]) == 0.5
    stage.edit(ADA, marks={"moved_m": "1.50"})
    assert allowed_meters(stage[ADA], actions=2) == 0
