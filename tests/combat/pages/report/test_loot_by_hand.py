"""After a fight in real browsers: a player asks on the phone, and the GM gives with one tap."""

from __future__ import annotations

from django.test import Client
from playwright.sync_api import ViewportSize, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright.pytest_playwright import CreateContextCallback

from combat.models import Encounter, ShareLink
from combat.play.writing.encounter_service import Submission, submit
from tests.browser import BY_THEME, find_barriers, find_overflow, sign_in
from tests.combat.cast import come
from tests.combat.pages.report.test_ending import end
from tests.combat.visit import PIRATE, ZARA, combatant

PHONE: ViewportSize = {"width": 360, "height": 740}


def test_player_asks_and_the_gm_gives(
    new_context: CreateContextCallback, live_server: LiveServer, started: Encounter, gm_client: Client
) -> None:
    end(started)
    submit(started.pk, Submission("search", {"target": PIRATE}))
    context = new_context(viewport=PHONE, is_mobile=True, has_touch=True)
    sign_in(context, live_server, come(started, ShareLink.PLAY, "Pia", ZARA))
    phone = context.new_page()
    phone.goto(f"{live_server.url}/encounters/{started.pk}/")
    sword = phone.locator(".loot-open li", has_text="Sword")
    for button in phone.locator(".loot .btn").all():
        box = button.bounding_box()
        assert box
        assert box["height"] >= 44
    sword.get_by_role("button").tap()
    expect(sword.get_by_role("button")).to_contain_text("take back")
    for theme, only in (("dark", ()), ("light", BY_THEME)):
        phone.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        assert find_barriers(phone, only=only) == [], theme
    assert find_overflow(phone) == []
    visit = new_context()
    sign_in(visit, live_server, gm_client)
    page = visit.new_page()
    page.goto(f"{live_server.url}/encounters/{started.pk}/")
    expect(page.locator(".loot-cell", has=page.locator(".loot-wish")).locator("input")).to_be_checked()
    page.locator("#loot-single > summary").click()
    assert find_barriers(page, within=".finish-loot") == []
    page.locator(".loot-asks").get_by_role("button", name="Give").click()
    expect(page.locator(".loot-asks")).to_have_count(0)
    assert "Sword" in [item.name for item in combatant(started.pk, ZARA).items]
    page.set_viewport_size(PHONE)
    assert find_overflow(page) == []
    pistol = page.locator(".loot-items label", has_text="Pistol")
    pistol.click()
    page.locator(".loot-holder").get_by_role("button", name="Leave").first.click()
    expect(pistol).to_contain_text("left behind")
    phone.reload()
    expect(phone.locator(".loot")).not_to_contain_text("Pistol")
