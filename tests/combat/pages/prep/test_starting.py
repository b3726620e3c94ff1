"""A new encounter on one page: examples, the party, what is not understood, the forecast."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from characters.services.character_service import create
from combat.models import Encounter
from combat.pages.prep import starting
from combat.play.campaigns.campaigns import create_campaign
from combat.play.whatif import forecast_jobs, workers
from combat.play.writing.encounter_service import create_encounter
from combat.rules import find_system
from combat.rules.core.gm.bosses import find_boss
from combat.rules.core.space import find_zone
from combat.rules.core.state.state import decode, present
from tests.combat.pages.whatif.test_forecast_view import end, make_job
from tests.combat.rules.games import every_slug
from tests.combat.visit import SLUG, read, state_of


def test_new_encounter_is_made_in_one_step_and_keeps_unread_text(gm: User, gm_client: Client) -> None:
    said = {
        "name": "Dock",
        "system": SLUG,
        "notes": "2 pirates & co; 1 captain (allies)",
        "scene": "docking_bay",
    }
    found = gm_client.post("/encounters/new/", said)
    assert found["Location"].endswith("/prep/#people"), "no address has notes: histories and logs keep it"
    made = Encounter.objects.get(owner=gm)
    assert read(gm_client.get(f"/encounters/{made.pk}/prep/")).one("textarea", id="people-notes").text == "co"
    state = state_of(made.pk)
    assert state.scene.name == "Docking bay"
    assert [one.side for one in present(state)] == ["enemies", "enemies", "allies"]
    assert all(find_zone(state.scene, one.at) for one in present(state))


def test_new_encounter_page_tells_the_result_and_stores_nothing(gm: User, gm_client: Client) -> None:
    fresh = read(gm_client.get("/encounters/new/"))
    assert fresh.one("textarea", name="notes").text.startswith("4 ")
    assert fresh.one("button", class_="btn-large").text == "Create: 3 allies against 5 on Docking ring"
    asked = {"system": SLUG, "notes": "1 pirate; 2 soldiers (allies)", "scene": ""}
    page = read(gm_client.post("/encounters/new/?read=1", asked))
    assert page.one("button", class_="btn-large").text == "Create: 2 allies against 1"
    assert "1 enemy, 2 allies, all placed." in page.one("footer").text
    assert page.one("div", id="start-ask")["hx-post"] == "/encounters/new/?read=1", "notes are in no address"
    one_side = read(gm_client.post("/encounters/new/?read=1", {**asked, "notes": "1 pirate"}))
    assert one_side.one("button", class_="btn-large").text == "Create: 1 person"
    for address in ("/encounters/new/", f"/encounters/{create_encounter(gm, SLUG, 'x').pk}/prep/"):
        assert "1 pirate;" not in gm_client.get(address, asked).content.decode()
    assert read(gm_client.get("/encounters/new/", {"empty": "1"})).one("textarea", name="notes").text == ""
    Encounter.objects.all().delete()
    assert not Encounter.objects.filter(owner=gm).exists()


@pytest.mark.parametrize(
    ("notes", "says"),
    [
        ("4 pirates, the tallest has a sword", "1 question: choose above"),
        ("4 pirates, 3 qwrtzps", "1 line not understood: write above"),
    ],
)
def test_new_encounter_asks_for_a_choice_only_where_there_is_one(
    gm_client: Client, notes: str, says: str
) -> None:
    asked = {"system": SLUG, "notes": notes, "scene": ""}
    page = read(gm_client.post("/encounters/new/?read=1", asked))
    told = " ".join(page.one("footer").text.split())
    assert f"{says}, or the next page asks." in told


@every_slug
def test_fights_to_begin_with_are_understood_as_they_stand(gm_client: Client, slug: str) -> None:
    fights = starting.list_fights(find_system(slug))
    assert len({one.label for one in fights}) == len(fights) >= 1
    for number, one in enumerate(fights):
        answer = gm_client.post("/encounters/new/", {"system": slug, "do": f"example:{number}"})
        page = read(answer)
        assert page.one("input", name="name")["value"] == one.name
        assert page.one("textarea", name="notes").text == one.notes
        assert not page.all("ul", aria_label="Not understood"), one.notes
        assert "allies against" in page.one("button", class_="btn-large").text
        assert one.scene in answer.content.decode()


def test_buttons_of_a_new_encounter_only_change_filled_fields(gm: User, gm_client: Client) -> None:
    sheet = find_system(SLUG).book.find_blocks()["soldier"].sheet
    rook, jo = create(gm, SLUG, "Rook", sheet), create(gm, SLUG, "Jo", sheet)
    said = {"system": SLUG, "name": "My own", "notes": "2 pirates, 1 pirrrat captan", "scene": "bar"}
    issue = read(gm_client.post("/encounters/new/", {**said, "do": "read"})).one("button", value="use:0:0")
    assert issue.text == "Pirate captain instead of 1 pirrrat captan"
    used = read(gm_client.post("/encounters/new/", {**said, "do": "use:0:0"}))
    assert used.one("textarea", name="notes").text == "2 pirates, 1 Pirate captain"
    party = read(gm_client.post("/encounters/new/", {**said, "do": "all"}))
    assert {one["value"] for one in party.all("input", name="who", checked="")} == {str(rook.pk), str(jo.pk)}
    kept = read(gm_client.post("/encounters/new/", {**said, "do": "example:1"}))
    assert kept.one("input", name="name")["value"] == "My own"
    for gone in ("use:9:9", "use:x", "fly"):
        refused = gm_client.post("/encounters/new/", {**said, "do": gone})
        assert refused.status_code in (409, 422)
        assert "2 pirates, 1 pirrrat captan" in refused.content.decode()
    assert not Encounter.objects.filter(owner=gm).exists()


def test_chance_of_a_new_encounter_is_played_only_when_asked(
    gm_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[tuple[Any, ...]] = []

    def play(*job: Any) -> Future[Any]:
        begun.append(job)
        return Future()

    monkeypatch.setattr(workers, "submit", play)
    said = {"system": SLUG, "name": "Dock", "notes": "2 pirates; 2 soldiers (allies)", "scene": ""}
    assert (
        "Who would win?"
        in read(gm_client.post("/encounters/new/", {**said, "do": "read"})).one("footer").text
    )
    assert begun == []
    answer = gm_client.post("/encounters/new/", {**said, "do": "odds"}, headers={"HX-Request": "true"})
    assert "Playing the fight" in answer.content.decode()
    assert len(present(decode(begun[0][2]))) == 4
    named = {**said, "notes": "Vexa (boss), pirate; 2 soldiers (allies)", "do": "read"}
    assert "· boss" in read(gm_client.post("/encounters/new/", named)).one("div", id="start-read").text
    plan = starting.make_plan(None, find_system(SLUG), named["notes"], "", ())
    assert plan.state[find_boss(plan.state)].name == "Vexa"
    told = len(begun)
    gm_client.post("/encounters/new/", {**said, "do": "odds"})
    assert len(begun) == told, "it goes on"
    one_sided = gm_client.post("/encounters/new/", {**said, "notes": "2 pirates", "do": "read"})
    assert "Who would win?" not in one_sided.content.decode()


def test_party_is_tapped_and_a_new_encounter_is_of_its_campaign(gm: User, gm_client: Client) -> None:
    sheet = find_system(SLUG).book.find_blocks()["soldier"].sheet
    rook, campaign = create(gm, SLUG, "Rook", sheet), create_campaign(gm, "The long haul")
    other = create(User.objects.create(username="other"), SLUG, "Stranger", sheet)
    page = gm_client.get("/encounters/new/", {"system": SLUG}).content.decode()
    assert "Rook" in page
    assert "Stranger" not in page
    said = {"name": "Dock", "system": SLUG, "who": [str(rook.pk)], "campaign": str(campaign.pk)}
    assert gm_client.post("/encounters/new/", {**said, "who": [str(other.pk)]}).status_code == 422
    assert not Encounter.objects.filter(owner=gm).exists()
    assert gm_client.post("/encounters/new/", said).status_code == 303
    made = Encounter.objects.get(owner=gm)
    assert made.campaign == campaign
    assert [(one.name, one.pc) for one in present(state_of(made.pk))] == [("Rook", True)]


def test_campaigns_of_a_new_encounter_are_chips_while_few(gm: User, gm_client: Client) -> None:
    made = [create_campaign(gm, f"Campaign {number}") for number in range(7)]
    page = read(gm_client.get("/encounters/new/", {"campaign": made[3].pk}))
    chips = page.all("input", name="campaign")
    assert [chip["value"] for chip in chips if "checked" in chip.attrs] == [str(made[3].pk)]
    assert len(chips) == 8, "none, and each"
    while_asked = {"name": "Dock", "system": SLUG, "campaign": str(made[2].pk), "do": "read"}
    chips = read(gm_client.post("/encounters/new/", while_asked)).all("input", name="campaign")
    assert [chip["value"] for chip in chips if "checked" in chip.attrs] == [str(made[2].pk)]
    create_campaign(gm, "One more")
    page = read(gm_client.get("/encounters/new/", {"campaign": made[3].pk}))
    assert not page.all("input", name="campaign")
    listed = page.all("option", inside=page.one("select", name="campaign"))
    assert [one["value"] for one in listed if "selected" in one.attrs] == [str(made[3].pk)]
    assert len(listed) == 9


@pytest.mark.parametrize("slug", ["cosmos", "cepheus"])
def test_boss_of_the_notes_is_kept_and_prepare_changes_who_it_is(
    gm: User, gm_client: Client, monkeypatch: pytest.MonkeyPatch, slug: str
) -> None:
    """The forecast of *Prepare* names the end of whom the notes called the boss."""
    foe, friend = {"cosmos": ("pirate", "soldier"), "cepheus": ("gang enforcer", "infantry soldier")}[slug]
    notes = f"Vex (boss), {foe}; 2 {foe}s; 1 {friend} (allies)"
    said = {"name": "Dock", "system": slug, "notes": notes, "scene": ""}
    gm_client.post("/encounters/new/", said)
    made = Encounter.objects.get(owner=gm)
    prep = f"/encounters/{made.pk}/prep/"
    people = present(state_of(made.pk))
    (vex,) = [one.id for one in people if one.name == "Vex"]
    assert find_boss(state_of(made.pk)) == vex
    assert "boss" in read(gm_client.get(prep)).one("li", id=f"row-{vex}").text
    form = read(gm_client.get(prep, {"row": vex}))
    assert form.one("button", value="set_boss")["aria-pressed"] == "true"
    gm_client.post(prep, {"do": "set_boss", "targets": vex, "boss": "no"})
    assert find_boss(state_of(made.pk)) == ""
    gm_client.post(prep, {"do": "set_boss", "targets": vex, "boss": "yes"})
    assert find_boss(state_of(made.pk)) == vex
    wrong = gm_client.post(prep, {"do": "set_boss", "targets": [one.id for one in people], "boss": "yes"})
    assert wrong.status_code == 409
    assert find_boss(state_of(made.pk)) == vex
    job = make_job(*[end("crew", dropped=(vex,))] * 3)
    job.names[vex], job.side_of[vex] = "Vex", "pirates"
    job.stamp = Encounter.objects.get(pk=made.pk).stamp(is_gm=True)
    monkeypatch.setattr(forecast_jobs, "read_job", lambda place: job)
    assert "Vex goes down in 100%" in gm_client.get(prep).content.decode()
