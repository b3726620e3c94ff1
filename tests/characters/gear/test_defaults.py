"""A form of an own item as it opens, with only a name typed, makes an item of every kind."""

from __future__ import annotations

import re

from django.test import Client

from characters.gear.catalogue import find_stocked_games
from tests.combat.markup import Page


def test_form_as_it_opens_is_accepted_for_every_kind(ana_client: Client) -> None:
    refused = {}
    for system in find_stocked_games():
        assert system.book.catalogue is not None
        for kind in system.book.catalogue.kinds:
            address = f"/gear/own/new/?game={system.slug}&kind={kind.key}"
            page = Page(ana_client.get(address).content.decode())
            form = next(one for one in page.all("form") if "own-form" in one["class"])
            answer = ana_client.post(address, page.fields(form) | {"name": "My own thing", "do": "save"})
            if answer.status_code != 302:
                said = re.findall(r"(?s)<ul class=.errors.*?</ul>", answer.content.decode())
                refused[system.slug, kind.key] = [" ".join(one.split()) for one in said]
    assert refused == {}, refused
