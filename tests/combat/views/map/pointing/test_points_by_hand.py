"""Pointing at a place of the map with the mouse."""

from __future__ import annotations

from playwright.sync_api import Page as Browser
from playwright.sync_api import expect

from tests.combat.views.map.test_map_moves import spot_of
from tests.combat.visit import MARCUS


def test_ring_with_a_name_is_shown_where_one_points(table: Browser) -> None:
    table.get_by_role("button", name="Ping a place").click()
    table.mouse.click(*spot_of(table, 20, 10))
    expect(table.locator(".pings text")).to_have_text("GM")
    ring = table.locator(".ping")
    assert round(float(ring.get_attribute("cx") or 0)) == 20
    expect(table.get_by_role("button", name="Ping a place")).to_have_attribute("aria-pressed", "false")


def test_place_is_chosen_in_the_list(table: Browser) -> None:
    """With the keyboard alone."""
    choice = table.get_by_label("Ping", exact=True)
    choice.focus()
    choice.select_option("Marcus")
    table.keyboard.press("Tab")
    table.keyboard.press("Enter")
    expect(table.locator(".pings text")).to_have_text("GM")
    there = table.locator(f'[data-combatant="{MARCUS}"] .token').get_attribute("transform") or ""
    assert f"translate({float(table.locator('.ping').get_attribute('cx') or 0):g} " in there
