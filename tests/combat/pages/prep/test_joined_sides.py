"""The side that somebody joins: one of those that are there, or a new one."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from characters.services import character_service
from combat.models import Encounter
from combat.play.campaigns.roster import find_side, list_sides
from combat.play.demo import make_demo_fight
from combat.play.writing.encounter_service import Submission, create_encounter, submit
from combat.rules import SYSTEMS, find_system
from combat.rules.core.state.state import present
from tests.combat.visit import SLUG, Visit, chosen_in, options_of, read, state_of


@pytest.mark.parametrize("form", ["join", "people", "bring"])
def test_side_is_one_of_those_that_are_there_or_a_new_one(
    visit: Visit, started: Encounter, gm: User, form: str
) -> None:
    block = find_system(SLUG).book.find_block("pirate")
    assert block
    ada = character_service.create(gm, SLUG, "Ada", block.sheet)
    page = read(visit.client.get(f"{visit.here}prep/"))
    assert options_of(page, f"{form}-side") == ["pirates", "crew"], "no side of its own for reinforcements"
    assert chosen_in(page, f"{form}-side") == ("crew" if form == "bring" else "pirates")
    fields = {
        "side": "pirates",
        "new_side": " The  law ",
        "block": "pirate",
        "count": "1",
        "notes": "1 pirate",
    }
    if form == "bring":
        visit.client.post(f"/encounters/{visit.pk}/bring/", {**fields, "character": ada.pk})
    elif form == "join":
        visit.client.post(f"{visit.here}prep/", {**fields, "do": "join"})
    else:
        shown = read(visit.client.post(f"{visit.here}prep/", {**fields, "do": "read"}))
        assert "The law" in shown.one("ul", class_="block-list").text
        seen = shown.one("input", name="seen")["value"]
        visit.client.post(f"{visit.here}prep/", {**fields, "do": "people", "seen": seen})
    assert present(state_of(visit.pk))[-1].side == "The law"


@pytest.mark.slow
def test_reinforcements_join_the_enemies_in_every_demo(gm: User, gm_client: Client) -> None:
    for slug in SYSTEMS:
        for number in range(len(find_system(slug).demo.fights)):
            demo = make_demo_fight(gm, slug, number)
            page = read(gm_client.get(f"/encounters/{demo.pk}/prep/?to=table"))
            own, there = find_side(state_of(demo.pk)), {one.side for one in present(state_of(demo.pk))}
            for form in ("join", "people"):
                assert set(options_of(page, f"{form}-side")) == there
                assert chosen_in(page, f"{form}-side") in there - {own}


@pytest.mark.slow
def test_people_named_like_a_side_join_it(visit: Visit) -> None:
    submit(visit.pk, Submission("join", {"block": "pirate", "side": "street thugs"}))
    notes = "2 veterans, 2 street thugs, 1 street thug (crew)"
    for chosen, expected in (("pirates", ["Pirates", "thugs", "Crew"]), ("crew", ["Crew"] * 3)):
        fields = {"do": "read", "notes": notes, "side": chosen}
        page = read(visit.client.post(f"{visit.here}prep/", fields))
        got = [one.text.split()[-1] for one in page.all("li", inside=page.one("ul", class_="block-list"))]
        assert got == expected


def test_fight_with_one_side_is_said_before_it_starts(room: Visit) -> None:
    submit(room.pk, Submission("join", {"block": "pirate", "count": 2}))
    page = read(room.client.get(room.here))
    assert "Only one side can fight" in page.one("main").text
    assert page.one("button", name="dice", value="app"), "it may start all the same"
    submit(room.pk, Submission("join", {"block": "pirate", "side": "allies"}))
    assert "Only one side can fight" not in read(room.client.get(room.here)).one("main").text


def test_sides_of_people_are_told_apart_by_any_word_for_enemies(gm: User) -> None:
    """Also in fights of other tables, and before a player character is there."""
    hall = create_encounter(gm, SLUG, "Hall")
    assert list_sides(state_of(hall.pk)) == ("enemies", "allies")
    for side in ("foes", "heroes"):
        submit(hall.pk, Submission("join", {"block": "pirate", "side": side}))
    assert list_sides(state_of(hall.pk)) == ("foes", "heroes")
