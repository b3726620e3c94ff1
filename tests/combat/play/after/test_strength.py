"""The strength of each side through a fight: in points or percent, and only what its viewer came to see."""

from __future__ import annotations

import pytest

from combat.audience.viewer import GM, Viewer
from combat.models import Encounter
from combat.play.after.reports import Stand, StrengthCurve, find_curve, find_fight, find_swings
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from tests.combat.visit import MARCUS, PIRATE, SLUG, ZARA, load, state_of
from tests.typed import sure

SPECTATOR = Viewer()


def follow(pk: int, viewer: Viewer) -> StrengthCurve:
    """The course of a stored fight for a viewer."""
    fight = sure(find_fight(load(pk), viewer))
    return find_curve(find_system(SLUG), fight.moves, viewer, state_of(pk))


def list_left(course: StrengthCurve, who: str) -> list[int]:
    """What someone had left each time it changed."""
    found: list[int] = []
    for stand in course.stands:
        left = stand.left.get(who, -1)
        found += [left] if found[-1:] != [left] else []
    return found


def test_points_of_those_who_can_fight_add_up_by_side(over: Encounter) -> None:
    course = follow(over.pk, GM)
    first, last = course.stands[0], course.stands[-1]
    assert course.in_points
    assert (course.add_up("crew", first), course.find_most("crew")) == (168, 168)
    assert (course.add_up("crew", last), course.add_up("pirates", last)) == (164, 0), "Marcus lost four"
    assert course.falls == {PIRATE: 6}
    assert (course.find_share("crew", last), course.find_share("pirates", last)) == (100, 0)


def test_viewer_without_points_gets_the_percent_of_the_bars(over: Encounter) -> None:
    course = follow(over.pk, SPECTATOR)
    assert not course.in_points
    assert set(list_left(course, PIRATE)) <= {100, 75, 50, 25, 0}
    assert list_left(course, MARCUS) == [100, 95], "player characters are no secret"


def test_what_changed_out_of_sight_shows_once_it_is_seen(started: Encounter) -> None:
    def hide(who: str, *, hidden: bool) -> None:
        submit(started.pk, Submission("hide", {"target": who, "hidden": hidden}))

    hide(PIRATE, hidden=True)
    submit(started.pk, Submission("adjust", {"target": PIRATE, "track": "hp", "by": -60}))
    assert list_left(follow(started.pk, GM), PIRATE) == [80, 20]
    assert list_left(follow(started.pk, SPECTATOR), PIRATE) == [-1], "who is hidden now never counts"
    submit(started.pk, Submission("adjust", {"target": PIRATE, "track": "hp", "by": 50}))
    hide(PIRATE, hidden=False)
    assert list_left(follow(started.pk, SPECTATOR), PIRATE) == [100], "nobody saw the wound"


def test_steps_that_change_nothing_leave_no_trace(started: Encounter) -> None:
    before = follow(started.pk, SPECTATOR).stands
    submit(started.pk, Submission("note", {"text": "The captain lies.", "secret": True}))
    assert follow(started.pk, SPECTATOR).stands == before


def test_falls_come_before_larger_swings_and_small_ones_are_none(over: Encounter) -> None:
    first, *others = find_swings(follow(over.pk, GM), "crew")
    assert (first.who, first.fallen, round(first.after)) == (PIRATE, (PIRATE,), 100)
    swings = [abs(one.after - one.before) for one in others]
    assert swings == sorted(swings, reverse=True)
    assert max(swings) > first.after - first.before
    assert min(swings) >= 2


@pytest.mark.parametrize(
    ("lefts", "found"),
    [
        ([{"a": 10, "b": 10}, {"a": 10, "b": 5}], [("b", 50, 67, ())]),
        ([{"a": 10, "b": 10}, {"a": 10, "b": 0}], [("b", 50, 100, ("b",))]),
        ([{"a": 100, "b": 100}, {"a": 99, "b": 100}], []),
        ([{"a": 10, "b": 0}, {"a": 0, "b": 0}], [("a", 100, 100, ("a",))]),
        ([{"a": 0, "b": 0}, {"a": 10, "b": 0}], []),
        ([{"a": 9, "b": 4, "c": 5}, {"a": 9, "b": 0, "c": 0}], [("c", 50, 100, ("c", "b"))]),
    ],
)
def test_swings_of_plain_courses(
    lefts: list[dict[str, int]], found: list[tuple[str, int, int, tuple[str, ...]]]
) -> None:
    stands = [Stand(number, 1, left) for number, left in enumerate(lefts)]
    course = StrengthCurve(True, stands, {"a": 10, "b": 10, "c": 5}, {"a": "us", "b": "them", "c": "them"})
    told = [(one.who, round(one.before), round(one.after), one.fallen) for one in find_swings(course, "us")]
    assert told == found


def test_zara_is_known_from_the_start(over: Encounter) -> None:
    assert list_left(follow(over.pk, SPECTATOR), ZARA) == [100]


def test_who_goes_over_to_a_third_side_counts_for_it(started: Encounter) -> None:
    before = follow(started.pk, GM)
    submit(started.pk, Submission("rename", {"target": PIRATE, "side": "dockers"}))
    course = follow(started.pk, GM)
    foes = before.sides[PIRATE]
    assert course.sides[PIRATE] == "dockers"
    assert course.find_most("dockers") == before.most[PIRATE]
    assert course.find_most(foes) == before.find_most(foes) - before.most[PIRATE]
