"""Drawing the scene with the pointer or with forms: each change is one step, which can be undone."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods

from combat.audience.map_fog import find_clip
from combat.display.forms.fields import check_form
from combat.display.map.ghosts import add_ghosts
from combat.display.map.scene import add_decks, view_scene
from combat.display.map.starts import WIDE, find_font, view_starts
from combat.play.scenes import drawing
from combat.play.scenes.imported import (
    cut_picture,
    find_picture,
    is_map,
    keep_picture,
    lay_picture,
    tell_shape,
)
from combat.play.scenes.map_files import read_file
from combat.play.scenes.ready import find_ready_scene, take_own_scene
from combat.play.scenes.stacking import lay_levels
from combat.play.writing.encounter_service import Submission, redo, submit, undo
from combat.rules.core.basics.errors import Refused
from combat.rules.core.space import Picture, Point, Scene, Zone, map_of, unplot, with_map
from combat.rules.core.space.battle_map import FREE, FULL
from combat.rules.core.space.grid import round_hex
from combat.rules.core.state.history import COMMAND
from combat.sharing.access import find_context, find_gm_context, for_visitors
from combat.sharing.viewer_context import ViewerContext
from cosmos_site.base.errors import status_of
from cosmos_site.base.files import answer_picture
from cosmos_site.base.forms import is_htmx, see_other
from cosmos_site.base.pictures import SCENE, remake

from ..table.rows import find_people
from . import stack
from .editor import check_both, find_open, list_was, merge, read_reference, view_drawn
from .shape_forms import (
    DrawForm,
    ImportMapForm,
    MapToolForm,
    OwnSceneForm,
    ReadyForm,
    ScaleForm,
    SendPictureForm,
    ShapeForm,
    find_changes,
    make_map_form,
    make_shape_form,
)
from .zone_form import ZoneForm, find_initial

MAX_LENGTH = 60  # of a reference
Said = dict[str, Any]  # the checked values of a form
REWRITES: dict[str, Callable[..., Any]] = {"undo": undo, "redo": redo}


class Change(NamedTuple):
    """The changed scene, the reference of the shape to open then, and the message once it is stored."""

    scene: Scene
    opened: str = ""
    said: str = ""


@for_visitors
@require_http_methods(["GET", "HEAD", "POST"])
def draw_scene(request: HttpRequest, pk: int) -> HttpResponse:
    """The page that draws a scene; a POST changes one thing on it."""
    context = find_gm_context(request, pk)
    opened, refused = request.GET.get("edit", ""), None
    if request.method == "POST":
        opened = request.POST.get("shape", "")
        try:
            opened = _change(request, context)
        except Refused as problem:
            refused = problem
        context = find_gm_context(request, pk)
        if not refused and request.POST.get("next") == "prep":
            return see_other("prep", pk)
        if not refused and not is_htmx(request):
            query = f"?{urlencode({'edit': opened})}" if opened else ""
            answer = see_other("scene", pk)
            answer["Location"] = f"{reverse('scene', args=[pk])}{query}#scene-editor"
            return answer
    shown = _find_shown(request, context, opened, refused)
    template = "combat/map/drawing/scene.html#editor" if is_htmx(request) else "combat/map/drawing/scene.html"
    return render(request, template, shown, status=status_of(refused) if refused else 200)


def _change(request: HttpRequest, context: ViewerContext) -> str:
    """Do what was posted; return the reference of the shape to open."""
    do = request.POST.get("do", "")
    if do in REWRITES:
        REWRITES[do](context.encounter.pk, by=context.name, grant=context.grant)
        return ""
    if do == "place":
        return _place(request, context)
    if do in TOOLS:
        kind, handler = TOOLS[do]
        form = check_form(kind(context.system, request.POST, request.FILES))
        change = handler(request, context, form.cleaned_data)
    elif do in CHANGES:
        change = CHANGES[do](request, context)
    elif do in stack.CHANGES:
        change = Change(stack.CHANGES[do](request.POST, context))
    else:
        raise Refused("unknown", "This page has no such action.")
    if not _set_scene(context, change.scene):
        messages.info(request, "Nothing has changed.")
    elif change.said:
        messages.success(request, change.said)
    return change.opened


def _set_scene(context: ViewerContext, scene: Scene) -> bool:
    """Set the scene as drawn: zones, parts of the map, or both; refused if someone was quicker.

    False if it is drawn so already.
    """
    old, encounter = context.known_state.scene, context.encounter
    changes = drawing.find_map_changes(map_of(old), map_of(scene))
    name, fields = "change_map", changes
    if _ground(scene) != _ground(old):
        scene = scene if changes else msgspec.structs.replace(scene, map=msgspec.UNSET)
        name, fields = "set_scene", {"scene": msgspec.to_builtins(scene)}
        if changes and not map_of(scene):
            fields["clear"] = True
    elif not changes:
        return False
    wanted = Submission(name, fields, version=encounter.version, by=context.name, grant=context.grant)
    submit(encounter.pk, wanted)
    return True


def _ground(scene: Scene) -> tuple[Any, ...]:
    """What of a scene is not on its map: its name, zones, starts, settings."""
    return scene.name, scene.zones, scene.starts, scene.settings


def _place(request: HttpRequest, context: ViewerContext) -> str:
    """Place a combatant where its token was dropped."""
    at = drawing.read_corners(request.POST.get("points", ""), least=1, most=1)[0]
    hexes = context.system.space.has_hexes(context.known_state)
    x, y = round_hex(*unplot(at.x, at.y)) if hexes else (at.x, at.y)
    fields = {"target": request.POST.get("target", "")[:MAX_LENGTH], "x": x, "y": y}
    encounter = context.encounter
    wanted = Submission("place", fields, version=encounter.version, by=context.name, grant=context.grant)
    submit(encounter.pk, wanted)
    return ""


def _draw(request: HttpRequest, context: ViewerContext, said: Said) -> Change:
    scene, kind = context.known_state.scene, request.POST.get("kind", "")
    waited_for = {name for one in context.known_state.all_reserves for name in (one.zone, one.of)}
    name, cover = said["name"], _find_least_cover(context)
    drawn, made = drawing.draw(scene, kind, said["points"], name=name, cover=cover, taken=waited_for)
    if kind == drawing.ZONE and "drawn" in request.POST:
        drawn = msgspec.structs.replace(drawn, zones=(*scene.zones, *_stand_up(context, drawn.zones[-1:])))
    return Change(drawn, f"{drawing.KINDS[kind].home}:{made}")


def _find_least_cover(context: ViewerContext) -> str:
    """The cover of a new shape: the least cover of the game."""
    return next((key for key, _ in context.system.space.wall_covers if key not in ("", FULL)), "")


def _read_points(request: HttpRequest, context: ViewerContext, may_lean: bool) -> tuple[Point, ...]:
    """The points of a drawn shape; for a zone laid out by numbers of hexes, in hexes."""
    points = drawing.read_corners(request.POST.get("points", ""))
    leans = may_lean and "drawn" in request.POST and context.system.space.has_hexes(context.known_state)
    return tuple(Point(*unplot(point.x, point.y)) for point in points) if leans else points


def _reshape(request: HttpRequest, context: ViewerContext) -> Change:
    reference = request.POST.get("shape", "")[:MAX_LENGTH]
    home, shape_id = read_reference(reference)
    shape = drawing.find_shape(context.known_state.scene, home, shape_id)
    points = _read_points(request, context, isinstance(shape, Zone) and not shape.upright)
    return Change(drawing.reshape(context.known_state.scene, home, shape_id, points), reference)


def _remove(request: HttpRequest, context: ViewerContext) -> Change:
    home, shape_id = read_reference(request.POST.get("shape", "")[:MAX_LENGTH])
    return Change(drawing.remove(context.known_state.scene, home, shape_id))


def _save(request: HttpRequest, context: ViewerContext) -> Change:
    """Save the form of one shape."""
    reference, scene = request.POST.get("shape", "")[:MAX_LENGTH], context.known_state.scene
    home, shape_id = read_reference(reference)
    shape = drawing.find_shape(scene, home, shape_id)
    now = _make_form(context, shape)
    check_both(request.POST, now)
    form = check_form(_make_form(context, shape, merge(request.POST, now)))
    if isinstance(shape, Zone):
        assert isinstance(form, ZoneForm)
        return Change(form.put_into(scene, shape, shape.id), reference)
    assert isinstance(form, ShapeForm)
    return Change(drawing.change(scene, home, shape_id, **find_changes(form, shape)), reference)


def _make_form(context: ViewerContext, shape: drawing.Shape, sent: QueryDict | None = None) -> forms.Form:
    """The form of a shape: as it is, or as it was sent."""
    system, state = context.system, context.known_state
    if isinstance(shape, Zone):
        return ZoneForm(system, state, sent, initial=find_initial(state.scene, shape))
    return make_shape_form(system, shape, sent)


def _save_map(request: HttpRequest, context: ViewerContext) -> Change:
    scene = context.known_state.scene
    battle_map = map_of(scene)
    now = make_map_form(context.system, context.known_state)
    check_both(request.POST, now)
    form = check_form(make_map_form(context.system, context.known_state, merge(request.POST, now)))
    return Change(with_map(scene, msgspec.structs.replace(battle_map, **find_changes(form, battle_map))))


def _scale(request: HttpRequest, context: ViewerContext, said: Said) -> Change:
    """Scale the picture by the distance between two of its places."""
    points = said["points"]
    onto = _find_corner(context, points[0]) if said["align"] else None
    scene = drawing.scale_picture(
        context.known_state.scene, points[0], points[-1], meters=said["metres"], onto=onto
    )
    return Change(scene, "picture:")


def _find_corner(context: ViewerContext, place: Point) -> Point | None:
    """The corner of the grid nearest to a place; None without squares."""
    system, built = context.system, map_of(context.known_state.scene)
    if built.grid == FREE or system.space.has_hexes(context.known_state):
        return None
    return drawing.find_corner(place, built.cell or system.space.cell_meters)


def _start_over(request: HttpRequest, context: ViewerContext) -> Change:
    """Take all that is drawn from the scene: open ground again. The conditions of the whole scene stay."""
    old = context.known_state.scene
    if not drawing.count_drawn(old) and not map_of(old).picture:
        raise Refused("not_allowed", "Nothing is drawn here: draw something, or choose a scene.")
    return Change(_make_bare(old), said="The map is empty now. Undo brings it back.")


def _make_bare(scene: Scene, name: str = "") -> Scene:
    """Open ground with the conditions of a whole scene."""
    return Scene(name, settings=scene.settings)


def _send_picture_anew(request: HttpRequest, context: ViewerContext, said: Said) -> Change:
    """Lay a picture under an empty map: what was drawn over another one goes."""
    kept, old = keep_picture(context.encounter, said["picture"]), context.known_state.scene
    scene = lay_picture(_make_bare(old, old.name), kept, said["metres"])
    return Change(scene, "picture:", "The picture is the whole map now. Undo brings the old one back.")


def lay_own(context: ViewerContext, raw: bytes, name: str, meters: float | None) -> None:
    """Make a picture, or a map file of another program, the scene of a new encounter. Raises Refused."""
    if is_map(raw):
        said = {"file": raw, "metres": None, "deck": False, "keep": False}
        change = _import(context, said)
        _set_scene(context, msgspec.structs.replace(change.scene, name=name))
        return
    kept = keep_picture(context.encounter, remake(raw, SCENE))
    _set_scene(context, lay_picture(_make_bare(context.known_state.scene, name), kept, meters))


def use_last_scene(context: ViewerContext, person: User, number: int) -> None:
    """Use the scene of another encounter of someone: of the last one, mostly."""
    _set_scene(context, take_own_scene(person, context.encounter, number))


def _send_picture(request: HttpRequest, context: ViewerContext, said: Said) -> Change:
    kept = keep_picture(context.encounter, said["picture"])
    scene = lay_picture(context.known_state.scene, kept, said["metres"])
    return Change(scene, "picture:", "Picture added. Say how large it is: drag between two places you know.")


def _import_file(request: HttpRequest, context: ViewerContext, said: Said) -> Change:
    return _import(context, said)


def _import(context: ViewerContext, said: Said) -> Change:
    """Import a map of another program: it replaces the present one, its picture is added."""
    scene = context.known_state.scene
    space = context.system.space
    found = read_file(said["file"], said["metres"], space.cell_meters, space.unit)
    if said["deck"]:
        stacked = stack.add_imported(scene, found, map_of(scene).cell or space.cell_meters)
        stacked, told = _count_walls(context, stacked)
        return Change(stacked, said=" ".join((*found.report, *stack.tell_left_out(found), *told)))
    zones = scene.zones if said["keep"] else _stand_up(context, (found.zone,))
    scene = with_map(
        msgspec.structs.replace(scene, zones=zones, starts=found.starts or msgspec.UNSET), found.map
    )
    if found.levels:
        cell = found.map.cell or space.cell_meters
        scene = lay_levels(scene, found.levels, found.zone, cell, found.floors)
    report, zone = list(found.report), found.zone
    try:
        kept = keep_picture(context.encounter, remake(found.picture, SCENE)) if found.picture else None
    except Refused as problem:
        kept = None
        report.append(f"Left out: the picture. {problem.message}")
    if kept:
        lies = Picture(kept.digest, zone.x, zone.y, width=zone.width, depth=zone.depth)
        scene = with_map(scene, msgspec.structs.replace(map_of(scene), picture=lies))
        report += filter(None, [tell_shape(kept.width, kept.height, zone, space.unit)])
    scene, told = _count_walls(context, scene)
    old = context.known_state.scene
    if _ground(scene) == _ground(old) and not drawing.find_map_changes(map_of(old), map_of(scene)):
        raise Refused("not_allowed", "This file is the map already: nothing changes.")
    return Change(scene, said=" ".join((*report, *told)))


def _count_walls(context: ViewerContext, scene: Scene) -> tuple[Scene, list[str]]:
    """A scene with walls, set so that they count where the GM has not chosen; and sentences that say so."""
    drawn, chosen = context.system.space.zones.drawn_settings, scene.settings
    if not map_of(scene).walls or drawn.keys() <= chosen.keys():
        return scene, []
    new = [one for one in context.system.book.settings if one.key in drawn.keys() - chosen.keys()]
    told = [f"{one.label}: “{dict(one.choices)[drawn[one.key]]}” now, so that walls count." for one in new]
    return msgspec.structs.replace(scene, settings={**drawn, **chosen}), told


def _stand_up(context: ViewerContext, zones: tuple[Zone, ...]) -> tuple[Zone, ...]:
    """Zones drawn by eye, over walls or a picture: on a map of hexes they stay upright like these."""
    if not context.system.space.has_hexes(context.known_state):
        return zones
    return tuple(msgspec.structs.replace(zone, upright=True) for zone in zones)


def _use_ready(request: HttpRequest, context: ViewerContext, said: Said) -> Change:
    return Change(_make_ready(context, said["ready"]))


def _use_own(request: HttpRequest, context: ViewerContext, said: Said) -> Change:
    """Replace the scene by that of another encounter: the conditions of the whole scene stay."""
    scene, old = take_own_scene(request.user, context.encounter, said["number"]), context.known_state.scene
    return Change(msgspec.structs.replace(scene, settings=old.settings))


def use_ready_scene(context: ViewerContext, key: str) -> None:
    """Replace the scene by one of the library."""
    _set_scene(context, _make_ready(context, key))


def _make_ready(context: ViewerContext, key: str) -> Scene:
    """A scene of the library in place of the present one: the conditions of the whole scene stay.

    All go to its starts. Its objects give the game's least cover, like drawn ones.
    """
    ready, cover = find_ready_scene(key).lay_out(context.system), _find_least_cover(context)
    things = tuple(msgspec.structs.replace(one, cover=cover) for one in map_of(ready).obstacles)
    return msgspec.structs.replace(
        context.known_state.scene,
        settings={**context.system.space.zones.drawn_settings, **context.known_state.scene.settings},
        name=ready.name,
        zones=_stand_up(context, ready.zones),
        starts=ready.starts,
        map=msgspec.structs.replace(map_of(ready), obstacles=things),
    )


CHANGES: dict[str, Callable[[HttpRequest, ViewerContext], Change]] = {
    "reshape": _reshape,
    "remove": _remove,
    "save": _save,
    "map": _save_map,
    "start_over": _start_over,
}
TOOLS: dict[str, tuple[type[MapToolForm], Callable[[HttpRequest, ViewerContext, Said], Change]]] = {
    "draw": (DrawForm, _draw),
    "scale": (ScaleForm, _scale),
    "picture": (SendPictureForm, _send_picture),
    "picture_anew": (SendPictureForm, _send_picture_anew),
    "import": (ImportMapForm, _import_file),
    "ready": (ReadyForm, _use_ready),
    "own": (OwnSceneForm, _use_own),
}


def _find_shown(
    request: HttpRequest, context: ViewerContext, opened: str, refused: Refused | None
) -> dict[str, Any]:
    """The values of the page's template."""
    system, state = context.system, context.known_state
    combatants = find_people(context)
    home, shape_id = find_open(state.scene, opened)
    drawn = view_drawn(system, state)
    scene = add_ghosts(system, state, view_scene(system, state, combatants, to_draw=True))
    do = request.POST.get("do", "") if refused else ""
    whole_map = make_map_form(system, state)
    return {
        "encounter": context.encounter,
        "system": system,
        "scene": add_decks(state, scene),
        "starts": view_starts(context, scene),
        "start_font": find_font(scene, WIDE),
        "stack": stack.view_stack(system, state, request.POST if do == stack.SAVE else None),
        "nudges": stack.SIGNS,
        "drawn": drawn,
        "shapes": json.dumps(drawn.spots, separators=(",", ":")),
        "refused": refused,
        "open": f"{home}:{shape_id}" if home else "",
        "tools": {
            name: kind(system, *((request.POST, request.FILES) if do == name else ()))
            for name, (kind, _) in TOOLS.items()
        },
        "map_form": make_map_form(system, state, merge(request.POST, whole_map))
        if do == "map"
        else whole_map,
        "map_was": list_was(whole_map),
        "can_undo": context.encounter.log.filter(kind=COMMAND, struck=False).exists(),
        "can_redo": bool(context.encounter.undone),
        "has_picture": map_of(state.scene).picture is not None,
        "drawn_counts": drawing.count_drawn(state.scene),
        **_find_open_form(request, context, home, shape_id=shape_id, again=do == "save"),
    }


def _find_open_form(
    request: HttpRequest, context: ViewerContext, home: str, shape_id: str, again: bool
) -> dict[str, Any]:
    """The form of the chosen shape: as it is, or as it was typed."""
    if not home:
        return {}
    shape = drawing.find_shape(context.known_state.scene, home, shape_id)
    now = _make_form(context, shape)
    form = _make_form(context, shape, merge(request.POST, now)) if again else now
    shown = {"zone_form": form, "editing": shape} if isinstance(shape, Zone) else {"shape_form": form}
    return {**shown, "was": list_was(now)}


@for_visitors
@require_http_methods(["GET", "HEAD"])
def show_picture(request: HttpRequest, pk: int, digest: str) -> HttpResponse:
    """The part of the picture under the scene that the viewer may see."""
    return answer_clip(find_context(request, pk), digest)


def answer_clip(context: ViewerContext, digest: str) -> HttpResponse:
    """The part of the picture that a viewer may see, if it is still this one; Http404 for any other."""
    clip = find_clip(context.full_state, context.viewer)
    if clip is None or clip.shown.digest != digest:
        raise Http404("Picture not found.")
    image = find_picture(context.encounter, digest) if clip.is_whole else cut_picture(context.encounter, clip)
    if image is None:
        raise Http404("Picture not found.")
    return answer_picture(image, "scene")
