"""Every page, for everyone who may open it: accessible, on a light phone or a dark laptop."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import cycle

import pytest
from django.test import Client
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer
from zeal import zeal_ignore

from combat.models import Encounter
from tests.browser import AXE, BY_THEME, find_barriers, find_overflow, look, sign_in, skip_hints
from tests.combat.cast import ROLES, Cast
from tests.combat.markup import Element
from tests.combat.markup import Page as Markup
from tests.combat.sharing.test_permissions import ROWS, find_address

TURNS = ("gm", "player", "watcher", "nobody")  # the people: who sees most comes first
LOOKS = (("narrow", "light"), ("wide", "dark"))
LARGE = 10_000  # bytes; test_layout.py measures the colors of all larger pages
MAIN = re.compile(rb"<main.*</main>", re.DOTALL)
SECRET = re.compile(rb'name="csrfmiddlewaretoken" value="\w+"')


def find_pages(role: str, client: Client, encounter: Encounter) -> Iterator[tuple[str, str, bytes]]:
    """The whole pages that the permission matrix gives someone: name, address, and the main part."""
    for row in ROWS:
        if row.method == "GET" and row.wanted[ROLES.index(role)] == 200:
            query = f"?{row.sent}" if row.sent else ""
            address = find_address(row.name, encounter) + query
            with zeal_ignore():
                html = client.get(address).content
            if b"<html" in html[:200]:
                yield row.name, address, SECRET.sub(b"", MAIN.findall(html)[0])


def kind_of(element: Element) -> tuple[str, ...]:
    """An element's tag, classes, type, role, and which attributes it has."""
    return (element.tag, element["class"], element["type"], element["role"], *sorted(element.attrs))


def find_kinds(middle: bytes) -> set[tuple[tuple[str, ...], ...]]:
    """The kinds of a page's elements, each with those of the two elements that it stands in."""
    page = Markup(middle.decode())
    kinds = [kind_of(element) for element in page.elements]
    return {
        (kinds[one.number], *(kinds[above.number] for above in one.parents[-2:])) for one in page.elements
    }


@pytest.mark.slow
def test_every_page_is_open_to_everybody_who_may_see_it(
    live_server: LiveServer, page: Page, transactional_db: None, cast: Cast, started: Encounter
) -> None:
    """Each in one of two looks, in turn; test_layout.py measures texts and targets of nearly all in two more.

    Nobody looks again at a page that has only kinds of elements that it had for those before.
    """
    page.add_init_script(AXE)
    looks, wrong = cycle(LOOKS), dict[str, list[str]]()
    looked_at, known = set[bytes](), defaultdict[str, set[tuple[tuple[str, ...], ...]]](set)
    for role in TURNS:
        page.context.clear_cookies()
        skip_hints(page.context)
        if "sessionid" in cast[role].cookies:
            sign_in(page.context, live_server, cast[role])
        pages = list(find_pages(role, cast[role], started))
        assert pages, role
        for name, address, middle in pages:
            if middle in looked_at:
                continue
            looked_at.add(middle)
            if (kinds := find_kinds(middle)) <= known[name]:
                continue
            known[name] |= kinds
            size, theme = next(looks)
            where = f"{role}, {size}, {theme}: {address}"
            wrong[where] = find_wrong(page, live_server.url + address, size, theme, len(middle))
    assert {where: found for where, found in wrong.items() if found} == {}


def find_wrong(page: Page, address: str, size: str, theme: str, length: int) -> list[str]:
    """The problems of a page in a look; whatever the look, it is no wider than a phone."""
    look(page, size, theme)
    page.goto(address)
    found = [*find_barriers(page, without=BY_THEME if length > LARGE else ()), *find_overflow(page)]
    if size == "narrow":
        return found
    look(page, "narrow", theme)
    return [*found, *find_overflow(page)]
