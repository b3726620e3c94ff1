"""The probes of the tables play: one that breaks would call each figure noticed."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.starshock import SYSTEM
from tests.combat.rules.every_game.facts.figures import find_tables
from tests.combat.rules.starshock.probes import PROBES

ROWS = [
    pytest.param(name, row, id=f"{name} {row.id}")
    for name, rows in find_tables(SYSTEM)
    for row in rows
    if name in PROBES
]


@pytest.mark.parametrize(("table", "row"), ROWS)
def test_each_record_is_played_and_again_alike(table: str, row: Any) -> None:
    played = PROBES[table](row)
    assert played
    assert repr(PROBES[table](row)) == repr(played)
