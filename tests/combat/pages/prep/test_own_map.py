"""A map of one's own in a new encounter: picture, map file, drawn, none, as last time; and starting over."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.space import map_of
from combat.rules.core.state.state import present
from tests.combat.visit import SLUG, read, state_of

NEW = "/encounters/new/"
PEOPLE = {"name": "Reactor hall", "system": SLUG, "notes": "4 pirates; 3 soldiers (allies)"}


def draw_paper(width: int = 640, height: int = 400) -> SimpleUploadedFile:
    """A picture as a GM would send it."""
    out = BytesIO()
    Image.new("RGB", (width, height), "beige").save(out, "PNG")
    return SimpleUploadedFile("hall.png", out.getvalue(), "image/png")


def make_map_file() -> SimpleUploadedFile:
    """A Universal VTT file with one room."""
    corners = [{"x": x, "y": y} for x, y in ((1, 1), (9, 1), (9, 7), (1, 7), (1, 1))]
    said: dict[str, Any] = {
        "format": 0.3,
        "resolution": {"map_origin": {"x": 0, "y": 0}, "map_size": {"x": 10, "y": 8}, "pixels_per_grid": 50},
        "line_of_sight": [corners],
        "portals": [],
        "lights": [],
        "image": "",
    }
    return SimpleUploadedFile("hall.uvtt", json.dumps(said).encode(), "application/json")


def create(gm_client: Client, **said: Any) -> Encounter:
    answer = gm_client.post(NEW, {**PEOPLE, **said})
    assert answer.status_code == 303, answer.content.decode()
    return Encounter.objects.latest("pk")


def test_own_picture_is_the_whole_map_with_sides_apart_on_it(gm: User, gm_client: Client) -> None:
    """A ready scene is chosen beside it, as the page begins: it lays no walls under the picture."""
    made = create(gm_client, scene="docking_ring", own=draw_paper())
    scene = state_of(made.pk).scene
    drawn = map_of(scene)
    assert scene.name == "Reactor hall"
    assert (scene.zones, drawn.walls, drawn.obstacles, drawn.lights) == ((), (), (), ())
    assert drawn.picture
    assert (drawn.picture.width, drawn.picture.depth) == (30, 18.75)
    xs: dict[str, list[float]] = {"allies": [], "enemies": []}
    for one in present(state_of(made.pk)):
        assert 0 <= one.at.x <= 30
        assert 0 <= one.at.y <= 18.75
        xs[one.side].append(one.at.x)
    first, last = sorted(xs.values(), key=min)
    assert max(first) + 5 < min(last)


def test_width_of_an_own_picture_is_typed(gm: User, gm_client: Client) -> None:
    picture = map_of(state_of(create(gm_client, own=draw_paper(), metres="48").pk).scene).picture
    assert picture
    assert (picture.width, picture.depth) == (48, 30)


def test_joiners_of_an_own_picture_stand_with_their_side(gm: User, gm_client: Client) -> None:
    made = create(gm_client, own=draw_paper())
    for side in ("allies", "enemies"):
        submit(made.pk, Submission("join", {"block": "pirate", "side": side, "count": 2}))
    people = list(present(state_of(made.pk)))
    for side in ("allies", "enemies"):
        *old, one, other = [one.at.x for one in people if one.side == side]
        assert max(abs(x - at) for x in old for at in (one, other)) < 10


def test_own_map_file_brings_its_walls(gm: User, gm_client: Client) -> None:
    scene = state_of(create(gm_client, own=make_map_file()).pk).scene
    assert len(map_of(scene).walls) == 4
    assert scene.name == "Reactor hall"


@pytest.mark.parametrize("content", [b"", b"no picture", b"{}", b"\x89PNG\r\n\x1a\n"])
def test_what_is_no_picture_makes_nothing_and_says_why(gm: User, gm_client: Client, content: bytes) -> None:
    sent = SimpleUploadedFile("x.png", content, "image/png")
    before = Encounter.objects.count()
    answer = gm_client.post(NEW, {**PEOPLE, "own": sent})
    assert answer.status_code == 422
    assert read(answer).one("div", class_="alert-warning").text
    assert Encounter.objects.count() == before


def test_draw_leads_to_the_editor_and_no_map_to_open_ground(gm: User, gm_client: Client) -> None:
    answer = gm_client.post(NEW, {**PEOPLE, "scene": "draw"})
    assert answer["Location"].endswith("/scene/")
    made = create(gm_client, scene="")
    assert not map_of(state_of(made.pk).scene)


def test_as_last_time_is_the_last_scene_with_its_picture(gm: User, gm_client: Client) -> None:
    assert not read(gm_client.get(NEW)).all("input", value="last")
    assert gm_client.post(NEW, {**PEOPLE, "scene": "last"}).status_code == 422
    first = create(gm_client, own=draw_paper())
    ways = read(gm_client.get(NEW, {"system": SLUG})).all("label", class_="start-way")
    assert [one.text for one in ways] == [
        "Draw walls, doors, things",
        "No map open ground",
        "As last time Reactor hall",
    ]
    made = create(gm_client, name="Again", scene="last")
    assert state_of(made.pk).scene == state_of(first.pk).scene
    digest = map_of(state_of(made.pk).scene).picture
    assert digest
    assert gm_client.get(f"/encounters/{made.pk}/scene/{digest.digest}.webp").status_code == 200


# ---- Starting over ----


def test_starting_over_empties_the_map_and_undo_brings_it_back(gm: User, gm_client: Client) -> None:
    made = create(gm_client, scene="docking_ring")
    full = state_of(made.pk).scene
    here = f"/encounters/{made.pk}/"
    prep = read(gm_client.get(f"{here}prep/"))
    assert [one.text for one in prep.all("button", name="do", value="start_over")] == ["Start over"]
    assert gm_client.post(f"{here}scene/", {"do": "start_over", "next": "prep"})["Location"] == f"{here}prep/"
    bare = state_of(made.pk).scene
    assert (bare.zones, map_of(bare).walls, bare.settings) == ((), (), full.settings)
    assert gm_client.post(f"{here}scene/", {"do": "start_over"}).status_code == 409
    assert not read(gm_client.get(f"{here}scene/")).all("button", name="do", value="start_over")
    gm_client.post(here, {"do": "undo"})
    assert state_of(made.pk).scene == full


def test_a_new_picture_asks_whether_what_is_drawn_stays(gm: User, gm_client: Client) -> None:
    made = create(gm_client, scene="docking_ring")
    here = f"/encounters/{made.pk}/scene/"
    page = read(gm_client.get(here))
    asked = [one.text for one in page.all("button", name="do") if one["value"].startswith("picture")]
    assert asked == ["Start over with picture", "Keep what is drawn"]
    walls = len(map_of(state_of(made.pk).scene).walls)
    assert f"Drawn already: {walls} walls" in page.one("section", aria_labelledby="h-picture").text

    gm_client.post(here, {"do": "picture", "picture": draw_paper()})
    assert len(map_of(state_of(made.pk).scene).walls) == walls
    gm_client.post(here, {"do": "picture_anew", "picture": draw_paper(300, 300)})
    scene = state_of(made.pk).scene
    assert (scene.zones, map_of(scene).walls) == ((), ())
    assert map_of(scene).picture
    page = read(gm_client.get(here))
    asked = [one.text for one in page.all("button", name="do") if one["value"].startswith("picture")]
    assert asked == ["Add picture"]
