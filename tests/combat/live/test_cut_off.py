"""The live relay survives every failure of Redis and of the database, and health reports its state."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator

import pytest
from django.db import OperationalError
from pytest_django import Settings

from combat.live import hub
from cosmos_site.base.caching import outage
from tests.combat.live.test_live import LIVE, TABLE, find_values, hurt
from tests.combat.server import Ears, Guest, Server, Site, come, set_up, sign_in, wait_for
from tests.combat.services import OwnRedis, cut_off, needs_own_redis, needs_services, run_redis
from tests.site.hosting.table import PATIENCE, WELL

# The relay retries soon; streams of one worker poll soon, the other ones much later.
HABITS = """
import os
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cosmos_site.settings")
from combat.live import hub
hub.PING_SECONDS, hub.RETRY_PAUSES = {}, (0.2, 0.5)
"""
pytestmark = [needs_services, needs_own_redis, pytest.mark.slow]


@pytest.fixture(scope="module")
def redis() -> Iterator[OwnRedis]:
    """A Redis of our own."""
    with run_redis() as own:
        yield own


@pytest.fixture(scope="module")
def site(database: str, redis: OwnRedis, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A hosted table, set up."""
    return set_up(tmp_path_factory.mktemp("cut"), DATABASE_URL=database, REDIS_URL=redis.url)


@pytest.fixture(scope="module")
def workers(site: Site) -> Iterator[tuple[Server, Server]]:
    with site.serve(habits=HABITS.format(60)) as one, site.serve(habits=HABITS.format(1)) as other:
        yield one, other


@pytest.fixture(scope="module")
def gm(site: Site, workers: tuple[Server, Server]) -> Guest:
    """Its game master, who has begun the fight."""
    gm = sign_in(workers[0].port, site.link)
    assert gm.post(TABLE, do="start", dice="app") == 303
    return gm


def find_health(worker: Server) -> dict[str, str]:
    """The health of a worker, as a visitor without cookies sees it."""
    nobody = Guest(worker.port)
    assert nobody.get("/healthz") in (200, 503)
    found: dict[str, str] = json.loads(nobody.page)
    return found


def wait_until_well(*workers: Server) -> None:
    wait_for(lambda: all(find_health(worker) == WELL for worker in workers), 40)


def test_relay_outlives_redis_and_database_together(
    gm: Guest, workers: tuple[Server, Server], redis: OwnRedis, database: str
) -> None:
    wait_until_well(*workers)
    with Ears() as ears:
        watcher = come(gm, TABLE, "watch", "Wim")
        ear = ears.add(watcher, LIVE, port=workers[1].port)
        wait_for(lambda: ear.last)
        redis.stop()
        cut_off(database, away=True)
        wait_for(lambda: find_health(workers[1])["live"] == "failing")
        redis.start()
        wait_for(lambda: find_health(workers[1])["cache"] == "ok", 20)
        assert find_health(workers[1])["live"] == "failing", "it cannot catch up without the database"
        cut_off(database, away=False)
        wait_until_well(*workers)
        hurt(gm)
        wanted = watcher.version(TABLE)
        wait_for(lambda: ear.last == wanted, 3)
        assert ear.connects == 1
        assert ear.open


def test_revoked_link_closes_its_streams_without_redis(
    gm: Guest, workers: tuple[Server, Server], redis: OwnRedis
) -> None:
    wait_until_well(*workers)
    with Ears() as ears:
        player, other = come(gm, TABLE, "play", "Pia"), come(gm, TABLE, "watch", "Wim")
        here, there = (ears.add(player, LIVE, port=worker.port) for worker in workers)
        stays = [ears.add(other, LIVE, port=worker.port) for worker in workers]
        wait_for(lambda: here.last and there.last and all(ear.last for ear in stays))
        redis.stop()
        try:
            gm.get(f"{TABLE}share/")
            numbers = sorted({int(n) for n in find_values(gm.page, "link")})
            assert gm.post(f"{TABLE}share/", do="revoke", link=str(numbers[-2])) == 302
            wait_for(lambda: not here.open, 2)
            hurt(gm)
            wanted = other.version(TABLE)
            wait_for(lambda: stays[0].last == wanted, 2)
            wait_for(lambda: not there.open)
            wait_for(lambda: stays[1].last == wanted)
            assert [here.heard[-1][0], there.heard[-1][0]] == ["ended", "ended"]
            assert all(ear.open for ear in stays)
        finally:
            redis.start()
    wait_until_well(*workers)


# ---------------------------------------------------------------- the relay itself


@pytest.fixture
def quick(settings: Settings, redis: OwnRedis, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A relay of this process that retries soon."""
    settings.REDIS_URL = redis.url
    monkeypatch.setattr(hub, "RETRY_PAUSES", (0.05, 0.1))
    hub._redis.clear()
    yield
    hub._redis.clear()
    outage.end()


def is_well() -> bool:
    """Whether health would report that."""
    try:
        hub.check_relay()
    except ConnectionError:
        return False
    return True


async def wait_until(what: Callable[[], object]) -> None:
    """Run the relay until something is true."""
    async with asyncio.timeout(PATIENCE):
        while not what():
            await asyncio.sleep(0.01)


async def run_relay(
    story: Callable[[hub.Listener], Awaitable[object]],
    read_stamp: Callable[[hub.StreamGrant], Awaitable[str]],
) -> None:
    """Tell a story to a relay with one open page."""
    stop = asyncio.Event()
    page = hub.Listener(hub.StreamGrant(1, "gm"), asyncio.get_running_loop(), read_stamp)
    hub._listeners[1] = {page}
    relay = asyncio.ensure_future(hub.relay(stop))
    try:
        await story(page)
    finally:
        hub._listeners.pop(1)
        stop.set()
        await relay
    assert not is_well(), "a relay that has stopped does not run"


@pytest.mark.parametrize("problem", [OperationalError("gone"), KeyError("x"), RuntimeError("y")])
def test_relay_that_cannot_catch_up_tries_until_it_has(problem: Exception, quick: None) -> None:
    tried: list[bool] = []

    async def read_stamp(who: hub.StreamGrant) -> str:
        tried.append(is_well())
        if len(tried) < 4:
            raise problem
        return "now"

    async def story(page: hub.Listener) -> None:
        await wait_until(is_well)
        assert page.stamp == "now"

    asyncio.run(run_relay(story, read_stamp))
    assert tried == [False] * 4


def test_relay_outlives_nonsense_and_own_news_is_told_once(
    quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[dict[str, object]] = []

    async def read_stamp(who: hub.StreamGrant) -> str:
        return "first"

    async def story(page: hub.Listener) -> None:
        await wait_until(is_well)
        connection = hub._connection()
        for nonsense in ("{", "[]", '{"encounter": [1]}'):
            connection.publish(hub.channel(), nonsense)
            await wait_until(lambda: not is_well())
            await wait_until(is_well)
        monkeypatch.setattr(hub, "deliver", told.append)
        hub.publish(1, {"gm": "mine"})
        connection.publish(
            hub.channel(), json.dumps({"from": "other", "encounter": 1, "stamps": {"gm": "x"}})
        )
        await wait_until(lambda: len(told) == 2)

    asyncio.run(run_relay(story, read_stamp))
    assert [message["stamps"] for message in told] == [{"gm": "mine"}, {"gm": "x"}]
