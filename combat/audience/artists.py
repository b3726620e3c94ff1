"""The seats that a drawing pointer can be handed to, kept for a moment, and those that hold one.

Every page of the GM asks for both.
"""

from __future__ import annotations

from django.core.cache import cache
from django.db import transaction

from combat.audience.rights import find_open_seats
from combat.models import ShareLink

KEPT_SECONDS = 20
Artist = tuple[int, str]


def find_pens(encounter: int) -> dict[int, int]:
    """The seats that hold a pointer now, each with the number of its colour."""
    found: dict[int, int] = cache.get(pens_key(encounter), {})
    return found


def pens_key(encounter: int) -> str:
    """Where the shared cache keeps who holds a pointer."""
    return f"pens:{encounter}"


def find_artists(encounter: int) -> list[Artist]:
    """The open seats of players by number and name, the oldest first.

    Whoever sits down or leaves makes the kept answer void (`forget_artists`); a link that runs out counts
    after KEPT_SECONDS at the latest.
    """
    kept: list[Artist] | None = cache.get(_key(encounter))
    if kept is None:
        seats = find_open_seats().filter(encounter=encounter, kind=ShareLink.PLAY).order_by("created")
        kept = list(seats.values_list("pk", "name"))
        cache.set(_key(encounter), kept, KEPT_SECONDS)
    return kept


def forget_artists(encounter: int) -> None:
    """Somebody has sat down at a table or left it: once that is written, it is asked anew."""
    transaction.on_commit(lambda: cache.delete(_key(encounter)), robust=True)


def _key(encounter: int) -> str:
    return f"artists:{encounter}"
