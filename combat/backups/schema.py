"""The tables that a version of the program has, built by its migrations: a backup is held against them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.db import connections
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from .shared import BackupError, Migrations

DEFAULT = "default"


def check_not_newer(file: Path, migrations: Iterable[tuple[str, str]]) -> None:
    """Raise BackupError for a backup that this version of the program is too old for."""
    known = MigrationLoader(None).disk_migrations
    unknown = [f"{app} {name}" for app, name in migrations if (app, name) not in known]
    if unknown:
        raise BackupError(
            f"{file} was made by a newer version of Cosmos Table ({unknown[0]} is unknown here): "
            "update the program, then restore."
        )


def build(migrations: Migrations) -> None:
    """Make the tables that these migrations give; ValueError if no version of the program has just these."""
    executor = MigrationExecutor(connections[DEFAULT])
    graph, wanted = executor.loader.graph, set(migrations)
    parents = {parent.key for key in wanted & set(graph.node_map) for parent in graph.node_map[key].parents}
    inner = {key for key in parents if any(child.key in wanted for child in graph.node_map[key].children)}
    executor.migrate(sorted(key for key in wanted if key in graph.node_map and key not in inner))
    applied = set(MigrationRecorder(connections[DEFAULT]).applied_migrations())
    if applied != wanted:
        odd = " ".join(min(applied ^ wanted))
        raise ValueError(f"no version has exactly its migrations: {odd}")


@contextmanager
def use_database(name: str | Path) -> Iterator[Any]:
    """Have everything go to another SQLite database than the table's own, migrations of other apps too."""
    own = connections[DEFAULT]
    other = type(own)({**own.settings_dict, "NAME": str(name), "OPTIONS": {}}, DEFAULT)
    connections[DEFAULT] = other
    try:
        yield other
    finally:
        connections[DEFAULT] = own
        if other.connection is not None:
            other.connection.close()
