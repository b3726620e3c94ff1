"""Touch screens: a map for fingers on a phone, on a tablet the turn beside it, and no keys named."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter, Seat, ShareLink
from tests.browser import find_barriers, find_overflow, sign_in, skip_hints
from tests.combat.cast import come
from tests.combat.visit import ZARA, combatant

Screen = Callable[[int, int], Page]


@pytest.fixture
def touch(live_server: LiveServer, browser: Browser, transactional_db: None, started: Encounter) -> Screen:
    """The table on a touch screen of some size, at Zara's seat in her turn."""
    client = come(started, ShareLink.PLAY, "Nia")
    Seat.objects.filter(encounter=started, name="Nia").update(combatants=[ZARA])

    def show(width: int, height: int) -> Page:
        screen = {"width": width, "height": height}
        context = browser.new_context(viewport=screen, has_touch=True, is_mobile=True)  # type: ignore[arg-type]
        cookies = [{"name": n, "value": c.value, "url": live_server.url} for n, c in client.cookies.items()]
        context.add_cookies(cookies)  # type: ignore[arg-type]
        skip_hints(context)
        page = context.new_page()
        page.goto(f"{live_server.url}/encounters/{started.pk}/")
        return page

    return show


def test_turn_and_map_are_side_by_side(touch: Screen) -> None:
    page = touch(820, 1180)
    offer, drawn = (
        page.locator(".usual .action-list").bounding_box(),
        page.locator("#map-frame").bounding_box(),
    )
    assert offer
    assert drawn
    assert offer["x"] + offer["width"] <= drawn["x"] + 1
    expect(page.locator("#map-frame")).to_be_in_viewport(ratio=1)
    expect(page.locator("label[for=tab-scene]")).to_be_hidden()
    page.locator("label[for=tab-log]").click()
    expect(page.locator("#log")).to_be_in_viewport()
    page.locator("label[for=tab-turn]").click()
    expect(page.locator(".usual .action-list")).to_be_in_viewport()
    assert find_overflow(page) == []
    assert find_barriers(page, only=("color-contrast", "nested-interactive")) == []


def test_map_comes_first_until_someone_chooses_numbers(touch: Screen) -> None:
    page = touch(1180, 820)
    expect(page.locator("html")).to_have_attribute("data-arrange", "map")
    for part in ("#map-frame", "#turn"):
        expect(page.locator(part)).to_be_in_viewport()
    page.get_by_role("button", name="Numbers first").click()
    expect(page.locator("html")).to_have_attribute("data-arrange", "numbers")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-arrange", "numbers")
    page.get_by_role("button", name="Map first").click()
    expect(page.locator("html")).to_have_attribute("data-arrange", "map")


@pytest.mark.parametrize("size", [(390, 844), (820, 1180), (1180, 820)])
def test_no_keys_are_named_on_touch(touch: Screen, size: tuple[int, int]) -> None:
    page = touch(*size)
    expect(page.locator(".hint:visible")).to_have_count(0)
    expect(page.locator("[data-dialog=keys]:visible")).to_have_count(0)


def test_map_of_a_phone_opens_at_who_acts(touch: Screen) -> None:
    page = touch(390, 844)
    page.locator("label[for=tab-scene]").tap()
    expect(page.locator(".map-edge")).to_have_text(["Pirate"])
    assert page.evaluate("1 / window.cosmosMap.meters(1)") >= 40
    page.locator(".map-edge").tap()
    expect(page.locator(".map-edge", has_text="Zara")).to_be_visible()
    page.locator("[data-map-me]").tap()
    expect(page.locator(".map-edge")).to_have_text(["Pirate"])
    assert find_overflow(page) == []
    assert find_barriers(page, only=("color-contrast", "nested-interactive", "target-size")) == []


def test_move_is_a_tap_on_the_map(touch: Screen, started: Encounter) -> None:
    page, before = touch(390, 844), combatant(started.pk, ZARA).at
    page.locator("#act-move").tap()
    expect(page.locator("#tab-scene")).to_be_checked()
    cell = page.locator(".map a:has(.cell)[aria-label='4, 6: 3 m']")
    expect(cell).to_be_visible()
    page.wait_for_function("() => document.querySelector('.map .cell').getBoundingClientRect().width >= 40")
    cell.tap()
    choice = page.locator(".map-choice")
    expect(choice).to_contain_text("Crates 3 m of 10, light cover")
    choice.get_by_role("button", name="Move 3 m").tap()
    expect(choice).to_have_count(0)
    assert combatant(started.pk, ZARA).at != before


SMALL = """() => [...document.querySelectorAll("input, select, textarea")]
  .filter((one) => one.checkVisibility() && !["checkbox", "radio", "hidden", "range"].includes(one.type))
  .filter((one) => parseFloat(getComputedStyle(one).fontSize) < 16)
  .map((one) => one.outerHTML.slice(0, 90))"""


@pytest.mark.slow
def test_no_field_makes_a_phone_zoom_into_it(
    live_server: LiveServer, browser: Browser, gm_client: Client, started: Encounter
) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, storage_state=None
    )
    sign_in(context, live_server, gm_client)
    page, table = context.new_page(), f"/encounters/{started.pk}/"
    for path in (
        table,
        f"{table}?combatant={ZARA}&row=quick",
        f"{table}prep/",
        f"{table}scene/",
        "/encounters/new/",
    ):
        page.goto(live_server.url + path)
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        assert page.evaluate(SMALL) == [], path
    context.close()
