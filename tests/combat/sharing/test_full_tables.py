"""A full table: a browser has one seat, and unused seats lock no one out."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from characters.services.character_service import create
from combat.audience.changes import find_open_seats
from combat.models import Encounter, GuestSheet, ShareLink
from combat.rules import find_system
from combat.sharing import links
from tests.combat.cast import PASSWORD, Cast, enter, invite, seat_named
from tests.combat.visit import load, read
from tests.typed import Answer

FULL = "This table is full: ask the GM to remove a seat."


def later(minutes: int = 4) -> datetime:
    """A time at which idle people no longer count as present."""
    return timezone.now() + timedelta(minutes=minutes)


def names() -> set[str]:
    """The names of the seats that count."""
    return {seat.name for seat in find_open_seats()}


def fill(monkeypatch: pytest.MonkeyPatch, more: int = 0) -> None:
    """Set the limit of seats to their present number and some more."""
    monkeypatch.setattr(links, "MAX_SEATS", find_open_seats().count() + more)


def said(answer: Answer) -> str:
    assert answer.status_code == 409
    return answer.content.decode()


def test_guest_away_longest_makes_room(started: Encounter, monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser without cookies is a new guest each time, and cannot fill the table for good."""
    address, second = invite(started), Client()
    enter(Client(), address, "First")
    with time_machine.travel(later(1), tick=False):
        enter(second, address, "Second")
        fill(monkeypatch)
        assert FULL in said(enter(Client(), address, "Third"))
    with time_machine.travel(later(10), tick=False):
        assert enter(Client(), address, "Third").status_code == 302
        assert names() == {"Second", "Third"}
        assert enter(second, address, "Second").status_code == 302, "they still have their seat"
        assert names() == {"Second", "Third"}


def test_link_brings_back_who_made_room(started: Encounter, monkeypatch: pytest.MonkeyPatch) -> None:
    address, first = invite(started), Client()
    enter(first, address, "First")
    fill(monkeypatch)
    with time_machine.travel(later(), tick=False):
        enter(Client(), address, "Second")
        assert names() == {"Second"}
        assert "Open its link again" in first.get(f"/encounters/{started.pk}/").content.decode()
        fill(monkeypatch, 1)
        assert enter(first, address, "First").status_code == 302


def test_who_is_here_makes_no_room(started: Encounter, monkeypatch: pytest.MonkeyPatch) -> None:
    address, ada = invite(started), Client()
    enter(ada, address, "Ada")
    fill(monkeypatch)
    with time_machine.travel(later(), tick=False):
        ada.get(f"/encounters/{started.pk}/")
        assert FULL in said(enter(Client(), address, "Late"))
        assert names() == {"Ada"}


def test_seat_with_combatant_sheet_account_or_table_stays(
    cast: Cast, started: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, signed_in = invite(started), Client()
    signed_in.force_login(User.objects.create_user("nia", password=PASSWORD))
    enter(signed_in, address)
    enter(Client(), address, "Maker")
    block = next(iter(find_system(started.system).book.find_blocks().values()))
    made = create(started.owner, started.system, "Own", block.sheet)
    GuestSheet.objects.create(seat=seat_named("Maker"), character=made)
    links.end_seat(seat_named("Wim"))
    fill(monkeypatch)
    with time_machine.travel(later(), tick=False):
        assert FULL in said(enter(Client(), address, "Late"))
        assert names() == {"Cleo", "Pia", "Otto", "nia", "Maker"}


def test_seats_whose_link_is_over_take_no_place(started: Encounter, monkeypatch: pytest.MonkeyPatch) -> None:
    enter(Client(), invite(started, hours=1), "Ada")
    fill(monkeypatch)
    with time_machine.travel(later(90), tick=False):
        assert enter(Client(), invite(load(started.pk)), "Late").status_code == 302


def test_spectators_take_no_place_of_players(started: Encounter, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table full of spectators admits players, and no more spectators."""
    monkeypatch.setattr(links, "MAX_SEATS", 1)
    monkeypatch.setattr(links, "MAX_SPECTATORS", 2)
    watch, play = invite(started, ShareLink.WATCH), invite(started)
    for name in ("Wim", "Wanda"):
        assert enter(Client(), watch, name).status_code == 302
    full = "All places for spectators are taken: ask the GM to remove a seat."
    assert full in said(enter(Client(), watch, "Walt"))
    assert enter(Client(), play, "Pia").status_code == 302
    assert FULL in said(enter(Client(), play, "Otto"))
    assert names() == {"Wim", "Wanda", "Pia"}


def test_guests_of_one_name_are_told_apart(started: Encounter) -> None:
    address = invite(started)
    told = []
    for name in ("Ada", "Ada", "ADA", "Bo"):
        guest = Client()
        assert enter(guest, address, name).status_code == 302
        page = read(guest.get(f"/encounters/{started.pk}/"))
        told.append([one.text for one in page.all("p", class_="alert") if "already" in one.text])
    assert names() == {"Ada", "Ada 2", "ADA 3", "Bo"}
    ways = "To change that, leave and join under another name."
    assert told == [
        [],
        [f"There is an Ada already: you are Ada 2. {ways}"],
        [f"There is an ADA already: you are ADA 3. {ways}"],
        [],
    ]
