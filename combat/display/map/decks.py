"""The decks of a scene as drawn: who is on which, the ways between them, and people on other decks.

Decks lie side by side on the plane, so all are on the map; a page goes from one to the other.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from combat.rules.core.space import BattleMap, Deck, Passage, map_of
from combat.rules.core.space.decks import find_deck, find_ends
from combat.rules.core.state.state import State

from ..plane.names import Box
from ..shapes.deck_shapes import DeckGhost, DeckView, HoleView, WayEnd
from ..shapes.scene_shapes import SceneView, Token

LETTER, TALL = 0.27, 1.1  # meters: of a letter above a way, and from the way's middle to the top of its words


def add_decks(state: State, scene: SceneView) -> SceneView:
    """The scene with the decks that its viewer may know; a scene with one deck stays as it is."""
    built = map_of(state.scene)
    if not built.decks:
        return scene
    decks = sorted(built.decks, key=lambda deck: (deck.height, deck.id))
    on = {token.id: find_deck(decks, token.x, token.y) for token in scene.tokens}
    ends = [(way, *pair) for way in built.ways if (pair := find_ends(built.decks, way))]
    return replace(
        scene,
        decks=tuple(_view_deck(deck, n, scene, on) for n, deck in enumerate(decks, 1)),
        ways=tuple(end for way in ends for end in _view_ends(*way)),
        holes=tuple(hole for way in ends for hole in _view_holes(*way)),
        elsewhere=tuple(ghost for way in ends for ghost in _find_ghosts(*way, scene, on)),
    )


def _view_deck(deck: Deck, number: int, scene: SceneView, on: dict[str, Deck | None]) -> DeckView:
    people = [one for one in scene.tokens if on[one.id] is deck and not one.is_out]
    return DeckView(
        number,
        deck.name,
        (deck.x, deck.y, deck.width, deck.depth),
        people=tuple(one.full_name for one in people),
        pc=any(one.pc for one in people),
        acts=any(one.active for one in people),
    )


def _view_ends(way: Passage, low: Deck, high: Deck) -> Iterator[WayEnd]:
    for x, y, other, up in ((way.x1, way.y1, high, True), (way.x2, way.y2, low, False)):
        name = way.name or way.kind.capitalize()
        if way.kind != "gallery":
            state = "locked" if way.locked else "" if way.open else "shut"
            yield WayEnd(way.id, way.kind, name, spot=(x, y), leads=other.name, up=up, state=state)


def find_way_boxes(built: BattleMap) -> tuple[Box, ...]:
    """What the ends of ways cover on the map, with the words above them."""
    ends = [(way, *pair) for way in built.ways if (pair := find_ends(built.decks, way))]
    shown = [end for way in ends for end in _view_ends(*way)]
    return tuple(_find_way_box(end) for end in shown)


def _find_way_box(end: WayEnd) -> Box:
    (x, y), half = end.spot, max(0.5, LETTER * len(f"  {end.leads}{end.state and f' ({end.state})'}") / 2)
    return x - half, y - TALL, x + half, y + 0.5


def _view_holes(way: Passage, low: Deck, high: Deck) -> Iterator[HoleView]:
    """The opening on the upper deck, and what lies under it on the lower one."""
    if way.hole and way.open:
        x, y, width, depth = way.hole
        yield HoleView(x, y, width, depth, upper=True)
        yield HoleView(round(x - high.shift + low.shift, 3), y, width, depth, upper=False)


def _find_ghosts(
    way: Passage, low: Deck, high: Deck, scene: SceneView, on: dict[str, Deck | None]
) -> Iterator[DeckGhost]:
    """Those on one deck, where they are above or below on the other, near an open hole between the two."""
    if not way.hole or not way.open:
        return
    x, y, width, depth = way.hole
    for one in scene.tokens:
        here = on[one.id]
        if here not in (low, high) or one.seated:
            continue
        there = high if here is low else low
        plan = one.x - here.shift + high.shift
        if x - GHOSTS_M <= plan <= x + width + GHOSTS_M and y - GHOSTS_M <= one.y <= y + depth + GHOSTS_M:
            yield _make_ghost(one, here, there)


GHOSTS_M = 4.0  # meters around a hole within which it shows who is on the other deck


def _make_ghost(one: Token, here: Deck, there: Deck) -> DeckGhost:
    spot = round(one.x - here.shift + there.shift, 3), one.y
    return DeckGhost(one.name, here.name, spot, up=here.height > there.height)
