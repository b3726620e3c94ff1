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
    labels,
    pass_turns,
    rule_of,
    strike,
    sums,
    terms,
    total,
)

# ---------------------------------------------------------------- higher ground


@pytest.mark.rule("COS-POS-01")
@pytest.mark.parametrize(("height", "sum_"), [(0, 19), (0.9, 19), (1, 20), (-5, 19)])
def test_a_metre_up_helps_to_hit(height: float, sum_: int) -> None:
    stage = duel()
    stage.edit(ADA, at=Point(0, 0, height))
    assert total(stage) == sum_


@pytest.mark.rule("COS-POS-01")
def test_the_height_comes_from_the_zone_one_moves_to() -> None:
    stage = duel()
    stage.zone("gallery", x=0, y=1, width=4, depth=4, height=3)
    stage.do("climb", ADA, obstacle="high", to="zone:gallery", dice=[(9, 9)])
    stage.turn(ADA)
    shot = strike(stage, "pistol", (5, 6))
    assert rule_of(shot.modifiers, "Higher ground") == (1, "COS-MOD-07")


@pytest.mark.rule("COS-POS-02")
@pytest.mark.parametrize(("metres", "change"), [(38, 0), (40, 0), (41, -2), (80, -2), (81, -4), (160, -4)])
def test_higher_ground_adds_ten_metres_before_doubling(metres: int, change: int) -> None:
    stage = duel(apart=metres)
    stage.edit(ADA, at=Point(0, 0, 1))
    assert total(stage) == 20 + change


@pytest.mark.rule("COS-POS-02")
def test_higher_ground_moves_the_limit_too() -> None:
    stage = duel(apart=161)
    stage.edit(ADA, at=Point(0, 0, 1))
    no = stage.refused("attack", ADA, target=BO, weapon=stage.weapon(ADA, "pistol"))
    assert no.message == "Out of reach: Pistol reaches 160 m, Bo is 161 m away."
    strict = duel(apart=41, range_bands=False)
    strict.edit(ADA, at=Point(0, 0, 1))
    no = strict.refused("attack", ADA, target=BO, weapon=strict.weapon(ADA, "pistol"))
    assert no.message == "Out of reach: Pistol reaches 40 m, Bo is 41 m away."


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
def test_an_ally_on_the_opposite_side_gives_two() -> None:
    stage = duel("knife", apart=1)
    assert total(stage, "knife") == 19
    add_ally(stage, (2, 0))
    assert total(stage, "knife") == 21


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
    add_ally(stage, (2, 0), side="foes")
    assert total(stage, "knife") == 19


@pytest.mark.rule("COS-POS-03")
def test_a_shot_is_not_helped_by_flanking() -> None:
    stage = duel(apart=5)
    add_ally(stage, (6, 0))
    assert total(stage) == 19
    assert total(stage, flanking="yes") == 19


@pytest.mark.rule("COS-POS-03")
def test_a_shot_is_helped_by_flanking_where_the_table_says_so() -> None:
    stage = duel(apart=5, ranged_flanking=True)
    assert total(stage) == 19
    add_ally(stage, (6, 0))
    assert total(stage) == 21
    assert total(stage, flanking="no") == 19
    stage.edit(ADA, at=Point(5, 5))
    assert total(stage) == 19


@pytest.mark.rule("COS-POS-03")
def test_without_a_map_flanking_is_said() -> None:
    stage = duel("knife", apart=1)
    blow = strike(stage, "knife", (5, 6), flanking="yes")
    assert (blow.total, blow.against) == (21, 18)


# ---------------------------------------------------------------- prone and behind


@pytest.mark.rule("COS-POS-04")
def test_prone_is_harder_to_shoot() -> None:
    stage = duel()
    stage.give(BO, "prone")
    assert defense(stage) == 20
    assert rule_of(sums(stage).against, "Prone against ranged")[0] == 2
    assert labels(sums(stage).modifiers) == ["Coordination", "Half Combat"]


@pytest.mark.rule("COS-POS-05")
def test_prone_is_easier_to_strike() -> None:
    stage = duel("club", apart=1)
    stage.give(BO, "prone")
    assert defense(stage, "club") == 16
    assert rule_of(sums(stage, "club").against, "Prone against melee")[0] == -2
    assert labels(sums(stage, "club").modifiers) == ["Might", "Half Combat"]


@pytest.mark.rule("COS-POS-06")
def test_from_behind_the_target_loses_coordination() -> None:
    stage = duel()
    assert defense(stage, behind=True) == 12
    assert terms(sums(stage, behind=True).against)[:2] == [
        ("Base", 10, "COS-DEF-01"),
        ("From behind: no Coordination", 0, "COS-POS-06"),
    ]
    assert strike(stage, "pistol", (2, 3), behind=True).against == 12


@pytest.mark.rule("COS-POS-06")
@pytest.mark.parametrize("kind", ["blinded", "pinned"])
def test_coordination_is_lost_only_once(kind: str) -> None:
    stage = duel()
    stage.give(BO, kind)
    assert defense(stage) == defense(stage, behind=True) == 12


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
