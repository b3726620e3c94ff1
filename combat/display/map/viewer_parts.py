"""The parts of a scene that depend on its viewer: fog and the visible picture, doors in reach, pointers."""

from __future__ import annotations

from collections.abc import Collection
from math import ceil, floor

from msgspec.structs import replace

from characters.display.shapes import Shape
from combat.audience.fetching import find_players
from combat.audience.map_fog import find_clip
from combat.audience.viewer import Viewer
from combat.rules.core.commands.commands import Action, find_refusal
from combat.rules.core.declaration.system import System
from combat.rules.core.space import Picture, map_of
from combat.rules.core.state.state import State, is_acting
from combat.sharing.pens import find_ink, find_ink_of
from combat.sharing.viewer_context import ViewerContext

from ..plane.plan import view_fog
from ..shapes.scene_shapes import SceneView
from ..shapes.table_shapes import CombatantView
from .decks import add_decks
from .scene import view_scene

PEN_FOLD = "map-pens"  # the id of the fold with the list of who may draw


def view_present_scene(
    context: ViewerContext, people: dict[str, CombatantView], whose: str = ""
) -> SceneView:
    """The scene as it is now and as its viewer may see it; `whose` turn is shown, else the active one's."""
    scene = view_scene(context.system, context.known_state, people, whose=whose)
    return add_decks(context.known_state, uncover(scene, context.full_state, context.viewer))


def uncover(scene: SceneView, state: State, viewer: Viewer) -> SceneView:
    """The scene view of a state with all its secrets, with the viewer's fog and their part of the picture."""
    clip = find_clip(state, viewer)
    if clip:
        scene = replace(scene, box=widen(scene.box, clip.shown))
    plan = replace(scene.plan, picture=clip.shown if clip else None)
    return replace(scene, plan=plan, fog=view_fog(state, viewer))


def widen(box: tuple[int, int, int, int], picture: Picture) -> tuple[int, int, int, int]:
    """The shown part of the plane, extended to hold a picture: left, top, width, height in meters."""
    left, top = min(box[0], floor(picture.x) - 1), min(box[1], floor(picture.y) - 1)
    right = max(box[0] + box[2], ceil(picture.x + picture.width) + 1)
    low = max(box[1] + box[3], ceil(picture.y + picture.depth) + 1)
    return left, top, right - left, low - top


DOOR = "door"  # the field of a game's action that names a door of the map


class Handle(Shape, frozen=True):
    """A door within reach: whether it would be opened, and why not now."""

    door: str
    opens: bool
    refused: str


class HandlesView(Shape, frozen=True):
    """The doors that someone can reach in their turn, with the action for them and its cost."""

    combatant: str
    name: str
    action: str
    cost: str
    doors: tuple[Handle, ...]


def view_handles(system: System, state: State, who: str) -> HandlesView | None:
    """The doors within reach of a combatant; None if it is not their turn or there are none."""
    if not is_acting(state, who):
        return None
    for action in system.actions.by_name.values():
        if action.who != "gm" and DOOR in action.type.__struct_fields__:
            doors = _find_handles(action, state, who)
            name = state.combatants[who].name
            return HandlesView(who, name, action.name, cost=action.cost, doors=doors) if doors else None
    return None


def _find_handles(action: Action, state: State, who: str) -> tuple[Handle, ...]:
    against = find_refusal(action, state, who)
    open_doors = {wall.id for wall in map_of(state.scene).walls if wall.open}
    return tuple(
        Handle(option.value, option.value not in open_doors, against.message if against else option.refused)
        for field in action.find_fields(state, who)
        if field.name == DOOR
        for option in field.options
    )


class PenSeat(Shape, frozen=True):
    """A seat that can get a pointer; `ink` is the colour of its pointer."""

    pk: int
    name: str
    ink: int | None


class PensView(Shape, frozen=True):
    """The colour in which a viewer may draw, None if they may not.

    `seats` are the players' for the GM whose list of them is open, else None.
    """

    ink: int | None
    seats: tuple[PenSeat, ...] | None = None


def view_pens(context: ViewerContext, folds: Collection[str]) -> PensView | None:
    """The pointers of a table, for a page with these folds open; None for spectators."""
    if context.viewer.is_spectator:
        return None
    if not context.viewer.is_gm or PEN_FOLD not in folds:
        return PensView(find_ink(context))
    seats = find_players(context.encounter.pk)
    return PensView(0, tuple(PenSeat(seat.pk, seat.name, find_ink_of(seat)) for seat in seats))
