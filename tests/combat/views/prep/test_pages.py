"""The other pages: the list of encounters, the log and its export."""

from __future__ import annotations

import json
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from combat.models import Encounter, Seat, ShareLink
from combat.play.demo import make_demo_fight
from combat.play.writing.encounter_service import Submission, create_encounter, read_history, submit
from combat.rules import SYSTEMS, find_system
from combat.rules.core.engine.document import read_document, replay, write_document
from tests.combat.cast import Cast
from tests.combat.rules.games import every_slug
from tests.combat.visit import DEMO, SLUG, Visit, read, refusal

# ---- Demo fights ----


def test_demo_is_opened_by_its_button(gm: User, gm_client: Client) -> None:
    found = gm_client.post("/encounters/", {"demo": SLUG})
    made = Encounter.objects.get(owner=gm)
    assert found.status_code == 303
    assert found["Location"] == f"/encounters/{made.pk}/"
    assert made.demo
    assert made.combatants == 3


def test_demo_that_is_there_is_opened_again(gm: User, gm_client: Client) -> None:
    first = gm_client.post("/encounters/", {"demo": SLUG})["Location"]
    other = User.objects.create_user("another")
    make_demo_fight(other, SLUG)
    assert gm_client.post("/encounters/", {"demo": SLUG})["Location"] == first
    assert Encounter.objects.filter(owner=gm).count() == 1
    Encounter.objects.filter(owner=gm).update(archived=True)
    assert gm_client.post("/encounters/", {"demo": SLUG})["Location"] != first


def test_every_further_demo_is_opened_by_its_own_button(gm: User, gm_client: Client) -> None:
    for slug in SYSTEMS:
        for number, demo in enumerate(find_system(slug).demo.make_all()):
            value = f"{slug}/{number}" if number else slug
            there = [gm_client.post("/encounters/", {"demo": value})["Location"] for _ in range(2)]
            made = Encounter.objects.order_by("-pk")[0]
            assert there == [f"/encounters/{made.pk}/"] * 2
            assert (made.system, made.name, made.demo) == (slug, demo.name, True)


def test_demo_that_is_under_way_is_opened_fresh_any_number_of_times(gm: User, gm_client: Client) -> None:
    assert not read(gm_client.get("/")).all("button", name="fresh")
    there = [gm_client.post("/encounters/", {"demo": SLUG})["Location"]]
    for _ in range(2):
        submit(Encounter.objects.latest("pk").pk, Submission("start", {}))
        (button,) = read(gm_client.get("/")).all("button", name="fresh")
        there.append(gm_client.post("/encounters/", {"fresh": button["value"]})["Location"])
        made = Encounter.objects.latest("pk")
        assert (there[-1], made.phase, made.demo) == (f"/encounters/{made.pk}/", "prep", True)
    assert len(set(there)) == 3
    assert gm_client.post("/encounters/", {"demo": SLUG})["Location"] == there[-1]
    assert gm_client.post("/encounters/", {"fresh": "chess"}).status_code == 404


# ---- The list ----


def test_co_gm_finds_the_encounters_that_they_run_too(cast: Cast, started: Encounter) -> None:
    """Until their seat ends; nobody else's list has it."""
    helper = User.objects.create_user("helper")
    client = Client()
    client.force_login(helper)
    page = read(client.get("/encounters/"))
    assert started.name not in page.one("main").text
    seat = Seat.objects.create(
        encounter=started, user=helper, name="Ada", kind=ShareLink.PLAY, digest="d" * 64
    )
    assert started.name not in read(client.get("/encounters/")).one("main").text
    Seat.objects.filter(pk=seat.pk).update(kind=ShareLink.CO_GM)
    page = read(client.get("/encounters/"))
    assert started.name in page.one("table").text
    assert "you are co-GM" in page.one("table").text
    assert client.get(f"/encounters/{started.pk}/prep/").status_code == 200
    assert "you are co-GM" not in read(cast.gm.get("/encounters/")).one("table").text
    Seat.objects.filter(pk=seat.pk).update(ended=timezone.now())
    assert started.name not in read(client.get("/encounters/")).one("main").text


def test_list_without_encounters_says_what_to_do(gm_client: Client) -> None:
    page = read(gm_client.get("/encounters/"))
    assert "No encounters yet" in page.one("main").text
    assert page.one(id="new")
    page = read(gm_client.get("/encounters/?show=archived"))
    assert "No archived encounters" in page.one("main").text
    assert not page.all(id="new")


def test_45_encounters_take_three_pages(gm: User, gm_client: Client) -> None:
    for number in range(45):
        create_encounter(gm, SLUG, f"Fight {number:02}")
    seen: list[str] = []
    for number, count in ((1, 20), (2, 20), (3, 5)):
        page = read(gm_client.get("/encounters/", {"page": number}))
        names = list(dict.fromkeys(re.findall(r"Fight \d\d", page.one("tbody").text)))
        assert len(names) == count
        assert page.one("span", aria_current="page").text == str(number)
        seen += names
    assert sorted(seen, reverse=True) == seen
    assert len(set(seen)) == 45
    for strange in ("0", "99", "x", "-1", "²", "9" * 30):
        assert gm_client.get("/encounters/", {"page": strange}).status_code == 200


def test_pages_of_the_archive_stay_in_the_archive(gm: User, gm_client: Client) -> None:
    for number in range(25):
        create_encounter(gm, SLUG, f"Fight {number:02}")
    Encounter.objects.update(archived=True)
    page = read(gm_client.get("/encounters/?show=archived"))
    assert page.all("a", href="?show=archived&page=2")
    second = read(gm_client.get("/encounters/?show=archived&page=2"))
    assert len(second.all("td", data_label="Combatants")) == 5
    assert "No encounters yet" in read(gm_client.get("/encounters/")).one("main").text


def test_new_encounter_is_of_the_game_played_last_whatever_demos_there_are(
    gm: User, gm_client: Client
) -> None:
    create_encounter(gm, "starshock", "Cargo bay")
    make_demo_fight(gm, SLUG)
    page = read(gm_client.get("/encounters/"))
    chosen = [
        o for o in page.all("option", inside=page.one("select", name="system")) if "selected" in o.attrs
    ]
    assert [option["value"] for option in chosen] == ["starshock"]


def test_encounters_are_found_by_words_of_their_names(gm: User, gm_client: Client) -> None:
    for number in range(25):
        create_encounter(gm, SLUG, f"Bay {number:02}")
    create_encounter(gm, "starshock", "Cargo bay <7>")
    assert not read(gm_client.get("/encounters/?show=archived")).all(id="q")
    found = read(gm_client.get("/encounters/", {"q": "BAY cargo"}))
    assert found.one("tbody").text.startswith("Cargo bay <7> Star Shock in preparation")
    assert len(found.all("td", data_label="Combatants")) == 1
    pages = read(gm_client.get("/encounters/", {"q": "bay"}))
    assert pages.all("a", href="?q=bay&page=2")
    assert "Try a shorter word" in read(gm_client.get("/encounters/", {"q": "<b>"})).one("main").text


def test_list_shows_the_phase_and_leads_to_the_right_page(
    gm: User, gm_client: Client, started: Encounter
) -> None:
    ready = create_encounter(gm, SLUG, "Not yet")
    rows = {row.text.split(" ")[0]: row for row in read(gm_client.get("/encounters/")).all("tr")[1:]}
    assert "in preparation" in rows["Not"].text
    assert "round 1" in rows["Docking"].text
    page = read(gm_client.get("/encounters/"))
    assert page.all("a", href=f"/encounters/{ready.pk}/prep/")
    assert page.all("a", href=f"/encounters/{started.pk}/")


def test_new_encounter_leads_to_its_preparation(gm: User, gm_client: Client) -> None:
    found = gm_client.post("/encounters/", {"name": "  Reactor   leak ", "system": SLUG})
    made = Encounter.objects.get(owner=gm)
    assert (found.status_code, found["Location"]) == (303, f"/encounters/{made.pk}/prep/")
    assert (made.name, made.system, made.phase, made.demo) == ("Reactor leak", SLUG, "prep", False)


def test_new_encounter_that_is_refused_keeps_what_was_typed(gm_client: Client) -> None:
    found = gm_client.post("/encounters/", {"name": "Reactor leak", "system": "chess"})
    assert found.status_code == 422
    assert read(found).one("input", name="name")["value"] == "Reactor leak"
    assert "chess" in found.content.decode()


# ---- The log ----


def test_log_of_a_new_encounter_is_empty(room: Visit) -> None:
    page = read(room.get("log/"))
    assert "Nothing yet." in page.one("main").text
    assert "All 0 steps match" in read(room.get("log/", verify="")).one("main").text


def test_log_tells_everything_oldest_first(gm_client: Client, over: Encounter) -> None:
    text = ""
    page = read(gm_client.get(f"/encounters/{over.pk}/log/"))
    for _ in range(20):
        text += page.one("ol", class_="log").text
        newer = [a["href"] for a in page.all("a") if a.text == "Newer"]
        if not newer:
            break
        page = read(gm_client.get(f"/encounters/{over.pk}/log/{newer[0]}"))
    assert text.index("The fight begins") < text.index("Round 2") < text.index("The fight is over")
    assert text.count("attacks Pirate") >= 5


def test_pages_of_a_long_log_hold_every_step_once(gm_client: Client, room: Visit) -> None:
    for number in range(120):
        submit(room.pk, Submission("note", {"text": f"Note {number:03}."}))
    seen: list[str] = []
    address = f"{room.here}log/"
    for _ in range(10):
        page = read(gm_client.get(address))
        seen += re.findall(r"Note \d\d\d", page.one("ol", class_="log").text)
        newer = [a["href"] for a in page.all("a") if a.text == "Newer"]
        if not newer:
            break
        address = f"{room.here}log/{newer[0]}"
    assert seen == [f"Note {number:03}" for number in range(120)]


@pytest.mark.slow
def test_step_by_step_shows_the_fight_as_it_was(gm_client: Client, over: Encounter) -> None:
    address = f"/encounters/{over.pk}/log/"
    last = over.steps
    first_shot = len(DEMO.setup) + 2
    page = read(gm_client.get(address, {"step": first_shot}))
    replay_card = page.one("nav", aria_label="Replay")
    assert f"Step {first_shot} of {last}, round 1" in replay_card.text
    rows = page.all("li", class_="row", inside=replay_card)
    assert ["Zara" in rows[0].text, "Pirate" in rows[1].text, "Marcus" in rows[2].text] == [True] * 3
    assert "72 / 80" in rows[1].text
    links = {a.text: a["href"] for a in page.all("a", inside=replay_card)}
    assert links == {
        "First": "?step=0#replay",
        "Back": f"?step={first_shot - 1}#replay",
        "Forward": f"?step={first_shot + 1}#replay",
        "Last": f"?step={last}#replay",
    }
    start = read(gm_client.get(address, {"step": 0})).one("nav", aria_label="Replay")
    assert "Step 0 of" in start.text
    assert "Back" not in start.text
    end = read(gm_client.get(address, {"step": last})).one("nav", aria_label="Replay")
    assert "Forward" not in end.text
    assert not read(gm_client.get(address, {"step": last + 1})).all("nav", aria_label="Replay")
    for step in range(last + 1):
        assert gm_client.get(address, {"step": step}).status_code == 200


def test_log_is_verified_by_replay(gm_client: Client, over: Encounter) -> None:
    found = gm_client.get(f"/encounters/{over.pk}/log/?verify")
    assert (
        f"Verified All {over.steps} steps match when played again."
        in read(found).one("header", class_="page-head").text
    )
    row = over.log.get(number=len(DEMO.setup) + 2)
    row.record = bytes(row.record).replace(b'"new":72', b'"new":71')
    row.save()
    said = refusal(gm_client.get(f"/encounters/{over.pk}/log/?verify"))
    assert said.startswith(f"Step {row.number} does not match when played again: attack")


def test_export_is_the_whole_fight_as_a_file(gm_client: Client, over: Encounter) -> None:
    found = gm_client.get(f"/encounters/{over.pk}/export/")
    assert found["Content-Type"] == "application/json"
    assert (
        found["Content-Disposition"] == 'attachment; filename="docking-bay-7-the-quick-combat-example.json"'
    )
    assert found.content == write_document(read_history(over))
    assert replay(read_document(found.content), find_system).ok
    data = json.loads(found.content)
    assert {"format", "version", "system", "options", "scene", "combatants", "steps"} <= set(data)
    Encounter.objects.filter(pk=over.pk).update(name='“№” "; x')
    assert gm_client.get(f"/encounters/{over.pk}/export/")["Content-Disposition"].endswith('.json"')


@every_slug
def test_pages_about_a_fight_have_the_colour_of_its_game(gm: User, gm_client: Client, slug: str) -> None:
    """One accent for each game, at the table and around it."""
    here, accent = f"/encounters/{create_encounter(gm, slug, 'Dock').pk}/", find_system(slug).look.accent
    places = ["prep", "scene", "log", "report", "dice", "forecast", "share", "whatif", "home", "handouts"]
    for address in (
        here,
        *(f"{here}{place}/" for place in places),
        f"/rules/{slug}/",
        f"/characters/new/?game={slug}",
    ):
        assert f"accent-{accent}" in read(gm_client.get(address)).one("body")["class"].split(), address
