"""The reader of worked examples: strict about fields, rules, names and emptiness."""

from __future__ import annotations

from pathlib import Path

import pytest

from combat.rules.core.basics.data import DataError
from combat.rules.core.book.examples import Examples, load_examples

BOOK = """
[book]
title = "Tiny Game"
prefix = "TNY"

[[rule]]
id = "TNY-HIT-01"
section = "Tiny"
text = "Who hits, hits."
kind = "roll"
automation = "automated"
line = 1
"""
PEOPLE = 'people = [{ name = "Ada" }, { name = "Bo" }]'
GOOD = f"""
[[example]]
rules = ["TNY-HIT-01"]
{PEOPLE}

[[example.do]]
action = "hit"
log = ["Ada hits Bo."]
"""


def read(folder: Path, text: str) -> Examples:
    """The examples of a small game with one rule."""
    (folder / "rulebook.toml").write_text(BOOK)
    (folder / "examples.toml").write_text(text)
    return load_examples(folder)


def test_examples_are_found_by_the_rules_they_are_about(tmp_path: Path) -> None:
    examples = read(tmp_path, GOOD)
    assert examples.find_about("TNY-HIT-01") == examples.example
    assert examples.find_about("TNY-HIT-02") == ()
    assert examples.rules == {"TNY-HIT-01"}


def test_a_game_may_have_none(tmp_path: Path) -> None:
    assert load_examples(tmp_path).example == ()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("log =", "logs =", "unknown field"),
        ("TNY-HIT-01", "TNY-HIT-02", r"example 1 \(TNY-HIT-02\): there is no rule TNY-HIT-02"),
        ('["TNY-HIT-01"]', "[]", "it names no rule"),
        ('"Bo" }', '"Ada" }', "everybody needs a name of their own"),
        ('action = "hit"', 'action = "hit"\nactor = "Cy"', "there is nobody called Cy"),
        ('log = ["Ada hits Bo."]', "", "it shows nothing"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, old: str, new: str, words: str) -> None:
    with pytest.raises(DataError, match=words):
        read(tmp_path, GOOD.replace(old, new))
