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
from pytest_django.live_server_helper import LiveServer

from combat.audience.viewer import GM, Viewer
from combat.display.plane.crowd import TOKEN_METERS, find_body, overlaps
from combat.display.shapes.scene_shapes import DeckGhost
from combat.models import Encounter
from combat.pages.sharing.open_state import write_state
from combat.pages.table.shapes import view_table
from combat.play.scenes.ready import find_ready_scene
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from combat.sharing.viewer_context import ViewerContext
from tests.browser import wait_for_map
from tests.combat.audience.test_leaks import calm
from tests.combat.cast import gather
from tests.combat.rules.every_game.decks import LADDER, SHAFT, SHIFT, make_ship, make_zones
from tests.combat.visit import MARCUS, PIRATE, SLUG, ZARA, Visit, demo_fight, load, read, state_of

FRESH = "#table[data-fresh]"  # until then, what has just come does nothing

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


def test_people_on_all_decks_are_of_one_size_and_fit_a_cabin(visit: Visit) -> None:
    """As on a map of one deck: two that lie side by side are no wider scene."""
    scene = to_builtins(find_ready_scene("free_trader").scene)
    submit(visit.pk, Submission("set_scene", {"scene": scene}))
    for who, x, y in ((ZARA, 12, 6), (MARCUS, 38, 9), (PIRATE, 50, 6)):
        submit(visit.pk, Submission("place", {"target": who, "x": x, "y": y}))
    drawn = {one.scale for one in view_table(ViewerContext(load(visit.pk), GM)).scene.tokens}
    assert len(drawn) == 1
    assert drawn.pop() * TOKEN_METERS < 2  # a passage


def test_names_on_another_deck_cover_neither_people_nor_names(visit: Visit) -> None:
    """A crowd at a shaft with a gallery beside it: each is drawn one time, some without words."""
    lay(visit.pk)
    gallery = {"id": "g", "kind": "gallery", "x1": 10, "y1": 3, "x2": 34, "y2": 3, "hole": [33, 4, 3, 3]}
    submit(visit.pk, Submission("change_map", {"ways": [gallery]}))
    block = next(iter(find_system(SLUG).book.find_blocks()))
    submit(visit.pk, Submission("join", {"block": block, "name": "Boarder", "side": "pirates", "count": 6}))
    for n, who in enumerate(state_of(visit.pk).combatants):
        submit(
            visit.pk,
            Submission("place", {"target": who, "x": 11 + n % 3 + (n // 3) * 0.5, "y": 4 + n // 3 * 2}),
        )
    scene = view_table(ViewerContext(load(visit.pk), GM)).scene
    ghosts = scene.elsewhere
    assert len(ghosts) == len({(one.name, one.spot) for one in ghosts}) > 5
    words = [ghost_box(one) for one in ghosts if one.words]
    assert len(words) > 2
    bodies = [find_body(one.spot, one.scale) for one in scene.tokens]
    bodies += [(x - 0.6, y - 0.6, x + 0.6, y + 0.6) for x, y in (one.spot for one in ghosts)]
    for n, box in enumerate(words):
        assert not any(overlaps(box, other) for other in (*words[:n], *bodies))


def ghost_box(ghost: DeckGhost) -> tuple[float, float, float, float]:
    """What the words of a ghost cover at their largest."""
    assert ghost.words
    half = max(len(ghost.name), len(ghost.deck)) * 0.37 / 2
    x, y = ghost.spot[0] + ghost.words[0], ghost.spot[1] + ghost.words[1]
    return x - half, y - 0.65, x + half, y + 0.65


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
def test_other_people_on_a_hidden_deck_change_no_player_byte(gm: User) -> None:
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
    wait_for_map(table)
    upper = table.get_by_role("button", name=re.compile("Upper deck"))
    upper.click()
    expect(upper).to_have_attribute("aria-pressed", "true")
    left = table.evaluate("() => document.querySelector('.map').viewBox.baseVal.x")
    assert left > 20
    table.locator("svg.map").first.press("PageDown")
    expect(table.get_by_role("button", name=re.compile("Cargo deck"))).to_have_attribute(
        "aria-pressed", "true"
    )


@pytest.mark.slow
def test_chosen_deck_stays_until_the_next_turn(table: Browser, address: str, started: Encounter) -> None:
    """Neither a form with places nor someone who is put elsewhere brings back the deck of who acts."""
    lay(started.pk)
    table.goto(address)
    upper, lower = (table.locator("[data-deck]", has_text=name) for name in ("Quarters", "Hold"))
    expect(lower).to_have_attribute("aria-pressed", "true")  # Zara acts there
    wait_for_map(table)
    upper.click()
    left = table.evaluate("document.querySelector('.map').viewBox.baseVal.x")
    submit(started.pk, Submission("place", {"target": PIRATE, "x": SHIFT + 2, "y": 3}))
    table.evaluate("htmx.trigger('[data-live]', 'again')")
    expect(table.locator("#log")).to_contain_text("Pirate is now at Quarters.")
    expect(table.locator(FRESH)).to_have_count(0)
    table.locator("a.action[href*=move]").first.click()
    table.locator("form.action-form").wait_for()
    expect(upper).to_have_attribute("aria-pressed", "true")
    assert table.evaluate("document.querySelector('.map').viewBox.baseVal.x") == left
    submit(started.pk, Submission("next_turn", {"actor": ZARA}))  # the pirate above
    submit(started.pk, Submission("next_turn", {"actor": PIRATE}))  # Marcus below
    table.evaluate("htmx.trigger('[data-live]', 'again')")
    expect(table.locator("#h-turn")).to_contain_text("Marcus")
    expect(lower).to_have_attribute("aria-pressed", "true")


@pytest.mark.slow
def test_map_stands_where_it_stood_after_a_window(table: Browser, address: str, started: Encounter) -> None:
    """Zara's and the pirate's decks are named while they are shown."""
    lay(started.pk)
    table.goto(address)
    wait_for_map(table)
    quarters, hold = (table.locator("[data-deck]", has_text=name) for name in ("Quarters", "Hold"))
    quarters.click()
    wait_for_map(table)
    before = find_view(table)
    table.locator(f"#row-{ZARA} details.menu > summary").click()
    table.locator(f"#row-{ZARA} .menu-items a[href*='row=figures']").click()
    expect(table.locator("[data-window]")).to_be_visible()
    wait_for_map(table)
    assert find_view(table) != before
    expect(hold).to_have_attribute("aria-pressed", "true")
    table.locator("[data-window] [data-key=Escape]").first.click()
    expect(table.locator("[data-window]")).to_have_count(0)
    wait_for_map(table)
    assert find_view(table) == before
    expect(quarters).to_have_attribute("aria-pressed", "true")


def find_view(page: Browser) -> str:
    view = page.locator("[data-map] > .map").get_attribute("viewBox")
    assert view
    return view


def tell(encounter: Encounter) -> str:
    """What Zara's player reads of a fight: the table's shapes, and its state for programs."""
    context = ViewerContext(load(encounter.pk), Viewer("seat", frozenset((ZARA,))))
    table = view_table(context)
    return re.sub(r"version='[^']*'", "", f"{table.scene} {table.everyone} {write_state(context)}")


def test_fog_opens_on_the_other_deck_only_where_a_hole_shows_it(started: Encounter) -> None:
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


@pytest.mark.parametrize("width", [390, 1024, 1440])
def test_all_decks_are_whole_beside_what_lies_on_the_map(
    visitor: Browser, live_server: LiveServer, started: Encounter, gm_client: Client, width: int
) -> None:
    answer = gm_client.post(f"/encounters/{started.pk}/scene/", {"do": "ready", "ready": "free_trader"})
    assert answer.status_code == 303
    visitor.set_viewport_size({"width": width, "height": 900})
    visitor.goto(f"{live_server.url}/encounters/{started.pk}/")
    if width == 390:
        visitor.locator(".tabs label", has_text="Scene").click()
    wait_for_map(visitor)
    everything = visitor.get_by_role("button", name="All", exact=True)
    everything.click()
    frame = visitor.locator("[data-map] > .map").bounding_box()
    tools = visitor.locator(".map-tools.map-steps:not(.is-folded)").filter(visible=True)
    lying = [visitor.locator(".deck-switch").bounding_box(), *(one.bounding_box() for one in tools.all())]
    for deck in visitor.locator(".deck-edge").all():
        box = deck.bounding_box()
        assert box
        assert frame
        assert frame["x"] <= box["x"] + 1
        assert box["x"] + box["width"] <= frame["x"] + frame["width"] + 1
        for other in lying:
            assert other
            is_beside = (
                other["x"] + other["width"] <= box["x"] + 1 or box["x"] + box["width"] <= other["x"] + 1
            )
            is_over = (
                other["y"] + other["height"] <= box["y"] + 1 or box["y"] + box["height"] <= other["y"] + 1
            )
            assert is_beside or is_over, (width, other, box)
