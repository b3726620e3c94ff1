"""Finding anything in a browser: by keys, on a phone, and with a screen reader's tools."""

from __future__ import annotations

from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter
from tests.browser import find_barriers, find_overflow


def test_keys_find_and_open(table: Page, address: str, complaints: list[str]) -> None:
    table.keyboard.press("Control+k")
    dialog, field = table.locator("#finder"), table.locator("#find-q")
    expect(field).to_be_focused()
    table.keyboard.type("mar")
    expect(dialog.get_by_role("link", name="Marcus crew")).to_be_visible()
    assert find_barriers(table) == []
    table.keyboard.press("ArrowDown")
    expect(dialog.get_by_role("link", name="Marcus crew")).to_be_focused()
    table.keyboard.press("ArrowUp")
    expect(field).to_be_focused()
    table.keyboard.press("Escape")
    expect(dialog).not_to_be_visible()
    table.keyboard.press("Control+k")
    table.keyboard.type("attack zara")
    table.keyboard.press("Enter")  # before the answer
    expect(table).to_have_url(f"{address}?combatant=f1&do=attack")
    assert complaints == []


def test_a_rule_opens_beside_the_table(table: Page, address: str) -> None:
    table.keyboard.press("Meta+k")
    table.keyboard.type("COS-COVER-01")
    table.locator("#finder").get_by_role("link", name="Light cover adds 2").click()
    expect(table.locator("#finder")).not_to_be_visible()
    expect(table.locator("#rules-panel .is-here")).to_be_in_viewport()
    expect(table).to_have_url(address)


def test_on_a_phone_it_is_in_the_menu_and_shows_the_panel(
    visitor: Page, live_server: LiveServer, started: Encounter, address: str
) -> None:
    visitor.set_viewport_size({"width": 390, "height": 844})
    visitor.goto(address)
    visitor.get_by_role("button", name="Menu").click()
    visitor.get_by_role("link", name="Find anything").click()
    finder = visitor.locator("#finder")
    visitor.keyboard.type("pistol zzzz")
    finder.get_by_role("link", name="pistol").click()
    finder.get_by_role("link", name="Gear").click()
    expect(finder.get_by_role("heading", name="Stat blocks")).to_have_count(0)
    expect(finder.get_by_role("link", name="Laser pistol")).to_be_visible()
    assert find_overflow(visitor) == []
    visitor.locator("#find-q").fill("ramp")
    place = visitor.locator("#finder").get_by_role("link", name="Loading ramp")
    expect(place).to_be_visible()
    assert find_overflow(visitor) == []
    place.click()
    expect(visitor.locator("#scene")).to_be_visible()
