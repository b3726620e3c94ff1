"""A user's own items: made from a form, checked by the catalog's schema, changed, copied, deleted."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from characters.gear import item_service
from characters.gear.forms import OwnItemForm
from characters.gear.live import draw_blast
from characters.gear.models import OwnItem
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.sheets.catalogue import find_record_problems, value_of
from tests.combat.visit import read
from tests.typed import sure

SYSTEM = find_system("cosmos")
CATALOGUE = sure(SYSTEM.book.catalogue)
NEW = "/gear/own/new/"
RIFLE = {
    "game": "cosmos", "kind": "weapon", "name": "Old  Faithful", "era": "Industrial", "mode": "ranged",
    "damage": "1d10+2", "type": "kinetic", "equipment": "1", "ap": "2", "range_m": "300", "magazine": "5",
    "traits": ["two_handed", "reliable"], "cost": "750",
}  # fmt: skip


def make(client: Client, **more: Any) -> Any:
    return client.post(NEW, {**RIFLE, **more})


def error_at(page: str, field: str) -> str:
    """The error at a field of the form."""
    found = re.search(rf'id="own-{field}_error">(.*?)</ul>', page, re.DOTALL)
    return re.sub(r"<[^>]+>", "", found[1]) if found else ""


def test_item_of_ones_own_is_made(ana_client: Client, ana: User) -> None:
    answer = make(ana_client)
    item = OwnItem.objects.get()
    assert answer["Location"] == f"/gear/item/own-{item.pk}/"
    assert (item.owner, item.name, item.kind) == (ana, "Old Faithful", "weapon")
    assert item.record["origin"] == item.record["id"] == "own"
    assert (item.record["damage"], item.record["magazine"], item.record["effect"]) == ("1d10+2", 5, None)
    assert find_record_problems(CATALOGUE, "weapon", item.record) == ()
    assert "1d10+2 kinetic, 300 m, AP 2, +1 to hit" in ana_client.get(answer["Location"]).content.decode()


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({"name": ""}, "name", "required"),
        ({"damage": "lots"}, "damage", "Is not written as it must be."),
        ({"damage": "99d99"}, "damage", "Must be at most 20d20+99."),
        ({"equipment": "4"}, "equipment", "Must be 0 to 3."),
        ({"era": "Future"}, "era", "not one of the available choices"),
        ({"traits": ["magic"]}, "traits", "not one of the available choices"),
        ({"ap": "x"}, "ap", "whole number"),
        ({"cost": "-1"}, "cost", "Must be 0 to 10,000,000."),
    ],
)
def test_wrong_figures_are_named_at_their_fields(
    ana_client: Client, fields: dict[str, Any], field: str, words: str
) -> None:
    answer = make(ana_client, **fields)
    assert answer.status_code == 422
    assert words in error_at(answer.content.decode(), field)
    assert not OwnItem.objects.exists()


def test_figures_that_do_not_fit_are_told_at_their_first_field(ana_client: Client) -> None:
    page = make(ana_client, mode="melee").content.decode()
    assert "Must be 1 to 20." in error_at(page, "reach_m")
    assert "reach_m belongs" not in page.casefold()


def test_effect_of_a_weapon_is_kept_and_nothing_is_no_effect(ana_client: Client) -> None:
    make(ana_client, effect__save="MIG", effect__tn="14", effect__condition="Blinded", effect__rounds="2")
    assert OwnItem.objects.get().record["effect"] == {
        "save": "MIG", "tn": 14, "condition": "Blinded", "breathed": False, "concealment": "", "rounds": 2,
        "minutes": 0,
    }  # fmt: skip


@pytest.mark.parametrize("kind", CATALOGUE.kinds, ids=lambda kind: kind.key)
def test_whole_catalogue_goes_through_the_form_unchanged(kind: Any) -> None:
    entries = [entry for entry in CATALOGUE.find_entries() if entry.kind == kind.key]
    assert entries
    for entry in entries:
        begun = {name: field.initial for name, field in OwnItemForm(kind, entry.record).fields.items()}
        sent = {name: value for name, value in begun.items() if value is not None and value is not False}
        bound = OwnItemForm(kind, entry.record, sent)
        assert bound.is_valid(), (entry.id, bound.errors)
        assert CATALOGUE.describe(kind.key, bound.make_record()).record == entry.record


@pytest.mark.parametrize("kind", [kind.key for kind in CATALOGUE.kinds])
def test_every_kind_has_a_form(ana_client: Client, kind: str) -> None:
    page = ana_client.get(NEW, {"game": "cosmos", "kind": kind}).content.decode()
    assert f'name="kind" value="{kind}"' in page
    assert 'id="own-name"' in page


def test_traits_say_what_they_do(ana_client: Client) -> None:
    page = read(ana_client.get(f"{NEW}?game=cosmos&kind=weapon"))
    labels = {one.text for one in page.all("label") if page.all("input", inside=one, name="traits")}
    assert labels == {" ".join(f"{one.label} {one.detail}".split()) for one in CATALOGUE.traits.values()}


def test_variant_starts_with_the_figures_of_its_model(ana_client: Client) -> None:
    page = ana_client.get(NEW, {"from": "cosmos-weapon-flash_grenade"}).content.decode()
    assert "Variant of Flash grenade" in page
    assert 'value="Flash grenade (own)"' in page
    assert re.search(r'name="effect__tn"[^>]*value="14"|value="14"[^>]*name="effect__tn"', page)


def test_duplicate_of_ones_own_is_another(ana_client: Client) -> None:
    make(ana_client)
    item = OwnItem.objects.get()
    make(ana_client, **{"from": f"own-{item.pk}", "name": "Younger Faithful"})
    assert sorted(OwnItem.objects.values_list("name", flat=True)) == ["Old Faithful", "Younger Faithful"]


def test_item_of_ones_own_is_changed(ana_client: Client) -> None:
    make(ana_client)
    item = OwnItem.objects.get()
    page = ana_client.get(f"/gear/own/{item.pk}/").content.decode()
    assert 'value="1d10+2"' in page
    answer = ana_client.post(f"/gear/own/{item.pk}/", {**RIFLE, "damage": "2d6", "do": "save"})
    item.refresh_from_db()
    assert (answer.status_code, item.record["damage"]) == (302, "2d6")
    assert ana_client.post(f"/gear/own/{item.pk}/", {**RIFLE, "damage": "?"}).status_code == 422
    item.refresh_from_db()
    assert item.record["damage"] == "2d6"


def test_item_of_ones_own_is_deleted(ana_client: Client) -> None:
    make(ana_client)
    answer = ana_client.post(f"/gear/own/{OwnItem.objects.get().pk}/", {"do": "delete"})
    assert answer["Location"] == "/gear/"
    assert not OwnItem.objects.exists()


def test_nobody_has_more_than_fit(ana: User, ana_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    make(ana_client)
    monkeypatch.setattr(item_service, "MAX_OWN", 1)
    answer = make(ana_client)
    assert answer.status_code == 422
    assert "delete one first" in answer.content.decode()
    assert OwnItem.objects.count() == 1


def test_saving_checks_what_no_form_has_seen(ana: User) -> None:
    with pytest.raises(Refused) as caught:
        item_service.save_own(ana, SYSTEM, "weapon", {"name": "x", "magic": True})
    assert "magic: is unknown here" in caught.value.message
    assert not OwnItem.objects.exists()


USES = [
    (slug, kind.key, use)
    for slug, system in ((slug, find_system(slug)) for slug in SYSTEMS)
    for kind in (system.book.catalogue.kinds if system.book.catalogue else ())
    for use in ([one.key for one in kind.uses] or [""])
]


@pytest.mark.slow
@pytest.mark.parametrize(("slug", "key", "use"), USES)
def test_each_use_of_each_kind_is_saved_as_what_it_is(
    ana_client: Client, slug: str, key: str, use: str
) -> None:
    """From an empty form, with the figures of a printed item of that use, typed by hand."""
    catalogue = sure(find_system(slug).book.catalogue)
    kind = sure(catalogue.find_kind(key))
    entries = [one for one in catalogue.find_entries() if one.kind == key and not one.record.get("rings")]
    printed = next(one for one in entries if kind.find_use(one.record) == use)
    fields = OwnItemForm(kind, printed.record).fields.items()
    typed = {
        name: one.initial
        for name, one in fields
        if one.initial not in (None, "") and one.initial is not False
    }
    sent = {**typed, "game": slug, "kind": key, "name": "Mine", "do": "another"}
    answer = ana_client.post(NEW, {**sent, "use": use} if use else sent)
    assert answer.status_code == 302, (printed.name, sent, [dict(answer.context["form"].errors)])
    assert answer["Location"] == f"{NEW}?game={slug}&kind={key}{f'&use={use}' if use else ''}"
    saved = OwnItem.objects.get()
    assert kind.find_use(saved.record) == use
    for column in kind.columns:
        was, now = (value_of(record, column.key) for record in (printed.record, saved.record))
        assert now == was or (was is None and now == column.plain) or not (now or was), column.key
    again = read(ana_client.get(answer["Location"]))
    assert "value" not in again.one("input", id="own-name").attrs, "the next one begins empty"
    if use:
        assert "checked" in again.one("input", id=f"use-{use}").attrs


@pytest.mark.parametrize(
    ("record", "radii", "grid"),
    [
        ({"radius_m": 4}, (4,), 1),
        ({"radius_m": 30}, (30,), 5),
        ({"rings": [{"to_m": 3.0}, {"to_m": 9.0}]}, (9, 3), 2),
        ({"radius_m": 0}, (), 0),
        ({"radius": "2d6"}, (), 0),
    ],
)
def test_blast_is_drawn_to_scale(record: dict[str, Any], radii: tuple[float, ...], grid: int) -> None:
    blast = draw_blast(record)
    assert (blast.radii, blast.grid) == (radii, grid) if blast else not radii
    if blast:
        assert blast.half > max(radii)
        assert (blast.lines[0], blast.lines[-1]) == (-blast.half, blast.half)


def test_card_draws_the_blast_while_it_is_typed(ana_client: Client) -> None:
    grenade = {
        "use": "blast",
        "radius_m": "4",
        "magazine": "1",
        "mode": "thrown",
        "do": "show",
        "equipment": "0",
    }
    page = read(make(ana_client, **grenade))
    assert [one["r"] for one in page.all("circle", inside=page.one("figure", class_="live-blast"))] == ["4.0"]
    assert not read(make(ana_client, do="show")).all("figure", class_="live-blast")
