"""A fight in three real browsers: the GM's laptop, a player's phone, and a watcher's screen.

They play three rounds against a real server; questions to the player appear automatically.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from combat.rules import find_system
from combat.rules.core.declaration.demo import DemoStep
from tests.browser import skip_hints
from tests.combat.audience.secrets import GHOST, words
from tests.combat.server import Server, Site
from tests.combat.views.pages.test_demo_fight import act, answer, settle
from tests.combat.visit import MARCUS, PIRATE, SLUG, ZARA
from tests.site.hosting.table import soon

pytestmark = pytest.mark.slow

TABLE = "/encounters/1/"
LAPTOP, PHONE = (1440, 900), (360, 740)
SOON = 2  # seconds until a question must appear
READ_SHADE = """(name) => [...document.querySelectorAll("[data-row]")]
    .find((row) => row.textContent.includes(name)).id.replace("row-", "")"""
PISTOL, SWORD = f"{ZARA}-1", f"{PIRATE}-1"
READ_ROWS = """() => [...document.querySelectorAll("[data-row]")].map((row) => [row.id,
    row.getAttribute("aria-current"), row.querySelector(".row-rail b")?.textContent,
    ...[...row.querySelectorAll(".row-main, .health, .chip b")].map((e) => e.textContent)])"""
READ_STAMP = """() => fetch(location.pathname).then((page) => page.text())
    .then((text) => text.match(/data-version="(\\w+)"/)[1])"""


@dataclass
class Three:
    """The pages of the three at the table; `shade` is the id of the hidden combatant."""

    gm: Page
    phone: Page
    watcher: Page
    shade: str

    def check(self) -> None:
        """Wait until each page shows the newest version; check that they agree and that nothing leaks."""
        for page in (self.gm, self.phone, self.watcher):
            catch_up(page)
        whole, seen = read_rows(self.gm), read_rows(self.watcher)
        assert seen == read_rows(self.phone) == {who: row for who, row in whole.items() if who != self.shade}
        for secret in (words(GHOST), words(self.shade)):
            assert secret.search(self.gm.content())
            for page in (self.phone, self.watcher):
                html = page.content()
                found = secret.search(html)
                assert not found, html[found.start() - 80 : found.end() + 40]


def catch_up(page: Page) -> None:
    """Wait until a page shows, without a reload, what the server would answer now."""
    expect(page.locator("#table")).to_have_attribute("data-version", page.evaluate(READ_STAMP))


def read_rows(page: Page) -> dict[str, str]:
    """What a page shows of each combatant; of foes without the number, which players do not see."""
    shown = {}
    for who, *parts in page.evaluate(READ_ROWS):
        text = " ".join(" | ".join(part or "-" for part in parts).split())
        known = who in (f"row-{ZARA}", f"row-{MARCUS}")
        shown[who.removeprefix("row-")] = text if known else re.sub(r" ?\d+ / \d+( HP)?", "", text)
    return shown


def open_page(browser: Browser, server: Server, size: tuple[int, int]) -> Page:
    """A browser of its own, with its own cookies."""
    width, height = size
    context = browser.new_context(
        base_url=f"http://127.0.0.1:{server.port}",
        viewport={"width": width, "height": height},
        reduced_motion="reduce",
    )
    skip_hints(context)
    return context.new_page()


def sign_in(page: Page, link: str) -> None:
    """Sign the GM in with the one-time link."""
    page.goto(link)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="Skip for now").click()


def hide_someone(gm: Page) -> None:
    """Add a hidden combatant before the fight."""
    gm.goto(f"{TABLE}prep/")
    form = gm.locator("#add")
    form.get_by_label("Stat block", exact=True).select_option("pirate_example")
    form.get_by_label("Name").fill(GHOST)
    form.get_by_label("Hidden from players").check()
    form.get_by_role("button", name="Add").click()
    expect(gm.locator("main")).to_contain_text(GHOST)


def invite(gm: Page, kind: str) -> str:
    """The address of a fresh link."""
    gm.goto(f"{TABLE}share/")
    gm.locator("summary", has_text="All links").click()
    gm.get_by_label("Role").select_option(kind)
    gm.get_by_role("button", name="Create link").click()
    return urlsplit(gm.get_by_label("Link", exact=True).first.input_value()).path


@pytest.fixture
def three(site: Site, server: Server, browser: Browser) -> Iterator[Three]:
    """The GM signed in, the phone in Zara's seat, the watcher watching; one combatant is hidden."""
    gm, phone, watcher = (open_page(browser, server, size) for size in (LAPTOP, PHONE, LAPTOP))
    sign_in(gm, site.link)
    hide_someone(gm)
    phone.goto(invite(gm, "play"))
    phone.get_by_label("Your name").fill("Pia")
    phone.get_by_label("Zara").check(force=True)
    phone.locator("#join-calls > summary").click()
    phone.get_by_role("button", name="Light", exact=True).click()  # off: they look at the phone all the time
    phone.get_by_role("button", name="Join").click()
    watcher.goto(invite(gm, "watch"))
    watcher.get_by_label("Your name").fill("Wim")
    watcher.get_by_role("button", name="Watch").click()
    gm.goto(TABLE)
    for page in (phone, watcher):
        expect(page.locator("#table")).to_be_visible()
        page.evaluate("window.stays = true")
    yield Three(gm, phone, watcher, gm.evaluate(READ_SHADE, GHOST))
    for page in (gm, phone, watcher):
        page.context.close()


def begin(gm: Page) -> None:
    """Initiative, rolled on the table: Zara, the pirate, Marcus, and the hidden one."""
    settle(gm, gm.get_by_role("button", name="I rolled…"))
    for face in (10, 8, 6, 1):
        answer(gm, (face,))


def do(page: Page, name: str, *answers: tuple[int, ...] | str, **command: object) -> None:
    """Do an action of the acting combatant through its form."""
    act(page, DemoStep(name, command, answers))


def end_turn(three: Three, page: Page, then: str) -> None:
    """Press the button for the next turn; everyone sees whose it is."""
    settle(page, page.locator(f'button[name="do"][value="{find_system(SLUG).actions.advance}"]'))
    for shown in (three.gm, three.phone, three.watcher):
        if then != three.shade or shown is three.gm:
            expect(shown.locator(f"#row-{then}")).to_have_attribute("aria-current", "true")
    three.check()


def go_round(three: Three) -> None:
    """Play from the pirate's turn to Zara's."""
    for then in (MARCUS, three.shade, ZARA):
        end_turn(three, three.gm, then)
    expect(three.phone.locator("#turn")).to_contain_text("Your turn")


def keep_watch(three: Three) -> None:
    """The player readies a shot on their phone, and ends the turn."""
    do(three.phone, "overwatch", weapon=PISTOL, trigger="the pirate")
    expect(three.watcher.locator("#log")).to_contain_text("Zara is on overwatch for")
    end_turn(three, three.phone, PIRATE)


def come_nearer(three: Three, to: str) -> None:
    """The pirate moves, so a question appears on the player's phone automatically, and soon."""
    do(three.gm, "move", to=to)
    expect(three.phone.locator("#prompt")).to_contain_text("Pirate moves. Fire?", timeout=1000 * soon(SOON))
    expect(three.watcher.locator("#prompt")).to_have_count(0)
    three.check()


def finish(gm: Page) -> None:
    """The GM answers all that the shot still asks."""
    choice = gm.locator('#prompt button[name="value"].btn-primary')
    catch_up(gm)
    while gm.locator("#prompt").count():
        settle(gm, choice.first)


def rows_of(three: Three) -> list[dict[str, str]]:
    """What each of them shows."""
    return [read_rows(page) for page in (three.gm, three.phone, three.watcher)]


def test_three_rounds_on_a_laptop_a_phone_and_a_screen(three: Three) -> None:
    gm, phone, watcher = three.gm, three.phone, three.watcher
    begin(gm)
    expect(phone.locator("#turn")).to_contain_text("Your turn")
    three.check()

    keep_watch(three)  # the first round: asked, and holds the fire
    come_nearer(three, "12,3")
    answer(phone, "hold")
    expect(watcher.locator("#row-f2")).to_have_attribute("aria-current", "true")
    three.check()
    go_round(three)

    do(phone, "attack", (5, 5), (8,), target=PIRATE, weapon=PISTOL)  # the second: shoots on their own turn
    expect(gm.locator("#row-f2")).to_contain_text("72 / 80")
    expect(watcher.locator("#log")).to_contain_text("Pirate is hit")
    end_turn(three, phone, PIRATE)
    do(gm, "charge", (4, 4), target=ZARA, weapon=SWORD)
    three.check()
    go_round(three)

    keep_watch(three)  # the third: asked again, and shoots
    before = rows_of(three)
    come_nearer(three, "8,3")
    answer(phone, "shoot")
    finish(gm)
    expect(watcher.locator("#log")).to_contain_text("is no longer on overwatch (fired)")
    three.check()
    assert rows_of(three) != before

    settle(gm, gm.get_by_role("button", name="Undo"))
    expect(phone.locator("#row-f1")).to_contain_text("On overwatch")
    three.check()
    assert rows_of(three) == before
    for page in (phone, watcher):
        assert page.evaluate("window.stays"), "the page was loaded anew"
