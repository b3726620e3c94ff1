"""Rolling for who comes: a table of the campaign or a ready one, whose line becomes notes."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.models import Campaign, Encounter
from combat.pages.prep.who_comes import count_chances, draw_bars
from combat.play.campaigns.campaigns import create_campaign
from combat.play.campaigns.random_tables import read_table, save_table
from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.basics.errors import Refused
from tests.combat.visit import Visit, read


@pytest.mark.parametrize(("words", "notes"), [("4 thugs", "4 thugs"), ("nobody", ""), ("Nothing.", "")])
def test_line_that_comes_up_fills_the_notes_unless_it_is_nobody(
    room: Visit, gm: User, words: str, notes: str
) -> None:
    campaign = create_campaign(gm, "Rim")
    save_table(campaign, read_table("Streets", "1d6", f"1-6 {words}"))
    Encounter.objects.filter(pk=room.pk).update(campaign=campaign)
    sent = room.client.post(f"{room.here}prep/who/", {"table": "own:Streets"})
    assert sent["Location"] == f"{room.here}prep/who/?table=own%3AStreets#came"
    shown = read(room.client.get(f"{room.here}prep/who/?table=own:Streets"))
    came = shown.one(id="came")
    assert (words if notes else "Nobody") in came.text
    assert "sealed" in came.text
    first = shown.all("button", inside=came)[0]
    assert first["value"] == ("notes" if notes else "roll")
    sent = room.client.post(f"{room.here}prep/who/", {"table": "own:Streets", "do": "notes"})
    assert sent["Location"] == f"{room.here}prep/#people"
    assert read(room.client.get(f"{room.here}prep/")).one("textarea", id="people-notes").text == notes


def test_table_shows_ranges_chances_and_who_comes(room: Visit, gm: User) -> None:
    campaign = create_campaign(gm, "Rim")
    save_table(campaign, read_table("Docks", "2d6", "2-4 nobody\n5-11 2 thugs\n12 the night itself"))
    Encounter.objects.filter(pk=room.pk).update(campaign=campaign)
    shown = read(room.client.get(f"{room.here}prep/who/"))
    lines = shown.all("li", inside=shown.one(class_="who-lines"))
    told = [line.text for line in lines]
    assert told[0].startswith("2–4 17%")
    assert told[1].startswith("5–11 81%")
    assert told[2].startswith("12 2.8%")
    assert ["Club" in words for words in told] == [False, True, False]
    assert "no stat block has this name" in told[2]
    assert len(shown.all("rect", inside=shown.one(class_="who-chart"))) == 11


def test_chart_of_many_numbers_is_left_out() -> None:
    assert len(draw_bars("1d100", ())) == 100
    assert draw_bars("10d100", ()) == ()
    assert count_chances("2d6+1")[8] == pytest.approx(100 / 6)


def test_danger_of_a_line_is_measured_for_the_party_when_asked(room: Visit, gm: User) -> None:
    campaign = create_campaign(gm, "Rim")
    save_table(campaign, read_table("Docks", "1d6", "1-3 nobody\n4-6 2 thugs"))
    Encounter.objects.filter(pk=room.pk).update(campaign=campaign)
    submit(room.pk, Submission("join", {"block": "pirate", "side": "crew", "pc": True}))
    shown = read(room.client.get(f"{room.here}prep/who/"))
    assert [one["value"] for one in shown.all("button", name="do")] == ["roll", "measure"]
    ask = {"table": "own:Docks", "do": "measure"}
    found = read(room.client.post(f"{room.here}prep/who/", ask, headers={"HX-Request": "true"}))
    assert not found.all("html")
    assert [one.text for one in found.all(class_="danger")] != []


def test_without_a_party_nothing_is_measured_or_asked_again(room: Visit, gm: User) -> None:
    campaign = create_campaign(gm, "Rim")
    save_table(campaign, read_table("Docks", "1d6", "1-6 2 thugs"))
    Encounter.objects.filter(pk=room.pk).update(campaign=campaign)
    ask = {"table": "own:Docks", "do": "measure"}
    found = read(room.client.post(f"{room.here}prep/who/", ask, headers={"HX-Request": "true"}))
    assert not found.one(id="who")["hx-post"]
    assert [one["value"] for one in found.all("button", name="do")] == ["roll"]


def test_players_see_no_table(room: Visit) -> None:
    assert Client().get(f"{room.here}prep/who/").status_code in (302, 404)


def test_lines_show_the_table_they_make_while_typed(gm: User, gm_client: Client) -> None:
    campaign = create_campaign(gm, "Rim")
    here = f"/campaigns/{campaign.pk}/tables/"
    typed = {"name": "Docks", "dice": "1d6", "lines": "1-2 nobody\n3-6 <b>2 thugs"}
    part = gm_client.get(here, typed, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part
    assert "33%" in part
    assert "&lt;b&gt;2 thugs" in part
    wrong = gm_client.get(here, {**typed, "lines": "1-2 nobody"}, headers={"HX-Request": "true"})
    assert "3 to 6 have no line" in wrong.content.decode()
    page = read(gm_client.get(f"{here}?ready=Station"))
    assert "The table it makes" in page.one(id="who-made").text
    assert page.one("input", name="name")["value"] == "Station"
    assert "For example" in read(gm_client.get(here)).one(id="who-made").text


@pytest.mark.parametrize("table", ["", "own:Streets", "ready:Streets", "other:x"])
def test_table_that_is_not_there_is_refused(room: Visit, table: str) -> None:
    sent = room.client.post(f"{room.here}prep/who/", {"table": table})
    assert sent.status_code == 422
    assert "Choose a table: that one is not here." in sent.content.decode()


def test_table_of_two_dice_as_tens_and_ones_has_no_gap(campaign: Campaign) -> None:
    rows = "11-36 nobody\n41-65 2 thugs\n66 the night itself"
    table = read_table("Night", "d66", rows)
    assert (table.dice, len(table.rows)) == ("d66", 3)
    assert count_chances("d66")[66] == pytest.approx(100 / 36)
    for wrong, says in (
        ("11-36 nobody\n42-66 x", "41 has no line"),
        ("11-20 nobody\n21-66 x", "11–20 cannot all come up"),
        ("11-36 nobody\n36-66 x", "36 has two lines"),
    ):
        with pytest.raises(Refused, match=says):
            read_table("Night", "d66", wrong)
    assert read_table("Kept", "3d6kh2", "2-7 nobody\n8-12 x").rows
