"""Small shapes: a condition on a row, and a further target of an attack."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Chip:
    """A condition: its label, what it does, what ends it, its rule, and its kind.

    `count` is its level, or the turns left; empty if there is one of it.
    """

    id: str
    label: str
    ends: str
    text: str
    rule: str
    look: str = ""
    count: str = ""


@dataclass(frozen=True)
class OtherTarget:
    """Someone else whom an attack can name, and the chance in percent."""

    id: str
    name: str
    chance: str
