"""The hosted table: PostgreSQL, Redis, and two workers that know of each other."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from functools import partial

import psycopg
import pytest
import redis

from tests.combat.live.test_live import LIVE, TABLE, hurt
from tests.combat.server import Ears, Guest, Server, Site, come, set_up, sign_in, wait_for
from tests.combat.services import REDIS_URL, needs_services
from tests.combat.together import at_once
from tests.site.hosting.table import ALL_IS_WELL

pytestmark = [needs_services, pytest.mark.slow]


@pytest.fixture(scope="module")
def site(database: str, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A hosted table, set up."""
    with redis.Redis.from_url(REDIS_URL) as connection:
        connection.flushdb()
    return set_up(tmp_path_factory.mktemp("hosted"), DATABASE_URL=database, REDIS_URL=REDIS_URL)


@pytest.fixture(scope="module")
def workers(site: Site) -> Iterator[tuple[Server, Server]]:
    with site.serve() as one, site.serve() as other:
        yield one, other


@pytest.fixture(scope="module")
def gm(site: Site, workers: tuple[Server, Server]) -> Guest:
    """Its game master, who has begun the fight."""
    gm = sign_in(workers[0].port, site.link)
    assert gm.post(TABLE, do="start", dice="app") == 303
    return gm


def test_everything_is_well_and_kept_in_postgresql(gm: Guest, database: str) -> None:
    assert gm.get("/healthz") == 200
    assert gm.page == ALL_IS_WELL
    with psycopg.connect(database) as connection:
        names = connection.execute("SELECT name, phase FROM combat_encounter").fetchall()
    assert [phase for _, phase in names] == ["fight"]


def test_signed_in_here_is_signed_in_there(gm: Guest, workers: tuple[Server, Server]) -> None:
    for worker in workers:
        assert gm.get("/encounters/", port=worker.port) == 200


def test_action_at_one_worker_reaches_streams_at_the_other(
    gm: Guest, workers: tuple[Server, Server], ears: Ears
) -> None:
    """How many streams one worker bears: test_live.py."""
    ports = [worker.port for worker in workers]
    cast = [come(gm, TABLE, kind, kind) for kind in ("watch", "play")]
    all_ears = [ears.add(cast[n % 2], LIVE, port=ports[n // 2 % 2]) for n in range(40)]
    wait_for(lambda: all(ear.last for ear in all_ears), 60)
    for n in range(12):
        hurt(gm, port=ports[n % 2])
    wanted = [guest.version(TABLE) for guest in cast]
    wait_for(lambda: all(ear.last == wanted[n % 2] for n, ear in enumerate(all_ears)), 10)
    assert min(len(ear.stamps) for ear in all_ears) > 6, "a busy stream skips some"
    assert all(ear.connects == 1 for ear in all_ears)


def test_one_of_two_people_at_two_workers_wins_the_other_is_told(
    gm: Guest, workers: tuple[Server, Server]
) -> None:
    for _ in range(8):
        body = {"do": "adjust", "target": "f1", "track": "hp", "points": "1", "sign": "-"}
        body["version"] = gm.version(TABLE)
        twins = []
        for worker in workers:
            twin = Guest(worker.port)
            twin.cookies = dict(gm.cookies)
            assert twin.get("/encounters/") == 200
            twins.append(partial(twin.ask, "POST", TABLE, twin.fill(**body)))
        found = at_once(*twins)
        assert {*found} == {303, 409}


def test_nothing_is_lost_when_many_act_without_a_version(
    gm: Guest, workers: tuple[Server, Server], database: str
) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        (before,) = connection.execute("SELECT steps FROM combat_encounter WHERE id = 1").fetchone() or (0,)
        at_once(*[partial(hurt, gm, workers[n % 2].port) for n in range(12)])
        numbers = connection.execute("SELECT number FROM combat_storedstep WHERE encounter_id = 1").fetchall()
        (after,) = connection.execute("SELECT steps FROM combat_encounter WHERE id = 1").fetchone() or (0,)
    assert after == before + 12
    assert sorted(n for (n,) in numbers) == list(range(1, after + 1))


def test_history_on_postgresql_is_verified(gm: Guest) -> None:
    assert gm.get(f"{TABLE}log/?verify") == 200
    assert "Verified" in gm.page


def test_revoking_at_one_worker_ends_streams_at_the_other(
    gm: Guest, workers: tuple[Server, Server], ears: Ears
) -> None:
    player = come(gm, TABLE, "play", "Pia")
    ear = ears.add(player, LIVE, port=workers[1].port)
    wait_for(lambda: ear.last)
    assert player.post(f"{TABLE}leave/", form=TABLE, port=workers[0].port) == 302
    wait_for(lambda: not ear.open, 5)
    assert ear.heard[-1][0] == "ended"


def test_who_loses_a_worker_goes_to_the_other_and_misses_nothing(
    gm: Guest, site: Site, workers: tuple[Server, Server], ears: Ears
) -> None:
    stays = workers[1].port
    watcher = come(gm, TABLE, "watch", "Wim")
    with site.serve() as doomed:
        there = [ears.add(watcher, LIVE, port=doomed.port, ports=[stays]) for _ in range(20)]
        here = [ears.add(watcher, LIVE, port=stays) for _ in range(20)]
        wait_for(lambda: all(ear.last for ear in (*there, *here)))
        for n in range(20):
            hurt(gm, port=stays)
            if n == 10:
                doomed.stop(signal.SIGKILL)
    wanted = watcher.version(TABLE, port=stays)
    wait_for(lambda: all(ear.last == wanted for ear in (*there, *here)), 10)
    assert {ear.connects for ear in there} == {2}
    assert {ear.connects for ear in here} == {1}


def test_table_goes_on_without_redis_being_told(gm: Guest, site: Site, database: str) -> None:
    """A change is kept and shown even if the news of it cannot be sent."""
    deaf = Site({**site.environment, "REDIS_URL": "redis://127.0.0.1:1/0"}, "")
    with deaf.serve() as server:
        lonely = Guest(server.port)
        lonely.cookies = dict(gm.cookies)
        assert lonely.get("/healthz") == 503
        before = lonely.version(TABLE)
        hurt(lonely)
        assert lonely.version(TABLE) != before
