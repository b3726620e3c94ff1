"""Decks at the table: the switch, the ways, people on another deck; what fog and hidden areas keep back."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from msgspec import to_builtins
from playwright.sync_api import Page as Browser
from playwright.sync_api import expect

from combat.audience.viewer import Viewer
from combat.models import Encounter
from combat.pages.sharing.open_state import write_state
from combat.pages.table.shapes import view_table
from combat.play.scenes.ready import find_ready_scene
from combat.play.writing.encounter_service import Submission, submit
from combat.sharing.viewer_context import ViewerContext
from tests.combat.audience.test_leaks import calm
from tests.combat.cast import gather
from tests.combat.rules.every_game.decks import LADDER, SHAFT, SHIFT, make_ship, make_zones
from tests.combat.visit import MARCUS, PIRATE, SLUG, ZARA, Visit, demo_fight, load, read, state_of

SWITCH, GHOSTS = "data-deck", "deck-ghost"


def lay(pk: int, **more: Any) -> None:
    """The ship of the tests: Zara below the shaft, the pirate beside it above."""
    submit(pk, Submission("set_scene", {"scene": {"zones": make_zones()}}))
    submit(pk, Submission("set_map", {"map": {**make_ship(LADDER, SHAFT), **more}}))
    for who, x, y in ((ZARA, 12, 6), (MARCUS, 2, 2), (PIRATE, 41, 6)):
        submit(pk, Submission("place", {"target": who, "x": x, "y": y}))


@pytest.fixture
def visit(gm: User, gm_client: Client) -> Visit:
    return Visit(gm_client, demo_fight(gm, SLUG).pk, htmx=False)


def test_the_switch_says_who_is_on_which_deck(visit: Visit) -> None:
    lay(visit.pk)
    page = read(visit.client.get(visit.here))
    shown = {one["title"]: one.text for one in page.all("button") if one[SWITCH]}
    names = {who: state_of(visit.pk)[who].name for who in (ZARA, MARCUS, PIRATE)}
    assert any(names[PIRATE] in title and "Quarters" in text for title, text in shown.items())
    assert any(
        names[ZARA] in title and names[MARCUS] in title and "Hold" in text for title, text in shown.items()
    )
    said = {one["aria-label"] for one in page.all("g", class_=GHOSTS)}
    assert f"{names[PIRATE]}, above on Quarters" in said
    assert f"{names[ZARA]}, below on Hold" in said
    assert any("Ladder up to Quarters" in one["aria-label"] for one in page.all("g", class_="deck-way"))


def test_a_scene_with_one_deck_has_no_switch(visit: Visit) -> None:
    page = visit.client.get(visit.here).content.decode()
    assert SWITCH not in page
    assert "deck-" not in page.split("<main")[-1]


def test_players_are_not_told_of_a_deck_that_is_hidden_or_in_fog(gm: User) -> None:
    encounter = demo_fight(gm, SLUG)
    hidden = [{"id": "a", "x": 22, "y": -2, "width": 24, "depth": 16}]
    cast = gather(encounter, ZARA, MARCUS)
    for more in ({"hidden": hidden}, {"fog": True, "ways": [LADDER]}):
        lay(encounter.pk, **more)
        for role in ("player", "other", "watcher"):
            page = cast[role].get(f"/encounters/{encounter.pk}/").content.decode()
            assert "Quarters" not in page, role
            assert GHOSTS not in page, role


@pytest.mark.slow
def test_other_people_on_a_hidden_deck_change_no_byte_for_players(gm: User) -> None:
    encounter = demo_fight(gm, SLUG)
    lay(encounter.pk, hidden=[{"id": "a", "x": 22, "y": -2, "width": 24, "depth": 16}])
    cast = gather(encounter, ZARA, MARCUS)
    pages = []
    for x in (41, 30):
        submit(encounter.pk, Submission("place", {"target": PIRATE, "x": x, "y": 6}))
        pages.append(calm(cast["player"].get(f"/encounters/{encounter.pk}/").content.decode()))
    assert pages[0] == pages[1]


@pytest.mark.slow
def test_a_deck_is_chosen_by_button_and_key(table: Browser, started: Encounter) -> None:
    scene = to_builtins(find_ready_scene("free_trader").scene)
    submit(started.pk, Submission("set_scene", {"scene": scene}))
    table.reload()
    upper = table.get_by_role("button", name=re.compile("Upper deck"))
    upper.click()
    expect(upper).to_have_attribute("aria-pressed", "true")
    left = table.evaluate("() => document.querySelector('.map').viewBox.baseVal.x")
    assert left > 20
    table.locator("svg.map").first.press("PageDown")
    expect(table.get_by_role("button", name=re.compile("Cargo deck"))).to_have_attribute(
        "aria-pressed", "true"
    )


def tell(encounter: Encounter) -> str:
    """What Zara's player reads of a fight: the table's shapes, and its state for programs."""
    context = ViewerContext(load(encounter.pk), Viewer("seat", frozenset((ZARA,))))
    table = view_table(context)
    return re.sub(r"version='[^']*'", "", f"{table.scene} {table.everyone} {write_state(context)}")


def test_fog_opens_on_the_other_deck_only_where_the_hole_shows_it(started: Encounter) -> None:
    """Pairs of worlds: with and without an idol and its wall up there, in and out of sight."""
    settings = dict(state_of(started.pk).scene.settings)
    submit(started.pk, Submission("set_scene", {"scene": {"zones": make_zones(), "settings": settings}}))
    for other in state_of(started.pk).combatants:
        submit(started.pk, Submission("place", {"target": other, "x": 2, "y": 11}))
    told = {}
    for way in (SHAFT, {**SHAFT, "open": False}):
        submit(started.pk, Submission("set_map", {"map": make_ship(way, fog=True)}))
        submit(started.pk, Submission("place", {"target": ZARA, "x": 12, "y": 6}))
        for x in (None, SHIFT + 17, SHIFT + 2):  # nothing, in sight, out of sight
            idol = {"id": "o1", "name": "Idol", "x": x, "y": 6, "width": 1, "depth": 1}
            wall = {"id": "w1", "kind": "wall", "x1": x, "y1": 7.3, "x2": (x or 0) + 1, "y2": 7.3}
            if x:
                submit(started.pk, Submission("change_map", {"obstacles": [idol], "walls": [wall]}))
            told[way.get("open", True), x] = tell(started)
    assert "Idol" in told[True, SHIFT + 17]
    assert "Quarters" in told[True, None], "the deck is known by what is seen of it"
    assert told[True, SHIFT + 2] == told[True, None]
    assert "Quarters" not in told[False, None]
    assert told[False, SHIFT + 17] == told[False, SHIFT + 2] == told[False, None]
