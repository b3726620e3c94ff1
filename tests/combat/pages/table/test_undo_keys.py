"""Ctrl Z and Ctrl Shift Z, for those who have the buttons."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from tests.browser import is_press
from tests.combat.cast import Cast
from tests.combat.visit import read, state_of


def test_keys_undo_and_redo_at_the_table_but_not_in_a_field(table: Page) -> None:
    turn, field = table.locator("#h-turn"), table.locator("#filter")
    table.locator("button[value=next_turn]:visible").first.click()
    expect(turn).to_have_text("Pirate")
    field.click()
    table.keyboard.type("trip")
    table.keyboard.press("Control+z")
    expect(field).not_to_have_value("trip")
    expect(turn).to_have_text("Pirate")
    field.blur()
    table.keyboard.press("Control+z")
    expect(turn).to_have_text("Zara")
    table.keyboard.press("Control+Shift+z")
    expect(turn).to_have_text("Pirate")


def test_keys_undo_in_the_map_editor(visitor: Page, live_server: LiveServer, started: Encounter) -> None:
    before = state_of(started.pk).scene
    submit(started.pk, Submission("set_map", {"map": {}}, by="gm"))
    visitor.goto(f"{live_server.url}/encounters/{started.pk}/scene/")
    with visitor.expect_response(is_press):
        visitor.keyboard.press("Meta+z")
    assert state_of(started.pk).scene == before


@pytest.mark.slow
def test_only_the_gm_has_the_buttons_that_these_keys_press(cast: Cast, started: Encounter) -> None:
    buttons = {
        role: len(read(cast[role].get(f"/encounters/{started.pk}/")).all("button", value="undo"))
        for role in ("gm", "co_gm", "player", "watcher")
    }
    assert buttons == {"gm": 1, "co_gm": 1, "player": 0, "watcher": 0}
