"""The form of an own item shows what it makes, and takes the value that would be right with one tap."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from characters.creation.creation_view import find_ready, make_ready_sheet
from characters.gear.models import OwnItem
from characters.services.character_service import create
from combat.rules import find_system
from tests.characters.conftest import text_of
from tests.combat.rules.games import every_slug
from tests.combat.visit import read

NEW = "/gear/own/new/"
WEAPON = {
    "game": "cosmos",
    "kind": "weapon",
    "era": "Any",
    "mode": "melee",
    "type": "kinetic",
    "damage": "2d6",
}
HTMX = {"HX-Request": "true"}


def show(client: Client, **typed: str) -> Any:
    """The answer to what is typed so far; nothing is stored."""
    answer = client.post(NEW, {**WEAPON, **typed, "do": "show"}, headers=HTMX)
    assert not OwnItem.objects.exists()
    return answer


def test_card_follows_while_typing(ana_client: Client) -> None:
    said = text_of(show(ana_client, name="Boarding axe", equipment="2", reach_m="1"))
    assert "Boarding axe" in said
    assert "2d6 kinetic" in said
    assert "On a sheet, untrained" in said
    assert "field" not in said.partition("On a sheet")[2]


def test_card_begins_with_known_figures_and_dashes_for_the_rest(ana_client: Client) -> None:
    fresh = read(ana_client.get(NEW)).one("aside", id="own-live").text
    assert "New item Weapon · Melee yours Era – Damage – Damage type – Reach –" in fresh
    assert "Street thug – Pirate captain –" in fresh
    typed = read(show(ana_client, name="Arc knife", damage="")).one("aside", id="own-live").text
    assert "Arc knife Weapon · Melee yours Era Any Damage – Damage type Kinetic Reach –" in typed
    assert "2 fields to fill in" in typed


def test_wrong_field_keeps_its_good_value_and_says_what_would_do(ana_client: Client) -> None:
    answer = show(ana_client, name="", equipment="+9", reach_m="1")
    assert answer.status_code == 200
    page = read(answer)
    assert "New item" in text_of(answer)
    assert [one["value"] for one in page.all("button", name="take")] == ["equipment=3"]
    assert "Bonus to hit" in text_of(answer)
    assert "Must be 0 to 3." in text_of(answer)


def test_one_tap_takes_the_value(ana_client: Client, ana: User) -> None:
    taken = ana_client.post(NEW, {**WEAPON, "name": "Axe", "equipment": "9", "take": "equipment=3"})
    assert taken.status_code == 200
    page = read(taken)
    assert page.one("input", name="equipment")["value"] == "3"
    assert page.one("input", name="name")["value"] == "Axe"
    assert not OwnItem.objects.filter(owner=ana).exists()


@pytest.mark.parametrize("take", ["", "x", "nothing=3", "=", "equipment=<b>"])
def test_strange_value_to_take_is_harmless(ana_client: Client, take: str) -> None:
    answer = ana_client.post(NEW, {**WEAPON, "name": "Axe", "take": take})
    assert answer.status_code == 200
    assert b'value="<b>"' not in answer.content
    assert not OwnItem.objects.exists()


@every_slug
def test_fresh_form_of_each_kind_shows_its_card(ana_client: Client, slug: str) -> None:
    catalogue = find_system(slug).book.catalogue
    for kind in catalogue.kinds if catalogue else ():
        answer = ana_client.get(NEW, {"game": slug, "kind": kind.key})
        assert (answer.status_code, answer.context["live"].faults) == (200, ()), kind.key
        live = answer.context["live"]
        assert bool(live.entry) == (live.missing == ("Name",)), kind.key


def test_own_item_stands_beside_the_most_similar_book_items(ana_client: Client) -> None:
    page = read(show(ana_client, name="Boarding axe", equipment="2", reach_m="1"))
    heads = [one.text for one in page.all("th", scope="col")]
    assert heads[0] == "Boarding axe"
    assert len(heads) == 4
    assert page.one("table", class_="beside").text.count("2d6") == 1


@pytest.mark.parametrize(("damage", "average"), [("2d6", "7.0"), ("1d4+1", "3.5")])
def test_bars_compare_the_damage_on_average(ana_client: Client, damage: str, average: str) -> None:
    page = read(show(ana_client, name="Boarding axe", damage=damage, reach_m="1"))
    bars = page.one("dl", class_="live-bars")
    assert len(page.all("meter", inside=bars)) == 4
    assert bars.text.startswith(f"Boarding axe {average}")


def test_one_tap_gives_a_saved_item_to_someone(ana_client: Client, ana: User) -> None:
    hero = create(ana, "cosmos", "Zara", find_system("cosmos").book.find_blocks()["pirate"].sheet)
    saved = ana_client.post(
        NEW, {**WEAPON, "name": "Boarding axe", "equipment": "2", "reach_m": "1", "do": "save"}
    )
    page = read(ana_client.get(saved["Location"]))
    give = page.one("button", name="character", value=str(hero.pk))
    assert give.text == "Zara"
    form = next(one for one in page.all("form") if page.all("button", inside=one, value=str(hero.pk)))
    assert ana_client.post(form["action"], {"character": str(hero.pk)}).status_code == 302
    hero.refresh_from_db()
    assert "Boarding axe" in str(hero.sheet["items"][-1])


HITS = {
    "cosmos": {"use": "ranged", "era": "Any", "damage": "2d6", "type": "energy", "range_m": "40"},
    "starshock": {
        "use": "ranged", "damage": "4", "versus": "armor", "hands": "1", "attributes": "dex",
        "zones_per_penalty": "1",
    },
    "guardians": {
        "use": "melee", "damage": "2d6", "damage_attribute": "body", "skill": "blades", "hands": "1",
    },
    "cepheus": {
        "use": "ranged", "group": "ranged", "damage": "3d6", "range_types": "rifle", "skills": "slug_rifle",
    },
}  # fmt: skip


@pytest.mark.parametrize("slug", HITS)
def test_card_has_the_sum_in_own_hands_and_chances_on_two_foes(
    ana_client: Client, ana: User, slug: str
) -> None:
    system = find_system(slug)
    typed = {"game": slug, "kind": "weapon", "name": "Arc carbine", "do": "show", **HITS[slug]}
    untrained = ana_client.post(NEW, typed, headers=HTMX)
    assert "On a sheet, untrained" in text_of(untrained)
    hero = make_ready_sheet(system, find_ready(system)[0].archetype)
    create(ana, slug, "Brandt", hero)
    answer = ana_client.post(NEW, typed, headers=HTMX)
    assert answer.context["live"].missing == ()
    assert "In the hands of Brandt" in text_of(answer)
    plain, own = (one.context["live"].hands for one in (untrained, answer))
    assert len({one.name for one in own.chances}) == 2
    assert all(0 <= one.chance <= 100 for one in own.chances)
    assert own.attacks[0].points > plain.attacks[0].points
    assert sum(one.chance for one in own.chances) >= sum(one.chance for one in plain.chances)
