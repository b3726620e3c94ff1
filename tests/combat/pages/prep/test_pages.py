"""The other pages: the list of encounters, the log and its export."""

from __future__ import annotations

import json
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from combat.models import Encounter, Seat, ShareLink
from combat.play.campaigns.campaigns import create_campaign, create_in_campaign
from combat.play.demo import make_demo_fight
from combat.play.writing.encounter_service import Submission, create_encounter, read_history, submit
from combat.rules import SYSTEMS, find_system
from combat.rules.core.engine.document import read_document, replay, write_document
from tests.combat.cast import Cast
from tests.combat.rules.games import every_slug
from tests.combat.visit import DEMO, SLUG, ZARA, Visit, read, refusal

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


@pytest.mark.slow
def test_every_further_demo_is_opened_by_its_own_button(gm: User, gm_client: Client) -> None:
    for slug in SYSTEMS:
        for number, demo in enumerate(find_system(slug).demo.make_all()):
            value = f"{slug}/{number}" if number else slug
            there = [gm_client.post("/encounters/", {"demo": value})["Location"] for _ in range(2)]
            made = Encounter.objects.order_by("-pk")[0]
            assert there == [f"/encounters/{made.pk}/"] * 2
            assert (made.system, made.name, made.demo) == (slug, demo.name, True)


@pytest.mark.slow
def test_demo_under_way_is_opened_fresh_any_number_of_times(gm: User, gm_client: Client) -> None:
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


@pytest.mark.slow
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
    assert started.name in page.one("main").text
    other = Encounter.objects.create(
        owner=started.owner, system=SLUG, name="Next", start=started.start, state=started.start
    )
    Seat.objects.create(encounter=other, user=helper, name="Ada", kind=ShareLink.CO_GM, digest="e" * 64)
    assert "you are co-GM" in read(client.get("/encounters/")).one("li", class_="enc").text
    assert client.get(f"/encounters/{started.pk}/prep/").status_code == 200
    assert "you are co-GM" not in read(cast.gm.get("/encounters/")).one("main").text
    Seat.objects.filter(pk=seat.pk).update(ended=timezone.now())
    assert started.name not in read(client.get("/encounters/")).one("main").text


def test_list_without_encounters_says_what_to_do(gm_client: Client) -> None:
    page = read(gm_client.get("/encounters/"))
    assert "No encounters yet" in page.one("main").text
    assert page.all("a", class_="btn-primary", href="/encounters/new/")
    page = read(gm_client.get("/encounters/?show=archived"))
    assert "No archived encounters" in page.one("main").text
    page = read(gm_client.get("/encounters/", {"game": "cepheus"}))
    assert "No encounter fits all of these filters." in page.one("main").text


@pytest.mark.slow
def test_30_encounters_take_three_pages(gm: User, gm_client: Client) -> None:
    for number in range(30):
        create_encounter(gm, SLUG, f"Fight {number:02}")
    seen: list[str] = []
    for number, count in ((1, 12), (2, 12), (3, 6)):
        page = read(gm_client.get("/encounters/", {"page": number}))
        names = list(dict.fromkeys(re.findall(r"Fight \d\d", page.one("ol", class_="list").text)))
        assert len(names) == count
        assert page.one("span", aria_current="page").text == str(number)
        seen += names
    assert sorted(seen, reverse=True) == seen
    assert len(set(seen)) == 30
    for strange in ("0", "99", "x", "-1", "²", "9" * 30):
        assert gm_client.get("/encounters/", {"page": strange}).status_code == 200


def test_pages_of_the_archive_stay_in_the_archive(gm: User, gm_client: Client) -> None:
    for number in range(25):
        create_encounter(gm, SLUG, f"Fight {number:02}")
    Encounter.objects.update(archived=True)
    page = read(gm_client.get("/encounters/?show=archived"))
    assert page.all("a", href="?show=archived&page=2")
    second = read(gm_client.get("/encounters/?show=archived&page=2"))
    assert len(second.all("li", class_="enc")) == 12
    assert "No encounters yet" in read(gm_client.get("/encounters/")).one("main").text


def test_new_encounter_is_of_the_last_played_game_despite_demos(gm: User, gm_client: Client) -> None:
    create_encounter(gm, "starshock", "Cargo bay")
    make_demo_fight(gm, SLUG)
    page = read(gm_client.get("/encounters/new/"))
    assert page.one("input", name="system")["value"] == "starshock"


def test_encounters_are_found_by_words_of_their_names(gm: User, gm_client: Client) -> None:
    for number in range(25):
        create_encounter(gm, SLUG, f"Bay {number:02}")
    create_encounter(gm, "starshock", "Cargo bay <7>")
    found = read(gm_client.get("/encounters/", {"q": "BAY cargo"}))
    (row,) = found.all("li", class_="enc")
    assert row.text.startswith("Cargo bay <7> Star Shock Preparing")
    pages = read(gm_client.get("/encounters/", {"q": "bay"}))
    assert pages.all("a", href="?q=bay&page=2")
    assert "Try a shorter word" in read(gm_client.get("/encounters/", {"q": "<b>"})).one("main").text


def test_list_shows_the_state_and_the_verb_that_fits(gm: User, gm_client: Client, started: Encounter) -> None:
    made = create_encounter(gm, SLUG, "Not yet")
    ready, over = make_demo_fight(gm, SLUG), make_demo_fight(gm, SLUG)
    Encounter.objects.filter(pk=over.pk).update(phase="over", round=3)
    page = read(gm_client.get("/encounters/"))
    live = page.one("section", class_="list-live")
    assert "Round 1" in live.text
    assert page.one("a", inside=live, class_="btn")["href"] == f"/encounters/{started.pk}/"
    rows = page.all("li", class_="enc")
    told = {
        page.one("a", inside=row, class_="btn")["href"]: page.one("p", inside=row, class_="enc-state").text
        for row in rows
    }
    assert told == {
        f"/encounters/{made.pk}/prep/": "Preparing nobody yet",
        f"/encounters/{ready.pk}/": "Ready 2 against 1",
        f"/encounters/{over.pk}/report/": "Finished 3 rounds",
    }
    assert len(page.all("svg", inside=rows[0], class_="picture")) == 1
    assert "Log" in page.one("details", inside=rows[0]).text, "a fight that ended has a log"
    menus = {page.one("a", inside=row, class_="btn")["href"]: page.one("details", inside=row) for row in rows}
    items = page.all("a", inside=menus[f"/encounters/{ready.pk}/"], class_="item")
    assert items[0]["href"].endswith("/prep/"), "what is ready can still be prepared"
    assert "Table" not in [item.text for item in items]


@pytest.mark.slow
def test_list_is_filtered_by_state_game_campaign_and_tag(gm: User, gm_client: Client) -> None:
    folder = create_campaign(gm, "Lock and Key")
    dock = create_in_campaign(folder, gm, SLUG, "Dock")
    bay = create_encounter(gm, "starshock", "Bay")
    Encounter.objects.filter(pk=bay.pk).update(tags=",city,rain,", phase="over")

    def found(**asked: str) -> list[str]:
        return [
            row.text.split()[0] for row in read(gm_client.get("/encounters/", asked)).all("li", class_="enc")
        ]

    assert found() == ["Bay", "Dock"]
    assert found(state="over") == found(game="starshock") == found(tag="rain") == found(q="CITY") == ["Bay"]
    assert found(state="prep") == found(campaign=str(folder.pk)) == found(q="key dock") == ["Dock"]
    assert found(state="running") == found(tag="rai") == found(campaign="99") == []
    assert found(campaign="9" * 25) == found()
    assert found(state="x", game="chess", campaign="²") == ["Bay", "Dock"], (
        "words that name nothing are blank"
    )
    page = read(gm_client.get("/encounters/", {"game": "starshock"}))
    filters = page.one("nav", aria_label="Filters")
    links = {a.text: a["href"] for a in page.all("a", inside=filters)}
    assert links["Star Shock 1"] == "?", "pressed again, a filter goes away"
    assert links["rain 1"] == "?game=starshock&tag=rain"
    part = gm_client.get("/encounters/", {"q": "bay"}, headers={"HX-Request": "true"}).content.decode()
    assert bay.name in part
    assert dock.name not in part
    assert "<html" not in part, "a script gets the list alone"


def test_list_stays_as_pictures_once_it_was_chosen(gm: User, gm_client: Client) -> None:
    create_encounter(gm, SLUG, "Dock")
    create_encounter(gm, SLUG, "Dock again")
    page = read(gm_client.get("/encounters/?q=dock"))
    assert page.one("ol", class_="list")["class"] == "list is-list"
    pictures = page.one("nav", class_="list-look")
    assert [link["href"] for link in page.all("a", inside=pictures)] == [
        "?q=dock&look=list",
        "?q=dock&look=pictures",
    ]
    gm_client.get("/encounters/?q=dock&look=pictures")
    for asked in ("", "?look=sideways"):
        page = read(gm_client.get(f"/encounters/{asked}"))
        assert page.one("ol", class_="list")["class"] == "list is-pictures"
        assert (
            page.one("a", aria_current="true", inside=page.one("nav", class_="list-look")).text == "Pictures"
        )
    gm_client.get("/encounters/?look=list")
    assert read(gm_client.get("/encounters/")).one("ol", class_="list")["class"] == "list is-list"


def test_encounter_is_found_by_who_fights_and_who_plays(gm: User, gm_client: Client) -> None:
    fight = make_demo_fight(gm, SLUG)
    Seat.objects.create(encounter=fight, name="Pia", kind=ShareLink.PLAY, digest="d" * 64)
    for word in ("zara", "Pirate", "Docking", "pia"):
        assert read(gm_client.get("/encounters/", {"q": word})).all(
            "a", href=f"/encounters/{fight.pk}/prep/"
        ), word
    submit(fight.pk, Submission("remove", {"target": ZARA}))
    assert not read(gm_client.get("/encounters/", {"q": "zara"})).all(
        "a", href=f"/encounters/{fight.pk}/prep/"
    )


@pytest.mark.slow
def test_tags_are_words_that_the_owner_types(gm: User, gm_client: Client) -> None:
    made = create_encounter(gm, SLUG, "Dock")
    here = f"/encounters/{made.pk}/prep/"
    assert (
        gm_client.post(
            here, {"do": "name", "name": "Dock", "tags": " Rain, boarding  party,rain,,"}
        ).status_code
        == 303
    )
    made.refresh_from_db()
    assert made.tag_list == ["boarding party", "rain"]
    assert read(gm_client.get(here)).one("input", name="tags")["value"] == "boarding party, rain"
    for wrong in ("x" * 25, ",".join("abcdefghi")):
        refused = gm_client.post(here, {"do": "name", "name": "Dock", "tags": wrong})
        assert "Up to 8 tags of 24 characters" in refused.content.decode()
    gm_client.post(here, {"do": "copy"})
    assert Encounter.objects.latest("pk").tag_list == ["boarding party", "rain"]
    gm_client.post(here, {"do": "name", "name": "Dock", "tags": ""})
    made.refresh_from_db()
    assert made.tag_list == []


def test_new_encounter_leads_to_its_preparation(gm: User, gm_client: Client) -> None:
    found = gm_client.post("/encounters/new/", {"name": "  Reactor   leak ", "system": SLUG})
    made = Encounter.objects.get(owner=gm)
    assert (found.status_code, found["Location"]) == (303, f"/encounters/{made.pk}/prep/")
    assert (made.name, made.system, made.phase, made.demo) == ("Reactor leak", SLUG, "prep", False)


def test_new_encounter_that_is_refused_keeps_what_was_typed(gm_client: Client) -> None:
    found = gm_client.post("/encounters/new/", {"name": "Reactor leak", "system": "chess"})
    assert found.status_code == 422
    assert read(found).one("input", name="name")["value"] == "Reactor leak"
    assert "chess" in found.content.decode()


# ---- The log ----


def test_log_of_a_new_encounter_is_empty(room: Visit) -> None:
    page = read(room.get("log/"))
    assert "Nothing yet." in page.one("main").text
    assert "There are no steps yet." in read(room.get("log/", verify="")).one("main").text


@pytest.mark.slow
def test_pages_of_a_long_log_hold_every_step_once(gm_client: Client, room: Visit) -> None:
    for number in range(120):
        submit(room.pk, Submission("note", {"text": f"Note {number:03}."}))
    seen: list[str] = []
    address = f"{room.here}log/"
    for _ in range(10):
        page = read(gm_client.get(address))
        seen = re.findall(r"Note \d\d\d", page.one("div", id="log-body").text) + seen
        older = [a["href"] for a in page.all("a") if a.text == "Older"]
        if not older:
            break
        address = f"{room.here}log/{older[0]}"
    assert seen == [f"Note {number:03}" for number in range(120)]


@pytest.mark.slow
def test_step_by_step_shows_the_fight_as_it_was(gm_client: Client, over: Encounter) -> None:
    address = f"/encounters/{over.pk}/log/"
    last = over.steps
    first_shot = len(DEMO.setup) + 2
    page = read(gm_client.get(address, {"step": first_shot}))
    replay = page.one("div", id="replay")
    assert f"Step {first_shot} of {last}, round 1" in replay.text
    rows = page.all("li", class_="row", inside=replay)
    assert ["Zara" in rows[0].text, "Pirate" in rows[1].text, "Marcus" in rows[2].text] == [True] * 3
    assert "72 / 80" in rows[1].text
    ways = {"first": 0, "back": first_shot - 1, "play": first_shot + 1, "next": first_shot + 1, "last": last}
    assert {way: page.one("a", id=f"replay-{way}")["href"] for way in ways} == {
        way: f"?step={step}" for way, step in ways.items()
    }
    start = read(gm_client.get(address, {"step": 0}))
    assert "Step 0 of" in start.one("div", id="replay").text
    assert not start.all("a", id="replay-back")
    assert not read(gm_client.get(address, {"step": last})).all("a", id="replay-next")
    assert not read(gm_client.get(address, {"step": last + 1})).all("div", id="replay")
    for step in range(last + 1):
        assert gm_client.get(address, {"step": step}).status_code == 200


@pytest.mark.slow
def test_log_is_verified_by_replay(gm_client: Client, over: Encounter) -> None:
    found = gm_client.get(f"/encounters/{over.pk}/log/?verify")
    assert (
        f"Verified All {over.steps} steps match when played again."
        in read(found).one("aside", class_="log-side").text
    )
    row = over.log.get(number=len(DEMO.setup) + 2)
    row.record = bytes(row.record).replace(b'"new":72', b'"new":71')
    row.save()
    said = refusal(gm_client.get(f"/encounters/{over.pk}/log/?verify"))
    assert said.startswith(f"Step {row.number} does not match when played again: attack")


@pytest.mark.slow
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
