"""What a fight still lacks before it starts, and the scenes that are ready to be used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from combat.display.map.scene import view_scene
from combat.models import ShareLink
from combat.play.scenes.ready import GROUPS, OwnScene, ReadyScene, find_own_scenes, find_ready_scenes
from combat.rules.core.declaration.system import System
from combat.rules.core.map.bodies import meters_of, with_room
from combat.rules.core.sides import describe_empty, standing_sides
from combat.rules.core.space import Scene, find_zone, map_of
from combat.rules.core.space.decks import GALLERY, find_deck, find_joined
from combat.rules.core.space.grid import make_grid
from combat.rules.core.space.paths import is_filled, is_in_opening
from combat.rules.core.state.state import Combatant, State, present
from combat.sharing.access import find_gm_context, for_visitors
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.forms import is_htmx

from ..table.rows import SideView

OWN = "Yours"  # the last group: scenes of other encounters
DONE, OPEN, OPTIONAL = "done", "open", "optional"


@dataclass(frozen=True)
class ReadinessItem:
    """One thing to look at before the start: done, open or optional, and where to do it.

    That is a `place` of this page, or another `page` of the encounter.
    """

    state: str
    title: str
    about: str
    place: str = ""
    link: str = ""
    page: str = ""


def make_checklist(
    context: ViewerContext, sides: Sequence[SideView], dock: dict[str, Any] | None
) -> tuple[ReadinessItem, ...]:
    """What is ready and what is missing, in the order of preparing."""
    return (
        _check_scene(context.known_state),
        _check_sides(context, sides),
        *_check_places(context.system, context.known_state),
        *_check_ways(context.system, context.known_state),
        *_check_players(context, dock),
    )


def find_missing(context: ViewerContext) -> str:
    """The first thing that a fight lacks before it can start; empty if it is ready."""
    system, state = context.system, context.known_state
    if len(standing := standing_sides(system, state)) < 2:
        return describe_empty(system, state) or ("one side only" if standing else "nobody yet")
    return next((check.title for check in _check_places(system, state) if check.state == OPEN), "")


def _check_scene(state: State) -> ReadinessItem:
    zones = len(state.scene.zones)
    about = f"{zones} zone{'' if zones == 1 else 's'}"
    if map_of(state.scene) or zones:
        return ReadinessItem(DONE, state.scene.name or "Scene", about if zones else "a map without zones")
    return ReadinessItem(OPTIONAL, "Scene", "open ground", place="scene", link="Choose a scene")


def _check_sides(context: ViewerContext, sides: Sequence[SideView]) -> ReadinessItem:
    fighting = standing_sides(context.system, context.known_state)
    about = " against ".join(str(side.count) for side in sides if side.name in fighting)
    if len(fighting) > 1:
        return ReadinessItem(DONE, f"{len(fighting)} sides", about)
    empty = describe_empty(context.system, context.known_state)
    missing = empty or ("one side only" if fighting else "nobody yet")
    return ReadinessItem(OPEN, "Two sides", missing, place="people", link="Add people")


def _check_places(system: System, state: State) -> list[ReadinessItem]:
    """Whether everyone stands in a zone, where there are zones, and on free ground; and the sides apart."""
    people = [one for one in present(state) if not one.inside]
    if not people:
        return []
    if stuck := sum(_is_stuck(system, state, one) for one in people):
        return [
            ReadinessItem(
                OPEN, f"{stuck} in a wall or an obstacle", "", place="roster", link="Choose a zone for them"
            )
        ]
    zones = [find_zone(state.scene, one.at) for one in people] if state.scene.zones else []
    if outside := zones.count(None):
        return [
            ReadinessItem(
                OPEN, f"{outside} outside the zones", "", place="roster", link="Choose a zone for them"
            )
        ]
    used = {zone.id: zone.name for zone in zones if zone}
    is_chase = all(_is_vehicle(system, one) for one in people)
    if len(used) == 1 < len(state.scene.zones) and len(standing_sides(system, state)) > 1 and not is_chase:
        return [
            ReadinessItem(
                OPTIONAL, "All in one zone", next(iter(used.values())), place="roster", link="Place by side"
            )
        ]
    all_zones = len(state.scene.zones)
    where = f"{len(used)} of {all_zones} zones" if all_zones > 1 else "1 zone"
    return [ReadinessItem(DONE, "All placed", f"{len(people)} in {where}")] if used else []


def _check_ways(system: System, state: State) -> list[ReadinessItem]:
    """Whether open ways lead from each side's decks to those of the others, where they stand on several."""
    drawn = map_of(state.scene)
    on = [
        (one.side, deck)
        for one in present(state)
        if not one.inside and (deck := find_deck(drawn.decks, one.at.x, one.at.y))
    ]
    decks = {side: {deck.id for of, deck in on if of == side} for side in standing_sides(system, state)}
    cut_off = [
        (one, other)
        for one, other in combinations([side for side in decks if decks[side]], 2)
        if decks[one].isdisjoint(find_joined(drawn.decks, drawn.ways, decks[other]))
    ]
    if not cut_off:
        return []
    first, second = cut_off[0]
    names = sorted({deck.name for side, deck in on if side in (first, second)})
    shut = any(way.kind != GALLERY for way in drawn.ways)
    link = "Open a way" if shut else "Draw a way"
    return [
        ReadinessItem(OPTIONAL, "No open way between the sides", ", ".join(names), link=link, page="scene")
    ]


def _is_vehicle(system: System, combatant: Combatant) -> bool:
    return system.look.vehicle is not None and system.look.vehicle(combatant) is not None


def _is_stuck(system: System, state: State, combatant: Combatant) -> bool:
    drawn = map_of(state.scene)
    grid = make_grid(drawn, system.space.cell_meters, system.space.has_hexes(state))
    body = with_room(combatant, _is_vehicle(system, combatant))
    at = combatant.at
    return is_filled(drawn, grid, at, meters_of(body)) and not is_in_opening(drawn, at, grid.cell / 2)


def _check_players(context: ViewerContext, dock: dict[str, Any] | None) -> list[ReadinessItem]:
    """Whether every player character has a player, and whether there is a link for players."""
    heroes = {one.id: one.name for one in present(context.known_state) if one.pc}
    seats = context.encounter.seats.filter(ended=None, kind=ShareLink.PLAY)
    played = {who for combatants in seats.values_list("combatants", flat=True) for who in combatants}
    found = []
    if heroes:
        left = len(heroes.keys() - played)
        all_have = "all have a player" if len(heroes) > 1 else f"{next(iter(heroes.values()))} has a player"
        about = all_have if not left else f"{left} of {len(heroes)} without a player"
        state = DONE if not left else OPTIONAL
        found.append(ReadinessItem(state, "Players", about))
    if dock is not None:
        found.append(ReadinessItem(DONE, "Share link", "ready"))
    return found


@dataclass(frozen=True)
class Picture:
    """A scene drawn small: the corner and size of what is seen, in meters, and what is inside the <svg>."""

    box: str
    inside: SafeString


@dataclass(frozen=True)
class ReadyView:
    """A scene of the library, whether it is the scene of this fight, and its picture if that is shown."""

    ready: ReadyScene
    is_chosen: bool
    picture: Picture | None


@dataclass(frozen=True)
class OwnView:
    """A scene of another encounter: its number, what it is called, and its picture."""

    number: int
    name: str
    of: str
    picture: Picture


@dataclass(frozen=True)
class ReadyGroup:
    """The scenes of one group; the open one has the scene of this fight, else it is the first."""

    name: str
    scenes: tuple[ReadyView, ...]
    is_open: bool


_drawn: dict[tuple[str, bool, str], Picture] = {}


def view_ready_scenes(system: System, state: State, wanted: str = "") -> tuple[ReadyGroup, ...]:
    """The scenes of the library by group; with pictures those of the `wanted` one."""
    scenes = find_ready_scenes()
    opened = next((one.group for one in scenes if one.name == state.scene.name), GROUPS[0])
    found = []
    for group in GROUPS:
        drawn = group == wanted
        shown = tuple(
            ReadyView(one, one.name == state.scene.name, _draw(system, state, one) if drawn else None)
            for one in scenes
            if one.group == group
        )
        found.append(ReadyGroup(group, shown, group == opened))
    return tuple(found)


def _view_own(system: System, state: State, one: OwnScene) -> OwnView:
    """A scene of another encounter, drawn small."""
    picture = _draw_small(system, state, one.scene, one.encounter)
    return OwnView(one.encounter, one.scene.name or one.of, one.of, picture)


def _draw(system: System, state: State, one: ReadyScene) -> Picture:
    """A scene as a game draws it, on squares or hexes; drawn only once."""
    key = system.slug, system.space.has_hexes(state), one.key
    if key not in _drawn:
        _drawn[key] = _draw_small(system, state, one.scene)
    return _drawn[key]


def _draw_small(system: System, state: State, drawn: Scene, encounter: int = 0) -> Picture:
    """A scene a hundred pixels wide; `encounter` is the number of the one that keeps its picture."""
    empty = msgspec.structs.replace(state, combatants={}, order=(), active="", ground=(), scene=drawn)
    scene = view_scene(system, empty, {})
    shown = {"scene": scene, "encounter": encounter}
    inside = render_to_string("combat/prep/scene/ready_ground.html", shown)
    inside = mark_safe(" ".join(inside.split()))  # noqa: S308 - the template has escaped it
    return Picture(" ".join(map(str, scene.box)), inside)


@for_visitors
@require_safe
def show_ready_scenes(request: HttpRequest, pk: int) -> HttpResponse:
    """The pictures of one group, or of none if there is no such group. Others than scripts get the page."""
    context, wanted = find_gm_context(request, pk), request.GET.get("group", "")
    if not is_htmx(request):
        return redirect("prep", pk)
    system, state = context.system, context.known_state
    if wanted == OWN:
        own = [_view_own(system, state, one) for one in find_own_scenes(request.user, context.encounter)]
        return render(
            request, "combat/prep/scene/own_scenes.html", {"own": own, "encounter": context.encounter}
        )
    groups = view_ready_scenes(system, state, wanted)
    scenes = next((one.scenes for one in groups if one.name == wanted), ())
    return render(request, "combat/prep/scene/ready_pictures.html", {"scenes": scenes})
