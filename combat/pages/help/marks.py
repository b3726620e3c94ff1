"""What each mark of the table means: drawn by the code that draws the table, so that it cannot go stale."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from msgspec.structs import replace

from characters.faces import KEYS, OTHERS, PLAYED, SIGNS, STRANGE, VEHICLE
from combat.audience.viewer import HealthView
from combat.display.combatants.tokens import HIDDEN, Look
from combat.display.dice import SHAPES
from combat.display.plane.land import view_land
from combat.display.plane.plan import view_plan
from combat.display.plane.plotting import outline_area, write_outline
from combat.display.shapes.result_shapes import Face
from combat.display.shapes.scene_shapes import SceneView
from combat.rules import SYSTEMS, find_system
from combat.rules.core.book.conditions import ConditionKind
from combat.rules.core.declaration.characters import TONES
from combat.rules.core.declaration.parts import ACTION, CONDITION, DAMAGE, list_marks, load_kinds
from combat.rules.core.declaration.system import System
from combat.rules.core.space import (
    DARK,
    DIM,
    FLOORS,
    HAZARDS,
    ROOM,
    Area,
    BattleMap,
    Light,
    Obstacle,
    Scene,
    Wall,
    Zone,
)
from combat.rules.core.space.battle_map import DOOR, FENCE, THINGS, WINDOW

ALLY, FOE, THIRD, NEITHER = "is-ally", "is-foe", "is-third", "is-neutral"
# Words for the levels of health; a game has its own, and the table shows those
LEVELS = ("Fine", "Hurt", "Badly hurt", "Critical", "Out: unconscious, dying or dead")
# The colors of a card, and what they mean; tests/combat/pages/help compares them with those of the table
OUTCOMES = {
    "is-hit": ("Hit", "The roll reached its number: an attack hits, a check succeeds."),
    "is-crit": ("Critical", "Better than that: the game adds something, and the card says what."),
    "is-miss": ("Miss", "The roll fell short."),
    "is-plain": ("14", "A number without a verdict, such as damage or a place in the turn order."),
}
SECTIONS = (
    (ACTION, "Actions", "What someone does. The same icon starts its line in the log."),
    (CONDITION, "Conditions", "What someone suffers or enjoys, on a chip beside the name."),
    (DAMAGE, "Damage", "What hurt someone."),
)
ROW = 6  # meters between rows of the key's map; two are shown, as smoke drifts into the next
WALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("Wall", {}),
    ("Window: it can be seen through", {"kind": WINDOW, "blocks_sight": False}),
    ("Fence or railing", {"kind": FENCE, "blocks_sight": False}),
    ("Door, closed", {"kind": DOOR}),
    ("Door, locked: only the GM opens it", {"kind": DOOR, "locked": True}),
    ("Door, open", {"kind": DOOR, "open": True}),
    ("Secret door: players see a wall", {"kind": DOOR, "secret": True}),
)
OTHERS_BUILT = (
    "Obstacle to look over, such as a crate",
    "Obstacle that blocks sight, such as a container",
    "Lamp, with the ground that it lights",
    "Hidden area: only the GM sees it",
)
PLAN = (  # what a map shows, group by group
    ("Walls, doors and lamps", (*dict(WALLS), *OTHERS_BUILT)),
    ("Floors", FLOORS),
    ("Hazards", HAZARDS),
    ("Little light", (DIM, DARK)),
    ("Things", THINGS),
)
ROUND = ("pillar", "tree", "bush", "rock")


@dataclass(frozen=True)
class Icons:
    """Icons of one section: what they mark, and each kind with its words."""

    title: str
    about: str
    kinds: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Named:
    """A drawing of the table with what it means."""

    drawing: Look | HealthView
    words: str


@dataclass(frozen=True)
class PlanGroup:
    """A part of the key of the map: the row of each thing in meters, with what it means."""

    title: str
    rows: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class GameConditions:
    """The conditions of a game, each with its icon."""

    system: System
    kinds: tuple[tuple[str, ConditionKind], ...]


@dataclass(frozen=True)
class Marks:
    """Everything the page shows."""

    icons: tuple[Icons, ...]
    tokens: tuple[Named, ...]
    busts: tuple[Named, ...]
    health: tuple[Named, ...]
    plan: SceneView
    plan_groups: tuple[PlanGroup, ...]
    dice: tuple[Face, ...]
    outcomes: tuple[tuple[str, str, str], ...]
    conditions: tuple[GameConditions, ...]


@cache
def view_marks() -> Marks:
    """The marks of all games; they change only with the program."""
    games = tuple(find_system(slug) for slug in SYSTEMS)
    return Marks(
        icons=tuple(_find_icons(games)),
        tokens=tuple(_draw_tokens()),
        busts=tuple(_draw_busts()),
        health=tuple(_draw_health()),
        plan=_draw_plan(),
        plan_groups=tuple(_find_groups()),
        dice=(*(Face(f"d{sides}", sides, False) for sides in SHAPES), Face("d6", 6, True)),
        outcomes=tuple((tone, *words) for tone, words in OUTCOMES.items()),
        conditions=tuple(_find_conditions(game) for game in games),
    )


def _find_icons(games: Iterable[System]) -> Iterator[Icons]:
    """The icons of each section, every kind once: where it marks the most things."""
    counts = {
        section: Counter(kind for game in games for kind in game.kinds.sections[section].values())
        for section, _, _ in SECTIONS
    }
    for section, title, about in SECTIONS:
        kinds = load_kinds().items()
        mine = (one for one in kinds if _find_section(one[0], counts) == section)
        yield Icons(title, about, tuple(mine))


def _find_section(kind: str, counts: Mapping[str, Counter[str]]) -> str:
    """The section in which a kind marks the most things; "" if it marks nothing."""
    most = max(counts, key=lambda section: counts[section][kind])
    return most if counts[most][kind] else ""


def _draw_tokens() -> Iterator[Named]:
    (own, *_, neutral, _), (other, third, *_) = PLAYED[0], OTHERS[0]
    yield Named(Look(ALLY, face=own), "A circle: the side of the players.")
    yield Named(Look(FOE, face=other), "A diamond: enemies.")
    yield Named(Look(THIRD, face=third), "A square: another side of enemies.")
    yield Named(Look(NEITHER, face=neutral), "A hexagon: the neutral side.")
    yield Named(Look(FOE, face=other, badge="2"), "A number tells apart those of the same name.")
    yield Named(Look(ALLY, face=own, active=True), "A reticle around it: their turn.")
    marks = tuple(kind for kind in list_marks() if kind in ("prone", "bleeding"))
    yield Named(
        Look(ALLY, face=own, prone=True, marks=marks, more=True),
        "Small signs on the map: conditions, the most urgent two, and + for more. Lying: prone.",
    )
    yield Named(
        Look(FOE, face=other, hidden=True, marks=(HIDDEN,)), "Pale, a struck eye: hidden from players."
    )
    yield Named(Look(FOE, face=other, down=True), "Lying on its side, dashed: out of the fight.")
    yield Named(Look(FOE, face=other, down=True, dead=True), "Lying and crossed out: dead or wrecked.")


def _draw_busts() -> Iterator[Named]:
    for nature, (looks, _) in STRANGE.items():
        first = looks[0]
        look = Look(FOE, face=first) if first in KEYS else Look(FOE, first)
        yield Named(look, nature.capitalize())
    yield Named(Look(FOE, SIGNS[VEHICLE][0]), VEHICLE.capitalize())


def _draw_health() -> Iterator[Named]:
    for level, (tone, words) in enumerate(zip(TONES, LEVELS, strict=True)):
        yield Named(HealthView("", 100 - 25 * level, tone), words)


def _find_groups() -> Iterator[PlanGroup]:
    row = 0
    for title, names in PLAN:
        rows = tuple((ROW * at, name[:1].upper() + name[1:]) for at, name in enumerate(names, row))
        yield PlanGroup(title, rows)
        row += len(names)


def _draw_plan() -> SceneView:
    """One map with everything that can be on one, each in its own row of `ROW` meters."""
    tops = {name: ROW * row for row, name in enumerate(name for _, names in PLAN for name in names)}
    zones = tuple(_lay_zones(tops))
    built = _build(tops)
    outlines = tuple(
        write_outline(outline_area(z.x, z.y, z.width, depth=z.depth, hexes=False)) for z in zones
    )
    marks = tuple((hazard, hazard) for hazard in HAZARDS)
    land = view_land(Scene("", zones, map=built), outlines, marks, width=4, hexes=False, dim=DIM)
    box = (0, 0, 4, ROW * len(tops))
    return SceneView(
        "",
        (),
        (),
        box=box,
        grid="",
        ground=(),
        columns=1,
        plan=view_plan(built),
        land=replace(land, base="", rooms=""),
    )


def _lay_zones(tops: Mapping[str, int]) -> Iterator[Zone]:
    for name in (*FLOORS, *HAZARDS, DIM, DARK):
        floor = name if name in FLOORS else FLOORS[0]
        terrain = (name,) if name in HAZARDS else ()
        light = name if name in (DIM, DARK) else ""
        yield Zone(
            name,
            "",
            0.3,
            y=tops[name] + 0.3,
            width=3.4,
            depth=1.4,
            light=light,
            terrain=terrain,
            floor=floor,
            kind=ROOM,
        )


def _build(tops: Mapping[str, int]) -> BattleMap:
    walls = tuple(
        Wall(f"w{tops[name]}", 0.5, tops[name] + 1, x2=3.5, y2=tops[name] + 1, **look) for name, look in WALLS
    )
    low, tall, lamp, hidden = (tops[name] for name in OTHERS_BUILT)
    obstacles = (
        Obstacle("low", "", 1, y=low + 0.4, width=2, depth=1.2),
        Obstacle("tall", "", 1, y=tall + 0.4, width=2, depth=1.2, blocks_sight=True, kind="container"),
        *(_make_thing(kind, tops[kind]) for kind in THINGS),
    )
    lights = (Light("lamp", 2, lamp + 1, 0.95),)
    return BattleMap(walls, obstacles, lights, hidden=(Area("a", 0.5, hidden + 0.3, width=3, depth=1.4),))


def _make_thing(kind: str, top: float) -> Obstacle:
    width = 1.4 if kind in ROUND else 2.4
    return Obstacle(kind, "", 2 - width / 2, y=top + 0.3, width=width, depth=1.4, kind=kind)


def _find_conditions(game: System) -> GameConditions:
    kinds = game.characters.conditions.values()
    shown = (kind for kind in kinds if kind.for_gm)
    return GameConditions(game, tuple((game.kinds.of_condition(kind.kind), kind) for kind in shown))
