"""What the map of a table opens with: everyone who fights, at every size and in both arrangements."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page as Browser
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter
from combat.play.scenes.ready import find_ready_scene
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from tests.browser import wait_for_map
from tests.combat.pages.every_page.test_phone_turn import sit_down
from tests.combat.visit import MARCUS, PIRATE, SLUG, ZARA, begun, state_of

pytestmark = pytest.mark.slow

LAPTOP, TABLET, PHONE = (1440, 900), (820, 1180), (390, 844)
FINGER = 24  # pixels of a token that a finger hits
# The width of the smallest token, and who is outside the map or below the tabs of a phone
SEEN = """() => {
  const box = document.querySelector("#map-frame").getBoundingClientRect();
  const tabs = document.querySelector(".tabs").getBoundingClientRect();
  const low = Math.min(box.bottom, innerHeight, tabs.height && tabs.top > 100 ? tabs.top : innerHeight);
  const tokens = [...document.querySelectorAll("#map-frame > .map [data-token] .mark")].map((one) => ({
    who: one.closest("[data-token]").dataset.token, box: one.getBoundingClientRect(),
  }));
  const isOut = (it) => it.left < box.left || it.right > box.right || it.top < box.top || it.bottom > low;
  const smallest = Math.min(...tokens.map((one) => one.box.width));
  return [smallest, tokens.filter((one) => isOut(one.box)).map((one) => one.who)];
}"""
BESIDE = """() => [...document.querySelectorAll(".board .mark, .road-car")].filter((one) => {
  const { left, right } = one.getBoundingClientRect();
  return one.checkVisibility() && (left < 0 || right > innerWidth);
}).length"""


def see(browser: Browser, size: tuple[int, int], page: str = "") -> tuple[float, list[str]]:
    """The width of the smallest token on the map of a page that has just opened, and who is outside it."""
    browser.set_viewport_size({"width": size[0], "height": size[1]})
    if page:
        browser.goto(page)
    else:
        browser.reload()
    if size == PHONE:
        browser.locator("label[for=tab-scene]").click()
    expect(browser.locator(".map-scale")).to_be_visible()
    wait_for_map(browser)
    smallest, outside = browser.evaluate(SEEN)
    return smallest, outside


def fight_in(gm: User, key: str) -> Encounter:
    """The first demo fight in a ready scene, with four more pirates, each in the start of their side."""
    made = begun(gm, SLUG)
    scene: Any = msgspec.to_builtins(find_ready_scene(key).lay_out(find_system(SLUG)))
    submit(made.pk, Submission("set_scene", {"scene": scene}))
    submit(made.pk, Submission("join", {"block": "pirate_example", "side": "pirates", "count": 4}))
    with suppress(Refused):  # they are there already
        submit(made.pk, Submission("place_by_side", {}))
    return made


def check_sizes(visitor: Browser, address: str) -> None:
    for arrangement in ("map", "numbers"):
        visitor.goto(address)
        visitor.evaluate("name => localStorage.setItem('arrange', name)", arrangement)
        for _ in range(2):
            smallest, outside = see(visitor, LAPTOP)
            assert (outside, smallest >= FINGER) == ([], True), (arrangement, smallest)
    for size in (TABLET, PHONE):
        smallest, outside = see(visitor, size)
        assert (outside, smallest >= FINGER) == ([], True), (size, smallest)


@pytest.mark.parametrize("slug", ["cosmos", "cepheus", "guardians", "starshock"])
def test_everyone_is_seen_in_squares_meters_and_yards(
    live_server: LiveServer, visitor: Browser, gm: User, slug: str
) -> None:
    check_sizes(visitor, f"{live_server.url}/encounters/{begun(gm, slug).pk}/")


@pytest.mark.parametrize("key", ["ship_deck", "river_crossing", "bar"])
def test_everyone_is_seen_in_ready_scenes(
    live_server: LiveServer, visitor: Browser, gm: User, key: str
) -> None:
    check_sizes(visitor, f"{live_server.url}/encounters/{fight_in(gm, key).pk}/")


def test_deck_of_who_acts_is_seen_with_everyone_on_it(
    live_server: LiveServer, visitor: Browser, gm: User
) -> None:
    made = begun(gm, SLUG, 1)
    state = state_of(made.pk)
    (above,) = [one.id for one in state.combatants.values() if not one.pc]
    for size in (LAPTOP, TABLET, PHONE):
        _, outside = see(visitor, size, f"{live_server.url}/encounters/{made.pk}/")
        assert outside == [above], size
        expect(visitor.locator("[data-deck][aria-pressed=true]")).to_have_text("1 Engineering 2")


def test_view_is_around_the_actor_where_tokens_get_too_small(
    live_server: LiveServer, visitor: Browser, started: Encounter
) -> None:
    """Three in a heap, so that their tokens are small, and one far away."""
    submit(started.pk, Submission("set_scene", {"scene": find_plain()}))
    for who, x in ((ZARA, 50), (MARCUS, 51), (PIRATE, 1)):
        submit(started.pk, Submission("place", {"target": who, "x": x, "y": 10}))
    submit(started.pk, Submission("join", {"block": "pirate_example", "side": "pirates", "name": "Far"}))
    (far,) = [one.id for one in state_of(started.pk).combatants.values() if one.name == "Far"]
    submit(started.pk, Submission("place", {"target": far, "x": 99, "y": 10}))
    smallest, outside = see(visitor, PHONE, f"{live_server.url}/encounters/{started.pk}/")
    assert smallest >= FINGER
    assert set(outside) == {PIRATE, far}
    expect(visitor.locator(".map-edge")).to_have_count(2)


def find_plain() -> dict[str, Any]:
    """A plain of a hundred meters, with a wall that makes a map of it."""
    wall = {"id": "w1", "kind": "wall", "x1": 0, "y1": 0, "x2": 100, "y2": 0}
    zone = {"id": "a", "name": "Plain", "width": 100, "depth": 20}
    return {"name": "Plain", "zones": [zone], "map": {"walls": [wall]}}


def test_waiting_phone_sees_everyone_then_goes_to_its_character(
    live_server: LiveServer, page: Browser, started: Encounter
) -> None:
    sit_down(page, live_server, started, MARCUS)
    _, outside = see(page, PHONE)
    assert outside == []
    expect(page.locator(".map.is-close")).to_have_count(0)
    for _ in range(2):
        submit(started.pk, Submission("next_turn", {}))
    assert state_of(started.pk).active == MARCUS
    page.evaluate("() => htmx.trigger('#stream [data-live]', 'again')")
    expect(page.locator("#h-turn")).to_have_text("Your turn")
    expect(page.locator(".map.is-close")).to_have_count(1)
    see(page, PHONE)
    expect(page.locator(".map.is-close")).to_have_count(1)


def test_people_of_zones_and_of_a_road_are_beside_nothing(
    live_server: LiveServer, visitor: Browser, gm: User
) -> None:
    for size in (LAPTOP, TABLET, PHONE):
        visitor.set_viewport_size({"width": size[0], "height": size[1]})
        visitor.goto(f"{live_server.url}/encounters/{begun(gm, 'cepheus', 1).pk}/")
        if size == PHONE:
            visitor.locator("label[for=tab-scene]").click()
        expect(visitor.locator(".road:visible").first).to_be_visible()
        assert visitor.evaluate(BESIDE) == 0, size
