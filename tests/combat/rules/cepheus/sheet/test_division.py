"""A wound that its player divides: the prompt, the refusals, orders, replay; and steppers on a phone."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import User
from django.test import Client
from msgspec.structs import replace
from playwright.sync_api import Page as Browser
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from combat.audience.changes import read_pending
from combat.models import Encounter, ShareLink
from combat.play.writing.deadlines import answer_overdue
from combat.play.writing.encounter_service import (
    Submission,
    create_encounter,
    read_history,
    read_state,
    submit,
)
from combat.rules import find_system
from combat.rules.core.engine.document import replay
from tests.browser import find_barriers, find_overflow
from tests.combat.cast import Place, come, invite
from tests.combat.rules.cepheus.figures import ADA, sheet
from tests.combat.visit import Visit, combatant, find_open, load, questions
from tests.thinning import thin_rows
from tests.typed import sure

SLUG = find_system("cepheus").slug


def make_bay(owner: User) -> Encounter:
    """Ada, a player character with Endurance 2 of 7, before any fight."""
    bay = create_encounter(owner, SLUG, "Cargo bay")
    steps: list[tuple[str, dict[str, Any]]] = [
        ("join", {"sheet": sheet("777777"), "name": "Ada", "side": "allies", "pc": True}),
        ("join", {"sheet": sheet("777777"), "name": "Zed", "side": "enemies"}),
        ("adjust", {"target": ADA, "track": "end", "to": 2}),
    ]
    for name, fields in steps:
        submit(bay.pk, Submission(name, fields, by="gm"))
    bay.refresh_from_db()
    return bay


def strike(pk: int, points: int = 6) -> None:
    """Hit Ada for this many points."""
    fields = {"target": ADA, "amount": str(points), "past_armor": True}
    submit(pk, Submission("deal_damage", fields, by="gm"))


@pytest.fixture
def bay(gm: User) -> Encounter:
    return make_bay(gm)


@pytest.fixture
def player(bay: Encounter) -> Place:
    """Ada's player, who gets the question."""
    place = Place(come(bay, ShareLink.PLAY, "Pia", ADA), bay.pk)
    strike(bay.pk)
    return place


def body(pk: int) -> tuple[int, ...]:
    return tuple(combatant(pk, ADA).tracks[key] for key in ("str", "dex", "end"))


# ---------------------------------------------------------------- the prompt


def test_prompt_has_a_field_for_each_place_filled_as_suggested(player: Place) -> None:
    page = player.page()
    box = page.one("fieldset", class_="parts")
    values = {e["name"]: e["value"] for e in page.all("input", inside=box)}
    assert values == {"part-end": "2", "part-str": "4", "part-dex": "0"}
    assert "Endurance 2 of 7" in box.text
    assert "Divide 6 points" in box.text


@pytest.mark.parametrize(
    ("by", "says"), [(-5, "Hit: 5 points"), (-3, "Hit: 3 points"), (4, "Healed: 4 points")]
)
def test_points_of_the_gm_are_headed_by_their_number(bay: Encounter, by: int, says: str) -> None:
    place = Place(come(bay, ShareLink.PLAY, "Pia", ADA), bay.pk)
    submit(bay.pk, Submission("adjust", {"target": ADA, "track": "str", "to": 5}, by="gm"))
    submit(bay.pk, Submission("adjust", {"target": ADA, "track": "points", "by": by}, by="gm"))
    page = place.page()
    assert page.one("h3", id="h-prompt").text == says
    assert page.one("p", class_="deed").text == "Ada"


def test_nobody_else_is_asked(player: Place, bay: Encounter) -> None:
    watcher = Place(come(bay, ShareLink.WATCH, "Wim"), bay.pk)
    assert not watcher.page().all("fieldset", class_="parts")


@pytest.mark.rule("CE-DMG-09")
def test_fields_are_the_answer(player: Place, bay: Encounter) -> None:
    player.do("answer", question="0", **{"part-str": "3", "part-dex": " 3 ", "part-end": ""})
    assert body(bay.pk) == (4, 4, 2)
    assert not find_open().exists()
    assert replay(read_history(load(bay.pk)), find_system).ok


@pytest.mark.parametrize(
    ("fields", "says"),
    thin_rows(
        [
            ({"part-str": "3"}, "3 more to place"),
            ({"part-str": "7"}, "1 too many"),
            ({"part-end": "3", "part-str": "3"}, "Endurance takes 2 at most"),
            ({"part-str": "six"}, "must be a whole number"),
            ({"part-str": "-1", "part-dex": "7"}, "must be a whole number"),
            ({"part-hull": "6"}, "no way to divide"),
            ({"value": "str=99"}, "Strength takes 7 at most"),
            ({}, "6 more to place"),
        ],
        ({"part-end": "3", "part-str": "3"}, "Endurance takes 2 at most"),
        ({"part-str": "six"}, "must be a whole number"),
    ),
)
def test_what_does_not_add_up_is_refused_in_words(
    player: Place, bay: Encounter, fields: dict[str, str], says: str
) -> None:
    assert says in player.refused("answer", 422, question="0", **fields)
    assert questions(bay.pk)


@pytest.mark.parametrize(
    ("parts", "order", "after"),
    [
        ({"part-str": "4", "part-end": "2"}, "best", (1, 7, 0)),
        ({"part-str": "1", "part-dex": "5"}, "dex>str>end", (6, 0, 2)),
    ],
)
def test_always_is_an_order_for_wounds_to_come(
    player: Place, bay: Encounter, parts: dict[str, str], order: str, after: tuple[int, ...]
) -> None:
    player.do("answer", question="0", always="yes", **parts)
    assert combatant(bay.pk, ADA).marks["standing:CE-DMG-09"] == order
    strike(bay.pk, 2)
    assert not find_open().exists()
    assert body(bay.pk) == after
    assert replay(read_history(load(bay.pk)), find_system).ok


def test_an_order_of_nonsense_is_not_kept(player: Place, bay: Encounter) -> None:
    player.refused("answer", 422, question="0", always="yes", **{"part-str": "1"})
    assert "standing:CE-DMG-09" not in combatant(bay.pk, ADA).marks


def test_time_runs_out_and_the_best_is_taken(bay: Encounter, gm_client: Client) -> None:
    Visit(gm_client, bay.pk).do("set_option", key="answer_seconds", value="15")
    strike(bay.pk)
    waiting = sure(read_pending(load(bay.pk)))
    long_ago = replace(waiting, asked=waiting.asked.replace(year=waiting.asked.year - 1))
    Encounter.objects.filter(pk=bay.pk).update(open_command=msgspec.json.encode(long_ago))
    bay.refresh_from_db()
    assert answer_overdue(load(bay.pk), read_state(load(bay.pk)))
    assert body(bay.pk) == (3, 7, 0)


# ---------------------------------------------------------------- in a browser


@pytest.fixture
def phone(live_server: LiveServer, page: Browser, transactional_db: None, gm: User) -> Browser:
    """The phone of Ada's player when she has been hit."""
    bay = make_bay(gm)
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(live_server.url + invite(bay))
    page.get_by_label("Your name").fill("Pia")
    page.get_by_label("Ada").check(force=True)
    page.get_by_role("button", name="Join").click()
    strike(bay.pk)
    page.goto(f"{live_server.url}/encounters/{bay.pk}/")
    return page


def test_steppers_divide_a_wound_on_a_phone(phone: Browser) -> None:
    left, button = phone.locator("[data-points-left]"), phone.get_by_role("button", name="Divide like this")
    phone.get_by_role("button", name="One less: Strength").click()
    expect(left).to_have_text("1 more to place.")
    button.click()
    expect(left).to_be_visible()  # the browser holds it back: a point is missing
    phone.get_by_role("button", name="One more: Dexterity").click()
    expect(left).to_have_text("All 6 placed.")
    for _ in range(3):
        phone.get_by_role("button", name="One more: Endurance").click()
    expect(phone.locator("#part-0-end")).to_have_value("2")  # no more than the track has
    assert find_barriers(phone) == []
    assert find_overflow(phone) == []
    button.click()
    expect(phone.locator("#prompt")).to_have_count(0)
    pk = Encounter.objects.get().pk
    assert body(pk) == (4, 6, 0)


# ---------------------------------------------------------------- the GM's forms
