"""The read-only link to a sheet: made, shown, revoked; what strangers see by it, and what they never see."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from characters.models import Character, SheetLink
from characters.services import character_service
from characters.views.shared import WRONG
from tests.characters.conftest import HTMX, text_of
from tests.combat.visit import read

Make = Callable[..., Character]
NOTES = "owes the Duke a ship"


def share(client: Client, character: Character, do: str = "open") -> Any:
    return client.post(f"/characters/{character.pk}/share/", {"do": do})


def path_of(character: Character) -> str:
    return f"/v/{character_service.find_token(SheetLink.objects.get(character=character))}/"


def test_link_is_made_shown_and_revoked_by_the_owner_alone(
    ana_client: Client, bob_client: Client, client: Client, make: Make
) -> None:
    zara = make(notes=NOTES)
    assert [share(who, zara).status_code for who in (bob_client, client)] == [404, 302]
    assert not SheetLink.objects.exists()
    assert share(ana_client, zara)["Location"] == f"/characters/{zara.pk}/#link"
    path = path_of(zara)
    share(ana_client, zara)
    assert path_of(zara) == path  # a second tap makes no second link
    page = read(ana_client.get(f"/characters/{zara.pk}/"))
    assert page.one("input", id="sheet-address")["value"].endswith(path)
    assert path.split("/")[2] not in str(SheetLink.objects.values())
    assert share(bob_client, zara, "revoke").status_code == 404
    assert client.get(path).status_code == 200
    share(ana_client, zara, "revoke")
    assert client.get(path).status_code == client.get(f"{path}print/").status_code == 404
    assert "This link shows nothing" in text_of(client.get(path, headers=HTMX))
    share(ana_client, zara)
    assert client.get(path).status_code == 404
    assert client.get(path_of(zara)).status_code == 200


def test_stranger_reads_the_sheet_without_notes_history_buttons(
    ana_client: Client, client: Client, make: Make
) -> None:
    zara = make(notes=NOTES)
    ana_client.post(f"/characters/{zara.pk}/", {"do": "track", "track": "hp", "how": "set", "points": "61"})
    character_service.keep_portrait(zara.pk, "abc", b"old", by="ana")
    character_service.keep_portrait(zara.pk, "def", b"new", by="ana")
    share(ana_client, zara)
    own, path = ana_client.get(f"/characters/{zara.pk}/"), path_of(zara)
    assert NOTES in text_of(own)
    assert "HP 80 → 61" in text_of(own)
    answer = client.get(path)
    words = text_of(answer)
    assert "61 / 80" in words
    assert "Pistol" in words
    for secret in (NOTES, "HP 80 → 61", "ana", "Undo", "Share read-only"):
        assert secret not in words
    assert not read(answer).all("form")
    assert f"/characters/{zara.pk}" not in answer.content.decode()
    assert not client.cookies
    assert answer["X-Robots-Tag"] == "noindex, nofollow"
    assert "no-store" in answer["Cache-Control"]
    assert [client.get(f"{path}portrait/{name}.webp").status_code for name in ("def", "abc")] == [200, 404]
    printed = client.get(f"{path}print/")
    assert "Pistol" in text_of(printed)
    assert NOTES not in text_of(printed)
    assert [client.post(each).status_code for each in (path, f"{path}print/")] == [405, 405]


def test_open_page_gets_nothing_until_the_sheet_changes(
    ana_client: Client, client: Client, zara: Character
) -> None:
    share(ana_client, zara)
    path = path_of(zara)
    asked = read(client.get(path)).one("div", id="sheet")["hx-get"]
    assert client.get(asked, headers=HTMX).status_code == 204
    assert client.get(f"{path}?seen=x", headers=HTMX).content.decode().lstrip().startswith('<div id="sheet"')
    ana_client.post(f"/characters/{zara.pk}/", {"do": "track", "track": "hp", "how": "less"})
    assert "79 / 80" in text_of(client.get(asked, headers=HTMX))
    ana_client.post(f"/characters/{zara.pk}/", {"do": "delete"})
    assert client.get(asked, headers=HTMX).status_code == 404


def test_link_of_another_secret_key_can_be_replaced(
    ana_client: Client, client: Client, zara: Character
) -> None:
    share(ana_client, zara)
    old = path_of(zara)
    SheetLink.objects.update(nonce="another")  # as after a restore on another machine
    assert client.get(old).status_code == 200
    assert "cannot be shown again" in text_of(ana_client.get(f"/characters/{zara.pk}/"))
    share(ana_client, zara)
    assert [client.get(path).status_code for path in (old, path_of(zara))] == [404, 200]


def test_who_tries_many_links_has_to_wait(client: Client, ana: User) -> None:
    cache.clear()
    allowed = int(WRONG["sheet_link"].partition("/")[0])
    found = [client.get(f"/v/guess-{number}/").status_code for number in range(allowed + 1)]
    assert found == [404] * allowed + [429]
    assert client.get("/v/another/")["Retry-After"] == "300"
    cache.clear()
