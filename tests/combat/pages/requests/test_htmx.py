"""What htmx asks for: a part and no page, from every address that a page names."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from inspect import getsource, unwrap
from itertools import product
from urllib.parse import parse_qsl, urljoin, urlsplit

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import resolve
from zeal import zeal_ignore

from characters.services import character_service
from combat.models import Encounter
from combat.play.campaigns.campaigns import move_encounter
from combat.play.campaigns.handouts import EVERYBODY, create_handout, show
from tests.combat.cast import ROLES, Cast
from tests.combat.markup import Element, Page
from tests.combat.play.packs.world import SHEET, make_campaign
from tests.combat.sharing.test_permissions import ROWS, find_address
from tests.combat.visit import MARCUS, SLUG

HTMX = {"HX-Request": "true"}
BY_SCRIPTS = ("data-handout",)  # static/js/table/handouts.js reads such links


@pytest.fixture
def pages(gm: User, started: Encounter) -> list[str]:
    """The GM's pages: those of the permission matrix, and those about one thing of each kind."""
    campaign = make_campaign(gm)
    prepared = campaign.encounters.get()
    move_encounter(started.pk, campaign)
    show(started.pk, create_handout(campaign, "Poster", "Alive", None).pk, [EVERYBODY])
    hero = character_service.create(gm, SLUG, "Vega", SHEET)
    known = [f"{find_address(row.name, started)}?{row.sent}" for row in ROWS if row.method == "GET"]
    people = [f"/characters/{pk}/" for pk in (hero.pk, campaign.members.get().character_id)]
    return [*known, *people, f"/campaigns/{campaign.pk}/", f"/encounters/{prepared.pk}/prep/"]


def find_asked(page: Page) -> Iterator[str]:
    """The addresses that htmx and scripts ask for parts; not whole pages that they take a part from."""
    for element in page.elements:
        if "hx-get" in element.attrs and not takes_part(element):
            yield element["hx-get"]
        if any(name in element.attrs for name in BY_SCRIPTS):
            yield element["href"]


def takes_part(element: Element) -> bool:
    """Whether htmx takes a part out of what it gets."""
    return any("hx-select" in one.attrs for one in (*element.parents, element))


def kind_of(address: str) -> tuple[str, ...]:
    """The name of an address, and of what is asked there."""
    parts = urlsplit(address)
    asked = {name for name, _ in parse_qsl(parts.query, keep_blank_values=True)}
    return (resolve(parts.path).view_name, *sorted(asked))


@pytest.mark.slow
def test_htmx_gets_a_part_from_every_address(gm_client: Client, pages: list[str]) -> None:
    asked: dict[tuple[str, ...], str] = {}
    with zeal_ignore():
        for address in pages:
            answer = gm_client.get(address)
            if answer.status_code == 200 and b"<html" in answer.content[:200]:
                page = Page(answer.content.decode())
                found = [urljoin(address, one) for one in find_asked(page)]
                asked = {kind_of(one): one for one in found} | asked
        answers = {one: gm_client.get(one, headers=HTMX, follow=True) for one in asked.values()}
    assert {"npcs", "new_npc", "handout", "table", "encounters"} <= {name for name, *_ in asked}
    whole = [
        one for one, answer in answers.items() if answer.status_code == 200 and b"<html" in answer.content
    ]
    assert whole == []


# ---- What a query names and is not there, or is not for one ----

READ = re.compile(r'GET(?:\.get(?:list)?\(|\[)"([a-z]+)"|"([a-z]+)" in request\.GET')
IDS = re.compile(rb' id="([^"]+)"')
SEARCH = "q"  # what is searched for may leave nothing


def find_parameters(address: str) -> set[str]:
    """What the views of a page's module read of a query."""
    view = unwrap(resolve(address).func)
    return {one or other for one, other in READ.findall(getsource(sys.modules[view.__module__]))} - {SEARCH}


def read(client: Client, address: str, query: dict[str, str]) -> tuple[int, set[bytes]]:
    """An answer's status, and the ids of its elements."""
    answer = client.get(address, query, follow=True)
    return answer.status_code, set(IDS.findall(answer.content))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("role", "values"),
    [("player", (MARCUS, "f9")), pytest.param("gm", ("f9",), marks=pytest.mark.slow)],
)
def test_page_keeps_its_parts_for_any_unknown_or_foreign_request(
    cast: Cast, started: Encounter, role: str, values: tuple[str, ...]
) -> None:
    """Or it says that there is no such page; each parameter of each page, with Marcus and nobody's id."""
    client, column, lost = cast[role], ROLES.index(role), []
    rows = [row for row in ROWS if row.method == "GET" and row.wanted[column] == 200]
    pages = sorted({find_address(row.name, started) for row in rows})
    asked = [(page, name) for page in pages for name in find_parameters(page)]
    assert "combatant" in {name for _, name in asked}
    assert len(asked) > 50
    with zeal_ignore():
        plain = {page: read(client, page, {}) for page in pages}
        for (page, name), value in product(asked, values):
            status, ids = read(client, page, {name: value})
            gone = plain[page][1] - ids
            if status != 404 and (status != plain[page][0] or gone):
                lost.append(f"{page}?{name}={value}: {status}, without {sorted(gone)[:5]}")
    assert not lost, "\n".join(lost)
