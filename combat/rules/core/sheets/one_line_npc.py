"""NPCs in one line of text: the declaration of a game that can read such lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

MAX_LENGTH, MAX_LINES = 400, 20


class Written(msgspec.Struct, frozen=True):
    """A combatant from a line: the name, and the sheet of the game."""

    name: str
    sheet: dict[str, Any]


class Lines(msgspec.Struct, frozen=True, kw_only=True):
    """How a game reads a combatant from one line. `read` raises Refused with the reason if it cannot.

    `is_meant` says whether a line was written as one, with or without faults.
    """

    read: Callable[[str], Written]
    is_meant: Callable[[str], bool]
    example: str
    help: str = ""


def split_lines(text: str) -> tuple[str, ...]:
    """The lines of a text that are not empty, cut to the longest possible length."""
    lines = (" ".join(line.split()) for line in text.splitlines())
    return tuple(line[:MAX_LENGTH] for line in lines if line)[:MAX_LINES]
