"""Points that a person divides among places, such as a wound among characteristics.

An answer is `end=3,str=4`: every place with points, in the order of the question. A standing order is an
order of places, `end>str`, since the next sum will differ, or `best` for the game's suggestion.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import msgspec

from ..errors import Refused

BEST = "best"
_PART = re.compile(r"([a-z_]+)=(\d{1,4})", re.ASCII)


class Place(msgspec.Struct, frozen=True):
    """A place for points: at least `least`, at most `most`. `detail` is its present state in words."""

    key: str
    label: str
    most: int
    least: int = 0
    detail: str = ""


class Split(msgspec.Struct, frozen=True):
    """A number of points to divide among places; all of them must be placed."""

    total: int
    places: tuple[Place, ...]


def make_split(total: int, places: Iterable[Place]) -> Split:
    """A split of the points that fit: at most what the places hold, at least what they require."""
    known = tuple(places)
    least, most = sum(place.least for place in known), sum(place.most for place in known)
    return Split(max(least, min(total, most)), known)


def is_forced(split: Split) -> bool:
    """Whether there is only one way, so no question is needed."""
    free = [place for place in split.places if place.most > place.least]
    spare = split.total - sum(place.least for place in split.places)
    return len(free) < 2 or spare in (0, sum(place.most - place.least for place in free))


def fill(split: Split, order: Iterable[str] = ()) -> dict[str, int]:
    """The points of each place, filled in turn: first those of the `order`, then the rest."""
    parts = {place.key: place.least for place in split.places}
    rank = {key: number for number, key in enumerate(order)}
    left = split.total - sum(parts.values())
    for place in sorted(split.places, key=lambda place: rank.get(place.key, len(rank))):
        more = min(left, place.most - place.least)
        parts[place.key] += more
        left -= more
    return parts


def write_split(split: Split, parts: Mapping[str, int]) -> str:
    """The canonical answer: `end=3,str=4`."""
    return ",".join(f"{p.key}={parts[p.key]}" for p in split.places if parts.get(p.key))


def read_split(split: Split, text: str) -> dict[str, int]:
    """The points of each place in an answer; Refused in words for an invalid one."""
    parts = dict.fromkeys((place.key for place in split.places), 0)
    for word in filter(None, text.split(",")):
        found = _PART.fullmatch(word)
        if found is None or found[1] not in parts or parts[found[1]]:
            raise Refused("bad_value", "That is no way to divide points: give a number for each place.")
        parts[found[1]] = int(found[2])
    return check_split(split, parts)


def check_split(split: Split, parts: Mapping[str, int]) -> dict[str, int]:
    """The same points, if this division is allowed."""
    for place in split.places:
        n = parts.get(place.key, 0)
        if n > place.most:
            raise Refused("bad_value", f"{place.label} takes {place.most} at most: put the rest elsewhere.")
        if n < place.least:
            raise Refused("bad_value", f"{place.label} has to take {place.least} at least.")
    placed = sum(parts.values())
    if placed != split.total:
        rest = split.total - placed
        wrong = f"{rest} more to place" if rest > 0 else f"{-rest} too many"
        raise Refused("bad_value", f"Divide all {split.total} points: {wrong}.")
    return dict(parts)


# ---------------------------------------------------------------- standing orders


def make_order(split: Split, text: str, default: str) -> str:
    """The standing order for an answer: the place with most points first, or `best` for the default."""
    if text == BEST:
        return BEST
    parts = read_split(split, text)
    if parts == read_split(split, default):
        return BEST
    ranked = sorted(split.places, key=lambda place: -parts[place.key])
    return ">".join(place.key for place in ranked)


def follow_order(split: Split, order: str, default: str) -> str:
    """The answer of a standing order to this split; empty if the order is impossible."""
    keys = order.split(">")
    if order == BEST:
        return default
    if not {place.key for place in split.places}.issuperset(keys) or len(set(keys)) < len(keys):
        return ""
    return write_split(split, fill(split, keys))
