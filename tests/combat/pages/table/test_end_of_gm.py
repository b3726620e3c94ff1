"""The end of a fight for the GM: why someone is out, whom first aid can help, and what closing gives."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from characters.models import Character
from characters.services import character_service
from combat.models import Encounter
from combat.play.campaigns.roster import bring
from combat.play.writing.encounter_service import Submission, submit, undo
from combat.rules import find_system
from tests.combat.cast import gather
from tests.combat.markup import Page
from tests.combat.visit import SLUG, demo_fight, load, play, questions, read

SHEET: dict[str, Any] = {
    "name": "Ada",
    "attributes": {"PRE": 3, "RES": 4, "INT": 3, "MIG": 5, "AWA": 3, "COO": 4},
    "skills": {"Combat": 3},
}


def end_demo(gm: User, slug: str) -> Encounter:
    """The first demo fight of a game, played to its end."""
    pk = demo_fight(gm, slug).pk
    play(pk, find_system(slug).demo.make_first().script)
    return load(pk)


def look(client: Client, encounter: Encounter) -> Page:
    return read(client.get(f"/encounters/{encounter.pk}/"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("slug", "helped", "offers"),
    [
        ("cepheus", "f3", ["First aid by Rui · 83% for Dov", "First aid by Rui · 83% for Kaja"]),
        ("cosmos", "f3", ["First aid by Zara · 90% for Marcus"]),
        ("guardians", "", []),  # its First Aid is an action of rounds alone
    ],
)
def test_wounds_of_the_players_side_ask_for_first_aid(
    gm: User, gm_client: Client, slug: str, helped: str, offers: list[str]
) -> None:
    over = end_demo(gm, slug)
    page = look(gm_client, over)
    links = [one for found in page.all("ul", class_="finish-aid") for one in page.all("a", inside=found)]
    assert [one.text for one in links] == offers
    people = gather(over, "f1", helped or "f2")
    for role in ("player", "other", "watcher"):
        assert not look(people[role], over).all("ul", class_="finish-aid"), role
    if not offers:
        return
    submit(over.pk, Submission("close_fight", {}, by="gm"))
    assert not look(people.gm, over).all("ul", class_="finish-aid"), "a closed fight asks for nothing"
    undo(over.pk)
    opened = read(people.gm.get(f"/encounters/{over.pk}/{links[0]['href']}"))
    form = opened.one("form", id=f"form-{parse_qs(links[0]['href'][1:])['do'][0]}")
    posted = {name: value for name, value in opened.fields(form).items() if name != "csrfmiddlewaretoken"}
    assert posted["target"] == helped
    steps = load(over.pk).log.count()
    assert people.gm.post(f"/encounters/{over.pk}/", {**posted, "dice": "app"}).status_code == 303
    assert load(over.pk).log.count() > steps or questions(over.pk), "the game's own command, with its dice"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("slug", "friend", "fate", "why"),
    [
        ("cepheus", "f2", "Captain Dead", "by Kaja, round 3"),
        # Dying by her hand, stable later in the round
        ("cosmos", "f3", "Pirate Stable", "by Zara, round 6"),
    ],
)
def test_those_who_are_out_say_by_whom_and_when(
    gm: User, gm_client: Client, slug: str, friend: str, fate: str, why: str
) -> None:
    over = end_demo(gm, slug)
    head = look(gm_client, over).one("header", class_="finish-head")
    assert fate in head.text
    part = read(gm_client.get(f"/encounters/{over.pk}/report/?as=end", headers={"HX-Request": "true"}))
    brought = {one["hx-swap-oob"].removeprefix("innerHTML:#"): one.text for one in part.all("small")}
    places = {one["id"] for one in look(gm_client, over).all("small", class_="why")}
    assert brought.keys() <= places, "each has its place in the head"
    assert why in brought.values()
    assert all(key.startswith("why-") or re.fullmatch(r"hit \d+ of \d+", brought[key]) for key in brought)
    assert any(key.startswith("hits-") for key in brought)
    people = gather(over, "f1", friend)
    for role in ("player", "other", "watcher"):
        answer = people[role].get(f"/encounters/{over.pk}/report/?as=end")
        assert "hx-swap-oob" not in answer.content.decode(), role


def test_end_of_the_gm_reads_no_step_of_the_log_but_the_newest(gm: User, gm_client: Client) -> None:
    """The reasons come with the report, which walks through the fight anyway."""
    over = end_demo(gm, "cepheus")
    with CaptureQueriesContext(connection) as asked:
        gm_client.get(f"/encounters/{over.pk}/")
    steps = [one["sql"] for one in asked if "combat_storedstep" in one["sql"]]
    assert steps
    few = re.compile(r"LIMIT|COUNT|IN \(\d+(, \d+)*\)")
    assert [one[-260:] for one in steps if not few.search(one)] == []


@pytest.fixture
def sheets(gm: User, gm_client: Client, started: Encounter) -> list[Character]:
    """Two sheets of the GM's, brought to a fight that is over; one had 4 points in an earlier fight."""
    made = [character_service.create(gm, SLUG, name, SHEET) for name in ("Ada", "Bea")]
    story = {"bought": [{"what": "The alley", "on": "2026-11-01", "points": 4}]}
    made[0] = character_service.change(made[0].pk, "Earned", by="gm", story=story)
    for one in made:
        bring(started, gm, str(one.pk), side="crew", zone="", by="gm")
    submit(started.pk, Submission("end_fight", {}, by="gm"))
    return made


def points_of(people: list[Character]) -> list[int]:
    found = [Character.objects.get(pk=one.pk).story.get("bought", []) for one in people]
    return [sum(line["points"] for line in lines) for lines in found]


@pytest.mark.parametrize(
    ("posted", "points", "status"),
    [
        ({"gives": "1", "experience": "3"}, [7, 3], 303),
        ({"gives": "1", "experience": " "}, [4, 0], 303),
        ({"experience": "3"}, [4, 0], 303),
        ({"gives": "1", "experience": "many"}, [4, 0], 422),
    ],
)
def test_closing_gives_the_experience_that_is_selected(
    gm_client: Client,
    started: Encounter,
    sheets: list[Character],
    posted: dict[str, str],
    points: list[int],
    status: int,
) -> None:
    home = f"/encounters/{started.pk}/home/"
    part = read(gm_client.get(f"{home}?end", headers={"HX-Request": "true"}))
    assert part.one("input", id="gift")["value"] == "4", "as they got last"
    form = {"sheets": "shown", "version": load(started.pk).stamp(is_gm=True), **posted}
    answer = gm_client.post(f"{home}?close", form)
    assert (answer.status_code, points_of(sheets)) == (status, points)
    part = read(gm_client.get(f"{home}?end", headers={"HX-Request": "true"}))
    assert bool(part.all("input", id="gift")) is (status != 303), "closed: nothing more is given here"
