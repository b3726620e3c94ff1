"""Ranges by the summary: seven bands, six types of weapon, and the missing rows.  RULING R62"""

from __future__ import annotations

import pytest

from combat.rules.cepheus.book.options import FULL, QUICK
from combat.rules.cepheus.fight.aim import range_rows
from combat.rules.core.state.state import State

BANDS = ("personal", "close", "short", "medium", "long", "very_long", "distant")
# Type of weapon: the DM in each band, "-" where it does not reach
ROWS = {
    "close_quarters": "0 0 -2 - - - -",
    "extended_reach": "-2 0 -2 - - - -",
    "thrown": "- 0 -2 -2 - - -",
    "pistol": "-2 0 0 -2 -4 - -",
    "rifle": "-4 -2 0 0 0 -2 -6",
    "shotgun": "-2 0 -2 -2 -4 - -",
    "assault_weapon": "-2 0 0 0 -2 -4 -6",
    "rocket": "-4 0 0 0 -2 -4 -6",
}


@pytest.mark.rule(
    "CS-RANGE-08", "CS-RANGE-09", "CS-RANGE-10", "CS-RANGE-11", "CS-RANGE-12", "CS-RANGE-13",
    "CS-RANGE-14", "CS-RANGE-15", "CS-RANGE-16",
)  # fmt: skip
@pytest.mark.parametrize("row", ROWS)
def test_difficulty_by_weapon_and_band(row: str) -> None:
    wanted = dict(zip(BANDS, ROWS[row].split(), strict=True))
    found = range_rows(State(QUICK))[row]
    assert found == {band: int(dm) for band, dm in wanted.items() if dm != "-"}


def test_the_full_table_stays_what_it_is() -> None:
    assert range_rows(State(FULL))["close_quarters"] == {"personal": 0, "close": -2}
