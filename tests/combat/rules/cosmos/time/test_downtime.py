"""Rest between fights, and the effects of passing a limit of health."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.basics.dice.requests import ChoiceRequest
from combat.rules.core.state import events as e
from tests.combat.rules.cosmos.figures import CosmosStage, lone


def hurt(hp: int = 50, **more: Any) -> tuple[CosmosStage, str]:
    stage, ada = lone(**more)
    stage.set_track(ada, hp=hp)
    return stage, ada


@pytest.mark.rule("COS-HEAL-01", "COS-HEAL-02", "COS-HEAL-03")
@pytest.mark.parametrize(("kind", "hp"), [("light", 53), ("full", 56), ("medical", 59)])
def test_three_days_restore_three_times_as_much(kind: str, hp: int) -> None:
    stage, ada = hurt()
    stage.do("rest", kind=kind, days=3)
    assert (stage.hp(ada), stage.state.clock) == (hp, 3 * 86_400)


BLEEDS, FAINTED = ("bleeding", "injury"), ("stunned", "unconscious")


@pytest.mark.rule("COS-HEAL-07")
@pytest.mark.parametrize(
    ("held", "answer", "lasts"),
    [
        (BLEEDS, "clear", ("injury",)),
        (BLEEDS, "keep", BLEEDS),
        (FAINTED, "clear", ()),
        (FAINTED, "keep", FAINTED),
    ],
)
def test_passing_a_mark_offers_to_clear_bleeding_stun_or_faint(
    held: tuple[str, ...], answer: str, lasts: tuple[str, ...]
) -> None:
    stage, ada = hurt(hp=47)
    for kind in held:
        stage.give(ada, kind)
    stage.hero("Cy")
    _heal(stage, ada, 1, answer)
    asked = stage.asked[-1]
    assert isinstance(asked, ChoiceRequest)
    assert (asked.who, asked.rule) == ("gm", "COS-HEAL-07")
    assert tuple(one.kind for one in stage[ada].conditions) == lasts


def _heal(stage: CosmosStage, who: str, points: int, *answers: str) -> None:
    """A gift of healing that leaves bleeding alone."""
    healer = next(f for f in stage.state.combatants if f != who)
    gift = {"heal_other": "1d6"}
    stage.edit(healer, sheet={**stage[healer].sheet, "abilities": gift})
    stage.do("treat", by=healer, target=who, method="gift", dice=[(points,), *answers])


@pytest.mark.rule("COS-HEAL-07")
def test_a_sleep_from_gas_is_no_matter_of_wounds() -> None:
    stage, ada = hurt(hp=47)
    stage.give(ada, "unconscious", marks={"cause": "gas", "ends_at": 600})
    cy = stage.hero("Cy")
    _heal(stage, ada, 2)
    assert (stage.hp(ada), stage.has(ada, "unconscious")) == (49, True)
    stage.set_track(ada, hp=71)
    stage.give(ada, "bleeding")
    stage.edit(cy, marks={})
    _heal(stage, ada, 1, "clear")
    assert [held.kind for held in stage[ada].conditions] == ["unconscious"]


@pytest.mark.rule("COS-HEAL-07")
def test_within_a_state_nothing_is_offered() -> None:
    stage, ada = hurt(hp=48)
    stage.give(ada, "bleeding")
    stage.hero("Cy")
    _heal(stage, ada, 2)
    assert stage.has(ada, "bleeding")


# ---------------------------------------------------------------- fatigue, limits


@pytest.mark.rule("COS-COND-13")
@pytest.mark.parametrize("kind", ["night", "full"])
def test_a_full_nights_rest_takes_fatigue_away(kind: str) -> None:
    stage, ada = hurt()
    stage.give(ada, "fatigued")
    stage.do("pass_time", hours=5)
    assert stage.has(ada, "fatigued")
    stage.do("rest", kind=kind)
    assert not stage.has(ada, "fatigued")


@pytest.mark.rule("COS-HAZ-16")
def test_rest_stops_where_the_harm_of_radiation_begins() -> None:
    stage, ada = hurt(hp=90)
    stage.give(ada, "irradiated", level=3)
    stage.do("rest", kind="full", days=10)
    assert stage.hp(ada) == 93


@pytest.mark.rule("COS-HEAL-02", "COS-HEAL-03")
def test_a_party_rests_with_different_care() -> None:
    stage, ada = hurt()
    bo = stage.hero("Bo")
    cy = stage.hero("Cy")
    for who in (bo, cy):
        stage.set_track(who, hp=50)
    stage.give(cy, "dead")
    stage.do("rest", kind="full", days=2, other={bo: "medical"})
    assert (stage.hp(ada), stage.hp(bo), stage.hp(cy), stage.state.clock) == (54, 56, 50, 2 * 86_400)


@pytest.mark.rule("COS-HEAL-02")
def test_those_named_rest_and_no_others() -> None:
    stage, ada = hurt()
    bo = stage.hero("Bo")
    stage.set_track(bo, hp=50)
    stage.do("rest", kind="full", who=[ada])
    assert (stage.hp(ada), stage.hp(bo)) == (52, 50)


@pytest.mark.rule("COS-MED-05")
def test_after_a_day_first_aid_heals_again() -> None:
    stage, ada = hurt()
    cy = stage.hero("Cy", at=(1, 0))
    stage.begin(cy, ada)
    stage.do("first_aid", cy, target=ada, dice=[(9, 9), (1,)])
    stage.do("end_fight")
    stage.do("rest", kind="full")
    stage.begin(cy, ada)
    stage.do("first_aid", cy, target=ada, dice=[(9, 9), (1,)])
    assert stage.hp(ada) == 50 + 1 + 2 + 1


@pytest.mark.parametrize(
    ("abilities", "hp"), [({"healing_per_day": 1}, 53), ({"natural_healing": False}, 50)]
)
def test_species_heal_faster_or_not_at_all(abilities: dict[str, object], hp: int) -> None:
    stage, ada = hurt(abilities=abilities)
    stage.do("rest", kind="full")
    assert stage.hp(ada) == hp


def test_nobody_rests_in_a_fight_or_where_it_harms() -> None:
    stage, ada = hurt()
    stage.begin()
    assert stage.obstacle("rest") == "End the fight before anyone rests."
    stage, ada = hurt()
    stage.give(ada, "bleeding")
    assert "is bleeding" in stage.refused("rest").message
    stage, ada = hurt()
    stage.do("set_setting", key="radiation", value="low")
    assert "radiation" in stage.refused("rest").message
    stage, ada = hurt()
    stage.give(ada, "dead")
    assert stage.refused("rest", who=[ada]).code == "bad_target"


@pytest.mark.parametrize("days", [0, 366, -1])
def test_so_many_days_there_are_not(days: int) -> None:
    stage, _ = hurt()
    assert stage.refused("rest", days=days).code == "bad_value"


@pytest.mark.rule("COS-DEATH-10")
def test_the_stable_wake_when_rest_brings_them_above_0() -> None:
    stage, ada = hurt(hp=-1)
    for kind in ("stable", "unconscious"):
        stage.give(ada, kind)
    stage.do("rest", kind="light")
    assert (stage.hp(ada), stage.has(ada, "unconscious")) == (0, True)
    stage.do("rest", kind="light")
    assert (stage.hp(ada), stage.has(ada, "unconscious")) == (1, False)


@pytest.mark.rule("COS-COND-05", "COS-COND-30", "COS-DRUG-07", "COS-COND-13")
def test_night_ends_what_lasts_for_a_scene_or_for_hours() -> None:
    stage, ada = hurt(96, gear=["adrenaline"])
    stage.do("give_drug", target=ada, drug="adrenaline")
    for kind in ("blinded", "frightened", "stunned"):
        stage.give(ada, kind)
    stage.do("rest", kind="night")
    assert not stage[ada].conditions


@pytest.mark.rule("COS-HEAL-02", "COS-COND-13")
def test_a_night_with_someone_in_care_for_days_lasts_for_days() -> None:
    stage, ada = hurt()
    cy = stage.hero("Cy", (1, 0))
    stage.set_track(cy, hp=50)
    stage.do("rest", kind="night", days=2, other={cy: "medical"})
    assert (stage.hp(ada), stage.hp(cy), stage.state.clock) == (50, 56, 2 * 86_400)


@pytest.mark.rule("COS-DRUG-07", "COS-HEAL-01")
def test_crash_after_a_drug_counts_from_its_end_not_the_morning() -> None:
    stage, ada = lone()
    bo = stage.hero("Bo")
    stage.give(bo, "drug", marks={"drug": "rush", "name": "Rush", "crash": "Fatigued 1 hour", "ends_at": 600})
    start = stage.state.clock
    stage.do("rest", kind="night", who=[ada])
    fatigue = [held for held in stage.told(e.ConditionGained) if held.condition.kind == "fatigued"]
    assert [held.condition.marks["ends_at"] for held in fatigue] == [start + 600 + 3600]
    assert not stage.has(bo, "fatigued")
