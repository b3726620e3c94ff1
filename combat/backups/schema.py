"""The tables of this release, built by its migrations, to compare a backup with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import connections
from django.db.migrations import Migration
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.models import Model

from combat.rules.core.basics.release import PROGRAM, RELEASE

from .manifest import Manifest
from .shared import BackupError

DEFAULT = "default"
OTHER_TABLES = (
    "{place} has other tables than this version of {program}, {release}: {odd}. Nothing was changed. "
    "Open it with the version that made it, restore a copy from before its update, or start with other "
    "data{how}."
)


def find_strange(manifest: Manifest) -> str:
    """A migration that either a backup or this release does not have; empty if both have the same."""
    odd = set(MigrationLoader(None).disk_migrations) ^ set(manifest.migrations)
    return " ".join(min(odd)) if odd else ""


def check_schema(file: Path, manifest: Manifest) -> None:
    """Raise BackupError for a backup with other migrations than this release."""
    if odd := find_strange(manifest):
        raise BackupError(
            f"{file} was made by {manifest.program} {manifest.release}, which has other tables "
            f"({odd}): restore it with that release."
        )


def find_waiting() -> list[tuple[Migration, bool]]:
    """The migrations of this release that are not applied to the database."""
    executor = MigrationExecutor(connections[DEFAULT])
    return executor.migration_plan(executor.loader.graph.leaf_nodes())


def tell_other_tables() -> str:
    """A sentence if the tables, once nothing waits, are not those of this release; empty if they are."""
    odd = find_odd_table()
    if not odd:
        return ""
    is_file = connections[DEFAULT].vendor == "sqlite"
    place, how = (str(settings.COSMOS_DATA), " (--data DIR)") if is_file else ("The database", "")
    return OTHER_TABLES.format(place=place, program=PROGRAM, release=RELEASE, odd=odd, how=how)


def find_odd_table() -> str:
    """What the database has and this release does not, or the other way round, in a few words.

    Empty if there is nothing, or if migrations wait. It looks at the names of migrations, tables and columns.
    """
    executor = MigrationExecutor(connections[DEFAULT])
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return ""
    ours = executor.loader.migrated_apps
    known = executor.loader.disk_migrations
    for app, name in executor.loader.applied_migrations:
        if app in ours and (app, name) not in known:
            return f"the migration {app} {name} is unknown here"
    with connections[DEFAULT].cursor() as cursor:
        there = set(connections[DEFAULT].introspection.table_names(cursor))
        for model in apps.get_models(include_auto_created=True):
            if odd := _find_odd_column(cursor, model._meta.db_table, _name_columns(model), there):
                return odd
    return ""


def _name_columns(model: type[Model]) -> set[str]:
    return {field.column for field in model._meta.local_concrete_fields if field.column}


def _find_odd_column(cursor: Any, table: str, wanted: set[str], there: set[str]) -> str:
    if table not in there:
        return f"there is no table {table}"
    cursor.execute(f"SELECT * FROM {connections[DEFAULT].ops.quote_name(table)} LIMIT 0")  # noqa: S608 - a quoted name of ours
    found = {column[0] for column in cursor.description}
    if missing := sorted(wanted - found):
        return f"{table} has no column {missing[0]}"
    return next((f"{table} has a column {name} too much" for name in sorted(found - wanted)), "")


def build() -> None:
    """Create the tables of this release in an empty database."""
    executor = MigrationExecutor(connections[DEFAULT])
    executor.migrate(executor.loader.graph.leaf_nodes())


@contextmanager
def use_database(name: str | Path) -> Iterator[Any]:
    """Use another SQLite database in place of the table's own, also for other apps' migrations."""
    own = connections[DEFAULT]
    other = type(own)({**own.settings_dict, "NAME": str(name), "OPTIONS": {}}, DEFAULT)
    connections[DEFAULT] = other
    try:
        yield other
    finally:
        connections[DEFAULT] = own
        if other.connection is not None:
            other.connection.close()
