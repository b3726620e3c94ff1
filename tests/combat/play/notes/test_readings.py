"""All that is read of each example, to the last word, is what readings.txt says."""

from __future__ import annotations

import pytest

from tests.combat.play.notes.readings import TABLE, list_parts, write

KEPT = dict(part.split("\n", 1) for part in TABLE.read_text().removeprefix("# ").split("\n# "))
PARTS = dict(list_parts())


@pytest.mark.parametrize("part", PARTS)
def test_all_that_is_read_is_as_it_was_looked_at(part: str) -> None:
    """What has changed on purpose is written by `python -m tests.combat.play.notes.readings`."""
    assert write(PARTS[part]).rstrip() == KEPT[part].rstrip()


def test_every_kept_reading_has_its_example() -> None:
    assert KEPT.keys() == PARTS.keys()
