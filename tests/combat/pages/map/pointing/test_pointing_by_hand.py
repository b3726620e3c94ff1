"""Pinging places and measuring ways on the map: by mouse, and by keys alone."""

from __future__ import annotations

from playwright.sync_api import Page as Browser
from playwright.sync_api import expect

from tests.browser import find_on_map
from tests.combat.visit import MARCUS
from tests.typed import sure


def test_mouse_pings_and_measures(table: Browser) -> None:
    check_ring_with_a_name(table)
    check_ruler(table)
    check_bar_at_every_zoom(table)


def check_ring_with_a_name(table: Browser) -> None:
    """It is shown where one points."""
    table.get_by_role("button", name="Ping a place").click()
    table.mouse.click(*find_on_map(table, 20, 10))
    expect(table.locator(".pings text")).to_have_text("GM")
    assert round(float(table.locator(".ping").get_attribute("cx") or 0)) == 20
    expect(table.get_by_role("button", name="Ping a place")).to_have_attribute("aria-pressed", "false")


def check_ruler(table: Browser) -> None:
    """It measures from where the mouse begins, or from the acting combatant."""
    words = table.locator(".ruler .carry-words")
    table.get_by_role("button", name="Measure").click()
    table.mouse.click(*find_on_map(table, 10, 3))
    expect(words).to_have_text("6 m")
    table.mouse.move(*find_on_map(table, 14, 10))
    table.mouse.down()
    table.mouse.move(*find_on_map(table, 18, 13), steps=4)
    expect(words).to_have_text("5 m")
    table.mouse.up()
    expect(table.locator("#live")).to_have_text("5 m")
    table.keyboard.press("Escape")
    expect(words).to_have_count(0)
    expect(table.get_by_role("button", name="Measure")).to_have_attribute("aria-pressed", "false")


def check_bar_at_every_zoom(table: Browser) -> None:
    """It is as long as it says."""
    bar = table.locator(".map-scale")
    expect(bar).to_contain_text(" m")
    whole = bar.inner_text()
    for _ in range(2):
        meters = float(bar.inner_text().removesuffix(" m"))
        meter = table.evaluate("() => document.querySelector('.map').getScreenCTM().a")
        assert abs(meters * meter - sure(bar.locator("i").bounding_box())["width"]) < 1
        for _ in range(3):
            table.get_by_role("button", name="Zoom in").click()
        expect(bar).not_to_have_text(whole)


def test_keys_ping_and_measure(table: Browser) -> None:
    table.get_by_role("button", name="Places").click()
    check_place_of_the_list(table)
    check_end_of_the_ruler(table)
    table.get_by_label("Measure from").select_option("Zara")
    table.get_by_label("to", exact=True).select_option("Pirate")
    table.get_by_role("button", name="How far?").press("Enter")
    expect(table.locator(".ruler .carry-words"), "two names").to_contain_text(" m")
    expect(table.locator("#map-measure output"), "two names").to_contain_text(" m")


def check_place_of_the_list(table: Browser) -> None:
    choice = table.get_by_label("Ping", exact=True)
    choice.focus()
    choice.select_option("Marcus")
    table.keyboard.press("Tab")
    table.keyboard.press("Enter")
    expect(table.locator(".pings text")).to_have_text("GM")
    there = table.locator(f'[data-combatant="{MARCUS}"] .token').get_attribute("transform") or ""
    assert f"translate({float(table.locator('.ping').get_attribute('cx') or 0):g} " in there


def check_end_of_the_ruler(table: Browser) -> None:
    """Keys move it, and begin again."""
    table.get_by_role("button", name="Measure").focus()
    table.keyboard.press("Enter")
    for _ in range(4):
        table.keyboard.press("ArrowRight")
    expect(table.locator("#live")).to_have_text("4 m")
    table.keyboard.press("Home")
    table.keyboard.press("ArrowDown")
    expect(table.locator("#live")).to_have_text("1 m")
    table.keyboard.press("Escape")
