"""The quick reader of pages reads what Python's own does."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from django.test import Client

from combat.models import Encounter
from tests.combat.markup import ALONE, Page
from tests.combat.visit import ZARA

Read = list[tuple[str, dict[str, str], list[str], str]]
ODD = (
    "<!DOCTYPE html>\n<!-- <b>no</b> --><p a='1 > 0' B=\"&quot;x&amp;y&quot;\" c=d disabled>one &lt; two<br>"
    "three<i/>four</p><script nonce=x>if (a < b && c) '<b>'</script><svg viewBox='0 0 1 1'><path d=\"M0\"/>"
    "<path/></svg><ul><li>1<li>2 &nbsp; &eacute;</ul><TEXTAREA name=t>&lt;b&gt;</TEXTAREA><p>left <b>open"
)


class Reference(HTMLParser):
    """Every element: tag, attributes, the tags around it, its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[tuple[str, list[str]]] = []
        self.found: list[tuple[str, dict[str, str], list[str], list[str]]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        words = self.add(tag, attrs)
        if tag not in ALONE:
            self.open.append((tag, words))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.add(tag, attrs)

    def add(self, tag: str, attrs: list[tuple[str, str | None]]) -> list[str]:
        words: list[str] = []
        named = {name: value or "" for name, value in attrs}
        self.found.append((tag, named, [name for name, _ in self.open], words))
        return words

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        for _, words in self.open:
            words.append(data)


def read_slowly(html: str) -> Read:
    found = Reference(html).found
    return [(tag, attrs, around, " ".join("".join(words).split())) for tag, attrs, around, words in found]


def read_quickly(html: str) -> Read:
    return [(e.tag, e.attrs, [p.tag for p in e.parents], e.text) for e in Page(html).elements]


def test_odd_markup_is_read_the_same() -> None:
    assert read_quickly(ODD) == read_slowly(ODD)


@pytest.mark.slow
def test_pages_are_read_the_same(gm_client: Client, started: Encounter) -> None:
    here = f"/encounters/{started.pk}/"
    for path in (here, f"{here}?do=attack&combatant={ZARA}", f"{here}prep/", "/rules/cosmos/initiative/"):
        answer = gm_client.get(path)
        assert answer.status_code == 200, path
        html = answer.content.decode()
        assert read_quickly(html) == read_slowly(html)


def test_elements_know_what_they_stand_inside() -> None:
    page, other = Page("<ul><li><b>1</b></li><li>2</li></ul><p>3</p>"), Page("<ul><li>4</li></ul>")
    first, second = page.all("li")
    assert [e.tag for e in page.elements if e.is_in(page.one("ul"))] == ["li", "b", "li"]
    assert page.one("b").is_in(first)
    assert not page.one("b").is_in(second)
    assert not page.one("b").is_in(page.one("b"))
    assert not other.one("li").is_in(page.one("ul"))
    assert page.all("li", inside=other.one("ul")) == []
