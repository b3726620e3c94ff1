"""Pages stay live behind any proxy, by the best way that passes: a stream by GET or POST, or asking."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import sleep_device
from tests.combat.live.test_live import TABLE, find_values, hurt, say
from tests.combat.live.ways.proxies import HoldingProxy, hold_back, make_certificate, needs_proxies, run_proxy
from tests.combat.server import Guest, Server, Site, come, copy_site

pytestmark = [needs_proxies, pytest.mark.slow]

NO_NAP = 2.6  # seconds that may pass at once without a page taking them for a sleep
TICK = 250  # milliseconds from one look of a page at its clock to the next


class SecureGuest(Guest):
    """A guest who comes through a proxy with https."""

    def ask(self, method: str, path: str, body: bytes | None = None, port: int = 0, **headers: str) -> int:
        """Send a request as the proxy passes it on."""
        headers |= {"X-Forwarded-Proto": "https", "Origin": f"https://127.0.0.1:{port or self.port}"}
        return super().ask(method, path, body, port, **headers)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A hosted table behind https."""
    return copy_site(tmp_path_factory.mktemp("ways"), COSMOS_HTTPS="1", COSMOS_HOSTS="127.0.0.1")


@pytest.fixture(scope="module")
def gm(site: Site, server: Server) -> Guest:
    """Its game master, who has begun the fight."""
    gm = SecureGuest(server.port)
    assert gm.post(site.link) == 302
    assert gm.post(TABLE, do="start", dice="app") == 303
    return gm


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for all proxies, with its key in the same file."""
    both = tmp_path_factory.mktemp("tls") / "both.pem"
    both.write_bytes(b"".join(one.read_bytes() for one in make_certificate(both.parent, "table")))
    return both


@dataclass
class Two:
    """The pages of the GM and of a player, behind one proxy."""

    gm: Page
    player: Page

    def use(self, way: str) -> None:
        """Wait until both use a way to hear of changes; they have lost nothing."""
        for page in (self.gm, self.player):
            expect(page.locator("#stream")).to_have_attribute("data-way", way)
            expect(page.locator("#banner")).to_be_hidden()

    def give_up_until(self, way: str) -> None:
        """Let both find, as soon as they have tried it, that each better way has been silent for too long."""
        for page in (self.gm, self.player):
            if way != "get":
                with page.expect_request(lambda sent: sent.method == "POST" and "/live/" in sent.url):
                    stay_silent(page)
            if way == "ask":
                stay_silent(page)

    def act(self) -> float:
        """Let the GM end a turn on their page, and the player's page show it; return the seconds it took."""
        table = self.player.locator("#table")
        before = table.get_attribute("data-version") or ""
        self.gm.get_by_role("button", name="Next turn").click()
        started = time.monotonic()
        expect(table).not_to_have_attribute("data-version", before)
        return time.monotonic() - started


def stay_silent(page: Page) -> None:
    """Let a page find that a stream has not begun to speak for the five seconds that it gives it."""
    for _ in range(2):
        sleep_device(page, NO_NAP)
        page.wait_for_timeout(2 * TICK)


def open_page(browser: Browser, guest: Guest, port: int, way: int = 0, script: str = "") -> Page:
    """The table on a guest's device, behind a proxy; it has used one of the ways before."""
    address = f"https://127.0.0.1:{port}"
    context = browser.new_context(base_url=address, ignore_https_errors=True, reduced_motion="reduce")
    context.add_cookies(
        [{"name": name, "value": value, "url": address} for name, value in guest.cookies.items()]
    )
    context.add_init_script(f"sessionStorage.way ??= {way}; {script}")
    page = context.new_page()
    page.goto(TABLE)
    return page


@contextmanager
def open_two(browser: Browser, gm: Guest, port: int) -> Iterator[Two]:
    player = come(gm, TABLE, "play", "Pia")
    two = Two(open_page(browser, gm, port), open_page(browser, player, port))
    yield two
    for page in (two.gm, two.player):
        page.context.close()


Start = Callable[[Path, Path, int], AbstractContextManager[int]]


def from_debian(name: str) -> Start:
    """A proxy from Debian."""
    return lambda folder, certificate, behind: run_proxy(name, folder, certificate, behind)


def holding(*held: str) -> Start:
    """The proxy of the tests, which holds some streams back."""

    @contextmanager
    def start(folder: Path, certificate: Path, behind: int) -> Iterator[int]:
        with hold_back(behind, certificate, *held) as proxy:
            yield proxy.port

    return start


@pytest.mark.parametrize(
    ("start", "way"),
    [
        pytest.param(from_debian("nginx"), "get", id="nginx"),
        pytest.param(from_debian("haproxy"), "get", id="haproxy"),
        pytest.param(holding("GET"), "post", id="holds back GET"),
        pytest.param(from_debian("deaf nginx"), "ask", id="nginx that buffers all"),
    ],
)
def test_action_reaches_the_other_page_by_the_best_open_way(
    start: Start,
    way: str,
    browser: Browser,
    server: Server,
    gm: Guest,
    certificate: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with start(tmp_path, certificate, server.port) as port, open_two(browser, gm, port) as two:
        two.give_up_until(way)
        two.use(way)
        seconds = [two.act() for _ in range(2)]
        two.use(way)
    say(capsys, f"by {way}: the other page shows an action after {', '.join(f'{s:.2f}' for s in seconds)} s")


@pytest.fixture
def proxy(server: Server, certificate: Path) -> Iterator[HoldingProxy]:
    """A proxy that passes everything."""
    with hold_back(server.port, certificate) as running:
        yield running


def test_page_goes_back_to_the_best_way_once_it_passes(
    browser: Browser, gm: Guest, proxy: HoldingProxy
) -> None:
    proxy.held = ("GET", "POST")
    page = open_page(browser, gm, proxy.port, way=2)
    expect(page.locator("#stream")).to_have_attribute("data-way", "ask")
    proxy.held = ()
    sleep_device(page, 61)
    expect(page.locator("#stream")).to_have_attribute("data-way", "get")
    page.context.close()


# A device that sleeps: the page is hidden, then nothing in it runs any more
COUNT_ASKS = """
window.asks = 0;
const usual = window.fetch;
window.fetch = (address, ...rest) => {
    window.asks += address.endsWith("/now/");
    return usual(address, ...rest);
};
Object.defineProperty(document, "hidden", { get: () => Boolean(window.isAway) });
"""
HIDE = "() => { window.isAway = true; document.dispatchEvent(new Event('visibilitychange')); }"
SEE = """([target, event]) => {
    window.isAway = false;
    const before = window.asks;
    window[target].dispatchEvent(new PageTransitionEvent(event, { persisted: true }));
    return window.asks - before;
}"""


@contextmanager
def asleep(page: Page) -> Iterator[None]:
    """Stop everything in a page, as devices do with pages in the background."""
    page.evaluate(HIDE)
    devtools = page.context.new_cdp_session(page)
    stopped: list[object] = []
    devtools.on("Debugger.paused", lambda event: stopped.append(event))
    devtools.send("Debugger.enable")
    devtools.send("Debugger.pause")  # with the next statement that runs
    while not stopped:
        page.wait_for_timeout(10)
    yield
    devtools.send("Debugger.resume")
    devtools.send("Debugger.disable")


@pytest.mark.parametrize(
    ("way", "seen"),
    [
        (0, ("document", "visibilitychange")),
        (2, ("document", "visibilitychange")),
        (1, ("window", "pageshow")),
    ],
)
def test_page_that_slept_shows_the_present_as_soon_as_it_is_seen(
    way: int,
    seen: tuple[str, str],
    browser: Browser,
    gm: Guest,
    proxy: HoldingProxy,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Its connections have died without a word."""
    page = open_page(browser, gm, proxy.port, way=way, script=COUNT_ASKS)
    expect(page.locator("#stream")).to_have_attribute("data-way", ["get", "post", "ask"][way])
    before = page.locator("#table").get_attribute("data-version") or ""
    with asleep(page):
        proxy.cut_off()
        hurt(gm)
    started = time.monotonic()
    assert page.evaluate(SEE, seen) == 1, "it asks at once"
    expect(page.locator("#table")).not_to_have_attribute("data-version", before)
    say(capsys, f"seen again, the page shows the present after {time.monotonic() - started:.2f} s")
    page.context.close()


def test_page_that_asks_is_told_that_its_seat_has_ended(
    browser: Browser, gm: Guest, proxy: HoldingProxy
) -> None:
    proxy.held = ("GET", "POST")
    player = come(gm, TABLE, "play", "Rex")
    page = open_page(browser, player, proxy.port, way=2)
    expect(page.locator("#stream")).to_have_attribute("data-way", "ask")
    gm.get(f"{TABLE}share/")
    numbers = sorted(int(n) for n in find_values(gm.page, "link"))
    assert gm.post(f"{TABLE}share/", do="revoke", link=str(numbers[-1])) == 302
    expect(page.get_by_text("The GM removed your seat.")).to_be_visible()
    page.context.close()
