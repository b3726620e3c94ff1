"""Items imported into the catalog: previewed before they are stored, all or nothing, private."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from characters.exchange.reading import PREFIX
from characters.gear import item_service
from characters.gear.models import OwnItem
from characters.models import Character
from tests.characters.conftest import hidden, text_of
from tests.combat.rules.cepheus.characters.foreign.actors import LOOKOUT, armor, skill, weapon
from tests.combat.rules.cepheus.characters.foreign.test_items import MUSKET
from tests.combat.rules.cepheus.characters.foreign.test_mongoose import make_actor, thing
from tests.combat.rules.cepheus.characters.foreign.test_mongoose_items import STATS, STING, SUIT, TEA

IMPORT = "/gear/own/import/"


def send(client: Client, data: Any, **more: str) -> Any:
    return client.post(IMPORT, {"text": data if isinstance(data, str) else json.dumps(data), **more})


def test_item_is_shown_then_stored(ana_client: Client, ana: User) -> None:
    shown = send(ana_client, MUSKET)
    assert shown.status_code == 200
    assert not OwnItem.objects.exists()
    said = text_of(shown)
    for words in ("1 new item for Cepheus", "Old Musket", "3d6+1", "armorPiercing 2: not imported"):
        assert words in said
    stored = ana_client.post(IMPORT, hidden(shown))
    made = OwnItem.objects.get()
    assert stored["Location"] == f"/gear/item/own-{made.pk}/"
    assert (made.owner, made.system, made.kind, made.name) == (ana, "cepheus", "weapon", "Old Musket")
    assert made.shared is False


def test_list_is_stored_without_what_the_catalogue_has(ana_client: Client) -> None:
    listed = [MUSKET, weapon("Rifle", "3d6"), armor("Plating", 5), skill("Admin", 1)]
    said = text_of(send(ana_client, listed))
    for words in ("2 new items", "In the catalogue already Rifle", "Not imported", "Import 2 items"):
        assert words in said
    answer = send(ana_client, listed, confirm="1")
    assert answer["Location"] == "/gear/?own=on&game=cepheus"
    assert sorted(OwnItem.objects.values_list("name", flat=True)) == ["Old Musket", "Plating"]
    assert "Old Musket" in text_of(ana_client.get(answer["Location"]))


def test_items_of_mgt2e_are_stored_and_the_others_are_named(ana_client: Client) -> None:
    listed = [STING, SUIT, TEA, {**thing("augment", "Cyber eye"), **STATS}]
    said = text_of(send(ana_client, listed))
    for words in ("3 new items for Cepheus", "Cyber eye", "augment: items of this kind have no place here"):
        assert words in said
    answers = {f"{PREFIX}items[0].range": "pistol", f"{PREFIX}items[0].skill": "slug_pistol"}
    send(ana_client, listed, confirm="1", **answers)
    assert sorted(OwnItem.objects.values_list("name", flat=True)) == ["Hull suit", "Sting", "Tea set"]


def test_game_that_was_chosen_gets_the_items(ana_client: Client) -> None:
    send(ana_client, MUSKET, confirm="1", game="cepheus_quick")
    assert OwnItem.objects.get().system == "cepheus_quick"


def test_second_one_of_a_name_is_told_first(ana_client: Client) -> None:
    send(ana_client, MUSKET, confirm="1")
    assert "You have an item of this name already" in text_of(send(ana_client, MUSKET))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("", "Choose a file, or paste the document."),
        ("Dear Ann", "is not JSON"),
        (LOOKOUT, "has no items that can be read here"),
        (make_actor(), "has no items that can be read here"),
        ({"type": "ship", "name": "Ann", "system": {}}, "has no items that can be read here"),
        (
            {**weapon("Rifle", "3d6"), "_stats": {"systemId": "dnd5e"}},
            "is an item of D&D 5e, which no game here reads",
        ),
        (weapon("Rifle", "3d6"), "the catalogue has it already"),
        (skill("Admin", 1), "items of this kind have no place here"),
        ([MUSKET, armor("Plating", 500)], "must be a whole number from 0 to 99, not 500"),
        ([MUSKET, 7], "must be an item with type and system"),
        ('{"type": "weapon", "type": "armor", "system": {}}', "has the field “type” twice"),
    ],
)
def test_file_with_a_fault_is_refused_and_nothing_is_stored(
    ana_client: Client, data: Any, words: str
) -> None:
    answer = send(ana_client, data, confirm="1")
    assert answer.status_code == 422
    assert words in text_of(answer)
    assert not OwnItem.objects.exists()


def test_full_library_takes_none_of_a_list(ana_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(item_service, "MAX_OWN", 1)
    answer = send(ana_client, [MUSKET, armor("Plating", 5)], confirm="1")
    assert answer.status_code == 409
    assert "2 new items, and there is room for 1" in text_of(answer)
    assert not OwnItem.objects.exists()


def test_names_cannot_break_the_page(ana_client: Client) -> None:
    page = send(ana_client, weapon("<script>alert(1)</script>", "3d6")).content.decode()
    assert "<script>alert" not in page


@pytest.mark.parametrize("item", [MUSKET, {**STING, **STATS}])
def test_items_sent_to_the_characters_are_led_here(ana_client: Client, item: dict[str, Any]) -> None:
    answer = ana_client.post("/characters/import/", {"text": json.dumps([item])})
    assert answer.status_code == 422
    assert "import items on the page “Gear”" in text_of(answer)
    assert f'action="{IMPORT}"' in answer.content.decode()
    assert "1 new item for Cepheus" in text_of(ana_client.post(IMPORT, hidden(answer)))
    assert not Character.objects.exists()
