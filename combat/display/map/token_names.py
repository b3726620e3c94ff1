"""The names of people on a wide map: below, above or beside their tokens, clear of tokens and walls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from combat.rules.core.space import Deck, Wall
from combat.rules.core.space.decks import find_deck

from ..plane.callouts import ENDLESS, Body, count_words, find_badge, find_short, is_nearest, place_callouts
from ..plane.crowd import LETTERS, TOKEN_METERS, find_name, find_walls, place_name
from ..plane.names import Box
from ..shapes.scene_shapes import Token

FEW = 24  # people on a map: each name is tried in many places
MOST_WALLS = 24  # near someone: among more, no name is clear of them
MARKED = 1.3  # the size of a token with its bar and the mark of whose turn it is, of its own


class Crowd(NamedTuple):
    """All tokens of a map, the size of names, the words of all names, and the edge of the map."""

    tokens: Sequence[Token]
    scale: float
    said: Mapping[str, int]
    edge: Box


def place_token_names(
    tokens: Sequence[Token],
    scale: float,
    walls: Iterable[Wall] = (),
    zones: Iterable[str] = (),
    edge: Box = ENDLESS,
    decks: Sequence[Deck] = (),
    signs: Sequence[Box] = (),
) -> Iterator[Token]:
    """Tokens with the places of their names, inside the edge and their deck; `zones` are the names of zones.

    The players' choose first, and try places beside them and shorter names too. Others get one where
    there is room, if they have no number; at a side only while few are on the map. While few are, names leave
    walls and the `signs` of ways free too, but a name lies across one rather than not at all. A name without
    room is initials on its token.
    """
    said = count_words((*(one.name for one in tokens), *zones))
    crowd = Crowd(tokens, scale, said, edge)
    around = find_walls(walls if len(tokens) <= FEW else (), [one.spot for one in tokens])
    near = {
        one.id: [*boxes, *signs]
        for one, boxes in zip(tokens, around, strict=True)
        if (boxes or signs) and len(boxes) <= MOST_WALLS
    }
    taken: list[Box] = []
    named: dict[str, Token] = {}
    for one in sorted(tokens, key=lambda token: not token.played):
        here = crowd._replace(edge=_find_edge(one, decks, edge))
        found = _name(one, here, [*taken, *near[one.id]]) if one.id in near else None
        if found is None or found.label not in (one.name, find_short(one.name, said)):
            found = _name(one, here, taken)
        if found:
            named[one.id] = found
            taken.append(find_name_box(found))
    return (named.get(one.id) or _mark(one) for one in tokens)


def _find_edge(one: Token, decks: Sequence[Deck], edge: Box) -> Box:
    """What a name must not cross: a page shows one deck, and the next one lies beside it."""
    deck = find_deck(decks, one.x, one.y)
    return (deck.x, deck.y, deck.x + deck.width, deck.y + deck.depth) if deck else edge


def _mark(one: Token) -> Token:
    """A token without a name beside it: its number, or its initials in the place of that."""
    return one if one.look.badge else replace(one, look=replace(one.look, badge=find_badge(one.name)))


def _name(one: Token, crowd: Crowd, taken: list[Box]) -> Token | None:
    """A token with its name where that is free; None if nowhere."""
    tokens, scale = crowd.tokens, crowd.scale
    drawn = [(other.spot, other.scale) for other in tokens]
    is_plain = not one.look.badge and one.scale >= scale
    short, size = find_short(one.name, crowd.said), one.name_scale
    bodies = [_find_round(other) for other in tokens]
    larger = (one.scale / scale - 1) * TOKEN_METERS / 2
    for label in (one.name, short) if one.played else (one.name,) if is_plain else ():
        at = place_name(label, one.spot, size, drawn=drawn, names=taken, larger=larger) if label else 0
        named = replace(one, label=label, name_at=at)
        box = find_name_box(named)
        fits = at > 0 or (at and len(tokens) > FEW)
        if fits and is_inside(box, crowd.edge) and is_nearest(box, _find_round(one), bodies):
            return named
    if one.played or (not one.look.badge and len(tokens) <= FEW):
        return _name_aside(one, crowd, taken)
    return None


def is_inside(box: Box, edge: Box) -> bool:
    """Whether a box lies within another one; it may touch its edge."""
    return box[0] >= edge[0] and box[1] >= edge[1] and box[2] <= edge[2] and box[3] <= edge[3]


def _name_aside(one: Token, crowd: Crowd, taken: list[Box]) -> Token | None:
    """A token with its name or initials where it is free around it; None if nowhere."""
    bodies = [_find_body(other) for other in crowd.tokens]
    body, font = _find_body(one), LETTERS * one.name_scale
    hidden = [*(other.box for other in bodies), *taken]
    found = place_callouts(
        [(one.id, one.name, body)], hidden, font, crowd.edge, said=crowd.said, bodies=bodies
    ).get(one.id)
    if found is None:
        return None
    at, aside = found.down / one.name_scale, found.across / one.name_scale
    return replace(one, label=found.label, name_at=round(at, 2), name_x=round(aside, 2))


def _find_body(one: Token) -> Body:
    """What a token covers with its bar and the mark of whose turn it is."""
    return Body(one.spot, TOKEN_METERS * one.scale / 2 * MARKED)


def _find_round(one: Token) -> Body:
    """What a token itself covers."""
    return Body(one.spot, TOKEN_METERS * one.scale / 2)


def find_name_box(one: Token) -> Box:
    """The part of the map that a token's name covers."""
    (x, y), aside = one.spot, one.name_x * one.name_scale
    return find_name(one.label, (x + aside, y), one.name_scale, one.name_at)
