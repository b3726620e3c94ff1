"""The rings of weapons as the map draws them."""

from __future__ import annotations

import pytest

from combat.display.map.sight_lines import view_ring
from combat.rules.core.space.rings import HEXAGON, OCTAGON, ROUND, SQUARE, Ring


@pytest.mark.parametrize(("shape", "low"), [(ROUND, 4), (SQUARE, 4.5), (OCTAGON, 4.5), (HEXAGON, 3.9)])
def test_words_of_a_ring_are_at_its_lowest_place(shape: str, low: float) -> None:
    """A ring of cells includes the last one, half a meter more; one of hexes has no corner straight below."""
    found = view_ring(Ring("bow", 4, "Bow: 4 m", shape), 1)
    assert (found["low"], bool(found["path"])) == (low, shape != ROUND)
