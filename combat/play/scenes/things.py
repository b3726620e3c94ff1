"""A thing on the map, such as a crate: the GM pushes it or takes it away from the table itself."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from combat.rules.core.basics.errors import Refused
from combat.rules.core.space import Obstacle, Point, Scene, map_of
from combat.rules.core.state.state import State, present

from .drawing import GONE, KINDS, OBSTACLE, change, check_on_deck, find_map_changes, remove

PUSH, REMOVE = "push_thing", "remove_thing"
WAYS = {"left": (-1, 0), "up": (0, -1), "down": (0, 1), "right": (1, 0)}
MAX_LENGTH = 60


def find_thing_changes(state: State, do: str, posted: Mapping[str, str]) -> dict[str, object]:
    """The fields of the command that pushes or removes a thing; Refused if that is impossible.

    A push goes one square, a meter on a map without squares.
    """
    thing = _find(state.scene, posted.get("thing", "")[:MAX_LENGTH])
    after = remove(state.scene, "obstacles", thing.id) if do == REMOVE else _push(state, thing, posted)
    return find_map_changes(map_of(state.scene), map_of(after))


def _find(scene: Scene, name: str) -> Obstacle:
    found = next((one for one in map_of(scene).obstacles if one.id == name), None)
    if found is None:
        raise Refused("unknown", GONE)
    return found


def _push(state: State, thing: Obstacle, posted: Mapping[str, str]) -> Scene:
    across, down = WAYS.get(posted.get("way", ""), (0, 0))
    if not (across or down):
        raise Refused("bad_value", "Choose a way to push it: left, up, down or right.")
    step = map_of(state.scene).cell or 1.0
    moved = replace(thing, x=round(thing.x + across * step, 3), y=round(thing.y + down * step, 3))
    corners = (Point(moved.x, moved.y), Point(moved.x + moved.width, moved.y + moved.depth))
    check_on_deck(state.scene, KINDS[OBSTACLE], corners)
    for one in present(state):
        if _is_over(moved, one.at) and not _is_over(thing, one.at):
            raise Refused("not_allowed", f"{one.name} stands there: move them first.")
    return change(state.scene, "obstacles", thing.id, x=moved.x, y=moved.y)


def _is_over(thing: Obstacle, at: Point) -> bool:
    """Whether a place on the ground lies inside the edges of a thing."""
    return 0 < at.x - thing.x < thing.width and 0 < at.y - thing.y < thing.depth
