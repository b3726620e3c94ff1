"""Lines from deck to deck: they pass a floor only through an open hole in it, from eye to eye."""

from __future__ import annotations

from ..battle_map import BattleMap
from ..decks import Deck, find_deck, find_hole
from ..plane import Point, Spot

EYES_M = 1.5  # meters above the ground: the height of eyes and muzzles
Leg = tuple[Spot, Spot]


def find_legs(
    battle_map: BattleMap, low: Point, high: Point, ends: tuple[Spot, Spot]
) -> tuple[Leg, ...] | None:
    """The parts of a line on the plane, one on each deck, from below; None if a floor stops it.

    The line runs from eye to eye, between two `ends` near the places of a lower and a higher person.
    """
    rise = high.z - low.z
    here = ends[0][0] - (low.shift or 0.0), ends[0][1]
    there = ends[1][0] - (high.shift or 0.0), ends[1][1]
    legs, start, shift = [], here, low.shift or 0.0
    for deck in _find_floors(battle_map.decks, low, high):
        share = (deck.height - low.z - EYES_M) / rise if rise > 0 else -1.0
        if not 0 < share < 1:
            return None
        spot = here[0] + (there[0] - here[0]) * share, here[1] + (there[1] - here[1]) * share
        if not find_hole(battle_map.ways, spot[0] + deck.shift, spot[1]):
            return None
        legs.append(_put(start, spot, shift))
        start, shift = spot, deck.shift
    return (*legs, _put(start, there, shift)) if legs else None


def _find_floors(decks: tuple[Deck, ...], low: Point, high: Point) -> list[Deck]:
    """The decks whose floor is between two places, from below, the deck of the higher one the last."""
    upper, lower = find_deck(decks, high.x, high.y), find_deck(decks, low.x, low.y)
    if upper is None or lower is None or upper.height <= lower.height:
        return []
    between = (d for d in decks if lower.height < d.height < upper.height and _is_below(d, low))
    return [*sorted(between, key=lambda deck: deck.height), upper]


def _is_below(deck: Deck, low: Point) -> bool:
    """Whether a deck lies above the place of someone below."""
    x = low.x - (low.shift or 0.0) + deck.shift
    return deck.x <= x <= deck.x + deck.width and deck.y <= low.y <= deck.y + deck.depth


def _put(start: Spot, end: Spot, shift: float) -> Leg:
    """A part of a line where its deck is on the plane."""
    return (start[0] + shift, start[1]), (end[0] + shift, end[1])
