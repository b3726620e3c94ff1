"""The shared cache of a hosted table: Redis while it answers, else the memory of this process.

Without Redis, workers share nothing: each worker draws pages for spectators, keeps its forecasts and counts
attempts to sign in on its own.
"""

from __future__ import annotations

import time
from functools import partialmethod
from typing import Any

import structlog
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache

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


class SharedCache(RedisCache):
    """Django's Redis cache with a memory to fall back on; values are set in both."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        options = params.get("OPTIONS", {})
        super().__init__(server, {**params, "OPTIONS": redis_options(**options)})
        self.memory = LocMemCache("without redis", {**params, "OPTIONS": {"MAX_ENTRIES": 3000}})

    def ask(self, what: str, *args: Any, **kwargs: Any) -> Any:
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

    def tell_both(self, what: str, *args: Any, **kwargs: Any) -> Any:
        """Write to both, so that the memory knows the values when Redis goes."""
        found = getattr(self.memory, what)(*args, **kwargs)
        return found if outage.is_active else self.ask(what, *args, **kwargs)

    get = partialmethod(ask, "get")
    get_many = partialmethod(ask, "get_many")
    has_key = partialmethod(ask, "has_key")
    add = partialmethod(ask, "add")
    incr = partialmethod(ask, "incr")
    touch = partialmethod(ask, "touch")
    set = partialmethod(tell_both, "set")
    set_many = partialmethod(tell_both, "set_many")
    delete = partialmethod(tell_both, "delete")
    delete_many = partialmethod(tell_both, "delete_many")
    clear = partialmethod(tell_both, "clear")
