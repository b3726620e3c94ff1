"""Bleeding, blinded, deafened, fatigued, frightened: their costs, limits and ends."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.basics.words import say
from combat.rules.core.state import events as e
from tests.combat.rules.cosmos.figures import CosmosStage, pair, words
from tests.combat.rules.cosmos.plights import MISS, alone, next_turn_of
from tests.combat.rules.cosmos.shots import duel, shoot

# ---------------------------------------------------------------- bleeding


@pytest.mark.rule("COS-COND-01")
def test_who_does_not_bleed_is_not_mentioned_at_its_turn_start() -> None:
    stage, *_ = duel()
    stage.do("next_turn")
    assert stage.told(e.TrackChanged) == []


@pytest.mark.rule("COS-COND-02")
@pytest.mark.parametrize(("dice", "total", "left"), [((3, 4), 11, []), ((3, 3), 10, [2])])
def test_medicine_11_ends_all_bleeding(dice: tuple[int, int], total: int, left: list[int]) -> None:
    stage, ada, bo = duel()
    stage.place(bo, 1, 0)
    stage.give(bo, "bleeding", level=2)
    stage.do("first_aid", ada, target=bo, dice=[dice])
    assert (stage.check("Medicine").total, stage.check("Medicine").against) == (total, 11)
    assert [held.level for held in stage[bo].conditions] == left


def pressed(presser: str) -> CosmosStage:
    """Bo (f2) bleeds at 50 HP; Bo or Ada (f1) beside Bo has just pressed on the wound."""
    stage = CosmosStage()
    stage.hero()
    stage.foe(at=(1, 0))
    stage.set_track("f2", hp=50)
    stage.give("f2", "bleeding")
    stage.begin("f1", "f2", active=presser)
    stage.do("press", presser, target="f2")
    return stage


@pytest.mark.rule("COS-COND-03")
@pytest.mark.parametrize("presser", ["f1", "f2"])
def test_pressure_by_anyone_holds_one_loss_back_and_then_resumes(presser: str) -> None:
    stage = pressed(presser)
    assert stage[presser].budget == {"standard": 1, "move": 0, "quick": 3}
    next_turn_of(stage, "f2")
    assert stage.hp("f2") == 50
    assert [said.key for said in stage.told(e.Said)] == ["log.pressure"]
    next_turn_of(stage, "f2")
    assert stage.hp("f2") == 49


@pytest.mark.rule("COS-COND-03")
def test_pressure_kept_up_holds_every_loss_back() -> None:
    stage = pressed("f1")
    for _ in range(3):
        next_turn_of(stage, "f2")
        next_turn_of(stage, "f1")
        stage.do("press", "f1", target="f2")
    assert stage.hp("f2") == 50
    assert [held.kind for held in stage["f2"].conditions].count("pressed") == 1


@pytest.mark.rule("COS-COND-03")
@pytest.mark.parametrize("how", ["walks away", "is knocked out"])
def test_pressure_ends_with_who_gives_it(how: str) -> None:
    stage = pressed("f1")
    stage.turn("f1")
    if how == "walks away":
        stage.do("move", "f1", to="-3,0")
    else:
        stage.do("give_condition", target="f1", kind="unconscious")
        assert not stage.has("f2", "pressed")
    next_turn_of(stage, "f2")
    assert stage.hp("f2") == 49


@pytest.mark.parametrize(("bleeds", "meters", "code"), [(False, 1, "bad_target"), (True, 2, "out_of_range")])
def test_pressure_that_makes_no_sense_is_refused(bleeds: bool, meters: int, code: str) -> None:
    stage, ada, bo = duel()
    stage.place(bo, meters, 0)
    if bleeds:
        stage.give(bo, "bleeding")
    assert stage.refused("press", ada, target=bo).code == code
    assert stage[ada].budget["move"] == 1


@pytest.mark.rule("COS-COND-04")
def test_wounds_add_up() -> None:
    stage, ada, bo = duel()
    stage.set_track(bo, hp=50)
    stage.give(bo, "bleeding", level=1)
    shoot(stage, ada, bo, (10, 10), "condition", (1, 1), "bleeding")
    assert stage.hp(bo) == 48
    assert [held.level for held in stage[bo].conditions] == [2]
    stage.do("next_turn")
    assert stage.hp(bo) == 46


@pytest.mark.rule("COS-COND-04")
def test_a_wound_the_gm_adds_counts_too() -> None:
    stage, _, bo = duel()
    stage.set_track(bo, hp=50)
    stage.do("give_condition", target=bo, kind="bleeding")
    stage.do("give_condition", target=bo, kind="bleeding", level=2)
    stage.do("next_turn")
    assert stage.hp(bo) == 47


# ---------------------------------------------------------------- blinded


@pytest.mark.rule("COS-COND-05")
def test_what_needs_sight_fails_for_the_blinded_without_a_roll() -> None:
    stage, ada = alone("blinded")
    note = say("note.no_sight", condition="Blinded")
    submission: dict[str, Any] = {"attribute": "AWA", "tn": 11, "sense": "sight"}
    assert stage.preview("skill", ada, **submission).notes == (note,)
    stage.do("skill", ada, **submission)
    assert stage.log()[-1] == f"Ada fails Awareness. {words(note)}."
    assert stage[ada].budget["standard"] == 0


@pytest.mark.rule("COS-COND-05", "COS-COND-09")
@pytest.mark.parametrize(("kind", "sense"), [("blinded", "hearing"), ("deafened", "sight"), ("blinded", "")])
def test_other_senses_still_serve(kind: str, sense: str) -> None:
    stage, ada = alone(kind)
    stage.do("skill", ada, attribute="AWA", tn=11, sense=sense, dice=[(4, 4)])
    assert stage.check("Awareness").good


@pytest.mark.rule("COS-COND-05")
def test_the_blinded_look_around_in_vain() -> None:
    stage, ada = alone("blinded")
    stage.edit("f2", hidden=True)
    stage.do("look", ada)
    assert [said.key for said in stage.told(e.Said)] == ["log.looks_around", "log.sees_nothing"]


# ---------------------------------------------------------------- deafened


def ordered(*scores: int) -> CosmosStage:
    """Combatants f1, f2, ... in the order of these scores, the last one on its turn."""
    stage = CosmosStage()
    for number, score in enumerate(scores, 1):
        who = stage.hero(f"Ally {number}", (number * 2, 0))
        stage.edit(who, initiative=score)
    stage.begin(active=f"f{len(scores)}")
    for who in stage.state.order[:-1]:
        stage.edit(who, acted=True)
    return stage


@pytest.mark.rule("COS-COND-10")
def test_going_deaf_lowers_score_and_place_from_the_next_round() -> None:
    stage = ordered(12, 11, 9)
    stage.do("give_condition", target="f1", kind="deafened")
    assert stage["f1"].initiative == 12
    assert stage.state.order == ("f1", "f2", "f3")
    stage.do("next_turn")
    assert stage["f1"].initiative == 10
    assert stage.state.order == ("f2", "f1", "f3")
    assert stage.state.active == "f2"


@pytest.mark.rule("COS-COND-10")
def test_hearing_again_gives_the_score_back() -> None:
    stage = ordered(12, 11)
    stage.do("give_condition", target="f1", kind="deafened", turns=1)
    stage.do("next_turn")
    assert (stage["f1"].initiative, stage.state.order) == (10, ("f2", "f1"))
    stage.do("next_turn")
    assert (stage.state.active, stage.has("f1", "deafened")) == ("f1", True)
    stage.do("next_turn")
    assert not stage.has("f1", "deafened")
    assert (stage["f1"].initiative, stage.state.order) == (12, ("f1", "f2"))


@pytest.mark.rule("COS-COND-10")
def test_deaf_roll_initiative_with_2_less_and_lose_no_more_later() -> None:
    stage, ada, bo = pair()
    stage.give(ada, "deafened")
    stage.do("start", dice=[9, 8])
    assert (stage[ada].initiative, stage[bo].initiative) == (12, 13)
    stage.do("next_turn")
    stage.do("next_turn")
    assert stage.state.round == 2
    assert (stage[ada].initiative, stage.state.order) == (12, (bo, ada))


@pytest.mark.rule("COS-COND-11")
def test_words_are_flagged_not_heard_by_the_deafened() -> None:
    stage, ada = alone()
    stage.do("speak", ada, what="Fall back!")
    assert len(stage.told(e.Said)) == 1
    stage.give("f2", "deafened")
    stage.do("speak", ada, what="Fall back!")
    flag = stage.told(e.Said)[1]
    assert (flag.key, flag.target) == ("log.unheard", "f2")


@pytest.mark.rule("COS-COND-11")
def test_the_gm_is_told_when_a_deafened_comrade_is_rallied() -> None:
    stage = CosmosStage()
    ada, al = stage.hero(), stage.hero("Al", (2, 0))
    stage.give(al, "frightened")
    stage.give(al, "deafened")
    stage.begin()
    stage.do("rally", ada, target=al, dice=[(5, 5)])
    (note,) = [fact for fact in stage.facts if fact.rule == "COS-COND-11"]
    assert note.to == e.GM_ONLY
    assert not stage.has(al, "frightened")


@pytest.mark.rule("COS-COND-12")
def test_the_deafened_are_easily_taken_unaware() -> None:
    stage, ada = alone()
    assert stage.form("attack", ada)["unaware"].help == ""
    stage.give("f2", "deafened")
    assert stage.form("attack", ada)["unaware"].help == "easy with Bo: deafened"
    shoot(stage, ada, "f2", MISS, unaware=True)
    assert stage.check("attack").against == 16


# ---------------------------------------------------------------- fatigued


@pytest.mark.rule("COS-COND-13")
def test_fatigue_outlasts_rounds_and_ends_with_a_nights_rest() -> None:
    stage, ada = alone("fatigued")
    for _ in range(4):
        stage.do("next_turn")
    assert stage.state.round == 3
    stage.do("end_fight")
    assert stage.has(ada, "fatigued")
    stage.do("rest", kind="night")
    assert not stage.has(ada, "fatigued")


# ---------------------------------------------------------------- frightened


def afraid(
    *dice: Any, options: dict[str, Any] | None = None, at: tuple[float, float] = (10, 0)
) -> tuple[CosmosStage, str, str]:
    """Ada's turn begins; the GM has made her fear the beast at a place, and she rolls Resolve."""
    stage = CosmosStage(**(options or {}))
    ada, beast = stage.hero(), stage.foe("Beast", at)
    stage.begin(beast, ada)
    stage.do("give_condition", target=ada, kind="frightened", by=beast)
    stage.do("next_turn", dice=dice)
    assert stage.state.active == ada
    return stage, ada, beast


@pytest.mark.rule("COS-COND-17")
def test_fear_of_someone_who_is_not_there_is_refused() -> None:
    stage, ada = alone()
    assert stage.refused("give_condition", target=ada, kind="frightened", by="f99").code == "unknown"


@pytest.mark.rule("COS-COND-18")
def test_fear_changes_no_save_by_default() -> None:
    for option, total in ((False, 14), (True, 12)):
        stage, *_ = afraid((5, 5), options={"saves_take_penalties": option})
        assert stage.check("Resolve save").total == total


@pytest.mark.rule("COS-COND-19")
@pytest.mark.parametrize("to", ["5,0", "9,0", "0,0.5", "near:f2"])
def test_a_move_that_does_not_lead_away_is_refused(to: str) -> None:
    stage, ada, _ = afraid((1, 2), at=(10, 3))
    refused = stage.refused("move", ada, to=to)
    assert (refused.code, refused.message) == (
        "not_allowed",
        "Frightened: a move has to lead away from Beast.",
    )
    assert stage[ada].budget["move"] == 1


@pytest.mark.rule("COS-COND-19")
def test_a_move_away_is_allowed() -> None:
    stage, ada, _ = afraid((1, 2))
    stage.do("move", ada, to="-5,0")
    assert stage[ada].at.x == -5


@pytest.mark.rule("COS-COND-19")
@pytest.mark.parametrize(("to", "allowed"), [("-5,0", False), ("5,0", False), ("0,5", True)])
def test_two_fears_allow_only_what_leads_away_from_both(to: str, allowed: bool) -> None:
    stage = CosmosStage()
    ada, beast, ghost = stage.hero(), stage.foe("Beast", (10, 0)), stage.foe("Ghost", (-10, 0))
    stage.begin()
    for source in (beast, ghost, ghost):
        stage.do("give_condition", target=ada, kind="frightened", by=source)
    assert [held.by for held in stage[ada].conditions] == [beast, ghost]
    if allowed:
        stage.do("move", ada, to=to)
    else:
        assert stage.refused("move", ada, to=to).code == "not_allowed"


@pytest.mark.rule("COS-COND-20")
def test_resolve_14_lets_the_frightened_act_normally_this_turn() -> None:
    stage, ada, beast = afraid((5, 5))
    save = stage.check("Resolve save")
    assert (save.total, save.against, save.good) == (14, 14, True)
    assert stage.has(ada, "frightened")
    stage.do("move", ada, to="5,0")
    shoot(stage, ada, beast, MISS)
    assert stage.check("attack").total == 12
    stage.do("next_turn")
    stage.do("next_turn", dice=[(5, 4)])
    assert stage.check("Resolve save").total == 13
    shoot(stage, ada, beast, MISS)
    assert stage.check("attack").total == 10
    stage.turn(ada)
    assert stage.refused("move", ada, to="7,0").code == "not_allowed"


@pytest.mark.rule("COS-COND-20")
def test_fear_save_ends_it_option() -> None:
    stage, ada, _ = afraid((5, 5), options={"fear_save_ends_it": True})
    assert not stage.has(ada, "frightened")
    stage.do("next_turn")
    stage.do("next_turn")
    assert stage.state.active == ada


@pytest.mark.rule("COS-COND-20")
def test_the_fear_save_follows_the_default_target_number() -> None:
    stage, _, _ = afraid((4, 3), options={"default_tn": 11})
    assert (stage.check("Resolve save").against, stage.check("Resolve save").good) == (11, True)


@pytest.mark.rule("COS-COND-20")
def test_the_unconscious_roll_no_save_against_fear() -> None:
    stage, _ = alone("frightened", "unconscious")
    stage.do("next_turn")
    stage.do("next_turn")
    assert stage.checks() == []


@pytest.mark.rule("COS-COND-17")
def test_the_death_of_one_ends_no_fear_of_another() -> None:
    stage = CosmosStage()
    ada, beast, ghost = stage.hero(), stage.foe("Beast"), stage.foe("Ghost", (-10, 0))
    for source in (beast, ghost):
        stage.give(ada, "frightened", by=source)
    stage.give(ada, "bleeding", by=beast)
    stage.begin()
    stage.do("adjust", target=beast, track="hp", to=-99)
    assert [(held.kind, held.by) for held in stage[ada].conditions] == [
        ("frightened", ghost),
        ("bleeding", beast),
    ]


@pytest.mark.rule("COS-COND-17")
def test_fear_ends_when_its_source_dies_or_leaves() -> None:
    stage, ada, beast = afraid((1, 2))
    stage.do("adjust", target=beast, track="hp", to=-99)
    assert not stage.has(ada, "frightened")
    stage, ada, beast = afraid((1, 2))
    stage.do("remove", target=beast)
    stage.do("next_turn")
    assert stage.state.active == ada
    assert not stage.has(ada, "frightened")
    assert stage.checks() == []


@pytest.mark.rule("COS-COND-20")
def test_a_comrade_who_gives_heart_adds_to_saves_against_fear() -> None:
    stage = CosmosStage()
    ada, beast = stage.hero(), stage.foe("Beast")
    for name, points in (("Cy", 1), ("Di", 2), ("Ed", 5)):
        stage.hero(name, (0, 5), abilities={"allies_morale_bonus": points})
    stage.give(ada, "frightened", by=beast)
    stage.give("f5", "unconscious")
    stage.begin(beast, ada)
    stage.do("next_turn", dice=[(4, 4)])
    check = stage.check("Resolve save")
    assert (check.total, check.good) == (14, True)
    heart = check.modifiers[-1]
    assert (words(heart.label), heart.value, heart.rule) == ("someone nearby", 2, "COS-COND-20")
