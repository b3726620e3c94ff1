"""The terms of a check to the point, and the questions and notes beside it."""

from __future__ import annotations

import pytest

from combat.rules.core.basics.dice.requests import RollRequest
from combat.rules.core.commands.commands import read_command
from combat.rules.core.engine.engine import run
from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from combat.rules.starshock.sheet import CHECKS
from tests.combat.rules.stage import Given, Script
from tests.combat.rules.starshock.dice.test_luck import gifted, questions
from tests.combat.rules.starshock.fight.test_attack import set_values
from tests.combat.rules.starshock.figures import ADA, BO, CY, StarStage, duel, terms
from tests.combat.rules.starshock.turn.test_stance import party


@pytest.mark.rule("SS-OTHER-01")
@pytest.mark.parametrize(("attribute", "bonus"), [("str", 1), ("dex", None)])
def test_strength_training_helps_checks_of_str_alone(attribute: str, bonus: int | None) -> None:
    stage = gifted("athlete_strength_training")
    stage.do("check", ADA, dice=[(4, 3)], attribute=attribute)
    assert terms(stage.check().modifiers).get("Strength Training") == bonus


@pytest.mark.rule("SS-OTHER-01")
@pytest.mark.parametrize(("skill", "bonus"), [("Stealth", 1), ("Move", None)])
def test_item_helps_with_its_named_skills_and_a_second_adds_none(skill: str, bonus: int | None) -> None:
    stage = party(1, gear=("noise_cancelling_boots",) * 2)
    stage.do("check", ADA, dice=[(4, 3)], attribute="dex", skill=skill)
    assert terms(stage.check().modifiers).get("Noise-Cancelling Boots") == bonus


@pytest.mark.rule("SS-BLIND-02")
@pytest.mark.parametrize(("skill", "hindered"), [("Recon", True), ("Insight", False), ("", False)])
def test_blindness_hinders_only_what_needs_sight(skill: str, hindered: bool) -> None:
    stage = party(1, skills=("Recon", "Insight"))
    stage.give(ADA, "blinded")
    stage.do("check", ADA, dice=[(4, 4)], attribute="prs", skill=skill)
    assert ("Blinded" in terms(stage.check().modifiers)) is hindered


@pytest.mark.rule("SS-OTHER-09")
@pytest.mark.parametrize(
    ("attribute", "skill", "helped"),
    [("dex", "Medicate", True), ("str", "Medicate", False), ("dex", "Move", False), ("dex", "", False)],
)
def test_help_fits_the_attribute_and_skill_it_was_offered_for(
    attribute: str, skill: str, helped: bool
) -> None:
    stage = party(1, skills=("Medicate",))
    stage.do("assist", ADA, target=CY, attribute="dex", skill="Medicate")
    stage.turn(CY, 1)
    stage.do("check", CY, dice=[(4, 4)], attribute=attribute, skill=skill)
    assert ("Help from Ada" in stage.terms(stage.check())) is helped
    assert stage.has(CY, "assisted") is not helped


# ---------------------------------------------------------------- questions


@pytest.mark.rule("SS-OTHER-24")
def test_a_roll_without_a_number_has_no_sum_at_which_it_changes() -> None:
    stage = StarStage("dock")
    stage.hero("Ada", zone="dock", gear=("delphenic_mushrooms",))
    stage.begin(ADA)
    item = stage.item(ADA, "delphenic_mushrooms").id
    stage.do("use_consumable", ADA, item=item, target=ADA, dice=[(2, 2)])
    (asked,) = [asked for asked in stage.asked if isinstance(asked, RollRequest)]
    assert asked.cuts == ()


@pytest.mark.rule("SS-ATK-03")
@pytest.mark.parametrize(("dice", "offered"), [((6, 5), ["keep", "die1"]), ((6, 6), [])])
def test_luck_rolls_anything_below_a_six_again(dice: tuple[int, int], offered: list[str]) -> None:
    stage = gifted(luck=1)
    stage.attack("dagger", dice, *offered[:1])
    assert stage[ADA].tracks["luck"] == 1
    assert [option.value for asked in questions(stage)[:1] for option in asked.options] == offered


@pytest.mark.rule("SS-ATK-03", "SS-OTHER-01", "SS-INIT-01")
@pytest.mark.parametrize(("number", "fields"), [(0, {"attribute": "dex"}), (1, {})])
def test_a_sheet_of_its_own_has_no_fight_to_spend_luck_in(number: int, fields: dict[str, str]) -> None:
    stage, action = gifted("acrobat_reflex", luck=1), CHECKS[number]
    script = Script([(1, 2)])
    run(stage.system, stage.state, action, read_command(action, {"actor": ADA, **fields}), script)
    assert [type(asked) for asked in script.asked] == [RollRequest]


@pytest.mark.rule("SS-OTHER-14", "SS-ATK-03")
def test_luck_rolls_none_of_three_dice_again() -> None:
    stage = gifted(luck=1, no_kit="roll_three_keep_low_two")
    stage.do("emergency_medicate", ADA, target=ADA, dice=[(1, 1, 1)])
    assert questions(stage) == []


@pytest.mark.rule("SS-OTHER-01")
def test_feature_bonus_is_kept_when_another_rerolls_both_dice() -> None:
    stage = gifted("savant_analytical_mind", "acrobat_reflex")
    answers: Given = [(1, 1), "savant_analytical_mind", "acrobat_reflex", (4, 4)]
    stage.do("check", ADA, attribute="dex", dice=answers)
    assert (stage.check().roll.faces, stage.check().total) == ((4, 4), 8 + 1 + 2)


# ---------------------------------------------------------------- notes


@pytest.mark.rule("SS-OTHER-01")
@pytest.mark.parametrize(
    ("option", "difficulty", "said"),
    [("flag", 9, ["log.marginal"]), ("flag", 8, []), ("flag", 10, []), ("off", 9, [])],
)
def test_only_a_tie_is_pointed_out_and_where_the_table_has_it(
    option: str, difficulty: int, said: list[str]
) -> None:
    stage = gifted(marginal_success=option)
    stage.do("check", ADA, attribute="dex", dice=[(4, 3)], difficulty=difficulty)
    assert [told.key for told in stage.told(e.Said)] == said


@pytest.mark.rule("SS-DEF-06")
@pytest.mark.parametrize(("dice", "armor"), [((4, 3), 9), ((1, 1), 9), ((6, 6), 20)])
def test_attacks_point_out_no_tie_and_no_pair(dice: tuple[int, int], armor: int) -> None:
    stage = gifted(marginal_success="flag")
    set_values(stage, BO, armor=armor)
    stage.attack("dagger", dice)
    assert not {"log.marginal", "log.two_ones", "log.two_sixes"} & {t.key for t in stage.told(e.Said)}


@pytest.mark.rule("SS-DMG-05")
@pytest.mark.parametrize(
    ("hidden", "option", "twin"), [(True, "", False), (False, "number", False), (False, "", True)]
)
def test_number_is_hidden_only_from_players_who_see_no_numbers(hidden: bool, option: str, twin: bool) -> None:
    stage = duel()
    if option:
        stage.do("set_option", key="foe_health", value=option)
    stage.edit(BO, hidden=hidden)
    stage.do("adjust", target=BO, track="damage", to=9, dice=[(6, 6)])
    (fact,) = (fact for fact in stage.facts if isinstance(fact.event, e.Checked))
    assert isinstance(fact.redacted, e.Checked) is twin


@pytest.mark.rule("SS-PEN-01")
def test_a_check_outside_of_ones_turn_takes_no_penalty() -> None:
    stage = duel()
    stage.edit(BO, marks={**stage[BO].marks, "declared": 3})
    before = stage.number(BO, "Action Penalty")
    stage.state = replace(stage.state, active=BO)
    assert (before, stage.number(BO, "Action Penalty")) == (0, -2)
