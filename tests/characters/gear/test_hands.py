"""Gear in the hands of one's own characters: whose, by which sum, and with what chance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from characters.creation.creation_view import find_ready, make_ready_sheet
from characters.gear.catalogue import CatalogueItem
from characters.gear.hands import compare_hands, view_hands
from characters.models import Character
from characters.services.character_service import create
from combat.models import Encounter
from combat.rules import find_system
from tests.characters.conftest import HTMX, text_of
from tests.combat.rules.games import GAMES
from tests.combat.visit import read
from tests.typed import sure

PISTOL, LASER, KEVLAR = "cosmos-weapon-pistol", "cosmos-weapon-laser_pistol", "cosmos-armor-kevlar"
PAIR: dict[str, Any] = {"pick": [PISTOL, LASER]}
ADDRESSES: list[tuple[str, dict[str, Any]]] = [
    ("/gear/", {"game": "cosmos", **PAIR}),
    (f"/gear/item/{PISTOL}/", {}),
    ("/gear/compare/", PAIR),
]
IN_THE_HANDS = "In the hands of"


@pytest.fixture
def cast(ana: User, make: Callable[..., Character]) -> dict[str, Character]:
    """Ana's characters: the older one was played, the newer one not."""
    zara, ulla = make("Zara"), make("Ulla", skills={})
    table = Encounter.objects.create(owner=ana, name="Dock", system="cosmos")
    zara.participations.create(encounter=table, combatant="c1")
    return {"zara": zara, "ulla": ulla}


def shown(client: Client, address: str, **query: Any) -> str:
    return text_of(client.get(address, query))


# ---------------------------------------------------------------- whose hands


def test_nobody_is_named_without_an_own_character(ana_client: Client) -> None:
    for address, query in ADDRESSES:
        assert IN_THE_HANDS not in shown(ana_client, address, **query), address


def test_last_played_character_holds_it_until_another_is_chosen(
    ana_client: Client, cast: dict[str, Character]
) -> None:
    for address, query in ADDRESSES:
        said = shown(ana_client, address, **query)
        assert f"{IN_THE_HANDS} Zara" in said, address
        assert f"{IN_THE_HANDS} Ulla" not in said, address
        answer = ana_client.get(address, {**query, "hands": cast["ulla"].pk})
        assert f"{IN_THE_HANDS} Ulla" in text_of(answer), address
        page = read(answer)
        chosen = [one["value"] for one in page.all("option") if "selected" in one.attrs]
        chosen += [one["href"].rpartition("hands=")[2] for one in page.all("a", aria_current="true")]
        assert str(cast["ulla"].pk) in chosen, address


def test_choice_goes_along_to_every_address_of_the_list(
    ana_client: Client, cast: dict[str, Character]
) -> None:
    ulla = str(cast["ulla"].pk)
    page = read(ana_client.get("/gear/", {"game": "cosmos", "kind": "weapon", "hands": ulla}))
    links = [one["href"] for one in page.all("a", inside=page.one("nav", class_="gear-rail"))[:-1]]
    assert links
    assert all(f"hands={ulla}" in link for link in links)
    rows = page.all("a", inside=page.one("table", class_="data"))
    assert all(one["hx-get"].endswith(f"?hands={ulla}") for one in rows)
    games = page.all("a", inside=page.one("nav", class_="gear-games"))
    assert not any("hands=" in one["href"] for one in games)  # another game has other people
    beside = ana_client.get(f"/gear/item/{LASER}/", {"hands": ulla}, headers=HTMX)
    assert f"{IN_THE_HANDS} Ulla" in text_of(beside)


@pytest.mark.slow
@pytest.mark.parametrize("word", ["0", "-1", "x", "", "²", "99999999999999999999", "\x00", "<b>"])
def test_strange_choice_is_harmless(ana_client: Client, cast: dict[str, Character], word: str) -> None:
    for address in ("/gear/", f"/gear/item/{PISTOL}/", "/gear/compare/"):
        answer = ana_client.get(address, {"game": "cosmos", **PAIR, "hands": word})
        assert answer.status_code == 200
        assert f"{IN_THE_HANDS} Zara" in text_of(answer)


def test_only_own_characters_hold_it(
    ana_client: Client, bob_client: Client, bob: User, cast: dict[str, Character]
) -> None:
    """Neither someone else's nor an NPC, an archived or a deleted one, nor one of another game."""
    mine = cast["zara"]
    assert f"{IN_THE_HANDS} Zara" in shown(ana_client, "/gear/compare/", **PAIR, hands=mine.pk)
    assert "Zara" not in shown(bob_client, "/gear/compare/", **PAIR, hands=mine.pk)
    assert "Zara" not in shown(bob_client, f"/gear/item/{PISTOL}/", hands=mine.pk)
    assert "Zara" not in shown(bob_client, "/gear/", game="cosmos", **PAIR, hands=mine.pk)
    theirs = create(bob, "cosmos", "Bo", mine.sheet)
    assert f"{IN_THE_HANDS} Bo" in shown(bob_client, f"/gear/item/{PISTOL}/", hands=mine.pk)
    assert "Bo" not in shown(ana_client, f"/gear/item/{PISTOL}/", hands=theirs.pk).split()
    for fields in ({"archived": True}, {"npc": True}, {"system": "guardians"}):
        Character.objects.filter(pk=cast["ulla"].pk).update(archived=False, npc=False, system="cosmos")
        Character.objects.filter(pk=cast["ulla"].pk).update(**fields)
        assert "Ulla" not in shown(ana_client, "/gear/compare/", **PAIR, hands=cast["ulla"].pk)


def test_item_chosen_for_a_character_is_in_their_hands(
    ana_client: Client, cast: dict[str, Character]
) -> None:
    ulla = str(cast["ulla"].pk)
    answer = ana_client.get("/gear/", {"for": ulla, "kind": "weapon"})
    assert f"{IN_THE_HANDS} Ulla" in text_of(answer)
    assert not read(answer).all("select", name="hands")


def test_damage_as_printed_is_compared_in_one_row(ana_client: Client, cast: dict[str, Character]) -> None:
    page = read(ana_client.get("/gear/compare/", PAIR))
    labels = [one.text for one in page.all("th", scope="row")]
    assert sum(one.startswith("Damage (differs)") or one == "Damage" for one in labels) == 1


def test_what_is_no_weapon_is_in_nobodys_hands(ana_client: Client, cast: dict[str, Character]) -> None:
    assert IN_THE_HANDS not in shown(ana_client, f"/gear/item/{KEVLAR}/")
    assert IN_THE_HANDS not in shown(ana_client, "/gear/compare/", pick=[KEVLAR, "cosmos-armor-plate"])


# ---------------------------------------------------------------- the sum and the chance


@pytest.mark.parametrize("slug", [slug for slug, game in GAMES.items() if game.book.catalogue])
def test_weapons_of_every_game_have_their_sum_and_their_chances(slug: str) -> None:
    system = find_system(slug)
    hero = Character(
        name="Brandt", system=slug, sheet=make_ready_sheet(system, find_ready(system)[0].archetype)
    )
    entries = [one for one in sure(system.book.catalogue).find_entries() if one.kind == "weapon"]
    hands = [view_hands(system, one, hero) for one in entries[:6]]
    assert any(one.attacks and len(one.chances) == 2 for one in hands)
    assert all(0 <= foe.chance <= 100 for one in hands for foe in one.chances)
    assert {len(words) for _, words, _ in compare_hands(hands)} == {len(hands)}


def test_same_numbers_stand_on_the_card_and_in_the_comparison(
    ana_client: Client, cast: dict[str, Character]
) -> None:
    rows = {label: words for label, words, _ in ana_client.get("/gear/compare/", PAIR).context["held"]}
    system = find_system("cosmos")
    for place, key in enumerate(PAIR["pick"]):
        entry = sure(sure(system.book.catalogue).find_entry("weapon", key.removeprefix("cosmos-weapon-")))
        hands = view_hands(CatalogueItem(system, entry).system, entry, cast["zara"])
        assert rows["to hit"][place] == hands.attacks[0].total
        for foe in hands.chances:
            assert rows[f"against {foe.name}"][place] == f"{foe.chance}%"
            assert f"Against {foe.name} {foe.chance}%" in shown(ana_client, f"/gear/item/{key}/")
    trained = view_hands(system, entry, cast["zara"]).chances
    untrained = view_hands(system, entry, cast["ulla"]).chances
    assert [one.chance for one in trained] > [one.chance for one in untrained]


# ---------------------------------------------------------------- what is compared stays


def test_choice_keeps_what_is_compared_and_whose_card_is_open(
    ana_client: Client, cast: dict[str, Character]
) -> None:
    query: dict[str, Any] = {
        "game": "cosmos",
        "q": "pistol",
        **PAIR,
        "shown": LASER,
        "hands": cast["ulla"].pk,
    }
    page = read(ana_client.get("/gear/", query, headers=HTMX))
    picked = {one["value"] for one in page.all("input", name="pick") if "checked" in one.attrs}
    assert picked == set(PAIR["pick"])
    assert page.one("aside", id="shown")["aria-label"] == "Laser pistol"
    assert page.one("input", name="shown")["value"] == LASER
    assert page.one("section", class_="gear-versus").text.count(f"{IN_THE_HANDS} Ulla") == 1


def test_search_within_a_game_stays_there(ana_client: Client) -> None:
    """The form of the filters sends the game that was chosen above the list."""
    page = read(ana_client.get("/gear/", {"game": "cosmos", "kind": "weapon"}))
    form = page.one("form", id="filters")
    sent = {one["name"]: one["value"] for one in page.all("input", inside=form) if one["type"] == "hidden"}
    assert sent == {"listed": "cosmos", "game": "cosmos", "kind": "weapon"}
