"""The map pans and zooms with buttons, wheel, pointer, keys and two fingers, and keeps its view."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page as Browser
from playwright.sync_api import expect

from tests.typed import sure

SHOWN = "() => document.querySelector('.map').getAttribute('viewBox').split(' ').map(Number)"
GROUND = "() => document.querySelector('.map-ground').getAttribute('viewBox').split(' ').map(Number)"


def look(table: Browser) -> list[float]:
    """Left, top, width and height of the visible part of the map, and the same of its ground."""
    shown: list[float] = table.evaluate(SHOWN)
    assert shown == table.evaluate(GROUND)
    return shown


def test_map_pans_and_zooms(table: Browser) -> None:
    whole = table.get_by_role("button", name="Whole map")
    check_opening(table)
    whole.click()
    check_keys(table)
    check_wheel_and_drag(table)
    whole.click()
    check_two_fingers(table)
    whole.click()
    check_buttons(table)


def check_opening(table: Browser) -> None:
    """Everyone who fights is in it, large enough to press, in both arrangements and after a reload."""
    for arrangement in ("map", "numbers"):
        table.evaluate("name => localStorage.setItem('arrange', name)", arrangement)
        for _ in range(2):
            table.reload()
            expect(table.get_by_role("button", name="Whole map")).to_be_enabled()
            boxes = [sure(token.bounding_box()) for token in table.locator(".token > .mark").all()]
            assert min(box["width"] for box in boxes) >= 28, arrangement
            for token in table.locator(".token > .mark").all():
                expect(token, arrangement).to_be_in_viewport(ratio=1)
            frame = sure(table.locator("#map-frame").bounding_box())
            for name in table.locator(".token-name:visible").all():
                box = sure(name.bounding_box())
                assert box["y"] + box["height"] <= frame["y"] + frame["height"], f"cut off, {arrangement}"


def check_wheel_and_drag(table: Browser) -> None:
    """The wheel zooms about the pointer, and a drag moves."""
    whole, box = look(table), table.locator("svg.map").bounding_box()
    assert box
    table.mouse.move(box["x"] + 2, box["y"] + 2)
    table.mouse.wheel(0, -300)
    near = look(table)
    assert near[2] < whole[2], "the wheel"
    assert near[0] == pytest.approx(whole[0], abs=0.5), "what is under the pointer stays there"
    address = table.url
    table.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    table.mouse.down()
    table.mouse.move(box["x"] + box["width"] / 2 - 40, box["y"] + box["height"] / 2, steps=4)
    table.mouse.up()
    assert look(table)[0] > near[0], "a drag"
    assert table.url == address, "a drag that ends on a token chooses nobody"
    before = look(table)
    table.mouse.dblclick(box["x"] + box["width"] / 2, box["y"] + 4)
    assert look(table)[2] == pytest.approx(before[2] / 2, abs=0.01), "two taps on the ground"
    card = table.locator(".map-card")  # what a move there would be: it would lie under the fingers
    expect(card).to_be_visible()
    table.keyboard.press("Escape")
    expect(card).to_have_count(0)


def check_keys(table: Browser) -> None:
    table.get_by_role("button", name="Zoom in").focus()
    whole = look(table)
    table.keyboard.press("+")
    near = look(table)
    assert near[2] < whole[2], "+"
    table.keyboard.press("ArrowRight")
    assert look(table)[0] > near[0], "ArrowRight"
    table.keyboard.press("0")
    assert look(table) == whole, "0"


def check_two_fingers(table: Browser) -> None:
    whole, box = look(table), table.locator("svg.map").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    fingers = table.context.new_cdp_session(table)

    def touch(kind: str, apart: float) -> None:
        points = [{"x": x - apart, "y": y, "id": 1}, {"x": x + apart, "y": y, "id": 2}]
        sent = {"type": kind, "touchPoints": points if apart else []}
        fingers.send("Input.dispatchTouchEvent", sent)

    touch("touchStart", 20)
    touch("touchMove", 40)
    touch("touchMove", 60)
    touch("touchEnd", 0)
    assert look(table)[2] < whole[2] / 1.5, "two fingers"


def check_buttons(table: Browser) -> None:
    """They zoom, and the view outlives a swap."""
    whole = look(table)
    expect(table.get_by_role("button", name="Zoom out")).to_be_disabled()
    table.get_by_role("button", name="Zoom in").click()
    near = look(table)
    assert near[2] == pytest.approx(whole[2] / 1.5, rel=0.01), "Zoom in"
    table.get_by_role("button", name="Next turn").click()
    expect(table.locator("#h-turn")).not_to_contain_text("Zara")
    assert look(table) == near, "after a swap"
    table.get_by_role("button", name="Whole map").click()
    assert look(table) == whole, "Whole map"
