"""The probes of the tables play: one that breaks would call each figure noticed."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.starshock import SYSTEM
from tests.combat.rules.every_game.facts.figures import find_tables
from tests.combat.rules.starshock.probes import PROBES
from tests.each import find_wrong

TABLES = {name: rows for name, rows in find_tables(SYSTEM) if name in PROBES}


def check_probe(table: str, row: Any) -> None:
    played = PROBES[table](row)
    assert played
    assert repr(PROBES[table](row)) == repr(played)


@pytest.mark.parametrize("table", TABLES)
def test_each_record_is_played_and_again_alike(table: str) -> None:
    assert not find_wrong(check_probe, ((table, row) for row in TABLES[table]))
