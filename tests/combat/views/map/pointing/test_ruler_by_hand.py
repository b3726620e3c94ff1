"""Using the ruler: mouse, finger and keys."""

from __future__ import annotations

from math import dist

from playwright.sync_api import Page as Browser
from playwright.sync_api import expect

from tests.combat.views.map.test_map_moves import spot_of


def test_mouse_measures_from_where_it_begins_or_from_whoever_acts(table: Browser) -> None:
    words = table.locator(".ruler .carry-words")
    table.get_by_role("button", name="Measure").click()
    table.mouse.click(*spot_of(table, 10, 3))
    expect(words).to_have_text("6 m")
    table.mouse.move(*spot_of(table, 14, 10))
    table.mouse.down()
    table.mouse.move(*spot_of(table, 18, 13), steps=4)
    expect(words).to_have_text("5 m")
    table.mouse.up()
    expect(table.locator("#live")).to_have_text("5 m")
    table.keyboard.press("Escape")
    expect(words).to_have_count(0)
    expect(table.get_by_role("button", name="Measure")).to_have_attribute("aria-pressed", "false")


def test_bar_is_as_long_as_it_says_at_every_zoom(table: Browser) -> None:
    bar = table.locator(".map-scale")
    expect(bar).to_contain_text(" m")
    whole = bar.inner_text()
    for _ in range(2):
        metres = float(bar.inner_text().removesuffix(" m"))
        ends = (spot_of(table, x, 3) for x in (4, 4 + metres))
        drawn = bar.locator("i").bounding_box()
        assert drawn
        assert abs(dist(*ends) - drawn["width"]) < 1
        for _ in range(3):
            table.get_by_role("button", name="Zoom in").click()
        expect(bar).not_to_have_text(whole)


def test_keys_move_the_end_and_begin_again(table: Browser) -> None:
    table.get_by_role("button", name="Measure").focus()
    table.keyboard.press("Enter")
    for _ in range(4):
        table.keyboard.press("ArrowRight")
    expect(table.locator("#live")).to_have_text("4 m")
    table.keyboard.press("Home")
    table.keyboard.press("ArrowDown")
    expect(table.locator("#live")).to_have_text("1 m")


def test_two_names_are_measured_on_the_map(table: Browser) -> None:
    table.get_by_label("Measure from").select_option("Zara")
    table.get_by_label("to", exact=True).select_option("Pirate")
    table.get_by_role("button", name="How far?").click()
    expect(table.locator(".ruler .carry-words")).to_contain_text(" m")
    expect(table.locator("#map-measure output")).to_contain_text(" m")
