"""What every page asks by fixed SQL: the same as by querysets, and never older than the database."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from characters.models import Character
from combat.audience.fetching import (
    LARGEST,
    find_encounter,
    find_guest_sheets,
    find_held_seat,
    find_open_seat,
    find_owner_name,
    find_players,
    note_seen,
)
from combat.audience.rights import find_open_seats
from combat.models import Encounter, GuestSheet, Seat, ShareLink
from combat.sharing.access import find_digest, find_seat
from combat.sharing.links import Arrival, make_link, take_seat
from tests.combat.visit import PIRATE, PISTOL, ZARA, Visit, load

pytestmark = pytest.mark.django_db
NOBODY = AnonymousUser()
ENDS: dict[str, Any] = {
    "a revoked link": lambda seat, now: ShareLink.objects.filter(pk=seat.link_id).update(revoked=now),
    "an expired link": lambda seat, now: ShareLink.objects.filter(pk=seat.link_id).update(expires=now),
    "a seat given up": lambda seat, now: Seat.objects.filter(pk=seat.pk).update(ended=now),
    "a seat moved away": lambda seat, now: Seat.objects.filter(pk=seat.pk).update(digest="another"),
    "a deleted seat": lambda seat, now: Seat.objects.filter(pk=seat.pk).delete(),
}


def sit(visit: Visit, kind: str = ShareLink.PLAY) -> tuple[Seat, str]:
    """Someone at the table, with the secret of their seat."""
    link, _ = make_link(load(visit.pk), kind, "A link")
    return take_seat(link, Arrival(f"Guest {link.pk}"), None)


def find_seats_twice(visit: Visit, user: Any, secret: str = "") -> list[Seat | None]:
    """The seat that a visitor holds: asked alone, and with the encounter, as pages ask."""
    found = find_encounter(visit.pk, find_digest(secret) if secret else None, user.pk)
    assert found is not None
    return [find_seat(visit.pk, user, {str(visit.pk): secret} if secret else {}), found[1]]


def test_faces_of_players_are_known_at_the_next_request(visit: Visit) -> None:
    def has_faces() -> bool | None:
        found = find_encounter(visit.pk, None, None)
        return found and found[0].has_faces

    seat, _ = sit(visit)
    assert has_faces() is False
    Seat.objects.filter(pk=seat.pk).update(face="raider")
    assert has_faces() is True
    Seat.objects.filter(pk=seat.pk).update(ended=timezone.now())
    assert has_faces() is False
    assert load(visit.pk).has_faces is None, "nobody asked"


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS.keys())
def test_what_ends_a_seat_counts_at_the_next_request(visit: Visit, end: Any) -> None:
    seat, secret = sit(visit)
    assert find_seats_twice(visit, NOBODY, secret) == [seat, seat]
    end(seat, timezone.now())
    assert find_seats_twice(visit, NOBODY, secret) == [None, None]


def test_open_seats_are_those_of_the_queryset(visit: Visit) -> None:
    sat = [sit(visit, kind)[0] for kind in (ShareLink.WATCH, ShareLink.PLAY, ShareLink.PLAY) for _ in ENDS]
    for seat, end in zip(sat, (*ENDS.values(), *ENDS.values()), strict=False):
        end(seat, timezone.now())
    ShareLink.objects.filter(seats=sat[-1]).update(expires=timezone.now() + timedelta(seconds=9))
    Seat.objects.filter(pk=sat[-2].pk).update(link=None)
    still = set(find_open_seats())
    assert 1 < len(still) < len(sat)
    assert {find_open_seat(visit.pk, seat.pk) for seat in sat} - {None} == still
    assert set(find_players(visit.pk)) == {seat for seat in still if seat.kind == ShareLink.PLAY}
    assert {find_open_seat(visit.pk + 1, seat.pk) for seat in sat} == {None}, "of another table"


def test_a_secret_or_an_account_holds_a_seat_and_nothing_else_does(visit: Visit) -> None:
    other, (first, _) = User.objects.create(username="other"), sit(visit)
    Seat.objects.filter(pk=first.pk).update(user=other)
    last, secret = sit(visit)
    assert find_seats_twice(visit, other) == [first, first]
    assert find_seats_twice(visit, NOBODY, secret) == [last, last]
    assert find_seats_twice(visit, other, secret) == [last, last], "the newest"
    assert find_held_seat(visit.pk, None, None) is None
    assert find_seats_twice(visit, NOBODY) == [None, None]


def test_a_seat_found_with_its_encounter_has_all_its_fields(visit: Visit) -> None:
    seat, secret = sit(visit)
    Seat.objects.filter(pk=seat.pk).update(combatants=[ZARA, PIRATE], face="a face", ready=True)
    alone, held = find_seats_twice(visit, NOBODY, secret)
    known = Seat.objects.get(pk=seat.pk)
    names = [field.attname for field in Seat._meta.concrete_fields]
    assert all(getattr(alone, name) == getattr(held, name) == getattr(known, name) for name in names)
    assert held is not None
    assert held.get_deferred_fields() == set()


def test_only_the_seat_in_use_is_noted(visit: Visit) -> None:
    (one, _), (other, _) = sit(visit), sit(visit)
    long_ago = timezone.now() - timedelta(hours=1)
    Seat.objects.update(seen=long_ago)
    note_seen(one.pk)
    assert timezone.now() - Seat.objects.get(pk=one.pk).seen < timedelta(minutes=1)
    assert Seat.objects.get(pk=other.pk).seen == long_ago


def test_an_encounter_comes_with_its_open_command_and_without_its_start(visit: Visit) -> None:
    assert find_encounter(LARGEST + 1, None, None) is None
    first = find_encounter(visit.pk, None, None)
    visit.do("attack", combatant=ZARA, target=PIRATE, weapon=PISTOL, dice="table")
    second = find_encounter(visit.pk, None, None)
    assert first is not None
    assert second is not None
    (free, _), (waiting, _) = first, second
    with CaptureQueriesContext(connection) as asked:
        assert not hasattr(free, "open_command")
        assert waiting.open_command.name == "attack"
    assert not asked.captured_queries
    assert free.get_deferred_fields() == waiting.get_deferred_fields() == {"start"}
    known = Encounter.objects.get(pk=visit.pk)
    names = {field.attname for field in Encounter._meta.concrete_fields} - {"start"}
    assert {name: getattr(waiting, name) for name in names} == {name: getattr(known, name) for name in names}


def test_owner_and_sheets_of_guests_are_those_of_the_models(visit: Visit) -> None:
    (one, _), (other, _), (bare, _) = (sit(visit) for _ in range(3))
    for seat in (one, one, other):
        GuestSheet.objects.create(seat=seat, character=Character.objects.create(system="cosmos", sheet={}))
    mine = frozenset(GuestSheet.objects.filter(seat=one).values_list("character", flat=True))
    assert len(mine) == 2
    assert find_guest_sheets([one.pk]) == mine
    assert len(find_guest_sheets([one.pk, other.pk])) == 3
    assert find_guest_sheets([bare.pk]) == frozenset()
    assert find_owner_name(visit.pk) == load(visit.pk).owner.get_username()
    assert find_owner_name(LARGEST) == ""
