"""Whether a hand reaches from a combatant to another, or to a place, past all barriers."""

from __future__ import annotations

from ..space import Point, map_of
from ..space.grid import Grid
from ..space.rays.hands import check_hand, find_bar
from ..space.rays.sight import Body
from ..state.state import Combatant, State
from .bodies import body_of


def is_open(state: State, grid: Grid, one: Combatant, other: Combatant) -> bool:
    """Whether no barrier is between two combatants."""
    return one.id == other.id or find_bar(map_of(state.scene), grid, body_of(one), body_of(other)) is None


def check_open(state: State, grid: Grid, one: Combatant, other: Combatant) -> None:
    """Refused("out_of_range") with the barrier between two combatants."""
    if one.id != other.id:
        names = (one.name, other.name)
        check_hand(map_of(state.scene), grid, body_of(one), body_of(other), names)


def check_open_to(state: State, grid: Grid, combatant: Combatant, place: Point, name: str) -> None:
    """Refused("out_of_range") with the barrier between a combatant and a named thing at a place."""
    names = (combatant.name, name)
    check_hand(map_of(state.scene), grid, body_of(combatant), Body(place), names)
