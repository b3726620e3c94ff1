"""Caches: keep an answer while questions are about the same object.

States are frozen and share what has not changed, so most questions about a combatant, a sheet or a scene come
back about the same object. Caches compare identity, never content: that costs nothing, and an equal copy only
costs the work again. A cache holds the object together with its answer, so no other object can take its id.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import update_wrapper
from itertools import islice
from typing import Any, TypeVar, TypeVarTuple

MAX_ANSWERS = 1024  # answers per function, enough for many fights; more slows a forecast; 0 caches nothing

T = TypeVar("T")
R = TypeVar("R")
Ts = TypeVarTuple("Ts")
_CACHES: list[dict[Any, Any]] = []  # the cache of each function


def remember(find: Callable[[T], R]) -> Callable[[T], R]:
    """Cache a function of one frozen object.

    The function must look at nothing else, and nobody may write to its results.
    """
    store: dict[int, tuple[R, T]] = {}
    _CACHES.append(store)

    def cached(thing: T, /) -> R:
        try:
            return store[id(thing)][0]
        except KeyError:  # misses are rare, and a try that succeeds costs nothing
            pass
        found = store[id(thing)] = (find(thing), thing)
        if len(store) > MAX_ANSWERS:
            _forget_older(store)
        return found[0]

    return update_wrapper(cached, find)


def remember_each(find: Callable[[T, *Ts], R]) -> Callable[[T, *Ts], R]:
    """Cache a function of a frozen object and of words or numbers, in this order."""
    store: dict[Hashable, tuple[R, T]] = {}
    _CACHES.append(store)

    def cached(thing: T, /, *rest: *Ts) -> R:
        key = (id(thing), rest)
        try:
            return store[key][0]
        except KeyError:
            pass
        found = store[key] = (find(thing, *rest), thing)
        if len(store) > MAX_ANSWERS:
            _forget_older(store)
        return found[0]

    return update_wrapper(cached, find)


def _forget_older(store: dict[Any, Any]) -> None:
    """Drop the older half of a full cache."""
    for old in list(islice(store, len(store) // 2 + 1)):
        store.pop(old, None)


def forget() -> None:
    """Empty all caches."""
    for store in _CACHES:
        store.clear()
