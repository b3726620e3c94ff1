"""How long people take to get a character on a phone: `python -m tests.characters.measure_creation [GAME …]`.

A robot at 390 px reads each text that comes in sight once, at 250 words a minute, taps once a second and
types three letters a second; what the table takes to answer comes on top. A ready character should take 20
seconds, one of one's own 3 minutes.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, ViewportSize, sync_playwright

from tests.site.hosting.table import open_table

CHROMIUM = next(filter(os.path.exists, ("/usr/bin/chromium-headless-shell", "/usr/bin/chromium")), None)
PHONE: ViewportSize = {"width": 390, "height": 844}
WORDS_A_SECOND, LETTERS_A_SECOND, TAP = 250 / 60, 3, 1  # seconds for a tap
READY_SECONDS, OWN_SECONDS = 20, 180
SHEET = r"/characters/\d+/"
# The texts in sight: not below the edge of the screen, not under the dock, not scrolled away in a list
READ = """(part) => {
  const found = [], range = document.createRange();
  const texts = document.createTreeWalker(document.querySelector(part), NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = node.textContent.trim();
    if (!text) continue;
    range.selectNodeContents(node);
    const box = range.getClientRects()[0];
    const at = box && document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    const near = at && (node.parentElement.contains(at) || (at.parentElement || at).contains(node));
    if (near && node.parentElement.checkVisibility() && !node.parentElement.closest(".vh")) found.push(text);
  }
  return found;
}"""


class Robot:
    """Someone with a phone who reads, taps and types; `seconds` is the time they took.

    They read the `part` of the page with this selector.
    """

    def __init__(self, page: Page) -> None:
        self.page, self.seen, self.taps, self.words = page, set[str](), 0, 0
        self.seconds, self.tallest, self.part = 0.0, 0, "#main"

    def open(self, address: str) -> None:
        """Open a page and read it."""
        self._wait(lambda: self.page.goto(address))
        self.read()

    def read(self) -> None:
        """Read the texts in sight that are new."""
        lines = set(self.page.evaluate(READ, self.part))
        words = sum(len(line.split()) for line in lines - self.seen)
        self.seen |= lines
        self.words += words
        self.seconds += words / WORDS_A_SECOND
        self.tallest = max(self.tallest, self.page.evaluate("document.documentElement.scrollHeight"))

    def tap(self, target: Locator, waits: bool = False) -> None:
        """Tap something, wait for the answer, and read what is new."""

        def act() -> None:
            target.click()
            if waits:
                self.page.wait_for_timeout(50)
                self.page.wait_for_load_state("networkidle")

        self.taps += 1
        self.seconds += TAP
        self._wait(act)
        self.read()

    def finish(self, target: Locator, arrives: str) -> None:
        """Tap the last button of a page, and wait for the next one."""

        def act() -> None:
            target.click()
            self.page.wait_for_url(re.compile(arrives))

        self.taps += 1
        self.seconds += TAP
        self._wait(act)

    def type(self, target: Locator, text: str) -> None:
        """Tap a field and type."""
        self.tap(target)
        target.fill(text)
        self.seconds += len(text) / LETTERS_A_SECOND

    def _wait(self, act: Callable[[], object]) -> None:
        begun = time.monotonic()
        act()
        self.seconds += time.monotonic() - begun


def take_ready(robot: Robot, base: str, game: str) -> None:
    """A ready character, for someone with an account."""
    robot.open(f"{base}/characters/new/?game={game}")
    robot.tap(robot.page.locator(".ready-one").nth(1), waits=True)
    robot.finish(robot.page.locator("#create"), SHEET)


def join_ready(robot: Robot, address: str) -> None:
    """A ready character, for a guest who follows the link of a table."""
    robot.open(address)
    robot.type(robot.page.locator("#name"), "Ada")
    robot.tap(robot.page.locator(".ready-one").nth(1))
    robot.finish(robot.page.locator("[data-join-button]"), r"/encounters/\d+/")


def make_own(robot: Robot, base: str, game: str) -> None:
    """A character of one's own: a name, an array or dice, two packages, a weapon, armor and a face."""
    page = robot.page
    robot.open(f"{base}/characters/new/?game={game}")
    robot.type(page.locator("#name"), "Zara Quill")
    robot.finish(page.locator("#next"), "at=body")
    robot.read()
    for ready in ("button[name=array]", "button[name=throw]"):
        if page.locator(ready).count():
            robot.tap(page.locator(ready).first, waits=True)
            break
    for _ in range(4):
        more = page.locator("[id^=attributes-][id$=-more]:enabled")
        if more.count():
            robot.tap(more.last, waits=True)
    robot.finish(page.locator("#next"), "at=skills")
    robot.read()
    for package in page.locator(".packages button").all()[:1]:
        robot.tap(package, waits=True)
    for _ in range(4):
        add = page.locator(".add-skill:enabled:visible")
        if add.count():
            robot.tap(add.last, waits=True)
    robot.finish(page.locator("#next"), "at=gear")
    robot.read()
    for number in (0, 1):
        robot.tap(page.locator("#all-gear summary").nth(number))
        robot.tap(page.locator("#all-gear details").nth(number).locator("[name=add]").first, waits=True)
        robot.tap(page.locator("#all-gear summary").nth(number))
    robot.finish(page.locator("#next"), "at=done")
    robot.read()
    robot.tap(page.locator(".face-grid label").nth(5), waits=True)
    robot.finish(page.locator("#create"), SHEET)


def main() -> None:
    """Measure every game, or those named, and say what took too long."""
    from combat.rules import SYSTEMS

    games = sys.argv[1:] or list(SYSTEMS)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["COSMOS_DATA"] = folder
        links = prepare(games)
        with open_table(Path(folder), "--no-demo") as table, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            slow = [
                name
                for game in games
                for name in measure(browser, f"http://localhost:{table.port}", links, game)
            ]
    if slow:
        raise SystemExit(f"too slow: {', '.join(slow)}")


def measure(browser: Browser, base: str, links: dict[str, str], game: str) -> list[str]:
    """The times of one game, printed; returns the names of those above their goal."""
    ways: list[tuple[str, int, str, Callable[[Robot], None]]] = [
        ("ready", READY_SECONDS, links["gm"], lambda one: take_ready(one, base, game)),
        ("ready, as a guest", READY_SECONDS, "", lambda one: join_ready(one, base + links[game])),
        ("own", OWN_SECONDS, links["gm"], lambda one: make_own(one, base, game)),
    ]
    slow = []
    for name, goal, session, way in ways:
        context = browser.new_context(viewport=PHONE)
        if session:
            context.add_cookies([{"name": "sessionid", "value": session, "url": base}])
        robot = Robot(context.new_page())
        way(robot)
        told = f"{robot.seconds:.0f} s, {robot.taps} taps, {robot.words} words, {robot.tallest} px"
        sys.stdout.write(f"{game}: {name}: {told}\n")
        slow += [f"{game}: {name}"] if robot.seconds > goal else []
        context.close()
    return slow


def prepare(games: list[str]) -> dict[str, str]:
    """A table of each game that waits for players: the paths of their links, and the session of a GM."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "cosmos_site.settings"
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    from django.conf import settings
    from django.test import Client

    from characters.accounts.people import find_or_make_gm
    from combat.models import ShareLink
    from combat.play.writing.encounter_service import create_encounter
    from combat.sharing.links import make_link

    gm, client = find_or_make_gm(), Client()
    client.force_login(gm)
    links = {"gm": client.cookies[settings.SESSION_COOKIE_NAME].value}
    for game in games:
        _, token = make_link(create_encounter(gm, game, "Tonight"), ShareLink.PLAY, "")
        links[game] = f"/join/{token}/"
    return links


if __name__ == "__main__":
    main()
