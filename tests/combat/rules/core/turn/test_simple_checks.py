"""Rolls under a number and healing, as the second made-up game takes them."""

from __future__ import annotations

import pytest

from combat.rules.core.state import events as e
from tests.combat.rules.boarders import SYSTEM
from tests.combat.rules.stage import Stage

ADA, BEA = "f1", "f2"


def stand(aid: int = 10) -> Stage:
    """Ada beside Bea, who has lost 7 of 10 HP."""
    stage = Stage(SYSTEM)
    stage.add("Ada", "allies", (0, 0), {"aid": aid, "hits": 12}, pc=True)
    stage.add("Bea", "allies", (1, 0), {"hits": 10}, pc=True)
    stage.set_track(BEA, hits=3)
    return stage.begin(ADA, BEA)


@pytest.mark.parametrize(("faces", "good"), [((4, 3, 3), True), ((4, 4, 3), False)])
def test_roll_at_the_number_succeeds_and_one_above_fails(faces: tuple[int, ...], good: bool) -> None:
    stage = stand()
    stage.do("aid", ADA, dice=(faces, (4,)) if good else (faces,), target=BEA)
    told = stage.check("check.aid")
    assert (told.total, told.against, told.good) == (sum(faces), 10, good)
    assert told.outcome == ("outcome.helped" if good else "outcome.failed")
    assert (told.target, told.against_label, told.modifiers) == (BEA, "against.needed", ())


def test_what_changes_the_number_is_told_and_previewed() -> None:
    stage = stand()
    stage.give(ADA, "stunned")
    preview = stage.preview("aid", ADA, target=BEA, adjust=2)
    assert [term.value for term in preview.against] == [10, -3, 2]
    assert (preview.dice, preview.modifiers, preview.against_label) == ("3d6", (), "against.needed")
    stage.do("aid", ADA, dice=((3, 3, 3), (1,)), target=BEA, adjust=2)
    assert stage.check("check.aid").against == 9


def test_odds_of_a_roll_under_are_exact() -> None:
    """10 or less on 3d6: 108 of 216."""
    odds = stand().odds("aid", ADA, target=BEA)
    assert odds.headline is not None
    assert odds.headline.chance == pytest.approx(108 / 216)


@pytest.mark.parametrize(("before", "rolled", "after"), [(3, 4, 7), (7, 6, 10), (10, 6, 10)])
def test_healing_stops_at_the_most(before: int, rolled: int, after: int) -> None:
    stage = stand(16)
    stage.set_track(BEA, hits=before)
    stage.give(BEA, "bleeding")
    stage.do("aid", ADA, dice=((1, 1, 1), (rolled,)), target=BEA)
    assert stage[BEA].tracks["hits"] == after
    changes = [(told.old, told.new, told.by) for told in stage.told(e.TrackChanged)]
    assert changes == ([(before, after, ADA)] if after > before else [])


def test_healing_takes_nothing_from_those_beyond_the_most() -> None:
    stage = stand(16)
    stage.set_track(BEA, hits=14)
    stage.give(BEA, "bleeding")
    stage.do("aid", ADA, dice=((1, 1, 1), (2,)), target=BEA)
    assert stage[BEA].tracks["hits"] == 14


def test_healing_brings_back_those_who_are_out() -> None:
    stage = stand(16)
    stage.do("adjust", target=BEA, track="hits", to=0)
    assert stage.has(BEA, "down")
    stage.do("aid", ADA, dice=((1, 1, 1), (2,)), target=BEA)
    assert not stage.has(BEA, "down")
