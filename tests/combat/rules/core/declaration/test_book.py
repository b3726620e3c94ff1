"""The house rules of a game, read from its file."""

from __future__ import annotations

from pathlib import Path

import pytest

from combat.rules.core.basics.data import DataError
from combat.rules.core.declaration.book import TableOption, load_options

WORDS = """
[option]
fumbles = { label = "Fumbles", ruling = "R1", default = false }
reach = { label = "Reach", ruling = "R2" }
crawl = { label = "Crawling", ruling = "R3", default = 2, number = [0, 9] }
far = { label = "Far", ruling = "R4", default = 10, number = [1, 99] }
order = { label = "Order", ruling = "R5" }

[choices]
reach = { none = "no limit", 5 = "five meters", -1 = "shrinks" }
crawl = [1, 2, 3]
order = ["down", "up"]

[help]
order = "Up is kinder."
"""


def load(folder: Path, words: str = WORDS) -> tuple[TableOption, ...]:
    path = folder / "options.toml"
    path.write_text(words, encoding="utf-8")
    return load_options(path)


def test_options_have_their_words_and_defaults_from_the_file(tmp_path: Path) -> None:
    assert load(tmp_path) == (
        TableOption("fumbles", "Fumbles", False, (), "R1"),
        TableOption(
            "reach", "Reach", "none", ("none", 5, -1), "R2", labels=("no limit", "five meters", "shrinks")
        ),
        TableOption("crawl", "Crawling", 2, (1, 2, 3), "R3", number=(0, 9)),
        TableOption("far", "Far", 10, (10,), "R4", number=(1, 99)),
        TableOption("order", "Order", "down", ("down", "up"), "R5", "Up is kinder."),
    )


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('order = "Up is kinder."', 'ordre = "Up is kinder."', "ordre"),
        ("crawl = [1, 2, 3]", "crowl = [1, 2, 3]", "crowl"),
        (', ruling = "R1"', "", r"options\.toml: option\.fumbles: .*ruling"),
        ('order = ["down", "up"]', "", r"options\.toml: option\.order: .*choices"),
    ],
)
def test_a_file_with_a_slip_is_refused(tmp_path: Path, old: str, new: str, says: str) -> None:
    with pytest.raises(DataError, match=says):
        load(tmp_path, WORDS.replace(old, new))
