"""Describe how facts by the rules differ from those in a file, in one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

import msgspec

from ..declaration.system import System
from ..state.events import Fact, Said
from ..state.state import State
from ..wording import describe_facts

MAX_QUOTED = 80  # characters of a line or a value
NOTHING = "nothing"
# Fields of facts that hold words: a changed wording does not count
WORDS = frozenset(("label", "ends", "why", "what", "how", "against_label", "word"))
# Errors from drawing facts that no rule could have made
UNREADABLE = (LookupError, TypeError, ValueError, AttributeError)
Difference = tuple[str, Any, Any]


def describe_difference(
    system: System, state: State, by_rules: tuple[Fact, ...], in_file: tuple[Fact, ...]
) -> str:
    """The first difference beyond wording, in words; `state` is the one before those facts."""
    for now, then in zip_longest(by_rules, in_file):
        if now is None or then is None or any(_find_differences(now, then)):
            lines = _draw(system, state, now), _draw(system, state, then)
            if lines[0] != lines[1]:
                return f"the rules give {lines[0]}, the file has {lines[1]}"
            return _describe_field(now, then)
    return "only its wording differs"


def _describe_field(now: Fact | None, then: Fact | None) -> str:
    """The difference of two facts that read the same, by the name of the field."""
    if now is None or then is None or type(now.event) is not type(then.event):
        kinds = [type(fact.event).__name__ if fact else NOTHING for fact in (now, then)]
        return f"the rules give {kinds[0]}, the file has {kinds[1]}"
    field, wanted, found = next(_find_differences(now, then))
    values = [_quote(value) for value in (wanted, found)]
    return (
        f"{type(now.event).__name__} has another {field}: {values[0]} by the rules, {values[1]} in the file"
    )


def _find_differences(now: Fact, then: Fact) -> Iterator[Difference]:
    if not (isinstance(now.event, Said) and isinstance(then.event, Said)):
        yield from _compare(msgspec.to_builtins(now), msgspec.to_builtins(then), "part")


def _compare(now: Any, then: Any, name: str) -> Iterator[Difference]:
    """The fields in which two plain values differ, ignoring words; each with its name and both values."""
    if isinstance(now, dict) and isinstance(then, dict):
        for key in [*now, *(key for key in then if key not in now)]:
            if key not in WORDS:
                yield from _compare(now.get(key), then.get(key), key)
    elif isinstance(now, list | tuple) and isinstance(then, list | tuple) and len(now) == len(then):
        for one, other in zip(now, then, strict=True):
            yield from _compare(one, other, name)
    elif now != then:
        yield name, now, then


def _draw(system: System, state: State, fact: Fact | None) -> str:
    """A fact as the log words it, in quotation marks."""
    if fact is None:
        return NOTHING
    names = {who: combatant.name for who, combatant in state.combatants.items()}
    try:
        lines = describe_facts(system, (fact,), names)
    except UNREADABLE:
        return type(fact.event).__name__
    text = " ".join(line.text for line in lines)
    return f"“{_shorten(text)}”" if text else type(fact.event).__name__


def _quote(value: Any) -> str:
    return _shorten(str(value)) if isinstance(value, str | int | float | bool) else "something else"


def _shorten(text: str) -> str:
    return text if len(text) <= MAX_QUOTED else f"{text[: MAX_QUOTED - 1].rstrip()}…"
