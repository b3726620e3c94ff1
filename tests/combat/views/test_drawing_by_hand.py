"""A scene drawn in a browser: by mouse, corner by corner, and with a finger."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from msgspec.structs import replace
from playwright.sync_api import Page as Browser
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter
from combat.rules import find_system
from combat.rules.core.space import BattleMap, map_of
from tests.browser import sign_in
from tests.combat.desk import state_of

SPOT = """([x, y]) => {
    const spot = new DOMPoint(x, y).matrixTransform(document.querySelector('.map').getScreenCTM());
    return [spot.x, spot.y];
}"""


@pytest.fixture
def sheet(
    live_server: LiveServer, page: Browser, transactional_db: None, gm_client: Client, started: Encounter
) -> Browser:
    """The page on which the scene of the demo fight is drawn, on a wide screen."""
    sign_in(page.context, live_server, gm_client)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{live_server.url}/encounters/{started.pk}/scene/")
    expect(page.locator("html")).to_have_class(re.compile(r"\bjs\b"))
    return page


def drag(sheet: Browser, *metres: tuple[float, float]) -> None:
    """Drag from the first of these places of the map to the last."""
    spots = [sheet.evaluate(SPOT, list(place)) for place in metres]
    sheet.mouse.move(*spots[0])
    sheet.mouse.down()
    for spot in spots[1:]:
        sheet.mouse.move(*spot, steps=4)
    sheet.mouse.up()


def tap(sheet: Browser, x: float, y: float) -> None:
    """Click a place of the map."""
    sheet.mouse.click(*sheet.evaluate(SPOT, [x, y]))


def now(started: Encounter) -> BattleMap:
    """The map as it is stored."""
    return map_of(state_of(started.pk).scene)


def test_wall_is_drawn_selected_moved_and_deleted(sheet: Browser, started: Encounter) -> None:
    sheet.locator("#tool-wall").check()
    drag(sheet, (4.1, 2.1), (4, 9.9))
    expect(sheet.locator("path.wall")).to_have_attribute("d", "M4 2v8")
    sheet.locator("#tool-select").check()
    expect(sheet.locator("#shape")).to_be_visible()
    drag(sheet, (4, 6), (7, 6))
    expect(sheet.locator("path.wall")).to_have_attribute("d", "M7 2v8")
    drag(sheet, (7, 10), (7, 5))
    expect(sheet.locator("path.wall")).to_have_attribute("d", "M7 2v3")
    sheet.keyboard.press("Delete")
    expect(sheet.locator("path.wall")).to_have_count(0)
    sheet.get_by_role("button", name="Undo").click()
    expect(sheet.locator("path.wall")).to_have_attribute("d", "M7 2v3")
    assert len(now(started).walls) == 1


def test_what_is_there_stays_where_it_is_while_more_is_drawn(sheet: Browser, started: Encounter) -> None:
    """The map has room around what is drawn, and grows with it: not under the pointer."""
    sheet.locator("#tool-wall").check()
    before = sheet.evaluate(SPOT, [4, 4])
    for number, down in enumerate((-2, -3), 1):
        drag(sheet, (2, down), (10, down))
        expect(sheet.get_by_role("link", name=f"Wall {number}")).to_be_visible()
        assert sheet.evaluate(SPOT, [4, 4]) == pytest.approx(before, abs=0.05)
    sheet.get_by_role("button", name="Whole map").click()
    assert sheet.evaluate(SPOT, [4, 4]) != pytest.approx(before, abs=0.05)
    assert len(now(started).walls) == 2


def test_chain_is_tapped_corner_by_corner(sheet: Browser, started: Encounter) -> None:
    sheet.locator("#tool-wall").check()
    for corner in ((2, 1), (8, 1), (8, 5)):
        tap(sheet, *corner)
    sheet.get_by_role("button", name="Finish chain").click()
    expect(sheet.locator("path.wall")).to_have_attribute("d", "M2 1h6M8 1v4")
    assert len(now(started).walls) == 2
    expect(sheet.locator("#tool-wall")).to_be_checked()


def test_crate_is_drawn_with_a_finger(sheet: Browser, started: Encounter) -> None:
    sheet.locator("#tool-obstacle").check()
    finger = sheet.context.new_cdp_session(sheet)
    for kind, place in (
        ("touchStart", (5, 5)),
        ("touchMove", (6, 7)),
        ("touchMove", (7, 8)),
        ("touchEnd", ()),
    ):
        spot = sheet.evaluate(SPOT, list(place)) if place else []
        points = [{"x": spot[0], "y": spot[1], "id": 1}] if place else []
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    crate = sheet.locator("rect.thing")
    expect(crate).to_have_attribute("width", "2")
    expect(crate).to_have_attribute("height", "3")
    (stored,) = now(started).obstacles
    assert (stored.x, stored.y) == (5, 5)


def test_page_stays_where_it_is_while_a_phone_draws(sheet: Browser, started: Encounter) -> None:
    sheet.set_viewport_size({"width": 390, "height": 844})
    sheet.reload()
    sheet.locator("#tool-wall").check()
    sheet.evaluate("document.querySelector('.map').scrollIntoView({block: 'center'})")
    before = sheet.evaluate("scrollY")
    assert before > 100
    drag(sheet, (4, 2), (4, 10))
    expect(sheet.locator("path.wall")).to_have_count(1)
    expect(sheet.locator("#shape")).to_be_attached()
    assert sheet.evaluate("scrollY") == before


def test_walls_on_hexes_snap_to_their_corners(
    sheet: Browser, started: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = replace(find_system(started.system), has_hexes=lambda state: True)
    monkeypatch.setattr("combat.sharing.viewer_context.find_system", lambda slug: game)
    sheet.reload()
    sheet.locator("#tool-wall").check()
    drag(sheet, (4.05, 0.52), (4.55, 0.33))
    expect(sheet.locator("path.wall")).to_have_count(1)
    (wall,) = now(started).walls
    assert (wall.x1, wall.y1, wall.x2, wall.y2) == (4.0, 0.58, 4.5, 0.29)
