"""Maps for tests: made by hypothesis on a grid of quarter meters, and a big one for benchmarks."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from combat.rules.core.space import BattleMap, Obstacle, Point, Wall
from combat.rules.core.space.rays.sight import Body
from combat.rules.core.state.state import replace

quarters = st.integers(-24, 24).map(lambda n: n / 4)
cells = st.integers(-6, 6)
places = st.builds(lambda x, y: Point(float(x), float(y)), cells, cells)
bodies = st.builds(Body, places, st.sampled_from((0.0, 0.0, 2.0)))


@st.composite
def walls(draw: st.DrawFn, name: str = "w") -> Wall:
    x, y = draw(quarters), draw(quarters)
    dx, dy = draw(st.sampled_from(((1, 0), (0, 1), (3, 0), (0, 5), (2, 2), (-1, 3), (0.25, 0))))
    sort = draw(st.sampled_from(("wall", "wall", "window", "fence", "door")))
    is_open = sort == "door" and draw(st.booleans())
    sight, cover = sort in ("wall", "door"), draw(st.sampled_from(("full", "low", "")))
    return Wall(name, x, y, x + dx, y + dy, sort, cover, sight, open=is_open)


@st.composite
def obstacles(draw: st.DrawFn) -> Obstacle:
    side, height = st.sampled_from((0.5, 1.0, 2.0)), draw(st.sampled_from((0.5, 2.0)))
    x, y = draw(quarters), draw(quarters)
    return Obstacle("c", "Crate", x, y, draw(side), draw(side), height, "low")


@st.composite
def battle_maps(draw: st.DrawFn, most: int = 12) -> BattleMap:
    lines = draw(st.lists(walls(), max_size=most))
    things = draw(st.lists(obstacles(), max_size=2))
    return BattleMap(
        tuple(replace(wall, id=f"w{number}") for number, wall in enumerate(lines)),
        tuple(replace(thing, id=f"c{number}") for number, thing in enumerate(things)),
    )


def make_city(count: int = 2000, size: int = 100, seed: int = 1) -> BattleMap:
    """This many walls of 1 to 5 m along the edges of squares."""
    chance, made = random.Random(seed), []
    for number in range(count):
        x, y, long = chance.randrange(size) + 0.5, chance.randrange(size) + 0.5, chance.choice([1, 2, 3, 5])
        end = (x + long, y) if chance.random() < 0.5 else (x, y + long)
        made.append(Wall(f"w{number}", x, y, *end))
    return BattleMap(tuple(made))


def wall_with_door(x: float) -> list[dict[str, object]]:
    """A wall from north to south with one door, from 3 to 4.5 m down."""
    ends = (("s", -450, 3), ("d", 3, 4.5), ("n", 4.5, 450))
    walls: list[dict[str, object]] = [
        {"id": name, "x1": x, "y1": y1, "x2": x, "y2": y2} for name, y1, y2 in ends
    ]
    return [{**wall, "kind": "door"} if wall["id"] == "d" else wall for wall in walls]
