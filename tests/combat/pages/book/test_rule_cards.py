"""The rulebook in a real browser: open to all, searched while typing, its rules on cards everywhere."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser import find_barriers, find_overflow

pytestmark = pytest.mark.slow


WIDE: ViewportSize = {"width": 1440, "height": 900}
LINK = "#COS-ATK-07 a.rule[href$='/R8/']"


@pytest.fixture
def book(live_server: LiveServer, page: Page, transactional_db: None) -> Page:
    """The rules about melee on a wide screen."""
    page.set_viewport_size(WIDE)
    page.goto(f"{live_server.url}/rules/cosmos/?q=melee")
    return page


def card(page: Page) -> Locator:
    """The card, wherever it is."""
    return page.locator("#rule-card")


def test_rulebook(live_server: LiveServer, page: Page, transactional_db: None) -> None:
    page.set_viewport_size(WIDE)
    page.goto(f"{live_server.url}/rules/cosmos/#COS-ATK-01")
    check_deep_link(page)
    check_wide_tables(page)
    check_copied_link(page)
    check_contents_of_a_phone(page)
    page.goto(f"{live_server.url}/rules/cosmos/")
    check_search_while_typing(page)


def check_deep_link(book: Page) -> None:
    """It lights up its rule."""
    here, other = book.locator("#COS-ATK-01"), book.locator("#COS-ATK-02")
    expect(here).to_be_in_viewport()
    shade = "e => getComputedStyle(e).backgroundColor"
    assert here.evaluate(shade) != other.evaluate(shade), "the rule of the address"


def check_wide_tables(book: Page) -> None:
    """They scroll in their own box."""
    book.set_viewport_size({"width": 360, "height": 740})
    box = book.locator("#table-things-weapon .book-scroll")
    assert box.evaluate("e => e.scrollWidth > e.clientWidth"), "the table is wide"
    assert find_overflow(book) == []
    box.focus()
    book.keyboard.press("ArrowRight")
    book.wait_for_function("box => box.scrollLeft > 0", arg=box.element_handle())
    book.set_viewport_size(WIDE)


def check_copied_link(book: Page) -> None:
    book.context.grant_permissions(["clipboard-write"])
    book.locator("#COS-ATK-07 .anchor").click()
    expect(book.locator("#live")).to_have_text("Link copied.")
    search = book.get_by_role("searchbox")
    search.press("Control+v")  # the page may not read the clipboard, but a person may paste
    expect(search, "the copied link").to_have_value(re.compile("/rules/cosmos/making-attacks/#COS-ATK-07$"))


def check_contents_of_a_phone(book: Page) -> None:
    """They open over the chapter; a chapter of theirs is one tap away."""
    book.set_viewport_size({"width": 360, "height": 740})
    expect(book.locator("#contents")).not_to_be_visible()
    book.get_by_role("button", name="Contents").click()
    assert find_barriers(book, within="#contents") == []
    book.locator("#contents").get_by_role("link", name="Critical Hits").click()
    expect(book.get_by_role("heading", level=1)).to_have_text("Critical Hits")
    assert find_overflow(book) == []
    book.set_viewport_size(WIDE)


def check_search_while_typing(book: Page) -> None:
    book.locator("#q").press_sequentially("first aid k")
    expect(book.locator("#COS-DEATH-08")).to_be_visible()
    expect(book.locator(".chapters")).to_have_count(0)
    expect(book.locator("#live")).to_contain_text("for “first aid k”.")
    assert "q=first" in book.url
    assert book.evaluate("document.activeElement.id") == "q"
    book.locator("#q").fill("")
    expect(book.locator(".chapters")).to_have_count(1)
    book.locator("#show-reference").check()
    expect(book.locator(".chapters")).to_have_count(0)
    expect(book.locator("#COS-ACT-17")).to_be_visible()


def test_search_without_javascript(live_server: LiveServer, browser: Browser, transactional_db: None) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{live_server.url}/rules/cosmos/")
    page.locator("#q").fill("bleeding")
    page.locator("#show-assisted").check()
    page.get_by_role("button", name="Search").click()
    expect(page.locator("article")).to_have_count(2)
    page.goto(f"{live_server.url}/rules/cosmos/making-attacks/")
    page.locator(LINK).click()
    expect(page.locator("#R8")).to_be_in_viewport()
    context.close()


# ---- Cards ----


def test_cards_in_the_rulebook(book: Page, complaints: list[str]) -> None:
    check_card_is_fetched_one_time(book)
    check_card_under_the_pointer(book)
    check_card_of_the_keyboard(book)
    check_card_on_a_moving_page(book)
    check_no_card_on_narrow_screens(book)
    assert complaints == []


def check_card_is_fetched_one_time(book: Page) -> None:
    """It goes with Escape without moving the pointer."""
    asked: list[str] = []
    book.on("request", lambda request: asked.append(request.url) if "/R8/" in request.url else None)
    for _ in range(2):
        book.locator(LINK).hover()
        expect(card(book)).to_be_visible()
        book.keyboard.press("Escape")
        expect(card(book), "after Escape").not_to_be_visible()
        book.mouse.move(5, 5)
    assert len(asked) == 1, "it is fetched one time"


def check_card_under_the_pointer(book: Page) -> None:
    """It shows there and may be pointed at."""
    link = book.locator(LINK)
    link.hover()
    expect(card(book)).to_be_visible()
    expect(card(book)).to_contain_text("R8. Melee damage")
    expect(link).to_have_attribute("aria-describedby", "rule-card")
    assert find_barriers(book, within="#rule-card") == []
    card(book).hover()
    book.wait_for_timeout(600)
    expect(card(book), "pointed at").to_be_visible()
    book.mouse.move(5, 5)
    expect(card(book), "pointed away").not_to_be_visible()
    assert link.get_attribute("aria-describedby") is None, "pointed away"


def check_card_of_the_keyboard(book: Page) -> None:
    """It follows the keyboard, whatever the pointer does."""
    book.locator("#COS-ATK-07 .anchor").focus()
    book.keyboard.press("Tab")
    expect(card(book), "by Tab").to_contain_text("R1. Rounding")
    book.mouse.move(700, 400)
    book.wait_for_timeout(500)
    expect(card(book), "the pointer is elsewhere").to_be_visible()
    book.keyboard.press("Tab")
    expect(card(book), "by Tab").to_contain_text("R8. Melee damage")
    book.keyboard.press("Escape")
    expect(card(book), "after Escape").not_to_be_visible()
    assert book.evaluate("document.activeElement.pathname") == "/rules/cosmos/R8/"


def check_card_on_a_moving_page(book: Page) -> None:
    """A page that moves under a resting pointer takes no card from the keyboard."""
    book.locator("#COS-ATK-07 .anchor").focus()
    book.keyboard.press("Tab")
    book.evaluate("document.body.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))")
    expect(card(book), "the page moved").to_contain_text("R1. Rounding")
    book.keyboard.press("Escape")
    expect(card(book)).not_to_be_visible()


def check_no_card_on_narrow_screens(book: Page) -> None:
    book.set_viewport_size({"width": 800, "height": 900})
    book.locator(LINK).hover()
    book.wait_for_timeout(700)
    expect(card(book), "on a narrow screen").not_to_be_visible()


def test_rules_at_the_table(visitor: Page, address: str) -> None:
    visitor.set_viewport_size(WIDE)
    visitor.goto(f"{address}?combatant=f1&do=attack")
    check_codes(visitor)
    check_card_before_the_form(visitor)


def check_codes(table: Page) -> None:
    """A mark stands for each code until the device is told to show them all; its link has the words."""
    code = table.locator("#odds-panel .rule-code > span").first
    open_sum(table)
    clip = "code => getComputedStyle(code).clipPath"
    assert code.evaluate(clip) != "none", "at first"
    expect(table.get_by_role("link", name="ATK-01", exact=True).first).to_be_visible()
    code.locator("..").hover()
    assert code.evaluate(clip) == "none", "pointed at"
    table.mouse.move(5, 5)
    for shown in (True, False):
        table.get_by_role("button", name="Menu").click()
        table.get_by_role("button", name="Show rule codes" if shown else "Hide rule codes").click()
        table.reload()
        open_sum(table)
        assert (code.evaluate(clip) == "none") == shown, "kept on this device"


def open_sum(table: Page) -> None:
    """Open the sum below the chance of an open form."""
    table.locator("#odds-panel .sum-line > summary").click()


def check_card_before_the_form(table: Page) -> None:
    """Escape closes the card before the open form."""
    table.locator("#odds-panel a.rule").first.hover()
    expect(card(table)).to_be_visible()
    box = card(table).bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= WIDE["width"]
    assert box["y"] + box["height"] <= WIDE["height"]
    table.keyboard.press("Escape")
    expect(card(table), "after Escape").not_to_be_visible()
    expect(table.locator("form.action-form"), "after one Escape").to_be_visible()
    table.mouse.move(5, 5)
    table.keyboard.press("Escape")
    expect(table.locator("form.action-form"), "after two").to_have_count(0)
