"""Vacuum, radiation, toxic air, heat, cold and heavy gravity, at the turn and by the clock."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.basics.dice.requests import GM
from combat.rules.core.state.state import replace
from tests.combat.rules.cosmos.figures import CosmosStage, alone, lone, pair, words

HIGH = (9, 9)


def exposed(key: str, value: str, **more: Any) -> tuple[CosmosStage, str]:
    stage, ada = alone(**more)
    stage.do("set_setting", key=key, value=value)
    return stage, ada


def rounds(stage: CosmosStage, n: int) -> None:
    for _ in range(n):
        stage.do("next_turn")


def label(stage: CosmosStage, who: str, kind: str) -> str:
    return next(words(c.label) for c in stage[who].conditions if c.kind == kind)


# ---------------------------------------------------------------- vacuum


def gasping(hp: int) -> tuple[CosmosStage, str, str]:
    """Ada out of breath with few HP, and Bo, in a suit; the order is Bo, Ada, and it is Ada's turn."""
    stage, ada, bo = pair(gear=["advanced_suit"])
    stage.put(bo, "advanced_suit", "worn")
    stage.do("set_setting", key="air", value="vacuum")
    stage.set_track(ada, hp=hp)
    stage.give(ada, "airless", marks={"rounds": 4})
    stage.begin(bo, ada, active=ada)
    stage.edit(bo, acted=True)
    return stage, ada, bo


@pytest.mark.rule("COS-ENV-15")
def test_at_0_hp_unconscious_and_held_there() -> None:
    stage, ada, _ = gasping(5)
    stage.do("next_turn", dice=[(3, 5)])
    assert (stage.hp(ada), stage.has(ada, "unconscious")) == (0, True)
    assert label(stage, ada, "last_breath") == "Suffocating: dead in 4 rounds"
    rounds(stage, 2)  # no death save, no loss
    assert (stage.state.round, stage.hp(ada)) == (4, 0)


@pytest.mark.rule("COS-ENV-13", "COS-ENV-14")
def test_vacuum_clocks_count_at_the_end_of_the_round_for_all() -> None:
    stage, ada, bo = pair()
    stage.do("set_setting", key="air", value="vacuum")
    stage.give(ada, "airless", marks={"rounds": 4})
    stage.give(bo, "airless", marks={"rounds": 4})
    stage.begin(ada, bo)
    stage.do("next_turn")  # Bo's turn: no one has lost anything
    assert (stage.hp(ada), stage.hp(bo)) == (96, 96)
    stage.do("next_turn", dice=[(3, 5), (1, 2)])
    assert (stage.hp(ada), stage.hp(bo), label(stage, ada, "airless")) == (88, 93, "Out of breath")
    assert [roll.who for roll in stage.asked] == [ada, bo]


@pytest.mark.rule("COS-ENV-15", "COS-ENV-16")
def test_death_save_at_0_hp_without_air_waits_for_the_count() -> None:
    stage, ada, _ = gasping(5)
    stage.turn("f2")
    stage.do("adjust", target=ada, track="hp", to=0)
    stage.give(ada, "bleeding")
    stage.edit("f2", acted=False)
    stage.do("next_turn")  # Ada's turn comes and goes without dice, then the round ends
    assert (stage.hp(ada), label(stage, ada, "last_breath")) == (0, "Suffocating: dead in 4 rounds")


@pytest.mark.rule("COS-ENV-16")
def test_rescued_in_time_the_usual_dying_goes_on() -> None:
    stage, ada, _ = gasping(5)
    stage.do("next_turn", dice=[(3, 5)])
    stage.do("set_setting", key="air", value="normal")
    stage.do("next_turn", dice=[(6, 5)])  # the death save at her turn: 16 fails
    assert not stage.has(ada, "last_breath")
    assert stage.hp(ada) == -1


@pytest.mark.rule("COS-ENV-16")
def test_bleeding_takes_nothing_more_while_the_countdown_runs() -> None:
    stage, ada, _ = gasping(5)
    stage.do("next_turn", dice=[(3, 5)])
    stage.give(ada, "bleeding")
    stage.do("next_turn")
    assert stage.hp(ada) == 0


@pytest.mark.rule("COS-ENV-13")
def test_air_again_lets_the_breath_begin_again() -> None:
    stage, ada = exposed("air", "vacuum")
    rounds(stage, 3)
    stage.do("set_setting", key="air", value="normal")
    stage.do("next_turn")
    assert not stage.has(ada, "airless")
    stage.do("set_setting", key="air", value="vacuum")
    stage.do("next_turn")
    assert label(stage, ada, "airless") == "Holding breath: 3 rounds left"


def test_who_is_down_already_has_only_the_countdown() -> None:
    stage, ada, _ = gasping(-2)
    stage.give(ada, "unconscious")
    stage.do("next_turn")
    assert label(stage, ada, "last_breath") == "Suffocating: dead in 4 rounds"


@pytest.mark.rule("COS-ENV-16")
def test_countdown_the_gm_gives_takes_resolve_rounds_as_well() -> None:
    stage, ada, _ = gasping(-2)
    stage.state = replace(stage.state, clock=1000)
    stage.give(ada, "unconscious")
    stage.give(ada, "last_breath")
    turn = stage.state.round
    while stage.state.round == turn:
        stage.do("next_turn")
    (held,) = [c for c in stage[ada].conditions if c.kind == "last_breath"]
    left = int(held.marks["dies_at"]) - stage.state.clock
    assert (left, words(held.label)) == (18, "Suffocating: dead in 4 rounds")


def test_an_airlock_is_a_zone() -> None:
    stage, ada = alone()
    stage.zone("lock", x=-5, y=-5, width=10, depth=10, terrain=["vacuum"])
    stage.do("next_turn")
    assert stage.has(ada, "airless")


@pytest.mark.parametrize(
    "more", [{"immune": ["vacuum"]}, {"abilities": {"immune_poison_disease_suffocation": True}}]
)
def test_some_need_no_air(more: dict[str, object]) -> None:
    stage, ada = exposed("air", "vacuum", **more)
    rounds(stage, 6)
    assert (stage.hp(ada), stage.has(ada, "airless")) == (96, False)


# ---------------------------------------------------------------- gravity


@pytest.mark.rule("COS-ENV-12")
def test_high_gravity_tires_after_might_minutes() -> None:
    stage, ada = exposed("gravity", "high")
    stage.do("next_turn")
    stage.wait(5 * 60 - 7)
    stage.do("next_turn")
    assert not stage.has(ada, "fatigued")
    stage.do("next_turn")
    assert stage.has(ada, "fatigued")
    assert "COS-ENV-12" in stage.rules()


# ---------------------------------------------------------------- heat and cold


@pytest.mark.rule("COS-ENV-17", "COS-ENV-18", "COS-ENV-22")
def test_heat_tires_then_harms() -> None:
    stage, ada = exposed("temperature", "heat", skills={"Survival": 3}, armor="heavy")
    stage.do("next_turn")
    stage.wait(600)
    stage.do("next_turn", dice=[(3, 4)])  # Might 5 + 1: 13
    check = stage.check("Survival")
    assert (check.total, check.against, check.good) == (13, 14, False)
    assert stage.has(ada, "fatigued")
    stage.wait(594)
    stage.do("next_turn", dice=[(4, 4), (4,)])  # tired limbs: Resolve 4 + 1 now
    assert stage.hp(ada) == 92


@pytest.mark.rule("COS-ENV-21")
def test_suit_in_the_pack_and_mask_on_the_face_keep_no_cold_out() -> None:
    stage, ada = exposed("temperature", "cold", gear=["basic_suit", "filter_mask"])
    stage.do("suit", ada, item=stage.item(ada, "filter_mask").id)
    stage.do("next_turn")
    stage.wait(600)
    stage.do("next_turn", dice=[(2, 2)])
    assert stage.derived(ada, "Speed").value == 5


@pytest.mark.rule("COS-ENV-22")
def test_the_better_of_might_and_resolve_endures() -> None:
    stage, ada = exposed("temperature", "heat", skills={"Survival": 3}, attributes={"MIG": 2})
    stage.do("next_turn")
    stage.wait(600)
    stage.do("next_turn", dice=[(4, 5)])
    check = stage.check("Survival")
    assert (check.total, check.good) == (14, True)
    assert [words(term.label) for term in check.modifiers] == ["Resolve", "Half Survival"]
    assert not stage.has(ada, "fatigued")


@pytest.mark.rule("COS-ENV-19", "COS-ENV-20")
def test_cold_slows_then_harms_and_lets_go_in_the_warmth() -> None:
    stage, ada = exposed("temperature", "cold")
    stage.do("next_turn")
    stage.wait(600)
    stage.do("next_turn", dice=[(2, 2)])
    assert stage.derived(ada, "Speed").value == 5
    assert not stage.has(ada, "fatigued")
    stage.wait(594)
    stage.do("next_turn", dice=[(2, 2), (4,)])
    assert stage.hp(ada) == 92
    stage.do("set_setting", key="temperature", value="normal")
    stage.do("next_turn")
    assert stage.derived(ada, "Speed").value == 11


@pytest.mark.rule("COS-ENV-22")
@pytest.mark.parametrize(
    ("temperature", "asked"), [("heat", False), ("great_heat", True), ("great_cold", True)]
)
def test_extreme_places_ask_every_minute(temperature: str, asked: bool) -> None:
    stage, _ = exposed("temperature", temperature)
    stage.do("next_turn")
    stage.wait(48)
    stage.do("next_turn")
    stage.do("next_turn", dice=[HIGH] if asked else [])
    assert bool(stage.checks("Survival")) is asked


@pytest.mark.rule("COS-ENV-21")
@pytest.mark.parametrize("suit", ["basic_suit", "environment_suit"])
def test_a_suit_that_is_on_cancels_the_temperature(suit: str) -> None:
    stage, ada = exposed("temperature", "great_cold", gear=[suit])
    stage.do("suit", ada, item=stage.item(ada, suit).id)
    stage.do("next_turn")
    stage.wait(600)
    stage.do("next_turn")
    assert not stage.checks()


def test_some_species_feel_the_cold() -> None:
    stage, _ = exposed("temperature", "cold", abilities={"cold_save_penalty": -2})
    stage.do("next_turn")
    stage.wait(600)
    stage.do("next_turn", dice=[(5, 5)])  # 10 + 5 - 2
    assert stage.check("Survival").total == 13


# ---------------------------------------------------------------- radiation


@pytest.mark.rule("COS-HAZ-15", "COS-HAZ-16")
def test_radiation_is_saved_against_with_resolve_on_entry() -> None:
    stage, ada = exposed("radiation", "moderate", armor="heavy")
    stage.do("next_turn", dice=[(5, 4), (3,)])
    save = stage.check("Resolve save")
    assert (save.total, save.against, save.good) == (13, 14, False)
    assert stage.hp(ada) == 93
    (harm,) = (c for c in stage[ada].conditions if c.kind == "irradiated")
    assert harm.level == 3
    stage.do("next_turn")  # the next check comes in an hour
    stage.wait(3600)
    stage.do("next_turn", dice=[(5, 4), (2,)])
    assert next(c.level for c in stage[ada].conditions if c.kind == "irradiated") == 5


@pytest.mark.rule("COS-HAZ-15")
def test_lethal_radiation_strikes_every_round() -> None:
    stage, ada = exposed("radiation", "lethal")
    stage.do("next_turn", dice=[(9, 9), (1,) * 6])
    stage.do("next_turn", dice=[(9, 9), (1,) * 6])
    assert stage.hp(ada) == 84


@pytest.mark.parametrize(
    ("more", "plus"),
    [
        ({"abilities": {"save_bonus_pressure_radiation_toxin": 2}}, 2),
        ({"abilities": {"save_bonus_radiation_energy": 2}}, 2),
        ({}, 0),
    ],
)
def test_some_species_resist_radiation(more: dict[str, object], plus: int) -> None:
    stage, _ = exposed("radiation", "moderate", **more)
    stage.do("next_turn", dice=[HIGH])
    assert stage.check("Resolve save").total == 22 + plus


# ---------------------------------------------------------------- toxic air


@pytest.mark.rule("COS-HAZ-18", "COS-HAZ-19")
@pytest.mark.parametrize(("dice", "hp"), [([(6, 6)], 96), ([(6, 5), (6,)], 90)])
def test_severe_toxic_air_is_saved_against_with_might(dice: list[tuple[int, ...]], hp: int) -> None:
    stage, ada = exposed("air", "toxic_severe")
    stage.do("next_turn", dice=dice)
    assert stage.check("Might save").against == 17
    assert stage.hp(ada) == hp


@pytest.mark.rule("COS-HAZ-18", "COS-HAZ-19")
def test_lethal_toxic_air_strikes_every_round() -> None:
    stage, ada = exposed("air", "toxic_lethal")
    stage.do("next_turn", dice=[(7, 7), (3, 4)])
    check = stage.check("Might save")
    assert (check.total, check.against, stage.hp(ada)) == (19, 20, 89)
    stage.do("next_turn", dice=[(7, 8)])
    assert (stage.check("Might save").good, stage.hp(ada)) == (True, 89)


@pytest.mark.rule("COS-HAZ-19")
def test_mild_toxic_air_tires() -> None:
    stage, ada = exposed("air", "toxic_mild")
    stage.do("next_turn", dice=[(2, 3)])
    assert (stage.check("Might save").against, stage.check("Might save").total) == (11, 10)
    assert (stage.has(ada, "fatigued"), stage.hp(ada)) == (True, 96)


@pytest.mark.rule("COS-HAZ-20")
@pytest.mark.parametrize(("armor", "total"), [("riot_armor", 17), ("light", 14), ("heavy", 14)])
def test_armor_with_a_filter_helps(armor: str, total: int) -> None:
    stage, _ = exposed("air", "toxic_severe", armor=armor)
    stage.do("next_turn", dice=[(4, 5), (1,)][: 1 if total == 17 else 2])
    assert stage.check("Might save").total == total


@pytest.mark.rule("COS-HAZ-20")
def test_two_filters_do_not_add() -> None:
    stage, ada = exposed("air", "toxic_severe", gear=["filter_mask"], armor="riot_armor")
    stage.put(ada, "filter_mask", "worn")
    stage.do("next_turn", dice=[(4, 5)])
    assert stage.check("Might save").total == 17


@pytest.mark.parametrize("suit", ["basic_suit", "breath_mask"])
def test_a_sealed_suit_keeps_toxic_air_out(suit: str) -> None:
    stage, ada = exposed("air", "toxic_lethal", gear=[suit])
    stage.put(ada, suit, "worn")
    rounds(stage, 2)
    assert not stage.checks()


@pytest.mark.rule("COS-HAZ-21")
def test_a_check_is_due_again_after_its_interval_only() -> None:
    stage, _ = exposed("air", "toxic_moderate")
    stage.do("next_turn", dice=[HIGH])
    stage.wait(500)
    stage.do("next_turn")
    stage.wait(88)
    stage.do("next_turn", dice=[HIGH])


@pytest.mark.rule("COS-HAZ-19")
@pytest.mark.parametrize("kind", ["blinded", "fatigued"])
def test_moderate_air_blinds_or_tires_as_the_gm_says(kind: str) -> None:
    stage, ada = exposed("air", "toxic_moderate")
    stage.do("next_turn", dice=[(4, 4), kind])
    assert stage.check("Might save").against == 14
    assert [held.kind for held in stage[ada].conditions] == [kind]
    assert stage.asked[-1].who == GM
    stage.wait(594)
    stage.do("next_turn", dice=[(4, 4)])
    assert {held.kind for held in stage[ada].conditions} == {"blinded", "fatigued"}


# ---------------------------------------------------------------- by the GM's decision


@pytest.mark.rule("COS-HAZ-15")
def test_the_gm_asks_for_a_check_with_other_figures() -> None:
    stage, ada = lone()
    stage.do(
        "expose", target=ada, hazard="radiation", level="low", tn=20, damage="2d6", dice=[(5, 5), (4, 4)]
    )
    assert stage.check("Resolve save").against == 20
    assert (stage.hp(ada), stage.has(ada, "irradiated")) == (88, True)


@pytest.mark.parametrize(
    ("hazard", "kind"), [("heat", "fatigued"), ("cold", "slowed"), ("gravity", "fatigued")]
)
def test_the_gm_asks_for_what_the_clock_does_not(hazard: str, kind: str) -> None:
    stage, ada = lone()
    stage.do("expose", target=ada, hazard=hazard, dice=[] if hazard == "gravity" else [(1, 2)])
    assert stage.has(ada, kind)


@pytest.mark.parametrize("fields", [{"level": "gloomy"}, {"level": "low", "damage": "lots"}])
def test_strange_exposures_are_refused(fields: dict[str, str]) -> None:
    stage, ada = lone()
    assert stage.refused("expose", target=ada, hazard="toxic", **fields).code == "bad_value"
