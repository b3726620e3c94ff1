"""A button that would only be refused as its form stands is shut, and says what it lacks."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter, ShareLink
from combat.play.writing.encounter_service import Submission, submit
from tests.browser import sign_in, skip_hints
from tests.combat.cast import come
from tests.combat.visit import PIRATE, ZARA, state_of

pytestmark = pytest.mark.slow
FILLED = re.compile(r"\bbtn-primary\b")


def check_shut(button: Locator, why: str) -> None:
    expect(button).to_be_disabled()
    expect(button).to_have_attribute("title", why)


def test_ask_opens_with_the_first_word(live_server: LiveServer, browser: Browser, started: Encounter) -> None:
    context = browser.new_context()
    skip_hints(context)
    page = context.new_page()
    sign_in(context, live_server, come(started, ShareLink.PLAY, "Pia", ZARA))
    page.goto(f"{live_server.url}/encounters/{started.pk}/")
    page.get_by_text("Something else", exact=True).first.click()
    ask, words = page.get_by_role("button", name="Ask", exact=True), page.locator("#wish-words")
    check_shut(ask, "Say what you want to do first.")
    for typed, opens in (("  ", False), ("I swing", True), ("", False), ("I hide", True)):
        words.fill(typed)
        expect(ask).to_be_enabled() if opens else check_shut(ask, "Say what you want to do first.")
    ask.click()
    expect(page.locator(".wish.mine")).to_be_visible()
    context.close()


def test_condition_and_points_are_given_once_they_are_chosen(table: Page) -> None:
    address = table.url
    give = table.locator("button[value=give_condition]")
    for row in ("condition", "quick"):
        table.goto(f"{address}?combatant={PIRATE}&row={row}")
        expect(give).to_be_disabled()
        expect(give).to_be_hidden()
        table.locator("#row-picks label", has_text="Bleeding").click()
        expect(give).to_have_text("Give Bleeding")
        table.locator("label[for=row-turns-3]").click()
        expect(give).to_have_text("Give Bleeding, 3 turns")
    give.click()
    expect(table.locator(f"#row-{PIRATE}")).to_contain_text("3 turns left")
    table.goto(f"{address}?combatant={PIRATE}&row=quick")
    points = table.locator("#quick-set")
    check_shut(points, "Enter points first.")
    table.locator("#quick-points").fill("-3")
    expect(points).to_be_enabled()


def test_clock_is_saved_once_something_is_other(table: Page, started: Encounter) -> None:
    submit(started.pk, Submission("start_clock", {"name": "Dawn", "size": 6}))
    table.reload()
    table.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    save = table.get_by_role("button", name="Save clock")
    check_shut(save, "Change something first.")
    name = table.locator(".clock-form input[name=name]").first
    name.fill("Dusk")
    expect(save).to_be_enabled()
    name.fill("Dawn")
    check_shut(save, "Change something first.")


def test_several_are_changed_once_rows_and_a_change_are_chosen(
    live_server: LiveServer, visitor: Page, prepared: Encounter
) -> None:
    visitor.goto(f"{live_server.url}/encounters/{prepared.pk}/prep/")
    visitor.locator("#several-fold > summary").click()
    apply = visitor.get_by_role("button", name="Apply to selected")
    remove = visitor.get_by_role("button", name="Remove selected")
    check_shut(apply, "Select rows, and choose what changes.")
    check_shut(remove, "Select rows first.")
    visitor.locator("input[name=targets]").first.check(force=True)
    expect(remove).to_be_enabled()
    check_shut(apply, "Select rows, and choose what changes.")
    visitor.locator("#several select[name=hidden]").select_option(index=1)
    expect(apply).to_be_enabled()


def test_redo_of_the_editor_waits_for_something_to_redo(
    live_server: LiveServer, visitor: Page, prepared: Encounter
) -> None:
    """The server says it, so also without scripts."""
    visitor.goto(f"{live_server.url}/encounters/{prepared.pk}/scene/")
    undo, redo = visitor.locator("#draw-undo"), visitor.locator("#draw-redo")
    check_shut(redo, "Nothing to redo.")
    undo.click()
    expect(redo).to_be_enabled()
    redo.click()
    check_shut(redo, "Nothing to redo.")


@pytest.mark.parametrize(
    ("row", "field", "other", "why"),
    [
        ("rename", "#row-name", "Mog", "Change something first."),
        ("resize", "#row-metres", "4", "Change something first."),
        ("alias", "#row-alias", "Shadow", "Change something first."),
        ("place", "#row-x", "3", "Change something first."),
        ("figures", ".figures input.number", "9", "Change a figure first."),
    ],
)
def test_form_of_a_row_is_filled_once_something_is_other(
    table: Page, row: str, field: str, other: str, why: str
) -> None:
    table.goto(f"{table.url}?combatant={PIRATE}&row={row}")
    table.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    apply = table.locator(".row-card .actions button[data-fills]")
    check_shut(apply, why)
    expect(apply).not_to_have_class(FILLED)
    table.locator(field).first.fill(other)
    expect(apply).to_be_enabled()
    expect(apply).to_have_class(FILLED)


def test_place_in_the_order_opens_with_that_of_now(table: Page, started: Encounter) -> None:
    first, second, *_ = state_of(started.pk).order
    table.goto(f"{table.url}?combatant={second}&row=reorder")
    after = table.locator("#row-after")
    expect(after).to_have_value(first)
    apply = table.locator(".row-card .actions button[data-fills]")
    check_shut(apply, "Change something first.")
    after.select_option(value="")
    apply.click()
    expect(table.locator("#row-window .row-card")).to_have_count(0)
    assert state_of(started.pk).order[:2] == (second, first)
