"""The table as JSON: a spectator's link shows it to other programs, and no more."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from combat.models import Encounter, ShareLink
from combat.play.writing.encounter_service import Submission, submit
from combat.sharing.links import find_link, make_link, revoke
from tests.combat.rules.every_game.decks import LADDER, make_ship, make_zones
from tests.combat.visit import DEMO, MARCUS, PIRATE, ZARA, load, play


@pytest.fixture
def token(started: Encounter) -> str:
    """The token of a spectator link."""
    return make_link(started, ShareLink.WATCH, "Overlay")[1]


def read(token: str) -> dict[str, Any]:
    """The answer to a program without cookies."""
    answer = Client().get(f"/api/v1/{token}/")
    assert answer.status_code == 200, answer.content.decode()
    return dict(json.loads(answer.content))


def test_program_reads_what_a_spectator_sees(started: Encounter, token: str) -> None:
    play(started.pk, DEMO.script[1:3])
    plain = read(token)
    assert (plain["format"], plain["version"]) == ("cosmos-table-state", 1)
    assert (plain["phase"], plain["round"]) == ("fight", 1)
    assert plain["active"] == [PIRATE]
    assert plain["order"] == [ZARA, PIRATE, MARCUS]
    assert [one["name"] for one in plain["combatants"]] == ["Zara", "Pirate", "Marcus"]
    shot = next(line for line in plain["log"] if line["roll"])
    assert shot["roll"]["faces"]


def test_health_of_an_enemy_is_as_secret_as_on_the_page(started: Encounter, token: str) -> None:
    zara, pirate, _ = read(token)["combatants"]
    assert zara["health"]["number"]
    assert pirate["health"]["word"]
    assert not pirate["health"]["number"]
    submit(started.pk, Submission("set_option", {"key": "foe_health", "value": "nothing"}))
    assert read(token)["combatants"][1]["health"] is None


def test_nothing_of_the_hidden_is_there(started: Encounter, token: str) -> None:
    submit(started.pk, Submission("hide", {"target": PIRATE}))
    submit(started.pk, Submission("note", {"text": "The airlock is mined."}))
    submit(started.pk, Submission("hazard_check", {"target": PIRATE, "approach": "detect"}))
    raw = Client().get(f"/api/v1/{token}/").content.decode()
    assert "Zara" in raw
    assert "hides" not in raw
    assert PIRATE not in json.loads(raw)["order"]
    assert [one["id"] for one in json.loads(raw)["combatants"]] == [ZARA, MARCUS]
    assert "mined" not in raw
    assert "detect" not in raw


def test_decks_and_their_ways_are_told_and_hidden_ones_are_not(started: Encounter, token: str) -> None:
    ship = make_ship(LADDER)
    submit(started.pk, Submission("set_scene", {"scene": {"zones": make_zones()}}))
    submit(started.pk, Submission("set_map", {"map": ship}))
    submit(started.pk, Submission("place", {"target": ZARA, "x": 4, "y": 6}))
    said = read(token)
    low, high = (deck["id"] for deck in said["decks"])
    assert [deck["height"] for deck in said["decks"]] == sorted(deck["height"] for deck in said["decks"])
    (way,) = said["ways"]
    assert (way["kind"], way["open"], way["decks"]) == ("ladder", True, [low, high])
    assert next(one for one in said["combatants"] if one["id"] == ZARA)["deck"] == low
    upper = next(deck for deck in ship["decks"] if deck["id"] == high)
    cover = {name: upper[name] for name in ("x", "y", "width", "depth")} | {"id": "a1"}
    submit(started.pk, Submission("set_map", {"map": {**ship, "hidden": [cover]}}))
    said = read(token)
    assert (said["decks"], said["ways"]) == ([], []), "one deck alone would tell that there are others"
    assert upper["name"] not in json.dumps(said)


def test_what_has_not_changed_is_not_sent_again(started: Encounter, token: str) -> None:
    client, address = Client(), f"/api/v1/{token}/"
    tag = client.get(address)["ETag"]
    same = client.get(address, headers={"If-None-Match": tag})
    assert (same.status_code, same.content) == (304, b"")
    submit(started.pk, Submission("note", {"text": "For the GM alone."}))
    assert client.get(address, headers={"If-None-Match": tag}).status_code == 304
    play(started.pk, DEMO.script[1:2])
    assert client.get(address, headers={"If-None-Match": tag}).status_code == 200


def test_other_links_open_nothing_here(started: Encounter) -> None:
    for kind in [ShareLink.PLAY, ShareLink.CO_GM]:
        answer = Client().get(f"/api/v1/{make_link(started, kind, '')[1]}/")
        assert answer.status_code == 403, kind
        assert "spectators" in json.loads(answer.content)["problem"], kind


def test_revoked_or_unknown_link_is_gone(started: Encounter, token: str) -> None:
    link = find_link(token)
    assert link
    revoke(link)
    for address in (f"/api/v1/{token}/", "/api/v1/nothing/"):
        answer = Client().get(address)
        assert answer.status_code == 404
        assert "ask the GM" in json.loads(answer.content)["problem"]
        assert "Zara" not in answer.content.decode()


def test_reading_changes_nothing(started: Encounter, token: str) -> None:
    before = load(started.pk).version
    client = Client()
    client.get(f"/api/v1/{token}/")
    assert not client.cookies
    assert client.post(f"/api/v1/{token}/").status_code == 405
    assert load(started.pk).version == before


def test_page_explains_every_field(db: None, started: Encounter, token: str) -> None:
    page = Client().get("/api/").content.decode()
    assert all(f"<code>{name}</code>" in page for name in read(token))


def test_page_names_every_address_of_a_seat(db: None) -> None:
    page = Client().get("/api/").content.decode()
    for path, methods in Client().get("/api/openapi.json").json()["paths"].items():
        if path.startswith("/api/table/"):
            assert all(f"{method.upper()} {path}" in page for method in methods), path
