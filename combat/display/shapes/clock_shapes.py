"""The shapes of clocks for templates."""

from __future__ import annotations

from characters.display.shapes import Shape


class ClockView(Shape, frozen=True):
    """A clock: `filled` of `size` segments; `lines` end the lines between them on the dial.

    `audience` says to the GM who sees it, if not everyone. Only the GM knows how full a `veiled` one is.
    """

    id: str
    name: str
    size: int
    filled: int
    each_round: int
    veiled: bool
    shown: str
    who: frozenset[str]
    audience: str
    lines: tuple[tuple[float, float], ...]

    @property
    def is_full(self) -> bool:
        """Whether all segments are filled."""
        return self.filled >= self.size


class ClocksView(Shape, frozen=True):
    """All clocks that a viewer sees, and what the GM's forms offer.

    `people` are the player characters whose players a clock can be for: ids and names.
    """

    clocks: tuple[ClockView, ...] = ()
    people: tuple[tuple[str, str], ...] = ()
    can_add: bool = False
