"""Dice: notation, faces, throws, and the weights behind exact odds."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rules.core.basics.dice.dice import (
    Dice,
    Roll,
    SealedDice,
    check_faces,
    count_sums,
    draw_faces,
    faces_for_sum,
    find_outcomes,
    make_message,
    make_seal,
    parse_dice,
    read_zeros,
    throw,
)
from combat.rules.core.basics.errors import Refused

HANDFULS = st.tuples(st.integers(0, 4), st.integers(1, 8))


@pytest.mark.parametrize(
    ("text", "dice", "written"),
    [
        ("2d10+3", Dice(2, 10, 3), "2d10+3"),
        ("2d10 + 3", Dice(2, 10, 3), "2d10+3"),
        ("3d6-2", Dice(3, 6, -2), "3d6-2"),
        ("d6", Dice(1, 6), "1d6"),
        ("1d8", Dice(1, 8), "1d8"),
        ("5", Dice(0, 1, 5), "5"),
        ("-1", Dice(0, 1, -1), "-1"),
        ("0", Dice(0, 1), "0"),
        ("0d6", Dice(0, 6), "0"),
        ("100d1000", Dice(100, 1000), "100d1000"),
    ],
)
def test_notation_is_read_and_written(text: str, dice: Dice, written: str) -> None:
    assert parse_dice(text) == dice
    assert str(dice) == written


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "d", "2d", "d0", "2d0", "101d6", "1d1001", "2d6+", "+", "2d6++1", "2x6", "d6d6", "-2d6"),
        *("1d6\n", "\n1d6", "1d6.5", "two dice", "1d6+1d6", "9" * 5000, "1d" + "9" * 5000, "1d6+" + "9" * 9),
    ],
)
def test_notation_that_makes_no_sense_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="dice"):
        parse_dice(text)


@given(handful=HANDFULS, plus=st.integers(-20, 20))
def test_notation_comes_back(handful: tuple[int, int], plus: int) -> None:
    dice = Dice(*handful, plus)
    again = parse_dice(str(dice))
    assert (again.count, again.plus) == (dice.count, dice.plus)
    assert again.sides == dice.sides or not dice.count
    assert again.most == dice.most


def test_most_is_the_highest_total() -> None:
    assert [parse_dice(text).most for text in ("2d10+3", "1d6-1", "4")] == [23, 5, 4]


def test_natural_is_the_faces_alone() -> None:
    assert Roll("2d10+3", (4, 9), 16, "app", "f1", "R", "").natural == 13


# ---------------------------------------------------------------- faces


@pytest.mark.parametrize(
    ("dice", "shown", "faces"),
    [
        ("2d10+5", (0, 7), (10, 7)),
        ("d100", (0,), (100,)),
        ("3d6", (0, 1, 2), (0, 1, 2)),
        ("2d20", (0, 1), (0, 1)),
    ],
)
def test_zero_is_the_ten_on_real_dice_of_ten_sides(
    dice: str, shown: tuple[int, ...], faces: tuple[int, ...]
) -> None:
    assert read_zeros(dice, shown) == faces


@pytest.mark.parametrize(
    ("faces", "message"),
    [
        ((0, 5), "A d10 shows 1 to 10, not 0"),
        ((5, 11), "A d10 shows 1 to 10, not 11"),
        ((-1, 5), "A d10 shows 1 to 10, not −1"),
        ((5,), r"2d10 needs 2 dice, 1 was given"),
        ((5, 5, 5), r"2d10 needs 2 dice, 3 were given"),
        ((), r"2d10 needs 2 dice, 0 were given"),
    ],
)
def test_faces_the_dice_cannot_show_are_refused(faces: tuple[int, ...], message: str) -> None:
    with pytest.raises(Refused, match=message) as caught:
        check_faces("2d10", faces)
    assert caught.value.code == "bad_dice"


def test_one_die_is_called_a_die() -> None:
    with pytest.raises(Refused, match=r"d6 needs 1 die, 2 were given\."):
        check_faces("d6", (1, 2))


def test_no_dice_have_no_faces() -> None:
    check_faces("3", ())
    with pytest.raises(Refused):
        check_faces("3", (3,))


@given(handful=HANDFULS, seed=st.integers())
def test_throws_show_faces_of_the_dice(handful: tuple[int, int], seed: int) -> None:
    count, sides = handful
    for chance in (None, random.Random(seed)):
        faces = throw(f"{count}d{sides}", chance)
        check_faces(f"{count}d{sides}", faces)


def test_throws_follow_their_seed() -> None:
    first, second = (throw("20d20", random.Random(7)) for _ in range(2))
    assert first == second
    assert first != throw("20d20", random.Random(8))


def test_throws_of_the_app_use_every_face() -> None:
    assert {face for _ in range(60) for face in throw("20d6")} == {1, 2, 3, 4, 5, 6}


@pytest.mark.parametrize("sides", [6, 10])
def test_throws_are_even(sides: int) -> None:
    chance = random.Random(3)
    counts = Counter(face for _ in range(600) for face in throw(f"100d{sides}", chance))
    mean = 60_000 / sides
    assert all(abs(counts[face] - mean) < 5 * mean**0.5 for face in range(1, sides + 1))


# ---------------------------------------------------------------- weights


@given(handful=HANDFULS)
def test_sums_are_those_of_all_faces(handful: tuple[int, int]) -> None:
    count, sides = handful
    faces = product(range(1, sides + 1), repeat=count)
    assert count_sums(count, sides) == Counter(map(sum, faces))


def test_sums_of_a_large_handful_add_up() -> None:
    sums = count_sums(40, 100)
    assert sum(sums.values()) == 100**40
    assert (min(sums), max(sums)) == (40, 4000)
    assert sums[40] == sums[4000] == 1
    assert sums[41] == 40


@given(handful=HANDFULS, data=st.data())
def test_faces_for_a_sum_have_it(handful: tuple[int, int], data: st.DataObject) -> None:
    count, sides = handful
    total = data.draw(st.integers(count, count * sides))
    faces = faces_for_sum(count, total)
    check_faces(f"{count}d{sides}", faces)
    assert sum(faces) == total
    assert not faces or max(faces) - min(faces) <= 1


@given(handful=HANDFULS)
def test_outcomes_by_sum_weigh_as_all_faces(handful: tuple[int, int]) -> None:
    count, sides = handful
    outcomes = find_outcomes(f"{count}d{sides}+7", "sum")
    assert {sum(faces): weight for faces, weight in outcomes} == count_sums(count, sides)


@given(handful=HANDFULS)
def test_outcomes_by_face_are_all_faces(handful: tuple[int, int]) -> None:
    count, sides = handful
    outcomes = find_outcomes(f"{count}d{sides}", "faces")
    assert len(outcomes) == sides**count
    assert len({faces for faces, _ in outcomes}) == len(outcomes)
    assert {weight for _, weight in outcomes} == {1}


@given(handful=HANDFULS, cuts=st.lists(st.integers(-3, 40), min_size=1, max_size=4))
def test_cuts_tell_exactly_what_they_divide(handful: tuple[int, int], cuts: list[int]) -> None:
    """A caller that asks which cuts a sum reaches gets the chances of all faces."""
    count, sides = handful
    expected: Counter[tuple[bool, ...]] = Counter()
    for faces in product(range(1, sides + 1), repeat=count):
        expected[tuple(sum(faces) >= cut for cut in cuts)] += 1
    found: Counter[tuple[bool, ...]] = Counter()
    outcomes = find_outcomes(f"{count}d{sides}", "sum", tuple(cuts))
    for faces, weight in outcomes:
        check_faces(f"{count}d{sides}", faces)
        found[tuple(sum(faces) >= cut for cut in cuts)] += weight
    assert found == expected
    assert len(outcomes) == len(expected)


def test_two_tens_and_two_ones_are_kept_apart() -> None:
    """How a rule with 2d10 cuts: two ones, a target of 12, two tens."""
    outcomes = find_outcomes("2d10", "sum", (3, 12, 20))
    assert sorted(weight for _, weight in outcomes) == [1, 1, 44, 54]
    assert {(1, 1), (10, 10)} <= {faces for faces, _ in outcomes}


def test_sums_of_a_group_count_as_one() -> None:
    """Rows of a table with the same effect make one outcome with the chances of all."""
    outcomes = find_outcomes("2d6", "sum", (), ((2, 6, 8, 12), (3, 11)))
    assert {sum(faces): weight for faces, weight in outcomes} == {2: 12, 3: 4, 4: 3, 5: 4, 7: 6, 9: 4, 10: 3}


# Sealed dice: any program gets the same faces, all equally likely, and no one can change them later.


# For programs that check their own implementation: secret, and per roll number, words, dice, faces
VECTORS = json.loads((Path(__file__).parent / "sealed_vectors.json").read_text())
SECRET = VECTORS["secret"]


def test_seal_and_message_are_what_the_page_says() -> None:
    assert make_seal("a") == "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
    assert make_message("0123456789abcdef99", 7, "luck,two", 1) == "0123456789abcdef:7:1:luck,two"


@pytest.mark.parametrize("roll", VECTORS["rolls"], ids=lambda roll: roll["dice"])
def test_faces_follow_from_secret_number_and_words(roll: dict[str, Any]) -> None:
    number, words, dice, faces = roll["number"], roll["words"], roll["dice"], tuple(roll["faces"])
    check_faces(dice, faces)
    assert draw_faces(SECRET, number, words, dice) == faces
    assert draw_faces(SECRET, number + 1, words, dice) != faces
    assert draw_faces(SECRET, number, words + "!", dice) != faces


@pytest.mark.skipif(not shutil.which("openssl"), reason="no openssl to compare with")
def test_openssl_gives_the_same_bytes() -> None:
    message = make_message(make_seal(SECRET), 1, "")
    command = ["openssl", "dgst", "-sha256", "-hmac", SECRET]
    done = subprocess.run(command, input=message, capture_output=True, text=True, check=True)
    first = bytes.fromhex(done.stdout.split()[-1])
    faces = [byte % 10 + 1 for byte in first if byte < 250][:2]
    assert tuple(faces) == draw_faces(SECRET, 1, "", "2d10")


def test_every_face_is_equally_likely() -> None:
    """Chi squared of 60,000 faces, with 5 degrees of freedom: exceeds 20.5 once in a thousand times."""
    seen = Counter(face for number in range(600) for face in draw_faces(SECRET, number, "", "100d6"))
    assert sum((count - 10_000) ** 2 / 10_000 for count in seen.values()) < 20.5


def test_numbers_only_grow() -> None:
    dice = SealedDice(SECRET, 41, "luck")
    first, second = dice.throw("2d10"), dice.throw("2d10")
    assert (first.number, second.number, dice.rolled) == (42, 43, 43)
    assert first.faces == draw_faces(SECRET, 42, "luck", "2d10")
