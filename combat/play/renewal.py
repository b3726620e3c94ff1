"""New dice for a table that was restored: what its secrets were may be known elsewhere."""

from __future__ import annotations

from contextlib import suppress

import msgspec

from combat.models import Encounter
from combat.rules.core.state.history import RESTORE

from .encounter_service import cancel, renew_dice
from .locking import locked

UNREADABLE = (msgspec.MsgspecError, LookupError, ValueError)  # what a damaged state raises when it is read


def renew_all_dice() -> None:
    """Forget the secrets of all encounters; the logs of those that are not archived tell new seals at once.

    An action that waited is cancelled: its dice were of the old secret. An archived encounter, or one whose
    state cannot be read, tells its new seal before its next action.
    """
    begun = Encounter.objects.filter(steps__gt=0)
    begun.update(dice_secret="")
    for pk in begun.filter(archived=False).values_list("pk", flat=True).order_by("pk"):
        with suppress(*UNREADABLE):
            _renew(pk)


def _renew(pk: int) -> None:
    with locked(pk) as (encounter, waiting):
        if waiting:
            cancel(pk)
            encounter.refresh_from_db()
        renew_dice(encounter, RESTORE)
