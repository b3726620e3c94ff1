"""What every backup ends with: a manifest in one line, and a checksum of all before it.

A file is: the content, a line feed, the manifest as one line of JSON, and a line with the
SHA-256 of everything above it. So no bit of a file can change without being found out. That is no
signature: a file made by hand can have one, so its content is checked as well.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path
from typing import Annotated, BinaryIO

import msgspec

from combat.rules.core.basics.release import PATTERN, PROGRAM, RELEASE
from combat.rules.core.basics.typed import read_json

from .shared import BackupError, Migrations

VERSION = 1
CHECKSUM_LINE = re.compile(rb"cosmos-table-backup ([1-9][0-9]{0,3}) ([0-9a-f]{64})\n\Z")
CHECKSUM_BYTES = len(f"cosmos-table-backup {VERSION} \n") + 64
MAX_MANIFEST_BYTES = 200_000
AT_ONCE = 1 << 20  # bytes
CUT_OFF = "{} is cut off, or no backup of a table: nothing was changed."
DAMAGED = "{} is damaged, or no backup of a table: nothing was changed."
Name = Annotated[str, msgspec.Meta(pattern=PATTERN)]  # anybody may have written it


class TableContent(msgspec.Struct, forbid_unknown_fields=True):
    """What a backup holds of one table."""

    columns: list[str]
    rows: int


class Manifest(msgspec.Struct, forbid_unknown_fields=True):
    """What a backup holds: the kind of database, all its tables, and the release that made it."""

    kind: str
    migrations: Migrations
    tables: dict[str, TableContent]
    program: Name = PROGRAM
    release: Name = RELEASE


def append_manifest(file: Path, manifest: Manifest) -> None:
    """Write manifest and checksum after the content of a file, and see that all of it is on the disk."""
    with file.open("rb+") as opened:
        digest = _hash(opened, file.stat().st_size)
        ending = b"\n" + msgspec.json.encode(manifest) + b"\n"
        digest.update(ending)
        opened.seek(0, os.SEEK_END)
        opened.write(ending + f"cosmos-table-backup {VERSION} {digest.hexdigest()}\n".encode())
        opened.flush()
        os.fsync(opened.fileno())


def read_manifest(file: Path) -> tuple[Manifest, int]:
    """The manifest of a backup, and how many bytes its content has; BackupError if it is damaged."""
    with file.open("rb") as opened:
        length = file.stat().st_size - CHECKSUM_BYTES
        wanted = _read_checksum(file, opened)
        if _hash(opened, length).hexdigest().encode() != wanted:
            raise BackupError(DAMAGED.format(file))
        start = max(0, length - MAX_MANIFEST_BYTES)
        opened.seek(start)
        line = opened.read(length - start).removesuffix(b"\n").rpartition(b"\n")[2]
    try:
        manifest = read_json(line, Manifest)
    except (ValueError, RecursionError):
        raise BackupError(DAMAGED.format(file)) from None
    return manifest, length - len(line) - 2


def _read_checksum(file: Path, opened: BinaryIO) -> bytes:
    """The digest in the last line of a file, which stands at its beginning then."""
    opened.seek(max(0, file.stat().st_size - CHECKSUM_BYTES - 3))
    found = CHECKSUM_LINE.search(opened.read())
    opened.seek(0)
    if found is None:
        raise BackupError(CUT_OFF.format(file))
    if int(found[1]) != VERSION:
        version = int(found[1])
        raise BackupError(f"{file} is a backup of version {version}: here only version {VERSION} is known.")
    return found[2]


def _hash(opened: BinaryIO, length: int) -> hashlib._Hash:
    """The digest of the first bytes of a file, which stands after them then."""
    digest = hashlib.sha256()
    while length > 0 and (part := opened.read(min(AT_ONCE, length))):
        digest.update(part)
        length -= len(part)
    return digest
