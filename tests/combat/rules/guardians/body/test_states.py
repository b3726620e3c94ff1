"""Limbs, head and torso: what half and all of their points lost mean, and what follows."""

from __future__ import annotations

import pytest

from combat.rules.guardians.people.values import find_ranks
from tests.combat.rules.guardians.stage import ADA, BO, GuardStage, duel, helpless


def lone(**more: object) -> GuardStage:
    stage = GuardStage()
    stage.hero("Ada", **more)  # type: ignore[arg-type]
    return stage


@pytest.mark.rule("CG-LIMB-01")
@pytest.mark.parametrize(
    ("health", "lost", "disabled"), [(10, 5, True), (10, 4, False), (11, 6, True), (11, 5, False)]
)
def test_half_of_a_limb_disables_it(health: int, lost: int, disabled: bool) -> None:
    stage = lone(health=health)
    stage.set_part(ADA, "left_arm", health - lost)
    assert stage.is_so(ADA, "disabled", "left_arm") is disabled


@pytest.mark.rule("CG-LIMB-01")
def test_healing_over_half_makes_it_usable() -> None:
    stage = lone()
    stage.set_part(ADA, "left_arm", 5)
    stage.set_part(ADA, "left_arm", 6)
    assert not stage.is_so(ADA, "disabled", "left_arm")


@pytest.mark.rule("CG-LIMB-02")
def test_a_disabled_arm_drops_its_weapon_and_holds_no_great_one() -> None:
    stage = duel("long_sword", hero={"blades": 12})
    stage.set_part(ADA, "left_arm", 5)
    assert stage.find(ADA, "long_sword") is not None
    stage.set_part(ADA, "right_arm", 5)
    assert stage.find(ADA, "long_sword") is None
    stage = duel("great_sword", hero={"blades": 12})
    stage.give(ADA, "disabled", marks={"part": "left_arm"})
    refused = stage.refused("attack", ADA, target=BO, weapon=stage.find_ready(ADA).id)
    assert "takes both arms" in refused.message


@pytest.mark.rule("CG-LIMB-02")
def test_a_shield_hangs_on_the_other_arm_and_hands_may_be_swapped() -> None:
    for hand, arm in (("right", "left_arm"), ("left", "right_arm")):
        stage = lone(shields=("buckler",), hand=hand)
        stage.set_part(ADA, arm, 5)
        assert stage.find(ADA, "buckler") is None


@pytest.mark.rule("CG-LIMB-02", "CG-MOVE-01")
def test_a_lame_leg_halves_movement_and_two_leave_a_crawl() -> None:
    stage = duel(hero={"running": 10})
    stage.set_part(ADA, "left_leg", 7)
    assert stage.refused("move", ADA, to="6.5,0").code == "out_of_range"
    stage.do("move", ADA, to="6,0")
    stage.set_part(ADA, "right_leg", 7)
    assert stage.has(ADA, "prone")
    stage.turn(ADA)
    assert "Neither leg" in stage.obstacle("stand_up", ADA)
    stage.do("move", ADA, to="7,0")


@pytest.mark.rule("CG-LIMB-03", "CG-BLEED-01")
def test_a_limb_without_points_is_destroyed_and_bleeds() -> None:
    stage = duel("club", hero={"bludgeon_weapons": 12})
    helpless(stage)
    stage.set_part(BO, "left_arm", 3)
    stage.attack(10, 2, 7)
    assert stage.part(BO, "left_arm") == 0
    assert stage.is_so(BO, "destroyed", "left_arm")
    assert not stage.is_so(BO, "disabled", "left_arm")
    assert stage.is_so(BO, "bleeding", "left_arm")
    assert "Left arm crushed" in " ".join(stage.said())


@pytest.mark.rule("CG-LIMB-03")
@pytest.mark.parametrize(("left", "kind"), [(1, "disabled"), (0, "destroyed")])
def test_a_last_point_saves_a_limb(left: int, kind: str) -> None:
    stage = lone()
    stage.set_part(ADA, "left_leg", left)
    assert [k for k in ("disabled", "destroyed") if stage.is_so(ADA, k, "left_leg")] == [kind]


@pytest.mark.rule("CG-LIMB-05")
@pytest.mark.parametrize(
    ("die", "fatigue", "awake"), [(50, 0, True), (51, 0, False), (46, 1, False), (45, 1, True)]
)
def test_a_severed_limb_asks_for_spirit(die: int, fatigue: int, awake: bool) -> None:
    stage = duel("long_sword", hero={"blades": 12})
    helpless(stage)
    stage.set_track(BO, fatigue=fatigue)
    stage.set_part(BO, "left_leg", 2)
    stage.attack(10, 5, (3, 3), die)
    assert stage.is_so(BO, "destroyed", "left_leg")
    assert stage.has(BO, "unconscious") is not awake
    assert "Left leg severed" in " ".join(stage.said())


@pytest.mark.rule("CG-LIMB-04")
def test_only_magic_restores_a_destroyed_limb() -> None:
    stage = lone()
    stage.set_part(ADA, "left_arm", 0)
    assert "only magic" in stage.refused("heal", target=ADA, place="left_arm", points=3).message
    stage.do("pass_time", count=2, unit="days")
    assert stage.part(ADA, "left_arm") == 0 or stage.has(ADA, "dead")
    stage = lone()
    stage.set_part(ADA, "left_arm", 0)
    stage.do("heal", target=ADA, place="left_arm", points=7, magic=True)
    assert stage.part(ADA, "left_arm") == 7
    for kind in ("destroyed", "bleeding", "disabled"):
        assert not stage.is_so(ADA, kind, "left_arm")


@pytest.mark.rule("CG-BLEED-02")
def test_disabled_limbs_may_bleed_too() -> None:
    for option, bleeds in (("destroyed", False), ("disabled_or_destroyed", True)):
        stage = GuardStage(bleeding_from=option)
        stage.hero("Ada")
        stage.set_part(ADA, "left_leg", 7)
        assert stage.is_so(ADA, "bleeding", "left_leg") is bleeds


# ---------------------------------------------------------------- head and torso


@pytest.mark.rule("CG-HEAD-01")
@pytest.mark.parametrize(("lost", "out"), [(5, True), (4, False)])
def test_half_of_the_head_is_unconsciousness(lost: int, out: bool) -> None:
    stage = lone()
    stage.set_part(ADA, "head", 10 - lost)
    assert stage.has(ADA, "unconscious") is out
    if out:
        stage.do("heal", target=ADA, place="head", points=1)
        assert not stage.has(ADA, "unconscious")


@pytest.mark.rule("CG-HEAD-02")
def test_a_head_without_points_is_death() -> None:
    stage = duel("club", hero={"bludgeon_weapons": 12})
    helpless(stage)
    stage.set_part(BO, "head", 6)
    stage.attack(10, 1, 8)
    assert (stage.part(BO, "head"), stage.has(BO, "dead")) == (0, True)


@pytest.mark.rule("CG-HEAD-03")
def test_nothing_heals_who_died_by_the_head() -> None:
    stage = GuardStage(torso_death_irrevocable="no")
    stage.hero("Ada")
    stage.set_part(ADA, "head", 0)
    refused = stage.refused("heal", target=ADA, place="head", points=20, magic=True)
    assert "not even magic" in refused.message
    assert stage.part(ADA, "head") == 0


@pytest.mark.rule("CG-HEAD-03")
def test_a_torso_made_whole_is_no_use_without_a_head() -> None:
    stage = GuardStage(torso_death_irrevocable="no")
    stage.hero("Ada")
    for place in ("torso", "head"):
        stage.set_part(ADA, place, 0)
    refused = stage.refused("heal", target=ADA, place="torso", points=20, magic=True)
    assert "not even magic" in refused.message


@pytest.mark.rule("CG-TORSO-01")
@pytest.mark.parametrize(("lost", "ranks"), [(10, 6), (9, 11)])
def test_half_of_the_torso_costs_five_ranks(lost: int, ranks: int) -> None:
    stage = lone(blades=11)
    stage.set_part(ADA, "torso", 20 - lost)
    assert find_ranks(stage.state, stage[ADA], "blades") == ranks


@pytest.mark.rule("CG-TORSO-01")
@pytest.mark.parametrize(("scope", "ranks"), [("all_ranks", 5), ("rolls_only", 10)])
def test_of_all_ranks_or_of_rolls_alone(scope: str, ranks: int) -> None:
    stage = GuardStage(torso_penalty_scope=scope)
    stage.hero("Ada")
    stage.set_part(ADA, "torso", 10)
    assert find_ranks(stage.state, stage[ADA], "body", roll=False) == ranks
    assert find_ranks(stage.state, stage[ADA], "body") == 5


@pytest.mark.rule("CG-TORSO-02")
def test_until_it_is_healed() -> None:
    stage = lone()
    stage.set_part(ADA, "torso", 10)
    stage.do("pass_time", count=1, unit="hours")
    assert stage.has(ADA, "torso_wound")
    stage.do("heal", target=ADA, place="torso", points=1)
    assert not stage.has(ADA, "torso_wound")


@pytest.mark.rule("CG-TORSO-04")
def test_a_torso_without_points_is_death_as_well() -> None:
    stage = duel("club", hero={"bludgeon_weapons": 12})
    helpless(stage)
    stage.set_part(BO, "torso", 4)
    stage.attack(10, 4, 6)
    assert (stage.part(BO, "torso"), stage.has(BO, "dead")) == (0, True)


@pytest.mark.rule("CG-TORSO-04")
@pytest.mark.parametrize(("option", "alive"), [("yes", False), ("no", True)])
def test_death_by_the_torso_may_be_undone_by_magic(option: str, alive: bool) -> None:
    stage = GuardStage(torso_death_irrevocable=option)
    stage.hero("Ada")
    stage.set_part(ADA, "torso", 0)
    if alive:
        stage.do("heal", target=ADA, place="torso", points=20, magic=True)
    else:
        stage.refused("heal", target=ADA, place="torso", points=20, magic=True)
    assert stage.has(ADA, "dead") is not alive


# ---------------------------------------------------------------- prone


@pytest.mark.rule("CG-PRONE-01")
def test_getting_up_comes_before_any_attack() -> None:
    stage = duel("long_sword", hero={"blades": 12})
    stage.give(ADA, "prone")
    assert "get up first" in stage.obstacle("attack", ADA)
    stage.do("stand_up", ADA)
    assert not stage.has(ADA, "prone")
    assert stage[ADA].budget["action"] == 0
    stage.turn(ADA)
    stage.attack(99)


@pytest.mark.rule("CG-PRONE-01")
@pytest.mark.parametrize(("yards", "far"), [(1, "1,0"), (3, "3,0")])
def test_lying_down_one_crawls(yards: int, far: str) -> None:
    stage = duel(hero={"running": 10}, crawl_yards=yards)
    stage.give(ADA, "prone")
    assert stage.refused("move", ADA, to="4,0").code == "out_of_range"
    stage.do("move", ADA, to=far)
    assert stage[ADA].at.x == yards


@pytest.mark.rule("CG-STUN-02")
def test_a_second_stun_moves_the_end() -> None:
    stage = duel("long_sword", hero={"blades": 12})
    helpless(stage)
    stage.attack(10, 8, "stunned")
    held = [c for c in stage[BO].conditions if c.kind == "stunned"]
    stage.end_turn(5, 5)
    stage.turn(ADA)
    stage.attack(10, 8, "stunned")
    again = [c for c in stage[BO].conditions if c.kind == "stunned"]
    assert len(again) == 1
    assert int(again[0].marks["ends_at"]) == int(held[0].marks["ends_at"]) + 6
