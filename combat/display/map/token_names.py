"""The names of people on a wide map: below, above or beside their tokens, clear of tokens and walls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from combat.rules.core.space import Wall

from ..plane.callouts import Body, place_callouts
from ..plane.crowd import LETTERS, TOKEN_METERS, find_name, find_walls, place_name
from ..plane.names import Box
from ..shapes.scene_shapes import Token

FEW = 24  # people on a map: each name is tried in many places
MOST_WALLS = 24  # near someone: among more, no name is clear of them
MARKED = 1.3  # the size of a token with its bar and the mark of whose turn it is, of its own


def place_token_names(tokens: Sequence[Token], scale: float, walls: Iterable[Wall] = ()) -> Iterator[Token]:
    """Tokens with the places of their names.

    Player characters choose first, and try places beside them and shorter names too. Others get one where
    there is room, if they have no number; at a side only while few are on the map. While few are, names leave
    walls free too, but a name lies across a wall rather than not at all.
    """
    around = find_walls(walls if len(tokens) <= FEW else (), [one.spot for one in tokens])
    near = {one.id: boxes for one, boxes in zip(tokens, around, strict=True) if 0 < len(boxes) <= MOST_WALLS}
    taken: list[Box] = []
    named: dict[str, Token] = {}
    for one in sorted(tokens, key=lambda token: not token.pc):
        found = _name(one, tokens, scale, [*taken, *near[one.id]]) if one.id in near else None
        if found is None or found.label not in (one.name, one.name.split()[0]):
            found = _name(one, tokens, scale, taken)
        if found:
            named[one.id] = found
            taken.append(find_name_box(found))
    return (named.get(one.id, one) for one in tokens)


def _name(one: Token, tokens: Sequence[Token], scale: float, taken: list[Box]) -> Token | None:
    """A token with its name where that is free; None if nowhere."""
    drawn = [(other.spot, other.scale) for other in tokens]
    is_plain = not one.look.badge and one.scale >= scale
    short, size = one.name.split()[0], one.name_scale
    larger = (one.scale / scale - 1) * TOKEN_METERS / 2
    for label in (one.name, short) if one.pc else (one.name,) if is_plain else ():
        at = place_name(label, one.spot, size, drawn, taken, larger)
        if at:
            return replace(one, label=label, name_at=at)
    if one.pc or (not one.look.badge and len(tokens) <= FEW):
        return _name_aside(one, tokens, taken)
    return None


def _name_aside(one: Token, tokens: Sequence[Token], taken: list[Box]) -> Token | None:
    """A token with its name or initials where it is free around it; None if nowhere."""
    bodies = [_find_body(other).box for other in tokens]
    body, font = _find_body(one), LETTERS * one.name_scale
    found = place_callouts([(one.id, one.name, body)], [*bodies, *taken], font).get(one.id)
    if found is None:
        return None
    at, aside = found.down / one.name_scale, found.across / one.name_scale
    return replace(one, label=found.label, name_at=round(at, 2), name_x=round(aside, 2))


def _find_body(one: Token) -> Body:
    """What a token covers with its bar and the mark of whose turn it is."""
    return Body(one.spot, TOKEN_METERS * one.scale / 2 * MARKED)


def find_name_box(one: Token) -> Box:
    """The part of the map that a token's name covers."""
    (x, y), aside = one.spot, one.name_x * one.name_scale
    return find_name(one.label, (x + aside, y), one.name_scale, one.name_at)
