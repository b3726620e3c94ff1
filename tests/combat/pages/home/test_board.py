"""The front page for visitors who are not signed in: a live board, two buttons, the games."""

from __future__ import annotations

import pytest
from django.test import Client

from combat.pages.home.pictures import play_steps, view_board, view_demo_board
from combat.rules import SYSTEMS, find_system
from tests.combat.rules.games import every_slug
from tests.combat.visit import read


@every_slug
def test_board_shows_a_roll_of_the_demo_that_changed_someone(slug: str) -> None:
    board, system = view_demo_board(slug), find_system(slug)
    demo = system.demo.make_first()
    assert board
    assert board.name == demo.name
    assert {change.name for change in board.result.changes} <= {one.name for one in board.combatants}
    steps = play_steps(system, (*demo.setup, *demo.script))
    moments = [found for state, step in steps if (found := view_board(system, demo, state, step))]
    critical = [found for found in moments if found.result.main.tone == "is-crit"]
    assert board == (critical[0] if critical else moments[-1])
    assert all(found.result.changes and found.result.main.verdict for found in moments)
    assert {token.id for token in board.scene.tokens} >= {combatant.id for combatant in board.combatants}


@pytest.mark.django_db
def test_front_page_is_drawn_of_the_same_parts_as_a_table() -> None:
    page, board = read(Client().get("/")), view_demo_board(next(iter(SYSTEMS)))
    assert board
    figure = page.one("figure", class_="board")
    assert [b.text for b in page.all("b", inside=page.one("ol", class_="board-order"))] == [
        combatant.name for combatant in board.combatants
    ]
    assert len(page.all("g", inside=figure, class_="token")) == len(board.scene.tokens)
    assert page.one("p", inside=figure, class_="result-word").text == board.result.main.verdict
    assert not page.all("a", inside=page.all("svg", inside=figure, class_="map")[0])
    assert page.one("button", class_="btn-large").text == "Open the demo fight"
    assert page.one("a", class_="btn-large").text == "Sign in"
    assert len(page.all("a", class_="demo")) == len(page.all("svg", class_="picture")) == len(SYSTEMS)
