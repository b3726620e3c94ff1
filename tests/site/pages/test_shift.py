"""Pages keep their places when the typefaces arrive, and when what is drawn after paint does."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import BrowserContext, Page, Route
from pytest_django.live_server_helper import LiveServer

from characters.services.character_service import create
from combat.play.demo import make_demo_fight
from tests.browser import sign_in, skip_hints
from tests.characters.conftest import SHEET
from tests.combat.visit import DEMO, SLUG, play

MOST = 0.02  # of the window, weighed by how far it moved: what nobody notices
# What moves while the page itself still arrives depends on its pace: that is not counted.
WATCH = """window.moved = [];
new PerformanceObserver((list) => list.getEntries().forEach((one) => {
  if (!one.hadRecentInput && window.isPainted) window.moved.push(one.value);
})).observe({ type: "layout-shift" });"""
PAINTED = """async () => {
  for (let left = 3; left; left -= 1) await new Promise(requestAnimationFrame);
  window.isPainted = true;
}"""
SETTLED = """async () => {
  await document.fonts.ready;
  const isBusy = () => document.querySelector(".htmx-request");
  while (isBusy()) await new Promise((go) => setTimeout(go, 50));
  for (let left = 5; left; left -= 1) await new Promise(requestAnimationFrame);
  return window.moved.reduce((sum, one) => sum + one, 0);
}"""


def make_pages(gm: User) -> list[str]:
    """The addresses of ten pages that people use most."""
    now, past, new = (make_demo_fight(gm, SLUG) for _ in range(3))
    play(now.pk, DEMO.script[:6])
    play(past.pk, DEMO.script)
    sheet = create(gm, SLUG, "Ana Quill", SHEET)
    fights = [f"/encounters/{now.pk}/", f"/encounters/{new.pk}/prep/", f"/encounters/{past.pk}/report/"]
    lists = ["/", "/encounters/", "/characters/", "/gear/", f"/rules/{SLUG}/critical-hits/", "/help/"]
    return [*fights, *lists, f"/characters/{sheet.pk}/"]


def measure(context: BrowserContext, address: str) -> float:
    """How much of a new page moves after its first paint, without its typefaces, as these arrive."""
    page, held = context.new_page(), list[Route]()

    def hold(route: Route) -> None:
        held.append(route)

    def hand_on(route: Route) -> None:
        route.continue_()

    page.set_viewport_size({"width": 1440, "height": 900})
    page.add_init_script(WATCH)
    page.route("**/*.woff2", hold)
    page.goto(address, wait_until="domcontentloaded")
    page.evaluate(PAINTED)
    page.route("**/*.woff2", hand_on)
    for route in held:
        route.continue_()
    moved = float(page.evaluate(SETTLED))
    page.close()
    return moved


def test_pages_do_not_jump_when_their_letters_arrive(
    live_server: LiveServer, page: Page, transactional_db: None, gm: User, gm_client: Client
) -> None:
    addresses = make_pages(gm)
    sign_in(page.context, live_server, gm_client)
    skip_hints(page.context)
    moved = {address: measure(page.context, live_server.url + address) for address in addresses}
    assert {address: round(much, 3) for address, much in moved.items() if much > MOST} == {}
    assert any(moved.values()), "nothing was measured"
