"""How things on a map are drawn: each kind from its own shapes, all things of a kind in one drawing.

A shape is an SVG path in shares of a thing: 0 0 is its corner, 1 1 the opposite one, x runs along its long
side. So a car 4 m long and a bed 2 m deep come from the same few lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import cos, pi, sin

from characters.display.shapes import Shape
from combat.rules.core.space import Obstacle, Zone
from combat.rules.core.space.battle_map import THINGS

from .land import find_floor

CRATE, CONTAINER, TABLE, STALL, PILLAR = "crate", "container", "table", "stall", "pillar"
LONG = 4.0  # meters: a longer crate is a container
TALL = 1.6  # meters: a higher thing casts a long shade
ROUND = 1.4  # times as long as wide: a pillar up to this is round
BEND, RIM = 0.22, 0.13  # meters: the radius of the corners of a table, and the line along its edge
MOST = 12  # units drawn in one thing
PAIR = re.compile(r"(-?[\d.]+) (-?[\d.]+)")
WORDS = {  # parts of the names of things, and what they look like; the first one counts
    CONTAINER: "container, tank, silo, wagon",
    "barrel": "barrel, drum, keg, cask, cylinder, canister",
    "car": "car, truck, van, buggy, shuttle, speeder, vehicle, rover, tractor, bike, jeep, lorry, wreck",
    STALL: "stall, booth, awning, kiosk, market stand",
    "console": "console, terminal, computer, panel, control, screen, visit, counter, bar",
    TABLE: "table, bench, altar",
    "bed": "bed, bunk, cot, gurney, stretcher, pod",
    "seat": "seat, chair, sofa, couch, pew, stool",
    PILLAR: "pillar, column, pylon, mast, fountain, statue, well, obelisk",
    "tree": "tree, palm, trunk",
    "bush": "bush, hedge, plant, shrub, flower, crop, reed",
    "rock": "rock, boulder, stone, rubble, debris, asteroid, crater",
    "machine": "machine, engine, generator, reactor, pump, turbine, drive, locker, rack, shelf, shelves",
    "wall": "wall, barricade, sandbag, barrier, parapet",
}
UNITS = {"barrel": 0.8, "seat": 0.8, STALL: 4.0, "bush": 2.4}  # meters of one of several in a thing


class ThingsView(Shape, frozen=True):
    """All things of a kind and height."""

    kind: str
    things: tuple[Obstacle, ...]
    is_tall: bool

    @property
    def look(self) -> str:
        """The class of their drawing."""
        return f"thing t-{self.kind}{' is-tall' if self.is_tall else ''}"

    @property
    def layers(self) -> tuple[tuple[str, str], ...]:
        """Their shapes as paths, the lowest first, each with its class; found only when they are drawn."""
        layers: dict[tuple[int, str], list[str]] = {}
        for thing in self.things:
            for number, (look, shape) in enumerate(_find_shapes(self.kind, thing)):
                paths = [lay(shape, *part) for part in _split(self.kind, thing)]
                layers.setdefault((number, look), []).extend(paths)
        drawn = [(look, "".join(paths)) for (_, look), paths in sorted(layers.items())]
        shade = next(path for look, path in drawn if look.startswith("body"))
        return (("cast", shade), *drawn)


def box(left: float, top: float, right: float = 0, low: float = 0) -> str:
    """A rectangle in shares; without its other corner equally far from all sides."""
    right, low = right or 1 - left, low or 1 - top
    return f"M{left:g} {top:g}L{right:g} {top:g}L{right:g} {low:g}L{left:g} {low:g}z"


def round_box(edge: float, radius: float, long: float, short: float) -> str:
    """A rectangle with round corners, in shares; its distance from the edge and its radius in meters."""
    (x, left), (y, top) = (
        [round(min(at / side, 0.5), 3) for at in (edge, edge + radius)] for side in (long, short)
    )
    u, right, v, low = (round(1 - at, 3) for at in (x, left, y, top))
    upper = f"M{left:g} {y:g}L{right:g} {y:g}Q{u:g} {y:g} {u:g} {top:g}L{u:g} {low:g}"
    lower = f"Q{u:g} {v:g} {right:g} {v:g}L{left:g} {v:g}Q{x:g} {v:g} {x:g} {low:g}L{x:g} {top:g}"
    return f"{upper}{lower}Q{x:g} {y:g} {left:g} {y:g}z"


def ring(share: float) -> str:
    """A circle around the middle, in shares of the whole."""
    a, b, c, d = (round(0.5 + at * share / 2, 3) for at in (-1, -0.552, 0.552, 1))
    low = f"M{d} .5C{d} {c} {c} {d} .5 {d}C{b} {d} {a} {c} {a} .5"
    return f"{low}C{a} {b} {b} {a} .5 {a}C{c} {a} {d} {b} {d} .5z"


def lobes(share: float, count: int, turn: float = 0.0) -> str:
    """The outline of leaves around the middle."""
    inner, outer = 0.42 * share, 0.62 * share

    def spot(step: float, far: float) -> str:
        angle = 2 * pi * step / count + turn
        return f"{0.5 + far * cos(angle):.2f} {0.5 + far * sin(angle):.2f}"

    turns = "".join(f"Q{spot(n + 0.5, outer)} {spot(n + 1, inner)}" for n in range(count))
    return f"M{spot(0, inner)}{turns}z"


ROCK = "M.1 .38L.3 .08L.68 .02L.95 .28L.98 .66L.76 .96L.34 .98L.04 .72z"
BODY = "M.06 .06Q0 .1 0 .3L0 .7Q0 .9 .06 .94L.72 1Q1 .96 1 .68L1 .32Q1 .04 .72 0z"  # a car, nose to the right
CROSS = "M.12 .12L.88 .88M.88 .12L.12 .88"
SHAPES: dict[str, tuple[tuple[str, str], ...]] = {
    CRATE: (("body", box(0, 0)), ("top", box(0.12, 0.12)), ("lines", CROSS)),
    CONTAINER: (
        ("body", box(0, 0)),
        ("lines", "".join(f"M{n / 14:.3f} .08L{n / 14:.3f} .92" for n in range(1, 14)) + box(0.03, 0.06)),
        ("tag", box(0.38, 0.36)),
    ),
    "console": (
        ("body", box(0, 0)),
        ("screen", box(0.1, 0.14, 0.9, 0.52)),
        ("keys", "M.14 .76L.86 .76"),
    ),
    "barrel": (("body", ring(0.94)), ("top", ring(0.62)), ("lines", ring(0.3))),
    PILLAR: (("body", ring(1)), ("top", ring(0.66)), ("lines", ring(0.84) + CROSS), ("core", ring(0.36))),
    "bed": (
        ("body", box(0, 0)),
        ("top", box(0.05, 0.14, 0.26, 0.86)),
        ("lines", "M.34 .04L.34 .96M.42 .04L.42 .96"),
    ),
    "seat": (("body", box(0.08, 0.08)), ("top", box(0.14, 0.3, 0.86, 0.88)), ("lines", "M.14 .24L.86 .24")),
    "tree": (("body leaf", lobes(1, 9)), ("leaf", lobes(0.66, 7, 0.3)), ("leaf", lobes(0.3, 5, 0.8))),
    "bush": (("body leaf", lobes(1, 8)), ("leaf", lobes(0.66, 6, 0.3)), ("leaf", lobes(0.3, 5, 0.8))),
    "rock": (
        ("body", ROCK),
        ("top", "M.24 .4L.38 .2L.66 .18L.8 .36L.7 .6L.36 .62z"),
        ("lines", "M.7 .6L.76 .96M.36 .62L.3 .96"),
    ),
    "car": (
        ("wheel", "".join(box(x, y, x + 0.16, y + 0.1) for x in (0.12, 0.7) for y in (-0.05, 0.95))),
        ("body", BODY),
        ("glass", "M.6 .16Q.74 .5 .6 .84L.7 .9Q.82 .5 .7 .1zM.16 .18Q.12 .5 .16 .82L.09 .86Q.05 .5 .09 .14z"),
        ("top", "M.2 .14L.57 .14Q.69 .5 .57 .86L.2 .86Q.16 .5 .2 .14z"),
        ("lights", "M.95 .14L.98 .24M.95 .86L.98 .76"),
    ),
    "machine": (
        ("body", box(0, 0)),
        ("top", box(0.08, 0.12)),
        ("lines", "M.2 .3L.8 .3M.2 .5L.5 .5M.2 .7L.5 .7"),
        ("screen", box(0.62, 0.48, 0.82, 0.76)),
    ),
    STALL: (
        ("body wood", box(0, 0)),
        ("awning", "".join(box(n / 7, 0, (n + 1) / 7, 1) for n in range(0, 7, 2))),
        ("lines wood", "M0 .5L1 .5"),
    ),
    "wall": (("body", box(0, 0)), ("lines", "M0 .5L1 .5")),
}
BLOCK = (("body", box(0, 0)), ("top", box(0.12, 0.12)), ("lines", CROSS))  # a pillar that is not round


def guess_thing(name: str) -> str:
    """What a thing looks like by its name; a crate if that says nothing."""
    words = name.lower()
    kinds = (kind for kind, parts in WORDS.items() for part in parts.split(", ") if _has(words, part))
    return next(kinds, CRATE)


def _has(words: str, part: str) -> bool:
    return re.search(rf"\b{part}(s|es)?\b", words) is not None


def find_kind(thing: Obstacle, under_sky: bool) -> str:
    """The kind of a thing as drawn: a long crate is a container, a table under the sky a stall."""
    kind = thing.kind or guess_thing(thing.name)
    if kind == CRATE and max(thing.width, thing.depth) > LONG:
        return CONTAINER
    return STALL if kind == TABLE and under_sky and not thing.kind else kind


def view_things(obstacles: tuple[Obstacle, ...], zones: tuple[Zone, ...]) -> tuple[ThingsView, ...]:
    """All things as drawn, low ones first."""
    found: dict[tuple[bool, int], list[Obstacle]] = {}
    for thing in obstacles:
        kind = find_kind(thing, _is_under_sky(thing, zones))
        is_tall = thing.blocks_sight or thing.height > TALL
        found.setdefault((is_tall, THINGS.index(kind)), []).append(thing)
    groups = sorted(found.items())
    return tuple([ThingsView(THINGS[kind], tuple(all_), is_tall) for (is_tall, kind), all_ in groups])


def _is_under_sky(thing: Obstacle, zones: tuple[Zone, ...]) -> bool:
    x, y = thing.x + thing.width / 2, thing.y + thing.depth / 2
    around = (z for z in reversed(zones) if 0 <= x - z.x <= z.width and 0 <= y - z.y <= z.depth)
    zone = next(around, None)
    return zone is not None and find_floor(zone, {}).is_open


def _find_shapes(kind: str, thing: Obstacle) -> tuple[tuple[str, str], ...]:
    short, long = sorted((thing.width, thing.depth))
    if kind == TABLE:
        edges = ((0.0, BEND), (RIM, BEND - RIM / 2))
        body, lines = (round_box(edge, radius, long, short) for edge, radius in edges)
        return ("body wood", body), ("lines wood", lines)
    return BLOCK if kind == PILLAR and long > ROUND * short else SHAPES[kind]


def _split(kind: str, thing: Obstacle) -> Iterator[tuple[float, float, float, float]]:
    """The units of a thing: left, top, width, depth of each."""
    unit = UNITS.get(kind, 0.0)
    across, down = (
        max(1, min(MOST, round(side / unit))) if unit else 1 for side in (thing.width, thing.depth)
    )
    while across * down > MOST:
        across, down = max(1, across // 2), max(1, down // 2)
    width, depth = thing.width / across, thing.depth / down
    for row in range(down):
        for column in range(across):
            yield thing.x + column * width, thing.y + row * depth, width, depth


def lay(shape: str, x: float, y: float, width: float, depth: float) -> str:
    """A shape in shares as a path in meters, along the long side."""

    def place(found: re.Match[str]) -> str:
        along, over = float(found[1]), float(found[2])
        across, down = (along, over) if width >= depth else (over, along)
        return f"{round(x + across * width, 2):g} {round(y + down * depth, 2):g}"

    return PAIR.sub(place, shape)
