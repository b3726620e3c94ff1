"""A body or a hull as the pages draw it: parts with their points, their state in a word, what a tap opens."""

from __future__ import annotations

import msgspec

from .basics.words import Label

Offer = tuple[str, dict[str, str]]  # the name of an action, and what its form starts with
FINE, HURT, BAD, LOST, OUT = range(5)  # the levels of a part, as those of health

QUARTER = 25  # percent


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A part that is hurt by itself: so many points `now` of `most`.

    `level` is 0 (fine) to 4 (beyond use) for colour and hatching, `word` says the same. `armor` is what
    protects it, drawn as it stands; `text` says what its state means. `track` is the number of the
    combatant that holds its points, "" for none. `points` names its shape within that of the figure,
    its own key if left out; what begins with "M" is an SVG path in a box of 100 by 200.
    `actions` are what a tap offers: names of actions with fields filled in. One whose field `target` is
    "" is done to the owner of the part, by whoever acts.
    """

    key: str
    label: str
    now: int
    most: int
    level: int = 0
    word: Label = ""
    armor: str = ""
    text: str = ""
    rule: str = ""
    points: str = ""
    actions: tuple[Offer, ...] = ()
    track: str = ""


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """All parts of a combatant. `shape` is "human", "vehicle", or "" for boxes in a row."""

    shape: str
    title: str
    parts: tuple[Part, ...]


def find_part(figure: Figure, key: str) -> Part | None:
    """The part of this key."""
    return next((part for part in figure.parts if part.key == key), None)


def find_quarter(now: int, most: int) -> int:
    """What is left of a part in percent, rounded up to a quarter: all that a bar tells of others.

    More than a part can have is full, and no more than that.
    """
    return min(100, -(-100 * max(0, now) // max(most, 1) // QUARTER) * QUARTER)
