"""Requests that are no forms, addresses that lead nowhere, refusals of the other pages."""

from __future__ import annotations

from itertools import product

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.models import Encounter
from combat.play.demo import ensure_demo
from tests.combat.visit import MARCUS, PIRATE, SLUG, ZARA, Visit, read, refusal, stored

pytestmark = pytest.mark.usefixtures("no_verification")

FORM = "application/x-www-form-urlencoded"


# ---- The request itself ----


@pytest.fixture
def daring(gm_client: Client) -> Client:
    """The GM's browser, which gets the page of an error."""
    gm_client.raise_request_exception = False
    return gm_client


def test_request_of_five_megabytes_is_refused(daring: Client, started: Encounter) -> None:
    body, before = "do=note&text=" + "x" * 5_000_000, stored(started.pk)
    part = f'--x\r\nContent-Disposition: form-data; name="text"\r\n\r\n{body}\r\n--x--\r\n'
    sent = ((body, FORM), (part, "multipart/form-data; boundary=x"))
    for path, (sent_body, kind) in product(("", "prep/"), sent):
        found = daring.post(f"/encounters/{started.pk}/{path}", sent_body, content_type=kind)
        assert found.status_code == 413, (path, kind)
        assert "at most 2.6 MB" in found.content.decode()
    assert stored(started.pk) == before


def test_request_of_thousands_of_fields_is_refused(daring: Client, started: Encounter) -> None:
    before = stored(started.pk)
    found = daring.post(f"/encounters/{started.pk}/", {f"f{n}": "1" for n in range(2000)})
    assert found.status_code == 400
    assert "That request can't be read" in found.content.decode()
    assert stored(started.pk) == before


def test_only_the_right_secret_is_taken_in_form_or_header(
    gm: User, started: Encounter, strict_client: Client
) -> None:
    strict_client.force_login(gm)
    address, before = f"/encounters/{started.pk}/", stored(started.pk)
    page = read(strict_client.get(address))
    for path, token in product(("", "prep/"), ("", "wrong", "x" * 64)):
        for headers in ({}, {"HX-Request": "true"}, {"x-csrftoken": token}):
            sent = {"csrfmiddlewaretoken": token, "do": "end_fight"}
            found = strict_client.post(address + path, sent, headers=headers)
            assert found.status_code == 403, (path, token, headers)
            assert "Try again" in found.content.decode()
    assert stored(started.pk) == before
    secret = page.all("input", name="csrfmiddlewaretoken")[0]["value"]
    posted = {"csrfmiddlewaretoken": secret, "do": "next_turn"}
    assert strict_client.post(address, posted).status_code == 303
    header = {"x-csrftoken": secret, "HX-Request": "true"}
    assert strict_client.post(address, {"do": "next_turn"}, headers=header).status_code == 200


BODIES = (
    (b"\xff\xfe%%%=&&&=", FORM),
    (b"do=%ff%fe&text=%80", FORM),
    (b"{}", "application/json"),
    (b'{"do": "end_fight"}', "application/json"),
    (b"<do>end_fight</do>", "text/xml"),
    (b"", FORM),
    (b"nothing", "multipart/form-data; boundary=x"),
    (b"--x\r\n", "multipart/form-data; boundary=x"),
    (b"do=end_fight", "multipart/form-data"),
)


@pytest.mark.slow
def test_body_that_is_no_form(daring: Client, started: Encounter) -> None:
    before = stored(started.pk)
    for path, (body, kind) in product(("", "prep/"), BODIES):
        found = daring.post(f"/encounters/{started.pk}/{path}", body, content_type=kind)
        assert 400 <= found.status_code < 500, (path, body)
    assert stored(started.pk) == before


@pytest.mark.slow
def test_number_that_is_no_encounter(gm_client: Client, started: Encounter) -> None:
    numbers = ("0", "99999", "9" * 30, "-1", "x", "1.5", "%00", "1%20", "١")
    for path, pk in product(("", "odds/", "prep/", "log/", "export/", "share/"), numbers):
        found = gm_client.get(f"/encounters/{pk}/{path}")
        assert found.status_code == 404, (pk, path)
        assert "Page not found" in found.content.decode(), (pk, path)
        if path in ("", "prep/"):
            assert gm_client.post(f"/encounters/{pk}/{path}", {"do": "end_fight"}).status_code == 404, pk


ASKED: tuple[dict[str, str], ...] = (
    *({"combatant": who} for who in ("f9", "x" * 5000)),
    {"combatant": "f9", "do": "attack"},
    {"combatant": ZARA, "do": "fly"},
    {"combatant": "\0", "row": "damage"},
    {"combatant": ZARA, "do": "next_turn"},
    {"combatant": ZARA, "do": "attack", "target": "f9", "weapon": "\0", "attacks": "²"},
    {"combatant": ZARA, "do": "move", "to": "zone:nowhere"},
    {"combatant": ZARA, "do": "move", "to": "nan,nan"},
    {"row": "everything"},
    {"combatant": MARCUS, "do": "suggest"},
)


@pytest.mark.slow
def test_address_that_asks_for_what_is_not_there(visit: Visit) -> None:
    before = stored(visit.pk)
    for query in ASKED:
        for headers in ({}, {"HX-Request": "true"}):
            found = visit.client.get(visit.here, query, headers=headers)
            assert found.status_code in (200, 404), query
        assert visit.client.get(f"{visit.here}odds/", query).status_code in (200, 404), query
    for name, word in product(("before", "step"), ("-1", "x", "²", "9" * 30, "9" * 5000, "", "\0", "1.5")):
        assert visit.get("log/", **{name: word}).status_code == 200, (name, word)
    assert stored(visit.pk) == before


# ---- The other pages ----


JOIN = {"do": "join", "block": "pirate_example", "count": "1", "side": "x"}
ZONE = {"do": "zone", "name": "a", "x": "0", "y": "0", "width": "5", "depth": "5"}
REFUSED: tuple[tuple[dict[str, str], int, str], ...] = (
    ({"do": ""}, 422, "no such action"),
    ({"do": "explode"}, 422, "no such action"),
    (JOIN | {"block": "dragon"}, 422, "not one of the available choices"),
    (JOIN | {"count": "0"}, 422, "How many: Must be 1 to 20."),
    (JOIN | {"count": "21"}, 422, "How many: Must be 1 to 20."),
    (JOIN | {"count": "x"}, 422, "How many: Must be a whole number, not “x”: type digits, such as 3"),
    (JOIN | {"side": ""}, 422, "Side: This field"),
    (JOIN | {"side": "a\0"}, 422, "Null characters"),
    (JOIN | {"name": "x" * 61}, 422, "60"),
    (JOIN | {"zone": "moon"}, 422, "Zone"),
    (ZONE | {"name": ""}, 422, "Name: This field"),
    (ZONE | {"x": "nan"}, 422, "Left (m): Must be a number"),
    (ZONE | {"x": "inf"}, 422, "Left (m): Must be a number"),
    (ZONE | {"x": "1e9"}, 422, ""),
    (ZONE | {"width": "0"}, 422, "Width"),
    (ZONE | {"depth": "9999"}, 422, "Depth"),
    (ZONE | {"id": "a b"}, 422, ""),
    (ZONE | {"cover": "iron"}, 422, "Cover"),
    (ZONE | {"terrain": "lava!"}, 422, ""),
    ({"do": "remove_zone", "id": "moon"}, 422, "That zone is gone"),
    ({"do": "remove_zone"}, 422, "That zone is gone"),
    ({"do": "name", "name": "  "}, 422, "1 to 100 characters"),
    ({"do": "name", "name": "x" * 101}, 422, "1 to 100 characters"),
    ({"do": "name", "name": "a\0b"}, 422, "Null characters"),
    ({"do": "delete"}, 422, "Type the encounter's name"),
    ({"do": "delete", "confirm": "docking bay 7"}, 422, "Type the encounter's name"),
    ({"do": "start", "surprised": "f9"}, 422, "not in this encounter"),
    ({"do": "start", "surprised": PIRATE}, 409, "under way"),
    (
        {"do": "options", "group": "attacks", "option-max_attacks": "99", "setting-light": "dark"},
        422,
        "choose 1, 2, 3",
    ),
    ({"do": "options", "setting-light": "purple"}, 422, ""),
)


@pytest.mark.slow
def test_preparation_that_cannot_be(visit: Visit) -> None:
    before = stored(visit.pk)
    for fields, status, words in REFUSED:
        found = visit.client.post(f"{visit.here}prep/", fields)
        said = refusal(found)
        assert (found.status_code, bool(said), words in said) == (status, True, True), (fields, said)
        assert stored(visit.pk) == before, fields
    assert Encounter.objects.count() == 1


NEW: tuple[tuple[dict[str, str], int], ...] = (
    ({}, 422),
    ({"name": "", "system": SLUG}, 422),
    ({"name": "x" * 101, "system": SLUG}, 422),
    ({"name": "a\0b", "system": SLUG}, 422),
    ({"name": "x", "system": "chess"}, 422),
    ({"name": "x"}, 422),
    *(({"demo": demo}, 404) for demo in ("chess", "", "cosmos/0", "cosmos/99", "cosmos/x")),
)


def test_new_encounter_that_cannot_be(gm_client: Client) -> None:
    for fields, status in NEW:
        address = "/encounters/" if "demo" in fields else "/encounters/new/"
        assert gm_client.post(address, fields).status_code == status, fields
    assert not Encounter.objects.exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("address", "fields"),
    [
        ("/encounters/new/", {"name": "One more", "system": SLUG}),
        ("/encounters/", {"demo": "starshock"}),
        ("/encounters/{pk}/prep/", {"do": "copy"}),
    ],
)
def test_encounter_beyond_the_limit_is_refused(
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
