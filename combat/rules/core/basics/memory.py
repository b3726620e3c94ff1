"""Answers kept for as long as they are asked about the very same thing.

States are frozen and share what has not changed, so most questions about a fighter, a sheet or a scene are
asked again about the same object. Identity is looked at, never content: that costs nothing, and what is
equal but made anew is only worked out anew. A thing is held together with its answer, so that nothing else
can get its identity in the meantime.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import update_wrapper
from typing import Any, ParamSpec, TypeVar, TypeVarTuple

MAX_ANSWERS = 512  # answers of one function; then it begins anew; with 0 nothing is kept

S = TypeVar("S")
T = TypeVar("T")
R = TypeVar("R")
P = ParamSpec("P")
Ts = TypeVarTuple("Ts")
Seen = tuple[tuple[object, ...], Hashable]
_BOOKS: list[dict[Any, Any]] = []  # what each function knows


def remember(find: Callable[[T], R]) -> Callable[[T], R]:
    """A function of one frozen thing that finds each answer one time.

    It must look at nothing else, and nobody may write to what it returns.
    """
    known: dict[int, tuple[R, T]] = {}
    _BOOKS.append(known)

    def recall(thing: T, /) -> R:
        try:
            return known[id(thing)][0]
        except KeyError:  # seldom, and a try that does not fail costs nothing
            pass
        return _learn(known, id(thing), find(thing), thing)

    return update_wrapper(recall, find)


def remember_each(find: Callable[[T, *Ts], R]) -> Callable[[T, *Ts], R]:
    """The same for a function of a frozen thing and of words or numbers, given in their order."""
    known: dict[Hashable, tuple[R, T]] = {}
    _BOOKS.append(known)

    def recall(thing: T, /, *rest: *Ts) -> R:
        key = (id(thing), rest)
        try:
            return known[key][0]
        except KeyError:
            pass
        return _learn(known, key, find(thing, *rest), thing)

    return update_wrapper(recall, find)


def remember_pair(find: Callable[[S, T], R]) -> Callable[[S, T], R]:
    """The same for a function of two frozen things, such as a state and a command."""
    known: dict[tuple[int, int], tuple[R, object]] = {}
    _BOOKS.append(known)

    def recall(one: S, other: T, /) -> R:
        key = (id(one), id(other))
        try:
            return known[key][0]
        except KeyError:
            pass
        return _learn(known, key, find(one, other), (one, other))

    return update_wrapper(recall, find)


def remember_latest(find: Callable[[T, *Ts], R]) -> Callable[[T, *Ts], R]:
    """As `remember_each`, but of the thing that was asked about last alone.

    For what is found out about a state when something is planned, and again when it is done: no state that
    is past is held for that.
    """
    known: dict[int, tuple[dict[Hashable, tuple[R]], T]] = {}
    _BOOKS.append(known)

    def recall(thing: T, /, *rest: *Ts) -> R:
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

    return update_wrapper(recall, find)


def remember_by(look: Callable[P, Seen]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """The same for a function that looks at parts alone: `look` says which, and at what words or numbers.

    A fighter is another one after every step, but has the same items until one of them changes.
    """

    def learn(find: Callable[P, R]) -> Callable[P, R]:
        known: dict[Hashable, tuple[R, object]] = {}
        _BOOKS.append(known)

        def recall(*given: P.args, **named: P.kwargs) -> R:
            parts, rest = look(*given, **named)
            key = (*map(id, parts), rest)
            try:
                return known[key][0]
            except KeyError:
                pass
            return _learn(known, key, find(*given, **named), parts)

        return update_wrapper(recall, find)

    return learn


def _learn(known: dict[Any, tuple[R, Any]], key: Hashable, answer: R, things: object) -> R:
    """Keep an answer together with what it is about: as long as it is known, no other thing has that id."""
    if len(known) >= MAX_ANSWERS:
        known.clear()
    if MAX_ANSWERS:
        known[key] = (answer, things)
    return answer


def forget() -> None:
    """Begin anew with all functions."""
    for known in _BOOKS:
        known.clear()
