"""A page that loses its connection says so, keeps all typed text, and catches up automatically."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import APIResponse, Browser, Page, Route, expect

from tests.browser import sleep_device
from tests.combat.live.test_live import TABLE, hurt
from tests.combat.live.test_three_browsers import LAPTOP, PHONE, catch_up, open_page
from tests.combat.server import Guest, Server, Site, invite, sign_in
from tests.site.hosting.table import soon

pytestmark = pytest.mark.slow

BACK_AGAIN = 30_000  # milliseconds; a browser waits a little before it retries
SILENCE = 2.5  # seconds: nearly those after which a page says that it hears nothing, and no sleep
TELL = "document.addEventListener('sse:changed', (event) => { window.told = event.detail.data; }, true)"
IS_TOLD = "() => window.told === document.getElementById('table').dataset.version"


@pytest.fixture(scope="module")
def gm(site: Site, server: Server) -> Guest:
    """Its game master, who has begun the fight."""
    gm = sign_in(server.port, site.link)
    assert gm.post(TABLE, do="start", dice="app") == 303
    return gm


@pytest.fixture
def phone(browser: Browser, server: Server, gm: Guest) -> Iterator[Page]:
    page = open_page(browser, server, PHONE)
    page.goto(invite(gm, TABLE, "play"))
    page.get_by_label("Your name").fill("Pia")
    page.get_by_role("button", name="Join").click()
    expect(page.locator("#table")).to_be_visible()
    page.wait_for_load_state()
    page.evaluate("window.stays = true")
    yield page
    page.context.close()


def give_session(page: Page, server: Server, gm: Guest) -> None:
    """Sign a browser in as the game master."""
    session, url = gm.cookies["sessionid"], f"http://127.0.0.1:{server.port}"
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": url}])


def check_fresh(page: Page) -> None:
    """The page shows the GM's action without a reload."""
    catch_up(page)
    assert page.evaluate("window.stays")


def test_phone_without_network_is_told_and_catches_up(phone: Page, gm: Guest) -> None:
    phone.context.set_offline(True)
    expect(phone.locator("#banner")).to_contain_text("You're offline.")
    hurt(gm)
    hurt(gm)
    phone.context.set_offline(False)
    expect(phone.locator("#banner")).to_be_hidden()
    check_fresh(phone)


def test_page_that_begins_without_network_says_so(phone: Page) -> None:
    phone.add_init_script("Object.defineProperty(navigator, 'onLine', { value: false })")
    phone.reload()
    expect(phone.locator("#banner")).to_contain_text("You're offline.")


def test_phone_that_slept_looks_again(phone: Page, gm: Guest) -> None:
    """By its stream, or by asking if a slow machine has made it give the stream up."""
    with phone.expect_request(lambda request: "/live/1/" in request.url):
        sleep_device(phone, 600)
    hurt(gm)
    check_fresh(phone)


def test_table_that_breaks_off_is_told_and_found_again(
    browser: Browser, site: Site, gm: Guest, tmp_path: Path
) -> None:
    site = site.beside(tmp_path)
    with site.serve() as doomed:
        page = open_page(browser, doomed, PHONE)
        give_session(page, doomed, gm)
        page.goto(TABLE)
        page.evaluate("window.stays = true")
        page.locator("label", has_text="Log").first.click()
        page.locator("#note").fill("Half a sent")
        doomed.stop(signal.SIGKILL)
        expect(page.locator("#banner")).to_contain_text("Connection lost.")
    with site.serve(doomed.port):
        hurt(gm, port=doomed.port)
        expect(page.locator("#banner")).to_be_hidden(timeout=BACK_AGAIN)
        check_fresh(page)
        expect(page.locator("#note")).to_have_value("Half a sent")
    page.context.close()


def test_stream_that_falls_silent_is_told_soon(
    browser: Browser, site: Site, gm: Guest, tmp_path: Path
) -> None:
    """The server hangs: no connection breaks, nothing comes. Once it continues, the page recovers."""
    with site.beside(tmp_path).serve() as doomed:
        page = open_page(browser, doomed, PHONE)
        give_session(page, doomed, gm)
        with page.expect_response(lambda response: response.url.endswith("/live/1/")):
            page.goto(TABLE)
        expect(page.locator("#stream")).to_have_attribute("data-way", "get")
        expect(page.locator("#banner")).to_be_hidden()
        doomed.process.send_signal(signal.SIGSTOP)
        try:
            sleep_device(page, SILENCE)
            expect(page.locator("#banner")).to_contain_text("Connection lost.", timeout=1000 * soon(1.5))
        finally:
            doomed.process.send_signal(signal.SIGCONT)
        expect(page.locator("#banner")).to_be_hidden()
        page.context.close()


@pytest.fixture
def told(browser: Browser, server: Server, gm: Guest) -> Iterator[Page]:
    """The GM's page, with a clock that runs at a tenth of the usual pace: no machine is too slow for it."""
    page = open_page(browser, server, LAPTOP)
    page.add_init_script(TELL)
    give_session(page, server, gm)
    page.goto(TABLE)
    page.wait_for_function(IS_TOLD)
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    yield page
    page.context.close()


@pytest.fixture
def asked(told: Page) -> list[str]:
    """The methods of the page's requests to the table."""
    methods: list[str] = []
    told.on(
        "request", lambda request: methods.append(request.method) if request.url.endswith(TABLE) else None
    )
    return methods


def wait_until(page: Page, is_so: Callable[[], bool], pace: int = 5) -> None:
    """Wait; the page's clock goes on by `pace` milliseconds at each look."""
    for _ in range(600):
        if is_so():
            break
        page.wait_for_timeout(50)
        page.clock.run_for(pace)
    page.clock.run_for(100)
    assert is_so()


def wait_until_told(page: Page) -> None:
    wait_until(page, lambda: page.evaluate(IS_TOLD))


def press_next_turn(page: Page) -> None:
    """Once no button is so fresh that a click on it does nothing."""
    wait_until(page, lambda: page.locator("#table:not([data-fresh])").count() == 1)
    page.get_by_role("button", name="Next turn").click()


def pass_turn(page: Page) -> None:
    version = page.locator("#table").get_attribute("data-version")
    press_next_turn(page)
    wait_until(page, lambda: page.locator("#table").get_attribute("data-version") != version)
    wait_until_told(page)


def test_own_action_reads_the_table_once_and_anothers_too(told: Page, asked: list[str], gm: Guest) -> None:
    for _ in range(3):
        pass_turn(told)
    assert asked == ["POST"] * 3
    hurt(gm)
    wait_until(told, lambda: len(asked) > 3)
    wait_until_told(told)
    assert asked == [*["POST"] * 3, "GET"]


def test_what_one_action_waited_for_does_not_disturb_the_next(told: Page, asked: list[str]) -> None:
    """The page stops waiting for the first action while the second, told by the stream, has no answer yet."""
    held: list[tuple[Route, APIResponse]] = []
    told.route(f"**{TABLE}", lambda route: held.append((route, route.fetch())))
    for patience in (1500, 1000):
        turn = f"window.told !== {told.evaluate('window.told')!r}"
        press_next_turn(told)
        # Its clock stands meanwhile: on a slow machine, too, the page still waits for its answer
        wait_until(told, lambda turn=turn: bool(held) and told.evaluate(turn), pace=0)  # type: ignore[misc]
        told.clock.run_for(patience if held else 0)
        route, response = held.pop()
        route.fulfill(response=response)
        wait_until_told(told)
    assert asked == ["POST"] * 2


def test_who_leaves_is_told_so_though_the_stream_ends_first(phone: Page) -> None:
    """The page must not be read again on the way: without a seat, it would ask to sign in."""
    phone.get_by_role("button", name="Menu").click()
    phone.get_by_role("button", name="Leave").click()
    expect(phone.get_by_text("Its link brings you back.")).to_be_visible()
    phone.wait_for_timeout(500)
    assert urlsplit(phone.url).path == "/"
