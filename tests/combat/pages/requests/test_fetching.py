"""What every page asks about an encounter and its seats: never older than the database."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.utils import timezone

from combat.audience.changes import find_encounter, find_open_seat, find_open_seats, find_players
from combat.models import Encounter, Seat, ShareLink
from combat.sharing.access import find_seat
from combat.sharing.links import Arrival, make_link, take_seat
from tests.combat.visit import Visit, load

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


def find_theirs(visit: Visit, user: Any, secret: str = "") -> Seat | None:
    """The seat that a visitor holds."""
    return find_seat(visit.pk, user, {str(visit.pk): secret} if secret else {})


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS.keys())
def test_what_ends_a_seat_counts_at_the_next_request(visit: Visit, end: Any) -> None:
    seat, secret = sit(visit)
    assert find_theirs(visit, NOBODY, secret) == seat
    end(seat, timezone.now())
    assert find_theirs(visit, NOBODY, secret) is None


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


def test_only_a_secret_or_an_account_holds_a_seat(visit: Visit) -> None:
    other, (first, _) = User.objects.create(username="other"), sit(visit)
    Seat.objects.filter(pk=first.pk).update(user=other)
    last, secret = sit(visit)
    assert find_theirs(visit, other) == first
    assert find_theirs(visit, NOBODY, secret) == last
    assert find_theirs(visit, other, secret) == last, "the newest"
    assert find_theirs(visit, NOBODY) is None
    assert find_theirs(visit, User.objects.create(username="third")) is None


def test_a_number_that_no_encounter_has_finds_none(visit: Visit) -> None:
    assert find_encounter(2**63) is None
    assert find_encounter(visit.pk) == Encounter.objects.get(pk=visit.pk)
