"""What other programs wrote, in a real browser: from the file to the page where a fight is prepared."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from characters.models import Character
from combat.play.writing.encounter_service import create_encounter
from combat.rules.core.state.state import present
from tests.browser import check_looks, find_barriers, find_overflow, look
from tests.combat.play.notes.test_lists import ENCOUNTER
from tests.combat.rules.cepheus.characters.foreign.test_mongoose import make_actor
from tests.combat.visit import SLUG, demo_fight, state_of

pytestmark = pytest.mark.slow
IMPORT = "/characters/import/?as=npc&game=cepheus"
JANE = make_actor(type="npc")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file to choose in the browser."""
    return tmp_path / "export.json"


def send(page: Page, live_server: LiveServer, file: Path, content: str) -> None:
    """Choose a file on the page of imports, and send it."""
    file.write_text(content)
    page.goto(f"{live_server.url}{IMPORT}")
    page.get_by_label("File", exact=False).first.set_input_files(file)
    page.get_by_role("button", name="Import", exact=True).click()


def test_actor_of_a_file_is_checked_imported_and_joins(
    live_server: LiveServer, visitor: Page, gm: User, file: Path
) -> None:
    send(visitor, live_server, file, json.dumps(JANE))
    expect(visitor.get_by_role("heading", name="Check the import")).to_be_visible()
    main = visitor.locator("main")
    expect(main).to_contain_text("Nothing is stored yet")
    expect(main).to_contain_text("Slug Pistol 2")  # what is kept
    expect(main).to_contain_text("term: items of this kind have no place here")  # and what is not
    for size in ("wide", "narrow"):
        look(visitor, size, "dark")
        assert find_barriers(visitor) == [], size
        assert find_overflow(visitor) == [], size
    assert not Character.objects.exists()
    for choice in visitor.locator("main select").all():
        choice.select_option(index=1)
    visitor.get_by_role("button", name="Import 1 NPC").click()
    expect(visitor.get_by_role("heading", name="Jane", exact=True)).to_be_visible()
    fight = create_encounter(gm, "cepheus", "Docks")
    look(visitor, "wide", "dark")
    visitor.goto(f"{live_server.url}/encounters/{fight.pk}/prep/")
    visitor.get_by_label("Type or paste your notes").fill("2 Jane")
    visitor.get_by_role("button", name="Add 2").click()
    expect(visitor.locator("#roster .cast-list")).to_contain_text("Jane")
    assert [one.name for one in present(state_of(fight.pk))] == ["Jane 1", "Jane 2"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"name": "Jane", "type": "npc", "system": {', "is not JSON"),
        ("[" * 100_000, "is nested too deeply"),
        ("x" * 1_100_000, "is larger than 1 MB"),
        ('<script>alert("Jane")</script>', "has no character that can be read"),
        (json.dumps({**JANE, "_stats": {"systemId": "<script>alert(1)</script>"}}), "no game here reads"),
    ],
    ids=["broken", "deep", "large", "script", "name of a program"],
)
def test_broken_and_hostile_files_are_refused_in_a_sentence(
    live_server: LiveServer, visitor: Page, complaints: list[str], file: Path, content: str, said: str
) -> None:
    send(visitor, live_server, file, content)
    alert = visitor.locator("main [role=alert]")
    expect(alert).to_have_count(1)
    expect(alert).to_contain_text("Nothing was imported. 1 problem to fix")
    expect(alert.locator("dd")).to_contain_text(said)
    assert not Character.objects.exists()
    assert complaints == []
    assert find_overflow(visitor) == []


def test_pasted_list_of_another_program_joins_with_its_health(
    live_server: LiveServer, visitor: Page, gm: User
) -> None:
    fight = demo_fight(gm, SLUG)
    address = f"{live_server.url}/encounters/{fight.pk}/prep/"
    visitor.goto(address)
    visitor.locator("#people-fold > summary").click()
    visitor.get_by_label("Type or paste your notes").fill(json.dumps(ENCOUNTER))
    understood = visitor.locator("#understood")
    expect(understood).to_contain_text("4 of 9 HP")
    expect(understood).to_contain_text("All figures except HP stay behind")
    understood.get_by_role("button", name="Add 4").click()
    expect(visitor.locator("#roster")).to_contain_text("Old Tom")
    expect(visitor.locator("#roster")).to_contain_text("4 / 9")
    check_looks(visitor, address)


def test_chosen_file_is_added_below_the_notes(
    live_server: LiveServer, visitor: Page, gm: User, complaints: list[str]
) -> None:
    """Without another tap; a file that is no text takes nothing away."""
    fight = demo_fight(gm, SLUG)
    visitor.goto(f"{live_server.url}/encounters/{fight.pk}/prep/")
    visitor.locator("#people-fold > summary").click()
    notes, file = visitor.get_by_label("Type or paste your notes"), visitor.get_by_label("Or choose a file")
    notes.fill("2 veterans")
    file.set_input_files({"name": "old.txt", "mimeType": "text/plain", "buffer": b"\xe4"})
    expect(visitor.locator("#understood")).to_contain_text("UTF-8")
    expect(notes).to_have_value("2 veterans")
    file.set_input_files({"name": "new.txt", "mimeType": "text/plain", "buffer": b"4 pirates\n1 captain\n"})
    expect(notes).to_have_value("2 veterans\n4 pirates\n1 captain")
    expect(visitor.locator("#people-add")).to_contain_text("Add 7")
    assert complaints == []
