"""Coma checks to the point: their sum and target, who sees them, what kills, and treatment."""

from __future__ import annotations

import pytest

from combat.rules.core.basics.dice.requests import RollRequest
from combat.rules.core.state import events as e
from tests.combat.rules.starshock.body.test_unconscious import is_out, knocked_out
from tests.combat.rules.starshock.figures import ADA, BO, CY, duel
from tests.typed import as_a

DAY = 24


@pytest.mark.rule("SS-COMA-06", "SS-COMA-07")
@pytest.mark.parametrize(
    ("damage", "strength", "dice", "rule"),
    [(14, 1, (3, 3), "SS-COMA-06"), (14, 1, (1, 1), "SS-COMA-06"), (8, 2, (1, 1), "SS-COMA-07")],
)
def test_a_death_in_a_coma_names_the_line_that_killed(
    damage: int, strength: int, dice: tuple[int, int], rule: str
) -> None:
    stage = knocked_out(damage, "coma", str=strength, xp=5)
    stage.do("pass_time", hours=DAY, dice=[dice])
    gained = [fact for fact in stage.facts if isinstance(fact.event, e.ConditionGained)]
    assert {as_a(fact.event, e.ConditionGained).condition.kind: fact.rule for fact in gained}["dead"] == rule


@pytest.mark.rule("SS-COMA-03", "SS-COMA-06", "SS-COMA-07")
def test_odds_know_every_sum_at_which_a_coma_check_changes() -> None:
    """Two ones, missing by seven, two sixes, and the target number itself, less Str."""
    stage = knocked_out(11, "coma", str=1, xp=5)
    stage.do("pass_time", hours=DAY, dice=[(3, 3)])
    (asked,) = [asked for asked in stage.asked if isinstance(asked, RollRequest)]
    assert asked.cuts == (3, 4, 10, 12)


@pytest.mark.rule("SS-COMA-03")
def test_strength_training_helps_in_comas_and_resilience_rerolls() -> None:
    stage = knocked_out(9, "coma", str=1, xp=50)
    features = ["athlete_strength_training", "athlete_resilience"]
    stage.edit(CY, sheet={**stage[CY].sheet, "features": features})
    stage.do("pass_time", hours=DAY, dice=[(1, 2), "athlete_resilience", (3, 4)])
    check = stage.check("coma")
    assert (check.total, check.against) == (9, 9)
    assert stage.terms(check)["Strength Training"] == 1
    assert not is_out(stage)


@pytest.mark.rule("SS-COMA-03")
@pytest.mark.parametrize("friend", [False, True])
def test_only_the_gm_sees_how_much_damage_an_enemy_in_a_coma_has(friend: bool) -> None:
    stage = knocked_out(9, "coma") if friend else duel()
    if not friend:
        stage.set_track(BO, damage=9)
        stage.give(BO, "coma", marks={"since": 0})
    stage.do("pass_time", hours=DAY, dice=[(3, 3)])
    (told,) = [fact for fact in stage.facts if isinstance(fact.event, e.Checked)]
    if friend:
        assert (told.to, told.redacted) == (e.EVERYONE, None)
    else:
        assert isinstance(told.redacted, e.Checked)
        assert (told.to, as_a(told.event, e.Checked).against, told.redacted.against) == (e.GM_ONLY, 9, None)


@pytest.mark.rule("SS-COMA-04")
@pytest.mark.parametrize("option", ["lethal_clause_only", "always_fails"])
def test_dice_other_than_two_ones_wake_whatever_the_option(option: str) -> None:
    stage = knocked_out(7, "coma", str=5, xp=50, options={"snake_eyes_in_coma": option})
    stage.do("pass_time", hours=DAY, dice=[(1, 2)])
    assert not is_out(stage)


# ---------------------------------------------------------------- treatment


@pytest.mark.rule("SS-COMA-11")
@pytest.mark.parametrize(("points", "left"), [(0, 5), (5, 0)])
def test_a_medical_center_heals_from_nothing_to_everything(points: int, left: int) -> None:
    stage = knocked_out(5, "coma")
    stage.do("treat", target=CY, points=points)
    assert (stage.damage(CY), stage.has(CY, "treated"), stage.has(CY, "coma")) == (left, True, True)


@pytest.mark.rule("SS-COMA-11", "SS-COMA-12")
def test_one_treatment_after_another_is_one_to_wake_from() -> None:
    stage = knocked_out(5, "coma")
    for _ in range(2):
        stage.do("treat", target=CY, points=1)
    assert [held.kind for held in stage[CY].conditions].count("treated") == 1


# ---------------------------------------------------------------- hours


@pytest.mark.rule("SS-INIT-09")
@pytest.mark.parametrize("hours", [0, -1, 721])
def test_so_many_hours_do_not_pass_at_once(hours: int) -> None:
    stage = duel()
    no = stage.refused("pass_time", hours=hours)
    assert (no.code, no.message) == ("bad_value", "Pass 1 to 720 hours.")


@pytest.mark.rule("SS-INIT-09")
def test_thirty_days_may_pass_at_once() -> None:
    stage = duel()
    before = stage.state.clock
    stage.do("pass_time", hours=720)
    assert stage.state.clock == before + 720 * 3600


@pytest.mark.rule("SS-OTHER-24")
@pytest.mark.parametrize(("kind", "left"), [("stimulant_crash", False), ("adrenaline", True)])
def test_rest_ends_crashes_but_not_the_gms_endless_conditions(kind: str, left: bool) -> None:
    stage = duel()
    stage.give(ADA, kind)
    stage.do("pass_time", hours=8, resting=True)
    assert stage.has(ADA, kind) is left


@pytest.mark.rule("SS-OTHER-24")
@pytest.mark.parametrize(("hours", "left"), [(3, True), (4, False)])
def test_a_rest_is_a_whole_shift(hours: int, left: bool) -> None:
    stage = duel()
    stage.give(ADA, "adrenaline_crash")
    stage.do("pass_time", hours=hours, resting=True)
    assert stage.has(ADA, "adrenaline_crash") is left
