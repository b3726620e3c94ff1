"""The rings of weapons as the map draws them, and distances in words."""

from __future__ import annotations

import pytest

from combat.display.map.scene import view_ring
from combat.rules.core.declaration.parts import HEXAGON, OCTAGON, ROUND, SQUARE, Ring
from combat.rules.core.space import Point
from tests.combat.rules.every_game.pairs.pairs import ADA, BO, GAMES, load_pairs


@pytest.mark.parametrize(("shape", "low"), [(ROUND, 4), (SQUARE, 4.5), (OCTAGON, 4.5), (HEXAGON, 3.9)])
def test_words_of_a_ring_are_at_its_lowest_place(shape: str, low: float) -> None:
    """A ring of cells includes the last one, half a meter more; one of hexes has no corner straight below."""
    found = view_ring(Ring("bow", 4, "Bow: 4 m", shape), 1)
    assert (found["low"], bool(found["path"])) == (low, shape != ROUND)


@pytest.mark.parametrize("game", GAMES)
def test_the_distance_to_someone_above_is_told_as_along(game: str) -> None:
    pairs = load_pairs(game)
    stage, far, words = pairs.make(), 30 * pairs.cell, set[str]()
    x = stage[BO].at.x
    for place in (Point(x, far), Point(x, 0, -far)):
        stage.edit(ADA, at=place)
        words.add(pairs.system.space.zones.describe_far(stage.state, stage[ADA], stage[BO]))
    assert len(words) == 1
