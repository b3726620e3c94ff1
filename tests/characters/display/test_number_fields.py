"""Signs in the numbers of characters: made, stored, carried."""

from __future__ import annotations

from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.test import Client

from characters.display.number_fields import NumberInput
from characters.models import Character


def words_of(found: Any) -> str:
    """The text of a page."""
    return unescape(found.content.decode())


@pytest.mark.parametrize(("word", "value"), [("+6", "6"), (" 6 ", "6"), ("６", "6"), ("−6", "1")])
def test_new_character_reads_numbers_however_they_are_written(
    ana_client: Client, word: str, value: str
) -> None:
    found = ana_client.get("/characters/new/", {"game": "cosmos", "way": "free", "attributes-MIG": word})
    field = f'name="attributes-MIG" type="text" inputmode="text" autocomplete="off" value="{value}"'
    assert field in " ".join(found.content.decode().split())


@pytest.mark.parametrize("word", ["3,5", "three"])
def test_new_character_says_what_it_could_not_read(ana_client: Client, word: str) -> None:
    data = {"game": "cosmos", "way": "free", "attributes-MIG": word, "name": "Kael"}
    said = f"Might must be a whole number, not “{word}”: type digits, such as 3, +3 or −3."
    assert said in words_of(ana_client.get("/characters/new/", data))
    refused = ana_client.post("/characters/new/", {**data, "create": "1"})
    assert (refused.status_code, said in words_of(refused)) == (422, True)
    assert not Character.objects.filter(name="Kael").exists()


@pytest.mark.parametrize(("value", "shown"), [(-3, "−3"), (3, "3"), ("-x", "-x"), (None, None)])
def test_field_shows_a_true_minus(value: Any, shown: str | None) -> None:
    assert NumberInput().format_value(value) == shown


def test_tracks_of_a_sheet_read_signs(send: Callable[..., Any], zara: Character) -> None:
    send("track", track="hp", points="9")
    send("track", track="hp", points="−2")
    zara.refresh_from_db()
    assert zara.sheet["tracks"]["hp"] == 7
    assert "must be a whole number, not “3,5”" in words_of(send("track", track="hp", points="3,5"))


def test_gear_is_counted_with_a_sign(ana_client: Client, zara: Character) -> None:
    add = "/gear/item/cosmos-weapon-knife/add/"
    data = {"character": zara.pk, "count": "+2"}
    before = len(zara.sheet["items"])
    assert ana_client.post(add, data).status_code == 302
    zara.refresh_from_db()
    assert len(zara.sheet["items"]) == before + 2
    said = ana_client.post(add, {**data, "count": "two", "stay": "1"}, follow=True)
    assert "Quantity must be a whole number, not “two”" in words_of(said)
