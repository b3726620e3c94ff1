"""Rulings of this game: they ask and end what a skill check does, and end a tie as opposed checks do."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.state.rulings import Ruling
from tests.combat.rules.cepheus.fight.range import RangeStage, duel
from tests.combat.rules.cepheus.fight.ring import ring
from tests.combat.rules.cepheus.figures import ADA, BO

CHECK = (("skill", "athletics"), ("characteristic", "dex"))
MIGHT = (("skill", "athletics"), ("characteristic", "str"))


def keep(stage: RangeStage, **fields: Any) -> dict[str, Any]:
    """Let Ada do an act again without asking; what the command of it takes."""
    stage.edit(ADA, rulings=(Ruling(**{"id": "r1", "name": "Leap", "check": CHECK, **fields}),))
    return {"ruling": "r1"}


@pytest.mark.rule("CE-MINOR-04")
@pytest.mark.parametrize("cost", ["", "minor", "significant"])
@pytest.mark.parametrize("breaks", [True, False])
def test_an_act_ends_an_aim_as_a_check_does(cost: str, breaks: bool) -> None:
    for kind in ("aiming", "aiming_kill"):
        stage, plain = duel(aim_breaks=breaks), duel(aim_breaks=breaks)
        for one in (stage, plain):
            one.give(ADA, kind, marks={"target": BO})
        stage.do("use_ruling", ADA, dice=[(3, 3)], **keep(stage, cost=cost))
        plain.do("check", ADA, dice=[(3, 3)], skill="athletics", characteristic="dex")
        assert stage.has(ADA, kind) == plain.has(ADA, kind) == (kind == "aiming" and not breaks)
        stage.edit(ADA, conditions=())
        stage.give(ADA, kind, marks={"target": BO})
        stage.turn(ADA)
        check = [list(pair) for pair in CHECK]
        stage.do("improvise", ADA, dice=[(3, 3)], words="I leap", check=check, cost=cost)
        assert stage.has(ADA, kind) == plain.has(ADA, kind)
        stage.give(ADA, "aiming", marks={"target": BO})
        stage.do("improvise", ADA, words="I whistle")
        assert stage.has(ADA, "aiming"), "what takes neither roll nor time is free"


@pytest.mark.full_rules
@pytest.mark.rule("CE-GRAP-14", "CE-OTHER-06")
def test_nobody_acts_in_a_grapple_or_beside_an_extended_action() -> None:
    for stage in (ring(held=True), duel()):
        if not stage.has(ADA, "grappled"):
            stage.give(ADA, "extended_action", marks={"skill": ""})
        for cost in ("", "minor", "significant"):
            use = keep(stage, cost=cost)
            assert stage.refused("use_ruling", ADA, **use).message == stage.obstacle("check", ADA)


LOW, HIGH = (3, 4), (4, 4)  # dice that tie where the low ones have a DM of +1


@pytest.mark.rule("CE-SIG-05")
@pytest.mark.parametrize(
    ("mine", "theirs", "ruled", "dice", "good"),
    [
        ("797777", "777777", (CHECK, CHECK), (HIGH, LOW), True),
        ("777777", "797777", (CHECK, CHECK), (LOW, HIGH), False),
        ("977777", "797777", (MIGHT, MIGHT), (HIGH, LOW), True),
        ("977777", "777777", (MIGHT, CHECK), (HIGH, LOW), True),
        ("787777", "777777", (CHECK, CHECK), (HIGH, HIGH), True),
        ("797777", "777777", (MIGHT, MIGHT), (LOW, LOW), None),
        ("777777", "777777", (CHECK, CHECK), (LOW, LOW), None),
    ],
)
def test_tie_goes_to_the_higher_characteristic_else_both_reroll(
    mine: str, theirs: str, ruled: tuple[Any, Any], dice: tuple[Any, Any], good: bool | None
) -> None:
    """RULING R59: the current scores of what each side rolled; the opposing side rolls first."""
    for last, works in ((((2, 2), (5, 5)), True), (((5, 5), (2, 2)), False)):
        stage = RangeStage()
        stage.hero("Ada", mine)
        stage.foe("Bo", theirs)
        for who in (ADA, BO):
            stage.skilled(who, athletics=0)
        stage.begin(ADA, BO)
        check, counter = ruled
        use = keep(stage, check=check, counter=counter, opposed="them", about=BO)
        stage.do("use_ruling", ADA, dice=(*dice, *(last if good is None else ())), target=BO, **use)
        told = [check for check in stage.checks() if check.who == ADA]
        assert told[-1].good is (works if good is None else good)
        assert len(told) == (2 if good is None else 1)
        assert told[0].outcome == ("outcome.tie" if good is None else told[-1].outcome)


def test_odds_of_a_contest_count_its_ties_as_the_game_does() -> None:
    """Of all pairs of rolls with equal DMs 1 of 2 is won if ties are rolled again, by two equals."""
    chances = []
    for profile in ("777777", "787777", "767777"):  # 6 and 8 have the DM of 7
        stage = RangeStage()
        stage.hero("Ada", profile)
        stage.foe("Bo", "777777")
        for who in (ADA, BO):
            stage.skilled(who, athletics=0)
        stage.begin(ADA, BO)
        check = [list(pair) for pair in CHECK]
        fields: dict[str, Any] = {"words": "I pull", "check": check, "counter": check, "opposed": BO}
        odds = stage.odds("improvise", ADA, **fields)
        assert odds.headline
        chances.append(odds.headline.chance)
    tied = sum(ways * ways for ways in (1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)) / 36**2
    assert chances == [pytest.approx(1 / 2), pytest.approx((1 + tied) / 2), pytest.approx((1 - tied) / 2)]
