"""Paths around the walls of the battle map, from cell to cell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from combat.rules.core.map.bodies import go_near_body, meters_of
from combat.rules.core.space import Point, map_of
from combat.rules.core.space.paths import Way, find_ground, find_paths, go_round, has_walls, is_open
from combat.rules.core.state.state import Combatant, State

from ..book.options import find_option
from .paths import find_path
from .place import is_map
from .sight_lines import find_grid

ARM = 1.0


def make_way(state: State, combatant: Combatant) -> Way:
    """Paths from cell to cell, counted as the table has it. [SS-MAP-04] [SS-MAP-05] [SS-OTHER-07]

    RULING R45
    """
    slant = 1.5 if find_option(state, "diagonal") == "five_ten_alternate" else 1.0
    ground = find_ground(state.scene, frozenset({"difficult"}))
    return Way(find_grid(state), True, slant, ground, meters=meters_of(combatant))


def are_in_the_way(state: State) -> bool:
    """Whether the fight is on a map with walls.  [SS-MAP-01]"""
    return is_map(state) and has_walls(map_of(state.scene))


def find_route(state: State, combatant: Combatant, to: str) -> tuple[Point, ...]:
    """The path to the goal of a command, around obstacles; Refused if there is none."""
    path = find_path(state, combatant, to)
    if not are_in_the_way(state):
        return path
    way, (kind, _, name) = make_way(state, combatant), to.partition(":")
    other = state[name] if kind == "near" else None
    near = go_near_body(map_of(state.scene), way, combatant, other=other, gap=ARM) if other else None
    return near or go_round(map_of(state.scene), way, path)


def find_clear(state: State, combatant: Combatant, cells: tuple[Point, ...]) -> tuple[Point, ...]:
    """The first of these cells, up to what blocks a combatant who is pushed."""
    if not are_in_the_way(state):
        return cells
    kept = [cells[0]]
    for cell in cells[1:]:
        if not is_open(map_of(state.scene), find_grid(state), kept[-1], b=cell, meters=meters_of(combatant)):
            break
        kept.append(cell)
    return tuple(kept)


def find_each(
    state: State, combatant: Combatant, goals: Iterable[Point], meters: int
) -> Iterator[tuple[Point, ...]]:
    """The paths of a combatant to each of the goals within `meters`."""
    return find_paths(map_of(state.scene), make_way(state, combatant), combatant.at, goals=goals, most=meters)
