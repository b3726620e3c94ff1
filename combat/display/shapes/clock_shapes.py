"""The shapes of clocks for templates."""

from __future__ import annotations

from characters.display.shapes import Shape


class ActView(Shape, frozen=True):
    """When a clock acts, in words; what it then does, and the fields of its form, only the GM knows.

    `turn` says in which round it acts next; empty if it never does again, or not while a fight runs. Its row
    stands at the score `at`, behind the row of `after`, or first.
    """

    when: str
    does: str = ""
    fields: dict[str, str | int] = {}
    turn: str = ""
    at: int | None = None
    after: str = ""


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
    acts: ActView | None = None

    @property
    def is_full(self) -> bool:
        """Whether all segments are filled."""
        return self.filled >= self.size


class ClockChoices(Shape, frozen=True):
    """What the forms of a clock that acts offer: values and labels."""

    everyone: tuple[tuple[str, str], ...]
    zones: tuple[tuple[str, str], ...]
    tracks: tuple[tuple[str, str], ...]
    conditions: tuple[tuple[str, str], ...]


class ClocksView(Shape, frozen=True):
    """All clocks that a viewer sees, and what the GM's forms offer.

    `people` are the player characters whose players a clock can be for: ids and names.
    """

    clocks: tuple[ClockView, ...] = ()
    people: tuple[tuple[str, str], ...] = ()
    can_add: bool = False
    choices: ClockChoices | None = None
