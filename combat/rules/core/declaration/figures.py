"""A body or hull as pages draw it: parts with their points, state and actions."""

from __future__ import annotations

import msgspec

from ..basics.words import Label

Offer = tuple[str, dict[str, str]]  # the name of an action, and the first values of its form
FINE, HURT, BAD, LOST, OUT = range(5)  # the levels of a part, like those of health

QUARTER = 25  # percent


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A part with its own damage: `now` of `most` points.

    `level` is 0 (fine) to 4 (beyond use) for color and hatching, `word` says the same. `armor` is the
    protection of the part, as text; `text` explains its state. `track` is the number of the combatant that
    holds its points, "" for none. `points` names its shape in that of the figure, by default its own key; a
    value that begins with "M" is an SVG path in a box of 100 by 200. `actions` are offered on a tap: names of
    actions with initial fields. If the field `target` is "", the acting combatant targets the owner of the
    part.
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
    """All parts of a combatant. `shape` is "human", "vehicle", or "" for a row of boxes."""

    shape: str
    title: str
    parts: tuple[Part, ...]


def round_to_quarter(now: int, most: int) -> int:
    """The percentage left of a part, rounded up to a quarter: a bar shows others no more.

    It is never more than 100.
    """
    return min(100, -(-100 * max(0, now) // max(most, 1) // QUARTER) * QUARTER)
