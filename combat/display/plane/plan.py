"""What is built on a scene, as one viewer may see it: walls, doors, obstacles, lights, a picture.

Walls of one kind are one path: two thousand of them are a few kilobytes and one element.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from combat.display.plane.plotting import write_outline
from combat.rules.core.space import Area, BattleMap, Light, Obstacle, Picture, Wall
from combat.rules.core.space.barriers import Plan, plan_of
from combat.rules.core.space.battle_map import DOOR
from combat.rules.core.space.doorways import Edge
from combat.rules.core.space.hexes import Spot
from combat.rules.core.space.rays.lights import outline_light

LOOKS = {"wall": "wall", "window": "wall wall-window", "fence": "wall wall-fence"}


@dataclass(frozen=True)
class WallsView:
    """All walls that look alike, as one path."""

    look: str
    path: str


@dataclass(frozen=True)
class DoorView:
    """A door: its place, its state in words, and its look."""

    id: str
    name: str
    words: str
    path: str
    look: str
    open: bool
    spot: Spot


@dataclass(frozen=True)
class LightView:
    """A lamp, and the outline of its light, which ends at walls."""

    x: float
    y: float
    radius: float
    path: str = ""


@dataclass(frozen=True)
class PlanView:
    """Everything built on a scene."""

    walls: tuple[WallsView, ...] = ()
    doors: tuple[DoorView, ...] = ()
    obstacles: tuple[Obstacle, ...] = ()
    lights: tuple[LightView, ...] = ()
    hidden: tuple[Area, ...] = ()
    picture: Picture | None = None
    fog: bool = False
    remembers: bool = True


NO_PLAN = PlanView()


class Drawn(NamedTuple):
    """The walls of a map as paths, its doors, and two corners of the rectangle around them."""

    walls: tuple[WallsView, ...] = ()
    doors: tuple[DoorView, ...] = ()
    corners: tuple[Spot, ...] = ()


NOTHING_DRAWN = Drawn()


def view_plan(battle_map: BattleMap) -> PlanView:
    """A battle map as drawn."""
    walls, doors, _ = find_drawn(battle_map)
    return PlanView(
        walls,
        doors,
        battle_map.obstacles,
        tuple(view_light(battle_map, light) for light in battle_map.lights),
        battle_map.hidden,
        battle_map.picture,
        battle_map.fog,
        battle_map.remembers,
    )


def view_light(battle_map: BattleMap, light: Light) -> LightView:
    """A lamp as drawn: its light ends at what blocks sight."""
    corners = outline_light(plan_of(battle_map), light)
    return LightView(light.x, light.y, light.radius, write_outline(corners) if corners else "")


def find_drawn(battle_map: BattleMap) -> Drawn:
    """The walls and doors of a map as drawn, and two corners of the rectangle around them."""
    if not battle_map.walls:
        return NOTHING_DRAWN
    plan = plan_of(battle_map)
    found: Drawn | None = plan.kept.get(Drawn)
    return found or plan.keep(Drawn, _draw(plan))


def _draw(plan: Plan) -> Drawn:
    walls = plan.battle_map.walls
    doors = (wall for wall in walls if wall.kind == DOOR)
    named = tuple(view_door(door, number) for number, door in enumerate(doors, 1))
    xs = [x for wall in walls for x in (wall.x1, wall.x2)]
    ys = [y for wall in walls for y in (wall.y1, wall.y2)]
    return Drawn(_join(plan), named, ((min(xs), min(ys)), (max(xs), max(ys))))


def _join(plan: Plan) -> tuple[WallsView, ...]:
    """The walls without the gaps of doors, one path for each kind."""
    found: dict[str, list[str]] = {kind: [] for kind in LOOKS}
    for wall, barrier in zip(plan.battle_map.walls, plan.index.barriers, strict=False):
        if wall.kind in found:
            found[wall.kind] += map(draw_edge, barrier.edges)
    return tuple(WallsView(LOOKS[kind], "".join(paths)) for kind, paths in found.items() if paths)


def draw_edge(edge: Edge) -> str:
    """A straight piece of wall as an SVG path."""
    x1, y1, x2, y2 = edge
    across, down = x2 - x1, y2 - y1
    start = f"M{round(x1, 2):g} {round(y1, 2):g}"
    if not across:
        return f"{start}v{round(down, 2):g}"
    return start + (f"l{round(across, 2):g} {round(down, 2):g}" if down else f"h{round(across, 2):g}")


def view_door(door: Wall, number: int) -> DoorView:
    """A door with its name and state in words."""
    states = [
        "secret" if door.secret else "",
        "open" if door.open else "locked" if door.locked else "closed",
    ]
    look = "door door-open" if door.open else "door door-secret" if door.secret else "door"
    return DoorView(
        door.id,
        name_door(door, number),
        ", ".join(word for word in states if word),
        draw_edge((door.x1, door.y1, door.x2, door.y2)),
        look,
        door.open,
        ((door.x1 + door.x2) / 2, (door.y1 + door.y2) / 2),
    )


def name_door(door: Wall, number: int) -> str:
    """The name of a door, or its number among the doors."""
    return door.name or f"Door {number}"


def find_spots(battle_map: BattleMap) -> list[Spot]:
    """Spots that the picture must contain to show everything that is built."""
    spots = [*find_drawn(battle_map).corners]
    boxes: list[Obstacle | Picture] = [*battle_map.obstacles, *filter(None, [battle_map.picture])]
    for box in boxes:
        spots += [(box.x, box.y), (box.x + box.width, box.y + box.depth)]
    return spots + [(light.x, light.y) for light in battle_map.lights]
