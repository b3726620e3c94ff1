"""“Try again” after an outage sends what was sent, and the step is there exactly once."""

from __future__ import annotations

import re
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.combat.live.test_connection import BACK_AGAIN, give_session
from tests.combat.live.test_live import TABLE, hurt
from tests.combat.live.test_three_browsers import LAPTOP, catch_up, open_page
from tests.combat.server import Guest, Server, Site, sign_in

pytestmark = pytest.mark.slow


# The log may be one line high, so its form is out of sight
NOTE = """(field, words) => {
  field.value = words;
  field.form.querySelector("button").click();
}"""
DRAW_AGAIN = """(field) => {
  field.form.replaceWith(field.form.cloneNode(true));
  document.getElementById("note").value = "Other";
}"""


@pytest.fixture(scope="module")
def gm(site: Site, server: Server) -> Guest:
    """The game master, who has begun the fight."""
    gm = sign_in(server.port, site.link)
    assert gm.post(TABLE, do="start", dice="app") == 303
    return gm


@pytest.fixture
def table(browser: Browser, server: Server, gm: Guest) -> Iterator[Page]:
    """The GM's page of the table."""
    page = open_page(browser, server, LAPTOP)
    give_session(page, server, gm)
    page.goto(TABLE)
    expect(page.locator("#stream")).to_have_attribute("data-way", re.compile("."))
    yield page
    page.context.close()


def count_steps(site: Site) -> int:
    """The steps of the fight."""
    with closing(sqlite3.connect(Path(site.environment["COSMOS_DATA"]) / "table.sqlite3")) as opened:
        (number,) = opened.execute("SELECT count(*) FROM combat_storedstep WHERE encounter_id = 1").fetchone()
    return int(number)


def lose_press(page: Page, *, arrives: bool) -> None:
    """Lose the next post of a page: on the way there, or its answer on the way back."""
    lost: list[Route] = []

    def lose(route: Route) -> None:
        if route.request.method != "POST" or "/live/" in route.request.url or lost:
            route.fallback()
            return
        lost.append(route)
        if arrives:
            route.fetch(max_redirects=0)
        route.abort()

    page.route("**", lose)


def press_next_turn(page: Page) -> None:
    page.locator("#table:not([data-fresh])").get_by_role("button", name="Next turn").click()


def write_note(page: Page) -> None:
    """A note has no version of the table: others may act meanwhile."""
    page.locator("#note").evaluate(NOTE, "The lights go out.")


def roll_free_dice(page: Page) -> None:
    page.locator("#dice > summary").click()
    page.locator("#dice-term").fill("2d6")
    page.locator("#dice-term").press("Enter")


def send_again(page: Page) -> None:
    page.locator("#banner [data-banner-retry]").click()
    expect(page.locator("#banner")).to_be_hidden()
    expect(page.locator("[data-busy]")).to_have_count(0)
    catch_up(page)


PRESSES = [press_next_turn, write_note, roll_free_dice]


@pytest.mark.parametrize("arrives", [False, True], ids=["lost", "answer-lost"])
@pytest.mark.parametrize("press", PRESSES, ids=lambda one: one.__name__)
def test_lost_press_is_there_once(
    table: Page, site: Site, press: Callable[[Page], None], *, arrives: bool
) -> None:
    before = count_steps(site)
    lose_press(table, arrives=arrives)
    press(table)
    send_again(table)
    assert count_steps(site) == before + 1


def test_lost_press_is_sent_though_its_button_was_drawn_again(table: Page, gm: Guest, site: Site) -> None:
    lose_press(table, arrives=False)
    write_note(table)
    expect(table.locator("#banner")).to_be_visible()
    table.locator("#note").evaluate(DRAW_AGAIN)
    before = count_steps(site)
    send_again(table)
    assert count_steps(site) == before + 1
    expect(table.locator("#log")).to_contain_text("The lights go out.")


def test_press_before_an_outage_is_tried_after_it(
    browser: Browser, site: Site, gm: Guest, tmp_path: Path
) -> None:
    own = site.beside(tmp_path)
    with own.serve() as doomed:
        page = open_page(browser, doomed, LAPTOP)
        give_session(page, doomed, gm)
        page.goto(TABLE)
        doomed.stop(signal.SIGKILL)
        before = count_steps(site)
        press_next_turn(page)
        expect(page.locator("#banner")).to_contain_text("did not answer")
    with own.serve(doomed.port):
        expect(page.locator("#banner")).to_contain_text("answers again", timeout=BACK_AGAIN)
        send_again(page)
        assert count_steps(site) == before + 1
    page.context.close()


def test_older_press_is_refused_if_others_acted_meanwhile(table: Page, gm: Guest, site: Site) -> None:
    lose_press(table, arrives=False)
    press_next_turn(table)
    expect(table.locator("#banner")).to_be_visible()
    hurt(gm)
    before = count_steps(site)
    send_again(table)
    expect(table.locator("#notice")).to_contain_text("acted first")
    assert count_steps(site) == before


def test_pages_recover_though_they_sent_nothing(
    browser: Browser, site: Site, gm: Guest, tmp_path: Path
) -> None:
    """A page without a stream, on which something was looked for."""
    own = site.beside(tmp_path)
    with own.serve() as doomed:
        page = open_page(browser, doomed, LAPTOP)
        give_session(page, doomed, gm)
        page.goto("/rules/cosmos/")
        doomed.stop(signal.SIGKILL)
        page.locator("main input[type=search]").first.press_sequentially("aim")
        expect(page.locator("#banner")).to_contain_text("did not answer")
    with own.serve(doomed.port):
        expect(page.locator("#banner")).to_be_hidden(timeout=BACK_AGAIN)
    page.context.close()


def test_banner_of_a_lost_press_goes_once_the_table_is_back(table: Page) -> None:
    lose_press(table, arrives=False)
    press_next_turn(table)
    banner = table.locator("#banner")
    expect(banner).to_contain_text("answers again", timeout=BACK_AGAIN)
    expect(banner).to_be_hidden(timeout=BACK_AGAIN)


def test_any_answer_takes_the_banner_down(table: Page) -> None:
    """Also a refusal."""
    lose_press(table, arrives=False)
    press_next_turn(table)
    expect(table.locator("#banner")).to_be_visible()
    table.locator("#table").evaluate(
        "(one) => { for (const field of one.querySelectorAll('input[name=version]')) field.value = 'x'; }"
    )
    press_next_turn(table)
    expect(table.locator("#notice")).to_contain_text("acted first")
    expect(table.locator("#banner")).to_be_hidden()
