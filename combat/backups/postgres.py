"""PostgreSQL: the copy is a gzipped file of JSON lines, all rows of all tables at one moment.

The first line says what it is, the last one how many rows there are; between them, for each table, a
line with its columns and one for every row. Rows are kept as the database has them, so that a copy of
an older version comes back as it was and is then migrated.
"""

from __future__ import annotations

import base64
import gzip
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import Error, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from .shared import OURS, Migrations, Unusable

SUFFIX = ".json.gz"
FORMAT, VERSION = "cosmos-table-backup", 1
AT_ONCE = 500  # rows in one statement, and in memory
DAMAGED = "{} is damaged, or no backup of a table: nothing was changed."


# ---------------------------------------------------------------- writing


def write(file: Path) -> None:
    """Copy the database as it is at one moment into a file that is empty."""
    with gzip.open(file, "wt", encoding="utf-8") as opened, transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        recorder = MigrationRecorder(connection)
        head = {"format": FORMAT, "version": VERSION, "migrations": sorted(recorder.applied_migrations())}
        opened.write(_encode(head))
        count = 0
        for table in sorted(find_tables()):
            for number, line in enumerate(_read_table(table)):
                opened.write(_encode(line))
                count += number > 0
        opened.write(_encode({"rows": count}))


def find_tables() -> list[str]:
    """The tables of the database that are ours."""
    return connection.introspection.django_table_names(only_existing=True, include_views=False)


def _read_table(table: str) -> Iterator[Any]:
    """A line that names a table and its columns, then its rows."""
    with connection.chunked_cursor() as cursor:
        cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")  # noqa: S608
        rows = cursor.fetchmany(AT_ONCE)
        yield {"table": table, "columns": [column.name for column in cursor.description]}
        while rows:
            yield from rows
            rows = cursor.fetchmany(AT_ONCE)


def _encode(line: Any) -> str:
    return json.dumps(line, default=_plain, ensure_ascii=False, separators=(",", ":")) + "\n"


def _plain(value: Any) -> Any:
    """Bytes as base64; a time or whatever else it is as PostgreSQL reads it."""
    if isinstance(value, bytes | memoryview):
        return {"bytes": base64.b64encode(value).decode()}
    return str(value)


# ---------------------------------------------------------------- reading


@dataclass(frozen=True)
class Rows:
    """Some rows of a table."""

    table: str
    columns: tuple[str, ...]
    rows: list[list[Any]]


def check(file: Path) -> Migrations:
    """The migrations a backup has seen; Unusable if it is not one, or damaged."""
    with file.open("rb") as opened:
        start = opened.read(6)
    if start == b"SQLite":
        raise Unusable(f"{file} is a backup of a table on SQLite; this one keeps its data in PostgreSQL.")
    if start[:2] != b"\x1f\x8b":
        raise Unusable(f"{file} is no backup of a table: `manage.py backup` makes one.")
    try:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            head = json.loads(next(lines))
            seen = _read_head(file, head)
            for _ in _read_rows(lines):
                pass
    except (OSError, EOFError, zlib.error, ValueError, StopIteration):
        raise Unusable(DAMAGED.format(file)) from None
    return seen


def _read_head(file: Path, head: Any) -> Migrations:
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise Unusable(f"{file} is no backup of a table: `manage.py backup` makes one.")
    if head.get("version") != VERSION:
        raise Unusable(f"{file} was made by a newer version of Cosmos Table: update the program first.")
    seen = [(str(app), str(name)) for app, name in head.get("migrations", ())]
    if OURS not in seen:
        raise ValueError("no table of ours")
    return seen


def _read_rows(lines: Iterator[str]) -> Iterator[Rows]:
    """The rows by table, a few hundred at a time; ValueError if lines are missing or wrong."""
    now, count = Rows("", (), []), 0
    for line in lines:
        data = json.loads(line)
        if isinstance(data, list) and len(data) == len(now.columns) > 0:
            now.rows.append([_revive(value) for value in data])
            count += 1
            if len(now.rows) == AT_ONCE:
                yield now
                now = Rows(now.table, now.columns, [])
        elif isinstance(data, dict) and "table" in data:
            yield now
            now = Rows(str(data["table"]), tuple(map(str, data["columns"])), [])
        elif data == {"rows": count}:
            yield now
            return
        else:
            raise ValueError("a line that does not belong")
    raise ValueError("the end is missing")


def _revive(value: Any) -> Any:
    return base64.b64decode(value["bytes"], validate=True) if isinstance(value, dict) else value


# ---------------------------------------------------------------- putting back


def put_back(file: Path, migrations: Migrations) -> None:
    """Replace all that is in our tables by a checked backup: the whole of it, or nothing is changed."""
    try:
        with transaction.atomic(durable=True), gzip.open(file, "rt", encoding="utf-8") as lines:
            _drop_all()
            _build(migrations)
            next(lines)
            tables = set(find_tables())
            _empty(tables)
            for part in _read_rows(lines):
                _insert(part, tables)
            for table in tables:
                _count_on(table)
            connection.check_constraints()
    except (Error, ValueError) as problem:
        raise Unusable(
            f"{file} does not fit the tables it was made of ({problem}): nothing was changed."
        ) from None


def _drop_all() -> None:
    names = [*find_tables(), MigrationRecorder.Migration._meta.db_table]
    with connection.cursor() as cursor:
        for name in names:
            cursor.execute(f"DROP TABLE IF EXISTS {connection.ops.quote_name(name)} CASCADE")


def _build(migrations: Migrations) -> None:
    """Make the tables of the version that the backup is of."""
    executor = MigrationExecutor(connection)
    graph, wanted = executor.loader.graph, set(migrations)
    inner = {
        parent.key
        for key in wanted
        if key in graph.node_map
        for parent in graph.node_map[key].parents
        if parent.key[0] == key[0]
    }
    executor.migrate([key for key in wanted if key in graph.node_map and key not in inner])


def _empty(tables: set[str]) -> None:
    names = ", ".join(map(connection.ops.quote_name, sorted(tables)))
    with connection.cursor() as cursor:
        cursor.execute(f"TRUNCATE {names}")


def _insert(part: Rows, tables: set[str]) -> None:
    if not part.rows:
        return
    if part.table not in tables:
        raise ValueError(f"there is no table {part.table}")
    quote = connection.ops.quote_name
    columns, places = ", ".join(map(quote, part.columns)), ", ".join(["%s"] * len(part.columns))
    with connection.cursor() as cursor:
        cursor.executemany(f"INSERT INTO {quote(part.table)} ({columns}) VALUES ({places})", part.rows)  # noqa: S608


def _count_on(table: str) -> None:
    """Have the next row of a table numbered after the last one that is there."""
    quoted = connection.ops.quote_name(table)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT column_name FROM information_schema.columns "
            "WHERE table_schema = current_schema() AND table_name = %s AND is_identity = 'YES'",
            [table],
        )
        for (column,) in cursor.fetchall():
            last = f"max({connection.ops.quote_name(column)})"
            sql = f"SELECT setval(pg_get_serial_sequence(%s, %s), {last}) FROM {quoted}"  # noqa: S608
            cursor.execute(sql, [quoted, column])
