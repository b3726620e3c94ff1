"""The GM's table on a phone: actions begin high, and a ship shows one deck with its switch and its ways."""

from __future__ import annotations

import os

from django.contrib.auth.models import User
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.sharing.viewer_context import COOKIE
from tests.browser import TABS, find_barriers, find_overflow, skip_hints
from tests.combat.pages.map.test_deck_moves import lay
from tests.combat.rules.every_game.decks import HATCH, LADDER
from tests.combat.visit import begun, state_of

FIRST = 320  # pixels above the first action
GAMES = ("cosmos", "cepheus", "starshock", "guardians")
# Where the first thing to press of a turn begins
TOP = """() => {
  const places = "#lead .btn, .usual .action, #turn-actions a.action";
  const shown = [...document.querySelectorAll(places)].filter((e) => e.checkVisibility());
  return Math.min(...shown.map((e) => e.getBoundingClientRect().top));
}"""
ENVIRONMENT = "() => document.getElementById('environment').checkVisibility()"


def shoot(page: Page, name: str) -> None:
    """A picture for those who look, where they ask for it."""
    if folder := os.environ.get("PHONE_SHOTS"):
        page.screenshot(path=f"{folder}/gm-phone-{name}.png")


def test_the_first_action_is_high_on_the_gms_phone(live_server: LiveServer, visitor: Page, gm: User) -> None:
    """With a hint, and without one; what no longer stands in the bar is in its menu."""
    visitor.set_viewport_size({"width": 390, "height": 844})
    visitor.context.clear_cookies(name=COOKIE)
    for hints in (True, False):
        for slug in GAMES:
            visitor.goto(f"{live_server.url}/encounters/{begun(gm, slug).pk}/")
            shoot(visitor, f"{slug}-{hints}")
            assert visitor.evaluate(TOP) <= FIRST, f"{slug}, hints {hints}"
            assert find_overflow(visitor) == []
            expect(visitor.locator("#tip")).to_be_visible(visible=hints)
        skip_hints(visitor.context)
    visitor.locator("#vitals > summary").click()
    expect(visitor.locator("#numbers")).to_be_visible()
    menu = visitor.locator("[popovertarget=bar-more]")
    menu.click()
    assert find_barriers(visitor, "#bar-more") == []
    for name in ("Redo", "Share", "Help", "Pause"):
        expect(visitor.locator("#bar-more").get_by_text(name, exact=True)).to_be_visible()
    visitor.locator("#bar-more").get_by_text("Environment", exact=True).click()
    visitor.wait_for_function(ENVIRONMENT)
    expect(visitor.locator("#bar-more")).to_be_hidden()


def test_a_phone_shows_one_deck_with_its_switch_and_its_ways(
    live_server: LiveServer, visitor: Page, gm: User
) -> None:
    fight = begun(gm, "cosmos")
    lay(fight.pk, state_of(fight.pk).active, (4, 6), LADDER, HATCH)
    skip_hints(visitor.context)
    visitor.set_viewport_size({"width": 390, "height": 844})
    visitor.goto(f"{live_server.url}/encounters/{fight.pk}/")
    visitor.locator(".tabs label", has_text=TABS[2]).click()
    decks, ways = visitor.locator("[data-deck]"), visitor.locator(".deck-list a")
    expect(decks.locator(".deck-name").first).to_be_visible()
    expect(visitor.locator("[data-deck][aria-pressed=true]")).to_have_count(1)
    shoot(visitor, "decks")
    expect(ways.first).to_contain_text("Ladder up to Quarters")
    assert find_barriers(visitor, "#scene") == []
    assert find_overflow(visitor) == []
    ways.first.click()
    card = visitor.locator(".map-card")
    expect(card).to_contain_text("Ladder up to Quarters")
    card.get_by_role("button", name="Go there").click()
    expect(visitor.locator("#log")).to_contain_text("climbs a ladder")
    assert state_of(fight.pk)[state_of(fight.pk).active].at.z == 3


def test_small_phones_with_keyboard_show_the_field_being_typed(
    live_server: LiveServer, visitor: Page, gm: User
) -> None:
    """The ruling for the scene, in whose tab it opens; the search, with what it finds first."""
    skip_hints(visitor.context)
    visitor.set_viewport_size({"width": 360, "height": 380})
    visitor.goto(f"{live_server.url}/encounters/{begun(gm).pk}/")
    visitor.locator("a[href='?wish=0']").click()
    expect(visitor.locator("#ruling-words")).to_be_in_viewport(ratio=1)
    assert find_overflow(visitor) == []
    visitor.goto(f"{live_server.url}/characters/")
    visitor.keyboard.press("Control+k")
    visitor.keyboard.type("pistol")
    expect(visitor.locator("dialog[open] mark, dialog[open] li a").first).to_be_in_viewport(ratio=1)
    assert find_overflow(visitor) == []
