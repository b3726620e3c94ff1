"""Items in hand when several act at one count."""

from __future__ import annotations

from typing import Any

import pytest

from tests.combat.rules.guardians.stage import ADA, BO, GuardStage, duel

KNIGHT = {"blades": 12, "running": 10}


def shared(**options: Any) -> GuardStage:
    """Ada, with a sword in hand and a club at her belt, and Bo on one number."""
    stage = duel("long_sword", hero=KNIGHT, **options)
    stage.do("arm", target=ADA, weapon="club")
    stage.do("arm", target=ADA, weapon="great_sword")
    stage.turn(ADA, BO)
    return stage


def in_hand(stage: GuardStage) -> list[str]:
    """Ada's items in hand when the count is over."""
    stage.end_turn(5, 9, whole=True)
    return [item.name for item in stage[ADA].items if item.place == "held" and item.data.get("hands")]


@pytest.mark.rule("CG-INIT-05", "CG-LIMB-02")
def test_two_hands_limit_what_is_held_at_a_shared_count_too() -> None:
    stage = shared(draw_weapon="free_once")
    stage.do("draw", ADA, item=stage.item(ADA, "club").id)
    stage.do("let_go", ADA, item=stage.item(ADA, "long_sword").id)
    refused = stage.refused("draw", ADA, item=stage.item(ADA, "great_sword").id)
    assert "takes 2 free hands" in refused.message
    assert in_hand(stage) == ["Club"]


@pytest.mark.rule("CG-INIT-05", "CG-ACT-02")
def test_what_is_dropped_at_a_shared_count_leaves_the_hand_free() -> None:
    stage = shared()
    stage.do("let_go", ADA, item=stage.item(ADA, "long_sword").id)
    stage.do("draw", ADA, item=stage.item(ADA, "great_sword").id)
    assert in_hand(stage) == ["Great Sword"]


@pytest.mark.rule("CG-INIT-05", "CG-ACT-05")
def test_a_thing_picked_up_at_a_shared_count_fills_the_hand() -> None:
    stage = shared(draw_weapon="free_once")
    for name in ("club", "great_sword"):
        stage.do("thing", target=ADA, item=stage.item(ADA, name).id, fate="dropped")
    club, great = (item.id for item in stage.state.ground)
    stage.do("pick_up", ADA, item=club)
    stage.edit(ADA, budget={"action": 1, "yards": 0})
    stage.do("let_go", ADA, item=stage.item(ADA, "long_sword").id)
    assert "free hands" in stage.refused("pick_up", ADA, item=great).message
    assert in_hand(stage) == ["Club"]


@pytest.mark.rule("CG-INIT-05", "CG-LIMB-02")
def test_item_drawn_at_a_shared_count_falls_from_a_hurt_arm() -> None:
    stage = shared()
    stage.do("draw", ADA, item=stage.item(ADA, "club").id)
    stage.set_part(ADA, "left_arm", 5)
    assert len(in_hand(stage)) == 1


@pytest.mark.rule("CG-INIT-05", "CG-HEAD-02", "CG-PRONE-01")
def test_whom_the_gm_kills_at_a_shared_count_draws_nothing() -> None:
    stage = shared()
    stage.do("draw", ADA, item=stage.item(ADA, "club").id)
    stage.set_part(ADA, "head", 0)
    stage.end_turn(9, whole=True)
    assert not [item for item in stage[ADA].items if item.place == "held" and item.data.get("hands")]
    assert stage.has(ADA, "prone")
