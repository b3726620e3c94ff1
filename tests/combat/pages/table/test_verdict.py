"""A side that can no longer fight: what the table page tells each side, and what stops."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from combat.models import Encounter
from combat.play.autopilot import autoplay
from combat.play.whatif.forecast_jobs import start
from combat.play.writing.encounter_service import Submission, submit
from combat.rules.core.basics.errors import Refused
from tests.combat.cast import Cast
from tests.combat.markup import Page
from tests.combat.visit import DEMO, PIRATE, begun, load, play, state_of

ASKS = "out: end the fight?"
IN_SIGHT = "Of those in sight, only the"


def strike_down(encounter: Encounter, who: str) -> None:
    submit(encounter.pk, Submission("give_condition", {"target": who, "kind": "unconscious"}, by="gm"))


def hide_lurker(encounter: Encounter) -> str:
    who = f"f{state_of(encounter.pk).made + 1}"
    lurker = {"block": "pirate_example", "name": "Vantlurker", "side": "lurkers", "hidden": True}
    submit(encounter.pk, Submission("join", lurker, by="gm"))
    return who


def read(client: Client, encounter: Encounter) -> str:
    return client.get(f"/encounters/{encounter.pk}/").content.decode()


def test_everybody_reads_it_and_the_gm_can_end_it(started: Encounter, cast: Cast) -> None:
    for role in ("gm", "player", "watcher"):
        page = read(cast[role], started)
        assert ASKS not in page
        assert IN_SIGHT not in page
        assert ("do=suggest" in page) == (role != "watcher")
    strike_down(started, PIRATE)
    page = read(cast.gm, started)
    assert f"The {state_of(started.pk).combatants[PIRATE].side} are {ASKS}" in page
    for role in ("player", "other", "watcher"):
        page = read(cast[role], started)
        assert IN_SIGHT in page
        assert "end_fight" not in page
        assert ASKS not in page
        assert "do=suggest" not in page
    answer = cast.gm.post(
        f"/encounters/{started.pk}/", {"do": "end_fight", "version": load(started.pk).stamp(True)}
    )
    assert answer.status_code == 303
    for role in ("gm", "player", "watcher"):
        page = read(cast[role], started)
        assert page.count("Still standing: Zara, Marcus (") >= 2, "in the log and on the page"


def test_going_on_is_possible_and_waking_ends_the_line(started: Encounter, cast: Cast) -> None:
    strike_down(started, PIRATE)
    answer = cast.gm.post(
        f"/encounters/{started.pk}/", {"do": "next_turn", "version": load(started.pk).stamp(True)}
    )
    assert answer.status_code == 303
    assert ASKS in read(cast.gm, started)
    (held,) = [c for c in state_of(started.pk).combatants[PIRATE].conditions if c.kind == "unconscious"]
    submit(started.pk, Submission("take_condition", {"target": PIRATE, "condition": held.id}, by="gm"))
    assert ASKS not in read(cast.gm, started)


def test_a_hidden_one_who_stands_changes_nothing_players_read(started: Encounter, cast: Cast) -> None:
    lurker = hide_lurker(started)
    strike_down(started, PIRATE)
    assert ASKS not in read(cast.gm, started)
    seen = {role: read(cast[role], started) for role in ("player", "watcher")}
    assert all(IN_SIGHT in page for page in seen.values())
    strike_down(started, lurker)
    assert ASKS in read(cast.gm, started)
    for role, page in seen.items():
        after = read(cast[role], started)
        assert _lines(after) == _lines(page)
        assert "lurker" not in after


def _lines(page: str) -> list[str]:
    return [line for line in page.splitlines() if IN_SIGHT in line]


def test_the_end_says_nothing_of_the_hidden(started: Encounter, cast: Cast) -> None:
    hide_lurker(started)
    submit(started.pk, Submission("end_fight", {}, by="gm"))
    assert "Vantlurker" in read(cast.gm, started)
    for role in ("player", "watcher"):
        page = read(cast[role], started)
        assert "Still standing: " in page
        assert "lurker" not in page


def test_the_autopilot_stops_and_says_why(started: Encounter, gm_client: Client) -> None:
    strike_down(started, PIRATE)
    for everybody in (False, True):
        with pytest.raises(Refused, match="are out: end the fight, or play on by hand"):
            autoplay(started.pk, everybody=everybody)
    page = Page(gm_client.get(f"/encounters/{started.pk}/", {"do": "suggest"}).content.decode())
    assert IN_SIGHT in page.one(id="notice").text


def test_the_autopilot_stops_in_the_middle_of_a_turn(prepared: Encounter) -> None:
    play(prepared.pk, DEMO.script[:1])
    submit(prepared.pk, Submission("adjust", {"target": PIRATE, "track": "hp", "to": 1}, by="gm"))
    for _ in range(40):
        steps = load(prepared.pk).steps
        try:
            autoplay(prepared.pk)
        except Refused:
            break
    state = state_of(prepared.pk)
    assert load(prepared.pk).steps == steps
    assert state.phase == "fight"
    assert state.active


def test_the_forecast_does_not_begin(started: Encounter, gm: User) -> None:
    strike_down(started, PIRATE)
    with pytest.raises(Refused, match="two sides that can still fight"):
        start(load(started.pk), state_of(started.pk))


def test_those_who_surrender_no_longer_stand(gm: User) -> None:
    """RULING R36: they are conscious, but out of the fight."""
    fight = begun(gm, "cepheus")
    for who in ("f4", "f5"):
        submit(fight.pk, Submission("give_condition", {"target": who, "kind": "surrendered"}, by="gm"))
    client = Client()
    client.force_login(gm)
    assert "The pirates are " + ASKS in read(client, fight)
    submit(fight.pk, Submission("end_fight", {}, by="gm"))
    assert "Still standing: Kaja, Rui, Dov (crew)." in read(client, fight)
