"""The other actions: objects, moving, challenges, guarding, consumables."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.state import events as e
from tests.combat.rules.starshock.fight.test_attack import set_values
from tests.combat.rules.starshock.figures import ADA, BO, CY, StarStage, terms


def party(actions: int = 1, friend: dict[str, Any] | None = None, **ada: Any) -> StarStage:
    """Ada, her enemy Bo far away, her ally Cy beside her; her turn."""
    options = ada.pop("options", {})
    stage = StarStage("dock", "hold", "deck", "roof", **options)
    stage.hero("Ada", zone="dock", **ada)
    stage.foe("Bo", zone="roof")
    stage.hero("Cy", zone="dock", **(friend or {}))
    return stage.begin(ADA, BO, CY, actions=actions)


# ---------------------------------------------------------------- anything else


@pytest.mark.rule("SS-OTHER-01")
def test_an_untrained_specialist_skill_costs_one() -> None:
    stage = party()
    stage.do("check", ADA, dice=[(4, 4)], attribute="int", skill="Physics")
    assert terms(stage.check().modifiers) == {"Int": 1, "No Physics": -1}


@pytest.mark.rule("SS-OTHER-02")
def test_interacting_is_an_action_without_a_roll() -> None:
    stage = party(2)
    stage.do("interact", ADA, what="Blast door", becomes="open")
    assert stage[ADA].budget["actions"] == 1
    assert stage.checks() == []
    assert stage.state.marks["object blast door"] == "open"


@pytest.mark.rule("SS-OTHER-03")
def test_same_object_is_used_once_a_turn_unless_the_gm_overrules() -> None:
    stage = party(3)
    stage.do("interact", ADA, what="console")
    stage.do("interact", ADA, what="door")
    refused = stage.refused("interact", ADA, what="Console")
    assert "on the same object" in refused.message
    stage.do("allow_again", target=ADA, action="interact", per="Console")
    stage.do("interact", ADA, what="console")


# ---------------------------------------------------------------- moving


@pytest.mark.rule("SS-OTHER-06")
def test_a_move_may_be_any_way_of_travel() -> None:
    stage = party(1)
    stage.do("move", ADA, to="zone:hold", how="swims")
    (moved,) = stage.told(e.Moved)
    assert moved.how == "swims"
    assert stage[ADA].budget["actions"] == 0


# ---------------------------------------------------------------- Skill Challenges


def challenge(stage: StarStage, total: int) -> None:
    stage.turn(ADA)
    low = (total - 1) // 2
    stage.do("skill_challenge", ADA, dice=[(low, total - 1 - low)], name="The reactor", attribute="int")


@pytest.mark.rule("SS-OTHER-17")
def test_three_successes_win_before_three_failures() -> None:
    stage = party()
    for total in (11, 8, 10, 9):
        challenge(stage, total)
    assert stage.said() == ["The reactor: 2 of 3 successes, 2 failures."]
    challenge(stage, 12)
    assert "The reactor is won: 3 of 3 successes, 2 failures." in stage.said()
    stage.turn(ADA)
    assert "already won" in stage.refused("skill_challenge", ADA, name="the reactor", attribute="int").message


@pytest.mark.rule("SS-OTHER-17")
def test_three_failures_lose() -> None:
    stage = party()
    for total in (9, 9, 9):
        challenge(stage, total)
    assert stage.said() == ["The reactor is lost: 0 of 3 successes, 3 failures."]


@pytest.mark.rule("SS-OTHER-17")
def test_the_gm_may_set_other_figures() -> None:
    stage = party()
    stage.do("open_challenge", name="The reactor", difficulty=8, successes=1, failures=2)
    challenge(stage, 8)
    assert stage.check("skill_challenge").against == 8
    assert stage.said() == ["The reactor is won: 1 of 1 success, 0 failures."]


# ---------------------------------------------------------------- guarding


@pytest.mark.rule("SS-OTHER-20", "SS-OTHER-21")
@pytest.mark.parametrize(("option", "armor"), [("no", 10), ("yes", 11)])
def test_block_and_dodge_add_up_only_by_option(option: str, armor: int) -> None:
    stage = party(3, options={"defense_stacking": option})
    set_values(stage, ADA, armor=9, resistance=8)
    for action in ("block", "dodge", "meditate"):
        stage.do(action, ADA)
    assert stage.number(ADA, "Armor") == armor
    assert stage.number(ADA, "Resistance") == 9


# ---------------------------------------------------------------- consumables


@pytest.mark.rule("SS-OTHER-24")
def test_an_unwilling_target_is_refused() -> None:
    stage = party(1, gear=("spray_on_skin",))
    skin = stage.item(ADA, "spray_on_skin").id
    stage.put(BO, "dock")
    assert "not willing" in stage.refused("use_consumable", ADA, item=skin, target=BO).message


@pytest.mark.rule("SS-OTHER-24")
def test_harmful_doses_are_not_used_this_way() -> None:
    stage = party(1, gear=("simple_poison",))
    poison = stage.item(ADA, "simple_poison").id
    assert "harmful" in stage.refused("use_consumable", ADA, item=poison, target=CY).message
    fists = stage.item(ADA, "unarmed").id
    assert "not a consumable" in stage.refused("use_consumable", ADA, item=fists, target=CY).message


@pytest.mark.rule("SS-OTHER-24")
def test_a_second_dose_within_a_day_hurts_after_a_warning() -> None:
    stage = party(3, gear=("spray_on_skin",) * 2)
    skin = stage.item(ADA, "spray_on_skin").id
    stage.set_track(CY, damage=5)
    stage.do("use_consumable", ADA, dice=[(2,)], item=skin, target=CY)
    refused = stage.refused("use_consumable", ADA, item=skin, target=CY)
    assert "does 1d6 damage to Cy" in refused.message
    stage.do("use_consumable", ADA, dice=[(1,), (3,)], item=skin, target=CY, sure=True)
    assert stage.damage(CY) == 5 - 2 - 1 + 3


@pytest.mark.rule("SS-OTHER-24")
def test_second_dose_may_be_forbidden_and_is_free_after_a_day() -> None:
    stage = party(3, gear=("spray_on_skin",) * 3, options={"extra_consumable": "forbidden"})
    skin = stage.item(ADA, "spray_on_skin").id
    stage.set_track(CY, damage=9)
    stage.do("use_consumable", ADA, dice=[(1,)], item=skin, target=CY)
    refused = stage.refused("use_consumable", ADA, item=skin, target=CY, sure=True)
    assert "had one today" in refused.message
    stage.do("pass_time", hours=24)
    stage.do("use_consumable", ADA, dice=[(1,)], item=skin, target=CY)
    assert stage.damage(CY) == 7
