"""First aid: one Medicine roll that stops bleeding, stabilizes, wakes and heals once a day."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.basics.words import say
from combat.rules.core.state import events as e
from tests.combat.rules.cosmos.figures import CosmosStage, pair, words
from tests.combat.rules.reading import read_log


def bedside(
    hp: int = 50, *kinds: str, options: dict[str, Any] | None = None, **medic: Any
) -> tuple[CosmosStage, str, str]:
    """Ada with Intellect 4 and Medicine 4 on her turn, Al beside her with these conditions."""
    stage = CosmosStage(**(options or {}))
    ada = stage.hero(**{"skills": {"Medicine": 4}, **medic})
    al = stage.hero("Al", (1, 0))
    stage.set_track(al, hp=hp)
    for kind in kinds:
        stage.give(al, kind)
    stage.begin()
    return stage, ada, al


def treat(stage: CosmosStage, actor: str, target: str, *dice: Any, **fields: Any) -> None:
    stage.turn(actor)
    stage.do("first_aid", actor, target=target, dice=dice, **fields)


# ---------------------------------------------------------------- the roll


@pytest.mark.rule("COS-MED-01")
def test_two_tens_help_always_and_two_ones_never() -> None:
    stage, ada, al = bedside(50, "bleeding", attributes={"INT": 1}, skills={})
    treat(stage, ada, al, (10, 10), 1, adjust=-20)
    assert (stage.has(al, "bleeding"), stage.hp(al)) == (False, 51)
    stage, ada, al = bedside(50, "bleeding", attributes={"INT": 10}, skills={"Medicine": 10})
    treat(stage, ada, al, (1, 1), adjust=20)
    assert (stage.has(al, "bleeding"), stage.hp(al)) == (True, 50)


@pytest.mark.rule("COS-MED-01")
def test_one_may_treat_oneself_and_an_enemy() -> None:
    stage, ada, _ = bedside()
    stage.set_track(ada, hp=80)
    treat(stage, ada, ada, (2, 3), 4)
    assert stage.hp(ada) == 84
    stage, ada, bo = pair(at=(1, 0))
    stage.set_track(bo, hp=80)
    stage.begin()
    treat(stage, ada, bo, (5, 5), 4)
    assert stage.hp(bo) == 84


# ---------------------------------------------------------------- bleeding and dying


@pytest.mark.rule("COS-MED-02")
def test_first_aid_stops_all_bleeding_and_frees_the_presser() -> None:
    stage, ada, al = bedside(96)
    stage.give(al, "bleeding", level=2)
    stage.give(al, "pressed", by=ada)
    treat(stage, ada, al, (2, 3))
    assert stage[al].conditions == ()


@pytest.mark.rule("COS-MED-03")
@pytest.mark.parametrize(
    ("at_11", "dice", "stable", "bleeds"),
    [
        (False, (4, 4), True, False),  # 14
        (False, (4, 3), False, False),  # 13 stops the bleeding only
        (False, (3, 3), False, False),  # 12
        (False, (2, 3), False, False),  # 11
        (False, (2, 2), False, True),  # 10
        (True, (2, 3), True, False),  # 11 by option
        (True, (2, 2), False, True),
    ],
)
def test_first_aid_on_the_dying(at_11: bool, dice: tuple[int, int], stable: bool, bleeds: bool) -> None:
    options = {"first_aid_stabilises_at_11": at_11}
    stage, ada, al = bedside(-3, "dying", "unconscious", "bleeding", options=options)
    treat(stage, ada, al, dice, *([1] if stable else []))
    assert stage.check("Medicine").against == (11 if at_11 else 14)
    assert stage.asked[0].rule == ("COS-MED-01" if at_11 else "COS-DEATH-07")
    assert (stage.has(al, "stable"), stage.has(al, "dying")) == (stable, not stable)
    assert stage.has(al, "bleeding") is bleeds
    assert stage.hp(al) == (-2 if stable else -3)


@pytest.mark.rule("COS-MED-02", "COS-DEATH-07")
@pytest.mark.parametrize(
    ("dice", "conditions", "outcome", "total"),
    [
        ((4, 3), ("bleeding",), "outcome.stops_bleeding", 13),
        ((2, 3), ("bleeding",), "outcome.stops_bleeding", 11),
        ((2, 2), ("bleeding",), "outcome.failure", 10),
        ((4, 3), (), "outcome.failure", 13),
    ],
)
def test_log_calls_no_roll_that_stopped_the_bleeding_a_failure(
    dice: tuple[int, int], conditions: tuple[str, ...], outcome: str, total: int
) -> None:
    stage, ada, al = bedside(-3, "dying", "unconscious", *conditions)
    treat(stage, ada, al, dice)
    assert (stage.check("Medicine").outcome, stage.check("Medicine").good) == (outcome, False)
    assert any(line.endswith(f"{total} vs TN 14): {words(outcome)}.") for line in read_log(stage))


@pytest.mark.rule("COS-MED-03")
def test_the_preview_says_what_11_does_for_the_dying() -> None:
    stage, ada, al = bedside(-3, "dying")
    preview = stage.preview("first_aid", ada, target=al)
    assert (words(preview.against[0].label), add_up(preview.against)) == ("Stabilize", 14)
    assert preview.notes == (say("note.stops_bleeding", n=11),)


@pytest.mark.rule("COS-MED-03")
def test_the_daily_healing_may_wake_the_stabilized() -> None:
    stage, ada, al = bedside(-3, "dying", "unconscious")
    treat(stage, ada, al, (4, 4), 6)
    assert stage.hp(al) == 3
    assert stage[al].conditions == ()


@pytest.mark.rule("COS-MED-03")
def test_the_stable_are_treated_against_11() -> None:
    stage, ada, al = bedside(-1, "stable", "unconscious")
    treat(stage, ada, al, (2, 3), 2)
    assert stage.check("Medicine").against == 11
    assert (stage.hp(al), stage.has(al, "unconscious")) == (1, False)


@pytest.mark.rule("COS-STATE-18")
def test_first_aid_wakes_who_fainted_in_the_critical_state() -> None:
    stage, ada, al = bedside(30)
    stage.do("adjust", target=al, track="hp", to=10, dice=[(1, 2)])
    treat(stage, ada, al, (2, 3), 1)
    assert (stage.hp(al), stage.has(al, "unconscious")) == (11, False)


def test_first_aid_does_not_wake_who_was_put_to_sleep() -> None:
    stage, ada, al = bedside(50)
    stage.do("give_condition", target=al, kind="unconscious")
    treat(stage, ada, al, (2, 3), 1)
    assert stage.has(al, "unconscious")


# ---------------------------------------------------------------- the day's healing


@pytest.mark.rule("COS-MED-05")
def test_days_second_success_stops_bleeding_but_heals_nothing() -> None:
    stage, ada, al = bedside(50)
    treat(stage, ada, al, (5, 5), 4)
    stage.give(al, "bleeding")
    treat(stage, ada, al, (5, 5))
    assert (stage.hp(al), stage.has(al, "bleeding")) == (54, False)
    assert stage.told(e.Said)[0].key == "log.had_first_aid"


@pytest.mark.rule("COS-MED-05")
def test_the_limit_is_the_patients_and_not_the_healers() -> None:
    stage = CosmosStage()
    ada, al, ann = stage.hero(), stage.hero("Al", (1, 0)), stage.hero("Ann", (2, 0))
    for who in (ada, al, ann):
        stage.set_track(who, hp=50)
    stage.begin()
    treat(stage, ada, al, (5, 5), 4)
    treat(stage, ann, al, (5, 5))
    treat(stage, al, ada, (5, 5), 4)
    assert [stage.hp(who) for who in (ada, al, ann)] == [54, 54, 50]


@pytest.mark.rule("COS-MED-05")
@pytest.mark.parametrize(("hp", "dice"), [(50, (2, 2)), (96, (5, 5))], ids=["a failure", "the unhurt"])
def test_failure_or_help_for_the_unhurt_does_not_use_up_the_day(hp: int, dice: tuple[int, int]) -> None:
    stage, ada, al = bedside(hp, "bleeding")
    treat(stage, ada, al, dice)
    stage.set_track(al, hp=50)
    treat(stage, ada, al, (5, 5), 4)
    assert stage.hp(al) == 54


@pytest.mark.rule("COS-MED-05")
def test_a_day_later_it_heals_again() -> None:
    stage, ada, al = bedside(50)
    treat(stage, ada, al, (5, 5), 4)
    stage.edit(al, marks={**stage[al].marks, "first_aid_at": stage.state.clock - 86_399})
    treat(stage, ada, al, (5, 5))
    stage.edit(al, marks={**stage[al].marks, "first_aid_at": stage.state.clock - 86_400})
    treat(stage, ada, al, (5, 5), 4)
    assert stage.hp(al) == 58


# ---------------------------------------------------------------- refusals


def test_first_aid_that_cannot_be_is_refused_and_costs_nothing() -> None:
    stage, ada, al = bedside()
    stage.place(al, 2, 0)
    far = stage.refused("first_aid", ada, target=al)
    assert (far.code, far.message) == ("out_of_range", "Out of reach: care reaches 1 m, Al is 2 m away.")
    stage.place(al, 1, 0)
    stage.give(al, "dead")
    assert stage.refused("first_aid", ada, target=al).message == "Al is dead."
    assert stage.refused("first_aid", ada, target="f9").code == "unknown"
    assert stage.refused("first_aid", al, target=ada).message == "Al is dead."
    assert stage[ada].budget["standard"] == 1


def test_the_odds_of_saving_a_dying_comrade_are_exact() -> None:
    stage, ada, al = bedside(-3, "dying", "unconscious")
    odds = {m.label: m.chance for m in stage.odds("first_aid", ada, target=al).measures}
    assert odds["Medicine: success (Ada)"] == pytest.approx(0.79)  # 8 or more on 2d10
