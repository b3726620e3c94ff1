"""A line drawn on one device appears on the others: the GM's laptop, a player's phone, a watcher's screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.combat.live.test_three_browsers import Three, three
from tests.combat.views.map.test_map_moves import spot_of
from tests.site.hosting.table import soon

__all__ = ["three"]
pytestmark = pytest.mark.slow

SECOND = 1000  # milliseconds
LINE = ".pen-line"


def show_map(page: Page) -> None:
    """Open the map, on a phone by its tab."""
    tab = page.locator("label[for=tab-scene]")
    if tab.is_visible():
        tab.click()
    page.locator("svg.map").scroll_into_view_if_needed()


def draw_by_touch(page: Page, *places: tuple[float, float]) -> None:
    """Draw a line with a finger."""
    finger = page.context.new_cdp_session(page)
    for number, place in enumerate(places):
        x, y = spot_of(page, *place)
        kind = "touchMove" if number else "touchStart"
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y, "id": 1}]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_lines_are_drawn_on_every_page_and_fade(three: Three) -> None:
    for page in (three.gm, three.phone, three.watcher):
        show_map(page)
    hand_over_and_draw_by_touch(three)
    draw_by_mouse(three)


def hand_over_and_draw_by_touch(three: Three) -> None:
    """The GM lends a player a pointer; the player draws, and returns it."""
    gm, phone, watcher = three.gm, three.phone, three.watcher
    expect(phone.get_by_role("button", name="Draw a line")).to_have_count(0)
    gm.locator("#map-pens summary").click()
    gm.get_by_role("button", name="Hand over the pointer: Pia").click()
    tool = phone.get_by_role("button", name="Draw a line")
    expect(tool).to_be_visible()
    expect(phone.locator("#table[data-fresh]")).to_have_count(
        0
    )  # until then, what has just come does nothing
    tool.click()
    expect(tool).to_have_attribute("aria-pressed", "true")
    draw_by_touch(phone, (6, 4), (8, 5), (10, 7), (12, 6))
    for page in (gm, watcher):
        expect(page.locator(".pen .carry-words")).to_have_text("Pia", timeout=soon(1) * SECOND)
        assert page.locator(".pen-1 > .pen-line").get_attribute("d") == phone.locator(LINE).get_attribute("d")
    gm.get_by_role("button", name="Wipe lines").click()
    for page in (gm, phone, watcher):
        expect(page.locator(LINE)).to_have_count(0, timeout=soon(1) * SECOND)
    gm.get_by_role("button", name="Take back the pointer: Pia").click()
    expect(tool).to_have_count(0)
    draw_by_touch(phone, (6, 4), (12, 6))
    expect(phone.locator(LINE)).to_have_count(0)


def draw_by_mouse(three: Three) -> None:
    """The GM draws a line; no one wipes it, but it disappears."""
    gm, watcher = three.gm, three.watcher
    gm.get_by_role("button", name="Draw a line").click()
    show_map(gm)
    gm.mouse.move(*spot_of(gm, 6, 4))
    gm.mouse.down()
    gm.mouse.move(*spot_of(gm, 12, 6), steps=6)
    gm.mouse.up()
    expect(watcher.locator(".pen .carry-words")).to_have_text("GM")
    gm.keyboard.press("Escape")
    expect(gm.get_by_role("button", name="Draw a line")).to_have_attribute("aria-pressed", "false")
    expect(gm.locator(LINE)).to_have_count(0)
    expect(watcher.locator(LINE)).to_have_count(0)
