"""PostgreSQL: the copy is a gzipped file of JSON lines, all rows of all tables at one moment.

Each table has a line with its columns and a line for each row. Rows are kept as the database has them.
"""

from __future__ import annotations

import base64
import gzip
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from django.db import OperationalError, connection, transaction
from django.db.migrations.recorder import MigrationRecorder

from combat.rules.core.basics.release import PROGRAM

from .manifest import (
    SECRETS,
    BackupError,
    Manifest,
    Origin,
    SchemaMismatch,
    TableContent,
    append_manifest,
    first_line,
)
from .schema import KEYS, build, name_tables

KIND, SUFFIX = "postgresql", ".json.gz"
AT_ONCE = 500  # rows in one statement, and in memory
MAX_LINE_BYTES = 100_000_000
WAIT = "10s"  # for others who still lock a table
RUNS = "The table is running: stop its workers first, then restore."


class Blob(msgspec.Struct, forbid_unknown_fields=True):
    """Bytes, as base64."""

    data: bytes = msgspec.field(name="bytes")


class TableHead(msgspec.Struct, forbid_unknown_fields=True):
    """Where the rows of a table begin."""

    table: str
    columns: list[str]


Row = list[str | int | float | bool | Blob | None]
LINE_DECODER = msgspec.json.Decoder(TableHead | Row)


# ---------------------------------------------------------------- writing


def database_exists() -> bool:
    """Whether there is a database: the administrator of the server creates it."""
    return True


def measure() -> int:
    """The bytes that the database takes: a copy, which is compressed, needs less."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        (size,) = cursor.fetchone()
    return int(size)


def write(file: Path, origin: Origin) -> None:
    """Copy the database, as it is at one moment, into an empty file."""
    tables: dict[str, TableContent] = {}
    with gzip.open(file, "wb") as opened, transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        applied = sorted(MigrationRecorder(connection).applied_migrations())
        for table in sorted(find_tables()):
            lines = _read_table(table)
            head = next(lines)
            opened.write(_encode(head))
            tables[table] = TableContent(
                head["columns"], sum(opened.write(_encode(row)) > 0 for row in lines)
            )
    append_manifest(file, Manifest(KIND, applied, tables, **origin))


def find_tables() -> list[str]:
    """The tables of the database that are ours."""
    return connection.introspection.django_table_names(only_existing=True, include_views=False)


def _read_table(table: str) -> Iterator[Any]:
    """A line that names a table and its columns, then its rows."""
    with connection.chunked_cursor() as cursor:
        cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")  # noqa: S608 - a table of ours
        rows = cursor.fetchmany(AT_ONCE)
        columns = [column.name for column in cursor.description]
        yield {"table": table, "columns": columns}
        while rows and table not in KEYS:
            yield from (_forget_secrets(table, columns, row) for row in rows)
            rows = cursor.fetchmany(AT_ONCE)


def _forget_secrets(table: str, columns: list[str], row: Sequence[Any]) -> list[Any]:
    """A row without the secret of its dice."""
    return ["" if (table, column) == SECRETS else v for column, v in zip(columns, row, strict=True)]


def _encode(line: Any) -> bytes:
    text = json.dumps(line, default=_as_json, ensure_ascii=False, separators=(",", ":")) + "\n"
    encoded = text.encode()
    if len(encoded) > MAX_LINE_BYTES:
        raise BackupError(
            f"A row has {len(encoded):,} bytes: backups hold rows of at most {MAX_LINE_BYTES:,}."
        )
    return encoded


def _as_json(value: Any) -> Any:
    """Bytes as base64; times and all other values as PostgreSQL reads them."""
    if isinstance(value, bytes | memoryview):
        return {"bytes": base64.b64encode(value).decode()}
    return str(value)


# ---------------------------------------------------------------- putting back


class LimitedReader(io.RawIOBase):
    """The beginning of a file."""

    def __init__(self, whole: BinaryIO, length: int) -> None:
        self.whole, self.left = whole, length

    def readable(self) -> bool:
        """True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer with as many bytes as are left."""
        data = self.whole.read(min(len(buffer), self.left))
        buffer[: len(data)] = data
        self.left -= len(data)
        return len(data)


def read_lines(opened: BinaryIO) -> Iterator[bytes]:
    """The lines of a gzipped file; ValueError for one that is too long to be a row."""
    with gzip.GzipFile(fileobj=opened) as lines:
        while line := lines.readline(MAX_LINE_BYTES + 1):
            if len(line) > MAX_LINE_BYTES:
                raise ValueError("a line without an end")
            yield line


def examine(file: Path, manifest: Manifest, length: int) -> None:
    """Read all rows of a backup; SchemaMismatch if they are no rows, or not as many as it says."""
    found = 0
    try:
        with file.open("rb") as opened:
            for line in read_lines(io.BufferedReader(LimitedReader(opened, length))):
                found += isinstance(LINE_DECODER.decode(line), list)
    except OSError:
        raise
    except Exception as problem:  # noqa: BLE001 - rows may hold anything
        raise SchemaMismatch(first_line(problem)) from None
    if found != sum(content.rows for content in manifest.tables.values()):
        raise SchemaMismatch("it holds other rows than it says")


def restore_file(file: Path, manifest: Manifest, length: int, settle: Callable[[], object]) -> None:
    """Replace the content of our tables by a backup: all of it, or nothing is changed.

    One of an earlier release gets the tables of this one, then `settle` changes its data. Raises
    SchemaMismatch for rows or tables that are not those of its release, BackupError while workers run.
    """
    _require_alone()
    try:
        with transaction.atomic(durable=True), file.open("rb") as opened:
            _drop_all()
            build(manifest.migrations)
            _compare(manifest)
            _empty(manifest)
            _defer_constraints()
            _insert_rows(read_lines(io.BufferedReader(LimitedReader(opened, length))), manifest)
            for table in manifest.tables:
                _reset_sequence(table)
            connection.check_constraints()
            build()
            settle()
    except (OSError, OperationalError) as problem:
        if "lock timeout" in str(problem):
            raise BackupError(RUNS) from None
        raise
    except Exception as problem:  # noqa: BLE001 - rows may hold anything, and nothing has changed yet
        raise SchemaMismatch(first_line(problem)) from None


def _require_alone() -> None:
    """Check that no worker is connected, which could write after the present data was kept aside."""
    name = connection.settings_dict.get("OPTIONS", {}).get("application_name", PROGRAM)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() "
            "AND pid <> pg_backend_pid() AND application_name = %s",
            [name],
        )
        if cursor.fetchone():
            raise BackupError(RUNS)


def _drop_all() -> None:
    names = [*find_tables(), MigrationRecorder.Migration._meta.db_table]
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = '{WAIT}'")
        for name in names:
            cursor.execute(f"DROP TABLE IF EXISTS {connection.ops.quote_name(name)} CASCADE")


def _compare(manifest: Manifest) -> None:
    """Raise ValueError unless a backup has exactly the tables and columns of its release."""
    tables = name_tables(manifest.migrations)
    for name in sorted(tables ^ manifest.tables.keys()):
        raise ValueError(f"there is no table {name}" if name in tables else f"{name} is no table of ours")
    with connection.cursor() as cursor:
        for name, kept in sorted(manifest.tables.items()):
            found = [column.name for column in connection.introspection.get_table_description(cursor, name)]
            if sorted(found) != sorted(kept.columns):
                raise ValueError(f"{name} has other columns")


def _empty(manifest: Manifest) -> None:
    names = ", ".join(map(connection.ops.quote_name, sorted(manifest.tables)))
    with connection.cursor() as cursor:
        cursor.execute(f"TRUNCATE {names}")


def _defer_constraints() -> None:
    """Check references only when all rows are there: a migration that adds one makes it immediate."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def _insert_rows(lines: Iterable[bytes], manifest: Manifest) -> None:
    """Insert the rows, a few hundred at a time; ValueError unless they match the manifest."""
    head, rows, left = TableHead("", []), list[list[Any]](), 0
    waiting = dict(manifest.tables)
    for line in lines:
        data = LINE_DECODER.decode(line)
        if isinstance(data, TableHead):
            _insert_batch(head, rows)
            _check_complete(head, left)
            head, rows = data, []
            kept = waiting.pop(data.table, None)
            if kept is None or kept.columns != data.columns:
                raise ValueError(f"{data.table} is there without need")
            left = kept.rows
        else:
            rows.append([value.data if isinstance(value, Blob) else value for value in data])
            left -= 1
            if len(data) != len(head.columns) or left < 0:
                raise ValueError(f"{head.table} has a row that does not belong")
            if len(rows) == AT_ONCE:
                _insert_batch(head, rows)
                rows = []
    _insert_batch(head, rows)
    _check_complete(head, left)
    if waiting:
        raise ValueError(f"{min(waiting)} is missing")


def _check_complete(head: TableHead, left: int) -> None:
    if left:
        raise ValueError(f"{head.table} lacks {left} rows")


def _insert_batch(head: TableHead, rows: list[list[Any]]) -> None:
    if not rows:
        return
    quote_name = connection.ops.quote_name
    columns, places = ", ".join(map(quote_name, head.columns)), ", ".join(["%s"] * len(head.columns))
    with connection.cursor() as cursor:
        cursor.executemany(f"INSERT INTO {quote_name(head.table)} ({columns}) VALUES ({places})", rows)  # noqa: S608 - `_compare` has found them in our schema


def _reset_sequence(table: str) -> None:
    """Number the next row of a table after its last one."""
    quoted = connection.ops.quote_name(table)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT column_name FROM information_schema.columns "
            "WHERE table_schema = current_schema() AND table_name = %s AND is_identity = 'YES'",
            [table],
        )
        for (column,) in cursor.fetchall():
            last = f"max({connection.ops.quote_name(column)})"
            sql = f"SELECT setval(pg_get_serial_sequence(%s, %s), {last}) FROM {quoted}"  # noqa: S608 - a table of ours
            cursor.execute(sql, [quoted, column])
