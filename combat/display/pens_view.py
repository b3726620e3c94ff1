"""The drawing pointers as a viewer sees them: whether they have one, and for the GM who has."""

from __future__ import annotations

from dataclasses import dataclass

from combat.sharing.pens import find_ink
from combat.sharing.viewer_context import ViewerContext


@dataclass(frozen=True)
class PenSeat:
    """A seat that a pointer can be handed to; `ink` is the colour of the one it has."""

    pk: int
    name: str
    ink: int | None


@dataclass(frozen=True)
class PensView:
    """The colour in which a viewer may draw, None for those who may not; for the GM the players' seats."""

    ink: int | None
    seats: tuple[PenSeat, ...] = ()

    @property
    def lent(self) -> int:
        """How many players have one."""
        return sum(seat.ink is not None for seat in self.seats)


def view_pens(context: ViewerContext) -> PensView | None:
    """The pointers of a table; None for who only watches."""
    if context.viewer.is_spectator:
        return None
    if not context.viewer.is_gm:
        return PensView(find_ink(context))
    seats = tuple(PenSeat(pk, name, context.pens.get(pk)) for pk, name in context.artists)
    return PensView(0, seats)
