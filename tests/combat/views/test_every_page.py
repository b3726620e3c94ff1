"""Every page there is, for everybody who may open it: no barrier, dark on a laptop, light on a phone."""

from __future__ import annotations

import pytest
from django.test import Client
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer
from zeal import zeal_ignore

from combat.models import Encounter
from tests.combat.cast import ROLES, Cast
from tests.combat.sharing.test_permissions import ROWS, find_address
from tests.combat.views.test_accessibility import SIZES, find_barriers, find_overflow, sign_in

LOOKS = (("dark", "wide"), ("light", "narrow"))


def find_pages(role: str, client: Client, encounter: Encounter) -> list[str]:
    """The addresses that the permission matrix gives somebody, as far as they are whole pages."""
    found = {}
    for row in ROWS:
        if row.method == "GET" and row.wanted[ROLES.index(role)] == 200:
            query = f"?{row.sent}" if row.sent else ""
            address = find_address(row.name, encounter) + query
            with zeal_ignore():
                whole = "<html" in client.get(address).content.decode("utf-8", "replace")[:200]
            if whole:
                found[address] = None
    return list(found)


@pytest.mark.slow
@pytest.mark.parametrize("role", ["gm", "player", "watcher", "nobody"])
def test_every_page_is_open_to_everybody_who_may_see_it(
    live_server: LiveServer, page: Page, transactional_db: None, cast: Cast, started: Encounter, role: str
) -> None:
    client = cast[role]
    addresses = find_pages(role, client, started)
    assert addresses
    if "sessionid" in client.cookies:
        sign_in(page.context, live_server, client)
    wrong = {}
    for theme, size in LOOKS:
        page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
        page.set_viewport_size({"width": SIZES[size]["width"], "height": SIZES[size]["height"]})
        for address in addresses:
            page.goto(live_server.url + address)
            if barriers := [*find_barriers(page), *find_overflow(page)]:
                wrong[f"{address}, {theme}"] = barriers
    assert wrong == {}
