"""The cells of other decks that someone sees through open holes, as lines from eye to eye pass them.

A cell lies at the height of its deck, and is seen if someone who stands in its middle would be.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter

from ..barriers import Plan
from ..decks import Deck, find_deck, find_ends
from ..plane import Piece, Point, Spot
from .fog import Rows, Window, find_cells, find_within
from .shafts import EYES_M, find_legs


def find_through(plan: Plan, window: Window, eye: Point) -> Rows:
    """The cells on other decks visible from a place, row by row."""
    if not plan.pits:
        return {}
    key = ("through", window, eye)
    found = plan.kept.get(key)
    return found if found is not None else plan.keep(key, _look_through(plan, window, eye))


def _look_through(plan: Plan, window: Window, eye: Point) -> Rows:
    decks, found = plan.battle_map.decks, dict[int, int]()
    own = find_deck(decks, eye.x, eye.y)
    others = [deck for deck in decks if own and deck.height != own.height]
    whole = {window.top + n: window.whole for n in range(window.rows)}
    for deck in others:
        for piece in _find_pieces(plan, max(own or deck, deck, key=attrgetter("height")), deck, eye=eye):
            for column, row in find_cells(window, find_within(window, whole, piece)):
                if _is_seen(plan, eye, deck, (column * window.cell, row * window.cell)):
                    found[row] = found.get(row, 0) | 1 << column - window.left
    return found


def _find_pieces(plan: Plan, upper: Deck, deck: Deck, eye: Point) -> Iterator[Piece]:
    """The parts of a deck behind open holes in the upper one of two decks, as if no wall stood there."""
    share = (upper.height - eye.z - EYES_M) / (deck.height - eye.z)  # of the line from the eye, at the floor
    holes = [way for way in plan.battle_map.ways if way.hole and way.open] if 0 < share < 1 else []
    for way in holes:
        ends = find_ends(plan.battle_map.decks, way)
        if way.hole and ends and ends[1] == upper:
            x, y, width, depth = way.hole
            at = eye.x - (eye.shift or 0.0)
            left, top = at + (x - upper.shift - at) / share + deck.shift, eye.y + (y - eye.y) / share
            right, low = left + width / share, top + depth / share
            left, top = max(left, deck.x), max(top, deck.y)
            width, depth = min(right, deck.x + deck.width) - left, min(low, deck.y + deck.depth) - top
            if width > 0 and depth > 0:
                yield Piece(left, top, width, depth)


def _is_seen(plan: Plan, eye: Point, deck: Deck, spot: Spot) -> bool:
    """Whether a line from eye to eye reaches someone in the middle of a cell of another deck."""
    there = Point(*spot, deck.height, deck.shift)
    low, high = (eye, there) if eye.z < there.z else (there, eye)
    legs = find_legs(plan.battle_map, low, high, ((low.x, low.y), (high.x, high.y)))
    barriers = plan.index.barriers
    return legs is not None and all(
        barriers[n].top <= high.z for a, b in legs for n in plan.index.cross(a, b, plan.dark)
    )
