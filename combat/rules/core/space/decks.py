"""Decks: stretches of the one plane that lie above each other, and the ways between them.

The decks of a scene lie side by side on the plane, each a rectangle: walls, paths, light and fog know nothing
else. Its `height` and its `shift` say where in the ship, the station or the house it is: a place x of a deck
is above or below each place of another with the same x − shift and the same y.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

STAIRS, LADDER, LIFT_WAY, SHAFT, HATCH, GALLERY = "stairs", "ladder", "lift", "shaft", "hatch", "gallery"
WAY_KINDS = (STAIRS, LADDER, LIFT_WAY, SHAFT, HATCH, GALLERY)
SHUTTERS = (LIFT_WAY, SHAFT, HATCH)  # those that people shut and open as doors
CLIMBED = (LADDER, SHAFT, HATCH)
UP, DOWN = "up", "down"
MAX_DECKS, MAX_WAYS = 8, 40
GAP_M = 1.0  # meters at least between two decks on the plane
RIM_M = 0.25  # meters from the edge of an opening within which nobody falls
Spot = tuple[float, float]
Box = tuple[float, float, float, float]  # corner, width, depth; in meters


class Deck(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A deck: its rectangle on the plane, the height of its floor, and its shift; all in meters.

    `height` counts from the zero of all heights of the scene, as do the heights of its zones. `shift` is how
    far to the right of its place in the ship it is drawn.
    """

    id: str
    name: str
    x: float
    y: float
    width: float
    depth: float
    height: float = 0.0
    shift: float = 0.0


class Passage(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A way between two decks: the places where it begins, below and above, on the plane in meters.

    `hole` is the opening in the upper deck through which one sees, shoots and falls: corner, width and depth.
    A gallery is nothing else: nobody walks it. A way that is not `open` lets nothing through; only the GM
    opens a `locked` one. A `blind` way leads "up" or "down" to where its reader does not know: on the map
    that players may know its far end is a spot that they do know. A drawn map has none.
    """

    id: str
    kind: str
    x1: float
    y1: float
    x2: float
    y2: float
    name: str = ""
    hole: Box | None = None
    open: bool = True
    locked: bool = False
    blind: str = ""


def is_within(box: Box, x: float, y: float, rim: float = 0.0) -> bool:
    """Whether a spot is in a rectangle, at least `rim` meters from its edge."""
    return rim <= x - box[0] <= box[2] - rim and rim <= y - box[1] <= box[3] - rim


def box_of(deck: Deck) -> Box:
    """The rectangle of a deck on the plane."""
    return deck.x, deck.y, deck.width, deck.depth


def find_deck(decks: Iterable[Deck], x: float, y: float) -> Deck | None:
    """The deck of a spot of the plane; None outside of all."""
    for deck in decks:
        if 0 <= x - deck.x <= deck.width and 0 <= y - deck.y <= deck.depth:
            return deck
    return None


def fit_height(decks: tuple[Deck, ...], deck: Deck | None, height: float) -> float:
    """A height of ground on a deck, or that of the deck if it lies in a deck above or below.

    What an older scene says there was never said of its deck.
    """
    if deck is None or height == deck.height:
        return height
    for one in decks:
        is_beyond = height <= one.height if one.height < deck.height else height >= one.height > deck.height
        if is_beyond and _lie_over(one, deck):
            return deck.height
    return height


def _lie_over(one: Deck, other: Deck) -> bool:
    """Whether two decks share more than a border on the plan of the ship."""
    left, right = one.x - one.shift, other.x - other.shift
    across = min(left + one.width, right + other.width) - max(left, right)
    return across > 0 and min(one.y + one.depth, other.y + other.depth) > max(one.y, other.y)


def without_lone_deck(decks: tuple[Deck, ...], ways: tuple[Passage, ...]) -> tuple[Deck, ...]:
    """The decks that someone knows; none for one alone, which would tell them that there are others.

    A scene with one deck stores none. One with a way, a height or a shift of its own tells of others anyway.
    """
    is_lone = len(decks) == 1 and not ways and not decks[0].height and not decks[0].shift
    return () if is_lone else decks


def find_hole(ways: Iterable[Passage], x: float, y: float, rim: float = 0.0) -> Passage | None:
    """The open hole at a spot of the plane; None on firm ground."""
    return next((way for way in ways if way.hole and way.open and is_within(way.hole, x, y, rim)), None)


def find_ends(decks: tuple[Deck, ...], way: Passage) -> tuple[Deck, Deck] | None:
    """The decks that a way joins, the lower one first; None if it leads nowhere."""
    low, high = find_deck(decks, way.x1, way.y1), find_deck(decks, way.x2, way.y2)
    return (low, high) if low and high and low.height < high.height else None


def find_joined(decks: tuple[Deck, ...], ways: Iterable[Passage], start: Iterable[str]) -> set[str]:
    """The ids of the decks that open ways join with some of them, those included."""
    found = set(start)
    walked = (way for way in ways if way.open and way.kind != GALLERY and not way.blind)
    pairs = [ends for way in walked if (ends := find_ends(decks, way))]
    for _ in decks:
        found |= {one.id for low, high in pairs for one in (low, high) if found & {low.id, high.id}}
    return found


def find_upper(decks: tuple[Deck, ...], way: Passage) -> Deck | None:
    """The deck of a way's upper end, also of a blind one that leads down; None if it is not known."""
    ends = find_ends(decks, way)
    if ends is None and way.blind == DOWN:
        return find_deck(decks, way.x2, way.y2)
    return ends[1] if ends else None


def find_known_ends(way: Passage) -> tuple[Spot, ...]:
    """The spots where a way begins, the lower one first; of a blind way only the near one."""
    low, high = (way.x1, way.y1), (way.x2, way.y2)
    return {UP: (low,), DOWN: (high,)}.get(way.blind, (low, high))


def find_floor(
    decks: tuple[Deck, ...], ways: tuple[Passage, ...], x: float, y: float
) -> tuple[float, float, Deck | None]:
    """Where someone comes to stand who is put at a spot: below an open hole, on the deck there."""
    deck = find_deck(decks, x, y)
    for _ in decks:
        way = find_hole(ways, x, y, RIM_M)
        ends = find_ends(decks, way) if way else None
        if deck is None or ends is None:
            break
        below = ends[0]
        x, deck = round(x - deck.shift + below.shift, 3), below
    return x, y, deck


def pass_hole(decks: tuple[Deck, ...], way: Passage, start: Spot, end: Spot) -> tuple[Spot, Spot] | None:
    """The spots on the decks of a start and an end, one above the other in a way's open hole, nearest to the
    end; None if its hole does not join them."""
    here, there, ends = find_deck(decks, *start), find_deck(decks, *end), find_ends(decks, way)
    if not (way.hole and way.open and here and there and ends) or {here.id, there.id} != {d.id for d in ends}:
        return None
    high, (x, y, width, depth) = ends[1], way.hole
    across = min(max(end[0] - there.shift + high.shift, x + RIM_M), x + width - RIM_M)
    down = min(max(end[1], y + RIM_M), y + depth - RIM_M)
    near, far = ((round(across - high.shift + deck.shift, 3), round(down, 3)) for deck in (here, there))
    return near, far


def fall_in(ways: Iterable[Passage], start: Spot, end: Spot) -> Spot | None:
    """The first spot inside an open hole on a straight line, in tenths of a meter; None without one."""
    many = int(max(abs(end[0] - start[0]), abs(end[1] - start[1])) * 10) + 1
    holes = [way for way in ways if way.hole and way.open]
    for n in range(1, many + 1) if holes else ():
        x, y = start[0] + (end[0] - start[0]) * n / many, start[1] + (end[1] - start[1]) * n / many
        if find_hole(holes, x, y, RIM_M):
            return x, y
    return None


def set_way(ways: tuple[Passage, ...], way: str, is_open: bool, locked: bool) -> tuple[Passage, ...]:
    """The ways with one of them open or shut, locked or not."""
    return tuple(
        msgspec.structs.replace(one, open=is_open, locked=locked) if one.id == way else one for one in ways
    )
