"""The Share page, and the code on the full screen, show a newcomer by themselves."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.combat.live.test_three_browsers import LAPTOP, invite, open_page, sign_in
from tests.combat.server import Server, Site

SOON = 5000  # milliseconds; the page asks by itself once a minute


def test_pages_of_the_link_show_a_newcomer(site: Site, server: Server, browser: Browser) -> None:
    gm, screen, guest = (open_page(browser, server, LAPTOP) for _ in range(3))
    sign_in(gm, site.link)
    link = invite(gm, "play")
    for cookie in gm.context.cookies():
        here = f"http://127.0.0.1:{server.port}"
        screen.context.add_cookies([{"name": cookie["name"], "value": cookie["value"], "url": here}])
    screen.goto("/encounters/1/share/full/")
    guest.goto(link)
    guest.get_by_label("Your name").fill("Pia")
    for page in (gm, screen):
        expect(page.locator("#stream")).to_have_attribute("data-way", "get")
    guest.get_by_role("button", name="Join").click()
    expect(gm.locator("#people")).to_contain_text("Pia", timeout=SOON)
    expect(screen.locator("#stream")).to_contain_text("Pia", timeout=SOON)
    for page in (gm, screen, guest):
        page.context.close()
