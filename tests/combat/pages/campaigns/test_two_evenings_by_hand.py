"""Two evenings of one campaign by hand: a guest by link fires and is hurt, and comes back so in one tap."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Campaign, Encounter
from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.state.state import Combatant, present
from tests.browser import is_press, skip_hints
from tests.combat.pages.campaigns.test_two_evenings import GAMES, begin_evening, find_heroes
from tests.combat.visit import load, state_of

pytestmark = pytest.mark.slow


def open_phone(browser: Browser) -> Page:
    context: BrowserContext = browser.new_context(viewport={"width": 390, "height": 844})
    skip_hints(context)
    return context.new_page()


def join_by_link(phone: Page, address: str) -> None:
    """Type a name and take the first ready character, a soldier."""
    phone.goto(address)
    phone.get_by_label("Your name", exact=True).fill("Ana")
    phone.locator("input[name=combatant][value^='ready:']").first.check(force=True)
    phone.get_by_role("button", name="Join").click()
    expect(phone.get_by_role("button", name="I am ready")).to_be_visible()


def settle(page: Page) -> None:
    """Wait for what has just come: until then it does nothing."""
    expect(page.locator(".htmx-request, .htmx-swapping, .htmx-settling")).to_have_count(0)
    expect(page.locator("#table[data-fresh]")).to_have_count(0)


def fire(phone: Page, table: Page, fight: Encounter, hero: str) -> None:
    """The guest attacks in their turn; the GM lets the target take it."""
    while state_of(fight.pk).active != hero:
        settle(table)
        with table.expect_response(is_press):
            table.keyboard.press("n")
    phone.reload()
    phone.get_by_role("link", name="Attack").first.click()
    settle(phone)
    with phone.expect_response(is_press):
        phone.locator("button[name=dice][value=app]").first.click()
    table.reload()
    if load(fight.pk).open_command:
        table.locator("label", has_text="No reaction").click()
        table.get_by_role("button", name="No reaction").click()
    expect(table.locator("article.result")).to_be_visible()


def hurt(table: Page, address: str, hero: str) -> None:
    """Three points off the guest's character, typed into the window at their row."""
    table.goto(f"{address}?combatant={hero}&row=quick")
    points = table.locator(".quick-points input:not([type=hidden])").first
    points.fill("-3")
    with table.expect_response(is_press):
        points.press("Enter")


def find_lasting(one: Combatant) -> tuple[dict[str, int], list[tuple[str, int]]]:
    """Health, and gear with its rounds."""
    return dict(one.tracks), sorted((item.name, item.loaded or 0) for item in one.items)


@GAMES
def test_second_evening_begins_in_one_tap_with_wounds_and_links(
    visitor: Page, browser: Browser, live_server: LiveServer, campaign: Campaign, slug: str
) -> None:
    fight, link = begin_evening(campaign, slug)
    here = f"{live_server.url}/encounters/{fight.pk}/"
    phone = open_phone(browser)
    join_by_link(phone, live_server.url + link)
    (hero,) = find_heroes(fight)
    whole = find_lasting(hero)
    skip_hints(visitor.context)
    visitor.set_viewport_size({"width": 1440, "height": 900})
    visitor.goto(here)
    visitor.get_by_role("button", name="Roll initiative").click()
    expect(visitor.locator("#h-turn")).to_be_visible()
    fire(phone, visitor, fight, hero.id)
    hurt(visitor, here, hero.id)

    (foe,) = [one for one in present(state_of(fight.pk)) if not one.pc]
    for track in [one for one, left in foe.tracks.items() if left]:
        submit(fight.pk, Submission("adjust", {"target": foe.id, "track": track, "by": -500}))
    visitor.goto(here)
    visitor.get_by_role("button", name="End fight").click()
    visitor.get_by_role("button", name="Close the fight").click()
    visitor.get_by_role("button", name="Next fight, same people").click()
    expect(
        visitor.get_by_role("link", name="Go to table").or_(visitor.get_by_text("Go to table"))
    ).to_be_visible()

    second = campaign.encounters.exclude(pk=fight.pk).get()
    (back,) = find_heroes(second)
    assert find_lasting(back) == find_lasting(find_heroes(fight)[0])
    health, gear = find_lasting(back)
    assert (back.name, health == whole[0]) == (hero.name, False), "still hurt"
    assert [name for name, rounds in whole[1] if dict(gear)[name] < rounds], "rounds are fired"
    phone.goto(live_server.url + link)
    expect(phone).to_have_url(re.compile(f"/encounters/{second.pk}/"))
    expect(phone.get_by_text("The GM still prepares this fight.")).to_be_visible()
    let_in = visitor.get_by_role("button", name="Let players in")
    let_in.click()
    expect(let_in).to_have_count(0)
    phone.reload()
    expect(phone.get_by_role("button", name="I am ready")).to_be_visible()
    phone.context.close()
