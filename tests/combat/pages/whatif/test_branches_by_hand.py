"""A branch in a real browser: begun at the log, played on, checked for barriers, and made real."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter
from tests.browser import AXE, BY_THEME, SIZES, find_barriers, find_overflow
from tests.browser import look as give_looks
from tests.combat.pages.map.test_map_moves import carry
from tests.combat.visit import PIRATE, ZARA, combatant, load, roll_fives, state_of

pytestmark = pytest.mark.slow


@pytest.fixture
def log(live_server: LiveServer, visitor: Page, started: Encounter, monkeypatch: pytest.MonkeyPatch) -> Page:
    """The GM's full log, in Zara's first turn; every die shows a five."""
    roll_fives(monkeypatch)
    visitor.add_init_script(AXE)
    visitor.goto(f"{live_server.url}/encounters/{started.pk}/log/")
    return visitor


def look(page: Page, *, is_measured: bool = True) -> list[str]:
    """The problems of a page on a dark laptop and a bright phone; of its colors if nobody measures them."""
    give_looks(page, "wide", "dark")
    wrong = [*find_barriers(page, without=BY_THEME if is_measured else ()), *find_overflow(page)]
    give_looks(page, "narrow", "light")
    return [*wrong, *find_overflow(page)]


def test_branch_from_the_log_to_the_fight(log: Page, started: Encounter) -> None:
    page, before, size = log, load(started.pk).steps, log.viewport_size
    assert look(page) == []
    page.set_viewport_size(SIZES["wide"])  # a phone's log leaves this to the page of each step
    page.get_by_role("link", name="What if… after").first.click()
    page.wait_for_url("**/whatif/**")
    page.set_viewport_size(size or SIZES["wide"])
    assert look(page) == []
    page.get_by_role("button", name="Begin branch").click()
    expect(page.get_by_role("note")).to_contain_text("nothing here happens in the fight")
    assert look(page) == []
    page.locator("#act-attack").click()
    expect(page.locator("#odds-panel")).to_contain_text("%")
    page.locator("#roll-app").press("Enter")
    expect(page.locator("#table")).to_contain_text("1 step here")
    happened = page.get_by_role("region", name="What happened here")
    expect(page.get_by_role("button", name="Next turn")).to_be_visible()
    expect(happened).to_be_hidden()
    page.locator("label", has_text="Branch").click()
    expect(happened).to_contain_text("Zara attacks Pirate")
    expect(page.get_by_role("link", name="The fight as it is")).to_be_visible()
    expect(page.locator("#combatants, #scene, #turn").filter(visible=True)).to_have_count(0)
    assert look(page) == []
    page.locator("label", has_text="Turn").click()
    page.get_by_role("button", name="Next turn").press("Enter")
    expect(page.locator("#table")).to_contain_text("2 steps here")
    page.get_by_role("button", name="Undo").press("Enter")
    expect(page.locator("#table")).to_contain_text("1 step here")
    assert load(started.pk).steps == before
    page.locator("label", has_text="Branch").click()
    page.get_by_role("link", name="See each step").press("Enter")
    expect(page.get_by_role("heading", name="Done: 1 step")).to_be_visible()
    assert look(page, is_measured=False) == []
    page.get_by_role("button", name="Make it real").press("Enter")
    expect(page.locator("#log")).to_contain_text("Zara attacks Pirate")
    assert load(started.pk).steps == before + 1
    pirate = state_of(started.pk).combatants[PIRATE]
    assert pirate.tracks["hp"] < 80
    assert state_of(started.pk).active == ZARA


def test_back_button_shows_the_whole_page_again(
    log: Page, live_server: LiveServer, started: Encounter
) -> None:
    page, here = log, f"{live_server.url}/encounters/{started.pk}/"
    page.goto(f"{here}whatif/")
    page.get_by_role("button", name="Begin branch").press("Enter")
    expect(page.get_by_role("note")).to_contain_text("nothing here happens in the fight")
    page.set_viewport_size(SIZES["narrow"])
    for address in (page.url, here):
        page.goto(address)
        page.locator("#act-attack").click()
        expect(page.locator("#odds-panel")).to_contain_text("%")
        page.go_back()
        expect(page.locator("#odds-panel")).to_have_count(0)
        expect(page.locator("main")).to_have_count(1)
        expect(page.locator("label", has_text="Combatants")).to_be_visible()
        expect(page.get_by_role("button", name="Menu", exact=True)).to_be_visible()
        page.go_forward()
        expect(page.locator("#odds-panel")).to_contain_text("%")


def test_two_branches_side_by_side(log: Page, live_server: LiveServer, started: Encounter) -> None:
    page, listed = log, f"{live_server.url}/encounters/{started.pk}/whatif/"
    for _ in range(2):
        page.goto(listed)
        page.get_by_role("button", name="Begin branch").press("Enter")
        page.get_by_role("button", name="Next turn").press("Enter")
        expect(page.locator("#table")).to_contain_text("1 step here")
    page.goto(listed)
    assert look(page) == []
    page.locator("#branch-2 summary").press("Enter")
    expect(page.locator("#branch-2")).to_contain_text("1 step of branch 2 will be lost.")
    assert look(page) == []
    page.get_by_role("button", name="Compare").press("Enter")
    expect(page.get_by_role("heading", name="Two branches")).to_be_visible()
    expect(page.locator(".branch-sides > section")).to_have_count(2)
    assert look(page, is_measured=False) == []


def test_token_is_dragged_in_a_branch_and_stays_in_the_fight(log: Page, started: Encounter) -> None:
    page, before = log, combatant(started.pk, ZARA).at
    page.set_viewport_size({"width": 1440, "height": 900})
    page.get_by_role("link", name="What if… after").first.click()
    page.get_by_role("button", name="Begin branch").click()
    page.locator("#map-frame").scroll_into_view_if_needed()
    carry(page, ZARA, 10, 2)
    expect(page.locator(".carry-words").last).to_have_text("Move: 6.1 m, 3.9 m left")
    page.mouse.up()
    expect(page.get_by_role("region", name="What happened here")).to_contain_text("Zara moves 6.1 m")
    page.locator("#map-frame").scroll_into_view_if_needed()
    carry(page, PIRATE, 20, 4)
    page.mouse.up()
    expect(page.get_by_role("region", name="What happened here")).to_contain_text("Pirate is now at")
    assert combatant(started.pk, ZARA).at == before
    assert look(page) == []
    check_arrangement(page)


def check_arrangement(page: Page) -> None:
    """A branch has the arrangement of the table: numbers first or the map first, and its frame in both."""
    page.set_viewport_size(SIZES["wide"])
    page.reload()
    turn, scene = page.locator("#turn"), page.locator("#scene")
    assert width_of(scene) > width_of(turn), "the usual one"
    page.get_by_role("button", name="Numbers first").click()
    assert page.evaluate("document.documentElement.dataset.arrange") == "numbers"
    assert width_of(turn) > width_of(scene)
    assert look(page) == []
    frame = page.locator(".tape").bounding_box()
    page.mouse.wheel(0, 2000)
    assert page.locator(".tape").bounding_box() == frame
    assert frame
    assert frame["width"] == page.evaluate("document.documentElement.clientWidth")


def width_of(panel: Locator) -> float:
    """The width of a panel, in px."""
    box = panel.bounding_box()
    assert box
    return box["width"]


def test_forecast_begins_by_itself_and_tries_changes(
    live_server: LiveServer, visitor: Page, started: Encounter
) -> None:
    page = visitor
    page.goto(f"{live_server.url}/encounters/{started.pk}/forecast/")
    expect(page.locator(".forecast-big b")).to_contain_text("%", timeout=60_000)
    expect(page.get_by_role("button", name="Run again")).to_be_visible(timeout=120_000)
    assert look(page) == []
    page.get_by_role("button", name="Try Without Zara").press("Enter")
    expect(page.locator(".change-bar")).to_have_count(1, timeout=120_000)
    assert look(page) == []
