"""Pieces of wall joined into lines, so that their corners are drawn as corners."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from combat.rules.core.space import Spot
from combat.rules.core.space.doorways import Edge

FLAT = 1e-6  # twice the area of three spots in square meters: less is one straight line


def draw_chains(edges: Iterable[Edge]) -> str:
    """Straight pieces as an SVG path: pieces that share an end become one line."""
    return "".join(map(_write, _join(edges)))


def _join(edges: Iterable[Edge]) -> Iterator[list[Spot]]:
    ends = [((round(x1, 2), round(y1, 2)), (round(x2, 2), round(y2, 2))) for x1, y1, x2, y2 in edges]
    at: dict[Spot, list[int]] = {}
    for number, (one, other) in enumerate(ends):
        at.setdefault(one, []).append(number)
        at.setdefault(other, []).append(number)
    done: set[int] = set()
    loose = [spot for spot, numbers in at.items() if len(numbers) % 2]
    for spot in (*loose, *at):  # lines begin at loose ends; what is left are loops
        while not done.issuperset(at[spot]):
            yield _follow(spot, ends, at, done)


def _follow(
    spot: Spot, ends: list[tuple[Spot, Spot]], at: dict[Spot, list[int]], done: set[int]
) -> list[Spot]:
    """One line as far as it goes, without the spots on straight parts."""
    line = [spot]
    while (number := next((n for n in at[spot] if n not in done), None)) is not None:
        done.add(number)
        one, other = ends[number]
        spot = other if spot == one else one
        if len(line) > 1 and _is_straight(line[-2], line[-1], spot):
            line.pop()
        line.append(spot)
    return line


def _is_straight(a: Spot, b: Spot, c: Spot) -> bool:
    ax, ay, cx, cy = b[0] - a[0], b[1] - a[1], c[0] - b[0], c[1] - b[1]
    return abs(ax * cy - ay * cx) < FLAT and ax * cx + ay * cy > 0


def _write(line: list[Spot]) -> str:
    is_closed = len(line) > 3 and line[0] == line[-1]
    spots = line[:-1] if is_closed else line
    (x, y), parts = spots[0], []
    for next_x, next_y in spots[1:]:
        if next_y == y:
            parts.append(f"H{next_x:g}")
        else:
            parts.append(f"V{next_y:g}" if next_x == x else f"L{next_x:g} {next_y:g}")
        x, y = next_x, next_y
    return f"M{spots[0][0]:g} {spots[0][1]:g}{''.join(parts)}{'z' if is_closed else ''}"
