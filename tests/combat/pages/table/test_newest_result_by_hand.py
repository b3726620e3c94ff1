"""A player's own result on a phone that has missed others: it is shown before them."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter, ShareLink
from tests.browser import sign_in
from tests.combat.cast import come
from tests.combat.visit import DEMO, ZARA, play

pytestmark = pytest.mark.slow


def test_own_newest_result_is_shown_before_those_of_others(
    live_server: LiveServer, page: Page, started: Encounter
) -> None:
    sign_in(page.context, live_server, come(started, ShareLink.PLAY, "Pia", ZARA))
    play(started.pk, DEMO.script[1:2])
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{live_server.url}/encounters/{started.pk}/")
    cards = page.locator("[data-result]")
    expect(cards).to_have_count(1)
    looks: list[bool] = []  # the page looks once: a further look leaves only the newest card
    page.route(
        re.compile(rf"/encounters/{started.pk}/(\?.*)?$"),
        lambda route: route.continue_() if looks and looks.pop() else route.abort(),
    )
    play(started.pk, DEMO.script[2:10])  # an enemy, a friend, and Zara again
    looks.append(True)
    page.evaluate("htmx.trigger('[data-live]', 'again')")
    expect(cards).to_have_count(3)
    shown, count = cards.filter(visible=True), page.locator("[data-results-count]")
    expect(shown).to_contain_text("Zara attacks Pirate")
    expect(count).to_have_text("1 of 3")
    expect(page.locator("#table[data-fresh]")).to_have_count(0)  # until then, what has just come does nothing
    page.get_by_role("button", name="Next result").click()
    expect(shown).to_contain_text("Pirate attacks Zara")
    expect(count).to_have_text("2 of 3")
    page.get_by_role("button", name="Skip all").click()
    expect(shown).to_contain_text("Zara attacks Pirate")
    expect(page.get_by_role("button", name="Next result")).to_be_hidden()
