"""Figures at the table: who may correct whose, what follows, and what nobody else learns."""

from __future__ import annotations

from typing import Any

import pytest

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit, undo
from combat.play.writing.verification import verify
from combat.rules.core.declaration.book import CORRECT_OWN
from combat.rules.core.state.state import replace
from tests.combat.cast import Cast
from tests.combat.visit import MARCUS, PIRATE, ZARA, combatant, load, read, refusal, state_of
from tests.typed import Answer

COMBAT = "skills.Combat"


def correct(cast: Cast, role: str, pk: int, who: str = PIRATE, **figures: Any) -> Answer:
    do = "correct" if role in ("gm", "co_gm") else "correct_own"
    data = {"do": do, "target": who, "row": "figures", **figures}
    return cast[role].post(f"/encounters/{pk}/", data, headers={"HX-Request": "true"})


def skill(pk: int, who: str = PIRATE, key: str = "Combat") -> int:
    return int(combatant(pk, who).sheet["skills"].get(key, 0))


def test_gm_corrects_a_figure_from_its_row_in_one_undoable_step(cast: Cast, started: Encounter) -> None:
    pk, old, steps = started.pk, skill(started.pk), load(started.pk).steps
    menu = read(cast.gm.get(f"/encounters/{pk}/")).one(id=f"menu-{PIRATE}").text
    assert "Figures…" in menu
    page = read(cast.gm.get(f"/encounters/{pk}/", {"combatant": PIRATE, "row": "figures"}))
    shown = page.one(id="row-window").text
    for words in ("Attributes", "Might", "Skills", "Combat", "HP at most", "For this fight"):
        assert words in shown, words
    before = state_of(pk)
    assert correct(cast, "gm", pk, PIRATE, **{COMBAT: old + 2}).status_code == 200
    assert skill(pk) == old + 2
    assert load(pk).steps == steps + 1
    log = read(cast.gm.get(f"/encounters/{pk}/")).one(id="log-lines").text
    assert f"Pirate corrected: Combat {old} → {old + 2}" in log
    form = read(cast.gm.get(f"/encounters/{pk}/", {"combatant": PIRATE, "row": "figures"})).one(
        id="row-window"
    )
    assert f"was {old}" in form.text
    verify(load(pk))
    undo(pk, by="gm")
    assert state_of(pk).combatants == before.combatants


def test_what_follows_is_said_before_it_is_done(cast: Cast, started: Encounter) -> None:
    pk, might = started.pk, combatant(started.pk, PIRATE).sheet["attributes"]["MIG"]
    fields = {"target": PIRATE, "attributes.MIG": might + 1}
    said = cast.gm.get(f"/encounters/{pk}/figures/", fields).content.decode()
    assert "Follows:" in said
    assert "HP" in said
    assert combatant(pk, PIRATE).sheet["attributes"]["MIG"] == might
    assert "Must be" not in said
    bad = cast.gm.get(f"/encounters/{pk}/figures/", {"target": PIRATE, "attributes.MIG": "99"})
    assert "Might is 1 to 10" in bad.content.decode()
    for role in ("player", "other", "watcher"):
        answer = cast[role].get(f"/encounters/{pk}/figures/", fields)
        assert "HP" not in read(answer).one("body").text


def test_species_is_corrected_and_the_form_links_to_conditions(cast: Cast, started: Encounter) -> None:
    pk, address = started.pk, {"combatant": PIRATE, "row": "figures"}
    page = read(cast.gm.get(f"/encounters/{pk}/", address))
    form = page.one(id="row-window")
    assert "The sheet has no number for speed" in form.text
    assert "Conditions: none Change…" in " ".join(form.text.split())
    links = [one["href"] for one in page.all("a") if one.text.strip() == "Change…"]
    assert f"?combatant={PIRATE}&row=condition" in links
    said = cast.gm.get(f"/encounters/{pk}/figures/", {"target": PIRATE, "chosen.species": "etherean"})
    assert "HP" in said.content.decode()
    assert correct(cast, "gm", pk, PIRATE, **{"chosen.species": "no such thing"}).status_code == 422
    assert correct(cast, "gm", pk, PIRATE, **{"chosen.species": "etherean"}).status_code == 200
    assert combatant(pk, PIRATE).sheet["species"] == "etherean"
    again = cast.gm.get(f"/encounters/{pk}/", address).content.decode()
    assert "was Terran" in again
    assert '<option value="etherean" selected>' in again
    verify(load(pk))
    submit(pk, Submission("set_option", {"key": CORRECT_OWN, "value": True}))
    own = cast.player.get(f"/encounters/{pk}/", {"combatant": ZARA, "row": "figures"})
    assert f"?combatant={ZARA}&amp;row=condition" not in own.content.decode(), "conditions are the GM's"


def test_traits_are_ticked_or_typed_and_what_follows_is_said(cast: Cast, started: Encounter) -> None:
    """Those of the sheet, with words of the table's own, and those of a weapon, by the same step."""
    pk, address = started.pk, {"combatant": PIRATE, "row": "figures"}
    weapon = next(item for item in combatant(pk, PIRATE).items if item.kind == "weapon" and item.loaded)
    traits = f"item.{weapon.id}.traits"
    shown = read(cast.gm.get(f"/encounters/{pk}/", address)).one(id="row-window").text
    for words in ("Trained for zero gravity", "Immune to", "Toxic air", "Accurate", "Two-handed"):
        assert words in shown, words
    fields = {"target": PIRATE, traits: ["accurate", ""]}
    said = cast.gm.get(f"/encounters/{pk}/figures/", fields).content.decode()
    assert f"{weapon.name} to hit" in said
    ticked: dict[str, Any] = {
        "traits.traits": ["zero-g", "calm, Old friend"],
        "traits.immune": ["", "toxic"],
        traits: ["", "accurate", "burst"],
    }
    steps, before = load(pk).steps, state_of(pk)
    assert correct(cast, "gm", pk, **ticked).status_code == 200
    one = combatant(pk, PIRATE)
    assert tuple(one.sheet["traits"]) == ("zero-g", "calm", "Old friend")
    assert tuple(one.sheet["immune"]) == ("toxic",)
    (mended,) = [item for item in one.items if item.id == weapon.id]
    assert set(mended.data["traits"]) == {"accurate", "burst"}
    assert load(pk).steps == steps + 1
    log = read(cast.gm.get(f"/encounters/{pk}/")).one(id="log-lines").text
    for words in ("Traits: with Trained for zero gravity, calm, Old friend", "Immune to: with Toxic air"):
        assert words in log, words
    form = read(cast.gm.get(f"/encounters/{pk}/", address)).one(id="row-window")
    assert "was none" in form.text
    assert 'value="calm, Old friend"' in cast.gm.get(f"/encounters/{pk}/", address).content.decode()
    assert correct(cast, "gm", pk, **ticked).status_code == 409, "the same once more is no correction"
    verify(load(pk))
    undo(pk, by="gm")
    assert state_of(pk).combatants == before.combatants


def test_a_refused_form_keeps_what_was_ticked(cast: Cast, started: Encounter) -> None:
    typed: dict[str, Any] = {"traits.immune": ["toxic", ""], COMBAT: "99"}
    answer = correct(cast, "gm", started.pk, **typed)
    assert answer.status_code == 422
    (box,) = [one for one in read(answer).all("input") if one["value"] == "toxic"]
    assert box["checked"] is not None


def test_of_two_corrections_at_once_the_second_is_refused(cast: Cast, started: Encounter) -> None:
    """Each from a form of the same state: a list that the first made longer is not overwritten."""
    pk = started.pk
    version = read(cast.gm.get(f"/encounters/{pk}/")).one(id="table")["data-version"]
    assert correct(cast, "gm", pk, version=version, **{"traits.traits": "calm"}).status_code == 200
    second = correct(cast, "gm", pk, version=version, **{"traits.traits": "quick"})
    assert second.status_code == 409
    assert tuple(combatant(pk, PIRATE).sheet["traits"]) == ("calm",)
    undo(pk, by="gm")
    late = correct(cast, "gm", pk, version=version, **{"traits.traits": "quick"})
    assert late.status_code == 409, "a form of before the undone step is outdated too"
    assert not combatant(pk, PIRATE).sheet["traits"]


def test_players_correct_their_own_where_the_table_allows_it(cast: Cast, started: Encounter) -> None:
    pk, old = started.pk, skill(started.pk, ZARA)
    address = f"/encounters/{pk}/"
    own = {"combatant": ZARA, "row": "figures"}
    assert "row=figures" not in cast.player.get(address).content.decode()
    assert "Attributes" not in cast.player.get(address, own).content.decode()
    assert correct(cast, "player", pk, ZARA, **{COMBAT: old + 1}).status_code == 409
    submit(pk, Submission("set_option", {"key": CORRECT_OWN, "value": True}))
    assert "row=figures" in cast.player.get(address).content.decode()
    assert "HP at most" in read(cast.player.get(address, own)).one(id="row-window").text
    for whose in (PIRATE, MARCUS):
        assert "HP at most" not in cast.player.get(address, {**own, "combatant": whose}).content.decode()
        assert correct(cast, "player", pk, whose, **{COMBAT: 9}).status_code == 409
    assert correct(cast, "player", pk, ZARA, **{COMBAT: old + 1}).status_code == 200
    assert skill(pk, ZARA) == old + 1
    told = read(cast.gm.get(address)).one(id="log-lines").text
    assert "Zara's player corrects Combat" in told
    assert "GM: Zara" not in told
    verify(load(pk))


def test_nobody_else_corrects_or_reads_figures(cast: Cast, started: Encounter) -> None:
    pk, steps = started.pk, load(started.pk).steps
    for role in ("player", "other", "watcher", "revoked", "stranger", "nobody"):
        for do in ("correct", "correct_own"):
            data = {"do": do, "target": PIRATE, COMBAT: 9}
            assert cast[role].post(f"/encounters/{pk}/", data).status_code >= 302, (role, do)
        answer = cast[role].get(f"/encounters/{pk}/", {"combatant": PIRATE, "row": "figures"})
        assert "HP at most" not in answer.content.decode(), role
    assert load(pk).steps == steps
    assert correct(cast, "co_gm", pk, PIRATE, **{COMBAT: 9}).status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize("of_sheet", [False, True])
def test_others_learn_nothing_of_a_correction(
    cast: Cast, started: Encounter, hidden: bool, of_sheet: bool
) -> None:
    """An NPC is corrected in one world and not in the other: players and spectators have the same pages.

    Of one whom they see, the odds of an attack follow from its figures as ever.
    """
    pk = started.pk
    figures = {"traits.traits": "calm"} if of_sheet else {COMBAT if hidden else "skills.Tech": 9}
    if hidden:
        submit(pk, Submission("hide", {"target": PIRATE, "hidden": True}))
    roles = ("player", "other", "watcher")
    before = {role: read(cast[role].get(f"/encounters/{pk}/")).one("main").text for role in roles}
    stamps = {
        role: read(cast[role].get(f"/encounters/{pk}/")).one(id="table")["data-version"] for role in roles
    }
    assert correct(cast, "gm", pk, PIRATE, **figures).status_code == 200
    for role in roles:
        page = read(cast[role].get(f"/encounters/{pk}/"))
        assert page.one("main").text == before[role], role
        assert page.one(id="table")["data-version"] == stamps[role], "their page has nothing to fetch"


BAD: tuple[dict[str, Any], ...] = (
    {},
    {COMBAT: "many"},
    {COMBAT: ""},
    {COMBAT: "99"},
    {COMBAT: "-1"},
    {"attributes.MIG": "0"},
    {"attributes.LUCK": "3"},
    {"health": "0x10"},
    {"health": "99999"},
    {"item.f9-9.damage": "3"},
    {"item..": "3"},
    {"traits.traits": "x" * 500},
    {"traits.traits": ",".join(map(str, range(100)))},
    {"traits.weapons": "lance"},
    {"traits.": "calm"},
    {"traits.immune": ["toxic", "no such word"]},
    {"item.f9-9.traits": "heavy"},
    {COMBAT: ["3", "4"]},
    {COMBAT: "9" * 5000},
    {"target": "f99", COMBAT: "3"},
    {"target": "f99", "traits.traits": "calm"},
    {"target": "", COMBAT: "3"},
)


def test_bad_figures_are_refused_and_stay_as_they_were_typed(cast: Cast, started: Encounter) -> None:
    pk, before = started.pk, state_of(started.pk)
    for fields in BAD:
        answer = correct(cast, "gm", pk, **fields)
        assert answer.status_code in (409, 422), fields
        assert refusal(answer), fields
    assert state_of(pk) == replace(before)
    assert cast.gm.get(f"/encounters/{pk}/", {"combatant": "f99", "row": "figures"}).status_code == 200
