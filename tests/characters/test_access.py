"""Every page of characters and gear × owner, another user, visitor × GET, POST."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.test import Client

from characters.access import can_edit, can_read
from characters.gear.models import OwnItem
from characters.gear.urls import urlpatterns as gear_urls
from characters.models import Character
from characters.services import character_service
from characters.urls import urlpatterns as character_urls
from combat.rules import find_system
from tests.typed import sure

# name of the page: (address, owner GET, owner POST, other GET, other POST); POSTs are empty
EVERYBODY = {
    "characters": ("/characters/", 200, 405, 200, 405),
    "new_character": ("/characters/new/", 200, 200, 200, 200),
    "import_characters": ("/characters/import/", 200, 422, 200, 422),
    "npcs": ("/characters/npcs/", 200, 405, 200, 405),
    "new_npc": ("/characters/npcs/new/", 200, 422, 200, 422),
    "roster": ("/characters/roster.csv", 200, 405, 200, 405),
    "npc_roster": ("/characters/npcs/roster.csv", 200, 405, 200, 405),
    "export_characters": ("/characters/all.json", 200, 405, 200, 405),
    "several_characters": ("/characters/several/", 302, 302, 302, 302),
    "print_characters": ("/characters/several/print/", 302, 405, 302, 405),
    "export_several": ("/characters/several.json", 302, 405, 302, 405),
    "sheet_schema": ("/characters/schema/cosmos.json", 200, 405, 200, 405),
    "gear": ("/gear/", 200, 405, 200, 405),
    "compare_gear": ("/gear/compare/?pick=cosmos-weapon-pistol&pick=cosmos-weapon-bow", 200, 405, 200, 405),
    "import_items": ("/gear/own/import/", 200, 422, 200, 422),
    "new_own_item": ("/gear/own/new/", 200, 422, 200, 422),
    "gear_item": ("/gear/item/cosmos-weapon-pistol/", 200, 405, 200, 405),
    "add_item": ("/gear/item/cosmos-weapon-pistol/add/", 302, 404, 302, 404),
}
OWNERS = {
    "character": ("/characters/{pk}/", 200, 422, 404, 404),
    "character_odds": ("/characters/{pk}/odds/?roll=save", 200, 405, 404, 405),
    "character_reading": ("/characters/{pk}/reading/?track=hp&points=5", 200, 405, 404, 405),
    "print_character": ("/characters/{pk}/print/", 200, 405, 404, 405),
    "export_character": ("/characters/{pk}/export/", 200, 405, 404, 405),
    "export_block": ("/characters/{pk}/export.txt", 200, 405, 404, 405),
    "export_line": ("/characters/{pk}/export.csv", 200, 405, 404, 405),
    "share_sheet": ("/characters/{pk}/share/", 302, 422, 302, 404),
    "send_portrait": ("/characters/{pk}/portrait/", 302, 422, 302, 404),
    "portrait": ("/characters/{pk}/portrait/abc.webp", 200, 405, 404, 405),
    "restore_character": ("/characters/{gone}/restore/", 302, 302, 302, 404),
    "own_item": ("/gear/own/{own}/", 200, 422, 404, 404),
}
MATRIX = EVERYBODY | OWNERS


@pytest.fixture
def places(zara: Character, ana: User) -> dict[str, int]:
    """A character, a deleted one, an item of Ana's own, and a picture."""
    gone = character_service.duplicate(zara, ana)
    character_service.delete(gone)
    character_service.keep_portrait(zara.pk, "abc", b"x", by="ana")
    catalogue = sure(find_system("cosmos").book.catalogue)
    pistol = sure(catalogue.find_entry("weapon", "pistol"))
    record = copy.deepcopy(pistol.record) | {"id": "own", "origin": "own", "name": "Heirloom"}
    item = OwnItem.objects.create(owner=ana, system="cosmos", kind="weapon", name="Heirloom", record=record)
    return {"pk": zara.pk, "gone": gone.pk, "own": item.pk}


def test_matrix_names_every_page() -> None:
    assert set(MATRIX) == {pattern.name for pattern in (*character_urls, *gear_urls)}


@pytest.mark.slow
@pytest.mark.parametrize("name", MATRIX)
def test_owner_and_others_get_what_is_theirs(
    ana_client: Client, bob_client: Client, places: dict[str, int], name: str
) -> None:
    address, *expected = MATRIX[name]
    address = address.format(**places)
    shown = [client.get(address).status_code for client in (ana_client, bob_client)]
    theirs, ours = bob_client.post(address).status_code, ana_client.post(address).status_code
    assert [shown[0], ours, shown[1], theirs] == expected
    verbs = (ana_client.put, ana_client.delete, ana_client.patch)
    assert {verb(address).status_code for verb in verbs} == {405}


def test_nothing_a_stranger_sends_changes_anything(bob_client: Client, zara: Character) -> None:
    for posted in (
        {"do": "delete"},
        {"do": "duplicate"},
        {"do": "undo"},
        {"do": "track", "track": "hp", "points": "−5"},
        {"do": "drop", "item": "i1"},
        {"do": "roll", "roll": "save", "attribute": "MIG"},
    ):
        assert bob_client.post(f"/characters/{zara.pk}/", posted).status_code == 404, posted
    fresh = Character.objects.get()
    assert (fresh.version, fresh.deleted_at, fresh.rolls.count()) == (1, None, 0)


def test_stranger_learns_no_name(bob_client: Client, places: dict[str, int], zara: Character) -> None:
    seen = b"".join(bob_client.get(MATRIX[name][0].format(**places)).content for name in MATRIX)
    assert b"Zara" not in seen
    assert b"Heirloom" not in seen


def test_owner_sees_what_the_stranger_does_not(ana_client: Client, places: dict[str, int]) -> None:
    assert b"Zara" in ana_client.get("/characters/").content
    assert b"Heirloom" in ana_client.get("/gear/?own").content


def test_stranger_cannot_give_ones_character_items(
    bob_client: Client, zara: Character, places: dict[str, int]
) -> None:
    address = "/gear/item/cosmos-weapon-pistol/add/"
    assert bob_client.post(address, {"character": zara.pk}).status_code == 404
    assert bob_client.get(f"/gear/?for={zara.pk}").status_code == 200  # the plain catalog
    assert b"Gear for" not in bob_client.get(f"/gear/?for={zara.pk}").content


def test_own_item_of_someone_else_is_not_there(bob_client: Client, places: dict[str, int]) -> None:
    key = f"own-{places['own']}"
    assert bob_client.get(f"/gear/item/{key}/").status_code == 404
    assert bob_client.get(f"/gear/own/new/?from={key}").status_code == 200
    assert b"Heirloom" not in bob_client.get(f"/gear/own/new/?from={key}").content
    assert b"Heirloom" not in bob_client.get(f"/gear/compare/?pick={key}&pick=cosmos-weapon-bow").content


def test_deleted_character_is_not_there_until_restored(
    ana_client: Client, bob_client: Client, zara: Character
) -> None:
    character_service.delete(zara)
    led = ana_client.get(f"/characters/{zara.pk}/")
    assert led["Location"] == "/characters/?show=deleted"
    assert "Zara is deleted: restore them here." in ana_client.get(led["Location"]).content.decode()
    assert bob_client.get(f"/characters/{zara.pk}/").status_code == 404
    assert ana_client.get(f"/characters/{zara.pk}/print/").status_code == 404
    assert ana_client.post(f"/characters/{zara.pk}/", {"do": "undo"}).status_code == 404
    ana_client.post(f"/characters/{zara.pk}/restore/")
    assert ana_client.get(f"/characters/{zara.pk}/").status_code == 200
    assert ana_client.post(f"/characters/{zara.pk}/restore/").status_code == 404


def test_only_the_owner_may(ana: User, bob: User, zara: Character) -> None:
    def may(user: Any) -> tuple[bool, bool]:
        return can_read(user, zara), can_edit(user, zara)

    assert may(ana) == (True, True)
    assert may(bob) == may(AnonymousUser()) == (False, False)
