"""The pages of a rulebook: one for each chapter or part of a long one, and the way through them."""

from __future__ import annotations

from django.test import Client

from combat.pages.book import shapes
from combat.pages.book.examples import find_terms
from combat.rules import SYSTEMS
from tests.combat.rules.games import every_slug
from tests.combat.visit import SLUG, read

LARGEST = 250_000  # bytes of a page


@every_slug
def test_book_is_divided_into_pages_that_read(client: Client, slug: str, db: None) -> None:
    """Each has its own address and the contents lead to it; a long chapter has several."""
    contents = read(client.get(f"/rules/{slug}/"))
    links = {link["href"].partition("#")[0] for link in contents.all("a")}
    pages = shapes.find_pages(slug)
    assert len({page.name for page in pages}) == len(pages) > 1
    assert {f"/rules/{slug}/{page.name}/" for page in pages} <= links
    entries = [entry.id for page in pages for part in page.sections for entry in part.entries]
    assert len(entries) == len(set(entries))
    longest = max(pages, key=lambda page: sum(len(part.entries) for part in page.sections))
    answer = client.get(f"/rules/{slug}/{longest.name}/")
    assert len(answer.content) < LARGEST
    page = read(answer)
    assert page.one("h1").text == longest.title
    assert [e["id"] for e in page.elements if e["id"] in entries] == [
        entry.id for part in longest.sections for entry in part.entries
    ]


def test_chapters_lead_to_those_before_and_after(client: Client, db: None) -> None:
    pages = shapes.find_pages(SLUG)
    for before, page, after in zip((None, *pages), pages, (*pages[1:], None), strict=False):
        assert shapes.find_neighbours(SLUG, page) == (before, after)
    shown = read(client.get(f"/rules/{SLUG}/{pages[1].name}/"))
    turns = {link["rel"]: link["href"] for link in shown.all("a") if link["rel"]}
    assert turns == {"prev": f"/rules/{SLUG}/{pages[0].name}/", "next": f"/rules/{SLUG}/{pages[2].name}/"}
    assert [link.text for link in shown.all("a") if link["aria-current"] == "page"][-1] == pages[1].title


def test_list_of_books_is_searched_in_all_of_them(client: Client, db: None) -> None:
    page = read(client.get("/rules/", {"q": "cover"}))
    for slug in SYSTEMS:
        found = shapes.search(slug, "cover", "")
        links = [link["href"] for link in page.all("a") if link["href"].startswith(f"/rules/{slug}/")]
        assert (f"/rules/{slug}/?q=cover" in links) == bool(found.pages)
    assert f"/rules/{SLUG}/tactical-movement/#COS-COVER-01" in [link["href"] for link in page.all("a")]
    assert page.one("input", id="q")["value"] == "cover"
    assert "No book mentions that" in client.get("/rules/", {"q": "zzzz"}).content.decode()


def test_row_of_a_table_that_an_example_beside_it_uses_is_marked(client: Client, db: None) -> None:
    """By name and number of a term: "Heavy cover +4" is the row "Heavy" of "Cover"; in a search none is."""
    page = read(client.get(f"/rules/{SLUG}/tactical-movement/"))
    figure = page.one("figure", id="table-cover")
    rows = page.all("tr", inside=page.one("tbody", inside=figure))
    assert [(page.all("th", inside=row)[0].text, row["class"]) for row in rows] == [
        ("Light", "is-used"),
        ("Heavy", "is-used"),
        ("Total", ""),
    ]
    told = [link["href"].split("/")[-2] for link in page.all("a", inside=figure, class_="rule")]
    assert told[-2:] == ["COS-COVER-01", "COS-COVER-03"]
    assert page.all("article", id="COS-COVER-03")
    found = read(client.get(f"/rules/{SLUG}/", {"q": "cover heavy"}))
    assert not found.all("tr", class_="is-used")


def test_terms_of_examples_are_read_with_their_first_rule() -> None:
    terms = find_terms(SLUG, ["COS-ATK-01", "COS-ATK-02"])
    assert terms["pistol", "1"] == "COS-ATK-01"
    assert terms["half combat", "2"] == "COS-ATK-01"
    assert not find_terms(SLUG, [])
