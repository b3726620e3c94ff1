"""Points as people type them for a number: "−15" is less, "+5" is more, "50" is its new value."""

from __future__ import annotations

from typing import NamedTuple

from .errors import Refused
from .numbers import plain_signs, read_whole, say_no_number, say_whole

MAX_POINTS = 9999
ENTER_POINTS = f"Enter a number from \N{MINUS SIGN}{MAX_POINTS:,} to {MAX_POINTS:,}."


class TypedPoints(NamedTuple):
    """Points that are added (`by`), or the new value (`to`)."""

    by: int = 0
    to: int | None = None

    def apply(self, old: int) -> int:
        """The new value of a number, without any limit."""
        return old + self.by if self.to is None else self.to


def read_typed_points(word: str) -> TypedPoints:
    """A number with a sign changes the value, one without replaces it; Refused for what is no such number."""
    points = read_bounded(word, -MAX_POINTS, MAX_POINTS, ENTER_POINTS)
    return TypedPoints(by=points) if has_sign(word) else TypedPoints(to=points)


def has_sign(word: str) -> bool:
    """Whether a number is typed with a sign."""
    return plain_signs(word).strip()[:1] in ("+", "-")


def read_bounded(word: str, low: int, high: int, otherwise: str) -> int:
    """The whole number that was typed; Refused with `otherwise` if it is not a number or out of bounds."""
    number = read_whole(word)
    if number is None and word.strip():
        raise Refused("bad_value", f"{otherwise.removesuffix('.')}: it {say_no_number(word)}")
    if number is None or not low <= number <= high:
        raise Refused("bad_value", otherwise)
    return number


def say_how(rises: bool, divided: bool = False) -> str:
    """What can be typed for a number; one that is `divided` among others has no value of its own."""
    less, more = ("less", "more") if rises else ("a loss", "a gain")
    return f"−8 is {less}, +8 {more}{'' if divided else ', 8 the new value'}"


def say_change(label: str, old: int, new: int) -> str:
    """A number before and after, in words."""
    return f"{label} {say_whole(old)} → {say_whole(new)}"


def say_typed_points(typed: TypedPoints, what: str, rises: bool, state: str = "") -> str:
    """What typed points would do, before they are set: "Loses 15: HP 80 → 65, Wounded".

    `what` is the change in words, `state` the health after it if that is another. A number that `rises`
    counts harm.
    """
    less, more = ("Takes off", "Adds") if rises else ("Loses", "Gains")
    verb = f"{more if typed.by >= 0 else less} {abs(typed.by)}:" if typed.to is None else "Sets"
    return f"{verb} {what}{f', {state}' if state else ''}"
