"""The next evening in a real browser: set by the GM at a desk, answered on a phone, read by both."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from characters.models import Character
from combat.models import Campaign
from tests.browser import find_barriers, find_overflow, sign_in
from tests.combat.pages.campaigns.test_chest import client_of, nia, zara

__all__ = ("nia", "zara")
pytestmark = pytest.mark.slow


def test_an_evening_is_set_answered_and_called_off_by_hand(
    live_server: LiveServer, visitor: Page, browser: Browser, campaign: Campaign, zara: Character, nia: User
) -> None:
    place = f"{live_server.url}/campaigns/{campaign.pk}/next/"
    visitor.set_viewport_size({"width": 1440, "height": 900})
    visitor.goto(f"{live_server.url}/campaigns/{campaign.pk}/")
    visitor.get_by_role("link", name="Set the next evening").first.click()
    visitor.locator("[name=day]").fill((timezone.now() + timedelta(days=3)).date().isoformat())
    visitor.locator("[name=at]").fill("19:00")
    visitor.locator("[name=place]").fill("At Ana's")
    visitor.get_by_role("button", name="Set the evening").click()
    expect(visitor.locator(".evening-card")).to_contain_text("At Ana's")
    expect(visitor.locator(".evening-tallies")).to_have_text("1 not answered")
    with visitor.expect_download() as got:
        visitor.get_by_role("link", name="Calendar file").click()
    assert "At Ana's" in Path(got.value.path()).read_text()
    assert find_barriers(visitor) == []

    phone = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    sign_in(phone, live_server, client_of(nia))
    page = phone.new_page()
    page.goto(live_server.url)
    page.get_by_role("button", name="Coming").tap()
    expect(page.get_by_role("button", name="Coming")).to_have_attribute("aria-pressed", "true")
    page.goto(place)
    page.get_by_label("Remark").fill("from 20:00")
    page.get_by_role("button", name="Maybe").tap()
    expect(page.locator(".evening-who")).to_contain_text("“from 20:00”")
    assert find_overflow(page) == []
    visitor.reload()
    expect(visitor.locator(".evening-tallies")).to_have_text("1 maybe")
    visitor.get_by_text("Call it off").click()
    visitor.get_by_role("button", name="Call off").click()
    expect(visitor.locator(".evening-card")).to_have_count(0)
    page.reload()
    expect(page.locator(".empty").first).to_contain_text("No evening is set.")
    phone.close()
