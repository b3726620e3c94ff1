"""The rulebook in a real browser: open to all, searched while typing, its rules on cards everywhere."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter
from tests.browser import check_looks, find_barriers, find_overflow
from tests.thinning import thin

pytestmark = pytest.mark.slow


WIDE = {"width": 1440, "height": 900}
LINK = "#COS-ATK-07 a.rule[href$='#R8']"


@pytest.fixture
def book(live_server: LiveServer, page: Page, transactional_db: None) -> Page:
    """The rules about melee on a wide screen: a browser draws them much sooner than the whole rulebook."""
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{live_server.url}/rules/cosmos/?q=melee")
    return page


@pytest.fixture
def whole_book(book: Page, live_server: LiveServer) -> Page:
    """The whole rulebook."""
    book.goto(f"{live_server.url}/rules/cosmos/")
    return book


def card(page: Page) -> Locator:
    """The card, wherever it is."""
    return page.locator("#rule-card")


@pytest.mark.parametrize(
    "path",
    thin(
        ["starshock/?q=range", "cosmos/?show=assisted", "about/"],
        "starshock/?q=range",
    ),
)
def test_rulebook_pages_look_well(
    live_server: LiveServer, page: Page, transactional_db: None, complaints: list[str], path: str
) -> None:
    check_looks(page, f"{live_server.url}/rules/{path}")
    assert complaints == []


def test_deep_link_lights_up_its_rule(live_server: LiveServer, whole_book: Page) -> None:
    whole_book.goto(f"{live_server.url}/rules/cosmos/#COS-ATK-01")
    here = whole_book.locator("#COS-ATK-01")
    expect(here).to_be_in_viewport()
    other = whole_book.locator("#COS-ATK-02")
    shade = "e => getComputedStyle(e).backgroundColor"
    assert here.evaluate(shade) != other.evaluate(shade)


def test_wide_tables_scroll_in_their_own_box(whole_book: Page) -> None:
    whole_book.set_viewport_size({"width": 360, "height": 740})
    box = whole_book.locator("#table-things-weapon .book-scroll")
    assert box.evaluate("e => e.scrollWidth > e.clientWidth")
    assert find_overflow(whole_book) == []
    box.focus()
    whole_book.keyboard.press("ArrowRight")
    whole_book.wait_for_timeout(300)
    assert box.evaluate("e => e.scrollLeft") > 0


def test_search_answers_while_typing(whole_book: Page) -> None:
    whole_book.locator("#q").press_sequentially("first aid k")
    expect(whole_book.locator("#COS-DEATH-08")).to_be_visible()
    expect(whole_book.locator("#COS-MOVE-01")).to_have_count(0)
    expect(whole_book.locator("#live")).to_contain_text("for “first aid k”.")
    assert "q=first" in whole_book.url
    assert whole_book.evaluate("document.activeElement.id") == "q"
    whole_book.locator("#q").fill("")
    expect(whole_book.locator("#COS-MOVE-01")).to_have_count(1)
    whole_book.locator("#show-reference").check()
    expect(whole_book.locator("#COS-MOVE-01")).to_have_count(0)
    expect(whole_book.locator("#COS-ACT-17")).to_be_visible()


def test_search_without_javascript(live_server: LiveServer, browser: Browser, transactional_db: None) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{live_server.url}/rules/cosmos/")
    page.locator("#q").fill("bleeding")
    page.locator("#show-assisted").check()
    page.get_by_role("button", name="Search").click()
    expect(page.locator("article")).to_have_count(2)
    page.goto(f"{live_server.url}/rules/cosmos/")
    page.locator(LINK).click()
    expect(page.locator("#R8")).to_be_in_viewport()
    context.close()


def test_link_of_a_rule_is_copied(whole_book: Page) -> None:
    whole_book.context.grant_permissions(["clipboard-write"])
    whole_book.locator("#COS-ATK-07 .anchor").click()
    expect(whole_book.locator("#live")).to_have_text("Link copied.")
    search = whole_book.get_by_role("searchbox")
    search.press("Control+v")  # the page may not read the clipboard, but a person may paste
    expect(search).to_have_value(re.compile("/rules/cosmos/#COS-ATK-07$"))


# ---- Cards ----


def test_card_shows_under_the_pointer_and_may_be_pointed_at(book: Page, complaints: list[str]) -> None:
    link = book.locator(LINK)
    link.hover()
    expect(card(book)).to_be_visible()
    expect(card(book)).to_contain_text("R8. Melee damage")
    expect(link).to_have_attribute("aria-describedby", "rule-card")
    assert find_barriers(book, within="#rule-card") == []
    card(book).hover()
    book.wait_for_timeout(600)
    expect(card(book)).to_be_visible()
    book.mouse.move(5, 5)
    expect(card(book)).not_to_be_visible()
    assert link.get_attribute("aria-describedby") is None
    assert complaints == []


def test_card_follows_the_keyboard(book: Page) -> None:
    book.locator("#COS-ATK-07 .anchor").focus()
    book.keyboard.press("Tab")
    expect(card(book)).to_contain_text("R1. Rounding")
    book.mouse.move(700, 400)
    book.wait_for_timeout(500)
    expect(card(book)).to_be_visible()
    book.keyboard.press("Tab")
    expect(card(book)).to_contain_text("R8. Melee damage")
    book.keyboard.press("Escape")
    expect(card(book)).not_to_be_visible()
    assert book.evaluate("document.activeElement.hash") == "#R8"


def test_card_is_fetched_one_time_and_goes_with_escape_without_moving_the_pointer(book: Page) -> None:
    asked: list[str] = []
    book.on("request", lambda request: asked.append(request.url) if "rule=" in request.url else None)
    for _ in range(2):
        book.locator(LINK).hover()
        expect(card(book)).to_be_visible()
        book.keyboard.press("Escape")
        expect(card(book)).not_to_be_visible()
        book.mouse.move(5, 5)
    assert len(asked) == 1


def test_narrow_screens_have_no_card(book: Page) -> None:
    book.set_viewport_size({"width": 800, "height": 900})
    book.locator(LINK).hover()
    book.wait_for_timeout(700)
    assert card(book).count() == 0


def test_card_at_the_table_goes_before_the_open_form(
    live_server: LiveServer, table: Page, started: Encounter
) -> None:
    table.goto(f"{live_server.url}/encounters/{started.pk}/?combatant=f1&do=attack")
    table.locator("#odds-panel a.rule").first.hover()
    expect(card(table)).to_be_visible()
    box = card(table).bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= WIDE["width"]
    assert box["y"] + box["height"] <= WIDE["height"]
    table.keyboard.press("Escape")
    expect(card(table)).not_to_be_visible()
    expect(table.locator("form.action-form")).to_be_visible()
    table.mouse.move(5, 5)
    table.keyboard.press("Escape")
    expect(table.locator("form.action-form")).to_have_count(0)


def test_page_that_moves_under_a_resting_pointer_takes_no_card_from_the_keyboard(book: Page) -> None:
    book.locator("#COS-ATK-07 .anchor").focus()
    book.keyboard.press("Tab")
    book.evaluate("document.body.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))")
    expect(card(book)).to_contain_text("R1. Rounding")


def test_codes_of_rules_at_the_table_show_when_asked(table: Page) -> None:
    """A mark stands for each code until the device is told to show them all; its link has the words."""
    table.goto(f"{table.url}?combatant=f1&do=attack")
    code = table.locator("#odds-panel .rule-code > span").first
    clip = "code => getComputedStyle(code).clipPath"
    assert code.evaluate(clip) != "none"
    expect(table.get_by_role("link", name="ATK-01", exact=True).first).to_be_visible()
    code.locator("..").hover()
    assert code.evaluate(clip) == "none"
    table.mouse.move(5, 5)
    for shown in (True, False):
        table.get_by_role("button", name="Menu").click()
        table.get_by_role("button", name="Show rule codes" if shown else "Hide rule codes").click()
        table.reload()
        assert (code.evaluate(clip) == "none") == shown, "kept on this device"
