"""Every page, for everyone who may open it: accessible, dark on a laptop, light on a phone."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer
from zeal import zeal_ignore

from combat.models import Encounter
from tests.browser import BY_THEME, SIZES, find_barriers, find_overflow, sign_in
from tests.combat.cast import ROLES, Cast
from tests.combat.sharing.test_permissions import ROWS, find_address

TURNS = ("nobody", "watcher", "player", "gm")  # the people, in the order of their looks
LOOKS = (("light", "narrow"), ("dark", "wide"))
MAIN = re.compile(rb"<main.*</main>", re.DOTALL)
SECRET = re.compile(rb'name="csrfmiddlewaretoken" value="\w+"')


def find_pages(role: str, client: Client, encounter: Encounter) -> dict[str, bytes]:
    """The whole pages that the permission matrix gives someone, and the main part of each."""
    found = {}
    for row in ROWS:
        if row.method == "GET" and row.wanted[ROLES.index(role)] == 200:
            query = f"?{row.sent}" if row.sent else ""
            address = find_address(row.name, encounter) + query
            with zeal_ignore():
                html = client.get(address).content
            if b"<html" in html[:200]:
                found[address] = SECRET.sub(b"", MAIN.findall(html)[0])
    return found


@pytest.mark.slow
@pytest.mark.parametrize("role", TURNS)
def test_every_page_is_open_to_everybody_who_may_see_it(
    live_server: LiveServer, page: Page, transactional_db: None, cast: Cast, started: Encounter, role: str
) -> None:
    """They skip pages, such as rulebooks, that were the same for someone before them."""
    client, looked_at = cast[role], set[bytes]()
    for other in TURNS[: TURNS.index(role)]:
        looked_at |= set(find_pages(other, cast[other], started).values())
    pages = find_pages(role, client, started)
    assert pages
    if "sessionid" in client.cookies:
        sign_in(page.context, live_server, client)
    wrong: dict[str, Any] = {}
    for address, middle in pages.items():
        if middle not in looked_at:
            wrong |= look(page, live_server.url + address)
        looked_at.add(middle)
    assert wrong == {}


def look(page: Page, address: str) -> dict[str, list[str]]:
    """The problems of a page on a bright phone, and those that depend on theme or width on a dark laptop."""
    wrong: dict[str, Any] = {}
    for theme, size in LOOKS:
        page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        page.set_viewport_size({"width": SIZES[size]["width"], "height": SIZES[size]["height"]})
        is_first = (theme, size) == LOOKS[0]
        if is_first:
            page.goto(address)
        if barriers := [*find_barriers(page, only=() if is_first else BY_THEME), *find_overflow(page)]:
            wrong[f"{address}, {theme}"] = barriers
    return wrong
