"""The parts of a scene that depend on the viewer's knowledge of the map: fog, and the visible picture."""

from __future__ import annotations

from math import ceil, floor

from msgspec.structs import replace

from combat.audience.picture_secrecy import find_clip
from combat.audience.viewer import Viewer
from combat.rules.core.space import Picture
from combat.rules.core.state.state import State

from ..plane.fog import view_fog
from ..shapes.scene_shapes import SceneView


def uncover(scene: SceneView, state: State, viewer: Viewer) -> SceneView:
    """The scene view of a state with all its secrets, with the viewer's fog and their part of the picture."""
    clip = find_clip(state, viewer)
    if clip:
        scene = replace(scene, box=widen(scene.box, clip.shown))
    plan = replace(scene.plan, picture=clip.shown if clip else None)
    return replace(scene, plan=plan, fog=view_fog(state, viewer))


def widen(box: tuple[int, int, int, int], picture: Picture) -> tuple[int, int, int, int]:
    """The shown part of the plane, extended to hold a picture: left, top, width, height in metres."""
    left, top = min(box[0], floor(picture.x) - 1), min(box[1], floor(picture.y) - 1)
    right = max(box[0] + box[2], ceil(picture.x + picture.width) + 1)
    low = max(box[1] + box[3], ceil(picture.y + picture.depth) + 1)
    return left, top, right - left, low - top
