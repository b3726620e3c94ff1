"""The GM's notice in a real browser."""

from __future__ import annotations

from django.contrib.auth.models import User
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from cosmos_site.base.outside import Outside
from tests.browser import SIZES, find_barriers
from tests.combat.visit import demo_fight

TUNNEL = "abc-def.trycloudflare.com"


def test_gm_back_from_the_tunnel_window_decides_by_keyboard(
    outside: Outside, gm: User, visitor: Page, live_server: LiveServer
) -> None:
    fight = demo_fight(gm)
    visitor.set_viewport_size(SIZES["narrow"])
    visitor.goto(f"{live_server.url}/encounters/{fight.pk}/")
    expect(visitor.locator("#outside form")).to_have_count(0)
    outside.ask(TUNNEL, 8000)
    visitor.evaluate("dispatchEvent(new Event('focus'))")
    expect(visitor.locator("#outside")).to_contain_text(TUNNEL)
    assert find_barriers(visitor, "#outside") == []
    assert visitor.evaluate("document.documentElement.scrollWidth <= innerWidth")
    visitor.get_by_role("button", name="Allow until you stop").press("Enter")
    expect(visitor.locator("#outside")).to_contain_text("Open to the internet since")
    visitor.get_by_role("button", name=f"Stop {TUNNEL}").press("Enter")
    expect(visitor.locator("#outside form")).to_have_count(0)
    assert visitor.url == f"{live_server.url}/encounters/{fight.pk}/"
    assert outside.look().closed == (TUNNEL,)
