"""The drawing pointers as a viewer sees them: whether they have one; for the GM also who has one."""

from __future__ import annotations

from characters.display.shapes import Shape
from combat.sharing.pens import find_ink
from combat.sharing.viewer_context import ViewerContext


class PenSeat(Shape, frozen=True):
    """A seat that can get a pointer; `ink` is the colour of its pointer."""

    pk: int
    name: str
    ink: int | None


class PensView(Shape, frozen=True):
    """The colour in which a viewer may draw, None if they may not; for the GM also the players' seats."""

    ink: int | None
    seats: tuple[PenSeat, ...] = ()

    @property
    def held(self) -> int:
        """How many players have one."""
        return sum(seat.ink is not None for seat in self.seats)


def view_pens(context: ViewerContext) -> PensView | None:
    """The pointers of a table; None for spectators."""
    if context.viewer.is_spectator:
        return None
    if not context.viewer.is_gm:
        return PensView(find_ink(context))
    seats = tuple(PenSeat(pk, name, context.pens.get(pk)) for pk, name in context.artists)
    return PensView(0, seats)
