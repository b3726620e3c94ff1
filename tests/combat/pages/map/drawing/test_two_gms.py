"""Two GMs with the same form of the scene open: each change of one field stays, or is told."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from msgspec.structs import replace

from combat.models import Encounter
from combat.rules.core.space import Wall, Zone, map_of
from tests.combat.visit import Visit, read, refusal, state_of
from tests.typed import Answer


@pytest.fixture
def visit(gm_client: Client, bare: Encounter) -> Visit:
    return Visit(gm_client, bare.pk)


def open_form(visit: Visit, query: str, do: str, answer: Answer | None = None) -> dict[str, Any]:
    """What a browser sends if nothing in the form with this button is changed."""
    page = read(answer or visit.get(query))
    (button,) = [one for one in page.all("button") if one.attrs.get("value") == do]
    form = next(parent for parent in reversed(button.parents) if parent.tag == "form")
    return page.fields(form) | {"do": do}


def send(visit: Visit, page: str, form: dict[str, Any], **changed: Any) -> Answer:
    return visit.client.post(f"{visit.here}{page}/", form | changed)


def zone_of(visit: Visit) -> Zone:
    return state_of(visit.pk).scene.zones[0]


@pytest.mark.parametrize(("page", "do"), [("scene", "save"), ("prep", "zone")])
def test_two_changes_of_one_zone_both_stay_or_are_told(visit: Visit, page: str, do: str) -> None:
    first = zone_of(visit)
    query = f"{page}/?edit={'zones:' if do == 'save' else ''}{first.id}"
    old = open_form(visit, query, do)
    theirs = {"name": "Bridge", "terrain": ["rubble"], "width": "12.5"}
    assert send(visit, page, old, **theirs).status_code == 303
    assert send(visit, page, old, light="dark", width="12.5").status_code == 303
    now = zone_of(visit)
    assert (now.name, now.terrain, now.width, now.light) == ("Bridge", ("rubble",), 12.5, "dark")

    answer = send(visit, page, old, name="Hold", cover="")
    assert answer.status_code == 409
    assert "Someone changed this meanwhile: Name is “Bridge” now. Compare" in refusal(answer)
    assert zone_of(visit) == now
    both = refusal(send(visit, page, old, terrain=["mud"]))
    assert "meanwhile: Ground and objects is “Rubble” now" in both
    again = open_form(visit, "", do, answer)
    assert (again["name"], again["light"], again["width"]) == ("Hold", "dark", "12.5")
    assert send(visit, page, again).status_code == 303
    assert zone_of(visit) == replace(now, name="Hold")


@pytest.mark.slow
def test_zone_that_was_removed_comes_back_only_if_wanted(visit: Visit) -> None:
    first = zone_of(visit)
    old = open_form(visit, f"prep/?edit={first.id}", "zone")
    assert send(visit, "prep", {"do": "remove_zone", "id": first.id}).status_code == 303
    answer = send(visit, "prep", old, name="Hold")
    assert (answer.status_code, "removed meanwhile" in refusal(answer)) == (409, True)
    assert first.id not in {zone.id for zone in state_of(visit.pk).scene.zones}
    assert send(visit, "prep", open_form(visit, "", "zone", answer)).status_code == 303
    assert {zone.name for zone in state_of(visit.pk).scene.zones} >= {"Hold"}


def test_door_that_opened_meanwhile_stays_open(visit: Visit) -> None:
    send(visit, "scene", {"do": "draw", "kind": "door", "points": "0,0; 2,0"})
    old = open_form(visit, "scene/?edit=walls:w1", "save")
    send(visit, "scene", old, open="on")
    assert send(visit, "scene", old, name="Airlock").status_code == 303
    (door,) = map_of(state_of(visit.pk).scene).walls
    assert isinstance(door, Wall)
    assert (door.name, door.open) == ("Airlock", True)


def test_two_changes_of_the_whole_map_both_stay(visit: Visit) -> None:
    old = open_form(visit, "scene/", "map")
    send(visit, "scene", old, fog="on", cell="3")
    assert send(visit, "scene", old, sky="night").status_code == 303
    built = map_of(state_of(visit.pk).scene)
    assert (built.fog, built.cell, built.sky) == (True, 3.0, "night")
    answer = send(visit, "scene", old, cell="4")
    assert "Side of a square (m) is “3” now" in refusal(answer)
