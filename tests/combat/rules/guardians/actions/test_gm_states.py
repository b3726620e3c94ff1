"""States that the GM gives and ends, and how they combine."""

from __future__ import annotations

import pytest

from tests.combat.rules.guardians.stage import ADA, BO, CY, GuardStage, acting, duel, trio


def fight() -> GuardStage:
    """Round 1 with Ada, Bo and Cy, in this order."""
    return trio(20, 10, 1)


def end(stage: GuardStage, kind: str) -> str:
    """Why the GM cannot end a state of Bo."""
    held = next(c for c in stage[BO].conditions if c.kind == kind)
    return stage.refused("take_condition", target=BO, condition=held.id).message


@pytest.mark.rule("CG-REF-11", "CG-STUN-02")
def test_stunned_for_no_rounds_is_until_it_is_ended() -> None:
    stage = fight()
    stage.do("impose", target=BO, kind="stunned", rounds=0)
    (held,) = (c for c in stage[BO].conditions if c.kind == "stunned")
    assert "ends_at" not in held.marks
    stage.do("take_condition", target=BO, condition=held.id)
    assert not stage.has(BO, "stunned")


@pytest.mark.rule("CG-LIMB-02", "CG-REF-11")
def test_an_arm_disabled_by_the_gm_drops_what_it_holds() -> None:
    stage = duel("long_sword")
    stage.do("limb", target=ADA, place="right_arm", state="disabled")
    assert stage.find(ADA, "long_sword") is None
    for leg in ("left_leg", "right_leg"):
        stage.do("limb", target=ADA, place=leg, state="disabled")
    assert stage.has(ADA, "prone")


@pytest.mark.rule("CG-LIMB-03", "CG-REF-11")
def test_limb_the_gm_calls_disabled_is_not_destroyed_again() -> None:
    stage = duel()

    def found() -> set[str]:
        return {kind for kind in ("disabled", "destroyed", "bleeding") if stage.is_so(BO, kind, "left_arm")}

    stage.set_part(BO, "left_arm", 0)
    stage.do("limb", target=BO, place="left_arm", state="disabled")
    assert (stage.part(BO, "left_arm"), found()) == (1, {"disabled"})
    stage.set_part(BO, "head", 9)
    assert found() == {"disabled"}


@pytest.mark.rule("CG-BLEED-01")
def test_a_disabled_limb_bleeds_no_more_when_it_is_healed() -> None:
    stage = duel(bleeding_from="disabled_or_destroyed")
    stage.set_part(BO, "left_arm", 5)
    assert stage.is_so(BO, "bleeding", "left_arm")
    stage.do("heal", target=BO, place="left_arm", points=1)
    assert not stage.is_so(BO, "bleeding", "left_arm")


@pytest.mark.rule("CG-REF-11")
@pytest.mark.parametrize(
    ("place", "points", "kind", "said"),
    [
        ("left_arm", 0, "destroyed", "Left arm crushed: it follows from Left arm MP 0. Change that first."),
        ("left_leg", 7, "disabled", "Left leg disabled: it follows from Left leg MP 7. Change that first."),
        ("torso", 9, "torso_wound", "Torso wound: it follows from Torso MP 9. Change that first."),
        ("head", 4, "unconscious", "Unconscious: it follows from Head MP 4. Change that first."),
        ("torso", 0, "dead", "Dead: it follows from Torso MP 0. Change that first."),
    ],
)
def test_what_follows_from_points_is_not_ended_before_them(
    place: str, points: int, kind: str, said: str
) -> None:
    stage = duel()
    stage.set_part(BO, place, points)
    assert end(stage, kind) == said


@pytest.mark.rule("CG-REF-11", "CG-FAT-04")
def test_nor_what_follows_from_fatigue_or_from_two_legs() -> None:
    stage = duel()
    stage.do("adjust", target=BO, track="fatigue", to=10)
    assert end(stage, "exhausted") == "Exhausted: it follows from Fatigue 10. Change that first."
    for leg in ("left_leg", "right_leg"):
        stage.set_part(BO, leg, 7)
    assert end(stage, "prone") == "Neither leg of Bo can be used: heal one first."


@pytest.mark.rule("CG-REF-11")
def test_one_of_two_lost_limbs_stays_lost_too() -> None:
    stage = duel()
    for limb in ("left_arm", "right_arm"):
        stage.set_part(BO, limb, 0)
    assert "follows from Left arm MP 0" in end(stage, "destroyed")
    assert stage.is_so(BO, "destroyed", "left_arm")


@pytest.mark.rule("CG-REF-11", "CG-ACT-04")
def test_lasting_extra_defense_is_not_gained_a_second_time() -> None:
    stage = duel()
    stage.do("give_condition", target=ADA, kind="extra_defense")
    stage.do("guard", ADA)
    assert [held.kind for held in stage[ADA].conditions] == ["extra_defense"]


@pytest.mark.rule("CG-REF-11", "CG-LIMB-03")
@pytest.mark.parametrize(("first", "then"), [("destroyed", "disabled"), ("disabled", "destroyed")])
def test_no_limb_is_disabled_and_destroyed(first: str, then: str) -> None:
    stage = duel()
    for kind in (first, then):
        stage.do("give_condition", target=BO, kind=kind)
    assert {kind for kind in ("disabled", "destroyed") if stage.is_so(BO, kind, "right_arm")} == {"destroyed"}


@pytest.mark.rule("CG-REF-11", "CG-LIMB-03")
def test_limb_disabled_by_points_may_be_destroyed_by_the_gm() -> None:
    stage = duel()
    stage.set_part(BO, "right_arm", 4)
    stage.do("give_condition", target=BO, kind="destroyed")
    stage.set_part(BO, "left_leg", 14)
    assert [kind for kind in ("disabled", "destroyed") if stage.is_so(BO, kind, "right_arm")] == ["destroyed"]


@pytest.mark.rule("CG-REF-11", "CG-ACT-06")
def test_the_gm_lets_nobody_hold_who_has_nothing_to_hold() -> None:
    stage = duel()
    assert "nothing to hold" in stage.refused("give_condition", target=ADA, kind="holding").message
    stage.do("give_condition", target=BO, kind="holding")
    stage.do("give_condition", target=BO, kind="exhausted")
    assert not stage.has(BO, "holding")
    assert "nothing to hold" in stage.refused("give_condition", target=BO, kind="holding").message


@pytest.mark.rule("CG-REF-11", "CG-LOC-10")
def test_the_senseless_lie_longer_than_the_turns_the_gm_said() -> None:
    stage = fight()
    stage.do("give_condition", target=BO, kind="prone", turns=1)
    stage.do("impose", target=BO, kind="unconscious", rounds=9)
    stage.end_turn()
    assert acting(stage) == (CY,)
    assert stage.has(BO, "prone")


@pytest.mark.rule("CG-HEAD-01", "CG-HEAD-02", "CG-REF-11")
def test_one_brought_back_with_half_a_head_is_unconscious() -> None:
    stage = duel()
    stage.set_part(BO, "head", 0)
    stage.set_part(BO, "head", 3)
    assert not stage.has(BO, "dead")
    assert stage.has(BO, "unconscious")
