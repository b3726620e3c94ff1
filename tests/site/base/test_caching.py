"""Without Redis the cache continues in the memory of the process, and no page fails."""

from __future__ import annotations

import asyncio
import io
import socket
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache, caches
from django.core.cache.backends.locmem import LocMemCache
from django.test import Client
from pytest_django import Settings

from combat.live import hub
from combat.models import Encounter, Seat
from combat.play.whatif import forecast_jobs
from combat.rules import find_system
from combat.rules.core.basics.release import RELEASE
from combat.sharing.access import SEATS
from cosmos_site.base.caching import TIMEOUT_SECONDS, SharedCache, outage
from cosmos_site.base.tags import find_digest
from cosmos_site.serving import PageThreads
from tests.combat.services import needs_own_redis, run_redis
from tests.combat.visit import demo_fight
from tests.site.hosting.table import WELL, soon

NOWHERE = "redis://127.0.0.1:1/0"
SCOPE = {
    "type": "http",
    "method": "GET",
    "path": "/",
    "root_path": "",
    "query_string": b"",
    "headers": (),
    "http_version": "1.1",
    "scheme": "http",
    "server": ("localhost", 80),
    "client": ("127.0.0.1", 1),
}
BODY = SimpleNamespace(file=io.BytesIO())


def use_redis(settings: Settings, url: str) -> None:
    """Point cache and news to this Redis."""
    settings.REDIS_URL = url
    settings.CACHES = {"default": {"BACKEND": "cosmos_site.base.caching.SharedCache", "LOCATION": url}}


@pytest.fixture
def without_redis(settings: Settings) -> Iterator[None]:
    """A Redis that does not run."""
    hub._redis.clear()
    outage.end()  # that of an earlier test
    use_redis(settings, NOWHERE)
    yield
    cache.clear()
    hub._redis.clear()
    outage.end()


@pytest.fixture
def fight(gm: User) -> Encounter:
    """A fight to watch."""
    return demo_fight(gm, find_system("cosmos").slug)


def test_a_thread_for_pages_keeps_its_connection_to_the_cache() -> None:
    """The cache object holds the connections to Redis: a new one for each page would connect each time."""
    seen = list[object]()
    threads = PageThreads(note_cache(seen), 1)

    async def read_two_pages() -> None:
        for _ in range(2):
            await asyncio.create_task(threads.answer(cast("Any", SCOPE), cast("Any", BODY), keep_nothing))

    asyncio.run(read_two_pages())
    threads.stop()
    assert len(seen) == 2
    assert seen[0] is seen[1]


def note_cache(seen: list[object]) -> Any:
    """An application that notes the cache object of its thread."""

    def answer(environ: object, start: Callable[[str, list[tuple[str, str]]], object]) -> list[bytes]:
        seen.append(caches["default"])
        start("204 No Content", [])
        return []

    return answer


async def keep_nothing(message: object) -> None:
    """A client that ignores what it is sent."""


def test_values_of_another_release_are_not_read() -> None:
    """After an update the shared cache still has what the old workers drew and pickled."""
    before = LocMemCache("", {"KEY_PREFIX": "0.0.1"})
    before.set("drawn", "by old code")
    assert cache.get("drawn") is None
    assert cache.make_key("drawn") != before.make_key("drawn")
    assert cache.key_prefix == RELEASE


def test_cache_keeps_things_in_memory(without_redis: None) -> None:
    assert cache.get("a") is None
    cache.set("a", {"b": 1}, 60)
    assert cache.get("a") == {"b": 1}
    assert not cache.add("a", 2)
    assert cache.add("n", 1)
    assert cache.incr("n") == 2
    assert cache.get_many(["a", "n"]) == {"a": {"b": 1}, "n": 2}
    assert cache.touch("n", 60)
    assert "n" in cache
    cache.set_many({"x": 1, "y": 2})
    cache.delete_many(["x"])
    assert (cache.get("x"), cache.get("y")) == (None, 2)
    assert cache.delete("a")
    cache.clear()
    assert cache.get("y") is None


@needs_own_redis
def test_what_was_known_is_known_on_and_redis_is_used_again(
    settings: Settings, without_redis: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cosmos_site.base.caching.RETRY_SECONDS", 0)
    with run_redis() as redis:
        use_redis(settings, redis.url)
        cache.set("a", "from before", 60)
        assert SharedCache(redis.url, {}).get("a") == "from before"
        assert [outage.problem] == [""]
        redis.stop()
        assert cache.get("a") == "from before"
        assert outage.problem
        cache.set("b", "alone", 60)
        assert cache.get("b") == "alone"
        redis.start()
        assert cache.get("b") is None
        assert not outage.problem


@pytest.mark.slow
def test_redis_that_is_silent_holds_nobody_for_long(settings: Settings, without_redis: None) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        use_redis(settings, f"redis://127.0.0.1:{silent.getsockname()[1]}/0")
        started = time.monotonic()
        for number in range(50):
            cache.set(str(number), number)
            assert cache.get(str(number)) == number
        assert time.monotonic() - started < soon(4 * TIMEOUT_SECONDS)


def test_watchers_see_the_fight(without_redis: None, fight: Encounter, client: Client) -> None:
    Seat.objects.create(encounter=fight, name="Wim", kind="watch", digest=find_digest("secret"))
    session = client.session
    session[SEATS] = {str(fight.pk): "secret"}
    session.save()
    for _ in range(2):
        answer = client.get(f"/encounters/{fight.pk}/")
        assert answer.status_code == 200
        assert "Vance" in answer.content.decode() or fight.name in answer.content.decode()


def test_signing_in_works_and_is_still_limited(without_redis: None, client: Client, db: None) -> None:
    User.objects.create_user("rhea", password="seven purple moons")
    wrong = {"login": "rhea", "password": "eight purple moons"}
    pages = [client.post("/accounts/login/", wrong) for _ in range(7)]
    assert [page.status_code for page in pages] == [200] * 5 + [429] * 2
    assert "Too many" not in pages[0].content.decode()
    assert "Too many wrong sign-ins" in pages[-1].content.decode()
    cache.clear()
    right = {"login": "rhea", "password": "seven purple moons"}
    assert client.post("/accounts/login/", right).status_code == 302


def test_forecast_is_played(without_redis: None, fight: Encounter, gm_client: Client) -> None:
    address = f"/encounters/{fight.pk}/forecast/"
    try:
        assert gm_client.get(address).status_code == 200
        assert gm_client.post(address, {"do": "start"}).status_code == 303
        page = gm_client.get(address).content.decode()
        assert "fights played" in page
        assert "only one worker knows it" in page
        assert gm_client.post(address, {"do": "cancel"}).status_code == 303
    finally:
        forecast_jobs.stop()


def test_forecast_says_nothing_of_workers_while_all_is_well(fight: Encounter, gm_client: Client) -> None:
    assert b"only one worker knows it" not in gm_client.get(f"/encounters/{fight.pk}/forecast/").content


def test_health_check_tells_a_failing_cache(without_redis: None, client: Client, db: None) -> None:
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json() == {**WELL, "cache": "failing", "live": "failing"}
    assert b"127.0.0.1" not in answer.content


def test_news_is_told_here_where_it_cannot_be_told_to_others(without_redis: None) -> None:
    heard: list[dict[str, object]] = []

    class Ear:
        who = hub.StreamGrant(1, "seat", 7)

        @property
        def loop(self) -> Ear:
            return self

        def call_soon_threadsafe(self, notify: Callable[..., None], *given: object) -> None:
            notify(*given)

        def notify(self, **word: object) -> None:
            heard.append(word)

    hub._listeners[1] = {Ear()}  # type: ignore[arg-type]  # hears as a listener does
    try:
        hub.end_seats(1, [7])
        hub.publish(1, {"seat": "abc"})
    finally:
        hub._listeners.pop(1)
    assert heard == [{"end_reason": "ended"}, {"common": "abc"}]
