"""A number of the odds panel."""

from __future__ import annotations

import msgspec


class Measure(msgspec.Struct, frozen=True):
    """A number of the odds panel, exact: chance 0 to 1."""

    label: str
    chance: float
    rule: str = ""
    who: str = ""
    kind: str = ""
