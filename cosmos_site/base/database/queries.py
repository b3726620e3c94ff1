"""Fixed SQL, run with little around it.

Around each query Django opens a cursor, wraps it, and rewrites the query in SQLite's style. For a row by
its number that takes several times as long as the query itself, so SQLite is asked directly here. Errors are
those of `django.db`. Whatever counts or logs Django's queries gets these too.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

import msgspec
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.sqlite3.base import FORMAT_QMARK_REGEX
from django.utils import timezone


def fetch(sql: str, values: Sequence[Any]) -> list[Sequence[Any]]:
    """The rows that a query finds, with a `%s` for each of the values."""
    found: list[Sequence[Any]]
    database = connections[DEFAULT_DB_ALIAS]
    if _is_direct(database):
        with database.wrap_database_errors:
            found = database.connection.execute(_with_marks(sql), values).fetchall()
        return found
    with database.cursor() as cursor:
        cursor.execute(sql, values)
        found = cursor.fetchall()
    return found


def change(sql: str, values: Sequence[Any]) -> int:
    """Run a query that changes rows; how many it changed."""
    count: int
    database = connections[DEFAULT_DB_ALIAS]
    if _is_direct(database):
        with database.wrap_database_errors:
            count = database.connection.execute(_with_marks(sql), values).rowcount
        return count
    with database.cursor() as cursor:
        cursor.execute(sql, values)
        count = cursor.rowcount
    return count


def _is_direct(database: BaseDatabaseWrapper) -> bool:
    """Whether Django would only convert a query and run it, on an open connection to SQLite."""
    return (
        database.vendor == "sqlite"
        and database.connection is not None
        and not (database.needs_rollback or database.execute_wrappers or database.queries_logged)
    )


@lru_cache(maxsize=500)
def _with_marks(sql: str) -> str:
    """A query with SQLite's marks for values."""
    return str(FORMAT_QMARK_REGEX.sub("?", sql)).replace("%%", "%")


def now_stored() -> Any:
    """The present time as this database takes and compares it."""
    return stored_moment(timezone.now())


def stored_moment(moment: datetime | None) -> Any:
    """A moment as this database takes and compares it."""
    database = connections[DEFAULT_DB_ALIAS]
    if moment is None or database.vendor != "sqlite":
        return moment
    return str(moment.astimezone(database.timezone).replace(tzinfo=None))


def stored_json(value: Any) -> Any:
    """A value of a column with JSON as this database takes it."""
    database = connections[DEFAULT_DB_ALIAS]
    if database.vendor != "sqlite":
        return database.ops.adapt_json_value(value, None)
    return msgspec.json.encode(value).decode()
