"""Who holds a drawing pointer at a table: lent by the GM for an evening, stored only in the shared cache."""

from __future__ import annotations

from collections.abc import Collection

from django.core.cache import cache

from combat.audience.artists import find_pens, pens_key
from combat.sharing.viewer_context import ViewerContext

LENT_SECONDS = 12 * 3600
INKS = 6  # colours of players' lines; the GM's is 0
MAX_SEATS = 60  # with a pointer at the same time


def lend_pens(encounter: int, seats: Collection[int]) -> None:
    """Hand a pointer to each of these seats, preferring unused colours."""
    held = find_pens(encounter)
    for seat in seats:
        if seat not in held and len(held) < MAX_SEATS:
            taken = list(held.values())
            held[seat] = min(range(1, INKS + 1), key=taken.count)
    _keep(encounter, held)


def take_pens(encounter: int, seats: Collection[int]) -> None:
    """Take the pointers of these seats back."""
    _keep(encounter, {seat: ink for seat, ink in find_pens(encounter).items() if seat not in seats})


def find_ink(context: ViewerContext) -> int | None:
    """The viewer's colour for drawing; None without a pointer. The GM always has one."""
    if context.viewer.is_gm:
        return 0
    if context.seat is None or not context.viewer.is_seated:
        return None
    return context.pens.get(context.seat.pk)


def _keep(encounter: int, held: dict[int, int]) -> None:
    cache.set(pens_key(encounter), held, LENT_SECONDS)
