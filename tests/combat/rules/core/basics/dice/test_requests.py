"""Divided points: what is legal, how it is written, and how standing orders divide."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rules.core.basics.dice.requests import (
    AllocationSlot,
    Answer,
    ChoiceRequest,
    NeedsAnswer,
    Split,
    check_split,
    fill,
    follow_order,
    is_forced,
    make_order,
    make_split,
    read_split,
    write_split,
)
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.engine.engine import AutoDriver, LiveDriver, ReplayDriver
from combat.rules.core.gm.standing_orders import ANSWER, STANDING
from combat.rules.core.state.state import replace
from tests.combat.rules.stage import Stage

PLACES = (
    AllocationSlot("end", "Endurance", 7),
    AllocationSlot("str", "Strength", 7),
    AllocationSlot("dex", "Dexterity", 2),
)
SEVEN = Split(7, PLACES)
places = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 9)), min_size=1, max_size=4).map(
    lambda sizes: tuple(
        AllocationSlot("abcd"[n], "x", low + more, low) for n, (low, more) in enumerate(sizes)
    )
)


def split(
    context: RuleContext, total: int = 7, places: tuple[AllocationSlot, ...] = PLACES
) -> dict[str, int]:
    default = fill(make_split(total, places))
    return context.split("f1", "Where to?", total, places, rule="Q", default=default)


def given_answer(value: str) -> Answer:
    return Answer("choice", "Q", "f1", 1, (), value, "seat")


# ---------------------------------------------------------------- what is legal


@given(places, st.integers(0, 30))
def test_filling_is_always_legal_and_survives_writing(places: tuple[AllocationSlot, ...], total: int) -> None:
    split = make_split(total, places)
    parts = fill(split, [place.key for place in reversed(places)])
    assert check_split(split, parts) == parts
    assert read_split(split, write_split(split, parts)) == parts


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("end=3", "4 more to place"),
        ("end=7,str=1", "1 too many"),
        ("end=4,dex=3", "Dexterity takes 2 at most"),
        ("soc=7", "no way to divide"),
        ("end=3,end=4", "no way to divide"),
        ("end=-1,str=7,dex=1", "no way to divide"),
        ("end", "no way to divide"),
        ("", "7 more to place"),
    ],
)
def test_what_is_no_division_is_refused_in_words(text: str, words: str) -> None:
    with pytest.raises(Refused, match=words) as refused:
        read_split(SEVEN, text)
    assert refused.value.code == "bad_value"


def test_what_a_place_has_to_take_is_not_left_out() -> None:
    with pytest.raises(Refused, match="Endurance has to take 2 at least"):
        read_split(Split(3, (AllocationSlot("end", "Endurance", 7, 2), PLACES[1])), "end=1,str=2")


def test_split_takes_no_more_than_fits_and_no_less_than_it_must() -> None:
    assert make_split(99, PLACES).total == 16
    assert make_split(1, (AllocationSlot("end", "Endurance", 7, 3),)).total == 3


def test_split_with_only_one_way_is_forced() -> None:
    assert is_forced(make_split(99, PLACES))
    assert is_forced(Split(0, PLACES))
    assert is_forced(Split(5, PLACES[:1]))
    assert not is_forced(SEVEN)


# ---------------------------------------------------------------- standing orders


@pytest.mark.parametrize(
    ("order", "answer"),
    [
        ("str>end>dex", "str=7"),
        ("dex>end", "end=5,dex=2"),
        ("dex", "end=5,dex=2"),
        ("best", "end=6,dex=1"),
        ("soc>end", ""),
        ("end>end", ""),
        ("", ""),
    ],
)
def test_order_is_followed_as_far_as_it_fits(order: str, answer: str) -> None:
    assert follow_order(SEVEN, order, "end=6,dex=1") == answer


@pytest.mark.parametrize(
    ("answer", "order"),
    [("str=5,dex=2", "str>dex>end"), ("end=7", "best"), ("str=0,end=7", "best"), ("best", "best")],
)
def test_an_answer_stands_for_an_order(answer: str, order: str) -> None:
    assert make_order(SEVEN, answer, "end=7") == order
    assert ANSWER.fullmatch(order)


def test_no_order_is_made_of_what_is_no_answer() -> None:
    with pytest.raises(Refused):
        make_order(SEVEN, "end=1", "end=7")


# ---------------------------------------------------------------- asked in a rule


def test_divided_as_the_answer_says(duel: Stage) -> None:
    context = RuleContext(duel.system, duel.state, ReplayDriver(), (given_answer("end=4,str=3"),))
    assert split(context) == {"end": 4, "str": 3, "dex": 0}
    context.check_recorded()


def test_open_split_is_asked_with_its_places_and_a_suggestion(duel: Stage) -> None:
    with pytest.raises(NeedsAnswer) as caught:
        split(RuleContext(duel.system, duel.state, ReplayDriver()))
    request = caught.value.requests[0]
    assert isinstance(request, ChoiceRequest)
    assert (request.split, request.default, request.options) == (SEVEN, "end=7", ())


def test_an_illegal_answer_is_refused(duel: Stage) -> None:
    context = RuleContext(duel.system, duel.state, ReplayDriver(), (given_answer("end=4"),))
    with pytest.raises(Refused, match="3 more to place"):
        split(context)


def test_nobody_is_asked_where_there_is_one_way(duel: Stage) -> None:
    context = RuleContext(duel.system, duel.state, ReplayDriver())
    assert split(context, 20) == {"end": 7, "str": 7, "dex": 2}
    assert context.answers == []


def test_policy_takes_what_is_suggested(duel: Stage) -> None:
    context = RuleContext(duel.system, duel.state, AutoDriver())
    assert split(context) == {"end": 7, "str": 0, "dex": 0}
    assert [(a.value, a.source) for a in context.answers] == [("end=7", "policy")]


@pytest.mark.parametrize(("order", "parts"), [("str", (0, 7, 0)), ("best", (7, 0, 0))])
def test_standing_order_answers(duel: Stage, order: str, parts: tuple[int, ...]) -> None:
    combatant = replace(duel.state["f1"], marks={f"{STANDING}Q": order})
    state = replace(duel.state, combatants={**duel.state.combatants, "f1": combatant})
    context = RuleContext(duel.system, state, LiveDriver())
    assert tuple(split(context).values()) == parts
    assert [a.source for a in context.answers] == ["order"]


def test_an_order_that_does_not_fit_is_asked_about(duel: Stage) -> None:
    driver = LiveDriver(standing={"Q:f1": "soc"})
    with pytest.raises(NeedsAnswer):
        split(RuleContext(duel.system, duel.state, driver))
