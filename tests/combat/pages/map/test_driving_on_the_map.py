"""A chase on the map: at the wheel the map drives, and what cannot hit is no usual action."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, create_encounter, submit
from combat.rules.cepheus.characters import machinery
from combat.rules.cepheus.demo import CAR, PELL, ROAD_SCRIPT, ROAD_SETUP, SARN
from tests.combat.visit import play, read, state_of

SPEED = 30


@pytest.fixture
def chase(gm: User) -> Encounter:
    """Two cars on the coast road, in the turn of the driver of the first."""
    fight = create_encounter(gm, "cepheus", "Coast road")
    play(fight.pk, ROAD_SETUP)
    play(fight.pk, ROAD_SCRIPT[:3])
    return fight


def ask(client: Client, fight: Encounter, **query: Any) -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"/encounters/{fight.pk}/paths/", query).json()
    return found


def test_place_ahead_is_driven_to_in_one_tap(gm_client: Client, chase: Encounter) -> None:
    paths = ask(gm_client, chase, combatant=SARN)
    assert (paths["first"], paths["moves"][0]["do"]) == ("drive", "drive")
    x, y = paths["places"][-1][:2]
    told = ask(gm_client, chase, combatant=SARN, do="drive", to=f"{x},{y}")
    assert (told["refused"], told["provokes"]) == ("", [])
    assert any("drives" in line for line in told["words"])
    page = f"/encounters/{chase.pk}/"
    version = read(gm_client.get(page)).all("input", name="version")[0]["value"]
    posted = {"do": "drive", "combatant": SARN, "to": f"{x},{y}", "version": version}
    assert gm_client.post(page, posted).status_code == 303
    car = state_of(chase.pk)[CAR]
    assert (car.at.x, car.at.y) == (x, y)
    assert machinery.find_speed(state_of(chase.pk), car) > SPEED


def test_place_off_the_course_says_why(gm_client: Client, chase: Encounter) -> None:
    told = ask(gm_client, chase, combatant=SARN, do="drive", to="30,6")
    assert told["refused"].startswith("That is no ordinary course")


def test_driver_reads_nowhere_to_get_out_first(gm_client: Client, chase: Encounter) -> None:
    page = f"/encounters/{chase.pk}/"
    scene = read(gm_client.get(page)).one(id="scene").text
    assert "choose Drive" in scene
    assert "get out first" not in scene
    assert "No move now" not in scene
    version = read(gm_client.get(page)).all("input", name="version")[0]["value"]
    gm_client.post(page, {"do": "drive", "combatant": SARN, "version": version})
    assert "has been driven this round" in ask(gm_client, chase, combatant=SARN)["refused"]
    scene = read(gm_client.get(page)).one(id="scene").text
    assert "No move now" in scene
    assert "get out first" not in scene


def test_car_moves_with_its_driver(gm_client: Client, chase: Encounter) -> None:
    page = read(gm_client.get(f"/encounters/{chase.pk}/?fold=board-plain"))
    movers = [one["data-combatant"] for one in page.all("a") if one.attrs.get("data-move") == "way"]
    assert set(movers) == {SARN}
    assert len(movers) > 1


def test_speed_begins_as_it_is_and_grows_for_a_far_place(gm_client: Client, chase: Encounter) -> None:
    address = f"/encounters/{chase.pk}/?combatant={SARN}&do=drive&to=160,6"
    page = read(gm_client.get(address))
    assert page.one("input", name="speed")["value"] == str(SPEED)
    assert "too far" not in page.one("form", id="form-drive").text


def test_attack_that_hits_nobody_is_no_usual_action(gm_client: Client, chase: Encounter) -> None:
    """It stays in its group, and comes back where it can hit."""

    def find_usual() -> str:
        page = read(gm_client.get(f"/encounters/{chase.pk}/?combatant={PELL}"))
        return " ".join(one.text for one in page.all("section", class_="usual"))

    submit(chase.pk, Submission("next_turn", {}))
    assert state_of(chase.pk).active == PELL
    assert "Attack" in find_usual()
    evading = {"target": "f4", "kind": "evading", "level": 12}
    submit(chase.pk, Submission("give_condition", evading))
    assert "Attack" not in find_usual()
    group = read(gm_client.get(f"/encounters/{chase.pk}/?combatant={PELL}")).one(id="turn-actions").text
    assert "Attack" in group
