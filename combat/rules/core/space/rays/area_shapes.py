"""Shapes of areas: circles, rings, cones, lines and clouds, and the walls that limit them.

A game names the shape of an action; both the picture and the rule find the people inside from it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import msgspec

from ..barriers import barriers_of
from ..battle_map import BattleMap
from ..grid import Grid
from ..plane import EPSILON, Piece, Point, Spot, distance, find_across, is_in_piece
from .sight import Body, find_corners, sees

EDGE = 0.01  # meters beyond the edge that still count as on it
Measure = Callable[[Point, Point], float]
Kind = Literal["circle", "ring", "cone", "line", "cloud"]


class Shape(msgspec.Struct, frozen=True):
    """An area of the scene, in meters: from `at` to a distance of `meters`, as far up as along.

    A ring excludes places nearer than `inner`. A cone and a line point `towards` a place; a cone is `wide`
    degrees from side to side, a line `wide` meters to each side. Walls stop it if it `is_stopped`. A cloud
    fills its `pieces`, which end at walls already.
    """

    kind: Kind
    at: Point
    meters: float
    inner: float = 0.0
    towards: Point = Point()
    wide: float = 0.0
    is_stopped: bool = True
    pieces: tuple[Piece, ...] = ()


def make_cloud(at: Point, meters: float, pieces: tuple[Piece, ...]) -> Shape:
    """What smoke or gas fills around a place, as far up and down as `meters`."""
    return Shape("cloud", at, meters, is_stopped=False, pieces=pieces)


def make_rings(at: Point, edges: tuple[float, ...], is_stopped: bool = True) -> tuple[Shape, ...]:
    """A circle and the rings around it, the inmost first; `edges` are their outer radii in meters."""
    inner = (0.0, *edges)
    return tuple(
        Shape("ring" if low else "circle", at, to_m, low, is_stopped=is_stopped)
        for low, to_m in zip(inner, edges, strict=False)
    )


def covers(shape: Shape, place: Point, measure: Measure = distance) -> bool:
    """Whether a place is in a shape, ignoring walls; `measure` is the game's distance."""
    if shape.kind == "cloud":
        is_level = abs(place.z - shape.at.z) <= shape.meters + EDGE
        return is_level and any(is_in_piece(piece, place.x, place.y) for piece in shape.pieces)
    away = measure(shape.at, place)
    if shape.kind == "line":
        return away > EDGE and _is_on_line(shape, place, measure)
    if away > shape.meters + EDGE or (shape.inner and away <= shape.inner + EDGE):
        return False
    if shape.kind == "cone" and away > EPSILON:
        return _angle_off(shape, place) <= shape.wide / 2 + EDGE
    return True


def _is_on_line(shape: Shape, place: Point, measure: Measure) -> bool:
    """Whether a place is near enough to a line, to its sides, above and below."""
    whole = distance(shape.at, shape.towards)
    if whole < EDGE:
        return False
    share = min(shape.meters, max(0.0, _find_along(shape, place) / whole)) / whole
    at, end = shape.at, shape.towards
    x, y = at.x + share * find_across(at, end), at.y + share * (end.y - at.y)
    foot = Point(x, y, at.z + share * (end.z - at.z), at.shift)
    return measure(foot, place) <= shape.wide + EDGE


def _angle_off(shape: Shape, place: Point) -> float:
    """Degrees between where a cone points and a place, 0 to 180, up and down like to the side."""
    product = distance(shape.at, shape.towards) * distance(shape.at, place)
    if product < EPSILON:
        return 0.0
    return math.degrees(math.acos(max(-1.0, min(1.0, _find_along(shape, place) / product))))


def _find_along(shape: Shape, place: Point) -> float:
    """The product of the ways from the start of a shape to where it points and to a place."""
    at, end = shape.at, shape.towards
    flat = find_across(at, end) * find_across(at, place) + (end.y - at.y) * (place.y - at.y)
    return flat + (end.z - at.z) * (place.z - at.z)


def is_reached(battle_map: BattleMap, grid: Grid, start: Point, body: Body) -> bool:
    """Whether an effect that spreads from a place reaches a body: at least one of its corners.

    The barriers that block sight stop it: walls, shut doors, obstacles higher than both. Windows, fences and
    obstacles that both see past do not.
    """
    if not (battle_map.walls or battle_map.obstacles or battle_map.decks):
        return True
    plan = barriers_of(battle_map)
    key = ("reached", grid, start, body)
    found = plan.kept.get(key)
    return found if found is not None else plan.keep(key, _find_reached(battle_map, grid, start, body))


def _find_reached(battle_map: BattleMap, grid: Grid, start: Point, body: Body) -> bool:
    plan, here = barriers_of(battle_map), grid.plot(start)
    if start.shift != body.at.shift:
        return sees(battle_map, grid, Body(start), body)
    corners = find_corners(plan, grid, body)
    middle = grid.plot(body.at)
    wide = max(math.dist(middle, corner) for corner in corners)
    height = max(start.z, body.at.z)
    near = sorted(plan.index.find_near(here, middle, wide))
    rays = plan.index.cross_each((here,), corners, plan.dark, near)
    return any(all(plan.index.barriers[n].top <= height for n in ray) for ray in rays)


def is_inside(
    shape: Shape, battle_map: BattleMap, grid: Grid, body: Body, measure: Measure = distance
) -> bool:
    """Whether a shape catches someone: it covers one of their cells, and no wall protects them."""
    for place in grid.find_covered(body.at, body.meters):
        if covers(shape, place, measure):
            return not shape.is_stopped or is_reached(battle_map, grid, shape.at, body)
    return False


def find_ring(
    rings: tuple[Shape, ...], battle_map: BattleMap, grid: Grid, body: Body, measure: Measure = distance
) -> int | None:
    """The number of the ring that catches someone, of those by `make_rings`: the inmost with one of their
    cells; None outside of all, or behind a wall."""
    away = measure(rings[0].at, body.at)
    if away - 2 * body.meters > rings[-1].meters + EDGE:
        return None  # most are far off: no look at all cells of something large
    if body.meters > grid.cell:
        away = min([measure(rings[0].at, place) for place in grid.find_covered(body.at, body.meters)])
    for n, ring in enumerate(rings):
        if away <= ring.meters + EDGE:
            return n if not ring.is_stopped or is_reached(battle_map, grid, ring.at, body) else None
    return None


# ---------------------------------------------------------------- as a picture


def draw_shape(shape: Shape, grid: Grid) -> str:
    """The shape as an SVG path, in meters of the picture; a cloud is drawn as its pieces instead."""
    middle = grid.plot(shape.at)
    if shape.kind in ("circle", "ring"):
        inner = _draw_circle(middle, shape.inner) if shape.inner else ""
        return _draw_circle(middle, shape.meters) + inner
    ahead = grid.plot(shape.towards)
    way = math.atan2(ahead[1] - middle[1], ahead[0] - middle[0])
    return _draw_cone(middle, way, shape) if shape.kind == "cone" else _draw_line(middle, way, shape)


def _draw_circle(middle: Spot, meters: float) -> str:
    """A full circle, as two half circles."""
    x, y, r = middle[0], middle[1], _n(meters)
    return f"M{_n(x - meters)} {_n(y)}a{r} {r} 0 1 0 {_n(2 * meters)} 0a{r} {r} 0 1 0 {_n(-2 * meters)} 0z"


def _draw_cone(tip: Spot, way: float, shape: Shape) -> str:
    half, r = math.radians(shape.wide / 2), _n(shape.meters)
    (ax, ay), (bx, by) = (_go(tip, way + turn, shape.meters) for turn in (-half, half))
    large = int(shape.wide > 180)
    return f"M{_n(tip[0])} {_n(tip[1])}L{_n(ax)} {_n(ay)}A{r} {r} 0 {large} 1 {_n(bx)} {_n(by)}z"


def _draw_line(start: Spot, way: float, shape: Shape) -> str:
    end = _go(start, way, shape.meters)
    sides = ((start, 1), (end, 1), (end, -1), (start, -1))
    corners = [_go(spot, way + side * math.pi / 2, shape.wide) for spot, side in sides]
    return "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in corners) + "z"


def _go(spot: Spot, way: float, meters: float) -> Spot:
    return spot[0] + meters * math.cos(way), spot[1] + meters * math.sin(way)


def _n(number: float) -> str:
    return f"{round(number, 2) + 0:g}"
