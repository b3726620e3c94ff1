"""The hosted table: PostgreSQL, Redis, and two workers that know of each other."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator

import psycopg
import pytest
import redis

from tests.combat.live.test_live import LIVE, TABLE, hurt, say
from tests.combat.server import Ears, Guest, Server, Site, come, set_up, sign_in, wait_for
from tests.combat.services import REDIS_URL, needs_services

pytestmark = [needs_services, pytest.mark.slow]


@pytest.fixture(scope="module")
def site(database: str, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A hosted table, set up."""
    with redis.Redis.from_url(REDIS_URL) as connection:
        connection.flushdb()
    return set_up(tmp_path_factory.mktemp("hosted"), DATABASE_URL=database, REDIS_URL=REDIS_URL)


@pytest.fixture(scope="module")
def workers(site: Site) -> Iterator[tuple[Server, Server]]:
    """Two workers for it."""
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
    assert gm.page == '{"database": "ok", "cache": "ok", "migrations": "ok", "live": "ok", "disk": "ok"}'
    with psycopg.connect(database) as connection:
        names = connection.execute("SELECT name, phase FROM combat_encounter").fetchall()
    assert [phase for _, phase in names] == ["fight"]


def test_signed_in_here_is_signed_in_there(gm: Guest, workers: tuple[Server, Server]) -> None:
    for worker in workers:
        assert gm.get("/encounters/", port=worker.port) == 200


def test_action_at_one_worker_reaches_streams_at_the_other(
    gm: Guest, workers: tuple[Server, Server], ears: Ears, capsys: pytest.CaptureFixture[str]
) -> None:
    ports = [worker.port for worker in workers]
    cast = [come(gm, TABLE, kind, kind) for kind in ("watch", "play")]
    all_ears = [ears.add(cast[n % 2], LIVE, port=ports[n // 2 % 2]) for n in range(200)]
    wait_for(lambda: all(ear.last for ear in all_ears), 60)
    for n in range(50):
        hurt(gm, port=ports[n % 2])
    wanted = [guest.version(TABLE) for guest in cast]
    late = wait_for(lambda: all(ear.last == wanted[n % 2] for n, ear in enumerate(all_ears)), 10)
    told = [len(ear.stamps) for ear in all_ears]
    assert min(told) > 45
    assert all(ear.connects == 1 for ear in all_ears)
    sizes = ", ".join("{:.0f} MB and {} threads".format(*worker.measure()) for worker in workers)
    say(
        capsys,
        f"two workers, 200 streams, 50 actions: told {min(told)} to {max(told)} stamps, all of them "
        f"{1000 * late:.0f} ms after the last page had been read; {sizes}",
    )


def test_of_two_people_at_two_workers_one_wins_and_the_other_is_told(
    gm: Guest, workers: tuple[Server, Server]
) -> None:
    for _ in range(8):
        results = at_once(gm, [worker.port for worker in workers], gm.version(TABLE))
        assert sorted(results) == [303, 409]


def at_once(gm: Guest, ports: list[int], version: str) -> list[int]:
    """The same page sent to two workers at the same moment."""
    gate, results = threading.Barrier(len(ports)), []

    def send(port: int) -> None:
        twin = Guest(port)
        twin.cookies = dict(gm.cookies)
        twin.get(TABLE)
        body = {"do": "adjust", "target": "f1", "track": "hp", "points": "1", "sign": "-", "version": version}
        gate.wait()
        results.append(twin.post(TABLE, form="/encounters/", port=port, **body))

    threads = [threading.Thread(target=send, args=(port,)) for port in ports]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return results


def test_nothing_is_lost_when_many_act_without_a_version(
    gm: Guest, workers: tuple[Server, Server], database: str
) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        (before,) = connection.execute("SELECT steps FROM combat_encounter WHERE id = 1").fetchone() or (0,)
        threads = [threading.Thread(target=hurt, args=(gm, workers[n % 2].port)) for n in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
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
