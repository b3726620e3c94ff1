"""Who holds a drawing pointer at a table: the GM lends one to a seat for an evening."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

from django.utils import timezone

from combat.audience.fetching import find_players
from combat.models import Seat
from combat.play.writing.locking import locked
from combat.sharing.viewer_context import ViewerContext

LENT = timedelta(hours=12)
INKS = 6  # colours of players' lines; the GM's is 0


def lend_pens(encounter: int, seats: Collection[int]) -> None:
    """Hand a pointer to each of these seats, preferring unused colours."""
    with locked(encounter):  # two GMs at once would give one colour twice
        players = list(find_players(encounter))
        taken = [ink for seat in players if (ink := find_ink_of(seat))]
        lent = [seat for seat in players if seat.pk in seats and not find_ink_of(seat)]
        for seat in lent:
            seat.pen, seat.pen_until = min(range(1, INKS + 1), key=taken.count), timezone.now() + LENT
            taken.append(seat.pen)
        Seat.objects.bulk_update(lent, ["pen", "pen_until"])


def take_pens(encounter: int, seat: int | None = None) -> None:
    """Take the pointer of a seat back, or all."""
    held = Seat.objects.filter(encounter=encounter, pen__gt=0)
    (held if seat is None else held.filter(pk=seat)).update(pen=0, pen_until=None)


def find_ink_of(seat: Seat) -> int | None:
    """The colour of the pointer that a seat holds; None without one."""
    is_held = seat.pen and seat.pen_until and timezone.now() < seat.pen_until
    return seat.pen if is_held else None


def find_ink(context: ViewerContext) -> int | None:
    """The viewer's colour for drawing; None without a pointer. The GM always has one."""
    if context.viewer.is_gm:
        return 0
    return find_ink_of(context.seat) if context.seat and context.viewer.is_seated else None
