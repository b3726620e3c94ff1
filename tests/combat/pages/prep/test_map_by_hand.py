"""The map of the preparation in a real browser: by dragging, tapping and keys, and behind tabs on a phone."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, create_encounter, submit
from combat.rules import find_system
from combat.rules.core.state.state import present
from tests.browser import find_barriers, find_on_map, find_overflow, is_press
from tests.combat.visit import SLUG, state_of

pytestmark = pytest.mark.slow

SCREENS = 1.5  # how many of them a tab is high at most


@pytest.fixture
def ring(gm: User, gm_client: Client, transactional_db: None) -> Encounter:
    """Two sides on a ring of a station."""
    made = create_encounter(gm, SLUG, "Grab at the ring")
    gm_client.post(f"/encounters/{made.pk}/scene/", {"do": "ready", "ready": "docking_ring", "next": "prep"})
    for name, side in (("Zara", "allies"), ("Bo", "allies"), ("Vox", "enemies")):
        submit(made.pk, Submission("join", {"block": "pirate_example", "name": name, "side": side}))
    return made


def find_at(ring: Encounter, name: str) -> tuple[float, float]:
    (at,) = (one.at for one in present(state_of(ring.pk)) if one.name == name)
    return at.x, at.y


def open_prep(
    page: Page, live_server: LiveServer, ring: Encounter, width: int = 1440, height: int = 900
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{live_server.url}/encounters/{ring.pk}/prep/")
    page.locator(".map-scale b:not(:empty)").wait_for(state="attached")


def test_someone_is_dragged_and_sees_the_nearest_enemy(
    live_server: LiveServer, visitor: Page, ring: Encounter, complaints: list[str]
) -> None:
    page = visitor
    open_prep(page, live_server, ring)
    page.locator("[data-put][aria-label=Zara]").hover()
    page.mouse.down()
    page.mouse.move(*find_on_map(page, 20, 10), steps=6)
    expect(page.locator(".putting-words")).to_contain_text("m to Vox")
    with page.expect_response(is_press):
        page.mouse.up()
    assert find_at(ring, "Zara") == pytest.approx((20, 10), abs=0.5)
    expect(page.locator("#ready-scenes svg").first).to_be_attached()
    page.get_by_label("Show only these names").fill("vox")
    shown = page.locator(".cast-list > li:visible")
    expect(shown).to_have_count(1)
    expect(page.locator("form[data-busy]")).to_have_count(0)
    expect(shown).to_have_count(1)
    shown.get_by_role("link", name="Change Vox").click()
    expect(page.locator("#roster form[aria-label='Change Vox']")).to_be_visible()
    expect(page.get_by_label("Show only these names")).to_have_value("vox")
    expect(shown).to_have_count(1)
    assert complaints == []


def test_map_stands_while_someone_is_dragged_and_after(
    live_server: LiveServer, visitor: Page, ring: Encounter
) -> None:
    """Also if they are put where the map has to grow for them."""
    page = visitor
    open_prep(page, live_server, ring)

    def find_view() -> list[float]:
        words = page.locator("[data-map] > .map").get_attribute("viewBox") or ""
        return [float(word) for word in words.split()]

    before, extent = find_view(), page.locator("[data-map]").get_attribute("data-map")
    box = page.locator("[data-map] > .map").bounding_box()
    assert box
    page.locator("[data-put][aria-label=Zara]").hover()
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] - 3, steps=6)
    assert find_view() == before
    with page.expect_response(is_press):
        page.mouse.up()
    expect(page.locator(f'[data-map="{extent}"]')).to_have_count(0)
    assert find_view()[:3] == pytest.approx(before[:3], abs=0.1)


def test_tools_fold_and_stay_so(live_server: LiveServer, visitor: Page, ring: Encounter) -> None:
    page = visitor
    open_prep(page, live_server, ring)
    handle, tool = page.get_by_role("button", name="Map tools"), page.get_by_role("button", name="Measure")
    for is_open in (True, False, True):
        if is_open != (handle.get_attribute("aria-expanded") == "true"):
            handle.press("Enter")
        expect(handle).to_have_attribute("aria-expanded", str(is_open).lower())
        expect(tool).to_be_visible(visible=is_open)
        page.reload()
        expect(tool).to_be_visible(visible=is_open)


def test_each_tab_of_a_phone_is_short(live_server: LiveServer, visitor: Page, ring: Encounter) -> None:
    page = visitor
    open_prep(page, live_server, ring, 390, 844)
    for name in ("Map", "People", "Rules", "Ready"):
        page.locator(".prep-tabs > label", has_text=name).click()
        assert page.evaluate("document.documentElement.scrollHeight") <= 844 * SCREENS, name
        assert find_overflow(page) == [], name
        assert find_barriers(page) == [], name
    page.reload()
    expect(page.locator("#prep-tab-ready")).to_be_checked()


def test_someone_is_placed_by_keys_and_by_the_app(
    live_server: LiveServer, visitor: Page, ring: Encounter, complaints: list[str]
) -> None:
    page = visitor
    open_prep(page, live_server, ring)
    page.locator("#roster").get_by_role("link", name="Place Bo").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#put-bar")).to_be_visible()
    expect(page.locator("#put-bar")).to_contain_text("m to Vox")
    x, y = find_at(ring, "Bo")
    page.keyboard.press("ArrowRight")
    with page.expect_response(is_press):
        page.keyboard.press("Enter")
    assert find_at(ring, "Bo") == (x + 1, y)
    page.locator("#roster").get_by_role("link", name="Place Bo").click()
    with page.expect_response(is_press):
        page.get_by_role("button", name="For me").click()
    assert find_at(ring, "Bo") != (x + 1, y)
    assert complaints == []


def test_start_area_has_one_name_at_every_width(
    live_server: LiveServer, visitor: Page, gm: User, gm_client: Client
) -> None:
    """In it where there is room; else in the corner of a narrow map, and where areas are moved."""
    said = {"system": SLUG, "notes": find_system(SLUG).book.imports.example, "scene": "coast_road"}
    gm_client.post("/encounters/new/", {**said, "name": "Road"})
    made, page = Encounter.objects.get(owner=gm), visitor
    names = page.locator(".prep-map .start > text:visible, .start-key > span:visible")
    for width, tight in ((390, True), (1440, False)):
        open_prep(page, live_server, made, width)
        assert sorted(name.split()[0] for name in names.all_text_contents()) == ["Allies", "Enemies"]
        assert page.locator(".start-key > span:visible").count() == tight
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("button", name="Move start areas").click()
    expect(page.locator(".prep-map .start > text:visible")).to_have_count(2)
