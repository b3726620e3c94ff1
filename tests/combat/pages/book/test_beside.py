"""The rulebook beside another page: its place of a rule, a chapter, a search, and who can open it."""

from __future__ import annotations

import pytest
from django.test import Client
from playwright.sync_api import Page as Browser
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from combat.pages.book.views import MAX_BRIEF
from combat.rules import find_system
from tests.browser import find_barriers, find_overflow, put_numbers_first
from tests.combat.cast import Cast
from tests.combat.markup import Page
from tests.combat.rules.games import every_slug
from tests.combat.visit import Visit, read

BOOK = "/rules/cosmos/"


def ask(client: Client, at: str = "", **query: str) -> Page:
    """What the panel gets, at a place of the book."""
    answer = client.get(f"{BOOK}{at}", {"brief": "1", **query}, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert b"<html" not in answer.content
    return read(answer)


def test_a_rule_is_shown_in_its_section(client: Client, db: None) -> None:
    page = ask(client, "COS-CRIT-05/")
    here = page.one("div", class_="is-here")
    assert page.one("article", inside=here)["id"] == "COS-CRIT-05"
    assert page.one("h3").text == "Critical Hits"
    assert "COS-CRIT-04" in [e["id"] for e in page.all("article")]


def test_a_ruling_is_shown_alone(client: Client, db: None) -> None:
    assert [e["id"] for e in ask(client, "R24/").all("article")] == ["R24"]


@pytest.mark.slow
@every_slug
def test_every_chapter_can_be_opened(client: Client, slug: str, db: None) -> None:
    contents = read(client.get(f"/rules/{slug}/", {"brief": "1"}, headers={"HX-Request": "true"}))
    links = [link["hx-get"] for link in contents.all("a")]
    assert links
    for link in links:
        assert client.get(link, headers={"HX-Request": "true"}).status_code == 200


def test_a_search_shows_the_first_entries_and_leads_to_the_rest(client: Client, db: None) -> None:
    few, many = ask(client, q="rapier"), ask(client, q="the")
    assert "Rapier" in few.one("figure", id="table-things-weapon").text
    assert len(many.all(class_="entry")) == MAX_BRIEF
    assert many.all("a", href=f"{BOOK}?q=the")
    assert "No rule mentions that" in ask(client, q="zzzz").one("div", class_="empty").text


def test_the_section_that_is_called_so_comes_first(client: Client, db: None) -> None:
    titles = [title.text for title in ask(client, q="stunned").all("h3") if not title["class"]]
    assert titles[0] == "Common Conditions: Stunned"
    assert "Critical Hits" in titles[1:]


def test_a_place_that_is_not_there(client: Client, db: None) -> None:
    for place in ("COS-NONE-99", "nowhere"):
        answer = client.get(f"{BOOK}{place}/", {"brief": "1"}, headers={"HX-Request": "true"})
        assert answer.status_code == 404, place


def test_without_scripts_it_is_the_page_of_the_rulebook(client: Client, db: None) -> None:
    page = read(client.get(BOOK, {"brief": "1", "q": "bleeding"}))
    assert page.one("input", id="q")["value"] == "bleeding"


def test_players_have_it_beside_the_table(cast: Cast, visit: Visit) -> None:
    page = read(cast.player.get(visit.here))
    assert page.one("aside", id="rules-panel")
    assert {link["href"] for link in page.all("a") if "data-rules" in link.attrs} == {f"{BOOK}?at={visit.pk}"}


def test_a_rule_does_not_list_what_it_lacks(client: Client, db: None) -> None:
    """Words first; a column of a table in which the game has nothing is left out."""
    page = read(client.get("/rules/guardians/whole/"))
    first, cards = page.all("article")[0], [*page.all("div", class_="examples"), *page.all("aside")]
    own = [p for p in page.all("p", inside=first) if not any(p.is_in(card) for card in cards)]
    assert [p["class"] for p in own] == ["", "entry-foot"]
    heads = [head.text for head in page.all("th", scope="col")]
    assert "Traits" not in heads
    assert find_system("guardians").book.tables()


@pytest.mark.slow
def test_a_rule_of_the_log_opens_beside_the_table(
    visitor: Browser, live_server: LiveServer, visit: Visit
) -> None:
    page = visitor
    put_numbers_first(page)
    page.goto(f"{live_server.url}{visit.here}")
    panel, link = page.locator("#rules-panel"), page.locator("#log a.rule").first
    link.click()
    expect(panel.locator(".is-here")).to_be_in_viewport()
    assert find_barriers(page) == []
    page.keyboard.press("Escape")
    expect(panel).not_to_be_visible()
    expect(link).to_be_focused()
    page.keyboard.press("b")
    expect(page.locator("#rules-q")).to_be_focused()
    page.keyboard.type("bleeding")
    expect(panel.locator("#COS-DMG-07")).to_be_visible()
    assert find_overflow(page) == []
    page.keyboard.press("Escape")
    expect(panel).not_to_be_visible()
    expect(page).to_have_url(f"{live_server.url}{visit.here}")
