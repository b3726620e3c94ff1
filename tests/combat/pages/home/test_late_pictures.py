"""Pictures of scenes wait until the words of a page stand; without scripts they are there at once."""

from __future__ import annotations

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter
from tests.browser import sign_in

WAITING = "noscript[data-later]"
PAGES = ["/", "/encounters/", "/encounters/new/", "/rules/", "/help/", "/help/gm/"]


@pytest.mark.parametrize("path", PAGES)
def test_pictures_come_once_the_words_stand(
    live_server: LiveServer, visitor: Page, started: Encounter, path: str
) -> None:
    answer = visitor.goto(f"{live_server.url}{path}")
    assert answer
    sent = answer.text()
    expected = sent.count('<svg class="picture"')
    assert expected == sent.count("<noscript data-later>") > 0
    expect(visitor.locator("svg.picture")).to_have_count(expected)
    expect(visitor.locator(WAITING)).to_have_count(0)


def test_pictures_stand_without_scripts(
    live_server: LiveServer, browser: Browser, transactional_db: None, gm_client: Client
) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=live_server.url)
    sign_in(context, live_server, gm_client)
    page = context.new_page()
    page.goto("/encounters/new/")
    expect(page.locator("#start-picture svg.picture")).to_be_visible()
    context.close()


def test_picture_follows_what_is_filled_in(live_server: LiveServer, visitor: Page) -> None:
    visitor.goto(f"{live_server.url}/encounters/new/")
    picture = visitor.locator("#start-picture svg.picture")
    expect(picture.locator("svg.mark")).not_to_have_count(0)
    visitor.locator(".film").scroll_into_view_if_needed()  # these wait until they are looked at
    drawn = visitor.locator(".film details[open] .thumb > svg *")
    expect(drawn).not_to_have_count(0)
    before = drawn.count()
    visitor.get_by_label("Who fights", exact=True).fill("")
    expect(picture).to_be_visible()
    expect(picture.locator("svg.mark")).to_have_count(0)
    visitor.locator("#start-example-0").click()
    expect(picture.locator("svg.mark")).not_to_have_count(0)
    assert drawn.count() >= before
    visitor.get_by_label("No map").check()
    expect(visitor.locator("#start-picture")).to_contain_text("No map")
    expect(visitor.locator(WAITING)).to_have_count(0)
