"""What players write about a character: looks, background, bonds, and how experience came and went."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from combat.rules.core.basics.checking import clean_text, find_shape_problems, tidy
from combat.rules.core.basics.data import convert
from combat.rules.core.basics.errors import Refused

MAX_PART, MAX_LINE, MAX_LINES = 2000, 200, 100
MAX_EXPERIENCE = 9999  # points of a line
PARTS = {"looks": "Looks", "background": "Background", "bonds": "Bonds"}


class Bought(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line of the log of experience: in words, and the day as YYYY-MM-DD, if someone wrote it.

    `points` were earned, or spent if they are negative; 0 where nobody said.
    """

    what: Annotated[str, Meta(min_length=1, max_length=MAX_LINE)]
    on: Annotated[str, Meta(max_length=10)] = ""
    points: Annotated[int, Meta(ge=-MAX_EXPERIENCE, le=MAX_EXPERIENCE)] = 0


class Story(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The story of a character. Looks stand on the sheet for all who may read it, the rest for its owner.

    `bought` is the log of experience, the newest line first.
    """

    looks: Annotated[str, Meta(max_length=MAX_PART)] = ""
    background: Annotated[str, Meta(max_length=MAX_PART)] = ""
    bonds: Annotated[str, Meta(max_length=MAX_PART)] = ""
    bought: Annotated[tuple[Bought, ...], Meta(max_length=MAX_LINES)] = ()

    @property
    def experience(self) -> int:
        """The points that are left to spend."""
        return sum(line.points for line in self.bought)

    @property
    def earned(self) -> int:
        """All points that were ever earned."""
        return sum(line.points for line in self.bought if line.points > 0)

    @property
    def log(self) -> list[tuple[Bought, int]]:
        """The lines of the log, each with what was left after it."""
        left = [sum(line.points for line in self.bought[n:]) for n in range(len(self.bought))]
        return list(zip(self.bought, left, strict=True))

    @property
    def parts(self) -> list[tuple[str, str]]:
        """The texts that are there, each with its heading."""
        return [(label, getattr(self, key)) for key, label in PARTS.items() if getattr(self, key)]


def read_story(stored: Mapping[str, Any]) -> Story:
    """The story as it is stored."""
    return convert(dict(stored), Story)


def clean_story(data: Mapping[str, Any]) -> dict[str, Any]:
    """A story as it is stored; Refused with the first fault."""
    if problems := find_shape_problems(dict(data), Story):
        raise Refused("bad_value", f"Story: {problems[0]}")
    read = read_story(data)
    texts = {key: clean_text(getattr(read, key), MAX_PART, label) for key, label in PARTS.items()}
    lines = tuple(clean_line(one.what, one.on, one.points) for one in read.bought)
    kept: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(Story(**texts, bought=lines)))
    return kept


def clean_line(what: str, on: str, points: int = 0) -> Bought:
    """A line of the log of experience; Refused if it is empty, too long or of no day."""
    words = tidy(what)
    if not 1 <= len(words) <= MAX_LINE:
        raise Refused("bad_value", f"Say in 1 to {MAX_LINE} characters what it was for.")
    try:
        day = date.fromisoformat(on.strip()).isoformat() if on.strip() else ""
    except ValueError:
        raise Refused("bad_value", "A day is written as 2026-03-14, or left out.") from None
    return Bought(words, day, points)
