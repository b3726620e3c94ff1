"""Battle maps written as short rows of names and numbers, as in our library of scenes and in the demo fights.

Rows are in the unit of the scene. `half` is subtracted from each coordinate: half a square if they are
counted from the corner of the first square, since places are the middles of squares.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

from .battle_map import DOOR, FENCE, WINDOW, BattleMap, Light, Obstacle, Wall
from .decks import Deck, Passage
from .plane import ROOM, Zone, lay_zone

TALL = {"container": 2.6, "pillar": 3.0, "wall": 2.2}  # heights of things over which nobody looks
Line = tuple[float, ...]  # x1, y1, x2, y2
THROUGH: dict[str, Any] = {"blocks_sight": False, "cover": ""}


def read_zones(data: Mapping[str, Any], half: float = 0) -> tuple[Zone, ...]:
    """The zones: name, corner, width, depth, then the floor and the kind if they are not those of `data`."""
    usual = (data.get("floor"), data.get("kind"))
    zones = (_make_zone(n, row, usual, half) for n, row in enumerate(data["zones"], 1))
    decks = _read_decks(data, half)
    return tuple(lay_zone(decks, zone) for zone in zones)


def _make_zone(number: int, row: list[Any], usual: tuple[str | None, ...], half: float) -> Zone:
    name, x, y, width, depth, *looks = row
    pairs = zip(("floor", "kind"), (*looks, *usual[len(looks) :]), strict=True)
    chosen: dict[str, Any] = {key: look for key, look in pairs if look}
    return Zone(f"zone{number}", name, x - half, y=y - half, width=width, depth=depth, **chosen)


def read_map(data: Mapping[str, Any], half: float = 0) -> BattleMap:
    """The battle map: walls, fences, doors, windows, things, lights, decks, ways, weather and sky."""
    looks = {key: data[key] for key in ("weather", "sky") if key in data}
    looks |= {"decks": _read_decks(data, half), "ways": _read_ways(data, half)}
    return BattleMap(_read_walls(data, half), _read_things(data, half), _read_lights(data, half), **looks)


def _read_decks(data: Mapping[str, Any], half: float) -> tuple[Deck, ...]:
    """Decks: name, corner, width, depth, height of the floor, shift."""
    return tuple(
        Deck(f"deck{n}", name, x - half, y=y - half, width=width, depth=depth, height=height, shift=shift)
        for n, (name, x, y, width, depth, height, shift) in enumerate(data.get("decks", ()), 1)
    )


def _read_ways(data: Mapping[str, Any], half: float) -> tuple[Passage, ...]:
    """Ways: kind, name, the squares below and above, then "shut" or the corner, width and depth of a hole."""
    return tuple(
        Passage(
            f"way{n}",
            kind,
            x1,
            y1,
            x2=x2,
            y2=y2,
            name=name,
            hole=next(((x - half, y - half, w, d) for x, y, w, d in more if "shut" not in more), None),
            open="shut" not in more,
        )
        for n, (kind, name, x1, y1, x2, y2, *more) in enumerate(data.get("ways", ()), 1)
    )


def _read_walls(data: Mapping[str, Any], half: float) -> tuple[Wall, ...]:
    """Walls around rooms and chains of walls, cut by openings; fences, doors and windows.

    A word after the ends of a door says that it is open, locked or secret.
    """
    doors = [(tuple(row[1:5]), _make_door(*row)) for row in data.get("doors", ())]
    windows = [(tuple(ends), {"kind": WINDOW, **THROUGH}) for ends in data.get("windows", ())]
    gaps = [ends for ends, _ in (*doors, *windows)] + [tuple(ends) for ends in data.get("gaps", ())]
    walls: list[tuple[Line, dict[str, Any]]] = [(ends, {}) for ends in cut_lines(_find_lines(data), gaps)]
    fences = [
        ((*a, *b), {"kind": FENCE, **THROUGH}) for row in data.get("fences", ()) for a, b in pairwise(row)
    ]
    return tuple(
        Wall(f"w{number}", *(end - half for end in ends), **look)
        for number, (ends, look) in enumerate((*walls, *fences, *doors, *windows), 1)
    )


def _make_door(name: str, *ends: Any) -> dict[str, Any]:
    return {"kind": DOOR, "name": name, **dict.fromkeys(ends[4:], True)}


def _find_lines(data: Mapping[str, Any]) -> list[Line]:
    """The sides of all zones that are rooms, then the pieces of chains."""
    lines: list[Line] = []
    for _, x, y, width, depth, *looks in data["zones"]:
        if (looks[1] if len(looks) > 1 else data.get("kind")) == ROOM:
            right, low = x + width, y + depth
            lines += [(x, y, right, y), (x, low, right, low), (x, y, x, low), (right, y, right, low)]
    return lines + [(*a, *b) for chain in data.get("walls", ()) for a, b in pairwise(chain)]


def cut_lines(lines: Iterable[Line], gaps: Iterable[Line]) -> list[Line]:
    """Lines along the axes, overlapping ones joined and without their gaps; then the slanting ones."""
    along: dict[tuple[bool, float], list[tuple[float, float]]] = {}
    slanting: list[Line] = []
    for line in lines:
        if line[0] != line[2] and line[1] != line[3]:
            slanting.append(line)
        else:
            key, span = _lay(line)
            along.setdefault(key, []).append(span)
    without: dict[tuple[bool, float], list[tuple[float, float]]] = {}
    for gap in gaps:
        key, span = _lay(gap)
        without.setdefault(key, []).append(span)
    left = {key: _subtract(_join(spans), without.get(key, ())) for key, spans in along.items()}
    return [_stand(key, span) for key, spans in left.items() for span in spans] + slanting


def _lay(line: Line) -> tuple[tuple[bool, float], tuple[float, float]]:
    """Whether a line goes down, and where; and its two ends along it."""
    x1, y1, x2, y2 = line
    return ((True, x1), (min(y1, y2), max(y1, y2))) if x1 == x2 else ((False, y1), (min(x1, x2), max(x1, x2)))


def _stand(key: tuple[bool, float], span: tuple[float, float]) -> Line:
    down, at = key
    return (at, span[0], at, span[1]) if down else (span[0], at, span[1], at)


def _join(spans: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Spans on one line, those that touch joined."""
    joined: list[tuple[float, float]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


def _subtract(
    spans: list[tuple[float, float]], gaps: Iterable[tuple[float, float]]
) -> list[tuple[float, float]]:
    """What is left of spans without the gaps."""
    for low, high in gaps:
        pieces = [
            piece for start, end in spans for piece in ((start, min(end, low)), (max(start, high), end))
        ]
        spans = [(start, end) for start, end in pieces if end > start]
    return spans


def _read_things(data: Mapping[str, Any], half: float) -> tuple[Obstacle, ...]:
    """Things: name, corner, width, depth, kind. With `flat`, they stop nobody: they are only drawn."""
    flat = bool(data.get("flat"))
    return tuple(_make_thing(n, row, half, flat) for n, row in enumerate(data.get("things", ()), 1))


def _make_thing(number: int, row: list[Any], half: float, flat: bool) -> Obstacle:
    name, x, y, width, depth, kind = row
    tall = kind in TALL and not flat
    return Obstacle(
        f"o{number}",
        name,
        x - half,
        y=y - half,
        width=width,
        depth=depth,
        height=TALL[kind] if tall else 1.0,
        blocks_sight=tall,
        blocks_way=not flat,
        kind=kind,
    )


def _read_lights(data: Mapping[str, Any], half: float) -> tuple[Light, ...]:
    """Lamps: place, range, and a tint unless it is warm."""
    return tuple(
        Light(f"l{n}", x - half, y - half, radius, tint=tint[0] if tint else "")
        for n, (x, y, radius, *tint) in enumerate(data.get("lights", ()), 1)
    )
