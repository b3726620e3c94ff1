"""Every range, reach, touch and area of every game, 30 squares up."""

from __future__ import annotations

import pytest

from tests.combat.rules.every_game.pairs.heights import Way, check_up, find_caught, find_ways, has_area
from tests.combat.rules.every_game.pairs.pairs import GAMES, Pairs, load_pairs
from tests.each import find_wrong


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_what_is_up_is_as_far_as_what_is_along(game: str) -> None:
    pairs = load_pairs(game)
    assert not find_wrong(check_up, ((pairs, way) for way in find_ways(pairs)))


def check_area(pairs: Pairs, way: Way) -> None:
    """An area reaches no farther up than along."""
    assert all(find_caught(pairs, way, 0))
    assert not any(find_caught(pairs, way, 30))


@pytest.mark.parametrize("game", GAMES)
def test_an_area_reaches_no_farther_up_than_along(game: str) -> None:
    pairs = load_pairs(game)
    assert not find_wrong(check_area, ((pairs, way) for way in find_ways(pairs) if has_area(pairs, way)))
