"""Cut zones that are only parts of their rectangle, such as smoke between walls."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from .battle_map import Area
from .plane import Piece, Zone

MIN_METERS = 0.01  # meters: narrower pieces are dropped


def keep_parts(zone: Zone, pieces: Iterable[Piece]) -> Zone | None:
    """The zone inside some separate rectangles; None if they do not meet."""
    own = zone.parts or (piece_of(zone),)
    return _fit(zone, (overlap(part, mine) for part in pieces for mine in own))


def take_parts(zone: Zone, holes: Iterable[Piece]) -> Zone | None:
    """The zone without some rectangles; None if nothing is left."""
    return _fit(zone, cut_out(zone.parts or (piece_of(zone),), holes))


def cut_out(pieces: Iterable[Piece], holes: Iterable[Piece]) -> list[Piece]:
    """What is left of some rectangles without others."""
    left = list(pieces)
    for hole in holes:
        left = [piece for part in left for piece in _cut(part, hole)]
    return left


def piece_of(box: Zone | Area) -> Piece:
    """The rectangle of a zone or area."""
    return Piece(box.x, box.y, box.width, box.depth)


def overlap(one: Piece, other: Piece) -> Piece | None:
    """The common part of two rectangles; None if there is none."""
    left, top = max(one.x, other.x), max(one.y, other.y)
    right, low = min(one.x + one.width, other.x + other.width), min(one.y + one.depth, other.y + other.depth)
    return _make(left, top, right, low)


def _make(left: float, top: float, right: float, low: float) -> Piece | None:
    if right - left < MIN_METERS or low - top < MIN_METERS:
        return None
    return Piece(*(round(number, 3) for number in (left, top, right - left, low - top)))


def _cut(part: Piece, hole: Piece) -> list[Piece]:
    """The parts of a rectangle above, below, left and right of another."""
    inner = overlap(part, hole)
    if inner is None:
        return [part]
    right, low = part.x + part.width, part.y + part.depth
    inner_right, inner_low = inner.x + inner.width, inner.y + inner.depth
    sides = (
        (part.x, part.y, right, inner.y),
        (part.x, inner_low, right, low),
        (part.x, inner.y, inner.x, inner_low),
        (inner_right, inner.y, right, inner_low),
    )
    return [piece for side in sides if (piece := _make(*side))]


def _fit(zone: Zone, pieces: Iterable[Piece | None]) -> Zone | None:
    """The zone with these parts, its rectangle around them."""
    parts = tuple(piece for piece in pieces if piece)
    if not parts:
        return None
    left, top = min(part.x for part in parts), min(part.y for part in parts)
    right, low = max(part.x + part.width for part in parts), max(part.y + part.depth for part in parts)
    width, depth = round(right - left, 3), round(low - top, 3)
    return replace(zone, x=left, y=top, width=width, depth=depth, parts=parts)
