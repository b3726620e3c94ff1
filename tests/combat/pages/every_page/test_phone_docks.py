"""A newcomer's first pages on a phone: the next step is at the edge of the screen."""

from __future__ import annotations

from django.contrib.auth.models import User
from playwright.sync_api import Page as Browser
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from combat.models import ShareLink
from combat.play.demo import make_demo_fight
from combat.sharing.links import make_link
from tests.browser import skip_hints

HEIGHT = 844  # pixels, of a phone that is 390 wide


def ends_at_the_edge(page: Browser, dock: str) -> bool:
    """Whether nothing is below the dock."""
    box = page.locator(dock).bounding_box()
    assert box
    return abs(box["y"] + box["height"] - HEIGHT) < 1


def test_docks_of_a_newcomer_are_at_the_edge(
    live_server: LiveServer, page: Browser, transactional_db: None, gm: User
) -> None:
    made = make_demo_fight(gm, "cosmos")
    skip_hints(page.context)
    page.set_viewport_size({"width": 390, "height": HEIGHT})
    page.goto(f"{live_server.url}/join/{make_link(made, ShareLink.PLAY, '')[1]}/")
    assert ends_at_the_edge(page, ".join-dock")
    page.get_by_label("Your name").fill("Pia")
    page.get_by_role("button", name="Join").click()
    page.goto(f"{live_server.url}/characters/new/?for={made.pk}")
    expect(page.locator(".wizard-head")).to_be_visible()
    expect(page.locator(".site")).to_be_hidden()  # the wizard has a head of its own
    assert ends_at_the_edge(page, ".step-dock")
