"""Tactics for a unit, Leadership for one of its members, and their reach."""

from __future__ import annotations

import pytest

from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.state import events as e
from tests.combat.rules.cepheus.figures import ADA, BO, CY
from tests.combat.rules.cepheus.turn.lineup import to_round, unit


@pytest.mark.rule("CE-INIT-06", "CE-TACT-01", "CE-TACT-03")
def test_tactics_effect_goes_to_the_unit_for_the_whole_combat() -> None:
    stage = unit()
    stage.do("start", tactics=True, dice=[(3, 4), (3, 3), (4, 4), (2, 3), (4, 3)])
    assert [stage[who].initiative for who in (ADA, BO, CY, "f4")] == [9, 8, 8, 7]
    to_round(stage, 3)
    assert [stage[who].initiative for who in (ADA, BO, CY, "f4")] == [9, 8, 8, 7]


@pytest.mark.rule("CE-INIT-06", "CE-TACT-02")
def test_only_the_marked_commander_rolls_and_once() -> None:
    stage = unit()
    stage.edit(BO, sheet={**stage[BO].sheet, "skills": {"tactics": 3}})
    stage.do("start", dice=[(3, 4), (3, 3), (4, 4), (2, 3)])
    assert "does not command" in stage.refused("tactics", BO).message
    assert add_up(stage.preview("tactics", ADA).modifiers) == 2 + 1
    stage.do("tactics", ADA, dice=[(4, 3)])
    assert stage[BO].initiative == 8
    assert stage.refused("tactics", ADA).code == "not_allowed"
    stage.do("mark_commander", target=BO)
    assert not stage[ADA].marks.get("commander")


@pytest.mark.rule("CE-TACT-01")
def test_tactics_come_before_anybody_has_acted() -> None:
    stage = unit()
    stage.do("start", dice=[(3, 4), (3, 3), (4, 4), (2, 3)])
    stage.do("move", CY, to="3,0")
    stage.edit(ADA, pc=True)
    assert "start of combat" in stage.refused("tactics", ADA).message
    stage.edit(CY, hidden=True)
    stage.do("tactics", ADA, dice=[(3, 4)])


@pytest.mark.rule("CE-TACT-02")
def test_tactics_are_for_the_first_round() -> None:
    stage = unit()
    stage.do("start", dice=[(3, 4), (3, 3), (4, 4), (2, 3)])
    to_round(stage, 2)
    assert "start of combat" in stage.refused("tactics", ADA).message


@pytest.mark.rule("CE-TACT-04", "CE-TACT-05", "CE-TACT-06", "CE-ROUND-09")
def test_leadership_raises_someone_else_for_a_round() -> None:
    stage = unit(profile="777777")
    stage.do("start", dice=[(6, 6), (4, 4), (4, 3), (2, 3)])
    assert stage.refused("leadership", ADA, target=ADA).code == "bad_target"
    assert stage.refused("leadership", ADA, target=CY).code == "bad_target"
    sums = stage.preview("leadership", ADA, target=BO, adjust=1, because="shouting").modifiers
    assert add_up(sums) == 1 + 1
    stage.give("f4", "unconscious")
    assert stage.refused("leadership", ADA, target="f4").code == "bad_target"
    stage.do("leadership", ADA, target=BO, dice=[(5, 4)])
    assert stage[BO].initiative == 10
    assert stage[ADA].budget["significant"] == 0
    assert stage.refused("leadership", ADA, target="f4").code == "no_budget"
    to_round(stage, 2)
    assert stage[BO].initiative == 8


@pytest.mark.rule("CE-TACT-04")
def test_form_offers_others_of_the_side_and_greys_those_too_far() -> None:
    stage = unit()
    stage.do("start", dice=[(6, 6), (4, 4), (4, 3), (2, 3)])
    stage.do("set_contact", target=BO, contact=False)
    (field,) = stage.system.action("leadership").find_fields(stage.state, ADA)
    assert [(option.value, bool(option.refused)) for option in field.options] == [(BO, True), ("f4", False)]


@pytest.mark.rule("CE-TACT-05")
@pytest.mark.parametrize(
    ("profile", "score"), [("777777", 10), ("77777A", 11), ("777A77", 11), ("777A7C", 12)]
)
def test_leaders_use_social_standing_or_intelligence(profile: str, score: int) -> None:
    stage = unit(profile=profile)
    stage.do("start", dice=[(6, 6), (4, 4), (4, 3), (2, 3)])
    stage.do("leadership", ADA, target=BO, dice=[(5, 4)])
    assert stage[BO].initiative == score


@pytest.mark.rule("CE-TACT-05")
@pytest.mark.parametrize(("dice", "score"), [((5, 3), 9), ((4, 3), 8), ((1, 1), 8)])
def test_the_effect_of_leadership_counts_from_one_on(dice: tuple[int, int], score: int) -> None:
    stage = unit(profile="777777")
    stage.do("start", dice=[(6, 6), (4, 4), (4, 3), (2, 3)])
    stage.do("leadership", ADA, target=BO, dice=[dice])
    assert stage[BO].initiative == score


@pytest.mark.rule("CE-TACT-05")
def test_who_has_acted_is_led_for_the_next_round() -> None:
    stage = unit(profile="777777")
    stage.do("start", dice=[(4, 4), (6, 6), (4, 3), (2, 3)])
    stage.do("next_turn")
    stage.do("leadership", ADA, target=BO, dice=[(5, 4)])
    assert stage[BO].initiative == 12
    to_round(stage, 2)
    assert stage[BO].initiative == 14
    to_round(stage, 3)
    assert stage[BO].initiative == 12


@pytest.mark.rule("CE-TACT-05")
def test_leadership_may_last_the_combat() -> None:
    stage = unit(profile="777777", leadership_lasts="combat")
    stage.do("start", dice=[(6, 6), (4, 4), (4, 3), (2, 3)])
    stage.do("leadership", ADA, target=BO, dice=[(5, 4)])
    for number in (1, 2, 3):
        to_round(stage, number)
        assert stage[BO].initiative == 10


@pytest.mark.rule("CE-COMMS-02", "CE-COMMS-03")
def test_who_is_cut_off_loses_the_bonus_until_linked_again() -> None:
    stage = unit(tactics=3)
    stage.do("start", tactics=True, dice=[(3, 4), (4, 5), (4, 4), (2, 3), (4, 3)])
    assert stage[BO].initiative == 12
    stage.do("set_contact", target=BO, contact=False)
    assert stage[BO].initiative == 9
    assert stage.has(BO, "cut_off")
    for number in (2, 3):
        to_round(stage, number)
        assert stage[BO].initiative == 9
    stage.do("set_contact", target=BO, contact=True)
    assert stage[BO].initiative == 9
    to_round(stage, 4)
    assert stage[BO].initiative == 12
    assert not stage.has(BO, "cut_off")


# ---------------------------------------------------------------- traces of an earlier fight


def test_a_second_fight_starts_clean() -> None:
    stage = unit()
    stage.do("start", tactics=True, dice=[(3, 4), (3, 3), (4, 4), (2, 3), (4, 3)])
    stage.do("hasten_next", BO)
    stage.do("end_fight")
    stage.do("start", dice=[(3, 4), (3, 3), (4, 4), (2, 3)])
    assert [stage[who].initiative for who in (ADA, BO, CY, "f4")] == [7, 6, 8, 5]
    stage.do("tactics", ADA, dice=[(4, 3)])
    assert stage.told(e.InitiativeSet)
