"""Those who arrive later: held back while preparing, brought in at the table, unknown to all others."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User

from combat.models import Encounter, ShareLink
from combat.play.after.imports import copy_encounter
from combat.play.writing.encounter_service import Submission, submit, undo
from combat.rules.core.state.state import present
from tests.combat.cast import Cast, come, gather
from tests.combat.visit import MARCUS, PIRATE, SLUG, ZARA, Visit, demo_fight, load, read, state_of
from tests.typed import Answer

KARG = "Captain Karg"


def prep(visit: Visit, **fields: Any) -> Answer:
    return visit.client.post(f"{visit.here}prep/", fields)


@pytest.fixture
def visit(prepared: Encounter, gm_client: Any) -> Visit:
    return Visit(gm_client, prepared.pk, htmx=False)


@pytest.mark.slow
def test_row_is_held_back_and_planned_anew(visit: Visit) -> None:
    page = read(visit.client.get(f"{visit.here}prep/?row={PIRATE}"))
    assert [one["value"] for one in page.all("button", name="do") if one["value"] == "hold_back"] == [
        "hold_back"
    ] * 2  # of the row, and of those selected
    zone = state_of(visit.pk).scene.zones[0]
    sent = prep(
        visit, do="hold_back", targets=PIRATE, was="x", when="round", at_round="3", where=f"zone:{zone.id}"
    )
    assert sent.status_code == 303
    told = read(visit.client.get(f"{visit.here}prep/")).one(id="waiting").text
    assert "round 3, at " + zone.name in " ".join(told.split())
    form = read(visit.client.get(f"{visit.here}prep/?reserve=r1"))
    assert form.one(id="plan-at_round")["value"] == "3"
    assert prep(visit, do="change_arrival", reserve="r1", when="hand", where="edge:north").status_code == 303
    told = read(visit.client.get(f"{visit.here}prep/")).one(id="waiting").text
    assert "by hand, at the north edge" in " ".join(told.split())


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"when": "round"}, "Type the round in which they arrive."),
        ({"when": "round", "at_round": "1"}, "Choose a round from 2 to 99."),
        ({"when": "soon"}, "Choose when from the list."),
        ({"when": "hand", "where": "zone:nowhere"}, "Choose a place from the list."),
        ({"when": "hand", "where": "point", "x": "3"}, "Type both x and y, or choose another place."),
        ({"when": "hand", "where": "point", "x": "300", "y": "4"}, "That place is off the map"),
        ({"when": "hand", "targets": ""}, "No one is selected: select rows first."),
    ],
)
def test_impossible_plan_is_said_and_changes_nothing(visit: Visit, fields: Any, says: str) -> None:
    before = state_of(visit.pk)
    sent = prep(visit, **{"do": "hold_back", "targets": PIRATE, "was": "x", "at_round": "", **fields})
    assert 400 <= sent.status_code < 500
    assert says in sent.content.decode().replace("&#x27;", "'")
    assert state_of(visit.pk) == before
    checked = [box["value"] for box in read(sent).all("input", name="targets") if "checked" in box.attrs]
    assert checked == ([] if "targets" in fields else [PIRATE]), "rows stay selected for the next try"


@pytest.mark.parametrize(("slug", "unit"), [(SLUG, "m"), ("guardians", "yd")])
def test_place_is_asked_for_in_the_unit_of_the_game(gm: User, gm_client: Any, slug: str, unit: str) -> None:
    visit = Visit(gm_client, demo_fight(gm, slug).pk, htmx=False)
    page = read(visit.client.get(f"{visit.here}prep/?row=f1"))
    labels = [one.text for one in page.all("label") if one["for"].startswith("row-later-")]
    assert {f"x ({unit}) optional", f"y ({unit}) optional"} < set(labels)


@pytest.mark.parametrize(
    "plan",
    [
        {"when": "round", "at_round": "3", "where": ""},
        {"when": "hand", "where": "point", "x": "3.5", "y": "4.5"},
        {"when": "hand", "where": "edge:south"},
    ],
)
def test_form_of_a_plan_opens_as_it_was_made(visit: Visit, plan: dict[str, str]) -> None:
    prep(visit, do="hold_back", targets=PIRATE, was="x", **plan)
    page = read(visit.client.get(f"{visit.here}prep/?reserve=r1"))
    (form,) = (one for one in page.all("form") if page.all("button", inside=one, value="change_arrival"))
    shown = page.fields(form)
    assert {name: shown.get(name, "") for name in plan} == plan


def test_plan_of_those_who_are_gone_is_refused(visit: Visit) -> None:
    sent = prep(visit, do="change_arrival", reserve="r9", when="hand")
    assert sent.status_code == 422
    assert "reload the page" in sent.content.decode()


@pytest.mark.slow
def test_gm_brings_them_in_with_one_tap_and_takes_it_back(visit: Visit) -> None:
    prep(visit, do="hold_back", targets=PIRATE, when="hand")
    submit(visit.pk, Submission("join", {"block": "pirate_example", "side": "enemies", "name": "Rook"}))
    submit(visit.pk, Submission("start", {}))
    page = read(visit.client.get(visit.here))
    assert "Arrives later (1)" in page.one(id="reserves").text
    assert visit.client.post(visit.here, {"do": "arrive", "reserve": "r1"}).status_code == 303
    assert PIRATE in state_of(visit.pk).order
    assert not read(visit.client.get(visit.here)).all(id="reserves")
    assert "Reinforcements: " in visit.client.get(f"{visit.here}log/").content.decode()
    undo(visit.pk)
    assert PIRATE not in state_of(visit.pk).order
    assert read(visit.client.get(visit.here)).one(id="reserves")


def test_reserves_are_copied_with_the_fight(prepared: Encounter, visit: Visit, gm: User) -> None:
    prep(visit, do="hold_back", targets=PIRATE, when="round", at_round="4")
    made = state_of(copy_encounter(prepared, gm).pk)
    assert [(one.who, one.at_round) for one in made.all_reserves] == [((PIRATE,), 4)]


@pytest.mark.slow
def test_no_page_of_others_has_a_byte_of_them(prepared: Encounter) -> None:
    """Everything that players and watchers open, before and after the fight begins."""
    submit(prepared.pk, Submission("join", {"block": "pirate_example", "side": "enemies", "name": KARG}))
    (karg,) = (one.id for one in present(state_of(prepared.pk)) if one.name == KARG)
    submit(prepared.pk, Submission("hold_back", {"targets": [karg], "when": "round", "at_round": 9}))
    people = gather(prepared, ZARA, MARCUS)
    newcomer = come(prepared, ShareLink.PLAY, "Nia")
    for _ in range(2):
        assert KARG in people.gm.get(f"/encounters/{prepared.pk}/").content.decode()
        for client in (people.player, people.watcher, newcomer):
            for page in ("", "log/", "export/?as=text", "report/", "dice/"):
                told = client.get(f"/encounters/{prepared.pk}/{page}").content.decode()
                assert KARG not in told, page
                assert not re.search(rf'"{karg}\b', told), page
                assert 'id="reserves"' not in told, page
                assert "joins (enemies)" not in told, page
        if load(prepared.pk).phase == "prep":
            submit(prepared.pk, Submission("start", {}))


def test_only_those_who_run_the_table_hold_back_or_bring_in(cast: Cast, started: Encounter) -> None:
    submit(started.pk, Submission("hold_back", {"targets": [PIRATE]}))
    table, here = f"/encounters/{started.pk}/", f"/encounters/{started.pk}/prep/"
    for role in ("player", "other", "watcher"):
        assert cast[role].post(table, {"do": "arrive", "reserve": "r1"}).status_code == 403
        assert cast[role].post(table, {"do": "drop_reserve", "reserve": "r1"}).status_code == 403
        assert cast[role].post(here, {"do": "hold_back", "targets": ZARA}).status_code in (403, 404)
    assert cast.co_gm.post(table, {"do": "arrive", "reserve": "r1"}).status_code == 303


@pytest.mark.parametrize("phase", ["prepared", "started"])
def test_who_is_added_to_arrive_later_is_never_shown_before(
    request: pytest.FixtureRequest, phase: str
) -> None:
    encounter: Encounter = request.getfixturevalue(phase)
    cast = gather(encounter, ZARA, MARCUS)
    now = load(encounter.pk)
    stamps = now.public, now.seated
    fields = {
        "do": "join",
        "block": "pirate_example",
        "count": "2",
        "name": KARG,
        "side": "enemies",
        "later": "on",
    }
    answer = cast.gm.post(f"/encounters/{encounter.pk}/prep/", fields)
    assert answer.status_code == 303
    assert answer["Location"].endswith("?reserve=r1#waiting")
    page = read(cast.gm.get(answer["Location"]))
    assert f"{KARG} 1" in page.one(id="waiting").text
    assert page.one("select", id="plan-when")
    now = load(encounter.pk)
    assert (now.public, now.seated) == stamps, "no page of a player looks again"
    for who in (cast.player, cast.watcher):
        for part in ("", "log/"):
            assert KARG not in who.get(f"/encounters/{encounter.pk}/{part}").content.decode()
    state = state_of(encounter.pk)
    (waiting,) = state.all_reserves
    assert all(state.combatants[one].gone and one not in state.order for one in waiting.who)
    submit(encounter.pk, Submission("arrive", {"reserve": "r1"}, by="gm"))
    seen = cast.player.get(f"/encounters/{encounter.pk}/").content.decode()
    assert f"{KARG} 1" in seen
    assert f"{KARG} 2" in seen


def test_hidden_latecomers_arrive_hidden_and_undo_reverts_all(visit: Visit) -> None:
    before = state_of(visit.pk)
    said = {
        "block": "pirate_example",
        "count": "1",
        "name": KARG,
        "side": "enemies",
        "hidden": "on",
        "later": "on",
    }
    assert prep(visit, do="join", **said).status_code == 303
    submit(visit.pk, Submission("arrive", {"reserve": "r1"}, by="gm"))
    (karg,) = (one for one in present(state_of(visit.pk)) if one.name == KARG)
    assert karg.hidden
    undo(visit.pk)
    undo(visit.pk)
    assert state_of(visit.pk).combatants.keys() == before.combatants.keys()


def test_people_of_notes_arrive_later_too(visit: Visit) -> None:
    notes = "2 pirate (example), 1 pirate (example)"
    said = {"notes": notes, "side": "enemies", "later": "on"}
    seen = read(prep(visit, do="read", **said)).one("input", name="seen")["value"]
    assert prep(visit, do="people", seen=seen, **said).status_code == 303
    state = state_of(visit.pk)
    assert [len(one.who) for one in state.all_reserves] == [2, 1]


@pytest.mark.parametrize("page", ["prep/", "prep/people/"])
def test_forms_offer_to_arrive_later_before_they_offer_to_hide(visit: Visit, page: str) -> None:
    """Someone who is added in sight and then held back was there between: the one step comes first."""
    ticks = [one["name"] for one in read(visit.get(page)).all("input") if one["type"] == "checkbox"]
    pairs = [name for name in ticks if name in ("later", "hidden")]
    assert pairs
    assert pairs == ["later", "hidden"] * (len(pairs) // 2)
