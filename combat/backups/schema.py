"""The tables that the program has, built by its migrations: a backup is held against them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.db import connections
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from .manifest import Manifest
from .shared import BackupError

DEFAULT = "default"


def check_schema(file: Path, manifest: Manifest) -> None:
    """Raise BackupError for a backup with other migrations than those of this release."""
    odd = set(MigrationLoader(None).disk_migrations) ^ set(manifest.migrations)
    if odd:
        raise BackupError(
            f"{file} was made by {manifest.program} {manifest.release}, which has other tables "
            f"({' '.join(min(odd))}): restore it with that release."
        )


def build() -> None:
    """Make the tables of this release in an empty database."""
    executor = MigrationExecutor(connections[DEFAULT])
    executor.migrate(executor.loader.graph.leaf_nodes())


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
