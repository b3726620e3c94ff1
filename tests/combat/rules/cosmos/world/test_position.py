"""Positions: higher ground, flanking, prone targets, attacks from behind."""

from __future__ import annotations

import pytest

from combat.rules.core.space import Point
from combat.rules.cosmos.world.scene import is_flanked
from tests.combat.rules.cosmos.duels import (
    ADA,
    BO,
    add_ally,
    defense,
    duel,
    pass_turns,
    rule_of,
    strike,
    total,
)

# ---------------------------------------------------------------- higher ground


@pytest.mark.rule("COS-POS-01")
def test_the_height_comes_from_the_zone_one_moves_to() -> None:
    stage = duel()
    stage.zone("gallery", x=0, y=1, width=4, depth=4, height=3)
    stage.do("climb", ADA, obstacle="high", to="zone:gallery", dice=[(9, 9)])
    stage.turn(ADA)
    shot = strike(stage, "pistol", (5, 6))
    assert rule_of(shot.modifiers, "Higher ground") == (1, "COS-MOD-07")


@pytest.mark.rule("COS-POS-02")
def test_knives_and_grenades_fly_farther_from_above() -> None:
    stage = duel("throwing_knife", "grenade", apart=20)
    stage.edit(ADA, at=Point(0, 0, 2))
    assert total(stage, "throwing_knife") == 20
    grenade = stage.weapon(ADA, "grenade")
    stage.edit(BO, at=Point(30, 0))
    stage.preview("blast", ADA, weapon=grenade, at=f"near:{BO}")
    stage.edit(BO, at=Point(31, 0))
    no = stage.refused("blast", ADA, weapon=grenade, at=f"near:{BO}")
    assert no.message == "Out of reach: Fragmentation grenade reaches 30 m, that is 31 m away."


# ---------------------------------------------------------------- flanking


@pytest.mark.rule("COS-POS-03")
@pytest.mark.parametrize(
    ("place", "flanked"),
    [((1 + 0.70, 0.70), True), ((1 + 0.68, 0.72), False), ((1, 1), False), ((3, 0), False), ((0, 0), False)],
)
def test_opposite_means_135_degrees_or_more_within_reach(place: tuple[float, float], flanked: bool) -> None:
    stage = duel("knife", apart=1)
    add_ally(stage, place)
    assert total(stage, "knife") == (21 if flanked else 19)


@pytest.mark.rule("COS-POS-03")
def test_reach_counts_for_the_ally_too() -> None:
    stage = duel("knife", apart=1)
    cy = add_ally(stage, (3, 0), weapons=("club", "spear"))
    assert total(stage, "knife") == 19
    stage.draw_all(cy)
    assert total(stage, "knife") == 21


@pytest.mark.rule("COS-POS-03")
@pytest.mark.parametrize(("apart", "flanks"), [(1, True), (5, False)])
def test_who_does_not_reach_a_target_does_not_flank_it(apart: int, flanks: bool) -> None:
    stage = duel("knife", apart=apart)
    add_ally(stage, (apart + 1, 0))
    assert is_flanked(stage.state, stage[ADA], stage[BO]) is flanks


@pytest.mark.rule("COS-POS-03")
@pytest.mark.parametrize("kind", ["unconscious", "dying", "dead", "helpless"])
def test_who_is_down_flanks_nobody(kind: str) -> None:
    stage = duel("knife", apart=1)
    cy = add_ally(stage, (2, 0))
    stage.give(cy, kind)
    assert total(stage, "knife") == 19


@pytest.mark.rule("COS-POS-03")
def test_the_target_s_friends_do_not_flank_it() -> None:
    stage = duel("knife", apart=1)
    add_ally(stage, (2, 0), side="enemies")
    assert total(stage, "knife") == 19


@pytest.mark.rule("COS-POS-03")
def test_a_shot_is_helped_by_flanking_where_the_table_says_so() -> None:
    stage = duel(apart=5, ranged_flanking=True)
    assert total(stage) == 19
    add_ally(stage, (6, 0))
    assert total(stage) == 21
    assert total(stage, flanking="no") == 19
    stage.edit(ADA, at=Point(5, 5))
    assert total(stage) == 19


# ---------------------------------------------------------------- prone and behind


@pytest.mark.rule("COS-POS-06", "COS-POS-03")
def test_flanking_is_not_behind_but_both_may_apply() -> None:
    stage = duel("knife", apart=1)
    add_ally(stage, (2, 0))
    assert defense(stage, "knife") == 18
    assert (total(stage, "knife", behind=True), defense(stage, "knife", behind=True)) == (21, 12)


@pytest.mark.rule("COS-POS-06", "COS-COMBO-09")
def test_nobody_is_behind_who_keeps_facing_the_enemy() -> None:
    stage = duel("club", apart=1)
    stage.do("retreat", ADA, target=BO, weapon=stage.weapon(ADA, "club"), to=f"away:{BO}", dice=[(1, 2)])
    pass_turns(stage, 1)
    weapon = stage.weapon(BO, "pistol")
    no = stage.refused("attack", BO, target=ADA, weapon=weapon, behind=True)
    assert (no.code, no.message) == (
        "not_allowed",
        "Ada keeps facing the enemy: no one is behind them until their next turn.",
    )
    assert "not against Ada" in stage.form("attack", BO)["behind"].help
    pass_turns(stage, 2)
    assert stage.preview("attack", BO, target=ADA, weapon=weapon, behind=True)
