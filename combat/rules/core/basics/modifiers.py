"""Modifiers: a label, a value and the rule behind it, so that pages can show every sum."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from .words import Label, say_number


class Modifier(msgspec.Struct, frozen=True):
    """One term of a sum, in points; `label` is drawn from the catalogue."""

    label: Label
    value: int
    rule: str = ""


Modifiers = tuple[Modifier, ...]


class Derived(msgspec.Struct, frozen=True):
    """A number that follows from others, with its terms, rule and unit; `signed` if it is added to a roll.

    The one that wards off most blows is the `shield`: sheets draw it so.
    """

    label: str
    value: int
    terms: Modifiers = ()
    rule: str = ""
    unit: str = ""
    signed: bool = False
    shield: bool = False

    @property
    def shown(self) -> str:
        """The value for people, with a real minus sign; with its sign if it is added to a roll."""
        return f"+{self.value}" if self.signed and self.value >= 0 else say_number(self.value)


def add_up(modifiers: Iterable[Modifier]) -> int:
    """The sum of the terms, in points."""
    total = 0
    for modifier in modifiers:  # a loop is twice as fast for the few terms of a sum
        total += modifier.value
    return total


def without_zeros(modifiers: Iterable[Modifier]) -> Modifiers:
    """The terms that are not 0."""
    return tuple([modifier for modifier in modifiers if modifier.value])
