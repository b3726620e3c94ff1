"""Files of maps from other programs: Universal VTT files, and scenes of Foundry VTT.

Nothing in such a file is trusted. One file is read at a time, and one with too many parts is refused before
any of them is read.
"""

from __future__ import annotations

import codecs
import threading

from combat.rules.core.basics.errors import Refused
from cosmos_site.base.files import one_at_a_time

from . import foundry, uvtt
from .imported import Imported, is_scene

MAX_BYTES = 15_500_000
BUSY = "Another map is being imported: send yours again in a moment."

_reading = threading.Lock()


def read_file(raw: bytes, cell: float | None, usual: float = 1.0, unit: str = "m") -> Imported:
    """A file as a map with cells of `cell` meters; Refused for other files, or while others are read.

    Without a `cell`, the side of a square is what the file says, else what is `usual` in the game. The game
    measures in `unit`: m or yd.
    """
    if len(raw) > MAX_BYTES:
        raise Refused("bad_value", f"The file is too large: send at most {MAX_BYTES / 1e6:g} MB.")
    raw = raw.removeprefix(codecs.BOM_UTF8)
    with one_at_a_time(_reading, BUSY):
        if is_scene(raw):
            return foundry.read_scene(raw, cell, usual, unit)
        return uvtt.read_map(raw, cell or usual, usual)
