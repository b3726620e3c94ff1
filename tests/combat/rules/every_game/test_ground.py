"""What is ground here: each kind of ground, asked by each of those who ask; every cell has its answer."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise, product
from typing import Any, NamedTuple

import pytest

from combat.rules.core.declaration.system import System
from combat.rules.core.map.starts import leaves_ground
from combat.rules.core.space import BattleMap, Point, Scene, distance, map_of, name_zone
from combat.rules.core.space.decks import find_deck
from combat.rules.core.space.ground import has_ground, is_drawn, is_ground, squares_around
from combat.rules.core.state.state import present
from combat.rules.cosmos.environment import has_surface
from tests.combat.rules.every_game.autoplay import play
from tests.combat.rules.every_game.decks import DECKS, HEIGHT, LADDER, make_zones
from tests.combat.rules.games import GAMES, every_game
from tests.combat.rules.stage import Stage

Box = tuple[float, float, float, float]  # left, top, right, low
YARD = {"id": "yard", "name": "Yard", "x": 0, "y": 0, "width": 40, "depth": 20}
CORNERS = [(0, 0), (40, 0), (40, 20), (0, 20), (0, 0)]
HOUSE = [
    {"id": f"w{n}", "x1": a[0], "y1": a[1], "x2": b[0], "y2": b[1]}
    for n, (a, b) in enumerate(pairwise(CORNERS))
]
CRATE = {"id": "crate", "name": "Crate", "x": 10, "y": 6, "width": 2, "depth": 2}
FAR_CRATE = {**CRATE, "id": "far", "x": 38, "y": 16}
PICTURE = {"digest": "a" * 64, "x": 0, "y": 0, "width": 40, "depth": 20}
SMOKE = {"id": "smoke", "name": "Smoke", "x": 18, "y": 8, "width": 4, "depth": 4, "patch": True}
HOLD, QUARTERS = (-1, -1, 21, 13), (23, -1, 45, 13)  # the two decks
WHOLE: Box = (0, 0, 40, 20)


class Kind(NamedTuple):
    """A kind of ground: the scene, what of the plane is ground, two spots on it, and where none is."""

    scene: dict[str, Any]
    ground: tuple[Box, ...]
    spots: tuple[tuple[float, float], tuple[float, float]]
    beyond: tuple[float, float] | None = (200, 200)


SPOTS = (4, 4), (36, 14)
KINDS = {
    "a zone": Kind({"zones": [YARD]}, (WHOLE,), SPOTS),
    "walls": Kind({"map": {"walls": HOUSE}}, (WHOLE,), SPOTS),
    "things": Kind({"map": {"obstacles": [CRATE, FAR_CRATE]}}, ((10, 6, 40, 18),), ((14, 7), (36, 14))),
    "a picture": Kind({"map": {"picture": PICTURE}}, (WHOLE,), SPOTS),
    "a picture with a crate": Kind({"map": {"picture": PICTURE, "obstacles": [CRATE]}}, (WHOLE,), SPOTS),
    "a picture with a crate beside it": Kind(
        {"map": {"picture": PICTURE, "obstacles": [{**CRATE, "x": 60}]}}, (WHOLE, (60, 6, 62, 8)), SPOTS
    ),
    "a picture with walls": Kind({"map": {"picture": PICTURE, "walls": HOUSE[:2]}}, (WHOLE,), SPOTS),
    "decks": Kind({"map": {"decks": DECKS, "ways": [LADDER]}}, (HOLD, QUARTERS), ((0, 0), (42, 11))),
    "decks with a crate": Kind(
        {"map": {"decks": DECKS, "ways": [LADDER], "obstacles": [CRATE]}},
        (HOLD, QUARTERS),
        ((0, 0), (42, 11)),
    ),
    "decks with zones": Kind(
        {"zones": make_zones(), "map": {"decks": DECKS, "ways": [LADDER]}},
        (HOLD, QUARTERS),
        ((0, 0), (42, 11)),
    ),
    "a zone on one deck": Kind(
        {"zones": make_zones()[:1], "map": {"decks": DECKS, "ways": [LADDER]}},
        (HOLD, QUARTERS),
        ((0, 0), (42, 11)),
    ),
    "walls under smoke": Kind({"zones": [SMOKE], "map": {"walls": HOUSE}}, (WHOLE,), SPOTS),
    "a picture under smoke": Kind({"zones": [SMOKE], "map": {"picture": PICTURE}}, (WHOLE,), SPOTS),
    "decks under smoke": Kind(
        {"zones": [SMOKE], "map": {"decks": DECKS}}, (HOLD, QUARTERS), ((0, 0), (42, 11))
    ),
}
# What else a scene has, and why it is no ground
NO_GROUND = {
    "name": "words",
    "settings": "the environment",
    "notes": "words",
    "starts": "lie on the ground that is there",
    "lights": "shine on it",
    "grid": "how it is divided",
    "cell": "how it is divided",
    "hidden": "what of it players know",
    "fog": "what of it players know",
    "remembers": "what of it players know",
    "explored": "what of it players know",
    "weather": "a look",
    "sky": "a look",
    "ways": "join decks",
}


def is_inside(boxes: tuple[Box, ...], at: Point, more: float = 0.0) -> bool:
    return any(
        left - more <= at.x <= right + more and top - more <= at.y <= low + more
        for left, top, right, low in boxes
    )


def put_sides_apart(stage: Stage, kind: Kind) -> None:
    """Starts: both sides stand on the ground, apart."""
    stage.stays = False
    block = next(iter(stage.system.book.find_blocks()))
    stage.do("join", block=block, side="allies", count=3)
    stage.do("join", block=block, side="enemies", count=3)
    people = present(stage.state)
    for one in people:
        stage.edit(one.id, at=Point(500, 500))
    stage.do("place_by_side")
    people = present(stage.state)
    assert all(is_inside(kind.ground, one.at) for one in people), [one.at for one in people]
    assert len({one.at for one in people}) == len(people)
    sides = [[one.at for one in people if one.side == side] for side in ("allies", "enemies")]
    assert min(distance(a, b) for a, b in product(*sides)) > 8


def let_people_join(stage: Stage, kind: Kind) -> None:
    """Newcomers of three sides: they stand on the ground."""
    stage.stays = False
    block = next(iter(stage.system.book.find_blocks()))
    for side in ("allies", "enemies", "others"):
        stage.do("join", block=block, side=side, count=6)
    people = present(stage.state)
    assert all(is_inside(kind.ground, one.at) for one in people), [one.at for one in people]


def move_by_itself(stage: Stage, kind: Kind) -> None:
    """Auto-play: it walks from ground to ground, and not beyond."""
    scene = stage.state.scene
    here, there = (Point(*spot) for spot in kind.spots)
    assert is_drawn(scene, here)
    assert is_drawn(scene, there)
    assert not leaves_ground(scene, (here, there), there)
    if kind.beyond:
        assert leaves_ground(scene, (here, Point(*kind.beyond), there), there)


def find_squares(stage: Stage, kind: Kind) -> None:
    """Squares in reach: those on the ground."""
    scene = stage.state.scene
    for spot in kind.spots:
        assert is_ground(scene, Point(*spot))
        around = squares_around(scene, Point(*spot), 3)
        assert len(around) > 8
        assert len(around) == len(set(around))


def arrive_at_edges(stage: Stage, kind: Kind) -> None:
    """Edges of the map: those of all its ground, where reinforcements come from."""
    stage.stays = False
    block = next(iter(stage.system.book.find_blocks()))
    for edge in ("north", "south", "west", "east"):
        here = stage.state.combatants.keys()
        stage.do("join", block=block, side="enemies")
        (who,) = stage.state.combatants.keys() - here
        stage.do("hold_back", targets=[who], edge=edge)
        stage.do("arrive", reserve=stage.state.all_reserves[-1].id)
        assert is_inside(kind.ground, stage[who].at), (edge, stage[who].at)


def push_off(stage: Stage, kind: Kind) -> None:
    """Pushes in zero gravity, which one game has: there is something to push off from on all ground."""
    for spot in kind.spots:
        assert has_surface(stage.state, Point(*spot))


def name_places(stage: Stage, kind: Kind) -> None:
    """Names: smoke and flames have one, and what is no zone has none of a zone elsewhere."""
    for spot in kind.spots:
        zones = [z for z in kind.scene.get("zones", ()) if is_inside((_box(z),), Point(*spot))]
        assert name_zone(stage.state.scene, Point(*spot)) == (zones[-1]["name"] if zones else "")


def _box(zone: dict[str, Any]) -> Box:
    return zone["x"], zone["y"], zone["x"] + zone["width"], zone["y"] + zone["depth"]


ASKERS: tuple[Callable[[Stage, Kind], None], ...] = (
    put_sides_apart,
    let_people_join,
    move_by_itself,
    find_squares,
    arrive_at_edges,
    push_off,
    name_places,
)


@pytest.mark.parametrize("ask", ASKERS, ids=lambda ask: ask.__name__)
@pytest.mark.parametrize("name", KINDS)
def test_each_kind_of_ground_has_an_answer_for_each_who_asks(
    name: str, ask: Callable[[Stage, Kind], None]
) -> None:
    for slug in ["cosmos"] if ask is push_off else GAMES:
        ask(lay(slug, KINDS[name].scene), KINDS[name])


def lay(slug: str, scene: dict[str, Any], *, weightless: bool = True) -> Stage:
    """A stage of a game on a map, `weightless` where a game knows that."""
    stage = Stage(GAMES[slug])
    settings = dict(stage.system.space.zones.drawn_settings)
    known = {one.key: dict(one.choices) for one in stage.system.book.settings}
    if weightless and "zero" in known.get("gravity", ()):
        settings["gravity"] = "zero"
    stage.do("set_scene", scene={**scene, "settings": settings})
    return stage


def test_every_part_of_a_scene_is_ground_or_says_why_not() -> None:
    parts = {*Scene.__struct_fields__, *BattleMap.__struct_fields__} - {"map"}
    laid = {part for kind in KINDS.values() for part in (*kind.scene, *kind.scene.get("map", {}))} - {"map"}
    assert parts == laid | NO_GROUND.keys()


def test_where_nothing_is_drawn_the_ground_is_everywhere() -> None:
    for scene in (Scene(), Scene(map=BattleMap(fog=True))):
        assert not has_ground(scene)
        assert is_drawn(scene, Point(300, 300))
    assert has_surface(lay("cosmos", {}).state, Point(300, 300))


ROOM = {"id": "room", "name": "Bay", "x": 8, "y": 0, "width": 12, "depth": 12}
UPSTAIRS = {**ROOM, "id": "up", "name": "Bunks", "x": 32, "height": HEIGHT}
BULKHEADS = [{"id": f"b{n}", "x1": x, "y1": 0, "x2": x, "y2": 3} for n, x in enumerate((8, 32))]


@pytest.mark.parametrize(
    "built",
    [
        {},
        {"obstacles": [CRATE]},
        {"obstacles": [CRATE, {**CRATE, "id": "second", "x": 40, "y": 10}]},
        {"zones": [ROOM, UPSTAIRS], "walls": BULKHEADS},
    ],
    ids=["bare", "a crate", "two crates", "rooms and walls"],
)
@every_game
def test_the_app_climbs_a_ladder_beyond_all_that_is_drawn(system: System, built: dict[str, Any]) -> None:
    drawn = {"decks": DECKS, "ways": [{**LADDER, "y1": 1, "y2": 1}], **built}
    zones = drawn.pop("zones", [])
    stage = lay(system.slug, {"zones": zones, "map": drawn}, weightless=False)
    stage.stays = False
    block = next(iter(system.book.find_blocks()))
    stage.do("join", block=block, side="allies", count=2)
    stage.do("join", block=block, side="enemies", count=2)
    foes = [one.id for one in present(stage.state) if one.side == "enemies"]
    for n, one in enumerate(present(stage.state)):
        stage.do("place", target=one.id, x=(38 if one.id in foes else 14) + n, y=8)
    fight = play(system, stage.state, seed=1, rounds=20)
    decks = map_of(fight.end.scene).decks
    climbed = [
        one.name
        for move in fight.moves
        for one in present(move.before)
        if (find_deck(decks, one.at.x, one.at.y) == decks[1]) != (one.id in foes)
    ]
    assert climbed
    assert not [text for text in fight.odd if "no effect" not in text]
