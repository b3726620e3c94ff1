"""Every search field takes words, and every kind of tile a press: a page error fails the test."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter
from combat.rules import SYSTEMS, find_system
from combat.rules.core.state.state import has_condition
from tests.browser import sign_in
from tests.combat.cast import Cast
from tests.combat.pages.every_page.test_every_page import find_pages
from tests.combat.rules.games import every_slug
from tests.combat.visit import PIRATE, combatant

SEARCHES = "input[type=search]:visible"
TILES = "label.tile:visible, .pick:has(> label):visible"
SEARCH = b'type="search"'
WINDOW = f"?combatant={PIRATE}&row=quick"


@pytest.mark.slow
def test_every_search_takes_words_and_every_kind_of_tile_a_press(
    live_server: LiveServer, visitor: Page, cast: Cast, started: Encounter
) -> None:
    """On the pages that the permission matrix gives the GM, with a combatant's windows and new characters."""
    table = f"/encounters/{started.pk}/"
    steps = (f"/characters/new/{slug}/{step}" for slug in SYSTEMS for step in ("", "?step=gear"))
    found = [address for _, address, middle in find_pages("gm", cast["gm"], started) if SEARCH in middle]
    more = (table, table + WINDOW, f"{table}?combatant={PIRATE}&row=condition", *steps)
    sign_in(visitor.context, live_server, cast["gm"])
    searched, pressed = set[str](), set[str]()
    for address in (*found, *more):
        visitor.goto(live_server.url + address)
        for fold in visitor.locator("details:has([type=search]):not([open]) > summary:visible").all():
            if fold.is_visible():
                fold.click()
        for field in visitor.locator(SEARCHES).all():
            name = field.get_attribute("id") or ""
            if name not in searched and field.is_visible():
                searched.add(name)
                field.press_sequentially("st", delay=5)
                field.fill("")
        for kind in (
            set(visitor.locator(TILES).evaluate_all("all => all.map((one) => one.className)")) - pressed
        ):
            pressed.add(kind)
            visitor.locator(TILES).and_(visitor.locator(f'[class="{kind}"]')).first.click()
    assert {"row-find", "filter", "cast-find", "q", "find"} <= searched
    assert pressed


def test_window_at_a_token_finds_a_condition(table: Page, address: str) -> None:
    """Names first, then what the rule says; Enter gives the first."""
    table.goto(address + WINDOW)
    field, picks = table.locator("#row-find"), table.locator("#row-picks > li:visible")
    field.press_sequentially("stu")
    expect(picks).to_have_text([re.compile("Stunned")])
    field.fill("finished off")
    expect(picks).to_have_text([re.compile("Helpless")])
    field.fill("nothing so called")
    expect(table.get_by_text("No condition has these words.")).to_be_visible()
    field.fill("pro")
    expect(table.locator("#row-kind-prone")).to_be_checked()
    field.press("Enter")
    expect(table.locator(f"#row-{PIRATE}")).to_contain_text("Prone")
    pk = int(re.findall(r"\d+", address)[-1])
    assert has_condition(combatant(pk, PIRATE), "prone")


def test_a_dozen_usual_conditions_are_in_sight(table: Page, address: str) -> None:
    table.goto(address + WINDOW)
    picks = table.locator("#row-picks")
    foot = picks.evaluate("list => list.getBoundingClientRect().bottom")
    tiles = picks.locator(":scope > li").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().bottom)"
    )
    assert sum(bottom <= foot for bottom in tiles) >= 12
    assert picks.inner_text().split()[:2] == ["Prone", "Stunned"]


@every_slug
def test_usual_conditions_come_first_and_fit(slug: str) -> None:
    """A dozen of a person's, in games with more that the GM sets."""
    conditions = find_system(slug).characters.conditions.values()
    for nature in ("person", "machine"):
        usual = [one for one in conditions if nature in one.usual]
        assert all(one.for_gm and one.only in ("", nature) for one in usual)
        assert nature == "machine" or len(usual) == 12 or sum(one.for_gm for one in conditions) <= 12
