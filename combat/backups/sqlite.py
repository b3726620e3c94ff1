"""SQLite: the copy is a database of its own, made by VACUUM INTO while others read and write."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from django.db import OperationalError, connection, transaction

from cosmos_site.base.files import sync, sync_names

from .manifest import (
    AT_ONCE,
    SECRETS,
    BackupError,
    Manifest,
    Origin,
    SchemaMismatch,
    TableContent,
    append_manifest,
    first_line,
)
from .schema import KEYS, build, use_database

KIND, SUFFIX = "sqlite", ".sqlite3"
APPLIED = "SELECT app, name FROM django_migrations ORDER BY app, name"
TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
OBJECTS = (
    "SELECT type, name FROM sqlite_master WHERE name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY type, name"
)
TYPES = {  # allowed values of a column, by the beginning of its declared type
    ("int", "big", "small", "bool"): "integer",
    ("varchar", "char", "text", "date"): "text",
    ("blob",): "blob",
}


def database_exists() -> bool:
    """Whether there is a database; opening it would create one."""
    name = connection.settings_dict["NAME"]
    return str(name).startswith(("file:memory", ":memory:")) or Path(name).exists()


def measure() -> int:
    """The bytes that the database takes, and so at most a copy."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        (size,) = cursor.fetchone()
    return int(size)


def write(file: Path, origin: Origin) -> None:
    """Copy the database, as it is at one moment, into an empty file; BackupError if it is damaged."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(file)])
    _forget_secrets(file)
    with _open(file) as copy:
        if find_damage(copy):
            raise BackupError(f"The table's own data is damaged ({find_damage(copy)}): restore a backup.")
        manifest = describe(copy)
    append_manifest(file, msgspec.structs.replace(manifest, **origin))


def _forget_secrets(file: Path) -> None:
    """Remove the secrets of the dice and the keys of browsers from a copy, to the last byte."""
    table, column = SECRETS
    with closing(sqlite3.connect(file, isolation_level=None)) as copy:
        known = {name for (name,) in copy.execute("SELECT name FROM pragma_table_info(?)", [table])}
        copy.execute("PRAGMA secure_delete = ON")
        for (name,) in copy.execute(TABLES).fetchall():
            if name in KEYS:
                copy.execute(f"DELETE FROM {quote_name(name)}")  # noqa: S608 - a quoted name
        if column in known:
            copy.execute(f"UPDATE {quote_name(table)} SET {quote_name(column)} = ''")  # noqa: S608 - quoted names


@contextmanager
def _open(file: Path) -> Iterator[sqlite3.Connection]:
    """A database opened for reading that does not change meanwhile."""
    address = f"{file.resolve().as_uri()}?mode=ro&immutable=1"
    with closing(sqlite3.connect(address, uri=True)) as opened:
        yield opened


def restore_file(file: Path, manifest: Manifest, length: int, settle: Callable[[], object]) -> None:
    """Put a backup in the place of the database: the whole of it, or nothing is changed.

    One of an earlier release gets the tables of this one, then `settle` changes its data. Raises
    SchemaMismatch for a file that is no database of its release, BackupError while the table runs.
    """
    place = Path(connection.settings_dict["NAME"])
    connection.close()
    if place.exists():
        _require_exclusive(place)
    fresh = place.with_name(f"{place.name}.restoring")
    try:
        _copy(file, length, fresh)
        examine(fresh, manifest, length)
        with use_database(fresh):
            build()
            with transaction.atomic():
                settle()
        sync(fresh)
        fresh.replace(place)
        sync_names(place.parent)
    finally:
        for left in place.parent.glob(f"{fresh.name}*"):
            left.unlink()


def _copy(file: Path, length: int, fresh: Path) -> None:
    """Write the content of a backup, without manifest and checksum, to a file for its owner only."""
    fresh.unlink(missing_ok=True)
    with file.open("rb") as source, fresh.open("xb") as target:
        fresh.chmod(0o600)
        while length > 0 and (part := source.read(min(AT_ONCE, length))):
            target.write(part)
            length -= len(part)


def examine(fresh: Path, manifest: Manifest, length: int) -> None:
    """Check that a file is a database of its release, to the last index; what follows it is not read."""
    try:
        _examine(fresh, manifest)
    except (OSError, OperationalError):
        raise
    except Exception as problem:  # noqa: BLE001 - rows may hold anything, and nothing has changed yet
        raise SchemaMismatch(first_line(problem)) from None


def _examine(fresh: Path, manifest: Manifest) -> None:
    """Raise SchemaMismatch unless a database has exactly the tables, rows and migrations it should have."""
    with _open(fresh) as found:
        damage = find_damage(found)
        schema, content = read_schema(found), describe(found)
    wanted = build_schema(tuple(sorted(manifest.migrations)))
    if (content.migrations, content.tables) != (manifest.migrations, manifest.tables):
        damage = damage or "it holds other rows than it says"
    if odd := damage or _find_difference(schema, wanted):
        raise SchemaMismatch(odd)


@cache
def build_schema(migrations: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    """The schema of a release, as its migrations make it: they take most of a second."""
    with use_database(":memory:") as model:
        build(migrations)
        return read_schema(model.connection)


def _find_difference(found: dict[str, Any], wanted: dict[str, Any]) -> str:
    """The difference between two schemas, in a few words."""
    for name in sorted(found.keys() ^ wanted.keys(), key=lambda name: (not name.startswith("table"), name)):
        return f"there is no {name}" if name in wanted else f"a {name} does not belong there"
    return next((f"its {name} is another" for name in sorted(wanted) if found[name] != wanted[name]), "")


def read_schema(base: sqlite3.Connection) -> dict[str, Any]:
    """Everything in a database, by `table name`, `index name` and so on; tables with their columns."""
    found: dict[str, Any] = {}
    for kind, name in base.execute(OBJECTS).fetchall():
        found[f"{kind} {name}"] = _describe(base, name) if kind == "table" else None
    return found


def _describe(base: sqlite3.Connection, table: str) -> tuple[list[Any], ...]:
    """Columns, foreign keys and indexes of a table, in no order."""
    columns = base.execute(
        'SELECT name, lower(type), "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?)', [table]
    )
    keys = base.execute(
        'SELECT "table", "from", "to", on_update, on_delete FROM pragma_foreign_key_list(?)', [table]
    )
    indexes = base.execute(
        'SELECT l."unique", l.origin, l.partial, x.seqno, x.name, x."desc", x.coll, x.key '
        "FROM pragma_index_list(?) AS l, pragma_index_xinfo(l.name) AS x",
        [table],
    )
    return tuple(sorted(rows.fetchall(), key=repr) for rows in (columns, keys, indexes))


def describe(base: sqlite3.Connection) -> Manifest:
    """The manifest of a database: its migrations, its tables with columns and numbers of rows."""
    migrations = [(str(app), str(name)) for app, name in base.execute(APPLIED)]
    tables = {}
    for (name,) in base.execute(TABLES).fetchall():
        columns = [column for (column,) in base.execute("SELECT name FROM pragma_table_info(?)", [name])]
        (rows,) = base.execute(f"SELECT count(*) FROM {quote_name(name)}").fetchone()  # noqa: S608 - a quoted name
        tables[name] = TableContent(columns, rows)
    return Manifest(KIND, migrations, tables)


def find_damage(base: sqlite3.Connection) -> str:
    """The damage in a database, in a few words: pages, references, kinds of values."""
    (verdict,) = base.execute("PRAGMA integrity_check(1)").fetchone()
    if verdict != "ok":
        return str(verdict).splitlines()[-1]
    if lost := base.execute("PRAGMA foreign_key_check").fetchone():
        return f"a row of {lost[0]} belongs to one of {lost[2]} that is not there"
    tables = base.execute(TABLES).fetchall()
    return next(
        (f"a value in {name} is of another kind" for (name,) in tables if _has_wrong_types(base, name)), ""
    )


def _has_wrong_types(base: sqlite3.Connection, table: str) -> bool:
    """Whether a table has a value that is not of its column's type, which SQLite allows."""
    tests = []
    for column, declared in base.execute("SELECT name, lower(type) FROM pragma_table_info(?)", [table]):
        kind = next((kind for starts, kind in TYPES.items() if declared.startswith(starts)), "")
        if kind:
            quoted = quote_name(column)
            tests.append(f"typeof({quoted}) NOT IN ('{kind}', 'null')")
        if "unsigned" in declared:  # SQLite's own integrity check misses some of these
            tests.append(f"{quote_name(column)} < 0")
    if not tests:
        return False
    sql = f"SELECT 1 FROM {quote_name(table)} WHERE {' OR '.join(tests)} LIMIT 1"  # noqa: S608 - quoted names and our own words
    return base.execute(sql).fetchone() is not None


def _require_exclusive(place: Path) -> None:
    """Check that no other process has the database open; leaves no journal beside it."""
    with closing(sqlite3.connect(place, timeout=1, isolation_level=None)) as opened:
        try:
            (mode,) = opened.execute("PRAGMA journal_mode = DELETE").fetchone()
        except sqlite3.OperationalError as problem:
            if "locked" not in str(problem):
                raise
            mode = "busy"
    if mode != "delete":
        raise BackupError("The table is running: stop it first (Ctrl-C), then restore.")


def quote_name(name: str) -> str:
    """A name quoted for SQL, whatever it contains."""
    return '"' + name.replace('"', '""') + '"'
