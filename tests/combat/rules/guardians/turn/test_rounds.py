"""Rounds, initiative, shared counts, and combatants who cannot act."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from combat.rules.core.commands.commands import read_command
from combat.rules.core.engine.engine import Done, find_action, run
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, encode
from combat.rules.guardians import SYSTEM
from tests.combat.rules.guardians.stage import ADA, BO, CY, DI, GuardStage, acting, lone, sheet, trio
from tests.combat.rules.stage import Script

# ---------------------------------------------------------------- rounds and initiative


@pytest.mark.rule("CG-ROUND-01")
def test_a_fight_begins_once_and_with_someone() -> None:
    assert "add combatants first" in GuardStage().refused("start").message
    stage = trio(10, 4, 8)
    assert "already started" in stage.refused("start").message
    assert stage.refused("next_turn", target=BO).message == "It is not Bo's turn."


@pytest.mark.rule("CG-INIT-03")
def test_number_the_gm_sets_counts_at_once_and_no_number_is_last() -> None:
    stage = trio(10, 4, 8)
    di = stage.foe("Di")
    stage.do("set_initiative", target=BO, score=19)
    assert stage.state.order == (ADA, BO, CY, di)
    stage.end_turn()
    assert acting(stage) == (BO,)


@pytest.mark.rule("CG-ROUND-03")
def test_nobody_acts_before_everyone_has_a_number() -> None:
    stage = trio()
    action = find_action(SYSTEM, "start")
    waiting = run(SYSTEM, stage.state, action, read_command(action, {}), _Silent(2))
    assert not isinstance(waiting, Done)
    assert not [f for f in waiting.facts if isinstance(f.event, e.TurnStarted)]
    assert stage.refused("attack", ADA, target=BO, weapon="f1-1").code == "not_allowed"
    stage.begin_fight(10, 4, 8)
    assert all(combatant.initiative is not None for combatant in stage.state.combatants.values())


class _Silent(Script):
    """Answers n rolls with a 5, then nothing."""

    def __init__(self, count: int) -> None:
        super().__init__([5] * count)

    def answer(self, context: Any, request: Any) -> Any:
        return super().answer(context, request) if self.left else None


@pytest.mark.rule("CG-INIT-04")
def test_opponents_may_share_one_roll() -> None:
    stage = GuardStage(npc_initiative="group")
    stage.hero("Ada")
    stage.foe("Bo", coordination=9)
    stage.foe("Cy", coordination=12)
    stage.begin_fight(1, 10)
    assert [stage[who].initiative for who in (ADA, BO, CY)] == [11, 19, 22]


@pytest.mark.rule("CG-INIT-04")
def test_each_side_of_opponents_has_a_roll_of_its_own() -> None:
    stage = GuardStage(npc_initiative="group")
    stage.foe("Ada")
    stage.foe("Bo")
    stage.add("Cy", "pirates", (3, 0), sheet())
    stage.begin_fight(4, 15)
    assert [stage[who].initiative for who in (ADA, BO, CY)] == [14, 14, 25]


@pytest.mark.rule("CG-INIT-04")
def test_no_player_rolls_for_opponents_and_none_for_a_player() -> None:
    stage = GuardStage(npc_initiative="group")
    stage.hero("Ada")
    stage.add("Bo", "allies", (1, 0), sheet())
    stage.add("Cy", "allies", (2, 0), sheet())
    stage.begin_fight(1, 10)
    assert [stage[who].initiative for who in (ADA, BO, CY)] == [11, 20, 20]


@pytest.mark.rule("CG-INIT-07")
def test_once_a_fight_is_once_in_each_fight() -> None:
    stage = GuardStage(initiative_each="encounter")
    stage.hero("Ada")
    stage.begin_fight(7)
    stage.end_turn()
    assert (stage.state.round, stage[ADA].initiative) == (2, 17)
    stage.do("end_fight")
    stage.begin_fight(15)
    assert stage[ADA].initiative == 25


@pytest.mark.rule("CG-INIT-01")
def test_twenty_stays_twenty_and_coordination_is_never_below_0() -> None:
    stage = lone(coordination=3)
    stage.set_part(ADA, "torso", 10)
    stage.begin_fight(20)
    assert stage[ADA].initiative == 20


@pytest.mark.rule("CG-INIT-01", "CG-TORSO-01", "CG-FAT-03")
def test_wounds_fatigue_and_fear_lower_the_coordination_counted() -> None:
    stage = lone(coordination=11)
    stage.set_part(ADA, "torso", 10)
    stage.begin_fight(7)
    assert stage[ADA].initiative == 13
    stage.set_track(ADA, fatigue=2)
    stage.end_turn(7)
    assert stage[ADA].initiative == 11
    stage.give(ADA, "frightened")
    stage.end_turn(7)
    assert stage[ADA].initiative == 9


# ---------------------------------------------------------------- shared counts


def tied() -> GuardStage:
    """Ada and Bo on the same number."""
    stage = trio(8, 8, 3)
    assert acting(stage) == (ADA, BO)
    return stage


@pytest.mark.rule("CG-INIT-05")
def test_both_may_kill_each_other_at_one_count() -> None:
    stage = tied()
    for who in (ADA, BO):
        stage.set_part(who, "head", 6)
    stage.attack(10, "none", 1, (6, 6), who=ADA, on=BO)
    assert not stage.has(BO, "dead")
    stage.attack(10, "none", 1, (6, 6), who=BO, on=ADA)
    stage.end_turn(target=ADA)
    assert not stage.has(BO, "dead")
    stage.end_turn(target=BO)
    assert stage.has(ADA, "dead")
    assert stage.has(BO, "dead")
    assert acting(stage) == (CY,)
    assert not [key for key in stage.state.marks if key.startswith(("deferred", "together"))]


@pytest.mark.rule("CG-INIT-05")
def test_defenses_are_those_of_before_the_count() -> None:
    stage = tied()
    stage.attack(10, "none", 8, "both", who=ADA, on=BO)
    assert not stage.has(BO, "stunned")
    stage.attack(90, who=BO, on=ADA)
    stage.end_turn(whole=True)
    assert stage.has(BO, "stunned")


MENU: dict[str, tuple[tuple[str, dict[str, Any], tuple[Any, ...]], ...]] = {
    ADA: (
        ("attack", {"target": BO, "weapon": "f1-1"}, (10, "none", 2, (6, 6))),
        ("attack", {"target": BO, "weapon": "f1-1"}, (10, "none", 7, 4, (1, 2))),
        ("attack", {"target": CY, "weapon": "f1-1"}, (10, "none", 12, "disarm", 3)),
        ("move", {"to": "9,0"}, ()),
        ("guard", {}, ()),
    ),
    BO: (
        ("attack", {"target": ADA, "weapon": "f2-1"}, (10, "none", 8, "both")),
        ("attack", {"target": CY, "weapon": "f2-1"}, (10, "none", 2, (6, 6))),
        ("attack", {"target": CY, "weapon": "f2-1"}, (10, "none", 12, "disarm", 5)),
        ("attack", {"target": CY, "weapon": "f2-1"}, (10, "none", 7, 2, (6, 6))),
        ("let_go", {"item": "f2-1"}, ()),
    ),
    CY: (
        ("attack", {"target": BO, "weapon": "f3-1"}, (10, "none", 2, (5, 6))),
        ("attack", {"target": BO, "weapon": "f3-1"}, (10, "none", 7, 4, (3, 3))),
        ("attack", {"target": ADA, "weapon": "f3-1"}, (10, "none", 9)),
    ),
}


def play(order: tuple[str, ...], deeds: dict[str, Any]) -> State:
    """One count with these actions, entered in this order; the states at its end."""
    stage = trio(toughness_recovers="next_day")
    stage.set_track(BO, toughness=2)
    stage.begin_fight(8, 8, 8)
    for who in order:
        name, fields, dice = deeds[who]
        stage.do(name, who, dice=dice, **fields)
    stage.do("end_fight", dice=_spirit(stage))
    return stage.state


def _spirit(stage: GuardStage) -> tuple[int, ...]:
    """The dice for those whose limbs are severed when the count takes effect."""
    for count in range(4):
        try:
            action = find_action(SYSTEM, "end_fight")
            run(SYSTEM, stage.state, action, read_command(action, {}), Script([90] * count))
        except AssertionError:
            continue
        return (90,) * count
    raise AssertionError("more rolls than limbs")


@pytest.mark.slow
@pytest.mark.rule("CG-INIT-05")
@pytest.mark.parametrize("deeds", list(itertools.product(*MENU.values())))
def test_who_enters_first_makes_no_difference(deeds: tuple[Any, ...]) -> None:
    chosen = dict(zip(MENU, deeds, strict=True))
    ends = [play(order, chosen) for order in itertools.permutations((ADA, BO, CY))]
    assert len({encode(end) for end in ends}) == 1


@pytest.mark.rule("CG-INIT-05", "CG-LOC-10")
def test_ones_own_deed_comes_before_what_others_do() -> None:
    stage = tied()
    stage.do("let_go", BO, item="f2-1")
    stage.do("arm", target=BO, weapon="club")
    stage.do("draw", BO, item=stage.item(BO, "club").id)
    stage.attack(10, "dodge", 99, 9, who=ADA, on=BO)
    stage.end_turn(whole=True)
    assert stage.has(BO, "unconscious")
    assert sorted(item.name for item in stage.state.ground) == ["Club", "Long Sword"]


@pytest.mark.rule("CG-INIT-05", "CG-MOVE-01")
def test_moving_on_at_a_shared_count_starts_where_they_will_be() -> None:
    stage = tied()
    stage.do("move", ADA, to="-4,0")
    assert stage[ADA].at.x == 0
    assert "already" in stage.refused("walk_on", ADA, to="-4,0").message
    stage.do("walk_on", ADA, to="-12,0")
    stage.end_turn(whole=True)
    assert stage[ADA].at.x == -12


@pytest.mark.rule("CG-INIT-05")
def test_odds_at_a_shared_count_tell_the_end_of_it() -> None:
    alone, shared = trio(), tied()
    alone.begin_fight(9, 8, 3)
    odds = [stage.odds("attack", ADA, target=BO, weapon="f1-1") for stage in (alone, shared)]
    told = [{m.label: round(m.chance, 9) for m in found.measures} for found in odds]
    assert told[0] == told[1]
    assert told[0]["Bo goes down"] > 0


@pytest.mark.rule("CG-INIT-05", "CG-ATK-03")
def test_what_waits_tells_its_terms_in_the_end() -> None:
    stage = tied()
    stage.attack(10, "none", 6, (2, 3), who=ADA, on=BO)
    assert "Ada rolls 5 damage against Bo (2d6)." in stage.said()
    stage.end_turn(whole=True)
    (told,) = stage.told(e.TrackChanged)
    assert [term.value for term in told.terms] == [5, 10, -10]
    assert (told.old, told.new) == (15, 10)


@pytest.mark.rule("CG-INIT-05")
def test_a_target_who_leaves_takes_the_effect_along() -> None:
    stage = tied()
    stage.attack(10, "none", 9, who=ADA, on=BO)
    stage.do("remove", target=BO)
    stage.end_turn()
    assert acting(stage) == (CY,)


@pytest.mark.rule("CG-INIT-06")
def test_who_holds_comes_after_the_tied() -> None:
    stage = tied()
    stage.do("hold", ADA)
    stage.attack(10, "none", 9, who=BO, on=CY)
    stage.do("act_now", ADA)
    assert stage.has(ADA, "holding")
    stage.end_turn()
    assert stage.has(CY, "unconscious")
    assert acting(stage) == (ADA,)
    stage.attack(10, "none", 9, who=ADA, on=BO)
    assert stage.has(BO, "unconscious")


# ---------------------------------------------------------------- who cannot act


@pytest.mark.rule("CG-STUN-01")
def test_being_stunned_ends_a_hold_and_skips_a_turn() -> None:
    stage = trio(10, 8, 4)
    stage.do("hold", ADA)
    stage.attack(10, "none", 8, "stunned", who=BO, on=ADA)
    assert not stage.has(ADA, "holding")
    assert stage.refused("act_now", ADA).code == "not_allowed"


@pytest.mark.rule("CG-STUN-01", "CG-LOC-10", "CG-FAT-04", "CG-REF-03")
@pytest.mark.parametrize(
    ("kind", "rule"),
    [
        ("stunned", "CG-STUN-01"),
        ("unconscious", "CG-LOC-10"),
        ("exhausted", "CG-FAT-04"),
        ("surprised", "CG-REF-03"),
    ],
)
def test_a_turn_passed_over_cites_what_takes_it(kind: str, rule: str) -> None:
    stage = trio(10, 8, 4)
    stage.give(BO, kind)
    stage.end_turn()
    assert [fact.rule for fact in stage.facts if isinstance(fact.event, e.Said)] == [rule]


@pytest.mark.rule("CG-HEAD-01")
def test_who_is_out_by_the_head_is_passed_over_for_that() -> None:
    stage = trio(10, 8, 4)
    stage.set_part(BO, "head", 5)
    stage.end_turn()
    assert [fact.rule for fact in stage.facts if isinstance(fact.event, e.Said)] == ["CG-HEAD-01"]


@pytest.mark.rule("CG-STUN-01")
def test_the_stunned_defend_where_the_table_has_it_so() -> None:
    stage = trio(10, 8, 4, stunned_may_defend="yes")
    stage.give(BO, "stunned")
    stage.attack(10, "none", 9, who=ADA, on=BO)
    assert stage.has(BO, "unconscious")


@pytest.mark.rule("CG-REF-03")
@pytest.mark.parametrize(("die", "surprised"), [(51, True), (50, False)])
def test_surprise_is_a_perception_roll(die: int, surprised: bool) -> None:
    stage = trio()
    stage.begin_fight(die, 10, 20, 4, surprised=[BO])
    assert stage.has(BO, "surprised") is surprised
    assert acting(stage) == ((ADA,) if surprised else (BO,))
    if surprised:
        stage.attack(10, 9, who=ADA, on=BO)
        stage.end_turn()
        stage.end_turn(1, 1, 2)
        assert not stage.has(BO, "surprised")


@pytest.mark.rule("CG-REF-03")
def test_it_is_perception_that_notices() -> None:
    stage = lone(perception=12, spirit=6)
    stage.begin_fight(60, 10, surprised=[ADA])
    assert stage.first().against == 60
    assert not stage.has(ADA, "surprised")


@pytest.mark.rule("CG-REF-03")
def test_surprise_may_be_off() -> None:
    assert "no surprise rolls" in trio(surprise="off").refused("start", surprised=[BO]).message


def test_nobody_who_can_act_ends_the_count() -> None:
    stage = trio(10, 8, 4)
    for who in (ADA, BO, CY):
        stage.set_part(who, "head", 0)
    stage.end_turn()
    assert acting(stage) == ()
    assert "No one can act." in stage.said()


@pytest.mark.rule("CG-STUN-01", "CG-REF-11")
@pytest.mark.parametrize("kind", ["surprised", "exhausted", "stunned"])
def test_nobody_waits_for_who_is_barred_until_the_gm_ends_it(kind: str) -> None:
    stage = trio(10, 8, 4)
    for who in (ADA, BO, CY):
        if kind == "exhausted":
            stage.do("give_condition", target=who, kind=kind)
        else:
            stage.do("impose", target=who, kind=kind, rounds=0)
    stage.end_turn()
    assert "No one can act." in stage.said()
    assert (stage.state.round, acting(stage)) == (1, ())


@pytest.mark.rule("CG-STUN-02", "CG-FAT-05")
@pytest.mark.parametrize(("kind", "rounds"), [("stunned", 3), ("exhausted", 11)])
def test_the_count_waits_for_who_comes_back_in_time(kind: str, rounds: int) -> None:
    stage = GuardStage(exhaustion_ends="below_health")
    stage.hero("Ada")
    stage.begin_fight(10)
    if kind == "stunned":
        stage.do("impose", target=ADA, kind=kind, rounds=2)
    else:
        stage.do("adjust", target=ADA, track="fatigue", to=10)
    stage.end_turn(*[10] * (rounds - 1))
    assert (stage.state.round, acting(stage)) == (rounds, (ADA,))


@pytest.mark.rule("CG-ROUND-03", "CG-INIT-07")
def test_a_newcomer_has_a_number_from_the_next_round_on() -> None:
    stage = trio(10, 8, 4)
    stage.foe("Di")
    for dice in ((), (), (5, 5, 5, 20)):
        stage.end_turn(*dice)
    assert stage.state.round == 2
    assert stage[DI].initiative == 30


@pytest.mark.rule("CG-REF-03")
def test_who_is_named_twice_is_surprised_once() -> None:
    stage = trio()
    stage.begin_fight(51, 10, 20, 4, surprised=[BO, BO])
    assert [held.kind for held in stage[BO].conditions] == ["surprised"]
    assert trio().refused("start", surprised=["nobody"]).code == "unknown"


@pytest.mark.rule("CG-STUN-01", "CG-REF-11")
def test_the_count_waits_for_turns_that_the_gm_has_counted() -> None:
    stage = lone()
    stage.begin_fight(10)
    stage.do("give_condition", target=ADA, kind="surprised", turns=2)
    stage.end_turn(10, 10, 10)  # the turn under way is none of the two
    assert (stage.state.round, acting(stage)) == (4, (ADA,))
