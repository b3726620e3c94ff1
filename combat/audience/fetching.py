"""What every page of a table asks the database: an encounter, and the seats there.

It is asked at every request, so a deleted table, an ended seat or a revoked link is seen at once.
"""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.utils import timezone

from combat.models import Encounter, Seat, ShareLink


def find_encounter(pk: int) -> Encounter | None:
    """The encounter of this number."""
    return Encounter.objects.filter(pk=pk).first()


def find_open_seats() -> QuerySet[Seat]:
    """The seats that were not given up and whose links have neither expired nor been revoked."""
    in_time = Q(link__expires=None) | Q(link__expires__gt=timezone.now())
    return Seat.objects.filter(Q(link=None) | (Q(link__revoked=None) & in_time), ended=None)


def find_open_seat(encounter: int, pk: int) -> Seat | None:
    """The open seat of this number."""
    return find_open_seats().filter(encounter=encounter, pk=pk).first()


def find_players(encounter: int) -> QuerySet[Seat]:
    """The open seats of players, the oldest first."""
    return find_open_seats().filter(encounter=encounter, kind=ShareLink.PLAY).order_by("created")
