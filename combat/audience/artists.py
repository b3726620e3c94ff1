"""The players' seats that can get a drawing pointer (cached briefly), and those that hold one.

Every page of the GM needs both.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.cache import cache
from django.db import transaction

from combat.audience.fetching import find_players

CACHED_SECONDS = 20
Artist = tuple[int, str]
Cached = Mapping[str, Any]


def read_cached(encounter: int) -> Cached:
    """What the shared cache knows of both, in one call for callers that need both."""
    return cache.get_many([pens_key(encounter), _key(encounter)])


def find_pens(encounter: int, cached: Cached | None = None) -> dict[int, int]:
    """The seats that hold a pointer now, each with the number of its colour."""
    cached = read_cached(encounter) if cached is None else cached
    found: dict[int, int] = cached.get(pens_key(encounter), {})
    return found


def pens_key(encounter: int) -> str:
    """The key of the shared cache for who holds a pointer."""
    return f"pens:{encounter}"


def find_artists(encounter: int, cached: Cached | None = None) -> list[Artist]:
    """The open seats of players by number and name, the oldest first.

    `forget_artists` clears the cached list when someone sits down or leaves; an expired link shows
    after at most CACHED_SECONDS.
    """
    cached = read_cached(encounter) if cached is None else cached
    found: list[Artist] | None = cached.get(_key(encounter))
    if found is None:
        found = [(seat.pk, seat.name) for seat in find_players(encounter)]
        cache.set(_key(encounter), found, CACHED_SECONDS)
    return found


def forget_artists(encounter: int) -> None:
    """Clear the cached list once the transaction commits: someone sat down at a table or left it."""
    transaction.on_commit(lambda: cache.delete(_key(encounter)), robust=True)


def _key(encounter: int) -> str:
    return f"artists:{encounter}"
