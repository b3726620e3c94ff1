"""The shape of a condition on a row."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Chip:
    """A condition: its label, what it does, what ends it, its rule, and its kind."""

    id: str
    label: str
    ends: str
    text: str
    rule: str
    look: str = ""
