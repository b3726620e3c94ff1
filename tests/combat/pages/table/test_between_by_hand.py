"""A player's phone between turns: the map with the nearest enemy, and letters twice as large."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, ViewportSize
from pytest_django.live_server_helper import LiveServer

from tests.browser import find_overflow, skip_hints, wait_for_map
from tests.combat.visit import ZARA, begun

PHONE: ViewportSize = {"width": 390, "height": 844}
LARGE = """document.addEventListener("DOMContentLoaded", () => {
  const style = new CSSStyleSheet();
  style.replaceSync(":root { font-size: 200% !important }");
  document.adoptedStyleSheets.push(style);
})"""
# The tokens that are whole on the map, by their ids
ON_MAP = """() => {
  const map = document.querySelector("[data-map] > .map"), box = map.getBoundingClientRect();
  return [...map.querySelectorAll("[data-token]")].filter((one) => {
    const { left, right, top, bottom } = one.querySelector(".mark").getBoundingClientRect();
    return left >= box.left && right <= box.right && top >= box.top && bottom <= box.bottom;
  }).map((one) => one.dataset.token);
}"""
# Who is covered by a name at the edge
COVERED = """() => [...document.querySelectorAll(".map-edge")].flatMap((name) => {
  const sign = name.getBoundingClientRect();
  return [...document.querySelectorAll("[data-map] > .map [data-token]")].filter((one) => {
    const { left, right, top, bottom } = one.querySelector(".mark").getBoundingClientRect();
    return left < sign.right && right > sign.left && top < sign.bottom && bottom > sign.top;
  }).map((one) => `${name.textContent.trim()} on ${one.dataset.token}`);
})"""

TOKENS = """() =>
  [...document.querySelectorAll("[data-map] > .map [data-token]")].map((one) => one.dataset.token)"""
# Move the map until the middle of someone is just outside
LEAVE = """(who) => {
  const { look, slide, spot, meters } = window.cosmosMap, { x, y } = spot(`@${who}`);
  look({ x, y }, 44, true);
  const map = document.querySelector("[data-map] > .map");
  const at = new DOMPoint(x, y).matrixTransform(map.getScreenCTM());
  slide(meters(at.x - map.getBoundingClientRect().left) + 0.4, 0);
}"""


def open_map(page: Page, live_server: LiveServer, pk: int) -> None:
    skip_hints(page.context)
    page.set_viewport_size(PHONE)
    page.goto(f"{live_server.url}/encounters/{pk}/")
    page.locator(".tabs label", has_text="Scene").click()
    wait_for_map(page)


def test_a_phone_shows_who_acts_with_the_nearest_enemy(
    live_server: LiveServer, visitor: Page, gm: User
) -> None:
    open_map(visitor, live_server, begun(gm).pk)
    visitor.locator("[data-map-me]").click()
    wait_for_map(visitor)
    assert "f2" not in visitor.evaluate(ON_MAP), "close up, the enemy is outside"
    visitor.locator("[data-map-near]").click()
    wait_for_map(visitor)
    assert {ZARA, "f2"} <= {*visitor.evaluate(ON_MAP)}


@pytest.mark.parametrize("slug", ["cosmos", "guardians"])
def test_names_at_the_edge_cover_nobody(live_server: LiveServer, visitor: Page, gm: User, slug: str) -> None:
    """Also where the middle of someone is outside, and the rest of them on the map."""
    open_map(visitor, live_server, begun(gm, slug, 0, 5).pk)
    visitor.locator("[data-map-me]").click()
    wait_for_map(visitor)
    for who in visitor.evaluate(TOKENS):
        visitor.evaluate(LEAVE, who)
        wait_for_map(visitor)
        assert visitor.evaluate(COVERED) == [], who


def test_large_letters_leave_the_tabs_in_reach(live_server: LiveServer, visitor: Page, gm: User) -> None:
    skip_hints(visitor.context)
    visitor.set_viewport_size(PHONE)
    visitor.add_init_script(LARGE)
    visitor.goto(f"{live_server.url}/encounters/{begun(gm, 'starshock', 0, 5).pk}/")
    assert find_overflow(visitor) == []
