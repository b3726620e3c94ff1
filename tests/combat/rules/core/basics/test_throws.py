"""Dice as the trade writes them, against a dumb count of all faces."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from combat.rules.core.basics.dice.throws import Throw, parse_throw

TERMS = {
    "d66": "d66",
    "1D66": "d66",
    "3d6kh2": "3d6kh2",
    "3d6k2": "3d6kh2",
    "2d20kl": "2d20kl1",
    "4d6kh3-1": "4d6kh3-1",
    "2d6 + 1d4": "2d6+1d4",
    "1d4+1d6−2": "1d4+1d6-2",
    "d6": "1d6",
    "2d6+3": "2d6+3",
}


def list_faces(thrown: Throw) -> list[tuple[tuple[int, ...], ...]]:
    handfuls = [product(range(1, one.sides + 1), repeat=one.count) for one in thrown.parts]
    return list(product(*handfuls))


@pytest.mark.parametrize("term", TERMS)
def test_ways_of_a_total_are_those_of_all_faces(term: str) -> None:
    thrown = parse_throw(term)
    assert str(thrown) == TERMS[term]
    assert parse_throw(str(thrown)) == thrown
    dumb = Counter(map(thrown.add_up, list_faces(thrown)))
    assert thrown.count_ways() == dict(dumb)
    if not thrown.tens:
        assert (thrown.least, thrown.most) == (min(dumb), max(dumb))


@pytest.mark.parametrize(
    "term", ["", "d", "3d6kh4", "3d6kh0", "21d6kh2", "2d101kh1", "2d6-1d4", "d6+", "2d6++1d4", "d6d6", "k2"]
)
def test_what_is_no_throw_is_refused(term: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        parse_throw(term)


def test_keeping_dice_by_hand() -> None:
    assert parse_throw("3d6kh2").add_up([(2, 6, 5)]) == 11
    assert parse_throw("3d6kl1+4").add_up([(2, 6, 5)]) == 6
    assert parse_throw("d66").add_up([(3, 4)]) == 34
    assert parse_throw("2d6+1d4+2").add_up([(1, 2), (3,)]) == 8
