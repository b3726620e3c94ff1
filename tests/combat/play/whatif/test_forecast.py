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

from combat.models import Branch, Encounter
from combat.play.whatif import forecast_jobs, workers
from combat.play.whatif.branches import unpack
from combat.play.whatif.forecast_jobs import FIGHTS
from combat.play.writing.encounter_service import Submission, create_encounter, read_state, submit
from combat.rules import find_system, play_chunk
from combat.rules.core.odds.forecast import CHUNK, CLOSE, LEAST, Ending, half_margin, is_settled
from combat.rules.core.state.state import present
from cosmos_site.asgi import Site
from cosmos_site.serving import PageThreads
from tests.combat.visit import MARCUS, PIRATE, ZARA, demo_fight, load, read
from tests.typed import sure

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


def wait_for(encounter: Encounter, seconds: float = 60, place: str = "") -> forecast_jobs.Job:
    """Wait for the job of an encounter, or of another `place`, to stop; return it."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        job = forecast_jobs.read_job(place or encounter.pk)
        if job and not job.running:
            return job
        time.sleep(0.05)
    raise AssertionError("the forecast did not finish")


@pytest.mark.slow
def test_forecast_plays_until_chances_are_known_and_shows_them(gm_client: Client, fight: Encounter) -> None:
    address = f"/encounters/{fight.pk}/forecast/"
    gm_client.post(address, {"do": "start"})
    done = wait_for(fight)
    assert not done.failed
    assert done.done >= LEAST
    assert done.closeness <= CLOSE
    page = gm_client.get(address).content.decode()
    assert f"{done.done} fights played" in page
    assert f"±{done.within}" in page
    assert "crew" in page
    assert page.count('class="curve-band"') == 1
    assert "Who is likely to fall" in page
    assert f'hx-get="{address}' not in page
    assert "The same as numbers" in page
    assert "style=" not in page


@pytest.mark.slow
def test_forecast_begins_by_itself_and_again_as_the_fight_moves(gm_client: Client, fight: Encounter) -> None:
    address = f"/encounters/{fight.pk}/forecast/"
    assert AGAIN in gm_client.get(address).content.decode()
    gm_client.post(address, {"do": "start"})
    done = wait_for(fight)
    assert AGAIN not in gm_client.get(address).content.decode()
    submit(fight.pk, Submission("duplicate", {"target": PIRATE}))
    page = gm_client.get(address).content.decode()
    assert AGAIN in page
    assert "has moved on since" in page
    gm_client.post(address, {"do": "start"})
    again = sure(forecast_jobs.read_job(fight.pk))
    assert again.id != done.id


@pytest.mark.slow
def test_forecast_at_the_table_begins_on_opening_as_on_its_page(gm_client: Client, fight: Encounter) -> None:
    table, panel = f"/encounters/{fight.pk}/", f"/encounters/{fight.pk}/prep/odds/"
    fold = read(gm_client.get(table)).one("details", id="chances")
    assert "open" not in fold.attrs
    assert forecast_jobs.read_job(fight.pk) is None
    asks = {"HX-Request": "true"}
    assert f'hx-post="{panel}"' in gm_client.get(panel, headers=asks).content.decode(), "it begins by itself"
    gm_client.post(panel, headers=asks)
    done = wait_for(fight)
    shown = gm_client.get(panel, headers=asks).content.decode()
    assert f"{done.done} fights" in shown
    assert f'hx-post="{panel}"' not in shown
    assert f"{done.done} fights played" in gm_client.get(f"{table}forecast/").content.decode()
    submit(fight.pk, Submission("duplicate", {"target": PIRATE}))
    assert f'hx-post="{panel}"' in gm_client.get(panel, headers=asks).content.decode(), "the fight went on"


@pytest.mark.slow
def test_running_forecast_of_an_older_fight_gives_way(fight: Encounter) -> None:
    first = forecast_jobs.start(fight, read_state(fight))
    newer = forecast_jobs.begin(fight.pk, "later", SLUG, read_state(fight))
    assert newer.id != first.id
    assert wait_for(fight).id == newer.id


def test_forecast_ends_after_the_fights_it_was_given(fight: Encounter) -> None:
    forecast_jobs.begin(fight.pk, "1", SLUG, read_state(fight), most=CHUNK)
    job = wait_for(fight)
    assert (job.done, job.needed, job.settled) == (CHUNK, CHUNK, True)


@pytest.mark.slow
def test_changes_are_tried_when_asked_and_the_fight_stays_as_is(gm_client: Client, fight: Encounter) -> None:
    address = f"/encounters/{fight.pk}/forecast/"
    gm_client.post(address, {"do": "start"})
    wait_for(fight)
    page = gm_client.get(address).content.decode()
    assert all(words in page for words in ("Without Zara", "Without Marcus", "One more Pirate"))
    assert "Without Pirate" not in page, "nobody would be left to fight"
    assert "One more Zara" not in page
    assert gm_client.post(address, {"do": "try:all"}).status_code == 303
    places = [f"{fight.pk}:{key}" for key in (f"remove:{ZARA}", f"remove:{MARCUS}", f"duplicate:{PIRATE}")]
    jobs = [wait_for(fight, place=place) for place in places]
    assert [job.done for job in jobs] == [FIGHTS] * 3
    assert [len(job.side_of) for job in jobs] == [2, 2, 4]
    page = gm_client.get(address).content.decode()
    assert page.count('class="change-moved"') == 3
    opened = gm_client.post(address, {"do": f"branch:remove:{ZARA}"})
    assert opened["Location"] == f"/encounters/{fight.pk}/whatif/1/"
    assert unpack(Branch.objects.get().state).combatants[ZARA].gone
    assert gm_client.post(address, {"do": "branch:remove:nobody"}).status_code == 409
    assert Branch.objects.count() == 1
    assert read_state(load(fight.pk)) == read_state(fight)


def test_forecast_is_cancelled_and_keeps_what_it_found(gm_client: Client, fight: Encounter) -> None:
    address = f"/encounters/{fight.pk}/forecast/"
    gm_client.post(address, {"do": "start"})
    gm_client.post(address, {"do": "cancel"})
    job = wait_for(fight)
    assert job.cancelled
    assert not job.settled


def test_of_two_jobs_made_at_once_one_is_played(fight: Encounter, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of two posts has made its job before either of them is begun."""
    played: list[str] = []
    monkeypatch.setattr(forecast_jobs, "_submit", lambda place, job, number, **more: played.append(job.id))
    one, other = (forecast_jobs.Job(name, "now", fight.system) for name in ("one", "other"))
    for job in (one, other):
        assert forecast_jobs.launch(fight.pk, job, play_chunk, b"").id == "one"
    assert set(played) == {"one"}


def test_second_start_joins_the_running_job(gm_client: Client, fight: Encounter) -> None:
    first = forecast_jobs.start(fight, read_state(fight))
    assert forecast_jobs.start(fight, read_state(fight)).id == first.id
    forecast_jobs.cancel(fight.pk)


@pytest.mark.parametrize("workers_count", [1, 2, 4])
def test_one_seed_gives_one_forecast_in_any_order_of_chunks(
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
    job = sure(forecast_jobs.read_job(fight.pk))
    chunks = itertools.count(70)
    expected: list[Ending] = []
    while not is_settled(expected):
        expected += play(next(chunks))
    assert job.settled
    assert job.endings == expected
    assert 500 < job.done <= 610, "an even fight"


@pytest.mark.slow
def test_forecast_that_lost_its_worker_says_so_and_begins_again(fight: Encounter) -> None:
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
    again = sure(forecast_jobs.read_job(fight.pk))
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
    worker_pool = SimpleNamespace(threads=PageThreads(cast("Any", None), 1))
    asyncio.run(cast("Any", Site)(worker_pool, worker_pool, None, None, None).run_lifespan(receive, send))
    assert sent[-1] == "lifespan.shutdown.complete"
    assert not workers.is_open()
    job = sure(forecast_jobs.read_job(fight.pk))
    assert job.stopped


def test_forecast_not_heard_of_for_long_is_lost(fight: Encounter) -> None:
    forecast_jobs.start(fight, read_state(fight))
    with time_machine.travel(time.time() + forecast_jobs.LOST_SECONDS + 1):
        job = sure(forecast_jobs.read_job(fight.pk))
        assert job.lost
        assert not job.running


def test_forecast_needs_two_sides(gm_client: Client, gm: User) -> None:
    empty = create_encounter(gm, SLUG, "Nobody")
    address = f"/encounters/{empty.pk}/forecast/"
    page = gm_client.get(address).content.decode()
    assert "two sides" in page
    assert AGAIN not in page
    answer = gm_client.post(address, {"do": "start"})
    assert answer.status_code == 409
    assert "two sides" in answer.content.decode()


def test_band_narrows_with_the_fights_and_is_never_nothing() -> None:
    bands = [half_margin(0.5, n) for n in (10, 100, 1000)]
    assert bands == sorted(bands, reverse=True)
    assert half_margin(1.0, 100) > 0


def test_forecast_with_those_who_arrive_later_is_another_one(fight: Encounter, gm_client: Client) -> None:
    """As planned, in a round, or (at first) without them."""
    submit(fight.pk, Submission("join", {"block": "pirate_example", "side": "enemies", "count": 3}))
    who = [one.id for one in present(read_state(load(fight.pk)))[3:]]
    submit(fight.pk, Submission("hold_back", {"targets": who, "when": "round", "at_round": 9}))
    address = f"/encounters/{fight.pk}/forecast/"
    assert "all arrive in round 3" in gm_client.get(address).content.decode()
    for query in ("", "?reserves=2"):
        assert gm_client.post(f"{address}{query}", {"do": "start"}).status_code == 303
    alone, all_of_them = (forecast_jobs.read_job(place) for place in (fight.pk, f"{fight.pk}:with:2"))
    assert alone
    assert all_of_them
    assert all_of_them.names.keys() - alone.names.keys() == set(who)
    assert "all arrive in round 2" in gm_client.get(f"{address}?reserves=2").content.decode()
    submit(fight.pk, Submission("duplicate", {"target": PIRATE}))
    spare = present(read_state(load(fight.pk)))[-1].id
    submit(fight.pk, Submission("hold_back", {"targets": [spare], "when": "hand"}))
    gm_client.post(f"{address}?reserves=planned", {"do": "start"})
    planned = sure(forecast_jobs.read_job(f"{fight.pk}:with:planned"))
    assert planned.names.keys() == all_of_them.names.keys(), "nobody brings the spare in by hand"
    wrong = gm_client.get(f"{address}?reserves=soon")
    assert wrong.status_code == 422
    assert "Choose from the list when they arrive." in wrong.content.decode()
