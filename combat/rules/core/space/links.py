"""Zones as neighbors, and the steps from one to another."""

from __future__ import annotations

import heapq
import itertools

from .decks import GALLERY
from .plane import EPSILON, Point, Scene, Zone, find_zone, map_of


def find_links(scene: Scene) -> dict[str, dict[str, int]]:
    """The neighbors of each zone, with the steps between them; a link holds both ways."""
    links: dict[str, dict[str, int]] = {zone.id: {} for zone in scene.zones}
    said = [(zone.id, other, steps) for zone in scene.zones for other, steps in zone.links.items()]
    said = [*(said or _touching(scene.zones)), *_joined(scene)]
    for first, second, steps in said:
        if first in links and second in links:
            links[first][second] = links[second][first] = steps
    return links


def _touching(zones: tuple[Zone, ...]) -> list[tuple[str, str, int]]:
    """Zones that share a border or a part; corners alone do not count."""
    found = []
    for a, b in itertools.combinations(zones, 2):
        across = min(a.x + a.width, b.x + b.width) - max(a.x, b.x)
        along = min(a.y + a.depth, b.y + b.depth) - max(a.y, b.y)
        if across >= -EPSILON and along >= -EPSILON and max(across, along) > EPSILON:
            found.append((a.id, b.id, 1))
    return found


def _joined(scene: Scene) -> list[tuple[str, str, int]]:
    """Zones of different decks that an open way joins."""
    ways = (way for way in map_of(scene).ways if way.open and way.kind != GALLERY)
    ends = ((find_zone(scene, Point(w.x1, w.y1)), find_zone(scene, Point(w.x2, w.y2))) for w in ways)
    return [(low.id, high.id, 1) for low, high in ends if low and high]


def count_steps(scene: Scene, start: str, goal: str) -> int | None:
    """The fewest steps from one zone to another; None if no path leads there."""
    links = find_links(scene)
    best, waiting = {start: 0}, [(0, start)]
    while waiting:
        steps, here = heapq.heappop(waiting)
        if here == goal:
            return steps
        for there, more in links.get(here, {}).items():
            if steps + more < best.get(there, steps + more + 1):
                best[there] = steps + more
                heapq.heappush(waiting, (steps + more, there))
    return None
