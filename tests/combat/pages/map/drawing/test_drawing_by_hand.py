"""A scene drawn in a browser: by mouse, corner by corner, and with a finger."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page as Browser
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from combat.rules.core.space import BattleMap, map_of
from tests.browser import find_on_map, is_press, wait_for_map
from tests.combat.visit import ZARA, state_of
from tests.typed import sure

SIZES = """() => [...document.querySelectorAll('#map-frame text')]
    .filter((text) => text.getBoundingClientRect().width > 0)
    .map((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)
"""
ROAD = {"id": "a", "name": "Road", "width": 40, "depth": 400}


@pytest.fixture
def sheet(live_server: LiveServer, visitor: Browser, bare: Encounter) -> Browser:
    """The page that draws the scene of the demo fight, on a wide screen."""
    visitor.set_viewport_size({"width": 1440, "height": 900})
    visitor.goto(f"{live_server.url}/encounters/{bare.pk}/scene/")
    expect(visitor.locator("html")).to_have_class(re.compile(r"\bjs\b"))
    return visitor


def drag(sheet: Browser, *meters: tuple[float, float]) -> None:
    """Drag from the first of these places of the map to the last."""
    spots = [find_on_map(sheet, *place) for place in meters]
    sheet.mouse.move(*spots[0])
    sheet.mouse.down()
    for spot in spots[1:]:
        sheet.mouse.move(*spot, steps=4)
    sheet.mouse.up()


def tap(sheet: Browser, x: float, y: float) -> None:
    sheet.mouse.click(*find_on_map(sheet, x, y))


def now(bare: Encounter) -> BattleMap:
    return map_of(state_of(bare.pk).scene)


def test_scene_is_drawn_by_hand(sheet: Browser, bare: Encounter) -> None:
    check_token(sheet, bare)
    check_crate(sheet, bare)
    check_chain(sheet, bare)
    sheet.get_by_role("button", name="Undo").click()
    expect(sheet.locator("path.wall")).to_have_count(0)
    check_wall(sheet, bare)
    check_drawing_on_a_phone(sheet)


def check_wall(sheet: Browser, bare: Encounter) -> None:
    """It is drawn, selected, moved and deleted."""
    sheet.locator("#tool-wall").check()
    drag(sheet, (4.6, 2.6), (4.5, 10.4))
    expect(sheet.locator("path.wall")).to_have_attribute("d", "M4.5 2.5V10.5")
    sheet.locator("#tool-select").check()
    expect(sheet.locator("#shape")).to_be_visible()
    drag(sheet, (4.5, 6), (7.5, 6))
    expect(sheet.locator("path.wall")).to_have_attribute("d", "M7.5 2.5V10.5")
    drag(sheet, (7.5, 10.5), (7.5, 5.5))
    expect(sheet.locator("path.wall")).to_have_attribute("d", "M7.5 2.5V5.5")
    sheet.keyboard.press("Delete")
    expect(sheet.locator("path.wall")).to_have_count(0)
    sheet.get_by_role("button", name="Undo").click()
    expect(sheet.locator("path.wall")).to_have_attribute("d", "M7.5 2.5V5.5")
    assert len(now(bare).walls) == 1


def test_what_is_there_stays_where_it_is_while_more_is_drawn(sheet: Browser, bare: Encounter) -> None:
    """The map has room around what is drawn, and grows with it: not during a drag, also at its edge."""
    sheet.locator("#tool-wall").check()
    before = find_on_map(sheet, 4, 4)
    for number, ends in enumerate((((2, -2), (10, -2)), ((2, -3), (10, -3)), ((-6, -5), (28, 19))), 1):
        drag(sheet, *ends)
        expect(sheet.get_by_role("link", name=f"Wall {number}")).to_be_visible()
        assert find_on_map(sheet, 4, 4) == pytest.approx(before, abs=0.05)
    sheet.get_by_role("button", name="Undo").click()
    expect(sheet.get_by_role("link", name="Wall 3")).to_have_count(0)
    assert find_on_map(sheet, 4, 4) == pytest.approx(before, abs=0.05)
    sheet.get_by_role("button", name="Redo").click()
    expect(sheet.get_by_role("link", name="Wall 3")).to_be_visible()
    sheet.get_by_role("button", name="Whole map").click()
    assert find_on_map(sheet, 4, 4) != pytest.approx(before, abs=0.05)
    assert len(now(bare).walls) == 3


def test_grid_is_that_of_the_game_also_before_anything_is_drawn(
    sheet: Browser, bare: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Squares of 1.5 m have their centers on whole multiples of that: walls stand between them."""
    plain = find_system(bare.system)
    game = replace(plain, space=replace(plain.space, cell_meters=1.5))
    monkeypatch.setattr("combat.sharing.viewer_context.find_system", lambda slug: game)
    sheet.reload()
    sheet.locator("#tool-wall").check()
    grid = sheet.locator("pattern[id$=grid]")
    for number in (1, 2):
        expect(grid).to_have_attribute("width", "1.5")
        expect(grid).to_have_attribute("patternTransform", "translate(0.75 0.75)")
        drag(sheet, (2.1, 2.4), (8.5, 2.2))
        expect(sheet.get_by_role("link", name=f"Wall {number}")).to_be_visible()
        wall = now(bare).walls[-1]
        assert (wall.x1, wall.y1, wall.x2, wall.y2) == (2.25, 2.25, 8.25, 2.25)
        if number == 1:  # drawn on an empty scene; now on one with a wall elsewhere
            sheet.get_by_role("button", name="Undo").click()
            expect(sheet.locator("path.wall")).to_have_count(0)
            drag(sheet, (0.75, -0.75), (6.75, -0.75))
            expect(sheet.locator("path.wall")).to_have_count(1)


def check_token(sheet: Browser, bare: Encounter) -> None:
    """It is dragged into the middle of a square."""
    sheet.locator("#tool-select").check()
    at = state_of(bare.pk).combatants[ZARA].at
    with sheet.expect_response(is_press):
        drag(sheet, (at.x, at.y), (12.2, 3.1))
    token = sheet.locator(f'[data-token="{ZARA}"]')
    expect(token).to_have_attribute("transform", re.compile(r"translate\(12 3\)"))
    expect(sheet.locator("#notice")).to_have_count(0)
    moved = state_of(bare.pk).combatants[ZARA].at
    assert (moved.x, moved.y) == (12, 3)
    with sheet.expect_response(is_press):
        sheet.get_by_role("button", name="Undo").click()
    expect(token).not_to_have_attribute("transform", re.compile(r"translate\(12 3\)"))
    assert state_of(bare.pk).combatants[ZARA].at == at


def test_no_word_on_a_wide_map_is_too_small_to_read(sheet: Browser, bare: Encounter) -> None:
    """A road of four hundred meters with ten guards on it; twelve pixels are the minimum."""
    submit(bare.pk, Submission("set_scene", {"scene": {"zones": [ROAD]}}))
    block = next(iter(find_system(bare.system).book.find_blocks()))
    submit(bare.pk, Submission("join", {"block": block, "count": 10, "side": "enemies", "zone": "a"}))
    for wide in (390, 1440):
        sheet.set_viewport_size({"width": wide, "height": 844})
        sheet.reload()
        wait_for_map(sheet)
        sizes = sheet.evaluate(SIZES)
        assert sizes
        assert min(sizes) >= 11.9, wide


def check_chain(sheet: Browser, bare: Encounter) -> None:
    """It is tapped corner by corner."""
    sheet.locator("#tool-wall").check()
    for corner in ((2.5, 1.5), (8.5, 1.5), (8.5, 5.5)):
        tap(sheet, *corner)
    sheet.get_by_role("button", name="Finish chain").click()
    expect(sheet.locator("path.wall")).to_have_attribute("d", "M2.5 1.5H8.5V5.5")
    assert len(now(bare).walls) == 2
    expect(sheet.locator("#tool-wall")).to_be_checked()


def check_crate(sheet: Browser, bare: Encounter) -> None:
    """It is drawn with a finger."""
    sheet.locator("#tool-obstacle").check()
    finger = sheet.context.new_cdp_session(sheet)
    for kind, place in (
        ("touchStart", (5.5, 5.5)),
        ("touchMove", (6.5, 7.5)),
        ("touchMove", (7.5, 8.5)),
        ("touchEnd", ()),
    ):
        spot = find_on_map(sheet, *place) if place else []
        points = [{"x": spot[0], "y": spot[1], "id": 1}] if place else []
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    crate = sheet.locator(".t-crate .body")
    expect(crate).to_have_attribute("d", "M5.5 5.5L5.5 8.5L7.5 8.5L7.5 5.5z")
    (stored,) = now(bare).obstacles
    assert (stored.x, stored.y) == (5.5, 5.5)


def check_drawing_on_a_phone(sheet: Browser) -> None:
    """The page stays where it is."""
    sheet.set_viewport_size({"width": 390, "height": 844})
    sheet.reload()
    sheet.locator("#tool-wall").check()
    sheet.evaluate("document.querySelector('.draw-kinds').scrollIntoView()")
    before = sheet.evaluate("scrollY")
    assert before > 100
    drag(sheet, (4, 2), (4, 10))
    expect(sheet.get_by_role("link", name="Wall 2")).to_be_attached()
    expect(sheet.locator("#shape")).to_be_attached()
    assert sheet.evaluate("scrollY") == before


@pytest.mark.parametrize("size", [(390, 844), (820, 1180), (844, 390)])
def test_what_a_tap_selects_is_in_a_sheet_beside_it(
    sheet: Browser, bare: Encounter, size: tuple[int, int]
) -> None:
    """The map above it shows what is selected; tools and sheet need no scrolling, by touch and by keys."""
    sheet.set_viewport_size({"width": size[0], "height": size[1]})
    sheet.reload()
    sheet.locator("#tool-select").check()
    sheet.evaluate("document.querySelector('.draw-kinds').scrollIntoView()")
    tap(sheet, 18, 11)
    form = sheet.locator("#shape")
    expect(form.get_by_role("heading", name="Selected")).to_be_in_viewport(ratio=1)
    expect(form.get_by_role("button", name="Save")).to_be_in_viewport(ratio=1)
    expect(sheet.locator("#tool-wall")).to_be_in_viewport()
    x, y = find_on_map(sheet, 18, 7)
    box = sure(form.bounding_box())
    assert x < box["x"] or y < box["y"], "the middle of the zone is not under the sheet"
    form.get_by_label("Name").first.fill("Loading floor")
    sheet.keyboard.press("Enter")
    expect(sheet.get_by_role("link", name="Loading floor")).to_be_attached()
    before = sheet.evaluate("scrollY")
    sheet.keyboard.press("Escape")
    expect(form).to_have_count(0)
    assert sheet.evaluate("scrollY") == before
    sheet.get_by_role("link", name="Loading floor").focus()
    sheet.keyboard.press("Enter")
    expect(form.get_by_role("heading", name="Selected")).to_be_focused()
    expect(form.get_by_role("heading", name="Selected")).to_be_in_viewport(ratio=1)
    form.get_by_role("link", name="Close").click()
    expect(form).to_have_count(0)


def test_walls_on_hexes_snap_to_their_corners(
    sheet: Browser, bare: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = find_system(bare.system)
    game = replace(plain, space=replace(plain.space, has_hexes=lambda state: True))
    monkeypatch.setattr("combat.sharing.viewer_context.find_system", lambda slug: game)
    sheet.reload()
    sheet.locator("#tool-wall").check()
    drag(sheet, (4.05, 0.52), (4.55, 0.33))
    expect(sheet.locator("path.wall")).to_have_count(1)
    (wall,) = now(bare).walls
    assert (wall.x1, wall.y1, wall.x2, wall.y2) == (4.0, 0.58, 4.5, 0.29)
