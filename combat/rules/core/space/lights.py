"""Lights of the battle map: which of them shine on a place. Walls and shut doors stop light."""

from __future__ import annotations

from math import hypot

from .areas import is_reached
from .battle_map import BattleMap
from .grid import Grid
from .plane import Point
from .sight import Body

EDGE = 0.01  # metres beyond its radius that a light still reaches


def find_shining(battle_map: BattleMap, grid: Grid, place: Point) -> tuple[str, ...]:
    """The kinds of the lights that reach a place, as they are drawn; on squares or the free plane."""
    x, y = grid.plot(place)
    body = Body(place)
    return tuple(
        light.kind
        for light in battle_map.lights
        if hypot(light.x - x, light.y - y) <= light.radius + EDGE
        and is_reached(battle_map, grid, Point(light.x, light.y, place.z), body)
    )


def find_brightest(
    battle_map: BattleMap, grid: Grid, place: Point, around: str, ladder: tuple[str, ...], usual: str
) -> str:
    """The light at a place: that `around`, or that of a lamp which is brighter.

    `ladder` are a game's lights from the darkest to the brightest; `usual` is what a lamp gives that says
    nothing else.
    """
    if not battle_map.lights or around not in ladder:
        return around
    shining = (kind or usual for kind in find_shining(battle_map, grid, place))
    return max((around, *(kind for kind in shining if kind in ladder)), key=ladder.index)
