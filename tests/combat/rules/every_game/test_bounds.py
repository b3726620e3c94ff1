"""At a hole, and before ground that is higher: who is pushed goes over the rim, who is thrown flies."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from combat.rules.core.space import Point, over_ground
from combat.rules.core.state.state import replace
from tests.combat.rules.every_game.bounds import ADA, board, move
from tests.combat.rules.every_game.decks import HEIGHT, SHIFT, make_ship
from tests.combat.rules.every_game.test_walls import TABLES
from tests.combat.rules.stage import Stage

NARROW = {"id": "pit", "kind": "shaft", "x1": 12, "y1": 6, "x2": 36, "y2": 6, "hole": [SHIFT + 4, 4, 1, 4]}
BEYOND, OVER = (SHIFT + 6, 6), (SHIFT + 4.5, 6)


def find_forced() -> Iterator[tuple[str, str, bool]]:
    """Each game with its ways by someone's strength, and whether they fly."""
    for game in ("cosmos", "squares", "cepheus"):
        ways = TABLES[game].make().system.turn.mover.ways.values()
        yield from ((game, way.id, way.flies) for way in ways if way.lifted and not way.willing)


every_forced = pytest.mark.parametrize(("game", "way", "flies"), list(find_forced()))


def at_pit(game: str) -> Stage:
    """Ada 2 m before a pit that is 1 m wide."""
    stage = board(TABLES[game].make)
    stage.do("set_map", map=make_ship(NARROW))
    return stage


def spot(stage: Stage, at: tuple[float, float], higher: float = 0.0) -> Point:
    level = over_ground(stage.state.scene, Point(*at))
    return replace(level, z=level.z + higher)


@every_forced
def test_one_pushed_over_a_rim_falls_and_one_thrown_lands_beyond(game: str, way: str, flies: bool) -> None:
    stage = at_pit(game)
    assert move(stage, way, spot(stage, BEYOND))
    assert stage[ADA].at.z == (HEIGHT if flies else 0)
    if flies:
        assert (stage[ADA].at.x, stage[ADA].at.y) == BEYOND


@every_forced
def test_whoever_ends_over_a_hole_falls(game: str, way: str, flies: bool) -> None:
    stage = at_pit(game)
    assert move(stage, way, spot(stage, OVER))
    assert stage[ADA].at.z == 0


@every_forced
def test_nobody_is_pushed_or_thrown_up_more_than_a_meter(game: str, way: str, flies: bool) -> None:
    for height, passes in ((1, True), (2, False)):
        stage = at_pit(game)
        low, high = stage.state.scene.zones
        ledge = replace(high, id="z3", y=7, depth=5, height=HEIGHT + height)
        stage.state = replace(stage.state, scene=replace(stage.state.scene, zones=(low, high, ledge)))
        move(stage, way, spot(stage, (SHIFT + 2, 9)))
        assert (stage[ADA].at.z == HEIGHT + height) == passes
