"""What someone may know of a battle map with fog, seen with the eyes of their side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, hypot

from combat.audience.viewer import Viewer
from combat.rules import SYSTEMS, find_system
from combat.rules.core.map import vision
from combat.rules.core.map.vision import (
    Eyes,
    Known,
    find_known,
    find_player_sides,
    hide_fogged,
    keeps_secrets,
)
from combat.rules.core.space import Scene, Spot, map_of
from combat.rules.core.space.battle_map import is_hidden_at
from combat.rules.core.space.grid import Grid
from combat.rules.core.space.rays.fog import holds
from combat.rules.core.state.state import Item, State

MAX_SAMPLES = 60  # between two spots of a line


def find_eyes(state: State) -> Eyes:
    """How combatants see on this map; without special sight in a game that is not installed here."""
    if state.system not in SYSTEMS:
        return Eyes(Grid(), lambda combatant: False)
    return find_system(state.system).find_eyes(state)


def find_sides(state: State, viewer: Viewer) -> tuple[str, ...]:
    """The sides whose eyes someone sees with: their own, or all players' sides for spectators."""
    own = {state.combatants[who].side for who in viewer.seats if who in state.combatants}
    return tuple(sorted(own)) or find_player_sides(state)


def find_unknown(state: State, viewer: Viewer) -> frozenset[str]:
    """The ids of the combatants that a viewer may not know of, including those who left."""
    if viewer.is_gm:
        return frozenset()
    return vision.find_unknown(state, find_eyes(state), find_sides(state, viewer)) - viewer.seats


def find_known_map(state: State, viewer: Viewer) -> Known | None:
    """The cells of the map that a viewer sees now, and those they know; None if they know the whole map."""
    if viewer.is_gm or not keeps_secrets(state.scene):
        return None
    return find_known(state, find_eyes(state), find_sides(state, viewer))


def find_known_runs(state: State, line: Sequence[Spot]) -> list[list[Spot]]:
    """The pieces of a line over the map, as drawn, that lie where all players know the map."""
    hidden, known = map_of(state.scene).hidden, find_known_map(state, Viewer())

    def is_known(spot: Spot) -> bool:
        return not is_hidden_at(hidden, *spot) and (known is None or known.knows(*spot))

    runs: list[list[Spot]] = []
    before: Spot | None = None
    for spot in line:
        if not is_known(spot):
            before = None
            continue
        if before is None or not all(map(is_known, _between(before, spot))):
            runs.append([])
        runs[-1].append(spot)
        before = spot
    return runs


def _between(one: Spot, other: Spot) -> Iterable[Spot]:
    """Spots between two others, half a meter apart unless that makes more than MAX_SAMPLES."""
    steps = min(MAX_SAMPLES, ceil(2 * hypot(other[0] - one[0], other[1] - one[1])))
    for step in range(1, steps):
        yield one[0] + (other[0] - one[0]) * step / steps, one[1] + (other[1] - one[1]) * step / steps


def hide_fogged_scene(scene: Scene, state: State, viewer: Viewer) -> Scene:
    """The scene of a state without what lies in the fog."""
    known = find_known_map(state, viewer)
    return scene if known is None else hide_fogged(scene, find_eyes(state), known)


def find_ground(lying: Iterable[Item], state: State, viewer: Viewer) -> tuple[Item, ...]:
    """The things on the ground that a viewer sees now."""
    known = find_known_map(state, viewer)
    if known is None:
        return tuple(lying)
    plot = find_eyes(state).grid.plot
    seen = ((item, plot(item.at)) for item in lying if item.at)
    return tuple(item for item, spot in seen if holds(known.window, known.seen, known.window.find_cell(spot)))
