"""A press shows at once that it was heard, long work has a bar, and messages move nothing."""

from __future__ import annotations

import re
from pathlib import Path

from django.template.loader import render_to_string
from playwright.sync_api import Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter
from tests.browser import find_barriers
from tests.typed import sure

PLACE = "() => document.querySelector('main > :not(#messages)').getBoundingClientRect().top"

SEND = f"""() => {{
  const place = {PLACE};
  const before = place();
  document.querySelector("main form[enctype] button").click();
  const bar = document.querySelector("#messages progress");
  return [before, place(), bar.ariaLabel, bar.getBoundingClientRect().bottom];
}}"""


# Clicks on new buttons of these questions, as a browser counts them; says which were heard
CLICKS = """(clicks) => clicks.map(([question, count]) => {
  const form = document.createElement("form");
  form.dataset.keepFields = question;
  form.innerHTML = '<button name="value" value="no">No</button>';
  form.addEventListener("submit", (event) => event.preventDefault());
  document.getElementById("table").append(form);
  const click = new MouseEvent("click", { bubbles: true, cancelable: true, detail: count });
  return form.firstChild.dispatchEvent(click);
})"""


def hold_posts(page: Page) -> list[Route]:
    """The posts of the forms of a page, which nobody answers yet."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        if route.request.method == "POST" and "/live/" not in route.request.url:
            held.append(route)
        else:
            route.fallback()

    page.route("**", hold)
    return held


def wait_for_post(page: Page, held: list[Route]) -> None:
    """Wait for the first post, and as long again as a second one would need."""
    while not held:
        page.wait_for_timeout(20)
    page.wait_for_timeout(200)


def test_pressed_button_says_that_it_rolls_and_then_what_it_said(table: Page, started: Encounter) -> None:
    table.locator("#act-attack").click()
    roll = table.locator("#roll-app")
    expect(roll).to_be_visible()
    before = roll.bounding_box()
    held = hold_posts(table)
    roll.evaluate("button => { button.click(); button.click(); }")
    assert roll.locator(".busy-word").inner_text() == "rolling…"
    assert roll.bounding_box() == before, "the button keeps its place"
    wait_for_post(table, held)
    assert len(held) == 1, "pressed twice, sent once"
    held[0].fulfill(status=500)
    expect(table.locator(".busy-word")).to_have_count(0)
    expect(roll).to_be_enabled()
    table.unroute_all()
    table.locator("#banner [data-banner-close]").click()
    roll.click()
    expect(table.locator("[data-result], .prompt").first).to_be_visible()
    expect(table.locator(".is-pressed")).to_have_count(0)


def test_table_says_that_the_disk_is_full_or_the_database_away(table: Page) -> None:
    text = table.locator("#banner [data-banner-text]")
    for status, words in (
        (507, "The disk of the server is full: what you sent was not saved."),
        (503, "The database is not available. Check first whether your change was saved."),
        (500, "The server failed. Nothing was changed."),
    ):
        held = hold_posts(table)
        table.locator(".turn-head button").first.click()
        wait_for_post(table, held)
        held[0].fulfill(status=status)
        expect(text).to_have_text(words)
        table.unroute_all()


def test_file_is_sent_with_a_bar_and_messages_move_nothing(
    live_server: LiveServer, visitor: Page, tmp_path: Path
) -> None:
    visitor.goto(f"{live_server.url}/characters/import/")
    file = tmp_path / "crew.json"
    file.write_text("{}")
    visitor.locator("[type=file]").set_input_files(file)
    hold_posts(visitor)
    before, after, words, foot = visitor.evaluate(SEND)
    assert after == before
    assert words == "Sending the file…"
    assert foot <= sure(visitor.viewport_size)["height"]


def test_message_of_success_goes_after_it_can_be_read(live_server: LiveServer, visitor: Page) -> None:
    visitor.clock.install()
    visitor.goto(f"{live_server.url}/campaigns/")
    visitor.locator("#new [name=name]").fill("Lost")
    visitor.locator("#new button").click()
    visitor.get_by_text("Later here").click()
    visitor.locator("#notes summary").click()
    visitor.get_by_role("button", name="Save notes").click()
    message = visitor.locator("#messages .alert")
    expect(message).to_be_visible()
    visitor.mouse.move(0, 0)
    visitor.evaluate("document.activeElement.blur()")
    visitor.clock.run_for(5_000)
    expect(message).to_be_visible()
    visitor.clock.run_for(60_000)
    expect(message).to_be_hidden()


def test_message_is_dismissed_and_moves_nothing(live_server: LiveServer, visitor: Page) -> None:
    visitor.goto(f"{live_server.url}/campaigns/")
    visitor.locator("#new [name=name]").fill("Lost")
    visitor.locator("#new button").click()
    visitor.get_by_text("Later here").click()
    visitor.locator("#notes summary").click()
    visitor.get_by_role("button", name="Save notes").click()
    message = visitor.locator("#messages .alert")
    expect(message).to_have_text(re.compile("."))
    expect(message).to_be_in_viewport(ratio=1)
    assert find_barriers(visitor, "#messages") == []
    place = visitor.evaluate(PLACE)
    visitor.get_by_role("button", name="Dismiss").click()
    expect(message).not_to_be_visible()
    assert visitor.evaluate(PLACE) == place


def test_double_click_passes_one_turn(table: Page) -> None:
    button = table.get_by_role("button", name="Next turn").bounding_box()
    place = sure(button)
    table.mouse.move(place["x"] + 9, place["y"] + 9)
    for count, who in ((1, "Pirate"), (2, "Pirate"), (1, "Marcus")):
        table.mouse.down(click_count=count)
        table.mouse.up(click_count=count)
        expect(table.locator("#h-turn")).to_have_text(who)
        expect(table.locator("[data-busy], .htmx-request")).to_have_count(0)


def test_double_click_answers_one_question(table: Page) -> None:
    """The next question has the same choices; a button that sends the same again, such as Undo, goes on."""
    assert table.evaluate(CLICKS, [["a", 1], ["b", 2], ["b", 3]]) == [True, False, False]
    assert table.evaluate(CLICKS, [["c", 1], ["c", 2], ["c", 3]]) == [True, True, True]


def test_everything_can_be_downloaded_twice(live_server: LiveServer, visitor: Page) -> None:
    visitor.goto(f"{live_server.url}/accounts/delete/")
    for _ in range(2):
        with visitor.expect_download():
            visitor.get_by_role("button", name="Download everything").click()


def test_page_without_database_opens_once_it_is_back(live_server: LiveServer, visitor: Page) -> None:
    away = [render_to_string("503.html", {"at": "/campaigns/", "is_opened": True})]

    def answer(route: Route) -> None:
        if away:
            route.fulfill(status=503, body=away[0], content_type="text/html")
        else:
            route.fallback()

    visitor.clock.install()
    visitor.route("**/campaigns/", answer)
    visitor.goto(f"{live_server.url}/campaigns/")
    expect(visitor.get_by_role("heading", name="The database is not available")).to_be_visible()
    visitor.clock.run_for(6_000)
    away.clear()
    visitor.clock.run_for(6_000)
    expect(visitor.locator("#new [name=name]")).to_be_visible()
