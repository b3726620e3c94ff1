"""Every page, for everyone who may open it: accessible, dark on a laptop, light on a phone."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer
from zeal import zeal_ignore

from combat.models import Encounter
from tests.browser import BY_THEME, find_barriers, find_overflow, look, shorten, sign_in, skip_hints
from tests.combat.cast import ROLES, Cast
from tests.combat.sharing.test_permissions import ROWS, find_address

TURNS = ("nobody", "watcher", "player", "gm")  # the people, in the order of their looks
LONG = 200_000  # bytes; only a rulebook is longer
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
def test_every_page_is_open_to_everybody_who_may_see_it(
    live_server: LiveServer, page: Page, transactional_db: None, cast: Cast, started: Encounter
) -> None:
    """They skip pages, such as rulebooks, that were the same for someone before them."""
    looked_at, wrong = set[bytes](), dict[str, list[str]]()
    for role in TURNS:
        page.context.clear_cookies()
        skip_hints(page.context)
        if "sessionid" in cast[role].cookies:
            sign_in(page.context, live_server, cast[role])
        pages = find_pages(role, cast[role], started)
        assert pages, role
        for address, middle in pages.items():
            if middle not in looked_at:
                found = find_wrong(page, live_server.url + address, is_long=len(middle) > LONG)
                wrong |= {f"{role}: {where}": problems for where, problems in found.items()}
            looked_at.add(middle)
    assert wrong == {}


def find_wrong(page: Page, address: str, is_long: bool) -> dict[str, list[str]]:
    """The problems of a page on a bright phone, and those that depend on theme or width on a dark laptop."""
    look(page, "narrow", "light")
    page.goto(address)
    if is_long:
        shorten(page)
    bright = [*find_barriers(page), *find_overflow(page)]
    look(page, "wide", "dark")
    dark = [*find_barriers(page, only=BY_THEME), *find_overflow(page)]
    found = {f"{address}, light": bright, f"{address}, dark": dark}
    return {where: problems for where, problems in found.items() if problems}
