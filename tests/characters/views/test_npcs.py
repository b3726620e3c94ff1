"""A GM's own NPCs: copied, written, listed, changed, restored; no one else's."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from characters.display.sheet_view import view_sheet
from characters.games import find_games, make_combatant, plan_of, search_blocks
from characters.models import Character
from characters.services import character_service
from characters.services.character_service import Wanted, create_all
from characters.views.npcs import BLOCKS_PER_PAGE, MOST_FACES
from combat.rules import find_system
from combat.rules.core.declaration.system import System
from tests.characters.conftest import text_of
from tests.combat.visit import read
from tests.typed import Answer, sure

NPCS, NEW = "/characters/npcs/", "/characters/npcs/new/"
LINED = next(system for system in find_games() if system.book.imports.lines)


def make_one(client: Client, **fields: Any) -> Answer:
    return client.post(NEW, {"game": "cosmos", **fields})


@pytest.fixture
def guard(ana: User, ana_client: Client) -> Character:
    """Ana's copy of the pirate from the library."""
    assert make_one(ana_client, block="pirate_example").status_code == 302
    return Character.objects.get(owner=ana, npc=True)


@pytest.mark.parametrize("slug", [system.slug for system in find_games()])
def test_every_stat_block_can_be_copied(ana: User, slug: str) -> None:
    declared = find_system(slug).book.find_blocks()
    blocks = search_blocks(find_system(slug), "")
    wanted = [Wanted(slug, block.name, block.sheet, npc=True, kind=block.tier) for block in blocks]
    made = create_all(ana, wanted)
    assert [npc.kind for npc in made] == [block.tier for block in blocks]
    assert character_service.find_npcs(ana).count() == len(blocks) >= min(4, len(declared)) > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "system", [game for game in find_games() if plan_of(game).named], ids=lambda g: g.slug
)
def test_copied_block_shows_what_it_carries(ana_client: Client, system: System) -> None:
    block = next(block for block in search_blocks(system, "") if block.sheet.get("weapons"))
    make_one(ana_client, game=system.slug, block=block.id)
    npc = Character.objects.get()
    weapons = {item.name for item in make_combatant(system, "", block.sheet).items if item.kind == "weapon"}
    shown = [item.entry.name for _, items in view_sheet(system, npc).places for item in items]
    assert weapons & set(shown)
    assert all(name in text_of(ana_client.get(f"/characters/{npc.pk}/")) for name in shown)


def test_copied_block_is_an_npc_and_no_character(ana_client: Client, guard: Character) -> None:
    block = sure(find_system("cosmos").book.find_block("pirate_example"))
    assert (guard.name, guard.kind, guard.system) == (block.name, block.tier, "cosmos")
    assert guard.name in text_of(ana_client.get(NPCS))
    assert guard.name not in text_of(ana_client.get("/characters/"))
    assert guard.name not in ana_client.get("/characters/all.json").content.decode()
    assert guard.name not in text_of(ana_client.get("/downtime/"))


def test_sheet_of_an_npc_is_changed_like_any_other(ana_client: Client, guard: Character) -> None:
    page = ana_client.get(f"/characters/{guard.pk}/")
    assert "This NPC" in text_of(page)
    for shown in (page, ana_client.get(f"/characters/{guard.pk}/print/")):
        assert 'href="/characters/npcs/"' in shown.content.decode()
    ana_client.post(f"/characters/{guard.pk}/", {"do": "kind", "kind": "  Dock   crew "})
    guard.refresh_from_db()
    assert guard.kind == "Dock crew"
    refused = ana_client.post(f"/characters/{guard.pk}/", {"do": "kind", "kind": "x" * 61})
    assert (refused.status_code, "at most 60 characters" in text_of(refused)) == (422, True)


def test_npc_of_a_line(ana_client: Client, ana: User) -> None:
    assert LINED.book.imports.lines
    line = LINED.book.imports.lines.example
    answer = make_one(ana_client, game=LINED.slug, lines=f"{line}\n\n{line}")
    assert answer["Location"] == NPCS
    made = character_service.find_npcs(ana)
    assert [npc.name for npc in made] == [LINED.book.imports.lines.read(line).name] * 2
    refused = make_one(ana_client, game=LINED.slug, lines=f"{line}\n???")
    assert (refused.status_code, "Line 2:" in text_of(refused)) == (422, True)
    assert "???" in refused.content.decode()
    assert character_service.find_npcs(ana).count() == 2


def test_npc_of_a_character(ana_client: Client, ana: User, zara: Character) -> None:
    make_one(ana_client, character=str(zara.pk))
    (npc,) = character_service.find_npcs(ana)
    assert (npc.name, npc.sheet["skills"]) == ("Zara", zara.sheet["skills"])
    zara.refresh_from_db()
    assert not zara.npc


def test_few_characters_are_faces_that_copy_at_once(ana_client: Client, ana: User, zara: Character) -> None:
    page = read(ana_client.get("/characters/npcs/new/?game=cosmos"))
    (face,) = page.all("button", name="character")
    assert (face["value"], face.text) == (str(zara.pk), zara.name)
    for _ in range(MOST_FACES):
        character_service.duplicate(zara, ana)
    many = read(ana_client.get("/characters/npcs/new/?game=cosmos"))
    assert not many.all("button", name="character")
    assert len(many.all("option", inside=many.one("select", name="character"))) > MOST_FACES


def test_npc_of_nothing_is_made_on_the_page_of_characters(ana_client: Client, ana: User) -> None:
    page = ana_client.get("/characters/new/?npc=1&way=free&game=cosmos").content.decode()
    assert 'name="npc" value="1"' in page
    ana_client.post(
        "/characters/new/", {"npc": "1", "way": "free", "game": "cosmos", "name": "Nob", "create": "anyway"}
    )
    (npc,) = character_service.find_npcs(ana)
    assert npc.name == "Nob"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "Choose a stat block, write a line, or choose a character."),
        ({"block": "nobody"}, "not in the library"),
        ({"lines": "Guard"}, "reads nobody from a line"),
        ({"character": "999"}, "Choose one of your own characters."),
        ({"character": "x"}, "Choose one of your own characters."),
        ({"game": LINED.slug, "lines": " \n "}, "Write a line, such as:"),
    ],
)
def test_what_makes_no_npc_says_so(ana_client: Client, ana: User, fields: dict[str, str], words: str) -> None:
    refused = make_one(ana_client, **fields)
    assert (refused.status_code // 100, words in text_of(refused)) == (4, True)
    assert not Character.objects.filter(owner=ana).exists()


def test_list_is_searched_by_name_kind_and_game(ana_client: Client, ana: User, guard: Character) -> None:
    other = find_system(LINED.slug)
    block = search_blocks(other, "")[0]
    create_all(ana, [Wanted(other.slug, "Zyx", block.sheet, npc=True, kind="Vermin")])
    assert "Zyx" not in text_of(ana_client.get(NPCS, {"q": guard.kind}))
    for words in ({"q": "zyx"}, {"q": "vermin"}, {"game": other.slug}):
        found = text_of(ana_client.get(NPCS, words, HTTP_HX_REQUEST="true"))
        assert ("Zyx" in found, guard.name in found) == (True, False)
    assert "No NPC found" in text_of(ana_client.get(NPCS, {"q": "nothing like it"}))


def test_blocks_are_searched_and_paged(ana_client: Client) -> None:
    everything = ana_client.get(NEW, {"game": "cosmos"})
    assert 'aria-label="Pages"' in everything.content.decode()
    found = text_of(ana_client.get(NEW, {"game": "cosmos", "find": "pirate"}, HTTP_HX_REQUEST="true"))
    assert "Pirate" in found
    assert "No stat block has these words" in text_of(ana_client.get(NEW, {"find": "zzzz"}))


def test_deleted_npc_is_restored_from_its_own_list(ana_client: Client, guard: Character) -> None:
    gone = ana_client.post(f"/characters/{guard.pk}/", {"do": "delete"})
    assert gone["Location"] == NPCS
    ana_client.get(NPCS)  # which says so
    assert guard.name not in text_of(ana_client.get("/characters/?show=deleted"))
    assert guard.name in text_of(ana_client.get(f"{NPCS}?show=deleted"))
    ana_client.post(f"/characters/{guard.pk}/restore/")
    guard.refresh_from_db()
    assert guard.deleted_at is None


def test_npcs_are_their_owners_alone(bob_client: Client, guard: Character, zara: Character) -> None:
    assert guard.name not in text_of(bob_client.get(NPCS))
    assert bob_client.get(f"/characters/{guard.pk}/").status_code == 404
    assert bob_client.post(f"/characters/{guard.pk}/", {"do": "kind", "kind": "Mine"}).status_code == 404
    assert make_one(bob_client, character=str(zara.pk)).status_code == 422


def test_npcs_have_a_limit_of_their_own(
    ana: User, ana_client: Client, guard: Character, zara: Character, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(character_service, "MAX_CHARACTERS", 1)
    refused = make_one(ana_client, block="pirate_example")
    assert (refused.status_code, "There is room for 0 of 1 NPCs" in text_of(refused)) == (409, True)
    assert character_service.count_room(ana) == 0
    zara.delete()
    assert character_service.count_room(ana) == 1


@pytest.mark.parametrize("slug", [system.slug for system in find_games()])
def test_stat_blocks_are_cards_with_a_mark_and_numbers(ana_client: Client, slug: str) -> None:
    page = read(ana_client.get(NEW, {"game": slug}))
    blocks = search_blocks(find_system(slug), "")[:BLOCKS_PER_PAGE]
    cards = page.all("form", class_="card-form")
    assert [page.one("button", inside=card)["value"] for card in cards] == [block.id for block in blocks]
    for card, block in zip(cards, blocks, strict=True):
        assert block.name in card.text
        assert page.one("svg", inside=card, class_="mark")
        assert page.one("span", inside=card, class_="figures").text
