"""What a fight still lacks before it starts, and the scenes that are ready to be used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from combat.models import ShareLink
from combat.play.scenes.ready import GROUPS, ReadyScene, find_ready_scenes
from combat.rules.core.declaration.system import System
from combat.rules.core.map.bodies import metres_of
from combat.rules.core.people.sides import standing_sides
from combat.rules.core.space import find_zone, map_of
from combat.rules.core.space.grid import make_grid
from combat.rules.core.space.paths import is_filled
from combat.rules.core.state.state import Combatant, State, present
from combat.sharing.viewer_context import ViewerContext

from ..map.scene import view_scene
from ..shapes.scene_shapes import SceneView
from .sides_view import SideView

DONE, OPEN, OPTIONAL = "done", "open", "optional"


@dataclass(frozen=True)
class Check:
    """One thing to look at before the start: done, open or optional, and where to do it."""

    state: str
    title: str
    about: str
    place: str = ""
    link: str = ""


def make_checklist(
    context: ViewerContext, sides: Sequence[SideView], dock: dict[str, Any] | None
) -> tuple[Check, ...]:
    """What is ready and what is missing, in the order of preparing."""
    return (
        _check_scene(context.known_state),
        _check_sides(context, sides),
        *_check_places(context.system, context.known_state),
        *_check_players(context, dock),
    )


def _check_scene(state: State) -> Check:
    zones = len(state.scene.zones)
    about = f"{zones} zone{'' if zones == 1 else 's'}"
    if map_of(state.scene) or zones:
        return Check(DONE, state.scene.name or "Scene", about if zones else "a map without zones")
    return Check(OPTIONAL, "Scene", "open ground", "scene", "Choose a scene")


def _check_sides(context: ViewerContext, sides: Sequence[SideView]) -> Check:
    fighting = standing_sides(context.system, context.known_state)
    about = " against ".join(str(side.count) for side in sides if side.name in fighting)
    if len(fighting) > 1:
        return Check(DONE, f"{len(fighting)} sides", about)
    missing = "one side only" if fighting else "nobody yet"
    return Check(OPEN, "Two sides", missing, "people", "Add people")


def _check_places(system: System, state: State) -> list[Check]:
    """Whether everyone stands in a zone, where there are zones, and on free ground; and the sides apart."""
    people = [one for one in present(state) if not one.inside]
    if not people:
        return []
    if stuck := sum(_is_stuck(system, state, one) for one in people):
        return [Check(OPEN, f"{stuck} in a wall or a thing", "", "roster", "Choose a zone for them")]
    zones = [find_zone(state.scene, one.at) for one in people] if state.scene.zones else []
    if outside := zones.count(None):
        return [Check(OPEN, f"{outside} outside the zones", "", "roster", "Choose a zone for them")]
    used = {zone.id: zone.name for zone in zones if zone}
    if len(used) == 1 < len(state.scene.zones) and len(standing_sides(system, state)) > 1:
        hint = "Place by side" if state.scene.starts else "Choose zones"
        return [Check(OPTIONAL, "All in one zone", next(iter(used.values())), "roster", hint)]
    all_zones = len(state.scene.zones)
    return [Check(DONE, "All placed", f"{len(people)} in {len(used)} of {all_zones} zones")] if used else []


def _is_stuck(system: System, state: State, combatant: Combatant) -> bool:
    drawn = map_of(state.scene)
    grid = make_grid(drawn, system.space.cell_metres, system.space.has_hexes(state))
    return is_filled(drawn, grid, combatant.at, metres_of(combatant))


def _check_players(context: ViewerContext, dock: dict[str, Any] | None) -> list[Check]:
    """Whether every player character has a player, and whether there is a link for players."""
    heroes = {one.id for one in present(context.known_state) if one.pc}
    seats = context.encounter.seats.filter(ended=None, kind=ShareLink.PLAY)
    played = {who for combatants in seats.values_list("combatants", flat=True) for who in combatants}
    found = []
    if heroes:
        left = len(heroes - played)
        about = "all have a player" if not left else f"{left} of {len(heroes)} without a player"
        state = DONE if not left else OPTIONAL
        found.append(Check(state, "Players", about))
    if dock is not None:
        found.append(Check(DONE, "Share link", "ready"))
    return found


@dataclass(frozen=True)
class ReadyView:
    """A scene of the library, drawn small, and whether it is the scene of this fight."""

    ready: ReadyScene
    scene: SceneView
    is_chosen: bool = False


@dataclass(frozen=True)
class ReadyGroup:
    """The scenes of one group; the open one has the scene of this fight, else it is the first."""

    name: str
    scenes: tuple[ReadyView, ...]
    is_open: bool


_drawn: dict[tuple[str, bool], tuple[ReadyView, ...]] = {}


def view_ready_scenes(system: System, state: State) -> tuple[ReadyGroup, ...]:
    """The scenes of the library by group, as a game draws them: on squares or hexes."""
    chosen = state.scene.name
    shown = [replace(one, is_chosen=one.ready.name == chosen) for one in _draw_all(system, state)]
    opened = next((one.ready.group for one in shown if one.is_chosen), GROUPS[0])
    return tuple(
        ReadyGroup(group, tuple(one for one in shown if one.ready.group == group), group == opened)
        for group in GROUPS
    )


def _draw_all(system: System, state: State) -> tuple[ReadyView, ...]:
    """All scenes of the library, drawn only once."""
    key = system.slug, system.space.has_hexes(state)
    if key not in _drawn:
        empty = msgspec.structs.replace(state, combatants={}, order=(), active="", ground=())
        _drawn[key] = tuple(
            ReadyView(one, view_scene(system, msgspec.structs.replace(empty, scene=one.scene), {}))
            for one in find_ready_scenes()
        )
    return _drawn[key]
