"""Limbs, head and torso: the effects of losing half and all of their points."""

from __future__ import annotations

import pytest

from tests.combat.rules.guardians.stage import ADA, BO, GuardStage, duel, lone, open_duel


@pytest.mark.rule("CG-LIMB-01")
def test_healing_over_half_makes_it_usable() -> None:
    stage = lone()
    stage.set_part(ADA, "left_arm", 5)
    stage.set_part(ADA, "left_arm", 6)
    assert not stage.is_so(ADA, "disabled", "left_arm")


@pytest.mark.rule("CG-LIMB-02")
def test_disabled_arm_leaves_the_other_but_holds_no_great_weapon() -> None:
    stage = duel("long_sword", hero={"blades": 12})
    stage.set_part(ADA, "left_arm", 5)
    assert stage.find(ADA, "long_sword") is not None
    stage = duel("great_sword", hero={"blades": 12})
    stage.give(ADA, "disabled", marks={"part": "left_arm"})
    refused = stage.refused("attack", ADA, target=BO, weapon=stage.find_ready(ADA).id)
    assert "takes both arms" in refused.message


@pytest.mark.rule("CG-LIMB-02")
def test_shield_hangs_on_the_other_arm_and_hands_may_be_swapped() -> None:
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


@pytest.mark.rule("CG-LIMB-05")
@pytest.mark.parametrize(("die", "awake"), [(46, False), (45, True)])
def test_a_severed_limb_asks_for_spirit_less_fatigue(die: int, awake: bool) -> None:
    stage = open_duel("long_sword", hero={"blades": 12})
    stage.set_track(BO, fatigue=1)
    stage.set_part(BO, "left_leg", 2)
    stage.attack(10, 5, (3, 3), die)
    assert stage.has(BO, "unconscious") is not awake


@pytest.mark.rule("CG-BLEED-02")
def test_disabled_limbs_may_bleed_too() -> None:
    for option, bleeds in (("destroyed", False), ("disabled_or_destroyed", True)):
        stage = GuardStage(bleeding_from=option)
        stage.hero("Ada")
        stage.set_part(ADA, "left_leg", 7)
        assert stage.is_so(ADA, "bleeding", "left_leg") is bleeds


# ---------------------------------------------------------------- head and torso


@pytest.mark.rule("CG-HEAD-01")
def test_a_head_healed_over_half_wakes() -> None:
    stage = lone()
    stage.set_part(ADA, "head", 5)
    stage.do("heal", target=ADA, place="head", points=1)
    assert not stage.has(ADA, "unconscious")


@pytest.mark.rule("CG-HEAD-03")
def test_a_torso_made_whole_is_no_use_without_a_head() -> None:
    stage = GuardStage(torso_death_irrevocable="no")
    stage.hero("Ada")
    for place in ("torso", "head"):
        stage.set_part(ADA, place, 0)
    refused = stage.refused("heal", target=ADA, place="torso", points=20, magic=True)
    assert "not even magic" in refused.message


@pytest.mark.rule("CG-TORSO-04")
@pytest.mark.parametrize(("option", "alive"), [("yes", False), ("no", True)])
def test_death_by_the_torso_may_be_undone_by_magic(option: str, alive: bool) -> None:
    stage = GuardStage(torso_death_irrevocable=option)
    stage.hero("Ada")
    stage.set_part(ADA, "torso", 0)
    if alive:
        stage.refused("heal", target=ADA, place="torso", points=20)
        stage.do("heal", target=ADA, place="torso", points=20, magic=True)
    else:
        stage.refused("heal", target=ADA, place="torso", points=20, magic=True)
    assert stage.has(ADA, "dead") is not alive


# ---------------------------------------------------------------- prone


@pytest.mark.rule("CG-PRONE-01")
def test_lying_down_one_crawls_as_far_as_the_table_has_it() -> None:
    stage = duel(hero={"running": 10}, crawl_yards=3)
    stage.give(ADA, "prone")
    assert stage.refused("move", ADA, to="4,0").code == "out_of_range"
    stage.do("move", ADA, to="3,0")


@pytest.mark.rule("CG-STUN-02")
def test_a_second_stun_moves_the_end() -> None:
    stage = open_duel("long_sword", hero={"blades": 12})
    stage.attack(10, 8, "stunned")
    held = [c for c in stage[BO].conditions if c.kind == "stunned"]
    stage.end_turn(5, 5)
    stage.turn(ADA)
    stage.attack(10, 8, "stunned")
    again = [c for c in stage[BO].conditions if c.kind == "stunned"]
    assert len(again) == 1
    assert int(again[0].marks["ends_at"]) == int(held[0].marks["ends_at"]) + 6


# ---------------------------------------------------------------- states combined


@pytest.mark.rule("CG-STUN-02")
def test_a_shorter_stun_ends_no_longer_one() -> None:
    stage = duel("long_sword", hero={"blades": 12})
    stage.do("impose", target=BO, kind="stunned", rounds=5)
    stage.attack(10, 8, "stunned")
    (held,) = (c for c in stage[BO].conditions if c.kind == "stunned")
    assert held.marks["ends_at"] == stage.state.clock + 5 * 6


@pytest.mark.rule("CG-STUN-01", "CG-STUN-02")
def test_a_stun_that_the_gm_gives_is_that_of_the_page() -> None:
    stage = duel()
    stage.give(BO, "holding")
    stage.do("give_condition", target=BO, kind="stunned")
    (held,) = (c for c in stage[BO].conditions if c.kind == "stunned")
    assert held.marks["ends_at"] == stage.state.clock + 12
    assert not stage.has(BO, "holding")
    stage.do("end_fight")
    assert not stage.has(BO, "stunned")


@pytest.mark.rule("CG-PRONE-01", "CG-LIMB-02")
def test_one_sound_leg_is_enough_to_get_up() -> None:
    stage = duel()
    stage.set_part(ADA, "left_leg", 7)
    stage.give(ADA, "prone")
    stage.do("stand_up", ADA)
    assert not stage.has(ADA, "prone")


@pytest.mark.rule("CG-PRONE-01")
def test_nobody_lies_down_twice() -> None:
    stage = open_duel("long_sword", hero={"blades": 12})
    stage.give(BO, "prone")
    stage.attack(10, 8, "both")
    assert [c.kind for c in stage[BO].conditions].count("prone") == 1


@pytest.mark.rule("CG-LIMB-02")
@pytest.mark.parametrize("arm", ["left_arm", "right_arm"])
def test_what_takes_two_hands_falls_with_either_arm(arm: str) -> None:
    stage = duel("great_sword", hero={"blades": 12})
    stage.set_part(ADA, arm, 5)
    assert stage.find(ADA, "great_sword") is None


@pytest.mark.rule("CG-LIMB-02", "CG-LIMB-03")
def test_lost_limbs_are_of_no_more_use_than_disabled_ones() -> None:
    stage = duel("great_sword", hero={"blades": 12, "running": 10})
    sword = stage.find_ready(ADA).id
    stage.set_part(ADA, "left_arm", 0)
    assert stage.find(ADA, "great_sword") is None
    assert "free hands" in stage.refused("pick_up", ADA, item=sword).message
    stage.set_part(ADA, "left_leg", 0)
    assert stage.refused("move", ADA, to="7,0").code == "out_of_range"
    stage.do("move", ADA, to="6,0")


@pytest.mark.rule("CG-HEAD-01", "CG-LOC-10")
def test_a_blow_and_the_head_each_keep_someone_down() -> None:
    stage = open_duel("long_sword", hero={"blades": 12})
    stage.attack(10, 9)
    stage.set_part(BO, "head", 4)
    stage.set_part(BO, "head", 3)
    causes = [c.marks["cause"] for c in stage[BO].conditions if c.kind == "unconscious"]
    assert causes == ["knocked", "points"]
    stage.set_part(BO, "head", 9)
    assert [c.marks["cause"] for c in stage[BO].conditions if c.kind == "unconscious"] == ["knocked"]


@pytest.mark.rule("CG-TORSO-01")
def test_a_torso_is_torn_once() -> None:
    stage = lone(blades=11)
    for left in (10, 6):
        stage.set_part(ADA, "torso", left)
    assert [c.kind for c in stage[ADA].conditions] == ["torso_wound"]


@pytest.mark.rule("CG-TORSO-02", "CG-REF-11")
def test_torso_wound_given_by_the_gm_stays_until_the_gm_ends_it() -> None:
    stage = lone()
    stage.do("give_condition", target=ADA, kind="torso_wound")
    stage.set_part(ADA, "torso", 15)
    (held,) = stage[ADA].conditions
    assert held.kind == "torso_wound"
    stage.do("take_condition", target=ADA, condition=held.id)
    assert not stage[ADA].conditions


@pytest.mark.rule("CG-FAT-04", "CG-TORSO-01")
@pytest.mark.parametrize(("fatigue", "out"), [(9, False), (10, True)])
def test_exhaustion_is_measured_by_health_as_it_is_unhurt(fatigue: int, out: bool) -> None:
    stage = lone()
    stage.set_part(ADA, "torso", 10)
    stage.do("adjust", target=ADA, track="fatigue", to=fatigue)
    assert stage.has(ADA, "exhausted") is out


@pytest.mark.rule("CG-FAT-04")
def test_exhausted_hold_nothing_back_and_the_dead_do_not_tire() -> None:
    stage = duel()
    for kind in ("holding", "extra_defense"):
        stage.give(BO, kind)
    stage.do("adjust", target=BO, track="fatigue", to=10)
    assert [c.kind for c in stage[BO].conditions] == ["exhausted"]
    stage.set_part(ADA, "head", 0)
    stage.do("adjust", target=ADA, track="fatigue", to=10)
    assert not stage.has(ADA, "exhausted")


@pytest.mark.rule("CG-FAT-05", "CG-REF-11")
def test_exhaustion_by_the_gms_word_is_ended_by_the_gm() -> None:
    stage = lone()
    stage.do("give_condition", target=ADA, kind="exhausted")
    stage.do("pass_time", count=2, unit="hours")
    assert stage.has(ADA, "exhausted")
