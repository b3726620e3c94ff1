"""A restored or updated table: new dice, as others may know its old secrets, and who plays whom."""

from __future__ import annotations

from contextlib import suppress

import msgspec

from combat.audience.changes import find_open_seats
from combat.models import Encounter, ShareLink
from combat.rules.core.state.history import RESTORE

from .encounter_service import cancel, renew_dice, settle_players
from .locking import locked

UNREADABLE = (msgspec.MsgspecError, LookupError, ValueError)  # raised when a damaged state is read


def renew_all_dice() -> None:
    """Drop the secrets of all encounters; logs that are not archived get new seals at once.

    Cancels waiting actions: their dice came from the old secret. An archived encounter, or one whose state
    cannot be read, gets its new seal before its next action.
    """
    begun = Encounter.objects.filter(steps__gt=0)
    begun.update(dice_secret="")
    for pk in begun.filter(archived=False).values_list("pk", flat=True).order_by("pk"):
        with suppress(*UNREADABLE):
            _renew(pk)


def settle_all_players() -> None:
    """Note in all fights whom people play from seats: the first releases did not, and kept only the seats."""
    seats = find_open_seats().filter(kind=ShareLink.PLAY).exclude(combatants=[])
    for pk in seats.values_list("encounter", flat=True).distinct().order_by("encounter"):
        with suppress(*UNREADABLE), locked(pk) as encounter:
            settle_players(encounter)


def _renew(pk: int) -> None:
    with locked(pk) as encounter:
        if encounter.open_command:
            cancel(pk)
            encounter.refresh_from_db()
        renew_dice(encounter, RESTORE)
        settle_players(encounter)
