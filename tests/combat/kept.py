"""What many tests begin with: made once in each process, then put back as rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from hashlib import sha256
from itertools import count
from typing import Any, TypeVar
from unittest.mock import patch

from django.db import connection, transaction
from django.utils import timezone

from combat.rules.core.basics import sealed

T = TypeVar("T")
Row = tuple[Any, ...]
Rows = dict[str, dict[int, Row]]  # by table and number

SAME_ALWAYS = ("django_migrations", "django_content_type", "auth_permission")
UNTOLD = (
    "password",
    "session_key",
    "session_data",
)  # made of chance: two that are otherwise alike are the same
SECRETS = ("combat.play.sealing.make_secret", "combat.play.encounter_service.make_secret")


@dataclass(frozen=True)
class Table:
    """A table of the database: its name and columns, and which of them are times or made of chance."""

    name: str
    columns: tuple[str, ...]
    times: tuple[int, ...]
    loose: frozenset[int]

    def settle(self, row: Row) -> Row:
        """A row without what differs each time that it is made."""
        return tuple(value for place, value in enumerate(row) if place not in self.loose)

    def move(self, row: Row, by: timedelta) -> Row:
        """A row as if it were written so much later."""
        moved = list(row)
        for place in self.times:
            if moved[place]:
                moved[place] += by
        return tuple(moved)


@dataclass(frozen=True)
class Change:
    """What was written, when, and what came of it."""

    written: Rows
    gone: dict[str, list[int]]
    made: datetime
    result: Any


_changes: dict[object, Change] = {}


def keep(name: str, make: Callable[[], T]) -> T:
    """What `make` gives, plain data, and all that it writes into the database.

    Where it was made before of the very same rows and with the same dice, they are put back as they were
    left then, with times as if it had been now.
    """
    if connection.vendor != "sqlite":
        return make()
    before = _read()
    known = name, sealed.draw_faces.__qualname__, settle(before)
    if (change := _changes.get(known)) is not None:
        _write(change)
        return change.result
    with _dice_of(name):
        result = make()
    _changes[known] = _compare(before, _read(), result)
    return result


def settle(rows: Rows | None = None) -> tuple[Any, ...]:
    """All that is in the database, or these rows, without what differs each time that it is made."""
    rows = _read() if rows is None else rows
    return tuple((table.name, *map(table.settle, rows[table.name].values())) for table in _tables())


@cache
def _tables() -> tuple[Table, ...]:
    names = [name for name in connection.introspection.table_names() if name not in SAME_ALWAYS]
    return tuple(map(_find_table, [*names, "sqlite_sequence"]))


def _find_table(name: str) -> Table:
    with connection.cursor() as cursor:
        found = cursor.execute(f"PRAGMA table_info({name})").fetchall()
    columns = ("rowid", *(f'"{column[1]}"' for column in found))
    times = tuple(1 + column[0] for column in found if column[2] == "datetime")
    untold = (place for place, column in enumerate(columns) if column.strip('"') in UNTOLD)
    return Table(name, columns, times, frozenset((*times, *untold)))


def _read() -> Rows:
    with connection.cursor() as cursor:
        return {
            table.name: {
                row[0]: row for row in cursor.execute(f"SELECT rowid, * FROM {table.name}").fetchall()
            }
            for table in _tables()
        }


def _compare(before: Rows, after: Rows, result: Any) -> Change:
    written = {
        name: {number: row for number, row in rows.items() if row != before[name].get(number)}
        for name, rows in after.items()
    }
    gone = {name: [number for number in rows if number not in after[name]] for name, rows in before.items()}
    return Change(written, gone, timezone.now(), result)


def _write(change: Change) -> None:
    by = timezone.now() - change.made
    with transaction.atomic(), connection.cursor() as cursor:
        for table in _tables():
            cursor.executemany(
                f"DELETE FROM {table.name} WHERE rowid = %s", [(n,) for n in change.gone[table.name]]
            )
            rows = [table.move(row, by) for row in change.written[table.name].values()]
            places = ", ".join(["%s"] * len(table.columns))
            into = f"{table.name} ({', '.join(table.columns)})"
            cursor.executemany(f"INSERT OR REPLACE INTO {into} VALUES ({places})", rows)


@contextmanager
def _dice_of(name: str) -> Iterator[None]:
    """Let the app roll the same, whichever test is the first to make it."""
    made = count()

    def make_secret() -> str:
        return sha256(f"{name} {next(made)}".encode()).hexdigest()

    with patch(SECRETS[0], make_secret), patch(SECRETS[1], make_secret):
        yield
