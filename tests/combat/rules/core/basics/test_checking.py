"""All problems of a document at once, each with its place."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

from combat.rules.core.basics.checking import (
    Problem,
    find_shape_problems,
    find_text_problems,
    plain_quotes,
    tidy,
    without_unseen,
)


class Inner(msgspec.Struct, forbid_unknown_fields=True):
    id: Annotated[str, Meta(pattern="^[a-z]+$", max_length=5)]
    many: Annotated[int, Meta(ge=1, le=9)] = 1


class Outer(msgspec.Struct, forbid_unknown_fields=True):
    kind: Literal["gun", "knife"]
    points: dict[Literal["a", "b"], Annotated[int, Meta(ge=0, le=10)]] = {}
    inner: tuple[Inner, ...] = ()
    words: Annotated[tuple[str, ...], Meta(max_length=2)] = ()
    maybe: Inner | None = None
    low: int = 0
    high: int = 0

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError("low is above high")


def places(data: object) -> dict[str, str]:
    return {problem.place: problem.message for problem in find_shape_problems(data, Outer)}


def test_everything_wrong_is_named_at_once_with_its_place() -> None:
    found = places(
        {
            "kind": "bow",
            "points": {"a": 11, "b": "x", "c": 1},
            "inner": [{"id": "ok"}, {"id": "UP", "many": 0}, {"many": 2}, 7],
            "extra": 1,
            "low": 1.5,
        }
    )
    assert found == {
        "extra": "is unknown here; known are kind, points, inner, words, maybe, low, high",
        "kind": "must be one of: gun, knife",
        "points.a": "must be at most 10",
        "points.b": "must be a whole number, not text",
        "points.c": "must be one of: a, b",
        "inner[1].id": "is not written as it must be",
        "inner[1].many": "must be at least 1",
        "inner[2].id": "is missing",
        "inner[3]": "must be a table of named values",
        "low": "must be a whole number, not a number",
    }


def test_sound_document_has_no_problems() -> None:
    assert places({"kind": "gun", "inner": [{"id": "ab", "many": 9}], "maybe": {"id": "x"}}) == {}


@pytest.mark.parametrize("data", [None, 3, "text", [], [1]])
def test_what_is_no_table_is_said_to_be_none(data: object) -> None:
    assert places(data) == {"": "must be a table of named values"}


def test_fields_that_do_not_fit_are_told_once_each_is_sound() -> None:
    assert places({"kind": "gun", "low": 2, "high": 1}) == {"": "low is above high"}


def test_lists_that_are_too_long_are_told() -> None:
    assert list(places({"kind": "gun", "words": ["a", "b", "c"]})) == ["words"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["kind", "points", "inner", "id", "many", "a", "maybe", "z"]), inner, max_size=4
        )
    ),
    max_leaves=15,
)


@given(JSON)
def test_value_converts_exactly_if_it_has_no_problem(data: Any) -> None:
    problems = find_shape_problems(data, Outer)
    try:
        msgspec.convert(data, Outer)
    except msgspec.ValidationError:
        assert problems
    else:
        assert problems == ()


@pytest.mark.parametrize(
    ("data", "place"),
    [
        ({"a": ["fine", "bad\x00"]}, "a[1]"),
        ({"a": {"b": "\x1b[0m"}}, "a.b"),
        ({"a\x00b": 1}, ""),
        ({"a": "x" * 10_001}, "a"),
        ({"a": "\ud800"}, "a"),
    ],
)
def test_texts_no_page_can_show_are_told(data: object, place: str) -> None:
    assert [problem.place for problem in find_text_problems(data)] == [place]


def test_texts_with_lines_and_letters_of_any_script_are_fine() -> None:
    assert find_text_problems({"a": "Zoë\n\tΩ 漢字 🚀"}) == ()


def test_nesting_has_an_end() -> None:
    data: Any = "x"
    for _ in range(40):
        data = [data]
    (problem,) = find_text_problems(data)
    assert problem.message == "is nested too deeply"


def test_problem_reads_as_a_sentence() -> None:
    assert str(Problem("a.b", "must be 1 to 3")) == "a.b: must be 1 to 3"
    assert str(Problem("", "is not JSON")) == "the document: is not JSON"


def test_words_lose_marks_that_turn_the_direction() -> None:
    assert without_unseen("Bo\u202e and \u2067Ann\u2069") == "Bo and Ann"
    assert without_unseen("Bo\u00adris\u200b\u2060\ufeff") == "Boris"
    assert tidy("Bo\u00adris") == "Boris", "one word"


def test_word_processor_quotes_are_compared_as_keyboard_quotes() -> None:
    assert plain_quotes("‘O’Brien’ “Ace” „A“ «B»") == '\'O\'Brien\' "Ace" "A" "B"'
    assert tidy("Bo\u202e  Ruiz") == "Bo Ruiz"
