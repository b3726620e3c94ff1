"""The starting points of many tests: made once in each process, then restored as rows."""

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

from combat.rules.core.basics.dice import dice

T = TypeVar("T")
Row = tuple[Any, ...]
Rows = dict[str, dict[int, Row]]  # by table and number

SAME_ALWAYS = ("django_migrations", "django_content_type", "auth_permission", "combat_datarelease")
UNTOLD = ("session_key", "session_data")  # random columns: two rows that differ only there are the same
SECRETS = ("combat.play.writing.sealing.make_secret", "combat.play.writing.encounter_service.make_secret")


@dataclass(frozen=True)
class Table:
    """A table of the database: its name and columns, and which of them are times or random."""

    name: str
    columns: tuple[str, ...]
    times: tuple[int, ...]
    loose: frozenset[int]

    def settle(self, row: Row) -> Row:
        """A row without the values that differ each time it is made."""
        return tuple(value for place, value in enumerate(row) if place not in self.loose)

    def move(self, row: Row, by: timedelta) -> Row:
        """A row as if it were written this much later."""
        moved = list(row)
        for place in self.times:
            if moved[place]:
                moved[place] += by
        return tuple(moved)


@dataclass(frozen=True)
class Change:
    """The written rows, when they were written, and the result; and the rows that were there and stayed."""

    written: Rows
    stayed: Rows
    gone: dict[str, list[int]]
    made: datetime
    result: Any


_changes: dict[object, Change] = {}


def keep(name: str, make: Callable[[], T]) -> T:
    """Return the result of `make`, plain data, and keep all that it writes into the database.

    If it ran before on the very same rows and with the same dice, restore the rows as it left them then, with
    times as if it ran now. The times of rows that it found move by the same: they stay before its own.
    """
    if connection.vendor != "sqlite":
        return make()
    before = _read()
    known = name, dice.draw_faces.__qualname__, settle(before)
    if (change := _changes.get(known)) is not None:
        _write(change)
        kept: T = change.result
        return kept
    with _dice_of(name):
        result = make()
    _changes[known] = _compare(before, _read(), result)
    return result


def settle(rows: Rows | None = None) -> tuple[Any, ...]:
    """All rows of the database, or these, without the values that differ each time they are made."""
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
    stayed = {
        table.name: {n: row for n, row in before[table.name].items() if row == after[table.name].get(n)}
        for table in _tables()
        if table.times
    }
    gone = {name: [number for number in rows if number not in after[name]] for name, rows in before.items()}
    return Change(written, stayed, gone, timezone.now(), result)


def _write(change: Change) -> None:
    by = timezone.now() - change.made
    with transaction.atomic(), connection.cursor() as cursor:
        for table in _tables():
            if gone := change.gone[table.name]:
                cursor.executemany(f"DELETE FROM {table.name} WHERE rowid = %s", [(n,) for n in gone])
            if found := change.stayed.get(table.name):
                fields = ", ".join(f"{table.columns[place]} = %s" for place in table.times)
                moved = (table.move(row, by) for row in found.values())
                values = [(*(row[place] for place in table.times), row[0]) for row in moved]
                cursor.executemany(f"UPDATE {table.name} SET {fields} WHERE rowid = %s", values)
            if rows := [table.move(row, by) for row in change.written[table.name].values()]:
                places = ", ".join(["%s"] * len(table.columns))
                into = f"{table.name} ({', '.join(table.columns)})"
                cursor.executemany(f"INSERT OR REPLACE INTO {into} VALUES ({places})", rows)


@contextmanager
def _dice_of(name: str) -> Iterator[None]:
    """Give the app the same dice, whichever test calls `make` first."""
    made = count()

    def make_secret() -> str:
        return sha256(f"{name} {next(made)}".encode()).hexdigest()

    with patch(SECRETS[0], make_secret), patch(SECRETS[1], make_secret):
        yield
