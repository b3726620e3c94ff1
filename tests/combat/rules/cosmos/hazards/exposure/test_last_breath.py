"""The last countdown without air belongs to 0 HP: healing ends it, and the vacuum continues."""

from __future__ import annotations

import pytest

from tests.combat.rules.cosmos.figures import CosmosStage, lone, pair


def healed(hp: int = 96) -> tuple[CosmosStage, str]:
    """Ada, out of breath, dropped to 0 HP in vacuum; a round later she is healed to this many HP."""
    stage, ada = lone()
    stage.do("set_setting", key="air", value="vacuum")
    stage.set_track(ada, hp=5)
    stage.give(ada, "airless", marks={"rounds": 4})
    bo = stage.foe(immune=["vacuum"])
    stage.begin(bo, ada, active=ada)
    stage.edit(bo, acted=True)
    stage.do("next_turn", dice=[(3, 5)])
    assert stage.has(ada, "last_breath")
    stage.do("adjust", target=ada, track="hp", to=hp)
    return stage, ada


@pytest.mark.rule("COS-ENV-14", "COS-ENV-16", "COS-DEATH-10")
def test_one_healed_without_air_chokes_again_but_does_not_die() -> None:
    stage, ada = healed()
    assert (stage.has(ada, "last_breath"), stage.has(ada, "unconscious")) == (False, False)
    assert "Ada can breathe again (above 0 HP)." in stage.log()
    stage.do("next_turn")
    stage.do("next_turn", dice=[(3, 5)])
    assert stage.hp(ada) == 88


@pytest.mark.rule("COS-ENV-15", "COS-ENV-16")
def test_dropping_to_0_hp_again_begins_the_countdown_again() -> None:
    stage, ada = healed(hp=4)
    stage.do("next_turn")
    stage.do("next_turn", dice=[(3, 5)])
    (held,) = [held for held in stage[ada].conditions if held.kind == "last_breath"]
    assert held.marks["dies_at"] == stage.state.clock - 6 + 4 * 6


@pytest.mark.rule("COS-ENV-13", "COS-COND-01")
def test_who_holds_their_breath_bleeds_all_the_same() -> None:
    stage, ada, bo = pair(immune=["vacuum"])
    stage.do("set_setting", key="air", value="vacuum")
    stage.give(ada, "bleeding", level=2)
    stage.begin(bo, ada)
    stage.do("next_turn")
    assert stage.hp(ada) == 94
