"""The same questions to all books, side by side."""

from __future__ import annotations

import pytest
from django.test import Client
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from combat.pages.book.shapes import QUESTIONS, compare_games
from combat.rules import SYSTEMS, find_system
from tests.browser import find_barriers, find_overflow
from tests.combat.visit import SLUG, read

ANSWERING = [slug for slug in SYSTEMS if find_system(slug).rulebook.book.answers]


def test_every_game_answers_side_by_side_in_its_books_words(client: Client, db: None) -> None:
    page = read(client.get("/rules/side-by-side/"))
    assert [(h["id"], h.text) for h in page.all("h2") if h["id"] in QUESTIONS] == [*QUESTIONS.items()]
    for key in QUESTIONS:
        for slug in ANSWERING:
            card = page.one("article", aria_labelledby=f"{key}-{slug}")
            book = find_system(slug).rulebook
            ids = book.book.answers.get(key, ())
            assert [link["href"] for link in page.all("a", inside=card)] == [
                f"/rules/{slug}/{one}/" for one in ids
            ]
            assert ("This book has no rule for it." in card.text) == (not ids)


def test_answers_fit_the_pages_questions_and_the_main_ones_exist() -> None:
    for slug in ANSWERING:
        answers = find_system(slug).rulebook.book.answers
        assert {*answers} <= {*QUESTIONS}, slug
        assert {"order", "attack", "damage", "out"} <= {*answers}, slug
        assert all(answers.values()), slug


def test_attack_is_shown_as_on_the_cover_and_others_by_example() -> None:
    questions = {key: answers for key, _, answers in compare_games()}
    for answer in questions["attack"]:
        assert answer.card, answer.system.slug
        assert answer.card.steps[-1].checks, answer.system.slug
    cover = next(one for one in questions["cover"] if one.system.slug == SLUG)
    assert cover.card
    assert cover.card.steps[-1].checks


def test_list_of_books_leads_to_them_side_by_side(client: Client, db: None) -> None:
    link = read(client.get("/rules/")).one("a", href="/rules/side-by-side/")
    assert "The games side by side" in link.text


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("path", ["/rules/side-by-side/", "/help/gm/", f"/rules/{SLUG}/tactical-movement/"])
def test_comparison_marked_rows_and_figure_have_no_barriers(
    live_server: LiveServer, page: Page, transactional_db: None, path: str, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{live_server.url}{path}")
    assert find_barriers(page) == []
    assert find_overflow(page) == []
