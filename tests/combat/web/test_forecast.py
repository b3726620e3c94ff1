"""The forecast page: a thousand fights in another process, shown as they come, and cancelled."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from django.test import Client

from combat import forecasting
from combat.demo import make_demo_fight
from combat.models import Encounter
from combat.play import create_encounter
from combat.rules import find_system
from combat.rules.core.forecast import find_error

SLUG = find_system("cosmos").slug


@pytest.fixture
def fight(gm) -> Encounter:
    """The demo fight before initiative."""
    return make_demo_fight(gm, SLUG)


@pytest.fixture(autouse=True)
def let_worker_go() -> Iterator[None]:
    """No worker process outlives a test."""
    yield
    forecasting.close()


def wait_for(encounter: Encounter, seconds: float = 60) -> forecasting.Job:
    """The job once it has stopped."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        job = forecasting.read_job(encounter.pk)
        if job and not job.running:
            return job
        time.sleep(0.05)
    raise AssertionError("the forecast did not finish")


def test_forecast_plays_all_fights_and_shows_them(gm_client: Client, fight: Encounter) -> None:
    address = f"/encounters/{fight.pk}/forecast/"
    gm_client.post(address, {"do": "start"})
    job = forecasting.read_job(fight.pk)
    assert job
    job.wanted = 50
    forecasting._keep(fight.pk, job)
    done = wait_for(fight)
    assert not done.failed
    assert done.done >= 50
    page = gm_client.get(address).content.decode()
    assert f"{done.done} fights played" in page
    assert "crew" in page


def test_forecast_is_cancelled_and_keeps_what_it_found(gm_client: Client, fight: Encounter) -> None:
    address = f"/encounters/{fight.pk}/forecast/"
    gm_client.post(address, {"do": "start"})
    gm_client.post(address, {"do": "cancel"})
    job = wait_for(fight)
    assert job.cancelled
    assert job.done < job.wanted


def test_second_start_joins_the_running_job(gm_client: Client, fight: Encounter) -> None:
    first = forecasting.start(fight)
    assert forecasting.start(fight).id == first.id
    forecasting.cancel(fight.pk)


def test_all_the_fights_and_no_more_are_played_by_several_workers(
    fight: Encounter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forecasting, "WORKERS", 2)
    job = forecasting.start(fight)
    job.wanted = 30
    forecasting._keep(fight.pk, job)
    assert wait_for(fight).done == 30


def test_forecast_that_lost_its_worker_is_said_to_have_failed_and_begins_anew(fight: Encounter) -> None:
    forecasting.start(fight)
    for process in forecasting._pool[0]._processes.values():
        process.kill()
    assert wait_for(fight).failed
    again = forecasting.start(fight)
    assert again.running
    again.wanted = 10
    forecasting._keep(fight.pk, again)
    assert not wait_for(fight).failed


def test_forecast_needs_two_sides(gm_client: Client, gm) -> None:
    empty = create_encounter(gm, SLUG, "Nobody")
    answer = gm_client.post(f"/encounters/{empty.pk}/forecast/", {"do": "start"})
    assert answer.status_code == 409
    assert "two sides" in answer.content.decode()


def test_band_narrows_with_the_fights_and_is_never_nothing() -> None:
    bands = [find_error(0.5, n) for n in (10, 100, 1000)]
    assert bands == sorted(bands, reverse=True)
    assert find_error(1.0, 100) > 0
