"""Whether the site is fit to serve, for load balancers and monitors."""

import shutil
from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
import structlog
from django.conf import settings
from django.core.cache import cache as shared_cache
from django.db import connection
from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from combat.backups.schema import find_odd_table, find_waiting
from combat.live.hub import check_relay
from combat.rules.core.basics.release import RELEASE

from .base.caching import outage

logger = structlog.get_logger(__name__)
ADDRESS = "/healthz"
MIN_FREE = 50_000_000  # bytes on the disk of the data directory
SECONDS = 4  # for all checks: those who ask wait for about as long
LOCK_SECONDS = 2.5  # a lock of SQLite that lasts longer is no write under way


class HealthChecks:
    """Middleware: answers health checks, whatever host and cookies they come with.

    A probe asks a worker at its own address, and a session would need the database.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer at this one address."""
        return report_health(request) if request.path_info == ADDRESS else self.get_response(request)


class HealthCheckFailed(Exception):
    """A part of the site that runs, but not as it should."""


@never_cache
@require_safe
def report_health(request: HttpRequest) -> JsonResponse:
    """The release, and whether each part works: 200 if all do, else 503. Only the log has the causes."""
    parts = {name: run_check(name, check) for name, check in CHECKS.items()}
    return JsonResponse(
        {"release": RELEASE, **{name: "ok" if well else "failing" for name, well in parts.items()}},
        status=200 if all(parts.values()) else 503,
    )


class Progress:
    """The check that runs, for an answer that cannot wait for it."""

    name = "database"


def report_late() -> bytes:
    """The answer when a check has not ended in time, such as behind a database that hangs."""
    logger.error("unhealthy", part=Progress.name, cause=f"No answer within {SECONDS} s.")
    return msgspec.json.encode({"release": RELEASE, Progress.name: "failing"})


def run_check(name: str, check: Callable[[], None]) -> bool:
    """Whether one check passes; the cause of a failure is logged."""
    Progress.name = name
    try:
        check()
    except Exception as cause:  # noqa: BLE001 - whatever is wrong, the answer is that it is not well
        logger.error("unhealthy", part=name, cause=repr(cause))
        return False
    return True


def check_database() -> None:
    """Raise if the database does not answer, or could not be written."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT current_setting('transaction_read_only')")
            if cursor.fetchone() != ("off",):
                raise HealthCheckFailed("The database is read-only.")
            return
        cursor.execute("SELECT 1")
        if not connection.in_atomic_block:
            _try_to_write(cursor)


def _try_to_write(cursor: Any) -> None:
    """Raise if SQLite cannot write, all the way to the disk; someone else who writes has a moment to end."""
    cursor.execute("PRAGMA busy_timeout")
    (patience,) = cursor.fetchone()
    cursor.execute(f"PRAGMA busy_timeout = {int(LOCK_SECONDS * 1000)}")
    try:
        cursor.execute("BEGIN IMMEDIATE")
        try:
            cursor.execute("PRAGMA user_version = 0")  # as it is: no release uses it
            cursor.execute("COMMIT")  # before that, nothing is on its way to the disk
        finally:
            if cursor.connection.in_transaction:
                cursor.execute("ROLLBACK")
    finally:
        cursor.execute(f"PRAGMA busy_timeout = {int(patience)}")


def check_cache() -> None:
    """Raise if the cache does not return what it was given, or is not the one that all workers share."""
    shared_cache.set("healthz", "ok", 10)
    if shared_cache.get("healthz") != "ok":
        raise HealthCheckFailed("The cache forgets.")
    if outage.problem:
        raise HealthCheckFailed(f"Redis is lost: {outage.problem}")


@cache
def check_migrations() -> None:
    """Raise if a migration of this code is not applied; a pass is remembered."""
    if waiting := find_waiting():
        raise HealthCheckFailed(f"{len(waiting)} migrations are not applied.")


def check_tables() -> None:
    """Raise if the tables are those of another version of this program."""
    if odd := find_odd_table():
        raise HealthCheckFailed(f"The tables are not those of this version: {odd}.")


def check_disk() -> None:
    """Raise if the disk of the data directory is nearly full: the next write may fail."""
    if shutil.disk_usage(settings.COSMOS_DATA).free < MIN_FREE:
        raise HealthCheckFailed(f"Less than {MIN_FREE // 1_000_000} MB are free.")


CHECKS: dict[str, Callable[[], None]] = {
    "database": check_database,
    "cache": check_cache,
    "migrations": check_migrations,
    "tables": check_tables,
    "live": check_relay,
    "disk": check_disk,
}
