"""What a projector shows can be read from across a room: its size and its contrast, in both themes."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import FloatRect, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter, ShareLink
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import SYSTEMS, find_system
from tests.browser import skip_hints
from tests.combat.cast import come
from tests.combat.visit import PIRATE, PISTOL, ZARA, begun, roll_fives, state_of
from tests.tools.layout.looking import measure
from tests.tools.layout.pages import Look, Place
from tests.typed import sure

STEPS, ALL = 6, 99
MANY = """Allies: Zara Chen, 3 line soldiers
Enemies: 12 street thugs, 6 pirates, 2 security guards, a pirate captain named Vox"""
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
        submit(
            fight.pk,
            Submission("give_condition", {"target": state.active or state.order[0], "kind": kind}, by="gm"),
        )


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
    script = find_system(slug).demo.make_all()[number].script
    fight = begun(gm, slug, number, min(STEPS, len(script) // 2))
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


def test_twenty_five_stand_in_one_line_and_at_the_end_in_groups(
    live_server: LiveServer, page: Page, transactional_db: None, gm_client: Client
) -> None:
    """The strip takes no more than a seventh of the height, and nobody is left out of it, nor at the end."""
    sent = {"name": "Battle of the docks", "scene": "freighter_hold", "notes": MANY, "system": "cosmos"}
    gm_client.post("/encounters/new/?system=cosmos", sent)
    fight = Encounter.objects.latest("pk")
    submit(fight.pk, Submission("start"))
    assert len(state_of(fight.pk).combatants) == 25
    watch(page, live_server, fight)
    strip = sure(page.locator("#combatants").bounding_box())
    assert strip["height"] <= 1080 / 7
    tokens = [sure(one.bounding_box()) for one in page.locator("[data-row] .mark").all()]
    assert len(tokens) == 25
    assert all(one["width"] >= 32 and one["x"] >= 0 and one["x"] + one["width"] <= 1912 for one in tokens)
    submit(fight.pk, Submission("end_fight"))
    page.reload()
    ending = page.locator(".ending")
    ending.wait_for()
    told = [one.inner_text() for one in ending.locator(".ending-side li > b").all()]
    assert told == [
        *("Zara Chen", "Vox", "Security guard 1", "Security guard 2"),
        *("12 × Street thug", "6 × Pirate", "3 × Line soldier"),
    ]
    lowest = max(box["y"] + box["height"] for box in map(_box_of, ending.locator("li").all()))
    assert lowest <= 1080


def test_long_result_is_whole_on_the_wall(
    live_server: LiveServer,
    page: Page,
    transactional_db: None,
    gm: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Three attacks in one, with free dice beside them, on a wall that is too low for all their words."""
    roll_fives(monkeypatch)
    fight = begun(gm)
    sent = {"actor": ZARA, "target": PIRATE, "weapon": PISTOL, "attacks": 3}
    submit(fight.pk, Submission("attack", sent))
    submit(fight.pk, Submission("gm_roll", {"term": "3d6"}, by="gm"))
    watch(page, live_server, fight)
    column, cards = page.locator("#watch-result"), page.locator(".result")
    expect(cards).to_have_count(2)
    expect(column).to_have_class(re.compile("is-tight"))
    for card in cards.all():
        expect(card).to_be_in_viewport(ratio=1)
    expect(page.locator(".result-page:visible")).to_have_count(0)
    page.set_viewport_size({"width": 1920, "height": 1440})
    expect(column).not_to_have_class(re.compile("is-tight"))


def _box_of(one: Locator) -> FloatRect:
    return sure(one.bounding_box())
