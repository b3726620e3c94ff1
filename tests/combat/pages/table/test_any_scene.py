"""Any scene that the rules take opens for everybody, with the forms and with the app's own play."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest
from django.contrib.auth.models import User
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from combat.audience.viewer import GM, Viewer
from combat.display.forms.action_form import open_form, suggest
from combat.models import Encounter
from combat.pages.table.shapes import view_table
from combat.play.writing.encounter_service import create_encounter
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver
from combat.rules.core.odds.forecast import play_step
from combat.rules.core.odds.proposals import propose
from combat.rules.core.state.state import State, replace
from combat.sharing.viewer_context import ViewerContext
from tests.combat.rules.core.space.maps import obstacles, walls
from tests.combat.rules.games import GAMES
from tests.combat.rules.stage import Stage

HEIGHTS = (0, 0, 0, 3, 3, -4, 0.5, 1.5, 2.999, 6, 8, 1000, -1000)
FLOORS = (0, 0, 3, 3, -4, 2.5, 6)
ASIDE = 30  # meters from deck to deck on the plane
WAYS = ("stairs", "ladder", "lift", "shaft", "hatch", "gallery")
TURNS = 2  # of each fight, played by the app
heights, sides = st.sampled_from(HEIGHTS), st.integers(2, 16)


@st.composite
def decks(draw: st.DrawFn) -> list[dict[str, Any]]:
    floors = draw(st.lists(st.sampled_from(FLOORS), max_size=4))
    return [
        {
            "id": f"deck{n}",
            "name": f"Deck {n}",
            "x": n * ASIDE,
            "y": draw(st.sampled_from((0, -5))),
            "width": draw(st.sampled_from((20, 26))),
            "depth": draw(st.sampled_from((12, 20))),
            "height": height,
            "shift": n * ASIDE if draw(st.booleans()) else draw(st.sampled_from((0, -7))),
        }
        for n, height in enumerate(floors)
    ]


@st.composite
def ways(draw: st.DrawFn, drawn: list[dict[str, Any]]) -> list[dict[str, Any]]:
    pairs = [(low, high) for low in drawn for high in drawn if low["height"] < high["height"]]
    found = []
    for n, (low, high) in enumerate(draw(st.lists(st.sampled_from(pairs), max_size=4)) if pairs else ()):
        x, y, kind = draw(st.integers(1, 12)), draw(st.integers(1, 10)), draw(st.sampled_from(WAYS))
        has_hole = kind == "gallery" or (draw(st.booleans()) and low["shift"] != high["shift"])
        hole = [high["x"] + x + 1, high["y"] + y, draw(st.sampled_from((1, 4))), 2] if has_hole else None
        ends = {"x1": low["x"] + x, "y1": low["y"] + y, "x2": high["x"] + x, "y2": high["y"] + y}
        way = {"id": f"way{n}", "kind": kind, **ends, "hole": hole, "open": draw(st.booleans())}
        found.append(way)
    return found


@st.composite
def zones(draw: st.DrawFn, system: System) -> list[dict[str, Any]]:
    terrains = [key for key, _ in system.space.terrains]
    covers = ["", *(key for key, _ in system.space.covers)]
    found: list[dict[str, Any]] = []
    for n in range(draw(st.integers(0, 5))):
        x, y, width, depth = draw(st.integers(-6, 80)), draw(st.integers(-6, 16)), draw(sides), draw(sides)
        zone: dict[str, Any] = {"id": f"z{n}", "name": f"Zone {n}", "x": x, "y": y, "height": draw(heights)}
        zone |= {"width": width, "depth": depth, "cover": draw(st.sampled_from(covers))}
        zone["terrain"] = (
            draw(st.lists(st.sampled_from(terrains), max_size=2, unique=True)) if terrains else []
        )
        if draw(st.booleans()):
            zone["floor"] = draw(st.sampled_from(("void", "grass", "deck")))
        if draw(st.booleans()):
            zone["parts"] = [{"x": x, "y": y, "width": width / 2, "depth": depth / 3}]
        found.append(zone)
    return found


@st.composite
def scenes(draw: st.DrawFn, system: System) -> dict[str, Any]:
    drawn = draw(decks())
    built = draw(st.lists(walls(), max_size=5)), draw(st.lists(obstacles(), max_size=2))
    whole: dict[str, Any] = {
        "decks": drawn,
        "ways": draw(ways(drawn)),
        "walls": [replace(one, id=f"w{n}") for n, one in enumerate(built[0])],
        "obstacles": [replace(one, id=f"o{n}", cover="") for n, one in enumerate(built[1])],
        "lights": [{"id": "l", "x": draw(st.integers(-3, 40)), "y": 4}] if draw(st.booleans()) else [],
        "fog": draw(st.booleans()),
        "remembers": draw(st.booleans()),
        "cell": draw(st.sampled_from((0, 0, 0.5, 1.5, 3))),
    }
    if draw(st.booleans()):
        whole["picture"] = {"digest": "a" * 64, "x": -2, "y": -2, "width": draw(sides), "depth": draw(sides)}
    if draw(st.booleans()):
        whole["hidden"] = [{"id": "a", "x": draw(st.integers(-5, 60)), "y": 0, "width": 9, "depth": 9}]
    settings = system.book.settings  # a game may have none
    environment = {
        one.key: draw(st.sampled_from([key for key, _ in one.choices]))
        for one in (draw(st.lists(st.sampled_from(settings), max_size=3)) if settings else ())
    }
    scene = {"zones": draw(zones(system)), "map": whole, "settings": environment}
    if draw(st.booleans()):
        scene["starts"] = [{"x": draw(st.integers(0, 60)), "y": 0, "width": 4, "depth": 4} for _ in range(2)]
    return scene


spots = st.tuples(st.integers(-8, 90), st.integers(-8, 22))


@cache
def gather(slug: str) -> State:
    """Two against two, before the fight; the first of them is a player's."""
    stage = Stage(GAMES[slug])
    block = next(iter(stage.system.book.find_blocks()))
    for side, pc in (("allies", True), ("allies", False), ("enemies", False), ("enemies", False)):
        stage.do("join", block=block, side=side, pc=pc)
    return stage.state


def lay(system: System, scene: dict[str, Any], places: list[tuple[int, int]]) -> State:
    """The fight on a scene, with people who are put at places; Refused for a scene that the rules refuse."""
    stage = Stage(system)
    stage.stays, stage.state = False, gather(system.slug)
    stage.do("set_scene", scene=scene)
    for who, (x, y) in zip(stage.state.combatants, places, strict=False):
        stage.do("place", target=who, x=x, y=y)
    return stage.state


def spoil(state: State, levels: list[float]) -> State:
    """The same as an older release may have stored it: its zones and people at heights that say nothing."""
    scene = state.scene
    odd = tuple(replace(zone, height=levels[n % len(levels)]) for n, zone in enumerate(scene.zones))
    people = {
        who: replace(one, at=replace(one.at, z=levels[n % len(levels)]))
        for n, (who, one) in enumerate(state.combatants.items())
    }
    return replace(state, scene=replace(scene, zones=odd), combatants=people)


def open_everywhere(encounter: Encounter, state: State) -> None:
    """The table for everybody; the forms of whoever acts, and what the app advises."""
    actor = state.active
    for viewer in (GM, Viewer(seats=frozenset(("f1",))), Viewer()):
        context = ViewerContext(encounter, viewer, decoded=state)
        table = view_table(context)
        assert table.scene.box[2] > 0
        if not actor or not (viewer.is_gm or actor in viewer.seats):
            continue
        for name in ("attack", "move"):
            if action := context.system.actions.by_name.get(name):
                open_form(context, action, actor, {}, refused=False)
        suggest(context, actor)


def play_on(system: System, state: State, auto: AutoDriver) -> State:
    """The next turns as the app plays them."""
    for _ in range(TURNS):
        for _ in range(4):
            found = propose(system, state, state.active) if state.active else None
            if found is None:
                break
            try:
                state = play_step(system, state, *found, auto).state
            except Refused:
                break
        if state.phase == "fight":
            state = play_step(system, state, system.actions.advance, command=None, auto=auto).state
    return state


@pytest.fixture
def encounter(slug: str, gm: User) -> Encounter:
    return create_encounter(gm, slug, "Any scene")


@pytest.mark.slow
@pytest.mark.parametrize("slug", GAMES)
@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_any_scene_opens_for_everybody_and_is_played(
    slug: str, encounter: Encounter, data: st.DataObject
) -> None:
    check(GAMES[slug], encounter, data)


def check(system: System, encounter: Encounter, data: st.DataObject) -> None:
    try:
        state = lay(system, data.draw(scenes(system)), data.draw(st.lists(spots, max_size=4)))
    except Refused:
        assume(False)
    if data.draw(st.booleans()):
        state = spoil(state, data.draw(st.lists(heights, min_size=1, max_size=3)))
    auto = AutoDriver(random.Random(1), tells=False)
    state = play_step(system, state, system.actions.start, command=None, auto=auto).state
    open_everywhere(encounter, state)
    open_everywhere(encounter, play_on(system, state, auto))
