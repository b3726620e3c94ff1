"""Orders of parts: those that examples have are read without a question, all others are asked about."""

from __future__ import annotations

import pytest

from combat.play.notes.account import find_frames
from combat.play.notes.draft import Draft
from combat.play.notes.frames import list_rows
from tests.combat.play.notes.frames import TABLE, collect, list_examples, write
from tests.combat.play.notes.test_lines import glossary, read


def tell_kinds(text: str) -> list[str]:
    """The kinds of the parts of each sentence."""
    reading = read(text)
    return [" ".join(kinds) for _, _, kinds in find_frames(Draft(text, glossary("cepheus")), reading)]


def test_the_table_is_what_the_examples_have() -> None:
    assert TABLE.read_text() == write(collect([*list_examples()]))


def test_a_sentence_is_told_by_the_kinds_of_its_parts() -> None:
    kinds = tell_kinds("4 thugs with the clubs & two rifles.\n1 assassin wearing mesh")
    assert kinds == ["^ N people with item and N item $", "^ N people with item $"]


def test_what_the_reader_would_write_is_known() -> None:
    assert tell_kinds("4 × Pirate with Sword (in dock)") == []


def test_rows_of_a_short_sentence() -> None:
    assert [*list_rows(["^", "$"])][-1].endswith("$")
    assert len({*list_rows(["^", "N", "people", "$"])}) >= 2


def test_order_that_no_example_has_is_asked_and_its_answer_read() -> None:
    reading = read("R3 & hidden: 1 assassin")
    asked = [one for one in reading.issues if one.is_question]
    assert [one.count for one in reading.groups] == [1]
    assert [one.minor for one in asked] == [True]
    assert [one.label for one in asked[0].suggestions] == ["Yes"]
    assert not read(reading.use(0, 0)).issues


@pytest.mark.parametrize(
    "words", ["Two pirates named Brak and Sull guard the door", "a pirate called Tam. Against"]
)
def test_a_name_that_may_be_none_is_asked(words: str) -> None:
    assert [one for one in read(words).issues if one.is_question or not one.minor]


def test_a_question_says_which_zone_is_lost() -> None:
    asked = [one.message for one in read("2 guards walk from the Dock to the Hall").issues if one.is_question]
    assert asked == ["Read as 2 × Starport Guard (in hall). Right?"]
    assert not [one for one in read("2 guards walk to the Hall").issues if one.is_question]
