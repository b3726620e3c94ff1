"""A point of luck by hand: asked on the player's phone, seen by the GM, and spent with one tap."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter
from tests.browser import is_press, skip_hints
from tests.combat.cast import Cast
from tests.combat.pages.table.test_luck import count_left, set_rules, shoot

pytestmark = pytest.mark.slow


def open_page(browser: Browser, live_server: LiveServer, cast: Cast, role: str, width: int) -> Page:
    """Someone's browser, with the session of their test client."""
    context: BrowserContext = browser.new_context(viewport={"width": width, "height": 844})
    skip_hints(context)
    cookies = [
        {"name": name, "value": morsel.value, "url": live_server.url}
        for name, morsel in cast[role].cookies.items()
    ]
    context.add_cookies(cookies)  # type: ignore[arg-type]
    return context.new_page()


def test_a_phone_asks_for_a_point_of_luck_and_spends_it(
    browser: Browser, live_server: LiveServer, started: Encounter, cast: Cast
) -> None:
    set_rules(started)
    shoot(started, 1, 2)
    address = f"{live_server.url}/encounters/{started.pk}/"
    phone = open_page(browser, live_server, cast, "player", 390)
    table = open_page(browser, live_server, cast, "gm", 1440)
    for page in (phone, table):
        page.goto(address)
        expect(page.get_by_text("Spend a point of luck (2 left)?").first).to_be_visible()
        expect(page.get_by_role("button", name="Roll again")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    with phone.expect_response(is_press):
        phone.get_by_role("button", name="+2").click()
    expect(phone.get_by_text("Spend a point of luck")).to_have_count(0)
    table.reload()
    expect(table.get_by_text("Spend a point of luck")).to_have_count(0)
    assert count_left(started) == 1
