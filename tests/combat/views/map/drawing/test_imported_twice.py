"""Maps from files that come twice, or to the wrong page."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from combat.models import Encounter
from combat.play.writing.encounter_service import create_encounter
from tests.combat.play.scenes.test_uvtt import make_file
from tests.combat.visit import SLUG, Visit, load, read, refusal
from tests.typed import Answer


def send(visit: Visit, **changes: Any) -> Answer:
    raw = json.dumps(make_file(**changes)).encode()
    fields = {"do": "import", "file": SimpleUploadedFile("room.dd2vtt", raw)}
    return visit.client.post(f"{visit.here}scene/", fields, headers=visit.headers)


def test_same_file_twice_says_so(room: Visit) -> None:
    assert send(room).status_code == 303
    steps = load(room.pk).steps
    again = send(room)
    assert again.status_code == 409
    assert "This file is the map already: nothing changes." in refusal(again)
    assert load(room.pk).steps == steps
    assert send(room, lights=[]).status_code == 303


@pytest.mark.parametrize(
    ("name", "raw"),
    [("a.json", json.dumps(make_file()).encode()), ("a.UVTT", b"{}"), ("big.dd2vtt", b"x" * 10_000_001)],
)
def test_map_sent_to_the_import_of_encounters_leads_to_the_scenes(
    gm: User, gm_client: Client, name: str, raw: bytes
) -> None:
    made = create_encounter(gm, SLUG, "Dock")
    answer = gm_client.post("/encounters/import/", {"file": SimpleUploadedFile(name, raw)})
    assert answer.status_code == 422
    page = read(answer)
    assert "This is a map, not an encounter." in page.one("main").text
    (link,) = [one for one in page.all("a") if one.text == "Scene of Dock"]
    assert link["href"] == f"/encounters/{made.pk}/scene/#h-import"
    assert read(gm_client.get(link["href"])).one("h2", id="h-import")
    assert Encounter.objects.count() == 1
