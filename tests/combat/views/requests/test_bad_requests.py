"""Requests that are no forms, addresses that lead nowhere, refusals of the other pages."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from combat.models import Encounter
from combat.play.demo import ensure_demo
from tests.combat.visit import MARCUS, PIRATE, PISTOL, SLUG, ZARA, Visit, read, refusal, stored

ACTOR_ATTACK = {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}
FORM = "application/x-www-form-urlencoded"


@pytest.fixture(autouse=True)
def no_verification(settings: Settings) -> None:
    """These tests compare every stored byte themselves."""
    settings.COSMOS_VERIFY = False


# ---- The request itself ----


@pytest.mark.parametrize("path", ["", "prep/"])
@pytest.mark.parametrize("kind", [FORM, "multipart/form-data; boundary=x"])
def test_five_megabytes(gm: User, started: Encounter, path: str, kind: str) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(gm)
    body = "do=note&text=" + "x" * 5_000_000
    if "multipart" in kind:
        body = f'--x\r\nContent-Disposition: form-data; name="text"\r\n\r\n{body}\r\n--x--\r\n'
    before = stored(started.pk)
    found = client.post(f"/encounters/{started.pk}/{path}", body, content_type=kind)
    assert found.status_code == 413
    assert "at most 2.6 MB" in found.content.decode()
    assert stored(started.pk) == before


def test_thousands_of_fields(gm: User, started: Encounter) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(gm)
    before = stored(started.pk)
    found = client.post(f"/encounters/{started.pk}/", {f"f{n}": "1" for n in range(2000)})
    assert found.status_code == 400
    assert "That request can't be read" in found.content.decode()
    assert stored(started.pk) == before


@pytest.mark.parametrize("token", ["", "wrong", "x" * 64])
@pytest.mark.parametrize("path", ["", "prep/"])
def test_wrong_secret(gm: User, started: Encounter, strict_client: Client, token: str, path: str) -> None:
    strict_client.force_login(gm)
    address = f"/encounters/{started.pk}/{path}"
    strict_client.get(address)
    before = stored(started.pk)
    for headers in ({}, {"HX-Request": "true"}, {"x-csrftoken": token}):
        found = strict_client.post(
            address, {"csrfmiddlewaretoken": token, "do": "end_fight"}, headers=headers
        )
        assert found.status_code == 403
        assert "Please try again" in found.content.decode()
    assert stored(started.pk) == before


def test_right_secret_in_the_form_or_the_header_is_taken(
    gm: User, started: Encounter, strict_client: Client
) -> None:
    strict_client.force_login(gm)
    address = f"/encounters/{started.pk}/"
    page = read(strict_client.get(address))
    secret = page.all("input", name="csrfmiddlewaretoken")[0]["value"]
    posted = {"csrfmiddlewaretoken": secret, "do": "next_turn"}
    assert strict_client.post(address, posted).status_code == 303
    header = {"x-csrftoken": secret, "HX-Request": "true"}
    assert strict_client.post(address, {"do": "next_turn"}, headers=header).status_code == 200


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"\xff\xfe%%%=&&&=", FORM),
        (b"do=%ff%fe&text=%80", FORM),
        (b"{}", "application/json"),
        (b'{"do": "end_fight"}', "application/json"),
        (b"<do>end_fight</do>", "text/xml"),
        (b"", FORM),
        (b"nothing", "multipart/form-data; boundary=x"),
        (b"--x\r\n", "multipart/form-data; boundary=x"),
        (b"do=end_fight", "multipart/form-data"),
    ],
)
def test_body_that_is_no_form(gm: User, started: Encounter, body: bytes, kind: str) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(gm)
    before = stored(started.pk)
    for path in ("", "prep/"):
        found = client.post(f"/encounters/{started.pk}/{path}", body, content_type=kind)
        assert 400 <= found.status_code < 500
    assert stored(started.pk) == before


@pytest.mark.parametrize("path", ["", "odds/", "prep/", "log/", "export/", "share/"])
def test_number_that_is_no_encounter(gm_client: Client, started: Encounter, path: str) -> None:
    for pk in ("0", "99999", "9" * 30, "-1", "x", "1.5", "%00", "1%20", "١"):
        found = gm_client.get(f"/encounters/{pk}/{path}")
        assert found.status_code == 404, pk
        assert "Page not found" in found.content.decode(), pk
        if path in ("", "prep/"):
            posted = gm_client.post(f"/encounters/{pk}/{path}", {"do": "end_fight"})
            assert posted.status_code == 404, pk


@pytest.mark.parametrize(
    "query",
    [
        {"combatant": "f9"},
        {"combatant": "x" * 5000},
        {"combatant": "f9", "do": "attack"},
        {"combatant": ZARA, "do": "fly"},
        {"combatant": ZARA, "do": "next_turn"},
        {"combatant": ZARA, "do": "attack", "target": "f9", "weapon": "\0", "attacks": "²"},
        {"combatant": ZARA, "do": "move", "to": "zone:nowhere"},
        {"combatant": ZARA, "do": "move", "to": "nan,nan"},
        {"combatant": "\0", "row": "damage"},
        {"row": "everything"},
        {"combatant": MARCUS, "do": "suggest"},
    ],
)
def test_address_that_asks_for_what_is_not_there(visit: Visit, query: dict[str, str]) -> None:
    before = stored(visit.pk)
    for headers in ({}, {"HX-Request": "true"}):
        found = visit.client.get(visit.here, query, headers=headers)
        assert found.status_code in (200, 404)
    assert visit.client.get(f"{visit.here}odds/", query).status_code in (200, 404)
    assert stored(visit.pk) == before


@pytest.mark.parametrize("word", ["-1", "x", "²", "9" * 30, "9" * 5000, "", "\0", "1.5"])
def test_log_address_with_a_strange_number(visit: Visit, word: str) -> None:
    for name in ("before", "step"):
        assert visit.get("log/", **{name: word}).status_code == 200


# ---- The other pages ----


@pytest.mark.parametrize(
    ("fields", "status", "words"),
    [
        ({"do": ""}, 422, "no such action"),
        ({"do": "explode"}, 422, "no such action"),
        (
            {"do": "join", "block": "dragon", "count": "1", "side": "x"},
            422,
            "not one of the available choices",
        ),
        (
            {"do": "join", "block": "pirate_example", "count": "0", "side": "x"},
            422,
            "How many: Must be 1 to 20.",
        ),
        (
            {"do": "join", "block": "pirate_example", "count": "21", "side": "x"},
            422,
            "How many: Must be 1 to 20.",
        ),
        (
            {"do": "join", "block": "pirate_example", "count": "x", "side": "x"},
            422,
            "How many: Must be a whole number, not “x”: type digits, such as 3",
        ),
        ({"do": "join", "block": "pirate_example", "count": "1", "side": ""}, 422, "Side: This field"),
        ({"do": "join", "block": "pirate_example", "count": "1", "side": "a\0"}, 422, "Null characters"),
        ({"do": "join", "block": "pirate_example", "count": "1", "side": "x", "name": "x" * 61}, 422, "60"),
        ({"do": "join", "block": "pirate_example", "count": "1", "side": "x", "zone": "moon"}, 422, "Zone"),
        ({"do": "zone", "name": "", "x": "0", "y": "0", "width": "5", "depth": "5"}, 422, "Name: This field"),
        (
            {"do": "zone", "name": "a", "x": "nan", "y": "0", "width": "5", "depth": "5"},
            422,
            "Left (m): Must be a number",
        ),
        (
            {"do": "zone", "name": "a", "x": "inf", "y": "0", "width": "5", "depth": "5"},
            422,
            "Left (m): Must be a number",
        ),
        ({"do": "zone", "name": "a", "x": "1e9", "y": "0", "width": "5", "depth": "5"}, 422, ""),
        ({"do": "zone", "name": "a", "x": "0", "y": "0", "width": "0", "depth": "5"}, 422, "Width"),
        ({"do": "zone", "name": "a", "x": "0", "y": "0", "width": "5", "depth": "9999"}, 422, "Depth"),
        ({"do": "zone", "name": "a", "x": "0", "y": "0", "width": "5", "depth": "5", "id": "a b"}, 422, ""),
        (
            {"do": "zone", "name": "a", "x": "0", "y": "0", "width": "5", "depth": "5", "cover": "iron"},
            422,
            "Cover",
        ),
        (
            {"do": "zone", "name": "a", "x": "0", "y": "0", "width": "5", "depth": "5", "terrain": "lava!"},
            422,
            "",
        ),
        ({"do": "remove_zone", "id": "moon"}, 422, "That zone is gone"),
        ({"do": "remove_zone"}, 422, "That zone is gone"),
        ({"do": "name", "name": "  "}, 422, "1 to 100 characters"),
        ({"do": "name", "name": "x" * 101}, 422, "1 to 100 characters"),
        ({"do": "name", "name": "a\0b"}, 422, "1 to 100 characters"),
        ({"do": "delete"}, 422, "Type the encounter's name"),
        ({"do": "delete", "confirm": "docking bay 7"}, 422, "Type the encounter's name"),
        ({"do": "start", "surprised": "f9"}, 409, "under way"),
        ({"do": "options", "option-max_attacks": "99", "setting-light": "dark"}, 422, "choose 1, 2, 3"),
        ({"do": "options", "setting-light": "purple"}, 422, ""),
    ],
)
def test_preparation_that_cannot_be(visit: Visit, fields: dict[str, str], status: int, words: str) -> None:
    before = stored(visit.pk)
    found = visit.client.post(f"{visit.here}prep/", fields)
    assert found.status_code == status
    said = refusal(found)
    assert words in said
    assert said
    assert stored(visit.pk) == before
    assert Encounter.objects.count() == 1


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({}, 422),
        ({"name": "", "system": SLUG}, 422),
        ({"name": "x" * 101, "system": SLUG}, 422),
        ({"name": "a\0b", "system": SLUG}, 422),
        ({"name": "x", "system": "chess"}, 422),
        ({"name": "x"}, 422),
        ({"demo": "chess"}, 404),
        ({"demo": ""}, 404),
        ({"demo": "cosmos/0"}, 404),
        ({"demo": "cosmos/99"}, 404),
        ({"demo": "cosmos/x"}, 404),
    ],
)
def test_new_encounter_that_cannot_be(gm_client: Client, fields: dict[str, str], status: int) -> None:
    found = gm_client.post("/encounters/", fields)
    assert found.status_code == status
    assert not Encounter.objects.exists()


@pytest.mark.parametrize(
    ("address", "fields"),
    [
        ("/encounters/", {"name": "One more", "system": SLUG}),
        ("/encounters/", {"demo": "starshock"}),
        ("/encounters/{pk}/prep/", {"do": "copy"}),
    ],
)
def test_one_encounter_more_than_there_may_be(
    gm_client: Client,
    started: Encounter,
    monkeypatch: pytest.MonkeyPatch,
    address: str,
    fields: dict[str, str],
) -> None:
    monkeypatch.setattr("combat.play.writing.encounter_service.MAX_ENCOUNTERS", 1)
    found = gm_client.post(address.format(pk=started.pk), fields)
    assert found.status_code == 409
    assert "You have 1 encounters, archived ones too, the limit" in found.content.decode()
    assert Encounter.objects.count() == 1
    assert ensure_demo(started.owner) == []
