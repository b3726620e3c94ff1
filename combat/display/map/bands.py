"""The band that joins the tokens of a squad on the map, from each to the nearest next one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import dist

from msgspec.structs import replace

from combat.rules.core.space import Deck, Spot
from combat.rules.core.space.decks import find_deck

from ..plane.plotting import write_line
from ..shapes.scene_shapes import SceneView, SquadBand, Token
from ..shapes.table_shapes import CombatantView

WIDTH = 2.5  # meters of a band, of scale 1: a little more than a token


def add_bands(scene: SceneView, people: Mapping[str, CombatantView], decks: Iterable[Deck] = ()) -> SceneView:
    """The scene with the bands of all squads that its viewer knows.

    A band joins those who stand; those on another deck have one of their own, and one alone has none.
    """
    decks, groups = tuple(decks), dict[tuple[str, ...], list[Token]]()
    for token in scene.tokens:
        squad = people[token.id].squad if token.id in people else None
        if squad and not token.is_out:
            deck = find_deck(decks, token.x, token.y)
            groups.setdefault((*squad.ids, deck.id if deck else ""), []).append(token)
    bands = (_view_band(people[each[0].id], each) for each in groups.values() if len(each) > 1)
    return replace(scene, bands=tuple(bands))


def _view_band(row: CombatantView, tokens: list[Token]) -> SquadBand:
    name, width = row.squad.name if row.squad else "", WIDTH * max(one.scale for one in tokens)
    return SquadBand(name, write_line(_join(tokens)), width, row.look.tone)


def _join(tokens: list[Token]) -> tuple[Spot, ...]:
    """A line through all of them, always to the nearest of those who are left."""
    left = [token.spot for token in tokens]
    line = [left.pop(0)]
    while left:
        line.append(left.pop(left.index(min(left, key=lambda spot: dist(spot, line[-1])))))
    return tuple(line)
