"""Conditions of the GM's own on the table, and those that a campaign keeps."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.display.forms.own_conditions import NEW, view_form
from combat.models import Campaign, Encounter
from combat.play.after.imports import copy_encounter
from combat.play.campaigns.campaigns import create_in_campaign
from combat.play.campaigns.own_conditions import find_kept_conditions
from combat.play.writing.encounter_service import Submission, submit
from combat.rules import find_system
from tests.combat.cast import Cast
from tests.combat.markup import Page
from tests.combat.rules.games import every_slug
from tests.combat.visit import PIRATE, SLUG, refusal, state_of

FORM: dict[str, Any] = {
    "name": "Cursed",
    "sign": "mind",
    "change": ["attack", "defense", ""],
    "points": ["−2", "-1", ""],
    "effects": ["half_movement"],
    "turns": "3",
    "note": "Touched the idol.",
}
TOLD = "−2 Attack, −1 Defense, half movement. Touched the idol."


def send(client: Client, encounter: Encounter, do: str = "define_condition", **fields: Any) -> Any:
    return client.post(f"/encounters/{encounter.pk}/", {"do": do, **fields})


def open_form(client: Client, encounter: Encounter, more: str = "") -> Page:
    address = f"/encounters/{encounter.pk}/?combatant={PIRATE}&row=condition{more}"
    return Page(client.get(address).content.decode())


@pytest.fixture
def fight(gm: User, campaign: Campaign) -> Encounter:
    """An encounter of the campaign with two combatants: Bo is the second."""
    made = create_in_campaign(campaign, gm, SLUG, "The bay")
    for name in ("Ada", "Bo"):
        submit(made.pk, Submission("join", {"block": "street_thug", "name": name}))
    return made


def test_the_gm_makes_one_and_gives_it(cast: Cast, started: Encounter) -> None:
    gm_client = cast["gm"]
    assert send(gm_client, started, **FORM).status_code == 303
    (own,) = state_of(started.pk).all_own_conditions
    assert (own.changes, own.effects, own.turns) == ({"attack": -2, "defense": -1}, ("half_movement",), 3)
    page = open_form(gm_client, started)
    assert TOLD in page.one(id="own-conditions").text
    forms = [page.fields(form) for form in page.all("form", page.one(id="own-conditions"))]
    (give,) = [fields for fields in forms if fields.get("kind") == own.id]
    assert (give["target"], give["turns"]) == (PIRATE, "3")
    assert send(gm_client, started, "give_condition", **give).status_code == 303
    for role in ("player", "watcher"):
        shown = Page(cast[role].get(f"/encounters/{started.pk}/").content.decode()).one(id=f"chips-{PIRATE}")
        assert "Cursed" in shown.text
        assert TOLD in shown.text


def test_players_do_not_see_the_list(cast: Cast, started: Encounter) -> None:
    send(cast["gm"], started, **FORM)
    for role in ("player", "other", "watcher"):
        text = cast[role].get(f"/encounters/{started.pk}/?combatant={PIRATE}&row=condition").content.decode()
        log = cast[role].get(f"/encounters/{started.pk}/log/").content.decode()
        assert "Cursed" not in text + log


def test_form_has_a_line_for_each_number_where_a_game_has_few(gm_client: Client, fight: Encounter) -> None:
    """Those without points, or with 0, change nothing."""
    page = open_form(gm_client, fight)
    (fields,) = [page.fields(form) for form in page.all("form") if page.all(id="own-name", inside=form)]
    names = [field["value"] for field in page.all("input", name="change")]
    assert names == list(find_system(SLUG).characters.own_conditions.changes)
    assert not page.all("select", name="change")
    points = ["", "0", "−3", "", ""]
    sent = {"each": fields["each"], "name": "Slow", "change": names, "points": points}
    assert send(gm_client, fight, **sent).status_code == 303
    (own,) = state_of(fight.pk).all_own_conditions
    assert own.changes == {names[2]: -3}
    assert (
        send(gm_client, fight, **{**sent, "name": "Odd", "points": ["much", *points[1:]]}).status_code == 422
    )


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"change": ["attack"], "points": [""]}, "A change needs both"),
        ({"change": [""], "points": ["2"]}, "A change needs both"),
        ({"change": ["attack"], "points": ["much"]}, "A change needs both"),
        ({"change": ["attack", "attack"], "points": ["1", "1"]}, "Two lines"),
        ({"change": ["attack"], "points": ["11"]}, "−10 to +10"),
        ({"turns": "soon"}, "Enter turns"),
        ({"name": ""}, "A name has"),
        ({"name": "Prone"}, "The game has"),
    ],
)
def test_wrong_own_condition_is_refused_with_the_reason(
    gm_client: Client, fight: Encounter, wrong: dict[str, Any], told: str
) -> None:
    answer = send(gm_client, fight, **{**FORM, **wrong})
    assert answer.status_code == 422
    assert told in refusal(answer)
    assert state_of(fight.pk).all_own_conditions == ()


def test_own_condition_is_changed_deleted_and_undone(gm_client: Client, fight: Encounter) -> None:
    send(gm_client, fight, **FORM)
    page = open_form(gm_client, fight, "&own=" + state_of(fight.pk).all_own_conditions[0].id)
    assert page.one(id="own-name")["value"] == "Cursed"
    assert page.one(id="own-points-1")["value"] == "−2"
    own = state_of(fight.pk).all_own_conditions[0].id
    send(gm_client, fight, **{**FORM, "own": own, "name": "Blessed"})
    assert [one.name for one in state_of(fight.pk).all_own_conditions] == ["Blessed"]
    send(gm_client, fight, "drop_condition", own=own)
    assert state_of(fight.pk).all_own_conditions == ()
    send(gm_client, fight, "undo")
    assert [one.name for one in state_of(fight.pk).all_own_conditions] == ["Blessed"]


def test_a_campaign_keeps_it_for_its_encounters(
    gm_client: Client, gm: User, campaign: Campaign, fight: Encounter
) -> None:
    old = create_in_campaign(campaign, gm, SLUG, "Before")
    submit(old.pk, Submission("join", {"block": "street_thug", "count": 2}))
    send(gm_client, fight, **FORM)
    campaign.refresh_from_db()
    assert find_kept_conditions(campaign, SLUG) == []
    send(gm_client, fight, **{**FORM, "name": "Hexed", "keep": "yes"})
    campaign.refresh_from_db()
    assert [one.name for one in find_kept_conditions(campaign, SLUG)] == ["Hexed"]
    later = create_in_campaign(campaign, gm, SLUG, "Later")
    assert [one.name for one in state_of(later.pk).all_own_conditions] == ["Hexed"]
    assert "of The long haul" in open_form(gm_client, old).one(id="own-conditions").text
    assert send(gm_client, old, "take_own", own="Hexed").status_code == 303
    assert [one.name for one in state_of(old.pk).all_own_conditions] == ["Hexed"]
    assert "of The long haul" not in open_form(gm_client, old).one(id="own-conditions").text


def test_a_co_gm_cannot_change_the_campaign(cast: Cast, started: Encounter, campaign: Campaign) -> None:
    Encounter.objects.filter(pk=started.pk).update(campaign=campaign)
    send(cast["co_gm"], started, **{**FORM, "keep": "yes"})
    campaign.refresh_from_db()
    assert campaign.conditions == {}
    assert send(cast["co_gm"], started, "take_own", own="o1").status_code == 409


def test_the_page_of_a_campaign_keeps_changes_and_deletes(gm_client: Client, campaign: Campaign) -> None:
    here = f"/campaigns/{campaign.pk}/conditions/{SLUG}/"
    assert gm_client.post(here, FORM).status_code == 303
    assert TOLD in gm_client.get(here).content.decode()
    assert "1 own condition" in gm_client.get(f"/campaigns/{campaign.pk}/").content.decode()
    refused = gm_client.post(here, {**FORM, "own": "Cursed", "points": ["99"], "change": ["attack"]})
    page = Page(refused.content.decode())
    assert refused.status_code == 422
    assert page.one(id="own-points-1")["value"] == "99"
    gm_client.post(here, {**FORM, "own": "Cursed", "name": "Hexed"})
    campaign.refresh_from_db()
    assert [one.name for one in find_kept_conditions(campaign, SLUG)] == ["Hexed"]
    assert gm_client.post(here, {"do": "drop", "own": "Hexed"}).status_code == 303
    assert gm_client.post(here, {"do": "drop", "own": "Hexed"}).status_code == 409
    assert gm_client.get(f"/campaigns/{campaign.pk}/conditions/nothing/").status_code == 404


def test_the_page_of_a_campaign_never_replaces_another_one(gm_client: Client, campaign: Campaign) -> None:
    here = f"/campaigns/{campaign.pk}/conditions/{SLUG}/"
    for name in ("Cursed", "Hexed"):
        gm_client.post(here, {**FORM, "name": name})
    for fields in ({"name": "CURSED"}, {"name": " cursed ", "own": "Hexed"}):
        refused = gm_client.post(here, {**FORM, "note": "Anew.", **fields})
        assert refused.status_code == 422
        assert f"There is a condition {fields['name'].strip()} already: choose another name." in refusal(
            refused
        )
        assert Page(refused.content.decode()).one(id="own-note")["value"] == "Anew."
    campaign.refresh_from_db()
    kept = [(one.name, one.note) for one in find_kept_conditions(campaign, SLUG)]
    assert kept == [("Cursed", FORM["note"]), ("Hexed", FORM["note"])]
    assert gm_client.post(here, {**FORM, "name": "CURSED", "own": "Cursed"}).status_code == 303


def test_old_campaign_page_means_the_condition_that_it_shows(gm_client: Client, campaign: Campaign) -> None:
    here = f"/campaigns/{campaign.pk}/conditions/{SLUG}/"
    gm_client.post(here, {**FORM, "name": "Hexed by 100%"})
    page = Page(gm_client.get(here).content.decode())
    gm_client.post(here, {**FORM, "name": "Cursed"})  # in another tab: it stands above the other
    edited = page.one("a", class_="btn-quiet", inside=page.one("ul", class_="block-list"))["href"]
    form = Page(gm_client.get(here + edited.partition("#")[0]).content.decode())
    assert form.one(id="own-name")["value"] == "Hexed by 100%"
    gm_client.post(here, {"do": "drop", "own": page.one("input", name="own", value="Hexed by 100%")["value"]})
    campaign.refresh_from_db()
    assert [one.name for one in find_kept_conditions(campaign, SLUG)] == ["Cursed"]


def test_a_copy_of_an_encounter_has_them(gm_client: Client, gm: User, fight: Encounter) -> None:
    send(gm_client, fight, **FORM)
    copy = copy_encounter(fight, gm)
    assert state_of(copy.pk).all_own_conditions == state_of(fight.pk).all_own_conditions


@every_slug()
def test_the_form_offers_what_each_game_knows(slug: str) -> None:
    system = find_system(slug)
    form = view_form(system, (), NEW)
    assert dict(form.changes) == system.characters.own_conditions.changes
    assert len(form.lines) == (len(form.changes) if form.has_each else 3)
