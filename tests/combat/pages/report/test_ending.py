"""The table's words when a fight has ended, and the links of the names in its rows."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from characters.services import character_service
from combat.models import Encounter
from combat.play.campaigns.roster import bring
from combat.play.writing.encounter_service import Submission, submit
from tests.combat.cast import Cast
from tests.combat.markup import Page
from tests.combat.visit import MARCUS, PIRATE, SLUG, ZARA, read, state_of

WAYS = {"gm": ["Report", "Full log", "What if…", "Fight again"], "player": ["Report", "Full log", "What if…"]}


def look(client: Client, encounter: Encounter) -> Page:
    return read(client.get(f"/encounters/{encounter.pk}/"))


def find_links(page: Page) -> set[str]:
    """The combatants whose names in the rows are links."""
    return {
        link["href"].partition("=")[2]
        for link in page.all("a", inside=page.one(id="rows"), class_="row-main")
    }


def end(encounter: Encounter) -> None:
    submit(encounter.pk, Submission("next_turn", {}))
    submit(encounter.pk, Submission("give_condition", {"target": PIRATE, "kind": "unconscious"}, by="gm"))
    submit(encounter.pk, Submission("end_fight", {}, by="gm"))


def test_names_are_links_where_they_open_something(started: Encounter, cast: Cast) -> None:
    seen = {role: find_links(look(cast[role], started)) for role in ("gm", "player", "other", "watcher")}
    assert seen == {"gm": {ZARA, PIRATE, MARCUS}, "player": {ZARA}, "other": {MARCUS}, "watcher": set()}
    end(started)
    seen = {role: find_links(look(cast[role], started)) for role in ("gm", "player", "watcher")}
    assert seen == {"gm": {ZARA, PIRATE, MARCUS}, "player": set(), "watcher": set()}


def test_nobody_has_acted_after_the_end(started: Encounter, cast: Cast) -> None:
    submit(started.pk, Submission("next_turn", {}))
    assert "acted" in look(cast.gm, started).one(id="rows").text
    end(started)
    for role in ("gm", "player", "watcher"):
        assert "acted" not in look(cast[role], started).one(id="rows").text, role


@pytest.mark.slow
def test_the_end_says_how_it_came_and_what_each_can_do_next(started: Encounter, cast: Cast) -> None:
    end(started)
    for role, paths in WAYS.items():
        page = look(cast[role], started)
        turn = page.one(id="turn")
        told = "crew 2 of 2, pirates 0 of 1." if role == "gm" else "Zara, Marcus (crew). Out: Pirate."
        assert told in turn.text, role
        links = page.all("a", inside=turn)
        buttons = [found.text for found in (*links, *page.all("button", inside=turn))]
        assert [text for text in buttons if text in WAYS["gm"]] == paths, role
        for link in (link for link in links if link.text in paths):
            assert cast[role].get(link["href"]).status_code == 200, (role, link["href"])
    assert "Report" in look(cast.watcher, started).one(id="combatants-note").text


def test_the_end_names_who_surrendered_to_those_who_know_them(started: Encounter, cast: Cast) -> None:
    lurker = {"block": "pirate_example", "name": "Vantlurker", "side": "lurkers", "hidden": True}
    ghost = f"f{state_of(started.pk).made + 1}"
    submit(started.pk, Submission("join", lurker, by="gm"))
    for who in (PIRATE, ghost):
        submit(started.pk, Submission("surrender", {"target": who}, by="gm"))
    submit(started.pk, Submission("give_condition", {"target": MARCUS, "kind": "unconscious"}, by="gm"))
    submit(started.pk, Submission("end_fight", {}, by="gm"))
    told = look(cast.player, started).one(id="turn").text
    assert "Still standing: Zara (crew). Surrendered: Pirate. Out: Marcus." in told
    told = look(cast.gm, started).one(id="turn").text
    assert "Standing: crew 1 of 2, pirates 0 of 1, lurkers 0 of 1." in told
    assert all(f"{name} surrendered" in told for name in ("Pirate", "Vantlurker"))


def test_sheets_are_updated_by_those_whose_characters_are_here(
    started: Encounter, cast: Cast, gm: User
) -> None:
    six = ("PRE", "RES", "INT", "MIG", "AWA", "COO")
    ada = character_service.create(gm, SLUG, "Ada", {"name": "Ada", "attributes": dict.fromkeys(six, 3)})
    bring(started, gm, str(ada.pk), side="", zone="", by="gm")
    end(started)
    offered = {
        role: "Update character sheets" in look(cast[role], started).one(id="turn").text for role in WAYS
    }
    assert offered == {"gm": True, "player": False}, "Zara has no sheet"


def test_preparing_says_that_a_fight_is_over(started: Encounter, cast: Cast) -> None:
    said = read(cast.gm.get(f"/encounters/{started.pk}/prep/")).one("p", class_="prep-note").text
    assert "Changes take effect in the fight under way" in said
    end(started)
    said = read(cast.gm.get(f"/encounters/{started.pk}/prep/")).one("p", class_="prep-note").text
    assert "The fight is over. To fight again with the same people, copy the encounter." in said
