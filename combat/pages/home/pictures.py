"""Small pictures of scenes: the map with its people, without words, numbers or anything to press."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import ceil, floor

from django.utils.safestring import SafeString
from msgspec.structs import replace

from combat.audience.viewer import GM
from combat.display.map.scene import view_scene
from combat.display.regions import Drawn, draw
from combat.display.shapes.scene_shapes import SceneView
from combat.display.shapes.table_shapes import CombatantView
from combat.rules import find_system
from combat.rules.core.declaration.demo import Demo
from combat.rules.core.declaration.system import System
from combat.rules.core.state.state import State
from combat.sharing.viewer_context import ViewerContext

from ..table.rows import view_combatants, view_known
from .board import play_steps

TEMPLATE = "combat/home/picture.html"
LEAST, MARGIN = 6, 2  # meters of a picture at least; around the tokens, in their sizes


class Picture(Drawn, frozen=True):
    """A scene without words; `picture_at` is the address of what lies under it, if it is no encounter's."""

    scene: SceneView
    picture_at: str = ""


@dataclass(frozen=True)
class DemoView:
    """A demo fight: the value that opens it, its name and the short one, its picture, how many are in it."""

    value: str
    name: str
    title: str
    people: int
    picture: SafeString


def draw_picture(
    system: System,
    known: State,
    combatants: dict[str, CombatantView],
    encounter: int = 0,
    *,
    picture_at: str = "",
    key: str = "",
) -> SafeString:
    """The picture of a scene as far as its viewer knows it; empty if there is nothing to draw.

    `encounter` is the number of the encounter whose picture lies under the scene; another's is `picture_at`.
    `key` keeps the ids of its patterns from those of the same scene's map on the same page.
    """
    if not (known.scene.zones or known.scene.map or combatants):
        return SafeString()
    scene = view_scene(system, known, combatants)
    zones = tuple(replace(zone, combatants=(), way="", names=()) for zone in scene.zones)
    tokens = tuple(replace(token, look=replace(token.look, badge="")) for token in scene.tokens)
    land = replace(scene.land, key=f"{key}{scene.land.key}")
    plain = replace(scene, zones=zones, tokens=tokens, ground=(), box=find_frame(scene), land=land)
    return draw(TEMPLATE, Picture(encounter, system.slug, plain, picture_at)).html


def find_frame(scene: SceneView) -> tuple[int, int, int, int]:
    """The part of the plane around the people; what lies beside it fills the rest of the picture."""
    if not scene.tokens:
        return scene.box
    xs, ys = zip(*(token.spot for token in scene.tokens), strict=True)
    margin = MARGIN * scene.scale
    wide, tall = max(max(xs) - min(xs), LEAST), max(max(ys) - min(ys), LEAST)
    left, top = (min(xs) + max(xs) - wide) / 2, (min(ys) + max(ys) - tall) / 2
    x, y = floor(left - margin), floor(top - margin)
    return x, y, ceil(left + wide + margin) - x, ceil(top + tall + margin) - y


def draw_known(context: ViewerContext, key: str = "") -> SafeString:
    """The picture of an encounter's scene, as one viewer may see it; `key` as of `draw_picture`."""
    people, pk = view_known(context), context.encounter.pk
    return draw_picture(context.system, context.known_state, people, pk, key=key)


@cache
def view_demos(slug: str) -> tuple[DemoView, ...]:
    """A game's demo fights, each with the picture of its scene before the first turn."""
    system = find_system(slug)
    return tuple(_view_demo(system, demo, number) for number, demo in enumerate(system.demo.make_all()))


def _view_demo(system: System, demo: Demo, number: int) -> DemoView:
    *_, (state, _) = play_steps(system, demo.setup)
    views = view_combatants(system, state, GM)
    value = f"{system.slug}/{number}" if number else system.slug
    title = demo.name.partition(":")[0]
    return DemoView(value, demo.name, title, people=len(views), picture=draw_picture(system, state, views))
