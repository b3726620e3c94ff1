"""The conditions of a game, read from its file."""

from __future__ import annotations

from pathlib import Path

import pytest

from combat.rules.core.basics.data import DataError
from combat.rules.core.book.conditions import ConditionKind, load_conditions

WORDS = """
bound = ["held"]
quiet = ["moved"]

[takes]
held = ["move"]

[condition]
held = { label = "Held", ends = "breaking free", rule = "TINY-STR-01" }
moved = { label = "On the move", ends = "the end of the turn", until = "end", rule = "TINY-MOVE-01" }

[text]
held = "No movement."
moved = "No aimed shot."
"""


def load(folder: Path, words: str = WORDS) -> dict[str, ConditionKind]:
    path = folder / "conditions.toml"
    path.write_text(words, encoding="utf-8")
    return load_conditions(path)


def test_a_condition_has_all_its_words_from_the_file(tmp_path: Path) -> None:
    assert load(tmp_path) == {
        "held": ConditionKind(
            "held", "Held", "No movement.", "breaking free", "TINY-STR-01", bound=True, takes=("move",)
        ),
        "moved": ConditionKind(
            "moved",
            "On the move",
            "No aimed shot.",
            "the end of the turn",
            "TINY-MOVE-01",
            for_gm=False,
            until="end",
        ),
    }


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('moved = "No aimed shot."', "", "moved"),
        ('bound = ["held"]', 'bound = ["heed"]', "heed"),
        ('held = ["move"]', 'hold = ["move"]', "hold"),
        (', rule = "TINY-MOVE-01"', "", "rule"),
        ('until = "end"', 'until = "later"', "until"),
        ('quiet = ["moved"]', 'hushed = ["moved"]', "hushed"),
    ],
)
def test_a_file_with_a_slip_is_refused(tmp_path: Path, old: str, new: str, says: str) -> None:
    with pytest.raises(DataError, match=says):
        load(tmp_path, WORDS.replace(old, new))
