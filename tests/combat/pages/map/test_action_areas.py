"""An open form shows the action's area: its shape, and the combatants inside, allies first."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from combat.models import Encounter, Seat
from combat.play.writing.encounter_service import Submission, submit
from tests.combat.cast import gather
from tests.combat.visit import MARCUS, PIRATE, ZARA, Visit, combatant, state_of, stored

ARC = {"do": "shock", "kind": "arc", "start": "0,2", "to": "9,2", "target": ZARA}


def area(client: Client, pk: int, **query: str) -> Any:
    return client.get(f"/encounters/{pk}/area/", query)


@pytest.fixture
def grenadier(visit: Visit) -> str:
    """Give someone on the heroes' side a grenade; return their id."""
    submit(
        visit.pk,
        Submission("join", {"block": "soldier", "name": "Gus", "side": combatant(visit.pk, ZARA).side}),
    )
    submit(visit.pk, Submission("set_option", {"key": "grenades_at_hand", "value": "true"}))
    (who,) = [w for w, f in state_of(visit.pk).combatants.items() if f.name == "Gus"]
    return who


def test_gm_is_told_shapes_and_people(visit: Visit) -> None:
    for who, x in ((ZARA, 2), (PIRATE, 4), (MARCUS, 40)):
        submit(visit.pk, Submission("place", {"target": who, "x": x, "y": 2}))
    before = stored(visit.pk)
    found = area(visit.client, visit.pk, **ARC).json()
    assert not found["refused"]
    assert [(shape["kind"], shape["metres"]) for shape in found["shapes"]] == [("line", 6)]
    assert found["shapes"][0]["path"].startswith("M")
    assert {one["name"] for one in found["inside"]} == {"Zara", "Pirate"}
    assert stored(visit.pk) == before, "asking does nothing"


def test_those_of_one_name_are_told_apart(visit: Visit) -> None:
    for who, x in ((ZARA, 2), (PIRATE, 4), (MARCUS, 40)):
        submit(visit.pk, Submission("place", {"target": who, "x": x, "y": 2}))
    submit(visit.pk, Submission("rename", {"target": PIRATE, "name": "Zara"}))
    inside = area(visit.client, visit.pk, **ARC).json()["inside"]
    assert {one["name"] for one in inside} == {"Zara (crew)", "Zara (pirates)"}


def test_a_wrong_form_says_what_is_wrong(visit: Visit) -> None:
    found = area(visit.client, visit.pk, **{**ARC, "to": "nowhere"})
    assert found.status_code == 200
    assert found.json()["refused"]
    assert area(visit.client, visit.pk, do="shock", kind="earth", target=ZARA).json()["refused"]
    assert area(visit.client, visit.pk, do="dance").json()["refused"]
    assert area(visit.client, visit.pk, do="attack", combatant=ZARA).status_code == 404, "covers no area"


def test_allies_come_first_and_the_hidden_never(visit: Visit, started: Encounter, grenadier: str) -> None:
    for who, x in ((grenadier, 0), (PIRATE, 9), (ZARA, 11), (MARCUS, 60)):
        submit(visit.pk, Submission("place", {"target": who, "x": x, "y": 5}))
    cast = gather(started, ZARA, MARCUS)
    Seat.objects.filter(name="Pia").update(combatants=[grenadier])
    item = next(i for i in state_of(visit.pk).combatants[grenadier].items if i.data.get("radius_m"))
    query = {"do": "blast", "combatant": grenadier, "weapon": item.id, "at": "10,5"}
    found = area(cast.player, visit.pk, **query).json()
    assert [(one["name"], one["ally"]) for one in found["inside"]] == [("Zara", True), ("Pirate", False)]
    assert found["words"] == "Allies in the blast: Zara. In the blast: Pirate."
    submit(visit.pk, Submission("hide", {"target": PIRATE}))
    unseen = area(cast.player, visit.pk, **query)
    assert unseen.json()["words"] == "Allies in the blast: Zara."
    assert "Pirate" not in unseen.content.decode()
    assert [one["name"] for one in area(cast.gm, visit.pk, **query).json()["inside"]] == ["Zara", "Pirate"]
