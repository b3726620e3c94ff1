"""Live pages read again what they show: an unchanged answer is empty, and watchers share drawings."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from combat.models import Encounter, Seat
from combat.play.writing.encounter_service import Submission, submit
from tests.combat.cast import Cast, Place, come
from tests.combat.visit import MARCUS, PIRATE, ZARA, load, read
from tests.typed import Answer

HTMX = {"HX-Request": "true"}
ROLES = ("gm", "co_gm", "player", "other", "watcher")


def part(client: Client, pk: int, tag: str = "", **query: str) -> Answer:
    """The changing part of the table, requested with or without what the browser already has."""
    headers = {**HTMX, **({"If-None-Match": tag} if tag else {})}
    return client.get(f"/encounters/{pk}/", query, headers=headers)


def hurt(pk: int) -> None:
    submit(pk, Submission("adjust", {"target": PIRATE, "track": "hp", "by": -1}))


def note(pk: int) -> None:
    submit(pk, Submission("note", {"text": "Hm."}))


@pytest.mark.parametrize("role", ROLES)
def test_nothing_comes_back_while_nothing_has_changed(cast: Cast, started: Encounter, role: str) -> None:
    page = read(cast[role].get(f"/encounters/{started.pk}/")).one(id="table")
    again = part(cast[role], started.pk, page["data-tag"])
    assert (again.status_code, again.content) == (304, b"")
    hurt(started.pk)
    changed = part(cast[role], started.pk, page["data-tag"])
    assert changed.status_code == 200
    assert changed["ETag"] != page["data-tag"]
    assert part(cast[role], started.pk, changed["ETag"]).status_code == 304


def test_tag_is_of_the_version_that_one_sees(cast: Cast, started: Encounter) -> None:
    tags = {role: part(cast[role], started.pk)["ETag"] for role in ROLES}
    note(started.pk)
    status = {role: part(cast[role], started.pk, tag).status_code for role, tag in tags.items()}
    assert status == {"gm": 200, "co_gm": 200, "player": 304, "other": 304, "watcher": 304}


def test_nobodys_tag_fits_another(cast: Cast, started: Encounter) -> None:
    tags = {part(cast[role], started.pk)["ETag"] for role in ROLES}
    assert len(tags) == len(ROLES)
    second = come(started, "watch", "Also watching")
    assert part(second, started.pk)["ETag"] == part(cast.watcher, started.pk)["ETag"]


def test_tag_is_of_what_is_open(cast: Cast, started: Encounter) -> None:
    closed = part(cast.player, started.pk)["ETag"]
    opened = part(cast.player, started.pk, closed, combatant=ZARA, do="attack")
    assert opened.status_code == 200
    assert part(cast.player, started.pk, opened["ETag"], combatant=ZARA, do="attack").status_code == 304


def test_other_combatants_make_another_tag(cast: Cast, started: Encounter) -> None:
    before = part(cast.player, started.pk)["ETag"]
    Seat.objects.filter(name="Pia").update(combatants=[MARCUS])
    assert part(cast.player, started.pk, before).status_code == 200


def test_whole_page_is_always_answered_whole(cast: Cast, started: Encounter) -> None:
    tag = part(cast.player, started.pk)["ETag"]
    page = cast.player.get(f"/encounters/{started.pk}/", headers={"If-None-Match": tag})
    assert page.status_code == 200
    assert page["Cache-Control"] == "no-store"


def test_refusal_is_never_left_out(cast: Cast, started: Encounter) -> None:
    tag = part(cast.other, started.pk)["ETag"]
    posted = {"do": "total_defense", "combatant": MARCUS}
    answer = cast.other.post(f"/encounters/{started.pk}/", posted, headers={**HTMX, "If-None-Match": tag})
    assert answer.status_code == 409


@pytest.mark.parametrize(
    ("query", "again"),
    [
        ({}, ""),
        ({"combatant": ZARA, "do": "attack"}, f"?combatant={ZARA}&do=attack"),
        ({"row": "damage"}, "?row=damage"),
        ({"combatant": ZARA}, ""),  # who acts: it goes on with the turns
    ],
)
def test_page_says_where_it_reads_itself_again(
    cast: Cast, started: Encounter, query: dict[str, str], again: str
) -> None:
    page = read(part(cast.player, started.pk, **query)).one(id="table")
    assert page["data-again"] == f"/encounters/{started.pk}/{again}"


def test_page_whose_form_closed_with_the_turn_shows_who_acts_now(cast: Cast, started: Encounter) -> None:
    pk = started.pk
    submit(pk, Submission("next_turn", {"actor": ZARA}))
    page = read(part(cast.gm, pk, combatant=ZARA, do="move"))
    assert page.one(id="h-turn").text == "Pirate"
    assert "Move is closed" in page.one(id="notice").text
    assert read(part(cast.gm, pk, combatant=MARCUS)).one(id="h-turn").text == "Marcus", "who is chosen stays"


def test_after_an_action_its_form_does_not_come_back(cast: Cast, started: Encounter) -> None:
    done = Place(cast.player, started.pk).act("total_defense", ZARA)
    assert read(done).one(id="table")["data-again"] == f"/encounters/{started.pk}/"


def test_refused_form_stays_open(cast: Cast, started: Encounter) -> None:
    posted = {"do": "move", "combatant": ZARA, "to": "zone:rubble"}
    refused = cast.player.post(f"/encounters/{started.pk}/", posted, headers=HTMX)
    assert refused.status_code == 409
    assert read(refused).one(id="table")["data-again"].endswith(f"?combatant={ZARA}&do=move")


# ---- Watchers ----


def test_what_watchers_share_holds_nothing_personal(cast: Cast, started: Encounter) -> None:
    shared = part(cast.watcher, started.pk).content.decode()
    assert "csrf" not in shared
    assert "Wim" not in shared
    assert "<form" not in shared
    page = cast.watcher.get(f"/encounters/{started.pk}/").content.decode()
    assert "no longer watch as Wim" in page
    assert re.search(r"<html[^>]* class=\"watch\"", page)


def test_shared_drawing_is_of_one_encounter_and_its_name(cast: Cast, started: Encounter) -> None:
    before = part(cast.watcher, started.pk).content
    Encounter.objects.filter(pk=started.pk).update(name="Another name")
    after = part(cast.watcher, started.pk).content
    assert b"Another name" in after
    assert after != before
    assert load(started.pk).name == "Another name"
