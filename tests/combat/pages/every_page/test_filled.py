"""What is filled on any page, as it comes, is never refused: to everybody who may open it."""

from __future__ import annotations

import pytest
from django.test import Client
from zeal import zeal_ignore

from combat.models import Encounter
from tests.combat.cast import ROLES, Cast
from tests.combat.markup import Page
from tests.combat.sharing.test_permissions import ROWS, find_address
from tests.combat.visit import refusal
from tests.walker.people import taken_back
from tests.walker.reading import find_offers

ELSEWHERE = ("/accounts/", "/copies/")  # sessions and files, which no transaction takes back
TYPED = ("open_code",)  # whether a code is right is said only to those who send it

Told = tuple[str, str, int, str]  # where, the words of the button, the status and what is said


@pytest.mark.slow
@pytest.mark.parametrize("role", ["gm", "player", "watcher", "nobody"])
def test_what_is_filled_as_a_page_comes_is_done(role: str, cast: Cast, started: Encounter) -> None:
    client, pressed = cast[role], 0
    told: list[Told] = []
    for row in ROWS:
        if row.method != "GET" or row.name in TYPED or row.wanted[ROLES.index(role)] != 200:
            continue
        address = find_address(row.name, started) + (f"?{row.sent}" if row.sent else "")
        with zeal_ignore():
            html = client.get(address).content
        if b"<html" not in html[:200]:
            continue
        pages_pressed, refused = press_filled(client, address, html.decode())
        pressed, told = pressed + pages_pressed, told + refused
    assert told == []
    assert pressed > 5 or role != "gm"


def press_filled(client: Client, address: str, html: str) -> tuple[int, list[Told]]:
    """How many filled buttons of a page were pressed, each taken back, and those that were refused."""
    pressed, told = 0, list[Told]()
    for offer in find_offers(Page(html), address):
        if (
            offer.method != "post"
            or not offer.is_filled
            or offer.lacks
            or offer.address.startswith(ELSEWHERE)
        ):
            continue
        with taken_back(), zeal_ignore():
            pressed += 1
            answer = client.post(offer.address, offer.fields, headers={"HX-Current-URL": address})
            if answer.status_code >= 400:
                told.append((address, offer.words, answer.status_code, refusal(answer)))
    return pressed, told
