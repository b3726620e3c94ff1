"""Points that somebody divides among several places, such as a wound among characteristics.

An answer is written `end=3,str=4`: every place that gets any, in the order of the question. A standing
order names an order of places instead, `end>str`, since the next sum will be another one, or `best` for
what the game suggests.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import msgspec

from .errors import Refused

BEST = "best"
_PART = re.compile(r"([a-z_]+)=(\d{1,4})", re.ASCII)


class Place(msgspec.Struct, frozen=True):
    """Somewhere that points can go: at least `least`, at most `most`. `detail` says how it stands now."""

    key: str
    label: str
    most: int
    least: int = 0
    detail: str = ""


class Split(msgspec.Struct, frozen=True):
    """So many points to divide among places; all of them have to go somewhere."""

    total: int
    places: tuple[Place, ...]


def make_split(total: int, places: Iterable[Place]) -> Split:
    """A split of what fits: no more points than the places hold, no less than they have to take."""
    known = tuple(places)
    least, most = sum(place.least for place in known), sum(place.most for place in known)
    return Split(max(least, min(total, most)), known)


def is_forced(split: Split) -> bool:
    """Whether there is only one way, so that nobody needs to be asked."""
    free = [place for place in split.places if place.most > place.least]
    spare = split.total - sum(place.least for place in split.places)
    return len(free) < 2 or spare in (0, sum(place.most - place.least for place in free))


def fill(split: Split, order: Iterable[str] = ()) -> dict[str, int]:
    """Fill the places one after another: first those of the `order`, then the rest as they stand."""
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
    """The points of each place out of an answer; Refused in words for what is no way to divide them."""
    parts = dict.fromkeys((place.key for place in split.places), 0)
    for word in filter(None, text.split(",")):
        found = _PART.fullmatch(word)
        if found is None or found[1] not in parts or parts[found[1]]:
            raise Refused("bad_value", "That is no way to divide points: give a number for each place.")
        parts[found[1]] = int(found[2])
    return check_split(split, parts)


def check_split(split: Split, parts: Mapping[str, int]) -> dict[str, int]:
    """The same points, if they may be divided so."""
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
    """The standing order that an answer stands for: what got most comes first, or `best` for the default."""
    if text == BEST:
        return BEST
    parts = read_split(split, text)
    if parts == read_split(split, default):
        return BEST
    ranked = sorted(split.places, key=lambda place: -parts[place.key])
    return ">".join(place.key for place in ranked)


def follow_order(split: Split, order: str, default: str) -> str:
    """The answer that a standing order gives to this split, or nothing if it cannot be followed."""
    keys = order.split(">")
    if order == BEST:
        return default
    if not {place.key for place in split.places}.issuperset(keys) or len(set(keys)) < len(keys):
        return ""
    return write_split(split, fill(split, keys))
