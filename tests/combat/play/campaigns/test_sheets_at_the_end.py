"""At the end of a fight the GM updates several sheets at once: what is selected, as it was shown."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from characters.models import Character
from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, read_state, submit, undo
from combat.rules import find_system
from combat.rules.core.gm.loot import find_load
from combat.rules.core.state.state import Combatant
from tests.combat.evenings import make_evening, make_hero, prepare
from tests.combat.markup import Page
from tests.combat.visit import read
from tests.typed import Answer

HTMX = {"HX-Request": "true"}


@pytest.fixture
def over(gm: User) -> Encounter:
    """A fight of two characters who both lost 7 HP, with a thug out of it."""
    party = [make_hero(gm, name) for name in ("Zoe", "Ana")]
    made = prepare(make_evening(gm), "Dock 7", party, 1)
    submit(made.pk, Submission("start"))
    for one in everyone(made):
        submit(made.pk, Submission("adjust", {"target": one.id, "track": "hp", "by": -7 if one.pc else -500}))
    submit(made.pk, Submission("end_fight"))
    made.refresh_from_db()
    return made


def everyone(fight: Encounter) -> list[Combatant]:
    fight.refresh_from_db()
    return list(read_state(fight).combatants.values())


def open_list(client: Client, fight: Encounter) -> Page:
    return read(client.get(f"/encounters/{fight.pk}/home/?end", headers=HTMX))


def update(client: Client, fight: Encounter, fields: dict[str, object]) -> Answer:
    return client.post(f"/encounters/{fight.pk}/home/?end", fields, headers=HTMX)


def fields_of(page: Page) -> dict[str, object]:
    """What the form sends with all sheets selected."""
    found: dict[str, list[str]] = {}
    for box in page.all("input"):
        if box["name"] != "csrfmiddlewaretoken" and "disabled" not in box.attrs:
            found.setdefault(box["name"], []).append(box["value"])
    return dict(found)


def find_hp(name: str) -> object:
    """The HP that a sheet notes."""
    return Character.objects.get(name=name).sheet.get("tracks", {}).get("hp")


def test_all_sheets_are_updated_by_one_button(gm_client: Client, over: Encounter) -> None:
    assert (
        f'hx-get="/encounters/{over.pk}/home/?end"'
        in gm_client.get(f"/encounters/{over.pk}/").content.decode()
    )
    page = open_list(gm_client, over)
    assert [row.text for row in page.all("label")][:2] == ["Ana HP: 84 → 77", "Zoe HP: 84 → 77"]
    answer = update(gm_client, over, fields_of(page))
    assert "2 sheets updated." in answer.content.decode()
    assert (find_hp("Zoe"), find_hp("Ana")) == (77, 77)
    assert [row.text for row in open_list(gm_client, over).all("label")][:2] == [
        "Ana Up to date",
        "Zoe Up to date",
    ]


def test_sheet_that_is_not_selected_stays(gm_client: Client, over: Encounter) -> None:
    fields = fields_of(open_list(gm_client, over))
    zoe = Character.objects.get(name="Zoe").pk
    update(gm_client, over, {**fields, "sheet": [zoe]})
    assert (find_hp("Zoe"), find_hp("Ana")) == (77, None)


def test_nothing_is_written_where_one_sheet_is_refused(gm_client: Client, over: Encounter) -> None:
    fields = fields_of(open_list(gm_client, over))
    last = everyone(over)[1]
    submit(over.pk, Submission("adjust", {"target": last.id, "track": "hp", "by": -1}))
    answer = update(gm_client, over, fields)
    assert (answer.status_code, "changed: check" in answer.content.decode()) == (409, True)
    assert (find_hp("Zoe"), find_hp("Ana")) == (None, None)
    assert update(gm_client, over, {}).status_code == 422


def test_fight_is_closed_by_one_button_or_not_at_all(gm_client: Client, over: Encounter) -> None:
    zoe = next(one for one in everyone(over) if one.name == "Zoe")
    item = next(one for one in everyone(over) if not one.pc).items[0]
    fields = {**fields_of(open_list(gm_client, over)), "sheet": [Character.objects.get(name="Zoe").pk]}
    close, before = f"/encounters/{over.pk}/home/?close", len(zoe.items)
    refused = gm_client.post(close, {**fields, f"to.{item.id}": zoe.id, "to.gone": zoe.id}, headers=HTMX)
    assert (refused.status_code, find_hp("Zoe")) == (422, None)
    answer = gm_client.post(close, {**fields, f"to.{item.id}": zoe.id}, headers=HTMX)
    assert answer["HX-Redirect"] == f"/encounters/{over.pk}/report/"
    assert (find_hp("Zoe"), find_hp("Ana")) == (77, None)
    assert [len(one.items) for one in everyone(over) if one.id == zoe.id] == [before + 1]
    assert item.id in str(Character.objects.get(name="Zoe").sheet)
    again = gm_client.post(close, headers=HTMX)
    assert (again.status_code, "closed already" in again.content.decode()) == (409, True)
    undo(over.pk, by="gm")
    assert gm_client.post(close, headers=HTMX).status_code == 204
    assert find_hp("Ana") is not None, "pressed before the list of sheets has come: all are updated"


def test_closed_fight_leads_to_its_report_and_is_closed_no_more(gm_client: Client, over: Encounter) -> None:
    address, close = f"/encounters/{over.pk}/", f"/encounters/{over.pk}/home/?close"
    assert "Close the fight" in read(gm_client.get(address)).one(id="ending-ask").text
    gm_client.post(close, headers=HTMX)
    strip = read(gm_client.get(address)).one(id="ending-ask")
    assert strip.text == "The fight is closed Next: The vault of the Lantern Report"
    assert "Hand out loot" not in gm_client.get(f"{address}report/").content.decode()
    undo(over.pk, by="gm")
    assert "Close the fight" in read(gm_client.get(address)).one(id="ending-ask").text


def test_load_is_movable_items_and_any_weight_the_game_has(gm: User) -> None:
    for slug, weighs in (("cosmos", False), ("cepheus", True)):
        fight = prepare(make_evening(gm), "Dock", [make_hero(gm, f"Ana of {slug}", slug)], 0, slug)
        (ana,) = everyone(fight)
        count, weight = find_load(find_system(slug), ana)
        assert count
        assert (weight is not None) is weighs, slug
