"""What is built on a scene as paths: as short as the picture allows."""

from __future__ import annotations

import re
from math import dist, hypot

from combat.display.plane.plan import view_light
from combat.play.scenes.ready import find_ready_scene
from combat.rules.core.space import Spot, map_of
from combat.rules.core.space.barriers import barriers_of, find_nearest
from combat.rules.core.space.rays.lights import outline_light

SEEN = 0.04  # meters: more would show at the highest zoom


def read_corners(path: str) -> list[Spot]:
    """The corners of a path of straight lines."""
    corners: list[Spot] = []
    for kind, numbers in re.findall(r"([MLHV])([^MLHVz]+)", path):
        x, y = corners[-1] if corners else (0.0, 0.0)
        found = [float(number) for number in numbers.split()]
        corners.append({"H": (found[0], y), "V": (x, found[0])}.get(kind) or (found[0], found[1]))
    return corners


def is_on(spot: Spot, line: list[Spot]) -> bool:
    """Whether a spot lies on a closed line, as far as anyone sees."""
    edges = [(*a, *b) for a, b in zip(line, (*line[1:], line[0]), strict=True) if dist(a, b) > 0]
    return any(hypot(x - spot[0], y - spot[1]) < SEEN for x, y in (find_nearest(e, spot) for e in edges))


def test_the_edge_of_a_light_has_no_corner_that_nobody_sees() -> None:
    drawn = map_of(find_ready_scene("docking_ring").scene)
    for light in drawn.lights:
        whole, short = outline_light(barriers_of(drawn), light), read_corners(view_light(drawn, light).path)
        assert len(short) < len(whole) / 2
        assert all(is_on(spot, short) for spot in whole)
