"""A zone that lies half in fog is the part of it that its player has seen, for the page and for the move."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.models import ShareLink
from combat.play.writing.encounter_service import Submission, submit
from combat.play.writing.verification import verify
from combat.rules import find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.space import Scene, Zone, check_goal
from tests.combat.cast import come
from tests.combat.pages.map.test_way_out import DOOR, WALLS
from tests.combat.visit import Visit, begun, load, read, state_of
from tests.typed import Answer

HALL = {"id": "hall", "name": "Hall", "x": -1, "y": -1, "width": 30, "depth": 13}
AT = (1, 6)


class Room:
    """A closed room of a hall in fog: someone and their side are in it, in their turn; the others are not."""

    def __init__(self, gm: User, client: Client, game: str) -> None:
        self.gm = Visit(client, begun(gm, game).pk)
        self.pk = self.gm.pk
        advance = find_system(game).actions.advance
        while not state_of(self.pk)[who := state_of(self.pk).active].pc:
            submit(self.pk, Submission(advance, {}))
        self.who = who
        settings = dict(state_of(self.pk).scene.settings)
        if game == "starshock":
            settings["positioning"] = "squares"
        scene = {"zones": [HALL], "settings": settings}
        submit(self.pk, Submission("set_scene", {"scene": scene}))
        side = state_of(self.pk)[who].side
        for number, one in enumerate(state_of(self.pk).combatants.values()):
            x, y = AT if one.id == who else (number % 3, number) if one.side == side else (10 + 2 * number, 6)
            submit(self.pk, Submission("place", {"target": one.id, "x": x, "y": y}))
        submit(self.pk, Submission("set_map", {"map": {"walls": [*WALLS, DOOR], "fog": True}}))
        if game == "starshock":
            self.gm.post(do="declare", combatant=who, actions="3")
        self.player = come(load(self.pk), ShareLink.PLAY, "Pia", who)

    def go(self, client: Client, to: str) -> Answer:
        return client.post(f"/encounters/{self.pk}/", {"do": "move", "combatant": self.who, "to": to})

    def at(self) -> tuple[float, float]:
        at = state_of(self.pk)[self.who].at
        return at.x, at.y


@pytest.fixture(params=["cosmos", "starshock", "cepheus", "cepheus_quick", "guardians"])
def room(request: pytest.FixtureRequest, gm: User, gm_client: Client) -> Room:
    return Room(gm, gm_client, request.param)


def test_a_player_goes_to_the_middle_of_what_they_have_seen(room: Room) -> None:
    assert room.go(room.player, "zone:hall").status_code in (200, 303)
    x, y = room.at()
    assert (x, y) != AT
    assert -1 <= x < 5
    verify(load(room.pk))
    room.gm.do("undo")
    assert room.at() == AT


def test_the_gm_goes_to_the_middle_of_all_of_it(room: Room) -> None:
    """What stops them is told: they know what lies there."""
    answer = room.go(room.gm.client, "zone:hall")
    assert answer.status_code == 409
    assert "door" in read(answer).one("p", class_="notice").text


@pytest.mark.slow
@pytest.mark.parametrize("spot", ["20,6", "nowhere", "", "99,99"])
def test_a_spot_that_someone_made_up_is_no_way_out(room: Room, spot: str) -> None:
    answer = room.go(room.player, f"zone:hall@{spot}")
    assert answer.status_code in (409, 422)
    assert "That isn't possible now" not in answer.content.decode()
    assert room.at() == AT


def test_a_goal_is_a_zone_or_a_spot_in_it() -> None:
    hall, odd = Zone("hall", "Hall", 0, 0, 20, 4, height=3.0), Zone("a@b", "Odd", 0, 0, 4, 4)
    scene = Scene(zones=(hall, odd))
    assert check_goal(scene, "hall") == hall
    assert check_goal(scene, "a@b") == odd
    spot = check_goal(scene, "hall@2.5,1")
    assert (spot.id, spot.centre.x, spot.centre.y, spot.centre.z) == ("hall", 2.5, 1, 3.0)
    assert check_goal(scene, "a@b@1,1").centre.x == 1
    for wrong in ("hall@21,1", "hall@", "hall@x", "cellar", "cellar@1,1"):
        with pytest.raises(Refused):
            check_goal(scene, wrong)
