"""A fight in three real browsers: the GM's laptop, a player's phone, and a watcher's screen.

They play three rounds against a real server; questions, lines and newcomers appear by themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from combat.rules import find_system
from combat.rules.core.declaration.book import DemoStep
from combat.sharing.reminders import CHOOSE
from tests.browser import find_on_map, skip_hints, sleep_device
from tests.combat.audience.secrets import GHOST, words
from tests.combat.pages.every_page.test_demo_fight import act, answer, settle
from tests.combat.server import Server, Site
from tests.combat.visit import MARCUS, PIRATE, SLUG, ZARA
from tests.site.hosting.table import soon

pytestmark = pytest.mark.slow

TABLE = "/encounters/1/"
LAPTOP, PHONE = (1440, 900), (360, 740)
SOON = 2  # seconds until a question must appear
ACTING = "true"  # what the row of whoever has the turn begins with
SECOND, ONCE_A_MINUTE = 1000, 60_000  # milliseconds; a page asks by itself once a minute
FRESH = "#table[data-fresh]"  # until then, what has just come does nothing
LINE = ".pen-line"
LASTS = 7  # seconds from its last piece until a line is gone
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
        # only the GM reads who plays whom, and that they are here
        known = {
            who: row.replace(" Pia", "").replace(", here", "")
            for who, row in whole.items()
            if who != self.shade
        }
        if is_acting(whole[self.shade]):  # the others still see who acted last
            (last,) = (who for who, row in seen.items() if is_acting(row))
            known[last] = known[last].replace("-", ACTING, 1)
        assert seen == read_rows(self.phone) == known
        for secret in (words(GHOST), words(self.shade)):
            assert secret.search(self.gm.content())
            for page in (self.phone, self.watcher):
                html = page.content()
                found = secret.search(html)
                assert not found, html[found.start() - 80 : found.end() + 40]


def catch_up(page: Page) -> None:
    """Wait until a page shows, without a reload, what the server would answer now."""
    expect(page.locator("#table")).to_have_attribute("data-version", page.evaluate(READ_STAMP))


def is_acting(row: str) -> bool:
    """Whether a row is marked as that of whoever has the turn."""
    return row.startswith(ACTING)


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
    gm.goto(f"{TABLE}prep/")
    gm.locator("#add-fold > summary").click()
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


@pytest.fixture(scope="module")
def seated(site: Site, server: Server, browser: Browser) -> Iterator[Three]:
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
    expect(watcher.locator("#table")).to_be_visible()
    yield Three(gm, phone, watcher, gm.evaluate(READ_SHADE, GHOST))
    for page in (gm, phone, watcher):
        page.context.close()


@pytest.fixture
def three(seated: Three) -> Three:
    """The three at the table, each with a fresh page."""
    for page in (seated.gm, seated.phone, seated.watcher):
        page.goto(TABLE)
        expect(page.locator("#table")).to_be_visible()
        page.evaluate("window.stays = true")
    return seated


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
    choice = gm.locator('#prompt button[name="value"].btn-primary:visible')
    catch_up(gm)
    while gm.locator("#prompt").count():
        settle(gm, choice.first)


def rows_of(three: Three) -> list[dict[str, str]]:
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


# ---- Lines ----


def show_map(page: Page) -> None:
    """Open the map, on a phone by its tab."""
    tab = page.locator("label[for=tab-scene]")
    if tab.is_visible():
        tab.click()
    page.locator("svg.map").scroll_into_view_if_needed()


def test_pieces_of_a_line_arrive_in_their_order(three: Three) -> None:
    """The first is slow; the second waits for it."""
    gm, watcher = three.gm, three.watcher
    for page in (gm, watcher):
        show_map(page)
    held: list[Route] = []
    asked: list[str] = []
    gm.on("request", lambda request: asked.append(request.url) if request.url.endswith("/pen/") else None)
    gm.route("**/pen/", lambda route: route.continue_() if held else held.append(route))
    gm.get_by_role("button", name="Draw a line").click()
    gm.mouse.move(*find_on_map(gm, 6, 4))
    gm.mouse.down()
    for place in ((8, 5), (10, 7), (12, 6)):
        gm.wait_for_timeout(400)
        gm.mouse.move(*find_on_map(gm, *place))
    gm.mouse.up()
    drawn = gm.locator(LINE).get_attribute("d") or ""
    assert len(asked) == 1, "the second piece did not wait"
    held[0].continue_()
    expect(watcher.locator(LINE)).to_have_attribute("d", drawn, timeout=soon(5) * SECOND)


def draw_by_touch(page: Page, *places: tuple[float, float]) -> None:
    """Draw a line with a finger."""
    finger = page.context.new_cdp_session(page)
    for number, place in enumerate(places):
        x, y = find_on_map(page, *place)
        kind = "touchMove" if number else "touchStart"
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y, "id": 1}]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_lines_are_drawn_on_every_page_and_fade(three: Three) -> None:
    for page in (three.gm, three.phone, three.watcher):
        show_map(page)
    hand_over_and_draw_by_touch(three)
    draw_by_mouse(three)


def hand_over_and_draw_by_touch(three: Three) -> None:
    """The GM lends a player a pointer; the player draws, and returns it."""
    gm, phone, watcher = three.gm, three.phone, three.watcher
    expect(phone.get_by_role("button", name="Draw a line")).to_have_count(0)
    gm.get_by_role("button", name="Places").click()
    gm.locator("#map-pens summary").click()
    lend = gm.get_by_role("button", name="Hand over the pointer: Pia")
    expect(lend).to_be_visible()
    expect(gm.locator(FRESH)).to_have_count(0)
    lend.click()
    expect(phone.locator("[data-pen]")).to_be_attached()
    expect(phone.locator(FRESH)).to_have_count(0)
    phone.get_by_role("button", name="Map tools").click()
    tool = phone.get_by_role("button", name="Draw a line")
    expect(tool).to_be_visible()
    tool.click()
    expect(tool).to_have_attribute("aria-pressed", "true")
    draw_by_touch(phone, (6, 4), (8, 5), (10, 7), (12, 6))
    drawn = phone.locator(LINE).get_attribute("d") or ""
    for page in (gm, watcher):
        expect(page.locator(".pen .carry-words")).to_have_text("Pia", timeout=soon(1) * SECOND)
        expect(page.locator(".pen-1 > .pen-line")).to_have_attribute("d", drawn, timeout=soon(1) * SECOND)
    gm.get_by_role("button", name="Wipe lines").click()
    for page in (gm, phone, watcher):
        expect(page.locator(LINE)).to_have_count(0, timeout=soon(1) * SECOND)
    gm.get_by_role("button", name="Take back the pointer: Pia").click()
    expect(tool).to_have_count(0)
    gm.keyboard.press("Escape")  # the list of places lies on the tools
    draw_by_touch(phone, (6, 4), (12, 6))
    expect(phone.locator(LINE)).to_have_count(0)


def draw_by_mouse(three: Three) -> None:
    """The GM draws a line; no one wipes it, but it disappears."""
    gm, watcher = three.gm, three.watcher
    gm.get_by_role("button", name="Draw a line").click()
    show_map(gm)
    gm.mouse.move(*find_on_map(gm, 6, 4))
    gm.mouse.down()
    gm.mouse.move(*find_on_map(gm, 12, 6), steps=6)
    gm.mouse.up()
    expect(watcher.locator(".pen .carry-words")).to_have_text("GM")
    gm.keyboard.press("Escape")
    expect(gm.get_by_role("button", name="Draw a line")).to_have_attribute("aria-pressed", "false")
    for page in (gm, watcher):
        sleep_device(page, LASTS)
        expect(page.locator(LINE)).to_have_count(0)


# ---- A newcomer ----


def test_share_page_and_full_screen_code_show_a_newcomer_unasked(
    three: Three, server: Server, browser: Browser
) -> None:
    gm, screen = (three.gm.context.new_page() for _ in range(2))
    guest = open_page(browser, server, LAPTOP)
    guest.goto(invite(gm, "play"))
    guest.get_by_label("Your name").fill("Nia")
    screen.goto(f"{TABLE}share/full/")
    for page in (gm, screen):
        expect(page.locator("#stream")).to_have_attribute("data-way", "get")
    guest.get_by_role("button", name="Join").click()
    for page, where in ((gm, "#people"), (screen, "#stream")):
        expect(page.locator(where)).to_contain_text("Nia", timeout=ONCE_A_MINUTE / 2)
    screen.close()
    check_reminder(gm, guest, three.phone)
    gm.close()
    guest.context.close()


def check_reminder(gm: Page, guest: Page, other: Page) -> None:
    """Over its stream, the GM's call reaches the page of who has no character yet, and no other."""
    expect(guest.locator("#stream")).to_have_attribute("data-way", re.compile("."))
    gm.get_by_role("button", name="Remind Nia").click()
    expect(guest.locator(".call-band")).to_contain_text(CHOOSE, timeout=soon(SOON) * SECOND)
    expect(other.locator(".call-band").filter(has_text=CHOOSE)).to_have_count(0)
