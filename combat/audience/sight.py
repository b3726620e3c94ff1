"""What somebody may know of a battle map with fog: by the eyes of whose side they look."""

from __future__ import annotations

from collections.abc import Iterable

from combat.audience.viewer import Viewer
from combat.rules import SYSTEMS, find_system
from combat.rules.core.space import Scene, map_of
from combat.rules.core.space.battle_map import is_hidden_at
from combat.rules.core.space.fog import holds
from combat.rules.core.space.grid import Grid
from combat.rules.core.state.state import Item, State
from combat.rules.core.vision import (
    Eyes,
    Known,
    find_known,
    find_player_sides,
    find_unseen,
    keeps_secrets,
    veil,
)


def find_eyes(state: State) -> Eyes:
    """How combatants look at this map; plainly in a game that is not installed here."""
    if state.system not in SYSTEMS:
        return Eyes(Grid(), lambda fighter: False)
    return find_system(state.system).find_eyes(state)


def find_sides(state: State, viewer: Viewer) -> tuple[str, ...]:
    """The sides by whose eyes somebody looks: their own, or all of the players' for who only watches."""
    own = {state.combatants[who].side for who in viewer.seats if who in state.combatants}
    return tuple(sorted(own)) or find_player_sides(state)


def find_out_of_sight(state: State, viewer: Viewer) -> frozenset[str]:
    """The combatants whom a viewer's sides do not see on the map, without their own."""
    if viewer.is_gm or not keeps_secrets(state.scene):
        return frozenset()
    return find_unseen(state, find_eyes(state), find_sides(state, viewer)) - viewer.seats


def find_known_map(state: State, viewer: Viewer) -> Known | None:
    """The cells of the map that a viewer sees now, and those they know; None where they know all of it."""
    if viewer.is_gm or not keeps_secrets(state.scene):
        return None
    return find_known(state, find_eyes(state), find_sides(state, viewer))


def is_known_to_players(state: State, x: float, y: float) -> bool:
    """Whether all players know a spot of the map as it is drawn."""
    if is_hidden_at(map_of(state.scene).hidden, x, y):
        return False
    known = find_known_map(state, Viewer())
    return known is None or known.knows(x, y)


def veil_scene(scene: Scene, state: State, viewer: Viewer) -> Scene:
    """The scene of a state without what lies in the fog."""
    known = find_known_map(state, viewer)
    return scene if known is None else veil(scene, find_eyes(state), known)


def find_ground(lying: Iterable[Item], state: State, viewer: Viewer) -> tuple[Item, ...]:
    """What of the things on the ground a viewer sees now."""
    known = find_known_map(state, viewer)
    if known is None:
        return tuple(lying)
    plot = find_eyes(state).grid.plot
    seen = ((item, plot(item.at)) for item in lying if item.at)
    return tuple(item for item, spot in seen if holds(known.window, known.seen, known.window.find_cell(spot)))
