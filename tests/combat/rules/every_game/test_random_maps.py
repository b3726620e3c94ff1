"""Auto-play on a few random maps: each fight is won, or the GM is told why it ends."""

from __future__ import annotations

import pytest

from tests.combat.rules.every_game.random_maps.playing import draw_ground, play
from tests.combat.rules.games import GAMES, WITH_DOORS

KNOWN = {
    "cosmos": (20261183, 20261275),  # walked to and fro before a way out of the house, and in a corner
    "cepheus": (739950039,),  # held each other, and neither could be hurt
}


@pytest.mark.slow
@pytest.mark.parametrize("slug", WITH_DOORS)
def test_fights_on_random_maps_end_or_are_told(slug: str) -> None:
    ends = {seed: play(GAMES[slug], seed) for seed in (*range(100, 104), *KNOWN.get(slug, ()))}
    assert {end.how for end in ends.values()} <= {"won", "told"}, ends


def test_maps_differ_by_their_seed() -> None:
    grounds = [draw_ground(seed) for seed in range(40)]
    assert len({str(one) for one in grounds}) > 35
    assert any(one.drawn.get("decks") and not one.drawn["walls"] for one in grounds), "decks without walls"
    assert any(not one.zones for one in grounds)
    assert any(wall["kind"] == "door" for one in grounds for wall in one.drawn.get("walls", ()))
    assert draw_ground(7) == draw_ground(7)
