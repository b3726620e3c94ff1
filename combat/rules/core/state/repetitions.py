"""Facts that the log tells in one sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

import msgspec

from . import events as e


def gather(facts: Iterable[e.Fact]) -> Iterator[e.Fact]:
    """The facts, with repetitions joined.

    Items of one name that go the same way at once become "drops Dagger × 2"; changes of one number for one
    reason become "loses 3 Hull (3 → 0)".
    """
    for _, alike in groupby(facts, _find_repetition):
        first, *more = alike
        yield _join(first, more) if more else first


def _join(first: e.Fact, more: list[e.Fact]) -> e.Fact:
    """Several similar facts as one."""
    began, last = first.event, more[-1].event
    if not (isinstance(began, e.TrackChanged) and isinstance(last, e.TrackChanged)):
        return _number(first, len(more) + 1)
    return msgspec.structs.replace(first, event=msgspec.structs.replace(last, old=began.old))


def _find_repetition(fact: e.Fact) -> object:
    event = fact.event
    if isinstance(event, e.TrackChanged) and not (event.terms or event.roll) and event.new != event.old:
        return (
            type(event),
            event.who,
            event.track,
            event.why,
            event.by,
            event.new > event.old,
            fact.rule,
            fact.to,
        )
    if isinstance(event, e.ItemChanged | e.ItemGained | e.ItemLost):
        return type(event), event.who, event.how, event.item.name, event.item.place, fact.rule, fact.to
    return object()  # equal to no other key


def _number(fact: e.Fact, count: int) -> e.Fact:
    event = fact.event
    assert isinstance(event, e.ItemChanged | e.ItemGained | e.ItemLost), "only these are alike but for tracks"
    named = msgspec.structs.replace(event.item, name=f"{event.item.name} × {count}")
    return msgspec.structs.replace(fact, event=msgspec.structs.replace(event, item=named))
