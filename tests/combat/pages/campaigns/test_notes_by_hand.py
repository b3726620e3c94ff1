"""Notes in a real browser: written at the table, from a row and in their list, on a laptop and a phone."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Note
from tests.browser import find_barriers, find_overflow, skip_hints
from tests.combat.server import wait_for
from tests.combat.visit import PIRATE, SLUG, ZARA, demo_fight

pytestmark = pytest.mark.slow


def test_gm_writes_notes_without_leaving_the_table(
    live_server: LiveServer, visitor: Page, gm: User, complaints: list[str]
) -> None:
    fight = demo_fight(gm, SLUG)
    skip_hints(visitor.context)
    visitor.goto(f"{live_server.url}/encounters/{fight.pk}/")
    visitor.locator(f"#menu-{PIRATE} > summary").click()
    visitor.locator(f"#menu-{PIRATE}").get_by_text("Note…").click()
    editor = visitor.locator("#reinforce")
    editor.locator("textarea").fill("Works for **Rook**")
    editor.get_by_role("button", name="Save note").click()
    expect(editor.locator("strong")).to_have_text("Rook")
    editor.get_by_text("Close").click()
    expect(editor.locator(".note")).to_have_count(0)
    visitor.reload()
    expect(visitor.locator(f"#row-{PIRATE} .row-noted")).to_be_visible()
    expect(visitor.locator("#notes-fold")).to_be_hidden()  # the log is one line below the map
    visitor.locator("[data-drawer=log]").click()
    visitor.locator("#notes-fold > summary").click()
    listed = visitor.locator("#table-notes")
    expect(listed.locator(f"[data-note='{PIRATE}']")).to_contain_text("Works for Rook")
    listed.locator("[data-note='scene']").get_by_text("Write").click()
    listed.locator("textarea").fill("The vent is open")
    listed.locator(".cluster > a").filter(has_text="Zara").click()
    expect(listed.locator(f"[data-note='{ZARA}'] textarea")).to_be_visible()
    expect(listed.locator("[data-note='scene'] textarea")).to_have_value("The vent is open")
    assert (find_barriers(visitor, "#table-notes"), find_overflow(visitor)) == ([], [])
    listed.locator("[data-note='scene']").get_by_role("button", name="Save note").click()
    expect(listed.locator("[data-note='scene'] .note-text")).to_have_text("The vent is open")
    assert set(Note.objects.values_list("about", flat=True)) == {PIRATE, "scene"}
    assert complaints == []


def test_text_is_saved_while_it_is_written(
    live_server: LiveServer, visitor: Page, gm: User, complaints: list[str]
) -> None:
    """Without a press, and over nothing that another window has written meanwhile."""
    fight = demo_fight(gm, SLUG)
    here = f"{live_server.url}/encounters/{fight.pk}/notes/?about=scene"
    visitor.goto(here)
    late = visitor.context.new_page()
    late.goto(here)
    text, said = visitor.locator("textarea"), visitor.locator("[data-said]")
    text.press_sequentially("The vent")
    expect(said).to_have_text("Saved.")
    text.press_sequentially(" is open")
    expect(said).to_have_text("Saved.")
    expect(text).to_have_value("The vent is open")
    expect(text).to_be_focused()

    late.locator("textarea").press_sequentially("It is shut")
    expect(late.locator(".note-other")).to_contain_text("The vent is open")
    expect(late.locator("textarea")).to_have_value("It is shut")
    assert find_barriers(late, ".note") == []
    late.locator("textarea").press_sequentially(", I say")
    late.get_by_role("button", name="Save note").click()
    expect(late.locator("[data-note=scene] .note-text")).to_have_text("It is shut, I say")

    visitor.route("**/notes/", lambda route: route.abort())
    text.press_sequentially("!")
    expect(said).to_contain_text("Not saved. Your text stays here")
    expect(text).to_have_value("The vent is open!")
    assert Note.objects.get(about="scene").text == "It is shut, I say"
    assert [one for one in complaints if "409" not in one and "ERR_FAILED" not in one] == []


def test_writer_who_leaves_at_once_loses_nothing(live_server: LiveServer, visitor: Page, gm: User) -> None:
    fight = demo_fight(gm, SLUG)
    visitor.goto(f"{live_server.url}/encounters/{fight.pk}/notes/?about=scene")
    visitor.locator("textarea").fill("The vent is open")
    visitor.goto(f"{live_server.url}/help/")
    wait_for(lambda: Note.objects.filter(about="scene", text="The vent is open").exists())


def test_list_of_notes_fits_a_phone(live_server: LiveServer, visitor: Page, gm: User) -> None:
    fight = demo_fight(gm, SLUG)
    Note.objects.create(
        encounter=fight, about="scene", text="| a | b |\n|-|-|\n| 1 | 2 |\n\n" + "long" * 40, revision=1
    )
    visitor.set_viewport_size({"width": 390, "height": 844})
    visitor.goto(f"{live_server.url}/encounters/{fight.pk}/notes/?about={PIRATE}")
    expect(visitor.locator(f"#notes-{PIRATE} textarea")).to_be_visible()
    assert (find_barriers(visitor), find_overflow(visitor)) == ([], [])
