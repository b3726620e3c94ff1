"""New dice for a restored table: others may know its old secrets."""

from __future__ import annotations

from contextlib import suppress

import msgspec

from combat.models import Encounter
from combat.rules.core.state.history import RESTORE

from .encounter_service import cancel, renew_dice
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


def _renew(pk: int) -> None:
    with locked(pk) as encounter:
        if encounter.open_command:
            cancel(pk)
            encounter.refresh_from_db()
        renew_dice(encounter, RESTORE)
