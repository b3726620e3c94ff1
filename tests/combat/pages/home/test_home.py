"""Home: the table to go back to, the next ones, campaigns and people; for strangers what this is."""

from __future__ import annotations

from datetime import date

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from characters.services import character_service
from combat.models import Encounter, Seat, ShareLink
from combat.play.campaigns.campaigns import add_members, bring_party, create_campaign, create_in_campaign
from combat.play.demo import ensure_demo, open_demo_fight
from combat.play.writing.encounter_service import Submission, create_encounter, submit
from combat.rules import SYSTEMS, find_system
from combat.sharing.links import HERE, let_in
from tests.characters.conftest import SHEET
from tests.combat.cast import Cast, come_by_account
from tests.combat.visit import DEMO, PIRATE, SLUG, play, read

DEMOS = [
    f"{slug}/{number}" if number else slug
    for slug in SYSTEMS
    for number in range(len(find_system(slug).demo.make_all()))
]


# ---- Strangers and a first visit ----


def test_home_tells_a_stranger_what_this_is(client: Client, db: None) -> None:
    page = read(client.get("/"))
    assert page.one("h1").text == "Play the fight. The rules keep up."
    assert page.one("form", action="/demo/")
    assert page.all("a", href="/join/")
    assert not page.all("button", name="demo")
    for slug in SYSTEMS:
        assert page.all("a", href=f"/rules/{slug}/")


def test_first_visit_says_what_to_do(gm: User, gm_client: Client) -> None:
    ensure_demo(gm)  # as at the first start
    page = read(gm_client.get("/"))
    assert page.one("h1").text == "Welcome, gm. Pick a fight."
    assert [b["value"] for b in page.all("button", name="demo")] == DEMOS
    assert len(page.all("svg", class_="picture")) == len(DEMOS)
    links = {a["href"] for a in page.all("a", class_="btn")}
    assert {"/encounters/new/", "/characters/new/", "/join/"} <= links
    assert not page.all("section", class_="go-on")


# ---- A GM ----


def test_home_of_a_gm_begins_with_the_fight_that_runs(
    gm: User, gm_client: Client, started: Encounter
) -> None:
    Encounter.objects.filter(pk=started.pk).update(demo=False)
    made = [create_encounter(gm, SLUG, f"Fight {n}") for n in range(3)]
    Encounter.objects.filter(pk=made[2].pk).update(archived=True)
    page = read(gm_client.get("/"))
    card = page.one("section", class_="go-on")
    assert page.one("h1", inside=card).text == started.name
    assert "Round 1" in card.text
    assert "Zara's turn" in card.text
    assert "2 against 1" in card.text
    assert page.one("a", inside=card, class_="btn-primary")["href"] == f"/encounters/{started.pk}/"
    rows = page.all("a", inside=page.one("ol", inside=page.one("section", class_="next")))
    assert [row["href"] for row in rows] == [f"/encounters/{made[n].pk}/prep/" for n in (1, 0)]
    assert "nobody yet" in rows[0].text
    assert [b["value"] for b in page.all("button", name="demo")] == DEMOS


@pytest.mark.slow
def test_running_demo_is_large_only_while_nothing_is_planned(
    gm: User, gm_client: Client, started: Encounter
) -> None:
    assert read(gm_client.get("/")).one("h1").text == started.name
    made = create_encounter(gm, SLUG, "Dock 12")
    page = read(gm_client.get("/"))
    assert page.one("h1").text == "Dock 12"
    assert not page.all("a", href=f"/encounters/{started.pk}/"), "demo fights are listed once"
    assert "round 1" in page.one("button", name="demo", value=SLUG).text
    assert open_demo_fight(gm, SLUG).pk == started.pk
    play(started.pk, DEMO.script[1:])
    Encounter.objects.filter(pk=made.pk).delete()
    page = read(gm_client.get("/"))
    assert page.one("h1").text == "Welcome, gm. Pick a fight."
    assert "ended" in page.one("button", name="demo", value=SLUG).text


@pytest.mark.slow
def test_last_fight_stays_at_hand_while_nothing_is_planned(
    gm: User, gm_client: Client, started: Encounter
) -> None:
    Encounter.objects.filter(pk=started.pk).update(demo=False)
    play(started.pk, DEMO.script[1:])
    page = read(gm_client.get("/"))
    assert page.one("h1").text == "No fight is planned"
    last = page.one("section", class_="next")
    assert "Last fight" in last.text
    link = page.one("a", inside=last, href=f"/encounters/{started.pk}/")
    assert page.all("span", class_="accent-teal", inside=link)


def test_gm_reads_who_is_there_and_who_is_away(cast: Cast, started: Encounter) -> None:
    seat = Seat.objects.get(name="Otto")
    Seat.objects.filter(pk=seat.pk).update(seen=seat.seen - 2 * HERE)
    page = read(cast.gm.get("/"))
    people = [li.text for li in page.all("li", inside=page.one("ul", class_="here"))]
    assert people == ["Cleo co-GM, here", "Pia Zara, here", "Wim spectator, here", "Otto Marcus, away"]


def test_campaigns_and_people_lead_to_their_pages(gm: User, gm_client: Client) -> None:
    vega = character_service.create(gm, SLUG, "Vega", SHEET)
    character_service.create(gm, SLUG, "Goon", SHEET, npc=True)
    folder = create_campaign(gm, "Lock and Key")
    add_members(folder, [vega.pk])
    page = read(gm_client.get("/"))
    assert page.one("h1").text == "No fight is planned"
    create_in_campaign(folder, gm, SLUG, "Dock 12")
    page = read(gm_client.get("/"))
    card = page.one("a", href=f"/campaigns/{folder.pk}/")
    assert card.text.startswith(f"Lock and Key {find_system(SLUG).name} · 1 encounter")
    assert card.text.endswith("1 person")
    names = [li.text for li in page.all("li", inside=page.one("ul", class_="home-people"))]
    assert names == ["Vega", "+ New character"], "NPCs are in their own list"


# ---- Players, guests, spectators ----


def test_home_leads_those_who_have_a_seat_back_to_the_table(cast: Cast, started: Encounter) -> None:
    for role in ("co_gm", "player", "other", "watcher"):
        page = read(cast[role].get("/"))
        link = page.one("a", class_="btn-primary")
        assert link["href"] == f"/encounters/{started.pk}/", role
        assert link.text == ("Take your turn" if role == "player" else "Back to table")
        assert not page.all("button", name="demo")
        people = page.one("main").text
        assert ("Otto" in people) == (role != "watcher")
        assert ("Wim" in people) == (role in ("co_gm", "watcher")), "players know of players"
        assert (", away" in people or ", here" in people) == (role == "co_gm")
        own = [one.text for one in page.all("h2", id="h-people")]
        assert ("Your characters" in own) == (role in ("player", "other")), role
        also = [link["href"] for link in page.all("a", page.one("ul", class_="home-also"))]
        assert also[:2] == ["/help/player/", "/rules/"], role
    for role in ("revoked", "stranger", "nobody"):
        html = cast[role].get("/").content.decode()
        assert started.name not in html.replace(DEMO.name, "", html.count('class="board')), role
        assert f"/encounters/{started.pk}/" not in html


def test_home_of_a_player_draws_only_what_they_know(cast: Cast, started: Encounter) -> None:
    submit(started.pk, Submission("hide", {"target": PIRATE}))
    tokens = {}
    for role in ("gm", "player", "watcher"):
        page = read(cast[role].get("/"))
        card = page.one("section", class_="go-on")
        tokens[role] = len(
            page.all("svg", inside=page.one("div", inside=card, class_="go-on-scene"), class_="mark")
        )
        assert ("against" in card.text) == (role == "gm")
    assert tokens == {"gm": 3, "player": 2, "watcher": 2}


def test_home_of_a_player_with_an_account_has_their_other_tables(
    cast: Cast, started: Encounter, gm: User
) -> None:
    stranger = User.objects.get(username="stranger")
    for number, phase in enumerate(("over", "prep", "fight")):
        other = create_encounter(gm, SLUG, f"Table {phase}")
        Encounter.objects.filter(pk=other.pk).update(phase=phase)
        Seat.objects.create(
            encounter=other, user=stranger, name="Ann", kind=ShareLink.PLAY, digest=f"{number}"
        )
    page = read(cast.stranger.get("/"))
    assert page.one("h1").text == "Table fight"
    rows = page.all("li", inside=page.one("section", class_="next"))
    assert [row.text for row in rows] == ["Table prep Not open yet · as Ann"]
    assert "Table over" in page.one(class_="home-last").text
    Encounter.objects.update(phase="over")
    assert read(cast.stranger.get("/")).one("h1").text == "No table is open"


def test_home_forgets_the_table_one_has_left(cast: Cast, started: Encounter) -> None:
    cast.player.post(f"/encounters/{started.pk}/leave/")
    page = read(cast.player.get("/"))
    assert page.one("h1").text.startswith("Play the fight")
    assert not page.all("a", href=f"/encounters/{started.pk}/")


# ---- Cost ----


def count_queries(client: Client) -> int:
    with CaptureQueriesContext(connection) as found:
        assert client.get("/").status_code == 200
    return len(found)


def test_queries_are_as_many_for_one_of_each_as_for_many(cast: Cast, started: Encounter, gm: User) -> None:
    stranger = User.objects.get(username="stranger")

    def add(number: int) -> None:
        folder = create_campaign(stranger, f"Folder {number}")
        hero = character_service.create(stranger, SLUG, f"Hero {number}", SHEET)
        add_members(folder, [hero.pk])
        mine = create_in_campaign(folder, stranger, SLUG, f"Mine {number}")
        Encounter.objects.filter(pk=mine.pk).update(phase="fight" if number % 2 else "prep")
        theirs = create_encounter(gm, SLUG, f"Theirs {number}")
        digest = f"{number}"
        Seat.objects.create(encounter=theirs, user=stranger, name="Ann", kind=ShareLink.PLAY, digest=digest)
        Seat.objects.create(encounter=mine, name="Bo", kind=ShareLink.PLAY, digest=digest)

    add(1)
    few = count_queries(cast.stranger)
    for number in range(2, 10):
        add(number)
    assert count_queries(cast.stranger) <= few <= 12


# ---- A player ----


def test_player_finds_the_next_evening_with_the_same_character(
    gm: User, cast: Cast, started: Encounter
) -> None:
    """Who joined with an account: the GM brings the party again, and home has the day and the character."""
    campaign = create_campaign(gm, "Rim")
    first = create_in_campaign(campaign, gm, SLUG, "Docking ring")
    ana = come_by_account(first, "play", "ana")
    mine = character_service.create(User.objects.get(username="ana"), SLUG, "Nia", SHEET)
    ana.post(f"/encounters/{first.pk}/bring/", {"character": mine.pk})
    submit(first.pk, Submission("join", {"block": "pirate", "side": "foes"}))
    submit(first.pk, Submission("start", {}))
    submit(first.pk, Submission("end_fight", {}))
    page = read(ana.get("/"))
    assert page.one("h2", id="h-code").text == "Invited? Enter the code"
    assert page.one("form", action="/join/", inside=page.one("section", class_="home-code"))
    assert "Docking ring" in page.one(class_="home-last").text
    assert page.one("a", inside=page.one(class_="home-last"), class_="btn")["href"].endswith("/report/")
    assert "Docking ring" in page.one(class_="home-mine").text

    second = create_in_campaign(campaign, gm, SLUG, "Dock 12")
    Encounter.objects.filter(pk=second.pk).update(planned=date(2030, 12, 6))
    bring_party(second.pk, by="gm")
    page = read(ana.get("/"))
    card = page.one("section", class_="go-on")
    assert "Next evening · Friday 6 December" in card.text
    assert page.one("h1", inside=card).text == "Dock 12"
    assert not page.all(class_="go-on-mine")
    assert page.one("p", class_="go-on-clock").text == "Not open yet Cosmos Engine"

    assert let_in(second.pk)
    page = read(ana.get("/"))
    card = page.one("section", class_="go-on")
    assert "Nia" in page.one(class_="go-on-mine").text
    table = read(ana.get(page.one("a", inside=card, class_="btn-primary")["href"]))
    assert "Nia" in table.one("main").text
    assert second.seats.get().combatants == ["f1"]
    assert not read(cast.stranger.get("/")).all(class_="home-last")
