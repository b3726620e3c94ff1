"""What an attack may do, against a plain count of all faces."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import astuple

from combat.rules.core.odds.harm import ENOUGH, NONE, Harm, Hit, weigh

HITS = st.lists(
    st.tuples(st.sampled_from((0.1, 0.25, 0.5)), st.integers(-3, 8), st.integers(0, 1)),
    min_size=1,
    max_size=2,
)


def count(hits: list[Hit], sides: int, dice: int, plus: int, left: int) -> Harm:
    """The same by every single throw."""
    throws = list(itertools.product(range(1, sides + 1), repeat=dice))
    chance, some, mean, ends = 0.0, 0.0, 0.0, 0.0
    for hit in hits:
        chance += hit.chance
        for faces in throws:
            points = max(0, min(left, max(hit.least, sum(faces) + hit.added + plus)))
            share = hit.chance / len(throws)
            some += share * (points > 0)
            mean += share * points
            ends += share * (points == left > 0)
    return Harm(chance, some, mean, ends)


@given(HITS, st.integers(1, 3), st.sampled_from((4, 6)), st.integers(-15, 5), st.sampled_from((1, 7, ENOUGH)))
def test_harm_is_that_of_all_throws(
    ways: list[tuple[float, int, int]], dice: int, sides: int, plus: int, left: int
) -> None:
    hits = [Hit(*way) for way in ways]
    exact = astuple(weigh(tuple(hits), f"{dice}d{sides}", plus, left))
    assert exact == pytest.approx(astuple(count(hits, sides, dice, plus, left)))


def test_what_no_throw_gets_through_does_nothing() -> None:
    assert weigh((Hit(1.0),), "2d6", -12) == Harm(1.0, 0.0, 0.0, 0.0)
    assert weigh((), "2d6") == NONE
    assert weigh((Hit(1.0),), "5", -2).mean == 3, "some weapons roll no dice"
    assert weigh((Hit(1.0),), "2d6", 0, ENOUGH, lambda points: points // 2).mean == pytest.approx(3.25)
