"""Names of start areas while preparing: in their area where there is room, on no other name, on the map."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.audience.viewer import GM
from combat.display.map.scene import view_scene
from combat.display.map.starts import (
    NARROW,
    WIDE,
    StartView,
    _find_box,
    _meets,
    find_font,
    view_starts,
)
from combat.display.map.token_names import find_name_box, is_inside
from combat.display.plane.callouts import Body
from combat.display.plane.crowd import TOKEN_METERS
from combat.display.plane.names import Box
from combat.display.shapes.scene_shapes import SceneView
from combat.models import Encounter
from combat.pages.prep.starting import make_plan
from combat.pages.table.rows import view_combatants
from combat.play.scenes.ready import find_ready_scenes
from combat.rules import SYSTEMS, find_system
from tests.combat.visit import SLUG, read

KEYS = [ready.key for ready in find_ready_scenes()]


def draw(slug: str, key: str) -> tuple[SceneView, tuple[StartView, ...]]:
    """A ready scene while it is prepared, with the people of the game's example, and its start areas."""
    system = find_system(slug)
    state = make_plan(None, system, system.book.imports.example, key, ()).state
    scene = view_scene(system, state, view_combatants(system, state, GM))
    return scene, view_starts(cast(Any, SimpleNamespace(system=system, known_state=state)), scene)


def box_of(start: StartView, scene: SceneView, place: int = 0) -> Box:
    return _find_box(start.names[place].words, start.names[place].at, find_font(scene, (WIDE, NARROW)[place]))


@pytest.mark.parametrize("slug", list(SYSTEMS))
@pytest.mark.parametrize("key", KEYS[::5])
def test_names_of_areas_lie_on_nothing_and_on_the_map(slug: str, key: str) -> None:
    scene, starts = draw(slug, key)
    left, top, width, height = scene.box
    taken = [name.box for zone in scene.zones for name in zone.names[:1] if name.lines]
    taken += [find_name_box(one) for one in scene.tokens if one.label]
    taken += [Body(one.spot, TOKEN_METERS * one.scale / 2).box for one in scene.tokens]
    assert starts
    narrow = [name.box for zone in scene.zones for name in zone.names[1:] if name.lines]
    for place, others in ((0, taken), (1, narrow)):
        for start in (one for one in starts if not one.names[place].tight):
            box = box_of(start, scene, place)
            assert is_inside(box, (left, top, left + width, top + height)), start.names
            assert not _meets(box, others), start.names
            others.append(box)


def test_most_names_have_room_in_their_area() -> None:
    drawn = [draw(SLUG, key) for key in KEYS]
    starts = [(start, box_of(start, scene)) for scene, found in drawn for start in found]
    inside = [
        start
        for start, box in starts
        if not start.names[0].tight and box[1] >= start.corners[0][1] and box[3] <= start.corners[3][1]
    ]
    assert len(inside) >= 0.9 * len(starts)
    assert not [start for start, _ in starts if start.names[0].tight]
    assert len([start for start, _ in starts if not start.names[1].tight]) >= 0.85 * len(starts)


def test_name_without_room_on_a_narrow_map_stands_in_its_corner(gm: User, gm_client: Client) -> None:
    said = {"system": SLUG, "notes": find_system(SLUG).book.imports.example, "scene": "coast_road"}
    gm_client.post("/encounters/new/", {**said, "name": "Dock"})
    page = read(gm_client.get(f"/encounters/{Encounter.objects.get(owner=gm).pk}/prep/"))
    key = {found.text: found["class"] for found in page.all("span", inside=page.one(class_="start-key"))}
    assert key == {"Enemies start": "is-foe only-narrow"}
    (tight,) = page.all("text", class_="is-tight")
    assert "label-narrow" in tight["class"]


def test_the_editor_shows_where_the_sides_begin(prepared: Encounter, gm_client: Client) -> None:
    page = read(gm_client.get(f"/encounters/{prepared.pk}/scene/"))
    shown = page.all("g", class_="start-band")
    tones = {one["class"].removeprefix("start-band ") for one in shown}
    assert (len(shown), tones) == (2, {"is-ally", "is-foe"})
    assert [page.one("text", inside=one).text for one in shown] == ["Crew start", "Pirates start"]
