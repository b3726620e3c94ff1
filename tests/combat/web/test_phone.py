"""A turn on a phone: what happened is in sight, and the page stays where one reads it."""

from __future__ import annotations

import pytest
from django.test import Client
from playwright.sync_api import Page as Browser
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter
from combat.play import Wish, submit

from .desk import PISTOL, ZARA
from .test_accessibility import sign_in


@pytest.fixture
def phone(
    live_server: LiveServer, page: Browser, transactional_db: None, gm_client: Client, started: Encounter
) -> Browser:
    """The table of a fight under way, on a screen of 360 by 740."""
    sign_in(page.context, live_server, gm_client)
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{live_server.url}/encounters/{started.pk}/")
    return page


def place(phone: Browser) -> int:
    """How far the page is scrolled, in pixels."""
    return int(phone.evaluate("scrollY"))


def roll(phone: Browser) -> int:
    """Press Roll in the form of the attack; returns how far the page was scrolled then."""
    button = phone.locator("#form-attack [name=dice][value=app]")
    button.scroll_into_view_if_needed()
    before = place(phone)
    button.click()
    return before


def test_result_and_refusal_are_in_sight_and_the_page_stays(phone: Browser) -> None:
    latest, weapon = phone.locator(".latest"), phone.locator("#form-attack [name=weapon]")
    phone.locator("#act-attack").click()
    expect(phone.locator("#form-attack")).to_be_in_viewport()
    for item, words in ((f"{ZARA}-3", "Out of reach"), (PISTOL, "attack on Pirate")):
        weapon.select_option(item)
        before = roll(phone)
        expect(latest).to_contain_text(words)
        expect(latest).to_be_in_viewport()
        assert abs(place(phone) - before) < 300


def test_next_turn_is_read_from_its_beginning(phone: Browser) -> None:
    phone.locator("#later, .action-list").last.scroll_into_view_if_needed()
    assert place(phone) > 500
    phone.get_by_role("button", name="Next turn").first.click()
    expect(phone.locator("#h-turn")).to_contain_text("Pirate")
    expect(phone.locator("#turn .facts")).to_be_in_viewport()
    expect(phone.locator(".latest")).to_contain_text("Pirate's turn.")


LONG = "W" * 60


@pytest.mark.parametrize(
    "address", ["", "?do=attack", "?row=rename&fighter=f2", "prep/", "log/", "share/", "forecast/"]
)
def test_name_of_one_long_word_makes_no_page_wider(phone: Browser, started: Encounter, address: str) -> None:
    Encounter.objects.filter(pk=started.pk).update(name="E" * 100)
    scene = {"zones": [{"id": "z", "name": LONG, "x": 0, "y": 0, "width": 30, "depth": 20}]}
    submit(started.pk, Wish("set_scene", {"scene": scene}))
    for who, letter in ((ZARA, "W"), ("f2", "M")):
        submit(started.pk, Wish("rename", {"target": who, "name": letter * 60, "side": LONG}))
    phone.goto(phone.url + address)
    panels = phone.locator(".tabs label")
    for number in range(panels.count()):
        panels.nth(number).click()
        assert phone.evaluate("document.documentElement.scrollWidth") == 360
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
