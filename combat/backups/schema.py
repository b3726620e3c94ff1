"""The tables of this release, built by its migrations, to compare a backup with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.db import connections
from django.db.migrations import Migration
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from .manifest import Manifest
from .shared import BackupError

DEFAULT = "default"


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
