"""A new own item begins empty: with only a name, it says what it still needs, for every kind and use."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from characters.gear.catalogue import find_stocked_games
from characters.gear.forms import OwnItemForm
from characters.gear.models import OwnItem
from combat.rules import find_system
from combat.rules.core.sheets.catalogue import Kind
from tests.combat.visit import read

NEW = "/gear/own/new/"
EVERY_USE = [
    (system.slug, kind, use)
    for system in find_stocked_games()
    for kind in (system.book.catalogue.kinds if system.book.catalogue else ())
    for use in ([one.key for one in kind.uses] or [""])
]


@pytest.mark.slow
@pytest.mark.parametrize(("slug", "kind", "use"), EVERY_USE, ids=lambda one: getattr(one, "key", one))
def test_new_form_is_empty_and_names_what_it_needs(
    ana_client: Client, slug: str, kind: Kind, use: str
) -> None:
    answer = ana_client.get(NEW, {"game": slug, "kind": kind.key, "use": use})
    page = read(answer)
    live = answer.context["live"]
    assert live.missing[0] == "Name"
    assert live.faults == ()
    form = next(one for one in page.all("form") if "own-form" in one["class"])
    typed = page.fields(form) | {"name": "My own thing", "do": "save"}
    if use:
        assert typed["use"] == use
    answer = ana_client.post(NEW, typed)
    if live.missing == ("Name",):
        assert answer.status_code == 302
    else:
        assert answer.status_code == 422
        assert set(live.missing) - {"Name"} <= set(answer.context["live"].missing)
        assert not OwnItem.objects.exists()


def test_what_another_use_needs_does_not_count(ana_client: Client, ana: User) -> None:
    """Neither a wrong figure nor a right one of a use that was chosen before."""
    bow = {
        "game": "cosmos", "kind": "weapon", "use": "ranged", "name": "Bow", "era": "Any", "damage": "1d6",
        "type": "kinetic", "range_m": "40", "magazine": "0", "reach_m": "99", "radius_m": "x",
    }  # fmt: skip
    assert ana_client.post(NEW, bow).status_code == 302
    record = OwnItem.objects.get(owner=ana).record
    assert (record["mode"], record["range_m"]) == ("ranged", 40)
    assert not record.get("reach_m")
    assert not record.get("radius_m")
    axe = bow | {"use": "melee", "name": "Axe", "reach_m": "2"}
    assert ana_client.post(NEW, axe).status_code == 302
    record = OwnItem.objects.get(name="Axe").record
    assert (record["mode"], record["reach_m"], record.get("range_m", 0)) == ("melee", 2, 0)


def test_number_that_cannot_be_0_says_so_in_a_sentence(ana_client: Client) -> None:
    sent: dict[str, Any] = {"game": "guardians", "kind": "weapon", "use": "thrown", "name": "Dart"}
    answer = ana_client.post(NEW, {**sent, "damage": "1d4", "skill": "thrown_weapons", "range_yards": "0"})
    assert answer.status_code == 422
    assert "Must be 1 to 2,000." in answer.content.decode()


def test_long_lists_show_first_what_the_book_has(ana_client: Client) -> None:
    page = read(ana_client.get(NEW, {"game": "cepheus", "kind": "weapon", "use": "ranged"}))
    (skills,) = (one for one in page.all("fieldset") if one["id"] == "div_own-skills")
    more = page.one("details", inside=skills)
    folded = len(page.all("input", inside=more))
    assert folded > 40
    assert 8 < len(page.all("input", inside=skills)) - folded < 20


def test_what_an_item_has_beyond_its_use_is_in_sight() -> None:
    catalogue = find_system("guardians").book.catalogue
    assert catalogue
    kind = catalogue.find_kind("weapon")
    assert kind
    fist = next(row for row in catalogue.find_entries() if row.kind == "weapon").record | {"kind": "unarmed"}
    assert "melee" in OwnItemForm(kind, fist).uses["kind"]
