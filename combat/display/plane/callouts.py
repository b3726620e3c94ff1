"""Names beside tokens: below, above or at a side, clear of tokens and of one another; shortened in a crowd.

A name is nearer to its own token than to any other one. One word stands for a name only if it cannot be taken
for something else. A name that has room nowhere is left out: a tap on its token shows it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import hypot, inf
from typing import NamedTuple

from combat.rules.core.space import Spot

from .names import Box

LETTER, TALL = 0.62, 0.95  # of the font size: the width of a letter, and the height of a line
GAP = 0.12  # of the font size: between a token and its name
FONT = 1.1  # the font size of names on narrow maps, in meters at scale 1
MOST = 2  # initials
ENDLESS = (-inf, -inf, inf, inf)
# Words that name nobody by themselves
# fmt: off
TITLES = frozenset((
    "a", "an", "the", "lady", "lord", "sir", "dame", "king", "queen", "prince", "princess", "baron",
    "count", "duke", "captain", "commander", "colonel", "major", "general", "admiral", "lieutenant",
    "sergeant", "corporal", "private", "agent", "doctor", "professor", "brother", "sister", "father",
    "mother", "mister", "miss", "master", "chief", "boss", "dr", "mr", "mrs", "ms", "st", "old",
    "young", "big", "little", "el", "la", "los", "las", "le", "de", "del", "van", "von", "der", "al",
))
# fmt: on
ABBREVIATIONS = frozenset(("PC", "GM", "HP"))
NO_WORDS: Mapping[str, int] = {}


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
    """The initials of a name, with the number at its end: "ZC" of Zara Chen, "P12" of Pirate 12.

    One letter where two would be an abbreviation of the table, as those of a pirate captain.
    """
    words = name.split()
    letters = "".join(word[0] for word in words if not word.isdigit())[:MOST].upper()
    letters = letters[:1] if letters in ABBREVIATIONS else letters
    return letters + (words[-1] if words and words[-1].isdigit() else "")


def find_badge(name: str) -> str:
    """What stands on a token in place of a name: two letters on each, as "CM" of a combat medic.

    "ME" of a medic, and "PI" of a pirate captain, since a PC is a player character.
    """
    initials = find_initials(name)
    return initials if len(initials) > 1 else name[:MOST].upper()


def count_words(names: Iterable[str]) -> Mapping[str, int]:
    """How many of the names on a map contain each word, in small letters."""
    return Counter(word for name in names for word in set(name.casefold().split()))


def find_short(name: str, said: Mapping[str, int] = NO_WORDS) -> str:
    """The word of a personal name that stands for all of it; empty if each would mislead.

    It is no title, and no word of another name on the map, whose words are `said`.
    """
    words = name.split()
    meant = [word for word in words if word.casefold().strip(".") not in TITLES]
    if not all(word[0].isupper() for word in (*meant, *words[-1:])):
        return ""  # a number tells them from others, a small letter begins what many are
    return next((word for word in (*meant[:1], *meant[-1:]) if said.get(word.casefold(), 0) < 2), "")


def find_forms(name: str, said: Mapping[str, int] = NO_WORDS) -> tuple[str, ...]:
    """The forms of a name to try: whole, one word, its initials; one letter alone says nothing."""
    initials, short = find_initials(name), find_short(name, said)
    forms = (name, *([short] if short else []), *([initials] if len(initials) > 1 else []))
    return tuple(dict.fromkeys(forms))


def measure_gap(box: Box, body: Body) -> float:
    """The distance between a box and a round body in meters; negative if they overlap."""
    (x, y), (left, top, right, low) = body.spot, box
    return hypot(max(left - x, 0, x - right), max(top - y, 0, y - low)) - body.half


def is_nearest(box: Box, body: Body, bodies: Iterable[Body]) -> bool:
    """Whether a name is nearer to its own body than to all others."""
    own = measure_gap(box, body)
    return all(measure_gap(box, other) > own for other in bodies if other != body)


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
    said: Mapping[str, int] = NO_WORDS,
    bodies: Sequence[Body] = (),
) -> dict[str, Callout]:
    """The names of tokens by id, in this order of choice; `font` is their size in meters.

    They lie inside the edge, clear of what is hidden and of each other, and nearer to their own body than to
    any other. `said` are the words of all names on the map.
    """
    taken = list(hidden)
    found: dict[str, Callout] = {}
    for who, name, body in named:
        free = (
            one
            for one in _find_places(name, said, body, font)
            if _is_free(one, body, font, taken=taken, edge=edge)
            and is_nearest(box_of(one, body.spot, font), body, bodies)
        )
        callout = next(free, None)
        if callout:
            found[who] = callout
            taken.append(box_of(callout, body.spot, font))
    return found


def _find_places(name: str, said: Mapping[str, int], body: Body, font: float) -> Iterator[Callout]:
    """The places for the forms of a name around its token, at last a line farther away.

    Below it stands as much as there is room for, before anything stands above it or beside it.
    """
    line = TALL * font
    forms = find_forms(name, said)
    words = tuple(form for form in forms if form != find_initials(name))
    for far in (0.0, line):
        for label in words:
            yield from _find_rows(label, body, font, far, is_below=True)
        for label in (*words, *forms[len(words) :]):
            if label not in words:
                yield from _find_rows(label, body, font, far, is_below=True)
            yield from _find_rows(label, body, font, far, is_below=False)
            if not far:
                aside = body.half + GAP * font + len(label) * LETTER * font / 2
                yield from (Callout(label, across, line / 3) for across in (aside, -aside))


def _find_rows(label: str, body: Body, font: float, far: float, *, is_below: bool) -> Iterator[Callout]:
    """The places for a name below or above its token: in the middle, then to the right and the left."""
    gap = body.half + GAP * font + far
    down, slant = gap + TALL * font if is_below else -gap, GAP * font + len(label) * LETTER * font / 2
    yield from (Callout(label, across, down) for across in (0.0, slant, -slant))


def _is_free(callout: Callout, body: Body, font: float, taken: list[Box], edge: Box) -> bool:
    left, top, right, low = box_of(callout, body.spot, font)
    if left < edge[0] or top < edge[1] or right > edge[2] or low > edge[3]:
        return False
    return not [x for x, y, r, b in taken if left < r and x < right and top < b and y < low]
