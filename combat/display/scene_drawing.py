"""The scene of a table, drawn around what changes in a fight: people, vehicles, names, fog and distances.

Each of these is a drawing of its own, kept by what it shows. So a step draws one token or one zone, and the
rest of the scene is filled in.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from msgspec.structs import replace

from .drawings import DRAWINGS, Drawing, digest, fill, find_mark
from .plane.land import NO_LAND
from .plane.plan import NO_PLAN
from .shapes.scene_shapes import SceneView, Token, ZoneView

SCENE = "combat/map/scene.html"
FRAMED = ("name", "is_board", "is_drawn", "ground", "columns", "unit")  # of a scene, as its frame needs it


def draw_scene(given: dict[str, Any]) -> Drawing:
    """A scene with nothing open, from the values of its template."""
    table, scene = given["table"], given["table"]["scene"]
    frame = {name: getattr(scene, name) for name in FRAMED}
    frame |= {"road": bool(scene.road), "plan": {"doors": scene.plan.doors}}
    bare = replace(scene, plan=NO_PLAN, land=NO_LAND, board=NO_LAND)  # the ground is a part of its own
    known = {**given, "table": {**table, "scene": bare}, "frame": frame, "base": scene.land.base}
    return DRAWINGS.draw(SCENE, known, make=_draw_anew)


def _draw_anew(template: str, given: dict[str, Any]) -> Drawing:
    table, frame = given["table"], given["frame"]
    if not frame["is_drawn"] or (frame["is_board"] and not frame["road"]):
        return DRAWINGS.make(template, given)  # stages are drawn with their people
    pieces = _draw_pieces(table, given["base"])
    marks = {name: find_mark(name) if html else "" for name, html in pieces.items()}
    known = {name: table[name] for name in ("id", "slug", "version", "viewer")}
    known |= {"scene": {**frame, "no_way": marks["no_way"]}, "prompt": bool(table["prompt"])}
    page = {name: given[name] for name in ("system", "here", "encounter", "handles", "open")}
    html = fill(DRAWINGS.draw(template, {**page, "table": known, "pieces": marks}).html, pieces)
    return Drawing(html, digest(html.encode()))


def _draw_pieces(table: dict[str, Any], base: str) -> dict[str, str]:
    """What a scene's frame is drawn around; empty if the scene has none of it. `base` is its ground."""
    scene: SceneView = table["scene"]
    viewer, turn = table["viewer"], table["turn"]
    looks_on = viewer["is_spectator"]
    of_zones = {
        "has_turn": "1" if turn else "",
        "acts": bool(turn and turn["is_active"]),
        "actor": turn["combatant"]["id"] if turn else "",
        "waits": "1" if table["prompt"] else "",
        "no_way": "1" if scene.no_way else "",
    }
    pieces = {
        "no_way": escape(scene.no_way),
        "no_ways": DRAWINGS.draw("combat/map/board/no_ways.html", {"notes": scene.no_ways}).html.strip(),
        "box": " ".join(map(str, scene.box)),
        "people": escape(tell_whereabouts(scene)),
        "names": DRAWINGS.draw("combat/map/ground/map_names.html", {"named": scene.named}).html,
        "tokens": draw_tokens(scene.tokens, looks_on=looks_on),
        "zones": "\n".join([draw_zone(zone, **of_zones) for zone in scene.zones]),
        "fog": "",
        "road": "",
        "send": "",
    }
    if scene.fog:
        fog = {"scene": {"fog": scene.fog, "around": scene.around}}
        pieces["fog"] = DRAWINGS.draw("combat/map/ground/map_fog.html", fog).html
    if scene.road:
        road = {"road": scene.road, "base": base, "looks_on": looks_on}
        pieces["road"] = DRAWINGS.draw("combat/map/road/road.html", road).html
    if not looks_on:
        send = {name: getattr(scene, name) for name in ("hexes", "unit")}
        send |= {"pk": table["id"], "version": table["version"], "is_gm": viewer["is_gm"]}
        send["actor"] = of_zones["actor"]
        pieces["send"] = DRAWINGS.draw("combat/map/tokens/map_send.html", send).html
    return pieces


def draw_tokens(tokens: Iterable[Token], *, looks_on: bool) -> SafeString:
    """The tokens of a map."""
    drawn = [draw_token(token, looks_on=looks_on) for token in tokens]
    return mark_safe("\n".join(drawn))  # noqa: S308 - drawings of ours


def draw_token(token: Token, *, looks_on: bool) -> SafeString:
    """A token of the map: the drawing is kept without its place, which is new whenever someone moves."""
    at = token.at
    marks = {name: find_mark(name) if words else "" for name, words in at.items()}
    given = {"token": {**token.still, "at": marks}, "looks_on": looks_on}
    return fill(DRAWINGS.draw("combat/map/tokens/map_token.html", given).html, at)


def draw_zone(zone: ZoneView, **given: Any) -> SafeString:
    """A zone in the list below a map. Its drawing is kept without the distance, which every move changes."""
    drawn = replace(zone.bare, way=find_mark("way") if zone.way else "")
    given |= {"zone": drawn, "people": zone.marks}
    return fill(DRAWINGS.draw("combat/map/board/zone.html", given).html, {"way": escape(zone.way)})


def tell_whereabouts(scene: SceneView) -> str:
    """Who stands where on a map, for those who hear it."""
    people = [f"\n{one.name} at {one.x:g}, {one.y:g} {scene.unit}" for one in scene.tokens]
    return f"{';'.join(people)}\n" if people else ""
