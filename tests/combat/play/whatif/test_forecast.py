"""The forecast page: fights in another process, shown as they finish, until the chances are known."""

from __future__ import annotations

import asyncio
import itertools
import random
import secrets
import time
from collections.abc import Iterator
from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any, cast

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client

from combat.models import Encounter
from combat.play.whatif import forecast_jobs, workers
from combat.play.writing.encounter_service import create_encounter, read_state
from combat.rules import find_system
from combat.rules.core.odds.forecast import CHUNK, CLOSE, LEAST, Ending, half_margin, is_settled
from cosmos_site.asgi import Site
from cosmos_site.serving.lanes import PageThreads
from tests.combat.visit import demo_fight

AGAIN = 'hx-trigger="load"'
SLUG = find_system("cosmos").slug


@pytest.fixture
def fight(gm: User) -> Encounter:
    """The demo fight before initiative."""
    return demo_fight(gm, SLUG)


@pytest.fixture(autouse=True)
def let_worker_go() -> Iterator[None]:
    """End worker processes with their test."""
    yield
    forecast_jobs.stop()


def wait_for(encounter: Encounter, seconds: float = 60) -> forecast_jobs.Job:
    """Wait for the job to stop; return it."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        job = forecast_jobs.read_job(encounter.pk)
        if job and not job.running:
            return job
        time.sleep(0.05)
    raise AssertionError("the forecast did not finish")


def test_forecast_plays_fights_until_the_chances_are_known_and_shows_them(
    gm_client: Client, fight: Encounter
) -> None:
    address = f"/encounters/{fight.pk}/forecast/"
    gm_client.post(address, {"do": "start"})
    done = wait_for(fight)
    assert not done.failed
    assert done.done >= LEAST
    assert done.closeness <= CLOSE
    page = gm_client.get(address).content.decode()
    assert f"{done.done} fights played" in page
    assert f">{done.within}</b> points" in page
    assert "crew" in page
    assert page.count('class="curve-band"') >= 2
    assert "The same as numbers" in page
    assert "style=" not in page


def test_forecast_is_cancelled_and_keeps_what_it_found(gm_client: Client, fight: Encounter) -> None:
    address = f"/encounters/{fight.pk}/forecast/"
    gm_client.post(address, {"do": "start"})
    gm_client.post(address, {"do": "cancel"})
    job = wait_for(fight)
    assert job.cancelled
    assert not job.settled


def test_second_start_joins_the_running_job(gm_client: Client, fight: Encounter) -> None:
    first = forecast_jobs.start(fight, read_state(fight))
    assert forecast_jobs.start(fight, read_state(fight)).id == first.id
    forecast_jobs.cancel(fight.pk)


@pytest.mark.parametrize("workers_count", [1, 2, 4])
def test_one_seed_gives_one_forecast_in_whatever_order_the_chunks_come(
    fight: Encounter, monkeypatch: pytest.MonkeyPatch, workers_count: int
) -> None:
    """Several workers finish chunks in any order; a chunk counts in its place, and none after the end."""
    under_way: list[tuple[Future[list[Ending]], int]] = []

    def submit(work: object, slug: str, state: bytes, fights: int, seed: int) -> Future[list[Ending]]:
        under_way.append((Future(), seed))
        return under_way[-1][0]

    def play(seed: int) -> list[Ending]:
        dice = random.Random(seed)
        return [Ending((dice.choice(("crew", "pirates")),), seed, ()) for _ in range(CHUNK)]

    monkeypatch.setattr(workers, "WORKERS", workers_count)
    monkeypatch.setattr(workers, "submit", submit)
    monkeypatch.setattr(workers, "is_open", lambda: True)
    monkeypatch.setattr(secrets, "randbits", lambda bits: 70)
    forecast_jobs.start(fight, read_state(fight))
    luck = random.Random(workers_count)
    while under_way:
        future, seed = under_way.pop(luck.randrange(len(under_way)))
        future.set_result(play(seed))
    job = forecast_jobs.read_job(fight.pk)
    assert job
    chunks = itertools.count(70)
    expected: list[Ending] = []
    while not is_settled(expected):
        expected += play(next(chunks))
    assert job.settled
    assert job.endings == expected
    assert 500 < job.done <= 610, "an even fight"


def test_forecast_that_lost_its_worker_is_said_to_have_failed_and_begins_again(fight: Encounter) -> None:
    forecast_jobs.start(fight, read_state(fight))
    for process in workers._pool[0][0]._processes.values():
        process.kill()
    assert wait_for(fight).failed
    again = forecast_jobs.start(fight, read_state(fight))
    assert again.running
    assert not wait_for(fight).failed


def test_forecast_whose_table_stopped_begins_again_at_a_look(gm_client: Client, fight: Encounter) -> None:
    address = f"/encounters/{fight.pk}/forecast/"
    first = forecast_jobs.start(fight, read_state(fight))
    page = gm_client.get(address).content.decode()
    assert f'hx-get="{address}?running=1"' in page
    assert AGAIN not in page
    forecast_jobs.stop()
    assert not workers.is_open()
    page = gm_client.get(address).content.decode()
    assert "The table was stopped after" in page
    assert AGAIN in page
    gm_client.post(address, {"do": "start"})
    again = forecast_jobs.read_job(fight.pk)
    assert again
    assert again.running
    assert again.id != first.id


def test_server_that_stops_ends_the_forecast(fight: Encounter) -> None:
    """The server imports nothing of the table for it: it finds the module by its name."""

    async def receive() -> dict[str, str]:
        return {"type": "lifespan"}

    async def send(message: dict[str, str]) -> None:
        sent.append(message["type"])

    sent: list[str] = []
    forecast_jobs.start(fight, read_state(fight))
    lane = SimpleNamespace(threads=PageThreads(cast("Any", None), 1))
    asyncio.run(cast("Any", Site)(lane, lane, None, None, None).run_lifespan(receive, send))
    assert sent[-1] == "lifespan.shutdown.complete"
    assert not workers.is_open()
    job = forecast_jobs.read_job(fight.pk)
    assert job
    assert job.stopped


def test_forecast_that_nobody_remembers_begins_again_for_whoever_watched_it(
    gm_client: Client, fight: Encounter
) -> None:
    address = f"/encounters/{fight.pk}/forecast/"
    assert AGAIN not in gm_client.get(address).content.decode()
    assert AGAIN in gm_client.get(f"{address}?running=1").content.decode()


def test_forecast_not_heard_of_for_long_is_lost(fight: Encounter) -> None:
    forecast_jobs.start(fight, read_state(fight))
    with time_machine.travel(time.time() + forecast_jobs.LOST_SECONDS + 1):
        job = forecast_jobs.read_job(fight.pk)
        assert job
        assert job.lost
        assert not job.running


def test_forecast_needs_two_sides(gm_client: Client, gm: User) -> None:
    empty = create_encounter(gm, SLUG, "Nobody")
    answer = gm_client.post(f"/encounters/{empty.pk}/forecast/", {"do": "start"})
    assert answer.status_code == 409
    assert "two sides" in answer.content.decode()


def test_band_narrows_with_the_fights_and_is_never_nothing() -> None:
    bands = [half_margin(0.5, n) for n in (10, 100, 1000)]
    assert bands == sorted(bands, reverse=True)
    assert half_margin(1.0, 100) > 0
