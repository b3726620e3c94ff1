"""Maps from files that come twice, or to the wrong page."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, create_encounter, submit
from combat.rules.core.space import map_of
from tests.combat.play.scenes.test_foundry import make_scene
from tests.combat.play.scenes.test_uvtt import make_file
from tests.combat.visit import SLUG, Visit, load, read, refusal, state_of
from tests.site.pictures import picture
from tests.typed import Answer


def send(visit: Visit, **changes: Any) -> Answer:
    raw = json.dumps(make_file(**changes)).encode()
    fields = {"do": "import", "file": SimpleUploadedFile("room.dd2vtt", raw)}
    return visit.client.post(f"{visit.here}scene/", fields, headers=visit.headers)


def send_scene(visit: Visit, **changes: Any) -> Answer:
    file = SimpleUploadedFile("fvtt-Scene-hold.json", json.dumps(make_scene(**changes)).encode())
    return visit.client.post(f"{visit.here}scene/", {"do": "import", "file": file, "keep": "1"})


def test_foundry_scene_brings_its_map_and_starts_in_one_step(room: Visit) -> None:
    before, steps = state_of(room.pk), load(room.pk).steps
    assert send_scene(room).status_code == 303
    after = state_of(room.pk)
    assert load(room.pk).steps == steps + 1
    assert after.scene.zones == before.scene.zones
    assert len(after.scene.starts or ()) == 2
    assert [one.kind for one in map_of(after.scene).walls] == ["door", "wall", "wall"]
    assert "Left out: 4 tokens" in read(room.client.get(f"{room.here}scene/")).one("body").text
    assert send_scene(room).status_code == 409
    assert send_scene(room, tokens=[]).status_code == 303, "without its starts it is another"
    for _ in range(2):
        room.client.post(f"{room.here}scene/", {"do": "undo"})
    assert state_of(room.pk).scene == before.scene


@pytest.mark.parametrize(("size", "is_told"), [((60, 40), False), ((40, 60), True)])
def test_picture_of_another_shape_than_its_map_is_told(
    room: Visit, size: tuple[int, int], is_told: bool
) -> None:
    assert send(room, image=base64.b64encode(picture(size=size)).decode()).status_code == 303
    said = read(room.client.get(f"{room.here}scene/")).one("body").text
    assert ("The picture is stretched" in said) == is_told


def test_same_file_twice_says_so(room: Visit) -> None:
    assert send(room).status_code == 303
    steps = load(room.pk).steps
    again = send(room)
    assert again.status_code == 409
    assert "This file is the map already: nothing changes." in refusal(again)
    assert load(room.pk).steps == steps
    assert send(room, lights=[]).status_code == 303


MAPS = [
    ("a.json", json.dumps(make_file()).encode()),
    ("scene.json", json.dumps(make_scene()).encode()),
    ("a.UVTT", b"{}"),
    ("big.dd2vtt", b"x" * 10_000_001),
]


@pytest.mark.slow
@pytest.mark.parametrize("chosen", ["", "zones", "hexes"])
def test_walls_of_a_file_count_unless_the_gm_chose_how_to_play(
    gm: User, gm_client: Client, chosen: str
) -> None:
    visit = Visit(gm_client, create_encounter(gm, "starshock", "Vault").pk)
    if chosen:
        submit(visit.pk, Submission("set_setting", {"key": "positioning", "value": chosen}))
    assert send(visit).status_code == 200
    assert state_of(visit.pk).scene.settings["positioning"] == (chosen or "squares")
    said = read(visit.client.get(f"{visit.here}scene/")).one("body").text
    assert ("Positions: “Map of 1 m squares” now" in said) == (not chosen)


@pytest.mark.slow
def test_map_sent_to_the_encounter_import_leads_to_the_scenes(gm: User, gm_client: Client) -> None:
    made = create_encounter(gm, SLUG, "Dock")
    for name, raw in MAPS:
        answer = gm_client.post("/encounters/import/", {"file": SimpleUploadedFile(name, raw)})
        assert answer.status_code == 422, name
        page = read(answer)
        assert "This is a map, not an encounter." in page.one("main").text, name
        (link,) = [one for one in page.all("a") if one.text == "Scene of Dock"]
        assert link["href"] == f"/encounters/{made.pk}/scene/#h-import", name
        assert read(gm_client.get(link["href"])).one("h2", id="h-import"), name
        assert Encounter.objects.count() == 1, name
