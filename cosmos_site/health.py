"""Is the site fit to serve? For load balancers and their kind."""

from collections.abc import Callable
from functools import cache

import structlog
from django.core.cache import cache as shared_cache
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from combat.live.hub import check_relay

from .base.caching import outage

logger = structlog.get_logger(__name__)
ADDRESS = "/healthz"


class WithoutCookies:
    """Middleware: the health of the site is asked without cookies, as a session needs the database."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Forget who asks, at this one address."""
        if request.path == ADDRESS:
            request.COOKIES.clear()
        return self.get_response(request)


class HealthCheckFailed(Exception):
    """A part of the site works, but not as it should."""


@never_cache
@require_safe
def report_health(request: HttpRequest) -> JsonResponse:
    """Each part and whether it works; status 200 if all do, else 503. Causes are in the log only."""
    parts = {name: run_check(name, check) for name, check in CHECKS.items()}
    return JsonResponse(
        {name: "ok" if well else "failing" for name, well in parts.items()},
        status=200 if all(parts.values()) else 503,
    )


def run_check(name: str, check: Callable[[], None]) -> bool:
    """Whether one check passes; a failure is logged with its cause."""
    try:
        check()
    except Exception as cause:  # noqa: BLE001 - whatever is wrong, the answer is that it is not well
        logger.error("unhealthy", part=name, cause=repr(cause))
        return False
    return True


def check_database() -> None:
    """The database answers."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def check_cache() -> None:
    """The cache gives back what it was given, and is the one that all workers share."""
    shared_cache.set("healthz", "ok", 10)
    if shared_cache.get("healthz") != "ok":
        raise HealthCheckFailed("The cache forgets.")
    if outage.problem:
        raise HealthCheckFailed(f"Redis is lost: {outage.problem}")


@cache
def check_migrations() -> None:
    """Every migration of this code is applied; once that is so, it is not looked at again."""
    executor = MigrationExecutor(connection)
    if waiting := executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise HealthCheckFailed(f"{len(waiting)} migrations are not applied.")


CHECKS: dict[str, Callable[[], None]] = {
    "database": check_database,
    "cache": check_cache,
    "migrations": check_migrations,
    "live": check_relay,
}
