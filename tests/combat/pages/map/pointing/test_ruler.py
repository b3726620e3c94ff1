"""Distances from place to place as the game counts them, for the ruler of the map."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from tests.combat.cast import gather
from tests.combat.pages.whatif.test_branches import Maker
from tests.combat.visit import MARCUS, PIRATE, ZARA, Visit, demo_fight, stored
from tests.typed import Answer


def ask(visit: Visit, **query: str) -> Any:
    return visit.client.get(f"{visit.here}ruler/", query)


def test_distance_is_said_as_the_game_counts_it(visit: Visit) -> None:
    before = stored(visit.pk)
    assert ask(visit, **{"from": "4,3", "to": "10,2"}).json() == {"words": "6.1 m", "ends": [[4, 3], [10, 2]]}
    assert stored(visit.pk) == before, "nobody else learns of it"


def test_distance_counts_the_height_of_the_ground(visit: Visit) -> None:
    roof = {"id": "roof", "name": "Roof", "x": 9, "y": 0, "width": 5, "depth": 5, "height": 30}
    submit(visit.pk, Submission("set_scene", {"scene": {"zones": [roof]}}))
    assert ask(visit, **{"from": "4,3", "to": "10,2"}).json()["words"] == "30 m"


def test_what_is_no_place_is_refused(visit: Visit) -> None:
    for query in ({}, {"from": "4,3"}, {"from": "4", "to": "1,1"}, {"from": "1,2", "to": "1e999,0"}):
        answer = ask(visit, **query)
        assert answer.status_code == 422, query
        assert answer.json()["refused"] == "A place is two numbers of meters, such as 9, 5."


def test_two_places_are_chosen_by_name_without_a_script(visit: Visit) -> None:
    form = visit.page().one("form", id="map-measure")
    answer = visit.client.get(form["action"], {"from": "4,3", "to": "10,2"}, headers={"Accept": "text/html"})
    assert answer.status_code == 303
    assert "Measured: 6.1 m." in visit.client.get(answer["Location"]).content.decode()


def test_combatants_are_places_for_those_who_know_of_them(started: Encounter) -> None:
    cast = gather(started, ZARA, MARCUS)
    submit(started.pk, Submission("hide", {"target": PIRATE}))
    here = f"/encounters/{started.pk}/ruler/"
    for role, status in (("gm", 200), ("player", 422), ("watcher", 422)):
        answer = cast[role].get(here, {"from": f"@{ZARA}", "to": f"@{PIRATE}"})
        assert answer.status_code == status, role
    assert answer.json()["refused"] == "That combatant isn't on the map now: choose another place."
    nobody = cast["watcher"].get(here, {"from": f"@{ZARA}", "to": "@nobody"})
    assert nobody.json() == answer.json()


def test_a_step_changes_nothing_of_the_lists_of_places(visit: Visit) -> None:
    def read() -> list[tuple[str, str]]:
        page = visit.page()
        chosen = page.one("select", id="measure-from")
        return [(one["value"], one.text) for one in page.all("option", inside=chosen)]

    before = read()
    assert (f"@{ZARA}", "Zara") in before
    visit.post(do="move", combatant=ZARA, to="8,4")
    assert read() == before


def test_units_are_those_of_the_game(visit: Visit, gm: User) -> None:
    assert visit.page().one("form", id="map-move")["data-unit"] == "m"
    other = demo_fight(gm, "guardians")
    assert Visit(visit.client, other.pk).page().one("form", id="map-move")["data-unit"] == "yd"


@pytest.mark.slow
def test_distances_in_a_branch_are_measured_from_the_place_there(
    gm_client: Client, started: Encounter
) -> None:
    maker = Maker(gm_client, started.pk).begin()

    def measure(**headers: str) -> Answer:
        query = {"from": f"@{ZARA}", "to": "10,3"}
        return maker.client.get(maker.page().one("form", id="map-measure")["action"], query, headers=headers)

    assert measure().json()["words"] == "6 m"
    maker.do("place", target=ZARA, x="8", y="3")
    assert measure().json()["words"] == "2 m"
    table = maker.client.get(f"/encounters/{maker.pk}/ruler/", {"from": f"@{ZARA}", "to": "10,3"})
    assert table.json()["words"] == "6 m"
    without_script = measure(Accept="text/html")
    assert (without_script.status_code, without_script["Location"]) == (303, maker.here)
    assert "Measured: 2 m." in maker.page().one("main").text
