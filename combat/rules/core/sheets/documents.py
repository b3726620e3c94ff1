"""Check a whole sheet from a document: find all its errors at once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from ..basics.checking import Problem, find_shape_problems, find_text_problems
from ..basics.typed import convert
from .sheets import SheetPlan

MAX_PLACE = 500  # characters of a place: field names are shorter


def find_sheet_problems(plan: SheetPlan, sheet_type: type, data: object) -> tuple[Problem, ...]:
    """All errors of a sheet at once: its shape, its texts, and the game's own checks."""
    shape = (*find_text_problems(data), *find_shape_problems(data, sheet_type))
    places = frozenset(problem.place for problem in shape)
    if not isinstance(data, dict):
        return shape
    told = frozenset(head for place in places for head in _find_heads(place))
    sound, kept = _keep_sound(data, places, told)
    try:
        known = msgspec.to_builtins(convert(sound, sheet_type))
    except msgspec.ValidationError:
        return shape
    found = (_at_home(problem, kept) for problem in plan.find_problems(known))
    return (*shape, *(p for p in found if p.place not in told))


def _find_heads(place: str) -> Iterator[str]:
    """A place and all places that contain it: a known error there covers it."""
    yield place
    for end in re.finditer(r"[.\[]", place[:MAX_PLACE]):
        yield place[: end.start()]


def _keep_sound(
    data: dict[str, Any], places: frozenset[str], told: frozenset[str]
) -> tuple[dict[str, Any], dict[str, list[int]]]:
    """The document without its errors, and the former index of each list element."""
    sound: dict[str, Any] = {}
    kept: dict[str, list[int]] = {}
    for name, value in data.items():
        if name in places:
            continue
        if isinstance(value, dict):
            sound[name] = {k: v for k, v in value.items() if f"{name}.{k}" not in told}
        elif isinstance(value, list | tuple):
            kept[name] = [n for n in range(len(value)) if f"{name}[{n}]" not in told]
            sound[name] = [value[n] for n in kept[name]]
        else:
            sound[name] = value
    return sound, kept


def _at_home(problem: Problem, kept: Mapping[str, list[int]]) -> Problem:
    """A problem of a list element, with the element's index in the whole document."""
    found = re.match(r"(\w+)\[(\d+)\](.*)", problem.place, re.DOTALL)
    if not found or found[1] not in kept:
        return problem
    number = kept[found[1]][int(found[2])]
    return Problem(f"{found[1]}[{number}]{found[3]}", problem.message)
