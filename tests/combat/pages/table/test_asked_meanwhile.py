"""A form that is asked for while the table changes: it opens, whichever of the two answers comes first."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from tests.combat.visit import ZARA

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("is_whole", [False, True], ids=["regions", "whole table"])
def test_form_opens_though_the_table_changed_before_its_answer(
    table: Page, started: Encounter, is_whole: bool
) -> None:
    held: list[Route] = []  # the first question for the form

    def hold(route: Route) -> None:
        if "do=move" in route.request.url and not held:
            held.append(route)
        elif is_whole and "do=" not in route.request.url:
            names = {name: value for name, value in route.request.headers.items() if name != "x-regions"}
            route.continue_(headers=names)
        else:
            route.continue_()

    table.route(re.compile(rf"/encounters/{started.pk}/(\?.*)?$"), hold)
    before = table.locator("#table").get_attribute("data-version") or ""
    with table.expect_request(re.compile("do=move")):
        table.locator("a.action[href*='do=move']").first.click()
    submit(started.pk, Submission("adjust", {"target": ZARA, "track": "hp", "by": -3}))
    table.evaluate("htmx.trigger('[data-live]', 'again')")
    expect(table.locator("#table")).not_to_have_attribute("data-version", before)
    held[0].continue_()
    expect(table.locator("form.action-form")).to_be_visible()
    expect(table).to_have_url(re.compile("do=move"))


def test_form_that_was_tapped_last_stays(table: Page, started: Encounter) -> None:
    """The answer to an earlier tap, however late it comes, takes its place from no other form."""
    held: list[Route] = []
    asked: list[str] = []

    def hold(route: Route) -> None:
        asked.append(route.request.url)
        if "do=move" in route.request.url and not held:
            held.append(route)
        else:
            route.continue_()

    table.route(re.compile(rf"/encounters/{started.pk}/(\?.*)?$"), hold)
    with table.expect_request(re.compile("do=move")):
        table.locator("a.action[href*='do=move']").first.click()
    table.locator("a.action[href*='do=say']").first.click()
    form = table.locator("form.action-form")
    expect(form).to_be_visible()
    shown = form.get_attribute("id")
    with table.expect_response(re.compile("do=move")):
        held[0].continue_()
    with table.expect_response(re.compile("do=say")):  # a look that comes after that answer
        table.evaluate("htmx.trigger('[data-live]', 'again')")
    expect(form).to_have_attribute("id", shown or "")
    expect(table).to_have_url(re.compile("do=say"))
    assert sum("do=move" in url for url in asked) == 1, "it is not asked for again"
