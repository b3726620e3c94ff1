"""The end of a fight for the GM in a real browser: it has all the width, and the roster opens over it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter
from tests.browser import find_barriers, find_overflow, put_numbers_first, skip_hints
from tests.typed import sure

pytestmark = pytest.mark.slow


def open_end(page: Page, live_server: LiveServer, over: Encounter, width: int, height: int = 900) -> None:
    skip_hints(page.context)
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{live_server.url}/encounters/{over.pk}/")
    page.locator(".finish-course").wait_for()


def find_width(page: Page) -> float:
    return sure(page.locator(".finish").bounding_box())["width"]


@pytest.mark.parametrize("arrange", ["map", "numbers"])
def test_end_has_all_the_width_and_the_roster_opens_over_it(
    live_server: LiveServer, visitor: Page, over: Encounter, complaints: list[str], arrange: str
) -> None:
    page = visitor
    if arrange == "numbers":
        put_numbers_first(page)
    open_end(page, live_server, over, 1440)
    assert find_width(page) >= 1420
    row, button = page.locator("#rows > .row").first, page.get_by_role("button", name="Open combatants")
    expect(row).to_be_hidden()
    button.click()
    expect(row).to_be_visible()
    page.get_by_role("button", name="Close combatants").focus()
    assert not find_barriers(page)
    assert not find_overflow(page)
    page.keyboard.press("Escape")
    expect(row).to_be_hidden()
    page.locator("[data-drawer=log]").click()
    expect(page.locator("#log-lines > li").nth(1)).to_be_visible()
    assert complaints == []


def test_end_on_a_small_laptop_only_makes_room_for_the_chosen(
    live_server: LiveServer, visitor: Page, over: Encounter
) -> None:
    page = visitor
    open_end(page, live_server, over, 1024)
    assert find_width(page) >= 1004
    page.locator("label[for=tab-combatants]").click()
    expect(page.locator("#rows > .row").first).to_be_visible()
    assert find_width(page) < 512
    page.locator("label[for=tab-turn]").click()
    expect(page.locator("#rows > .row").first).to_be_hidden()
    assert find_width(page) >= 1004
    assert not find_overflow(page)


def test_end_on_a_phone_has_its_roster_behind_a_tab(
    live_server: LiveServer, visitor: Page, over: Encounter
) -> None:
    page = visitor
    open_end(page, live_server, over, 390, 844)
    expect(page.locator(".rows-open")).to_be_hidden()
    page.locator("label[for=tab-combatants]").click()
    expect(page.locator("#rows > .row").first).to_be_visible()
    assert not find_overflow(page)


def test_picture_of_the_scene_comes_with_the_end_on_an_open_page(
    live_server: LiveServer, visitor: Page, over: Encounter
) -> None:
    picture = visitor.locator(".finish-map > svg.picture")
    open_end(visitor, live_server, over, 1440)
    expect(picture).to_be_visible()
    visitor.get_by_role("button", name="Undo").click()
    expect(visitor.locator(".finish")).to_have_count(0)
    visitor.get_by_role("button", name="Redo").click()
    expect(picture).to_be_visible()
