"""What stops a move is named if it is a door that its reader knows, and the page offers to open it."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.space import Wall, map_of
from tests.combat.cast import gather
from tests.combat.rules.every_game.decks import HATCH, make_ship, make_zones
from tests.combat.visit import MARCUS, ZARA, begun, load, read, state_of
from tests.typed import Answer

BESIDE, AWAY = (4, 2), (2, 8)
WALLS = [
    {"id": "w1", "kind": "wall", "x1": 5, "y1": -1, "x2": 5, "y2": 1},
    {"id": "w2", "kind": "wall", "x1": 5, "y1": 3, "x2": 5, "y2": 12},
    {"id": "w3", "kind": "wall", "x1": -1, "y1": -1, "x2": 5, "y2": -1},
    {"id": "w4", "kind": "wall", "x1": -1, "y1": 12, "x2": 5, "y2": 12},
    {"id": "w5", "kind": "wall", "x1": -1, "y1": -1, "x2": -1, "y2": 12},
]
DOOR = {"id": "d1", "kind": "door", "name": "Cargo door", "x1": 5, "y1": 1, "x2": 5, "y2": 3}
SHUT = "Cargo door is shut, and no way leads round it: open it first."


def lay(pk: int, at: tuple[float, float], door: dict[str, Any], **more: Any) -> None:
    """A room with one door: Zara inside, all others outside."""
    submit(pk, Submission("set_map", {"map": {"walls": [*WALLS, door], **more}}))
    for n, who in enumerate(state_of(pk).combatants):
        submit(pk, Submission("place", {"target": who, "x": 10 + 2 * n, "y": 6}))
    submit(pk, Submission("place", {"target": ZARA, "x": at[0], "y": at[1]}))


def go(client: Client, pk: int, to: str) -> Answer:
    return client.post(f"/encounters/{pk}/", {"do": "move", "combatant": ZARA, "to": to})


def notice_hrefs(answer: Answer) -> list[str]:
    page = read(answer)
    return [link["href"] for link in page.all("a", inside=page.one("p", class_="notice"))]


def find_wall(pk: int, wall: str) -> Wall:
    return next(one for one in map_of(state_of(pk).scene).walls if one.id == wall)


def said(answer: Answer) -> str:
    return read(answer).one("p", class_="notice").text


@pytest.fixture
def pk(gm: User) -> int:
    return begun(gm, "cosmos").pk


@pytest.mark.parametrize("fog", [False, True])
@pytest.mark.parametrize("to", ["8,10", "near:f3"])
def test_the_door_is_named_and_opened_from_beside_it(gm_client: Client, pk: int, fog: bool, to: str) -> None:
    """Also where the straight line meets a wall."""
    lay(pk, BESIDE, DOOR, fog=fog)
    answer = go(gm_client, pk, to)
    assert answer.status_code == 409
    assert SHUT in said(answer)
    (address,) = notice_hrefs(answer)
    assert "Open Cargo door" in said(answer)
    form = read(gm_client.get(f"/encounters/{pk}/{address}"))
    assert form.one("button", id="roll-app")["value"] == "door move"
    told = gm_client.get(f"/encounters/{pk}/paths/", {"combatant": ZARA, "do": "move", "to": "8,10"}).json()
    assert told["refused"] == SHUT
    assert told["out"]["label"] == "Open Cargo door, then move 9.5 m"
    assert told["out"]["price"] == "1 Move + 1 Standard"
    assert told["out"]["parts"] == [["Open Cargo door", "1 Move"], ["Move 9.5 m", "1 Standard"]]
    assert gm_client.post(f"/encounters/{pk}/", told["out"]["fields"]).status_code == 303
    at = state_of(pk)[ZARA].at
    assert (at.x, at.y) == (8, 10)


def test_from_afar_the_page_leads_to_the_door(gm_client: Client, pk: int) -> None:
    lay(pk, AWAY, DOOR)
    answer = go(gm_client, pk, "8,10")
    assert "Move 6.3 m, then open Cargo door" in said(answer)
    before = load(pk).steps
    told = gm_client.get(f"/encounters/{pk}/paths/", {"combatant": ZARA, "do": "move", "to": "8,10"}).json()
    assert "needs 1 Move" in told["out"]["note"], "the rest is for the next turn"
    assert gm_client.post(f"/encounters/{pk}/", told["out"]["fields"]).status_code == 303
    assert load(pk).steps == before + 2, "each part is a step"
    assert find_wall(pk, "d1").open


@pytest.mark.parametrize(
    ("door", "words"),
    [
        ({"locked": True}, "Cargo door is locked, and no way leads round it: the GM can unlock it."),
        ({"secret": True}, "A wall is in the way, and no way leads round it"),
        ({"name": ""}, "Door 1 is shut, and no way leads round it: open it first."),
    ],
)
def test_only_a_door_that_may_be_opened_is_offered(
    gm_client: Client, pk: int, door: dict[str, Any], words: str
) -> None:
    lay(pk, BESIDE, {**DOOR, **door})
    answer = go(gm_client, pk, "8,10")
    assert words in said(answer)
    assert bool(notice_hrefs(answer)) == ("shut" in words)


def test_players_are_told_of_doors_they_know(gm: User, pk: int) -> None:
    """Not of a secret one, and in fog not of one that lies out of sight."""
    cast = gather(load(pk), ZARA, MARCUS)
    lay(pk, BESIDE, DOOR, fog=True)
    assert SHUT in said(go(cast.player, pk, "8,10"))
    lay(pk, BESIDE, {**DOOR, "secret": True}, fog=True)
    assert "Cargo" not in said(go(cast.player, pk, "8,10"))
    screen = {"id": "s", "kind": "wall", "x1": 4, "y1": -1, "x2": 4, "y2": 12}
    lay(pk, AWAY, DOOR, fog=True)
    submit(pk, Submission("change_map", {"walls": [screen]}))
    assert "Cargo" not in said(go(cast.player, pk, "8,10"))


def test_shut_hatch_is_opened_from_the_card_of_a_deck_move(gm_client: Client, pk: int) -> None:
    submit(pk, Submission("set_scene", {"scene": {"zones": make_zones()}}))
    submit(pk, Submission("set_map", {"map": make_ship(HATCH)}))
    submit(pk, Submission("place", {"target": ZARA, "x": 18, "y": 1}))
    told = gm_client.get(f"/encounters/{pk}/paths/", {"combatant": ZARA, "across": "up"}).json()
    assert told["refused"] == ""
    assert told["parts"][0] == "Open the hatch"
