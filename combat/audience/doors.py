"""The door of a fight: while its GM prepares it, players know its name, its day and its party alone.

A new fight is closed. The GM opens it, a link for players or spectators does, and its start does.
"""

from __future__ import annotations

from datetime import timedelta
from functools import partial

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from combat.live import hub
from combat.models import Encounter, Seat, ShareLink

from .changes import FOR_ALL, count_change, find_open_seats
from .viewer import Viewer

LEADS_ON = timedelta(minutes=2)  # after it opens, pages of the fight before go on to it
OPEN_PHASES = ("prep", "fight")


def is_closed(encounter: Encounter, viewer: Viewer) -> bool:
    """Whether an encounter is closed to a viewer."""
    return encounter.closed and not viewer.is_gm


def open_door(encounter: Encounter) -> bool:
    """Open a closed encounter, in its lock; whether it was closed. Who writes it saves `closed` and `opened`.

    Pages of its players that still show another fight of the campaign look again.
    """
    if not encounter.closed:
        return False
    encounter.closed, encounter.opened = False, timezone.now()
    count_change(encounter, FOR_ALL)
    for seat in find_open_seats().filter(encounter=encounter, kind=ShareLink.PLAY):
        _tell_elsewhere(seat)
    return True


def shut_door(encounter: Encounter) -> None:
    """Close an encounter, in its lock; pages of players look again."""
    count_change(encounter, FOR_ALL)
    encounter.closed, encounter.opened = True, None


def _tell_elsewhere(seat: Seat) -> None:
    """Let the pages of someone's seats at the earlier fights of a campaign look again."""
    campaign = seat.encounter.campaign_id
    if campaign is None:
        return
    theirs = find_open_seats().filter(_is_same_holder(seat), encounter__campaign=campaign)
    for other in theirs.exclude(encounter=seat.encounter_id).select_related("encounter"):
        Seat.objects.filter(pk=other.pk).update(heard=F("heard") + 1)
        other.heard += 1
        own = {other.pk: other.own_stamp}
        transaction.on_commit(partial(hub.publish, other.encounter_id, {}, own), robust=True)


def find_next(seat: Seat, encounter: Encounter) -> Encounter | None:
    """The newest later fight of the campaign where who holds a seat has one, while it is not over."""
    if encounter.campaign_id is None:
        return None
    seats = find_open_seats().filter(_is_same_holder(seat), kind=ShareLink.PLAY)
    later = seats.filter(
        encounter__campaign=encounter.campaign_id,
        encounter__pk__gt=encounter.pk,
        encounter__phase__in=OPEN_PHASES,
        encounter__archived=False,
    )
    found = later.select_related("encounter").defer("encounter__start", "encounter__state")
    newest = found.order_by("-encounter").first()
    return newest.encounter if newest else None


def has_just_opened(encounter: Encounter) -> bool:
    """Whether an encounter opened a moment ago."""
    return bool(encounter.opened and timezone.now() - encounter.opened < LEADS_ON)


def _is_same_holder(seat: Seat) -> Q:
    return Q(digest=seat.digest) | (Q(user=seat.user_id) if seat.user_id else Q())
