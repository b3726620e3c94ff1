"""Reach by hand: near enough, and with no wall, shut door or closed vehicle in between.

Every action by hand uses it: blows, holds, a coup de grace, first aid, drugs, picking things up, getting into
vehicles, repairs.  RULING R31
"""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused, why_refused
from combat.rules.core.basics.words import say_number
from combat.rules.core.map.bodies import check_open, check_open_to, is_unbarred, stand_in
from combat.rules.core.space import Point
from combat.rules.core.state.state import Combatant, State

from ..characters.machinery import check_shell, find_shell
from .bands import CLOSE, PERSONAL, SQUARES, band_of, find_meters, is_beside, is_personal
from .sight_lines import find_grid


def is_within(state: State, one: Combatant, other: Combatant, *, closely: bool = False) -> bool:
    """Whether one combatant reaches another by hand: at Close range, or if `closely` at Personal range."""
    if one.id == other.id:
        return True
    if not (is_personal if closely else is_beside)(state, one, other) or why_refused(
        check_shell, state, one, other
    ):
        return False
    return is_unbarred(state, find_grid(state), one, other)


def check_within(state: State, one: Combatant, other: Combatant, *, closely: bool = False) -> None:
    """Refused("out_of_range") if one combatant cannot reach another by hand: too far, or blocked.

    [CE-GRAP-02] `closely` requires Personal range, otherwise Close range.
    """
    if one.id == other.id:
        return
    if closely and not is_personal(state, one, other):
        on_grid = state.scene.settings.get("distances") == SQUARES
        how = "move into their square first" if on_grid else "move beside them first"
        raise Refused("out_of_range", f"{other.name} is not at Personal range: {how}.")
    if not closely and not is_beside(state, one, other):
        away = say_number(round(find_meters(state, one, other), 1))
        raise Refused("out_of_range", f"{other.name} is {away} m away: move next to them, to Close range.")
    check_free_way(state, one, other)


def check_free_way(state: State, one: Combatant, other: Combatant) -> None:
    """Refused("out_of_range") if a wall, a shut door or the body of a vehicle is between two."""
    check_shell(state, one, other)
    check_open(state, find_grid(state), one, other)


def check_place(state: State, combatant: Combatant, place: Point, name: str) -> None:
    """Refused("out_of_range") for an item, by its name, that is too far away or behind a wall."""
    if band_of(find_meters(state, combatant, stand_in(combatant, place))) not in (PERSONAL, CLOSE):
        raise Refused("out_of_range", f"{name} is too far away: go there first.")
    if shell := find_shell(state, combatant):
        raise Refused("out_of_range", f"{name} lies outside {shell.name}: get out first.")
    check_open_to(state, find_grid(state), combatant, place=place, name=name)
