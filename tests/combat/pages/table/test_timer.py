"""The timer of a turn: by the server's time, for all who see whose turn it is; it ends nothing."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from time_machine import travel

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, begins_turn, submit, undo
from combat.rules.core.state.state import State, replace
from tests.combat.cast import Cast
from tests.combat.visit import Visit, load, read, state_of
from tests.typed import sure

EVERYBODY = ("gm", "co_gm", "player", "other", "watcher")


def set_timer(encounter: Encounter, seconds: int = 60) -> None:
    submit(encounter.pk, Submission("set_option", {"key": "turn_seconds", "value": seconds}))


def find_timer(client: Any, encounter: Encounter) -> dict[str, str] | None:
    """The timer of a page, as its script reads it."""
    found = [
        one.attrs for one in read(client.get(f"/encounters/{encounter.pk}/")).all("span") if one["data-timer"]
    ]
    return found[0] if found else None


def test_no_timer_unless_the_gm_wants_one(cast: Cast, started: Encounter) -> None:
    assert find_timer(cast.player, started) is None
    set_timer(started, 90)
    timer = sure(find_timer(cast.player, started))
    assert timer["data-timer"] == "90"
    assert "90 s a turn" in cast.player.get(f"/encounters/{started.pk}/").content.decode()
    set_timer(started, 0)
    assert find_timer(cast.player, started) is None


@pytest.mark.slow
def test_all_count_from_the_same_moment(cast: Cast, started: Encounter) -> None:
    set_timer(started)
    began = sure(load(started.pk).turn_began)
    wanted = str(int(began.timestamp() * 1000))
    for role in EVERYBODY:
        timer = find_timer(cast[role], started)
        assert timer is not None, role
        assert timer["data-began"] == wanted, role
        assert 'name="server-time"' in cast[role].get(f"/encounters/{started.pk}/").content.decode()


def test_only_next_turn_and_undo_restart_the_timer(started: Encounter) -> None:
    first = sure(load(started.pk).turn_began)
    with travel(first + timedelta(seconds=30), tick=False):
        submit(started.pk, Submission("note", {"text": "Hm."}))
        assert load(started.pk).turn_began == first
        submit(started.pk, Submission("next_turn"))
        assert load(started.pk).turn_began == timezone.now()
    with travel(first + timedelta(seconds=60), tick=False):
        undo(started.pk)
        assert load(started.pk).turn_began == timezone.now()


def test_when_a_hidden_one_began_is_not_told(cast: Cast, started: Encounter) -> None:
    set_timer(started)
    who = state_of(started.pk).active
    submit(started.pk, Submission("next_turn"))
    hidden = state_of(started.pk).active
    assert hidden != who
    submit(started.pk, Submission("hide", {"target": hidden}))
    assert find_timer(cast.watcher, started) is None
    assert find_timer(cast.gm, started) is not None


@pytest.mark.parametrize(
    ("before", "after", "wanted"),
    [
        ({"active": "f1"}, {"active": "f2"}, True),
        ({"active": "f1"}, {"active": "f1"}, False),
        ({"active": "f1", "round": 1}, {"active": "f1", "round": 2}, True),
        ({"active": "f1"}, {"active": "", "round": 2}, False),
        ({"active": "f1", "sharing": ("f2", "f3")}, {"active": "f2", "sharing": ("f3",)}, False),
        ({"active": "f1", "sharing": ("f2",)}, {"active": "f3", "sharing": ("f2",)}, True),
    ],
)
def test_turn_begins_when_someone_comes_to_act(before: Any, after: Any, wanted: bool) -> None:
    start = State("cosmos", phase="fight", round=1)
    assert begins_turn(replace(start, **before), replace(start, **after)) is wanted


def test_seconds_that_make_no_timer_are_refused(plain_visit: Visit) -> None:
    for seconds in ("-1", "3601", "soon"):
        assert plain_visit.refused("set_option", 422, key="turn_seconds", value=seconds)
