"""Many pages of a table in one browser, which opens six connections to a host: none stands still."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.combat.live.test_live import TABLE, hurt
from tests.combat.server import Guest, Server, Site

pytestmark = pytest.mark.slow

PAGES = 9
STREAMS = 3
HIDE = """() => {
    Object.defineProperty(document, "hidden", { get: () => true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture(scope="module")
def gm(site: Site, server: Server) -> Guest:
    """The game master, who has begun the fight."""
    gm = Guest(server.port)
    assert gm.post(site.link) == 302
    assert gm.post(TABLE, do="start", dice="app") == 303
    return gm


@pytest.fixture
def context(browser: Browser, server: Server, gm: Guest) -> Iterator[BrowserContext]:
    """One browser of the GM's."""
    address = f"http://127.0.0.1:{server.port}"
    context = browser.new_context(base_url=address, reduced_motion="reduce")
    context.add_cookies(
        [{"name": name, "value": value, "url": address} for name, value in gm.cookies.items()]
    )
    yield context
    context.close()


def open_page(context: BrowserContext) -> Page:
    page = context.new_page()
    page.goto(TABLE)
    return page


def ways(pages: list[Page]) -> list[str]:
    """How each page hears of changes."""
    return [page.locator("#stream").get_attribute("data-way") or "" for page in pages]


def wait_for_ways(pages: list[Page], streams: int) -> None:
    """Wait until so many pages have a stream, and all others ask."""
    for _ in range(100):
        if ways(pages).count("get") == streams and ways(pages).count("ask") == len(pages) - streams:
            return
        pages[0].wait_for_timeout(100)
    raise AssertionError(ways(pages))


def check_all(pages: list[Page], gm: Guest) -> None:
    """Check that each page shows a change, and says nothing of a lost connection."""
    before = pages[0].locator("#table").get_attribute("data-version") or ""
    hurt(gm)
    for page in pages:
        expect(page.locator("#table")).not_to_have_attribute("data-version", before)
        expect(page.locator("#banner")).to_be_hidden()


def test_nine_pages_stay_live_and_each_can_act(context: BrowserContext, gm: Guest) -> None:
    pages = [open_page(context) for _ in range(PAGES)]
    wait_for_ways(pages, STREAMS)
    check_all(pages, gm)
    last = pages[-1]
    before = last.locator("#table").get_attribute("data-version") or ""
    last.get_by_role("button", name="Next turn").click()
    for page in pages:
        expect(page.locator("#table")).not_to_have_attribute("data-version", before)


def test_place_of_a_closed_page_goes_to_one_that_asks(context: BrowserContext, gm: Guest) -> None:
    pages = [open_page(context) for _ in range(STREAMS + 1)]
    wait_for_ways(pages, STREAMS)
    gone = pages.pop(ways(pages).index("get"))
    gone.close()
    wait_for_ways(pages, STREAMS)
    check_all(pages, gm)


def test_page_in_sight_gets_the_place_of_a_hidden_one(context: BrowserContext, gm: Guest) -> None:
    pages = [open_page(context) for _ in range(STREAMS)]
    wait_for_ways(pages, STREAMS)
    for page in pages:
        page.evaluate(HIDE)
    wait_for_ways(pages, STREAMS)
    seen = open_page(context)
    expect(seen.locator("#stream")).to_have_attribute("data-way", "get")
    wait_for_ways([*pages, seen], STREAMS)
    check_all([*pages, seen], gm)
