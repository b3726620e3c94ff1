"""The app on a phone: it starts at the seat of this browser, and keeps the screen on there."""

from __future__ import annotations

import pytest

from combat.models import Encounter, Seat
from tests.combat.cast import Cast
from tests.combat.visit import ZARA, demo_fight


@pytest.mark.parametrize("role", ["player", "other", "watcher"])
def test_app_starts_at_the_seat_of_a_fight_that_runs(cast: Cast, started: Encounter, role: str) -> None:
    assert cast[role].get("/seat/").headers["Location"] == f"/encounters/{started.pk}/"


@pytest.mark.parametrize("role", ["gm", "revoked", "stranger", "nobody"])
def test_app_starts_at_home_without_a_seat(cast: Cast, role: str) -> None:
    assert cast[role].get("/seat/").headers["Location"] == "/"


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


@pytest.mark.parametrize(
    ("role", "awake"), [("gm", False), ("player", True), ("other", True), ("watcher", True)]
)
def test_screen_stays_on_at_seats_while_a_fight_runs(
    cast: Cast, started: Encounter, role: str, awake: bool
) -> None:
    page = cast[role].get(f"/encounters/{started.pk}/").content.decode()
    assert ('data-awake="yes"' in page) is awake
    assert ('data-awake=""' in page) is not awake
