"""Stat blocks with their things one by one: the same fighter, and a sheet that shows what it has."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from characters.models import Character
from combat.rules.cepheus import SYSTEM
from combat.rules.cepheus.people.blocks import find_blocks
from combat.rules.cepheus.people.furnishing import furnish
from combat.rules.core.state.state import Item
from tests.combat.desk import read


def things_of(sheet: dict[str, object]) -> list[tuple[object, ...]]:
    """What the fighter of a sheet has, whatever its order."""

    def tell(item: Item) -> tuple[object, ...]:
        return (item.kind, item.name, item.place, item.loaded, item.spares, item.count)

    return sorted(map(tell, SYSTEM.make_combatant("f1", "One", "foes", sheet, {}).items), key=str)


@pytest.mark.parametrize("key", find_blocks())
def test_furnished_stat_block_makes_the_same_fighter(key: str) -> None:
    sheet = find_blocks()[key].sheet
    assert things_of(furnish(sheet)) == things_of(sheet)


def test_furnished_sheet_lists_weapons_and_armor() -> None:
    sheet = furnish(find_blocks()["starport_guard"].sheet)
    assert (sheet["weapons"], sheet["armor"], sheet["gear"]) == ([], [], [])
    assert {item["kind"] for item in sheet["items"]} >= {"weapon", "armor"}


@pytest.mark.django_db
def test_npc_copied_from_the_library_shows_what_it_carries(gm_client: Client) -> None:
    gm_client.post(reverse("new_npc"), {"game": SYSTEM.slug, "block": "starport_guard"})
    npc = Character.objects.get()
    words = read(gm_client.get(f"/characters/{npc.pk}/print/")).one("article").text
    held = [
        item.name for item in SYSTEM.make_combatant("f1", "", "", npc.sheet, {}).items if item.kind == "armor"
    ]
    assert held
    assert held[0] in words
