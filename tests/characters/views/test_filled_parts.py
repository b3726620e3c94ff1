"""What is filled as a part of a sheet opens is never refused."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from characters.creation.creation_view import find_ready, make_ready_sheet
from characters.services import character_service
from combat.rules import SYSTEMS, find_system
from tests.combat.markup import Page
from tests.combat.pages.every_page.test_filled import Told, press_filled

EDIT = re.compile(r"[?&](?:edit|roll)=")


@pytest.mark.slow
@pytest.mark.parametrize("slug", [slug for slug in SYSTEMS if find_ready(find_system(slug))])
def test_what_is_filled_as_a_part_of_a_sheet_opens_is_done(slug: str, ana: User, ana_client: Client) -> None:
    system = find_system(slug)
    sheet = make_ready_sheet(system, find_ready(system)[0].archetype)
    here = f"/characters/{character_service.create(ana, slug, 'Ana Sokolov', sheet).pk}/"
    links = {one["href"] for one in Page(ana_client.get(here).content.decode()).all("a")}
    parts = sorted(here + one if one.startswith("?") else one for one in links if EDIT.search(one))
    pressed = 0
    told: list[Told] = []
    for address in parts:
        count, refused = press_filled(ana_client, address, ana_client.get(address).content.decode())
        pressed, told = pressed + count, told + refused
    assert told == []
    assert len(parts) > 5
    assert pressed > len(parts) / 2
