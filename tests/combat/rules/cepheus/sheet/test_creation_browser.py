"""Making a person by profile, dice and line, and a vehicle, in an accessible real browser page."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.rules.cepheus import SYSTEM
from tests.characters.test_browser import find_barriers, is_too_wide

pytestmark = pytest.mark.slow

HERE = f"/characters/new/?game={SYSTEM.slug}"
WAYS = [
    "&way=guided&at=body",
    "&way=guided&at=body&chosen-method=points",
    "&way=free&chosen-kind=vehicle",
    "&way=free&chosen-kind=robot",
]


@pytest.fixture
def maker(live_server: LiveServer, page: Page, transactional_db: None, gm: User) -> Page:
    """A browser, signed in."""
    client = Client()
    client.force_login(gm)
    name = settings.SESSION_COOKIE_NAME
    page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": live_server.url}])
    return page


def test_form_has_no_barriers_and_fits(live_server: LiveServer, maker: Page) -> None:
    for way in WAYS:
        maker.goto(f"{live_server.url}{HERE}{way}")
        for width in (1280, 360):
            maker.set_viewport_size({"width": width, "height": 900})
            assert find_barriers(maker) == [], (way, width)
            assert not is_too_wide(maker), (way, width)


def test_profile_dice_and_line_fill_the_form(live_server: LiveServer, maker: Page) -> None:
    maker.goto(f"{live_server.url}{HERE}&way=guided&at=body")
    profile = maker.get_by_label("Profile")
    profile.fill("777A87")
    profile.blur()
    expect(maker.get_by_role("textbox", name="Intelligence")).to_have_value("10")
    maker.get_by_role("button", name="Endurance more").click()
    expect(profile).to_have_value("778A87")
    maker.get_by_role("button", name="Roll 2d6 for each").click()
    expect(profile).to_have_value(re.compile("^[2-9ABC]{6}$"))
    maker.get_by_role("button", name="Skills ›").click()
    maker.locator("summary", has_text="General").click()
    maker.get_by_role("button", name="Recon +").click()
    expect(maker.get_by_role("textbox", name="Recon")).to_have_value("0")
    maker.locator("#step-who").click()
    maker.get_by_role("textbox", name="One line of text").fill(
        "Guard 868774 Gun Combat-1 Melee-0 rifle, cloth"
    )
    maker.get_by_role("button", name="Fill in").click()
    expect(maker.get_by_label("Character name")).to_have_value("Guard")
    maker.locator("#step-body").click()
    expect(profile).to_have_value("868774")
    maker.locator("#step-gear").click()
    expect(maker.locator(".bought")).to_contain_text("Rifle")
    maker.locator("#step-done").click()
    maker.get_by_role("button", name="Create Guard").click()
    expect(maker.get_by_role("heading", name="Guard", exact=True)).to_be_visible()
