"""The list of characters: search, pages, archive, deleted; and pages that cost few queries."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from characters.models import Character
from characters.services import character_service
from combat.rules import find_system
from tests.combat.visit import read
from tests.typed import sure

Make = Callable[..., Character]
HTMX = {"HX-Request": "true"}


def names_on(client: Client, query: str = "") -> list[str]:
    """The characters of a page, in its order."""
    return [row["character"].name for row in client.get(f"/characters/{query}").context["rows"]]


def test_empty_list_says_what_to_do(ana_client: Client) -> None:
    page = ana_client.get("/characters/").content.decode()
    assert "No characters yet" in page
    assert 'href="/characters/new/"' in page
    assert 'href="/characters/import/"' in page
    assert 'role="search"' not in page.partition("<dialog")[0]


def test_newest_change_comes_first(ana_client: Client, make: Make) -> None:
    first = make("First")
    make("Second")
    assert names_on(ana_client) == ["Second", "First"]
    character_service.change(first.pk, "Notes", notes="news")
    assert names_on(ana_client) == ["First", "Second"]


@pytest.mark.parametrize(
    ("asked", "found"),
    [("zar", ["Zara"]), ("SYNAPTIC", ["Zara"]), ("umbral", ["Mara"]), ("ara", ["Mara", "Zara"]),
     ("ara umbral", ["Mara"]), ("nobody", []), ("%", []), ("_", []),
     ("\x00", ["Mara", "Zara"]), ("za\x00", ["Zara"])],
)  # fmt: skip
def test_search_by_words_of_name_species_and_career(
    ana_client: Client, make: Make, asked: str, found: list[str]
) -> None:
    make("Zara")
    make("Mara", species="umbral")
    assert names_on(ana_client, f"?q={asked.replace('%', '%25')}") == found


@pytest.mark.parametrize("asked", ["ärger", "ÄRG", "Ärger größe"])
def test_search_ignores_capitals_with_accents(ana_client: Client, make: Make, asked: str) -> None:
    make("Ärger Größe")
    make("Arger")
    assert names_on(ana_client, f"?q={asked}") == ["Ärger Größe"]


def test_list_is_narrowed_to_a_game(ana: User, ana_client: Client, make: Make) -> None:
    make("Zara")
    system = find_system("cepheus")
    lines = sure(system.book.imports.lines)
    line = lines.read(lines.example)
    character_service.create(ana, "cepheus", "Guard", line.sheet)
    assert names_on(ana_client, "?game=cepheus") == ["Guard"]
    assert names_on(ana_client, "?game=cosmos&q=zar") == ["Zara"]
    assert names_on(ana_client, "?game=nonsense") == ["Guard", "Zara"]
    assert "No character found" in ana_client.get("/characters/?game=starshock").content.decode()


def test_each_game_of_a_list_has_a_tab_with_its_number(ana: User, ana_client: Client, make: Make) -> None:
    make("Zara")
    page = read(ana_client.get("/characters/"))
    assert not [one for one in page.all("nav") if one["aria-label"] == "Game"]
    assert "1 character" in page.one("main").text
    sheet = next(iter(find_system("cepheus").book.find_blocks().values())).sheet
    character_service.create(ana, "cepheus", "Guard", dict(sheet))
    page = read(ana_client.get("/characters/", {"game": "cepheus", "q": "a"}))
    tabs = next(one for one in page.all("nav") if one["aria-label"] == "Game")
    assert "All games 2 Cosmos Engine 1 Cepheus 1" in tabs.text


def test_search_answers_htmx_with_the_list_alone(ana_client: Client, make: Make) -> None:
    make("Zara")
    part = ana_client.get("/characters/?q=zara", headers=HTMX).content.decode()
    assert part.lstrip().startswith('<div id="found"')
    assert 'data-announce="1 found for zara."' in part


def test_searching_for_markup_shows_it_as_text(ana_client: Client) -> None:
    page = ana_client.get("/characters/", {"q": "<script>x</script>"}).content.decode()
    assert "<script>x" not in page
    assert "&lt;script&gt;x" in page


def test_pages_hold_20(ana_client: Client, make: Make) -> None:
    for number in range(23):
        make(f"No {number:02}")
    assert len(names_on(ana_client)) == 20
    assert names_on(ana_client, "?page=2") == ["No 02", "No 01", "No 00"]
    assert names_on(ana_client, "?page=99") == names_on(ana_client, "?page=2")
    assert '<a href="?q=no&amp;page=2">' in ana_client.get("/characters/?q=no").content.decode()


def test_archived_and_deleted_have_lists_of_their_own(ana_client: Client, make: Make) -> None:
    make("Here")
    away = make("Away")
    character_service.archive(away)
    character_service.delete(make("Gone"))
    assert names_on(ana_client) == ["Here"]
    assert names_on(ana_client, "?show=archived") == ["Away"]
    assert names_on(ana_client, "?show=deleted") == ["Gone"]
    page = ana_client.get("/characters/?show=deleted").content.decode()
    assert "/restore/" in page
    character_service.archive(Character.objects.get(pk=away.pk))
    assert names_on(ana_client) == ["Away", "Here"], "and back"


# ---------------------------------------------------------------- queries


def test_lists_cost_the_same_for_many(
    ana_client: Client, make: Make, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for more in (1, 14):
        for number in range(more):
            make(f"No {number}")
        with django_assert_max_num_queries(5):  # session, person, tags, count, page
            ana_client.get("/characters/")
        with django_assert_max_num_queries(3):
            ana_client.get("/characters/roster.csv")


def test_sheet_costs_few_queries_however_much_happened(
    ana_client: Client, zara: Character, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(12):
        character_service.change(zara.pk, "Notes", notes=str(number))
        ana_client.post(f"/characters/{zara.pk}/", {"do": "roll", "roll": "save", "attribute": "MIG"})
    with django_assert_max_num_queries(
        9
    ):  # session, person, character, rolls, changes, undoable, where it sits, where it may go
        ana_client.get(f"/characters/{zara.pk}/")


def test_catalogue_costs_few_queries(
    ana_client: Client, zara: Character, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(4):  # session, person, character, their own items
        ana_client.get(f"/gear/?for={zara.pk}")
