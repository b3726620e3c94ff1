"""What a projector shows can be read from across a room: its size and its contrast, in both themes."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter, ShareLink
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import SYSTEMS, find_system
from tests.browser import skip_hints
from tests.combat.cast import come
from tests.combat.visit import begun, state_of
from tests.tools.layout.looking import measure
from tests.tools.layout.pages import Look, Place

STEPS, ALL = 6, 99
FIGHTS = [(slug, number) for slug in SYSTEMS for number in range(len(find_system(slug).demo.make_all()))]
# What comes only with the pointer, and the lost connection of these servers
WITHOUT_HANDS = (
    """document.querySelectorAll('#banner, .site, #map-zoom, #log .btn').forEach((one) => one.remove())"""
)
OF_TEXT = ("small text", "contrast")


def mark(fight: Encounter) -> None:
    """Give the active combatant conditions, as its cell has least room for them."""
    state = state_of(fight.pk)
    kinds = list(find_system(fight.system).characters.conditions)[:2]
    for kind in kinds:
        submit(fight.pk, Submission("give_condition", {"target": state.active, "kind": kind}, by="gm"))


def watch(page: Page, live_server: LiveServer, fight: Encounter) -> Place:
    """Open a fight on the projector."""
    for name, one in come(fight, ShareLink.WATCH, "Wall").cookies.items():
        page.context.add_cookies([{"name": name, "value": one.value, "url": live_server.url}])
    skip_hints(page.context)
    place = Place(f"watch, {fight.system}", "watcher", f"/encounters/{fight.pk}/")
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(live_server.url + place.address)
    page.evaluate(WITHOUT_HANDS)
    return place


def find_weak(page: Page, place: Place) -> str:
    """The words that are too small or too faint, in both themes."""
    found = [one for theme in ("dark", "light") for one in measure(page, place, Look(1920, 1080, theme))]
    return "\n".join(str(one) for one in found if one.kind in OF_TEXT)


@pytest.mark.parametrize(("slug", "number"), FIGHTS)
def test_all_words_of_a_projector_are_large_and_clear(
    live_server: LiveServer, page: Page, transactional_db: None, gm: User, slug: str, number: int
) -> None:
    fight = begun(gm, slug, number, STEPS)
    mark(fight)
    place = watch(page, live_server, fight)
    acting = page.locator("[data-row][aria-current=true]").first
    assert acting.locator(".health svg").first.is_visible()
    assert acting.locator(".chip").first.is_visible()
    assert find_weak(page, place) == ""


@pytest.mark.parametrize("slug", ["cosmos", "starshock"])
def test_end_of_a_fight_is_large_and_clear_too(
    live_server: LiveServer, page: Page, transactional_db: None, gm: User, slug: str
) -> None:
    """With the damage of everyone, their luck and the moment to remember."""
    place = watch(page, live_server, begun(gm, slug, steps=ALL))
    expect(page.locator(".ending-low .bell")).to_be_visible()
    assert find_weak(page, place) == ""
