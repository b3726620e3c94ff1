"""Pointing at a place of the map: who may, who hears of it, how often; nothing is stored."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from combat.live import hub
from combat.live.hub import Listener, StreamGrant
from combat.models import Encounter
from combat.pages.map import previews
from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.basics.errors import Refused
from tests.combat.cast import Cast
from tests.combat.visit import Visit, stored

ALL = ("gm", "seat", "public")


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The messages given to the live stream."""
    found: list[Any] = []
    monkeypatch.setattr(hub, "point", lambda *given: found.append(given))
    monkeypatch.setattr(previews, "PAUSE_SECONDS", 600)
    cache.clear()
    return found


def point(client: Client, pk: int, x: str = "3.5", y: str = "4") -> Any:
    return client.post(f"/encounters/{pk}/point/", {"x": x, "y": y})


def test_gm_and_players_point_others_may_not(started: Encounter, cast: Cast, told: list[Any]) -> None:
    for role, name in (("gm", "GM"), ("co_gm", "Cleo"), ("player", "Pia"), ("other", "Otto")):
        before = stored(started.pk)
        assert point(cast[role], started.pk).status_code == 200, role
        assert told.pop() == (started.pk, ALL, {"x": 3.5, "y": 4.0, "name": name})
        assert stored(started.pk) == before, "nothing is kept"
    assert point(cast.watcher, started.pk).status_code == 403
    for role in ("revoked", "stranger", "nobody"):
        assert point(cast[role], started.pk).status_code in (302, 404, 410), role
    assert not told


def test_again_at_once_is_too_often(started: Encounter, cast: Cast, told: list[Any]) -> None:
    assert point(cast.player, started.pk).status_code == 200
    again = point(cast.player, started.pk)
    assert (again.status_code, again.json()["refused"]) == (429, "You have just pinged: wait a moment.")
    assert again["Retry-After"] == str(previews.PAUSE_SECONDS)
    assert point(cast.other, started.pk).status_code == 200, "each for themselves"
    assert len(told) == 2


def test_no_place_is_refused(visit: Visit, told: list[Any]) -> None:
    for x, y in [("", "1"), ("nan", "1"), ("1", "1e9"), ("99999", "0"), ("<b>", "0")]:
        found = point(visit.client, visit.pk, x, y)
        assert found.status_code == 422, (x, y)
        assert found.json()["refused"], (x, y)
        assert not told, (x, y)


def test_what_players_do_not_know_is_shown_to_the_gm_alone(visit: Visit, told: list[Any]) -> None:
    hidden = [{"id": "a1", "x": 10, "y": 0, "width": 10, "depth": 10}]
    submit(visit.pk, Submission("change_map", {"hidden": hidden}))
    point(visit.client, visit.pk, "15", "5")
    assert told.pop()[1] == ("gm",)


def test_fog_keeps_a_point_from_players(visit: Visit, told: list[Any]) -> None:
    wall = [{"id": "w1", "x1": 20, "y1": -20, "x2": 20, "y2": 40}]
    submit(visit.pk, Submission("change_map", {"walls": wall, "look": {"fog": True}}))
    point(visit.client, visit.pk, "25", "5")
    assert told.pop()[1] == ("gm",)


def test_where_a_player_points_is_shown_whatever_lies_there(
    started: Encounter, cast: Cast, told: list[Any]
) -> None:
    """Refusing the point would tell them that something is hidden there."""
    hidden = [{"id": "a1", "x": 10, "y": 0, "width": 10, "depth": 10}]
    submit(started.pk, Submission("change_map", {"hidden": hidden, "look": {"fog": True}}))
    assert point(cast.player, started.pk, "15", "5").status_code == 200
    assert told.pop()[1] == ALL


def test_stream_passes_a_point_on_to_these_kinds() -> None:
    """A program that reads by a link hears only of changes."""

    async def hear() -> list[list[str]]:
        loop = asyncio.get_running_loop()
        grants = [StreamGrant(7, "seat"), StreamGrant(7, "public"), StreamGrant(7, "public", link=3)]
        listening = [Listener(who, loop, lambda who: asyncio.sleep(0, "")) for who in grants]
        for one in listening:
            hub.add(one)
        hub.point(7, ("seat", "public"), {"x": 1, "y": 2, "name": "Pia\n"})
        hub.point(7, ("gm",), {"x": 9, "y": 9, "name": "GM"})
        await asyncio.sleep(0)
        for one in listening:
            hub.remove(one)
        assert all(kind == "pointed" for one in listening for kind, _ in one.points)
        return [[text for _, text in one.points] for one in listening]

    seat, public, program = asyncio.run(hear())
    assert seat == public
    assert [json.loads(one) for one in seat] == [{"x": 1, "y": 2, "name": "Pia\n"}]
    assert "\n" not in seat[0], "one line of the stream"
    assert not program


def test_choice_of_the_list_is_a_place_and_leads_back(visit: Visit, told: list[Any]) -> None:
    """As a browser without scripts sends it."""
    found = visit.client.post(
        f"/encounters/{visit.pk}/point/", {"place": "3.5,4"}, headers={"Accept": "text/html"}
    )
    assert (found.status_code, found["Location"]) == (303, visit.here)
    assert told.pop()[2] == {"x": 3.5, "y": 4.0, "name": "GM"}


@pytest.mark.parametrize(
    ("word", "meters"),
    [
        ("10000", 10_000),
        ("-10000", -10_000),
        ("3,45", 3.45),
        ("3.456", 3.46),
        ("3,456", None),
        ("10000.01", None),
        ("nan", None),
        ("", None),
    ],
)
def test_coordinate_is_a_number_of_meters_on_the_plane(word: str, meters: float | None) -> None:
    if meters is None:
        with pytest.raises(Refused, match="A place is two numbers of meters"):
            previews.read_meters(word)
    else:
        assert previews.read_meters(word) == meters
