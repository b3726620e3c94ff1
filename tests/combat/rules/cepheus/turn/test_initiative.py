"""How a fight begins: who is ready, what is rolled, and what commanders add."""

from __future__ import annotations

import pytest

from combat.rules.cepheus.world.order import change_initiative, pay_reaction
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.commands.commands import read_command
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.engine.engine import LiveDriver, Waiting, run
from combat.rules.core.state import events as e
from combat.rules.core.state.state import is_acting
from tests.combat.rules.cepheus.figures import ADA, BO, CY, CepheusStage


def three(*profiles: str, **options: object) -> CepheusStage:
    """Ada, Bo and Zed, a foe, with these profiles."""
    stage = CepheusStage(**options)
    first, second, third = (*profiles, *("777777",) * 3)[:3]
    stage.hero("Ada", first)
    stage.hero("Bo", second)
    stage.foe("Zed", third)
    return stage


def scores(stage: CepheusStage) -> list[int | None]:
    return [stage[who].initiative for who in (ADA, BO, CY)]


def order(stage: CepheusStage) -> str:
    return " ".join(stage[who].name for who in stage.state.order)


def begin(stage: CepheusStage, *totals: int, **more: object) -> None:
    """Roll Initiative with dice of these sums."""
    stage.do("start", dice=[(total // 2, total - total // 2) for total in totals], **more)


def to_round(stage: CepheusStage, number: int) -> None:
    """Let everybody pass until a round begins."""
    while stage.state.round < number:
        stage.do("next_turn", whole=True)


# ---------------------------------------------------------------- rolling


@pytest.mark.rule("CE-INIT-01", "CE-INIT-02", "CE-SEQ-05", "CE-ROUND-03")
def test_two_dice_and_the_dexterity_dm_make_the_order() -> None:
    stage = three("7C7777", "777777", "777777")
    begin(stage, 8, 4, 9)
    assert scores(stage) == [10, 4, 9]
    assert order(stage) == "Ada Zed Bo"
    assert stage.state.active == ADA
    assert stage.state.round == 1


@pytest.mark.rule("CE-SEQ-02", "CE-SEQ-03", "CE-SEQ-04", "CE-INIT-04")
def test_the_ready_count_as_having_rolled_12_and_only_the_others_roll() -> None:
    stage = three("797777", "747777", "757777")
    begin(stage, 7, aware=[ADA, BO])
    assert scores(stage) == [13, 11, 6]
    assert [request.who for request in stage.asked] == [CY]
    assert stage.has(CY, "surprised")
    assert not stage.has(ADA, "surprised")


@pytest.mark.rule("CE-SEQ-04")
def test_round_1_waits_for_the_rolls_of_all_who_are_not_ready() -> None:
    stage = three()
    start = stage.system.action("start")
    wanted = read_command(start, {"typed": True, "aware": [ADA]})
    waiting = run(stage.system, stage.state, start, wanted, LiveDriver(typed=True))
    assert isinstance(waiting, Waiting)
    assert [request.people for request in waiting.requests] == [(BO,), (CY,)]
    assert not any(isinstance(fact.event, e.RoundStarted) for fact in waiting.facts)


@pytest.mark.rule("CE-SEQ-02")
@pytest.mark.parametrize("aware", [[], [ADA, BO, CY]])
def test_when_all_are_ready_or_nobody_is_everybody_rolls(aware: list[str]) -> None:
    stage = three()
    begin(stage, 5, 6, 7, aware=aware)
    assert scores(stage) == [5, 6, 7]
    assert not any(stage.has(who, "surprised") for who in (ADA, BO, CY))


@pytest.mark.rule("CE-INIT-05")
def test_who_has_noticed_the_others_may_stay_out_of_the_fight() -> None:
    stage = three()
    assert stage.refused("avoid", aware=[ADA, CY]).code == "bad_target"
    stage.do("avoid", aware=[ADA])
    assert (stage.state.phase, stage.state.round) == ("over", 0)
    assert "CE-INIT-05" in stage.rules()
    begin(stage, 5, 6, 7)
    assert stage.refused("avoid", aware=[ADA]).code == "not_allowed"


def test_a_fight_begins_once_and_with_somebody() -> None:
    assert CepheusStage().refused("start").code == "not_allowed"
    stage = three()
    begin(stage, 5, 6, 7)
    assert stage.refused("start").code == "not_allowed"


def test_who_joins_rolls_and_takes_its_place() -> None:
    stage = three()
    begin(stage, 4, 6, 8)
    stage.do("join", name="Di", side="foes", sheet=stage[ADA].sheet, dice=[(3, 4)])
    assert order(stage) == "Zed Di Bo Ada"


@pytest.mark.rule("CE-ROUND-09")
def test_a_score_the_referee_sets_is_the_new_base() -> None:
    stage = three()
    begin(stage, 4, 6, 8)
    stage.do("set_initiative", target=ADA, score=7)
    assert order(stage) == "Zed Ada Bo"
    to_round(stage, 2)
    assert stage[ADA].initiative == 7


# ---------------------------------------------------------------- dynamic Initiative


def lower(stage: CepheusStage, who: str, points: int) -> None:
    """Initiative that something takes or gives."""

    def change(context: RuleContext) -> None:
        change_initiative(context, who, points, "why.reacts", "CE-ROUND-10")

    stage.run(change)


@pytest.mark.rule("CE-ROUND-09", "CE-ROUND-10", "CE-ROUND-11")
def test_a_change_before_the_turn_sorts_the_order_at_once_and_is_over_with_the_round() -> None:
    stage = three()
    begin(stage, 11, 10, 9)
    lower(stage, BO, -2)
    assert scores(stage) == [11, 8, 9]
    assert order(stage) == "Ada Zed Bo"
    to_round(stage, 2)
    assert scores(stage) == [11, 10, 9]


@pytest.mark.rule("CE-ROUND-10")
def test_haste_and_a_reaction_before_the_turn_cancel_out() -> None:
    stage = three()
    begin(stage, 11, 8, 4)
    stage.do("hasten", BO)
    stage.run(lambda context: pay_reaction(context, BO))
    assert scores(stage) == [11, 8, 4]
    to_round(stage, 2)
    assert scores(stage) == [11, 8, 4]


@pytest.mark.rule("CE-ROUND-11", "CE-ROUND-08")
def test_a_change_after_the_turn_counts_for_the_next_round_only() -> None:
    stage = three()
    begin(stage, 9, 7, 4)
    stage.do("next_turn")
    lower(stage, ADA, -2)
    lower(stage, ADA, -2)
    assert stage[ADA].initiative == 9
    to_round(stage, 2)
    assert scores(stage) == [5, 7, 4]
    assert not stage.asked
    to_round(stage, 3)
    assert scores(stage) == [9, 7, 4]


@pytest.mark.rule("CE-ROUND-11")
def test_initiative_has_no_floor() -> None:
    stage = three()
    begin(stage, 9, 7, 2)
    lower(stage, CY, -5)
    assert stage[CY].initiative == -3


@pytest.mark.rule("CE-INIT-03", "CE-ROUND-12", "CE-REACT-02", "CE-REACT-03", "CE-REACT-04", "CE-REACT-06")
def test_reactions_cost_two_points_each_and_add_up_without_limit() -> None:
    stage = three()
    begin(stage, 11, 10, 4)
    for count in range(1, 7):
        stage.run(lambda context: pay_reaction(context, BO))
        assert stage[BO].initiative == 10 - 2 * count
    (held,) = (c for c in stage[BO].conditions if c.kind == "reacted")
    assert held.level == 6
    to_round(stage, 2)
    assert stage[BO].initiative == 10
    assert not stage.has(BO, "reacted")


@pytest.mark.rule("CE-REACT-03")
def test_the_penalty_of_a_reaction_may_last_to_the_end_of_the_next_turn() -> None:
    stage = three(reaction_penalty_ends="end_of_next_turn")
    begin(stage, 11, 10, 4)
    stage.do("next_turn")
    stage.run(lambda context: pay_reaction(context, ADA))
    to_round(stage, 2)
    assert stage.has(ADA, "reacted")
    while not stage[ADA].acted:
        stage.do("next_turn")
    assert not stage.has(ADA, "reacted")


@pytest.mark.rule("CE-INIT-03")
def test_as_a_purse_initiative_limits_reactions_and_is_full_again_in_the_next_round() -> None:
    stage = three(reaction_limit="purse")
    begin(stage, 5, 3, 2)
    stage.do("next_turn")
    stage.run(lambda context: pay_reaction(context, ADA))
    stage.run(lambda context: pay_reaction(context, ADA))
    assert stage[ADA].initiative == 1
    with pytest.raises(Exception, match="1 Initiative left"):
        stage.run(lambda context: pay_reaction(context, ADA))
    to_round(stage, 2)
    assert stage[ADA].initiative == 5


# ---------------------------------------------------------------- ties


@pytest.mark.rule("CE-ROUND-04")
def test_equal_initiative_goes_to_the_higher_dexterity() -> None:
    stage = three("787777", "7A7777", "777777")
    begin(stage, 9, 8, 4)
    assert [stage[who].initiative for who in (ADA, BO)] == [9, 9]
    stage = three("777777", "787777", "777777")
    begin(stage, 9, 9, 4)
    assert order(stage) == "Bo Ada Zed"
    assert not stage.state.sharing


@pytest.mark.rule("CE-ROUND-05")
def test_who_ties_in_both_acts_at_the_same_moment() -> None:
    stage = three("777777", "777777", "777777")
    begin(stage, 9, 4, 9)
    assert {stage.state.active, *stage.state.sharing} == {ADA, CY}
    stage.do("next_turn", target=CY)
    assert is_acting(stage.state, ADA)
    stage.do("next_turn")
    assert stage.state.active == BO


@pytest.mark.rule("CE-ROUND-05")
def test_what_the_tied_do_takes_effect_together() -> None:
    stage = CepheusStage()
    for name, side in (("Ada", "heroes"), ("Zed", "foes")):
        stage.add(
            name,
            side,
            (0 if name == "Ada" else 5, 0),
            {"attributes": stage_scores(2), "skills": {"slug_rifle": 4}, "weapons": ["rifle"]},
        )
    begin(stage, 9, 9)
    for who, other in ((ADA, BO), (BO, ADA)):
        weapon = next(item for item in stage[who].items if item.kind == "weapon")
        if weapon.place != "held":
            stage.do("ready", who, weapon=weapon.id)
        stage.do("attack", who, target=other, weapon=weapon.id, dice=["none", (6, 6), (6, 6, 6)])
        assert not stage.has(other, "dead")
    stage.do("next_turn", whole=True)
    assert stage.has(ADA, "dead")
    assert stage.has(BO, "dead")


def stage_scores(physical: int) -> dict[str, int]:
    return {"str": physical, "dex": physical, "end": physical, "int": 7, "edu": 7, "soc": 7}


# ---------------------------------------------------------------- hastening


@pytest.mark.rule("CE-ROUND-07", "CE-ROUND-13", "CE-ROUND-14", "CE-ROUND-15", "CE-ROUND-16")
def test_who_hastens_at_the_start_acts_earlier_at_a_penalty_for_one_round() -> None:
    stage = three()
    begin(stage, 8, 7, 4)
    stage.do("hasten", BO)
    assert stage[BO].initiative == 9
    assert stage.state.active == BO
    assert not stage[ADA].acted
    stage.do("check", BO, skill="", characteristic="dex", dice=[(4, 3)])
    assert stage.check().total == 6
    to_round(stage, 2)
    assert stage[BO].initiative == 7
    assert not stage.has(BO, "hastened")


@pytest.mark.rule("CE-ROUND-14")
def test_hastening_is_refused_once_somebody_has_done_something() -> None:
    stage = three()
    begin(stage, 8, 7, 4)
    stage.do("move", ADA, to="3,0")
    assert "start of a round" in stage.refused("hasten", BO).message
    stage.do("next_turn")
    assert stage.refused("hasten", BO).code == "not_allowed"


@pytest.mark.rule("CE-ROUND-14", "CE-ROUND-15")
def test_hastening_may_be_declared_for_the_next_round_and_taken_back() -> None:
    stage = three()
    begin(stage, 8, 7, 4)
    stage.do("hasten_next", CY)
    stage.do("hasten_next", BO)
    stage.do("hasten_next", BO)
    to_round(stage, 2)
    assert scores(stage) == [8, 7, 6]
    assert stage.has(CY, "hastened")
    to_round(stage, 3)
    assert scores(stage) == [8, 7, 4]


@pytest.mark.rule("CE-ROUND-14")
def test_haste_for_round_1_is_declared_with_the_start() -> None:
    stage = three()
    begin(stage, 8, 7, 4, hasty=[BO])
    assert scores(stage) == [8, 9, 4]
    assert stage.state.active == BO


@pytest.mark.rule("CE-ROUND-17")
def test_nobody_hastens_twice_in_a_round() -> None:
    stage = three()
    begin(stage, 8, 7, 4)
    stage.do("hasten", BO)
    assert stage.refused("hasten", BO).code == "not_allowed"
    assert stage[BO].initiative == 9


@pytest.mark.rule("CE-ROUND-17")
def test_the_table_may_have_it_once_in_a_combat() -> None:
    stage = three(hasten="once_a_combat")
    begin(stage, 8, 7, 4)
    stage.do("hasten", BO)
    to_round(stage, 2)
    assert stage.refused("hasten", BO).code == "not_allowed"
    assert stage.refused("hasten_next", BO).code == "not_allowed"


def test_a_table_without_hastening_refuses_it() -> None:
    stage = three(use_hasten=False)
    begin(stage, 8, 7, 4)
    assert "switch it on" in stage.refused("hasten", BO).message


# ---------------------------------------------------------------- Tactics and Leadership


def unit(tactics: int = 2, profile: str = "777977", **options: object) -> CepheusStage:
    """Ada commands Bo and Di; Zed is against them."""
    stage = CepheusStage(**options)
    stage.hero("Ada", profile, skills={"tactics": tactics, "leadership": 1})
    stage.hero("Bo")
    stage.foe("Zed")
    stage.hero("Di")
    stage.do("mark_commander", target=ADA)
    return stage


@pytest.mark.rule("CE-INIT-06", "CE-TACT-01", "CE-TACT-03")
def test_the_effect_of_tactics_goes_onto_the_unit_for_the_whole_combat() -> None:
    stage = unit()
    stage.do("start", tactics=True, dice=[(3, 4), (3, 3), (4, 4), (2, 3), (4, 3)])
    assert [stage[who].initiative for who in (ADA, BO, CY, "f4")] == [9, 8, 8, 7]
    to_round(stage, 3)
    assert [stage[who].initiative for who in (ADA, BO, CY, "f4")] == [9, 8, 8, 7]


@pytest.mark.rule("CE-TACT-03")
def test_failed_tactics_cost_nothing() -> None:
    stage = unit()
    stage.do("start", tactics=True, dice=[(3, 4), (3, 3), (4, 4), (2, 3), (1, 1)])
    assert [stage[who].initiative for who in (ADA, BO, CY, "f4")] == [7, 6, 8, 5]


@pytest.mark.rule("CE-TACT-02")
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
def test_tactics_are_for_the_start_of_combat() -> None:
    stage = unit()
    stage.do("start", dice=[(3, 4), (3, 3), (4, 4), (2, 3)])
    to_round(stage, 2)
    assert "start of combat" in stage.refused("tactics", ADA).message


@pytest.mark.rule("CE-INIT-07", "CE-TACT-03", "CE-COMMS-01")
def test_who_is_out_of_contact_gains_nothing() -> None:
    stage = unit()
    stage.do("set_contact", target="f4", contact=False)
    stage.do("start", tactics=True, dice=[(3, 4), (3, 3), (4, 4), (2, 3), (4, 3)])
    assert [stage[who].initiative for who in (BO, "f4")] == [8, 5]


@pytest.mark.rule("CE-TACT-04", "CE-TACT-05", "CE-TACT-06")
def test_leadership_raises_somebody_else_for_a_round() -> None:
    stage = unit(profile="777777")
    stage.do("start", dice=[(6, 6), (4, 4), (4, 3), (2, 3)])
    assert stage.refused("leadership", ADA, target=ADA).code == "bad_target"
    assert stage.refused("leadership", ADA, target=CY).code == "bad_target"
    sums = stage.preview("leadership", ADA, target=BO, adjust=1, because="shouting").modifiers
    assert add_up(sums) == 1 + 1
    stage.do("leadership", ADA, target=BO, dice=[(5, 4)])
    assert stage[BO].initiative == 10
    assert stage[ADA].budget["significant"] == 0
    assert stage.refused("leadership", ADA, target="f4").code == "no_budget"
    to_round(stage, 2)
    assert stage[BO].initiative == 8


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
def test_leadership_may_last_the_combat() -> None:
    stage = unit(profile="777777", leadership_lasts="combat")
    stage.do("start", dice=[(6, 6), (4, 4), (4, 3), (2, 3)])
    stage.do("leadership", ADA, target=BO, dice=[(5, 4)])
    to_round(stage, 3)
    assert stage[BO].initiative == 10


@pytest.mark.rule("CE-COMMS-01")
def test_leadership_does_not_reach_who_is_cut_off() -> None:
    stage = unit(profile="777777")
    stage.do("start", dice=[(6, 6), (4, 4), (4, 3), (2, 3)])
    stage.do("set_contact", target=BO, contact=False)
    assert "out of communication" in stage.refused("leadership", ADA, target=BO).message
    assert stage[BO].initiative == 8


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


# ---------------------------------------------------------------- what a fight leaves behind


def test_a_second_fight_starts_clean() -> None:
    stage = unit()
    stage.do("start", tactics=True, dice=[(3, 4), (3, 3), (4, 4), (2, 3), (4, 3)])
    stage.do("hasten_next", BO)
    stage.do("end_fight")
    stage.do("start", dice=[(3, 4), (3, 3), (4, 4), (2, 3)])
    assert [stage[who].initiative for who in (ADA, BO, CY, "f4")] == [7, 6, 8, 5]
    stage.do("tactics", ADA, dice=[(4, 3)])
    assert stage.told(e.InitiativeSet)
