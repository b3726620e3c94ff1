"""Backups of version 1, without a manifest: what can be verified is written again in today's form.

Version 1 on PostgreSQL was gzipped lines between a head and a count of rows, which gzip's own checksum
covers. On SQLite it was the bare database: whether that is whole nobody can tell.
"""

from __future__ import annotations

import gzip
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import msgspec

from combat.rules.core.basics.typed import read_json

from . import postgres
from .manifest import DAMAGED, Manifest, TableContent, append_manifest, has_manifest
from .shared import BackupError, Migrations

GZIP, SQLITE = b"\x1f\x8b", b"SQLite format 3\x00"


class Version1Head(msgspec.Struct, forbid_unknown_fields=True):
    """The first line of version 1."""

    format: Literal["cosmos-table-backup"]
    version: Literal[1]
    migrations: Migrations


class Version1End(msgspec.Struct, forbid_unknown_fields=True):
    """Its last line."""

    rows: int


@contextmanager
def upgrade(file: Path) -> Iterator[Path]:
    """A backup in today's form: the file itself, or one of version 1 rewritten; else BackupError."""
    if has_manifest(file):
        yield file
        return
    with file.open("rb") as opened:
        start = opened.read(len(SQLITE))
    if start == SQLITE:
        raise BackupError(
            f"{file} cannot be verified: it is cut off, or from before backups had a checksum. "
            "Such a one is restored by the version that made it: do that there, update, back up again."
        )
    if not start.startswith(GZIP):
        raise BackupError(f"{file} is no backup of a table: `manage.py backup` makes one.")
    with tempfile.TemporaryDirectory(prefix="cosmos-table-") as folder:
        fresh = Path(folder) / file.name
        try:
            _rewrite(file, fresh)
        except (gzip.BadGzipFile, EOFError, zlib.error, ValueError, RecursionError, StopIteration):
            raise BackupError(DAMAGED.format(file)) from None
        yield fresh


def _rewrite(file: Path, fresh: Path) -> None:
    """Write version 1 in today's form. ValueError and its like for what is not that, to the last bit."""
    tables: dict[str, TableContent] = {}
    name, ending = "", None
    with file.open("rb") as opened, gzip.open(fresh, "wb") as target:
        lines = postgres.read_lines(opened)
        first = read_json(next(lines), Version1Head)
        for line in lines:  # to the end: only there gzip compares its checksum
            if ending:
                raise ValueError("lines after the end")
            if line.startswith(b'{"rows":'):
                ending = read_json(line, Version1End)
                continue
            if line.startswith(b"{"):
                head = read_json(line, postgres.TableHead)
                name, tables[head.table] = head.table, TableContent(head.columns, 0)
            else:
                tables[name].rows += 1
            target.write(line)
    if ending is None or ending.rows != sum(kept.rows for kept in tables.values()):
        raise ValueError("the end is missing")
    append_manifest(fresh, Manifest(postgres.KIND, first.migrations, tables))
