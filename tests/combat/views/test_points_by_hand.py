"""Somebody points at a place of the map with the mouse."""

from __future__ import annotations

from playwright.sync_api import Page as Browser
from playwright.sync_api import expect

from tests.combat.views.test_map_moves import spot_of, table

__all__ = ["table"]


def test_ring_with_a_name_is_shown_where_one_points(table: Browser) -> None:
    table.get_by_role("button", name="Ping a place").click()
    table.mouse.click(*spot_of(table, 20, 10))
    expect(table.locator(".pings text")).to_have_text("GM")
    ring = table.locator(".ping")
    assert round(float(ring.get_attribute("cx") or 0)) == 20
    expect(table.get_by_role("button", name="Ping a place")).to_have_attribute("aria-pressed", "false")
