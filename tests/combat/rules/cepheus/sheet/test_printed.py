"""The printed tables of the rules agree with the data."""

from __future__ import annotations

import pytest

from combat.rules.cepheus import SYSTEM

PRINTED = {table.key: table for table in SYSTEM.book.tables()}


@pytest.mark.parametrize(
    ("key", "count", "there", "elsewhere"),
    [
        ("vehicles", 16, "Destroyer", "Stagecoach"),
        ("design-vehicles", 18, "Stagecoach", "Destroyer"),
    ],
)
def test_vehicles_of_the_design_appendix_have_their_own_table(
    key: str, count: int, there: str, elsewhere: str
) -> None:
    names = [row[0] for row in PRINTED[key].rows]
    assert (len(names), there in names, elsewhere in names) == (count, True, False)
