"""Numbers as people write them."""

from __future__ import annotations

import pytest

from combat.rules.core.basics.dice.dice import parse_dice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_decimal, read_whole, say_no_number, with_true_minus
from combat.rules.core.space import Point, read_points


@pytest.mark.parametrize("word", ["3", "+3", " 3 ", "03", "\uff13", "\uff0b\uff13", "+ 3".replace(" ", "")])
def test_three_is_read_however_it_is_written(word: str) -> None:
    assert read_whole(word) == 3


@pytest.mark.parametrize("word", ["-3", "−3", "–3", "\uff0d3", "﹣3", " −3 "])
def test_minus_is_read_from_any_keyboard(word: str) -> None:
    assert read_whole(word) == -3


@pytest.mark.parametrize(
    "word", ["3,5", "3.5", "three", "", " ", "+", "−", "--3", "+-3", "3 4", "²", "٣", "1e3", "0x3"]
)
def test_what_is_no_whole_number_is_none(word: str) -> None:
    assert read_whole(word) is None


@pytest.mark.parametrize(
    ("written", "shown"),
    [(-2, "−2"), ("-2 on all, DM -1", "−2 on all, DM −1"), ("2d6-1, 1d20-3", "2d6−1, 1d20−3"),
     ("1-3 rounds, jack-of-all-trades, INIT-03", "1-3 rounds, jack-of-all-trades, INIT-03")],
)  # fmt: skip
def test_hyphen_that_stands_for_a_minus_becomes_one(written: object, shown: str) -> None:
    assert with_true_minus(written) == shown


def test_fraction_stands_behind_a_point_or_a_comma() -> None:
    assert [read_decimal(word) for word in ("3.5", "+3.5", "−.5", "3")] == [3.5, 3.5, -0.5, 3.0]
    assert [read_decimal(word) for word in ("3,5", "−0,125", ",5", "１，５")] == [3.5, -0.125, 0.5, 1.5]
    assert [read_decimal(word) for word in ("nan", "inf", "half", ".", ",", "1,2,3", "1,5.2")] == [None] * 7


def test_number_that_may_be_thousands_or_a_fraction_is_none() -> None:
    assert [read_decimal(word) for word in ("1,500", "-12,000", "1,000,000")] == [None] * 3


def test_refusal_names_the_word_and_what_works() -> None:
    assert say_no_number("3,5") == "must be a whole number, not “3,5”: type digits, such as 3, +3 or −3."
    assert "“xxxxxxxxxxxxxxxxxxxx…”" in say_no_number("x" * 21)


def test_places_and_dice_take_a_true_minus() -> None:
    assert read_points("−3.5,+2; 0,1") == (Point(-3.5, 2.0), Point(0.0, 1.0))
    assert read_points("9 5; 9, 5; 3,5 -2,25; 3,5, 1") == (
        Point(9.0, 5.0), Point(9.0, 5.0), Point(3.5, -2.25), Point(3.5, 1.0),
    )  # fmt: skip
    assert parse_dice("2d6−1").plus == -1
    with pytest.raises(Refused):
        read_points("1,2; here")
