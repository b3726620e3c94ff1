"""Names at the edge of a phone's map: who is outside it, covering nobody inside and no button."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from tests.browser import wait_for_map
from tests.combat.pages.every_page.test_phone_turn import sit_down
from tests.combat.visit import MARCUS, PIRATE, ZARA, state_of

pytestmark = pytest.mark.slow

FAR = 30  # meters: outside the map of any phone
BOXES = """(names) => [...document.querySelectorAll(names)]
  .filter((it) => it.checkVisibility()).map((it) => {
  const { left, right, top, bottom } = it.getBoundingClientRect();
  return { left, right, top, bottom };
})"""
Box = dict[str, float]


def put(encounter: Encounter, who: str, across: float, down: float) -> None:
    """Put someone so many meters from Zara."""
    zara = state_of(encounter.pk)[ZARA].at
    submit(encounter.pk, Submission("place", {"target": who, "x": zara.x + across, "y": zara.y + down}))


def find_boxes(page: Page, names: str) -> list[Box]:
    found: list[Box] = page.evaluate(BOXES, names)
    return found


def meet(one: Box, other: Box) -> bool:
    across = one["left"] < other["right"] and one["right"] > other["left"]
    return across and one["top"] < other["bottom"] and one["bottom"] > other["top"]


@pytest.fixture
def phone(live_server: LiveServer, page: Page, started: Encounter) -> Page:
    """The map on the phone of Zara's player."""
    sit_down(page, live_server, started, ZARA)
    page.set_viewport_size({"width": 390, "height": 844})
    return page


def look(page: Page) -> list[Box]:
    """The names at the edge, once they are drawn."""
    page.reload()
    page.locator("label[for=tab-scene]").click()
    expect(page.locator(".map-edge").first).to_be_visible()
    wait_for_map(page)
    return find_boxes(page, ".map-edge")


@pytest.mark.parametrize("side", [-1, 1])
def test_name_goes_below_someone_who_stands_where_it_would_be(
    phone: Page, started: Encounter, side: int
) -> None:
    put(started, PIRATE, side * FAR, 0)
    put(started, MARCUS, side * 3.5, 0)
    (name,) = look(phone)
    (marcus,) = find_boxes(phone, f".map [data-token={MARCUS}]")
    assert name["left"] < marcus["right"], "they share a side"
    assert name["right"] > marcus["left"], "they share a side"
    assert marcus["bottom"] < name["top"] < marcus["bottom"] + 100


def test_nearest_three_are_named_one_below_the_other_under_tools(phone: Page, started: Encounter) -> None:
    """The farthest, the dead and those who wait give way; nobody's name covers another or a button."""
    put(started, PIRATE, -FAR, 0)
    put(started, MARCUS, 0, 2)
    for name, farther in (("Ana", 1), ("Bea", 2), ("Cleo", 3), ("Dora", -1)):
        submit(started.pk, Submission("join", {"block": "pirate_example", "side": "enemies", "name": name}))
        (who,) = [one.id for one in state_of(started.pk).combatants.values() if one.name == name]
        put(started, who, FAR + farther, -FAR if name == "Cleo" else 0)
        if name == "Dora":
            submit(started.pk, Submission("give_condition", {"target": who, "kind": "dead"}))
    names = look(phone)
    expect(phone.locator(".map-edge")).to_have_text(["Pirate", "Ana", "Bea"])
    tools = find_boxes(phone, ".map-tools")
    assert tools
    for n, box in enumerate(names):
        assert not any(meet(box, other) for other in (*names[n + 1 :], *tools)), n
    phone.locator(".map-edge", has_text="Ana").click()
    expect(phone.locator(".map-edge", has_text="Ana")).to_have_count(0)
    expect(phone.locator(".map-edge", has_text="Zara")).to_be_visible()


def test_tokens_are_drawn_in_full_only_where_the_map_is_close(phone: Page) -> None:
    look(phone)
    expect(phone.locator("[data-map] > .map")).to_have_class("map is-close")
    phone.get_by_role("button", name="Whole map").click()
    expect(phone.locator("[data-map] > .map")).not_to_have_class("map is-close")
    expect(phone.locator(".map-edge")).to_have_count(0)
