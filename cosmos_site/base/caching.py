"""The shared cache of a hosted table: Redis while it answers, else the memory of this process.

Without Redis, workers share nothing: each worker draws pages for spectators, keeps its forecasts and counts
attempts to sign in on its own.
"""

from __future__ import annotations

import time
from typing import Any

import structlog
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient

logger = structlog.get_logger(__name__)

TIMEOUT_SECONDS = 1  # for Redis to connect or to answer
RETRY_SECONDS = 5  # pause before asking a failed Redis again


class Outage:
    """Whether Redis is lost, so that not every request waits for it again."""

    def __init__(self) -> None:
        self.problem = ""
        self.until = 0.0

    @property
    def is_active(self) -> bool:
        """Whether Redis failed so recently that asking is pointless."""
        return time.monotonic() < self.until

    def begin(self, problem: BaseException) -> None:
        """Note a failure; only the first one is logged."""
        if not self.problem:
            logger.error("redis is lost", problem=f"{type(problem).__name__}: {problem}")
        self.problem, self.until = repr(problem), time.monotonic() + RETRY_SECONDS

    def end(self) -> None:
        """Note an answer."""
        if self.problem:
            logger.error("redis is back")
        self.problem, self.until = "", 0.0


outage = Outage()  # one for the process; each thread has its own cache object


def redis_options(**more: Any) -> dict[str, Any]:
    """The timeouts of our connections to Redis, with one retry for a stale connection."""
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    limits = {"socket_timeout": TIMEOUT_SECONDS, "socket_connect_timeout": TIMEOUT_SECONDS}
    return {**limits, "retry": Retry(NoBackoff(), 1), **more}


class KeptClient(RedisCacheClient):
    """Django's client, but it keeps one redis-py client, which many threads may share, for all requests."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._known: dict[bool, Any] = {}

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        """The client for reading or for writing, made on first use."""
        if write not in self._known:
            self._known[write] = super().get_client(key, write=write)
        return self._known[write]


class SharedCache(RedisCache):
    """Django's Redis cache with a memory to fall back on; values are set in both."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        options = params.get("OPTIONS", {})
        super().__init__(server, {**params, "OPTIONS": redis_options(**options)})
        self._class = KeptClient
        self.memory = LocMemCache("without redis", {**params, "OPTIONS": {"MAX_ENTRIES": 3000}})

    def _read(self, what: str, *args: Any, **kwargs: Any) -> Any:
        """The answer of Redis, or of the memory if Redis is lost."""
        from redis import RedisError

        if not outage.is_active:
            try:
                found = getattr(super(), what)(*args, **kwargs)
            except (RedisError, OSError) as problem:
                outage.begin(problem)
            else:
                outage.end()
                return found
        return getattr(self.memory, what)(*args, **kwargs)

    def _write(self, what: str, *args: Any, **kwargs: Any) -> Any:
        """Write to both, so that the memory knows the values when Redis goes."""
        found = getattr(self.memory, what)(*args, **kwargs)
        return found if outage.is_active else self._read(what, *args, **kwargs)

    def get(self, *args: Any, **kwargs: Any) -> Any:
        """As Django's."""
        return self._read("get", *args, **kwargs)

    def get_many(self, *args: Any, **kwargs: Any) -> Any:
        """As Django's."""
        return self._read("get_many", *args, **kwargs)

    def has_key(self, *args: Any, **kwargs: Any) -> Any:
        """As Django's."""
        return self._read("has_key", *args, **kwargs)

    def add(self, *args: Any, **kwargs: Any) -> Any:
        """As Django's."""
        return self._read("add", *args, **kwargs)

    def incr(self, *args: Any, **kwargs: Any) -> Any:
        """As Django's."""
        return self._read("incr", *args, **kwargs)

    def touch(self, *args: Any, **kwargs: Any) -> Any:
        """As Django's."""
        return self._read("touch", *args, **kwargs)

    def set(self, *args: Any, **kwargs: Any) -> Any:
        """As Django's."""
        return self._write("set", *args, **kwargs)

    def set_many(self, *args: Any, **kwargs: Any) -> Any:
        """As Django's."""
        return self._write("set_many", *args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> Any:
        """As Django's."""
        return self._write("delete", *args, **kwargs)

    def delete_many(self, *args: Any, **kwargs: Any) -> Any:
        """As Django's."""
        return self._write("delete_many", *args, **kwargs)

    def clear(self, *args: Any, **kwargs: Any) -> Any:
        """As Django's."""
        return self._write("clear", *args, **kwargs)
