"""Frames of improvised acts: how players say what they do, what that is rolled as, and what follows.

The core's stand in `gm/acts/frames.toml`. A game adds its own, or puts another one in the place of one of the
core's under the same id, in a `frames.toml` of its folder.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from ..basics.data import load_table

Answer = Literal["offer", "ask", "words"]  # the three answers to what someone types
OFFER: Answer = "offer"
ASK: Answer = "ask"
WORDS: Answer = "words"


class Frame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of `frames.toml`, which explains its fields."""

    id: str
    name: str
    say: tuple[str, ...]
    deed: str = ""
    works: tuple[str, ...] = ()
    fails: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    answer: Answer = "offer"
    choose: dict[str, tuple[str, ...]] = {}
    weight: int = 0
    prepares: bool = False
    spans: bool = False
    examples: tuple[str, ...] = ()


def load_frames(path: Path | None) -> tuple[Frame, ...]:
    """The frames of a file; none without it. Raises DataError for what is wrong in it."""
    return tuple(load_table(path, Frame, "frame").values()) if path and path.exists() else ()
