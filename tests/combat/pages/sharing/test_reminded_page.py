"""The page of a player who is reminded shows it until they tap it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter, ShareLink
from combat.sharing.reminders import CHOOSE
from tests.browser import sign_in
from tests.combat.cast import come


@pytest.mark.parametrize("light", ["on", "off"])
def test_page_of_the_reminded_shows_it_until_a_tap(
    live_server: LiveServer, page: Page, prepared: Encounter, complaints: list[str], light: str
) -> None:
    """The test's server has no streams: the event comes as the stream would bring it."""
    page.add_init_script(f"localStorage.setItem('light', '{light}')")
    page.set_viewport_size({"width": 390, "height": 844})
    sign_in(page.context, live_server, come(prepared, ShareLink.PLAY, "Ada"))
    page.goto(f"{live_server.url}/encounters/{prepared.pk}/")
    words: dict[str, Any] = {"title": "The GM waits for you", "reason": CHOOSE}
    page.locator("[data-reminder]").evaluate(
        """(place, data) => window.htmx.trigger(place, "htmx:sseBeforeMessage", { data })""",
        json.dumps(words),
    )
    band = page.locator(".call-band")
    expect(band).to_be_visible()
    assert band.inner_text().split("\n") == ["The GM waits for you", CHOOSE]
    expect(page.locator("#live")).to_have_text(f"The GM waits for you. {CHOOSE}.")
    band.click()
    expect(band).to_be_hidden()
    assert complaints == []
