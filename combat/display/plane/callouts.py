"""Names beside tokens: below, above or at a side, clear of tokens and of one another; shortened in a crowd.

A name that has room nowhere is left out: a tap on its token shows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf
from typing import NamedTuple

from combat.rules.core.space import Spot

from .names import Box

LETTER, TALL = 0.62, 0.95  # of the font size: the width of a letter, and the height of a line
GAP = 0.12  # of the font size: between a token and its name
FONT = 1.1  # the font size of names on narrow maps, in meters at scale 1
MOST = 2  # initials
ENDLESS = (-inf, -inf, inf, inf)


class Callout(NamedTuple):
    """A name as drawn beside its token: the middle of its foot, in meters from the token's middle."""

    label: str
    across: float
    down: float

    def scaled(self, share: float) -> Callout:
        """The same in another scale."""
        return Callout(self.label, round(self.across * share, 2), round(self.down * share, 2))


class Body(NamedTuple):
    """What a token covers: its middle, and half of its width in meters."""

    spot: Spot
    half: float

    @property
    def box(self) -> Box:
        """The square around it."""
        (x, y), half = self.spot, self.half
        return x - half, y - half, x + half, y + half


def find_initials(name: str) -> str:
    """The initials of a name, with the number at its end: "ZC" of Zara Chen, "P12" of Pirate 12."""
    words = name.split()
    letters = "".join(word[0] for word in words if not word.isdigit())[:MOST].upper()
    return letters + (words[-1] if words and words[-1].isdigit() else "")


def find_forms(name: str) -> tuple[str, ...]:
    """The forms of a name to try: whole, its first word, its initials; one letter alone says nothing."""
    initials = find_initials(name)
    return tuple(dict.fromkeys((name, *name.split()[:1], *([initials] if len(initials) > 1 else []))))


def box_of(callout: Callout, spot: Spot, font: float) -> Box:
    """The part of the map that a name covers; `font` is its size in meters."""
    middle, low = spot[0] + callout.across, spot[1] + callout.down
    half = len(callout.label) * LETTER * font / 2
    return middle - half, low - TALL * font, middle + half, low


def place_callouts(
    named: Iterable[tuple[str, str, Body]],
    hidden: Iterable[Box],
    font: float,
    edge: Box = ENDLESS,
) -> dict[str, Callout]:
    """The names of tokens by id, in this order of choice; `font` is their size in meters.

    They lie inside the edge, clear of what is hidden and of each other.
    """
    taken = list(hidden)
    found: dict[str, Callout] = {}
    for who, name, body in named:
        free = (one for one in _find_places(name, body, font) if _is_free(one, body, font, taken, edge))
        callout = next(free, None)
        if callout:
            found[who] = callout
            taken.append(box_of(callout, body.spot, font))
    return found


def _find_places(name: str, body: Body, font: float) -> Iterator[Callout]:
    """The places for a name around its token, and for its shorter forms; at last a line farther away."""
    gap, half, line = GAP * font, body.half, TALL * font
    for far in (0.0, line):
        for label in find_forms(name):
            aside, middle = half + gap + len(label) * LETTER * font / 2, line / 3
            below, above = half + gap + line + far, -half - gap - far
            slant = aside - half
            yield from (Callout(label, across, below) for across in (0.0, slant, -slant))
            yield from (Callout(label, across, above) for across in (0.0, slant, -slant))
            if not far:
                yield from (Callout(label, across, middle) for across in (aside, -aside))


def _is_free(callout: Callout, body: Body, font: float, taken: list[Box], edge: Box) -> bool:
    left, top, right, low = box_of(callout, body.spot, font)
    if left < edge[0] or top < edge[1] or right > edge[2] or low > edge[3]:
        return False
    return not [x for x, y, r, b in taken if left < r and x < right and top < b and y < low]
