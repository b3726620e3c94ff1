"""Lights of the battle map: which of them reach a place. Walls and shut doors stop light."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from math import atan2, cos, hypot, pi, sin

from ..barriers import Barriers, Edge, find_nearest
from ..battle_map import Light
from ..grid import Grid
from ..plane import Point, Scene, Spot, distance, map_of, on_ground
from .area_shapes import is_reached
from .sight import Body

EDGE = 0.01  # meters beyond its radius that a light still reaches
MAX_EDGES = 150  # the nearest edges that end a lamp's light in the picture
RAYS = 96  # directions around a lamp, besides those to the ends of walls
PAST, SAME = 1e-4, 1e-9  # radians past the end of a wall, and a negligible angle


def find_shining(scene: Scene, grid: Grid, place: Point) -> tuple[str, ...]:
    """The kinds of the lights that reach a place, in drawing order; on squares or the free plane.

    A light shines from the ground that it stands on, as far up and down as along.
    """
    battle_map, body = map_of(scene), Body(place)
    lamps = (
        (light.kind, light.radius, on_ground(scene, Point(light.x, light.y))) for light in battle_map.lights
    )
    return tuple(
        kind
        for kind, radius, at in lamps
        if distance(at, place) <= radius + EDGE and is_reached(battle_map, grid, at, body)
    )


def find_brightest(
    scene: Scene, grid: Grid, place: Point, around: str, ladder: tuple[str, ...], usual: str
) -> str:
    """The light at a place: that `around`, or that of a brighter lamp.

    `ladder` are a game's lights from the darkest to the brightest; `usual` is the light of a lamp without a
    kind.
    """
    if not map_of(scene).lights or around not in ladder:
        return around
    shining = (kind or usual for kind in find_shining(scene, grid, place))
    return max((around, *(kind for kind in shining if kind in ladder)), key=ladder.index)


# ---------------------------------------------------------------- as a picture


def outline_light(plan: Barriers, light: Light) -> tuple[Spot, ...]:
    """The corners of a lamp's light, around it; empty if no wall ends its light."""
    key = ("lit", light.x, light.y, light.radius)
    found: tuple[Spot, ...] | None = plan.kept.get(key)
    return plan.keep(key, _outline(plan, light)) if found is None else found


def _outline(plan: Barriers, light: Light) -> tuple[Spot, ...]:
    edges = _find_near(plan, light)
    if not edges:
        return ()
    turns = sorted({*(2 * pi * n / RAYS - pi for n in range(RAYS)), *_find_turns(edges)})
    far = [light.radius] * len(turns)
    for edge in edges:
        for first, last in _find_span(edge, turns):
            for place in range(first, last):
                far[place] = min(far[place], _measure(edge, turns[place]))
    return tuple(
        (light.x + out * cos(turn), light.y + out * sin(turn)) for turn, out in zip(turns, far, strict=True)
    )


def _find_near(plan: Barriers, light: Light) -> list[Edge]:
    """The nearest edges that block sight within the radius of a lamp, relative to it."""
    here = (light.x, light.y)
    found = []
    for place in plan.index.find_near(here, here, light.radius):
        number, x1, y1, x2, y2, *_ = plan.index.edges[place]
        if number in plan.dark:
            continue
        x, y = find_nearest((x1, y1, x2, y2), here)
        away = hypot(x - light.x, y - light.y)
        if EDGE < away < light.radius:
            found.append((away, (x1 - light.x, y1 - light.y, x2 - light.x, y2 - light.y)))
    return [edge for _, edge in sorted(found)[:MAX_EDGES]]


def _find_turns(edges: Iterable[Edge]) -> Iterator[float]:
    """The directions just past the ends of some edges, on both sides, from −π to π."""
    for x1, y1, x2, y2 in edges:
        for turn in (atan2(y1, x1), atan2(y2, x2)):
            yield from (min(pi, max(-pi, turn + off)) for off in (-PAST, 0.0, PAST))


def _find_span(edge: Edge, turns: list[float]) -> Iterator[tuple[int, int]]:
    """The spans of directions that meet an edge; two spans if it is across the back."""
    x1, y1, x2, y2 = edge
    low, high = sorted((atan2(y1, x1), atan2(y2, x2)))
    if high - low <= pi:
        yield bisect_left(turns, low - SAME), bisect_right(turns, high + SAME)
    else:
        yield 0, bisect_right(turns, low + SAME)
        yield bisect_left(turns, high - SAME), len(turns)


def _measure(edge: Edge, turn: float) -> float:
    """The distance of an edge in one direction; its nearer end if it is parallel."""
    x1, y1, x2, y2 = edge
    across, down = x2 - x1, y2 - y1
    slope = cos(turn) * down - sin(turn) * across
    if abs(slope) < EDGE * EDGE:
        return min(hypot(x1, y1), hypot(x2, y2))
    return max(0.0, (x1 * down - y1 * across) / slope)
