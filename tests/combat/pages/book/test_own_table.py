"""House rules of the reader's own table beside the rules that they change."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page as Browser
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, create_encounter, submit
from combat.rules import SYSTEMS, find_system
from tests.combat.cast import ROLES, Cast
from tests.combat.visit import SLUG, Visit, read

BOOK = f"/rules/{SLUG}/"
CHAPTER = f"{BOOK}making-attacks/"
OPTION = next(one for one in find_system(SLUG).book.options if one.ruling == "R1")
OWN = next(one for one in OPTION.choices if one != OPTION.default)
SAID = f"{OPTION.label}: {OPTION.describe(OWN)}"


@pytest.fixture
def changed(started: Encounter) -> Encounter:
    """The demo fight, which rounds half a skill otherwise than the book."""
    submit(started.pk, Submission("set_option", {"key": OPTION.key, "value": OWN}))
    return started


def find_notes(client: Client, address: str = CHAPTER) -> list[str]:
    page = read(client.get(address))
    return [note.text for note in page.all("aside", class_="book-own")]


def test_newest_encounters_house_rules_stand_on_their_rules_page(
    client: Client, gm_client: Client, changed: Encounter
) -> None:
    page = read(gm_client.get(CHAPTER))
    note = page.one("aside", class_="book-own")
    assert SAID in note.text
    assert [link["href"] for link in page.all("a", inside=note)] == [
        "#COS-ATK-01",
        f"/encounters/{changed.pk}/prep/",
    ]
    assert find_notes(gm_client, f"{BOOK}rulings/")
    assert not find_notes(gm_client, f"{BOOK}critical-hits/")
    assert not find_notes(client)


def test_table_that_one_comes_from_goes_before_the_newest(
    gm: User, gm_client: Client, changed: Encounter
) -> None:
    newer = create_encounter(gm, SLUG, "Engine room")
    assert not find_notes(gm_client), "the newest plays by the book"
    links = read(gm_client.get(f"/encounters/{changed.pk}/")).all("a")
    rules = [link for link in links if "data-rules" in link.attrs]
    assert gm_client.get(rules[0]["href"]).status_code == 200
    assert SAID in find_notes(gm_client)[0], "it is remembered"
    gm_client.get(BOOK, {"at": newer.pk})
    assert not find_notes(gm_client), "until one comes from another"
    gm_client.get(BOOK, {"at": changed.pk})
    changed.delete()
    assert not find_notes(gm_client), "then the newest counts again"


def test_only_those_at_a_table_read_its_house_rules(cast: Cast, changed: Encounter) -> None:
    """What others ask for tells nothing, nor whether it is there, and is not remembered."""
    told = {}
    for role in ROLES:
        there = cast[role].get(CHAPTER, {"at": changed.pk})
        assert there.status_code == 200, role
        told[role] = bool(read(there).all("aside", class_="book-own"))
        if role not in ("gm", "co_gm", "player", "other", "watcher"):
            none = cast[role].get(CHAPTER, {"at": changed.pk + 1000})
            assert read(there).one("main").text == read(none).one("main").text, role
            assert "rules_at" not in cast[role].session, role
            assert changed.name not in there.content.decode(), role
    assert [role for role, known in told.items() if known] == ["gm", "co_gm", "player", "other", "watcher"]
    page = read(cast.player.get(CHAPTER))
    note = page.one("aside", class_="book-own")
    assert page.all("a", inside=note)[-1]["href"] == f"/encounters/{changed.pk}/"


def test_table_tells_nothing_in_the_book_of_another_game(gm_client: Client, changed: Encounter) -> None:
    other = next(slug for slug in SYSTEMS if slug != SLUG)
    gm_client.get(f"/rules/{other}/", {"at": changed.pk})
    assert "rules_at" not in gm_client.session


@pytest.mark.parametrize("at", ["", "x", "-1", "0", "9" * 40, "٣", "1 OR 1=1"])
def test_strange_number_of_a_table_is_not_read(gm_client: Client, at: str, db: None) -> None:
    assert gm_client.get(CHAPTER, {"at": at}).status_code == 200
    assert "rules_at" not in gm_client.session


@pytest.mark.slow
def test_panel_beside_the_table_remembers_it(
    visitor: Browser, live_server: LiveServer, visit: Visit, gm: User
) -> None:
    submit(visit.pk, Submission("set_option", {"key": OPTION.key, "value": OWN}))
    create_encounter(gm, SLUG, "Engine room")
    visitor.goto(f"{live_server.url}{visit.here}")
    visitor.keyboard.press("b")
    expect(visitor.locator("#rules-found").get_by_role("heading", name="Contents")).to_be_visible()
    visitor.goto(f"{live_server.url}{CHAPTER}")
    expect(visitor.locator(".book-own")).to_contain_text(SAID)
