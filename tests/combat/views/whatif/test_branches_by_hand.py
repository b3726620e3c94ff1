"""A branch in a real browser: begun at the log, played on, checked for barriers, and made real."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter
from tests.browser import SIZES, find_barriers, find_overflow
from tests.combat.views.map.test_map_moves import carry
from tests.combat.visit import PIRATE, ZARA, combatant, load, roll_fives, state_of

pytestmark = pytest.mark.slow


@pytest.fixture
def log(live_server: LiveServer, visitor: Page, started: Encounter, monkeypatch: pytest.MonkeyPatch) -> Page:
    """The GM's full log, in Zara's first turn; every die shows a five."""
    roll_fives(monkeypatch)
    visitor.goto(f"{live_server.url}/encounters/{started.pk}/log/")
    return visitor


def look(page: Page) -> list[str]:
    """The problems of a page, on a dark laptop and on a bright phone."""
    wrong = []
    for theme, size in (("dark", "wide"), ("light", "narrow")):
        page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        page.set_viewport_size({"width": SIZES[size]["width"], "height": SIZES[size]["height"]})
        wrong += [*find_barriers(page), *find_overflow(page)]
    return wrong


def test_branch_from_the_log_to_the_fight(log: Page, started: Encounter) -> None:
    page, before = log, load(started.pk).steps
    assert look(page) == []
    page.get_by_role("link", name="What if… after").last.click()
    assert look(page) == []
    page.get_by_role("button", name="Begin branch").click()
    expect(page.get_by_role("note")).to_contain_text("nothing here happens in the fight")
    assert look(page) == []
    page.locator("#act-attack").click()
    expect(page.locator("#odds-panel")).to_contain_text("%")
    page.locator("#roll-app").press("Enter")
    expect(page.get_by_role("region", name="What happened here")).to_contain_text("Zara attacks Pirate")
    page.get_by_role("button", name="Next turn").press("Enter")
    expect(page.locator("#table")).to_contain_text("2 steps here")
    page.get_by_role("button", name="Undo").press("Enter")
    expect(page.locator("#table")).to_contain_text("1 step here")
    assert load(started.pk).steps == before
    assert look(page) == []
    page.get_by_role("link", name="Make it real…").press("Enter")
    expect(page.get_by_role("heading", name="Done: 1 step")).to_be_visible()
    assert look(page) == []
    page.get_by_role("button", name="Make it real").press("Enter")
    expect(page.locator("#log")).to_contain_text("Zara attacks Pirate")
    assert load(started.pk).steps == before + 1
    pirate = state_of(started.pk).combatants[PIRATE]
    assert pirate.tracks["hp"] < 80
    assert state_of(started.pk).active == ZARA


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
    assert look(page) == []


def test_token_is_dragged_in_a_branch_and_stays_in_the_fight(log: Page, started: Encounter) -> None:
    page, before = log, combatant(started.pk, ZARA).at
    page.set_viewport_size({"width": 1440, "height": 900})
    page.get_by_role("link", name="What if… after").last.click()
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


def test_branch_looks_the_same_for_whoever_has_the_map_first(log: Page) -> None:
    page = log
    page.get_by_role("link", name="What if… after").last.click()
    page.get_by_role("button", name="Begin branch").click()
    expect(page.get_by_role("note")).to_contain_text("nothing here happens in the fight")
    panels = [page.locator("#turn"), page.get_by_role("region", name="Combatants")]
    before = [panel.bounding_box() for panel in panels]
    page.evaluate("localStorage.setItem('arrange', 'map')")
    page.reload()
    assert page.evaluate("document.documentElement.dataset.arrange") == "map"
    assert [panel.bounding_box() for panel in panels] == before
