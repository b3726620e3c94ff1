"""The charts of a report: where steps, flags and faces lie, and that none lies on another."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from combat.pages.report.charts import GAP, HEIGHT, Side, draw_chart, draw_curve, find_places, spread
from combat.play.after.reports import Stand, StrengthCurve, Swing

US, THEM = Side("us", "is-ally", None), Side("them", "is-foe", None)


def make_course(*lefts: tuple[int, int, int], in_points: bool = True) -> StrengthCurve:
    """Stands of a round, and what `a` and `b` have left of 100 and 50."""
    stands = [Stand(number, turn, {"a": a, "b": b}) for number, (turn, a, b) in enumerate(lefts)]
    return StrengthCurve(in_points, stands, {"a": 100, "b": 50}, {"a": "us", "b": "them"})


def test_rounds_are_equally_wide_and_steps_share_them() -> None:
    stands = [Stand(n, turn, {}) for n, turn in enumerate((1, 1, 2, 2, 2, 2))]
    assert find_places(stands) == [0, 25, 50, 60, 70, 80]


def test_strength_falls_in_steps() -> None:
    chart = draw_chart(make_course((1, 100, 50), (1, 100, 25), (2, 100, 0)), [US, THEM], [])
    us, them = chart.areas
    assert us.edge == "M0 0H1000"
    assert re.fullmatch(r"M0 75H\d+\.\dV112.5H500.0V150H1000", them.edge)
    assert them.fill == f"{them.edge}V{HEIGHT}H0z"
    assert [(one.left, one.most) for one in chart.areas] == [("100", "of 100"), ("0", "of 50")]
    assert chart.told == ("Round 1: us 100, them 25.", "Round 2: us 100, them 0.")


def test_percent_make_sides_of_any_number_alike() -> None:
    chart = draw_chart(make_course((1, 100, 50), (1, 50, 25), in_points=False), [US, THEM], [])
    assert [(one.left, one.most) for one in chart.areas] == [("50%", ""), ("50%", "")]
    assert [line.words for line in chart.lines] == ["0%", "25%", "50%", "75%", "100%"]


def test_fight_without_steps_has_a_chart_too() -> None:
    chart = draw_chart(StrengthCurve(True), [], [])
    assert (chart.areas, chart.flags, [mark.words for mark in chart.rounds]) == ((), (), ["1"])


@pytest.mark.parametrize(("rounds", "shown", "main"), [(5, 5, 5), (13, 7, 4), (100, 12, 6)])
def test_rounds_are_numbered_as_far_as_there_is_room(rounds: int, shown: int, main: int) -> None:
    chart = draw_chart(make_course(*((n, 1, 1) for n in range(1, rounds + 1))), [US], [])
    assert len(chart.rounds) == shown
    assert sum(mark.is_main for mark in chart.rounds) == main


def test_flags_that_are_close_take_turns() -> None:
    course = make_course(*((1, 100 - n, 50) for n in range(20)))
    swings = [Swing(place, place, 1, 50, 40, "a") for place in (1, 2, 3, 15)]
    flags = draw_chart(course, [US, THEM], swings).flags
    assert [flag.number for flag in flags] == [1, 2, 3, 4]
    assert [flag.down for flag in flags] == [16, 44, 16, 16]


@pytest.mark.parametrize(
    "places",
    [(50.0, 50.0, 50.0), (99.0, 99.5), (0.0, 1.0, 2.0, 98.0), tuple(float(n) for n in range(40, 46))],
)
def test_faces_do_not_lie_on_each_other(places: tuple[float, ...]) -> None:
    found = spread(places)
    assert all(later - earlier >= GAP - 0.01 for earlier, later in pairwise(found))
    assert found[0] >= 5.99
    assert found[-1] <= 94.01


def test_luck_lies_on_the_curve_by_its_share() -> None:
    curve = draw_curve([("Nia", None, 96, 0.96), ("Captain Vex-Longname", None, 50, 0.5)])
    vex, nia = curve.people
    assert (vex.across, vex.slot, vex.short) == (50, 50, "Captain")
    assert nia.across > 80
    assert nia.down > vex.down, "the curve falls to its sides"
