"""The app on a phone: it starts at the seat of this browser, and keeps the screen on there."""

from __future__ import annotations

import re

import pytest

from combat.models import Encounter, Seat
from tests.combat.cast import ROLES, Cast
from tests.combat.visit import ZARA, demo_fight


@pytest.mark.slow
def test_app_starts_at_the_seat_of_a_fight_that_runs_or_at_home(cast: Cast, started: Encounter) -> None:
    table = f"/encounters/{started.pk}/"
    for role in ROLES:
        found = cast[role].get("/seat/").headers["Location"]
        assert found == (table if role in ("co_gm", "player", "other", "watcher") else "/"), role


def test_app_starts_at_home_after_the_fight(cast: Cast, started: Encounter) -> None:
    Encounter.objects.filter(pk=started.pk).update(phase="over")
    assert cast.player.get("/seat/").headers["Location"] == "/"


def test_fight_that_runs_is_before_a_newer_one_that_is_prepared(cast: Cast, started: Encounter) -> None:
    newer = demo_fight(started.owner)
    seat = next(seat for seat in started.seats.all() if seat.combatants == [ZARA])
    Seat.objects.create(encounter=newer, name=seat.name, kind=seat.kind, digest=seat.digest)
    assert cast.player.get("/seat/").headers["Location"] == f"/encounters/{started.pk}/"
    Encounter.objects.filter(pk=started.pk).update(phase="over")
    assert cast.player.get("/seat/").headers["Location"] == f"/encounters/{newer.pk}/"


def test_screen_stays_on_at_seats_while_a_fight_runs(cast: Cast, started: Encounter) -> None:
    for role in ("gm", "player", "other", "watcher"):
        page = cast[role].get(f"/encounters/{started.pk}/").content.decode()
        (awake,) = re.findall(r'data-awake="(\w*)"', page)
        assert awake == ("" if role == "gm" else "yes"), role
