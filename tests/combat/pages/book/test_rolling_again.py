"""Examples of the rulebook that anyone rolls again."""

from __future__ import annotations

import pytest
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.pages.book.examples import Card, find_cards
from combat.rules import find_system
from combat.rules.core.book.examples import load_examples
from tests.browser import find_barriers
from tests.combat.rules.games import every_slug
from tests.combat.visit import SLUG, Visit, read

AGAIN = f"/rules/{SLUG}/COS-ATK-01/again/1/"


def find_all(slug: str, rule: str) -> tuple[Card, ...]:
    cards = find_cards(slug, rule)
    return cards.first + cards.more


def test_example_that_rolls_leads_to_new_dice(client: Client, db: None) -> None:
    """A script gets the card and what is announced; without one it is a page with the rule."""
    chapter = read(client.get(f"/rules/{SLUG}/making-attacks/"))
    form = chapter.one("form", action=AGAIN)
    assert form["hx-get"] == AGAIN
    answer = client.get(AGAIN, headers={"HX-Request": "true"})
    assert answer["Cache-Control"] == "no-store"
    card = read(answer)
    assert len(card.all("svg", class_="face")) == 2
    assert card.one("form")["action"] == AGAIN
    said = card.one("div", id="live").text
    assert said.startswith("Ada attacks Bo (")
    page = read(client.get(AGAIN))
    assert page.one("h1").text == "Rolled again"
    assert page.one("form", action=AGAIN)
    assert find_system(SLUG).rulebook.rules["COS-ATK-01"].text[:20] in page.one("main").text


def test_example_that_does_not_roll_is_not_there(client: Client, db: None) -> None:
    silent = next(
        (rule, card)
        for rule in sorted(load_examples(find_system(SLUG).folder).rules)
        for card in find_all(SLUG, rule)
        if not card.number
    )
    count = len(find_all(SLUG, silent[0]))
    for rule, number in ((silent[0], 0), (silent[0], count + 1), ("COS-NONE-01", 1), ("making-attacks", 1)):
        assert client.get(f"/rules/{SLUG}/{rule}/again/{number}/").status_code == 404, rule
    assert client.get("/rules/chess/COS-ATK-01/again/1/").status_code == 404
    assert client.post(AGAIN).status_code == 405


@every_slug
def test_rule_with_an_example_that_rolls_draws_a_card_again(client: Client, slug: str, db: None) -> None:
    rules = sorted(load_examples(find_system(slug).folder).rules)
    rolling = [(rule, card.number) for rule in rules for card in find_all(slug, rule) if card.number]
    for rule, number in rolling[:3]:
        answer = client.get(f"/rules/{slug}/{rule}/again/{number}/", headers={"HX-Request": "true"})
        assert answer.status_code == 200, rule
        assert read(answer).all("div", class_="example"), rule


@pytest.mark.slow
def test_example_is_rolled_again_by_keys(live_server: LiveServer, page: Page, transactional_db: None) -> None:
    page.goto(f"{live_server.url}/rules/{SLUG}/making-attacks/#COS-ATK-01")
    button = page.locator("#again-COS-ATK-01-1")
    card = page.locator("#COS-ATK-01 > .examples > .example")
    for _ in range(2):
        page.evaluate("document.getElementById('live').textContent = ''")
        button.press("Enter")
        expect(page.locator("#live")).to_contain_text("Ada attacks Bo (")
        expect(card).to_contain_text("New dice, the same rules.")
        expect(button, "the focus stays").to_be_focused()
    assert find_barriers(page, within="#COS-ATK-01") == []


@pytest.mark.slow
def test_example_is_rolled_again_beside_the_table(
    visitor: Page, live_server: LiveServer, visit: Visit
) -> None:
    page = visitor
    page.goto(f"{live_server.url}{visit.here}")
    page.keyboard.press("b")
    panel = page.locator("#rules-panel")
    panel.get_by_role("link", name="Making Attacks").click()
    button = panel.locator("#again-COS-ATK-01-1")
    button.press("Enter")
    expect(panel.locator("#COS-ATK-01 > .examples > .example")).to_contain_text("New dice, the same rules.")
    expect(page.locator("#live")).to_contain_text("Ada attacks Bo (")
    expect(panel.locator("#COS-ATK-02"), "the chapter stays").to_be_visible()
    expect(button).to_be_focused()
