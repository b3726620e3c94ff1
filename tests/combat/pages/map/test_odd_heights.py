"""Zones of any height on decks: they are made by one door, and no page falls over one."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.space import Point, on_ground
from combat.rules.core.state.state import State
from tests.combat.cast import gather
from tests.combat.rules.every_game.decks import HEIGHT, LADDER, SHAFT, make_ship, make_zones
from tests.combat.visit import MARCUS, PIRATE, SLUG, ZARA, Visit, begun, demo_fight, read, state_of

LOCKER = {"name": "Locker", "x": "40", "y": "3", "width": "5", "depth": "6"}


@pytest.fixture
def visit(gm: User, gm_client: Client) -> Visit:
    return Visit(gm_client, demo_fight(gm, SLUG).pk, htmx=False)


def lay(pk: int, **more: Any) -> None:
    """The ship of the tests: Zara below the shaft, the pirate beside it above."""
    submit(pk, Submission("set_scene", {"scene": {"zones": make_zones()}}))
    submit(pk, Submission("set_map", {"map": {**make_ship(LADDER, SHAFT), **more}}))
    for who, x, y in ((ZARA, 12, 6), (MARCUS, 2, 2), (PIRATE, 41, 6)):
        submit(pk, Submission("place", {"target": who, "x": x, "y": y}))


def locker(state: State) -> Any:
    return state.scene.zones[-1]


def post_zone(visit: Visit, **fields: str) -> None:
    found = visit.client.post(f"{visit.here}prep/", {"do": "zone", **LOCKER, **fields})
    assert found.status_code == 303, found.content.decode()[:3000]


def test_the_form_of_a_zone_says_its_height_above_its_deck(visit: Visit) -> None:
    lay(visit.pk)
    post_zone(visit)
    assert locker(state_of(visit.pk)).height == HEIGHT
    page = read(visit.client.get(f"{visit.here}prep/", {"edit": "locker"}))
    fields = page.fields(page.one("form", id="zone"))
    assert fields["height"] == "0"
    post_zone(visit, id="locker", height="1.5")
    assert locker(state_of(visit.pk)).height == HEIGHT + 1.5
    post_zone(visit, id="locker", height="1.5", x="12")
    assert locker(state_of(visit.pk)).height == 1.5, "moved to the deck below, it stands as high above that"


def test_a_zone_that_is_dragged_to_another_deck_lies_on_that(visit: Visit) -> None:
    lay(visit.pk)
    post_zone(visit, height="1")
    for points, height in (("4,4; 8,8", 1), ("30,4; 34,8", HEIGHT + 1)):
        sent = {"do": "reshape", "shape": "zones:locker", "points": points}
        visit.client.post(f"{visit.here}scene/", sent)
        assert locker(state_of(visit.pk)).height == height


@pytest.mark.slow
@pytest.mark.parametrize("height", [0, HEIGHT, HEIGHT + 0.5, 1, -40, 1000])
def test_a_scene_with_a_zone_of_any_height_opens_for_everybody(gm: User, height: float) -> None:
    encounter = begun(gm)
    pk = encounter.pk
    lay(pk, fog=True)
    odd = {"id": "l", "name": "Locker", "x": 38, "y": 3, "width": 6, "depth": 6, "height": height}
    submit(pk, Submission("set_scene", {"scene": {"zones": [*make_zones(), odd]}}))
    submit(pk, Submission("place", {"target": PIRATE, "x": 41, "y": 6}))
    cast = gather(encounter, ZARA, MARCUS)
    for role in ("gm", "player", "watcher"):
        assert cast[role].get(f"/encounters/{pk}/").status_code == 200, role
    for do in ("attack", "move"):
        assert cast["gm"].get(f"/encounters/{pk}/", {"do": do, "combatant": ZARA}).status_code == 200
    state = state_of(pk)
    assert state[PIRATE].at == on_ground(state.scene, Point(41, 6))
