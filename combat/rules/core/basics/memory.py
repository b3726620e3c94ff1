"""Caches: keep an answer while questions are about the same object.

States are frozen and share what has not changed, so most questions about a combatant, a sheet or a scene come
back about the same object. Caches compare identity, never content: that costs nothing, and an equal copy only
costs the work again. A cache holds the object together with its answer, so no other object can take its id.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import update_wrapper
from itertools import islice
from typing import Any, ParamSpec, TypeVar, TypeVarTuple

MAX_ANSWERS = 1024  # answers per function, enough for many fights; more slows a forecast; 0 caches nothing

S = TypeVar("S")
T = TypeVar("T")
R = TypeVar("R")
P = ParamSpec("P")
Ts = TypeVarTuple("Ts")
Seen = tuple[tuple[object, ...], Hashable]
_CACHES: list[dict[Any, Any]] = []  # the cache of each function


def remember(find: Callable[[T], R]) -> Callable[[T], R]:
    """Cache a function of one frozen object.

    The function must look at nothing else, and nobody may write to its results.
    """
    known: dict[int, tuple[R, T]] = {}
    _CACHES.append(known)

    def cached(thing: T, /) -> R:
        try:
            return known[id(thing)][0]
        except KeyError:  # misses are rare, and a try that succeeds costs nothing
            pass
        found = known[id(thing)] = (find(thing), thing)
        if len(known) > MAX_ANSWERS:
            _forget_older(known)
        return found[0]

    return update_wrapper(cached, find)


def remember_each(find: Callable[[T, *Ts], R]) -> Callable[[T, *Ts], R]:
    """Cache a function of a frozen object and of words or numbers, in this order."""
    known: dict[Hashable, tuple[R, T]] = {}
    _CACHES.append(known)

    def cached(thing: T, /, *rest: *Ts) -> R:
        key = (id(thing), rest)
        try:
            return known[key][0]
        except KeyError:
            pass
        found = known[key] = (find(thing, *rest), thing)
        if len(known) > MAX_ANSWERS:
            _forget_older(known)
        return found[0]

    return update_wrapper(cached, find)


def remember_pair(find: Callable[[S, T], R]) -> Callable[[S, T], R]:
    """Cache a function of two frozen objects, such as a state and a command."""
    known: dict[tuple[int, int], tuple[R, object]] = {}
    _CACHES.append(known)

    def cached(one: S, other: T, /) -> R:
        key = (id(one), id(other))
        try:
            return known[key][0]
        except KeyError:
            pass
        found = known[key] = (find(one, other), (one, other))
        if len(known) > MAX_ANSWERS:
            _forget_older(known)
        return found[0]

    return update_wrapper(cached, find)


def remember_latest(find: Callable[[T, *Ts], R]) -> Callable[[T, *Ts], R]:
    """Cache as `remember_each` does, but only for the latest object.

    For facts about a state that a plan needs, and then the action itself: past states are not kept alive.
    """
    known: dict[int, tuple[dict[Hashable, tuple[R]], T]] = {}
    _CACHES.append(known)

    def cached(thing: T, /, *rest: *Ts) -> R:
        held = known.get(id(thing))
        if held is None:
            known.clear()
            held = ({}, thing)
            if MAX_ANSWERS:
                known[id(thing)] = held
        answers = held[0]
        found = answers.get(rest)
        if found is None:
            if len(answers) >= MAX_ANSWERS:
                answers.clear()
            found = answers[rest] = (find(thing, *rest),)
        return found[0]

    return update_wrapper(cached, find)


def remember_by(look: Callable[P, Seen]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Cache a function that looks only at parts: `look` returns those parts, words and numbers.

    A combatant is a new object after every step, but keeps its items until one of them changes.
    """

    def learn(find: Callable[P, R]) -> Callable[P, R]:
        known: dict[Hashable, tuple[R, object]] = {}
        _CACHES.append(known)

        def cached(*given: P.args, **named: P.kwargs) -> R:
            parts, rest = look(*given, **named)
            key = (*map(id, parts), rest)
            try:
                return known[key][0]
            except KeyError:
                pass
            found = known[key] = (find(*given, **named), parts)
            if len(known) > MAX_ANSWERS:
                _forget_older(known)
            return found[0]

        return update_wrapper(cached, find)

    return learn


def _forget_older(known: dict[Any, Any]) -> None:
    """Drop the older half of a full cache."""
    for old in list(islice(known, len(known) // 2 + 1)):
        known.pop(old, None)


def forget() -> None:
    """Empty all caches."""
    for known in _CACHES:
        known.clear()
