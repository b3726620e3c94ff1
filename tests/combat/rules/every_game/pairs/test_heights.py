"""Every range, reach, touch and area of every game, 30 squares up."""

from __future__ import annotations

import pytest

from tests.combat.rules.every_game.pairs.heights import Way, check_up, find_caught, find_ways, has_area
from tests.combat.rules.every_game.pairs.pairs import GAMES, load_pairs

WAYS = [(game, way) for game in GAMES for way in find_ways(load_pairs(game))]
AREAS = [(game, way) for game, way in WAYS if has_area(load_pairs(game), way)]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "way"), WAYS, ids=[f"{game}-{way.name}" for game, way in WAYS])
def test_what_is_up_is_as_far_as_what_is_along(game: str, way: Way) -> None:
    check_up(load_pairs(game), way)


@pytest.mark.parametrize(("game", "way"), AREAS, ids=[f"{game}-{way.name}" for game, way in AREAS])
def test_an_area_reaches_no_farther_up_than_along(game: str, way: Way) -> None:
    assert all(find_caught(load_pairs(game), way, 0))
    assert not any(find_caught(load_pairs(game), way, 30))
