"""The end of every backup: a manifest in one line, and a checksum of all before it.

A file is: the content, a line feed, the manifest as one line of JSON, and a line with the
SHA-256 of everything above it. So any changed bit is noticed. The checksum is no signature: a file made
by hand can have one, so its content is checked as well.
"""

from __future__ import annotations

import hashlib
import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, BinaryIO, Literal, TypedDict

import msgspec
from django.db import Error

from combat.rules.core.basics.data import read_json
from combat.rules.core.basics.release import PATTERN, PROGRAM, RELEASE

VERSION = 1
CHECKSUM_LINE = re.compile(rb"cosmos-table-backup ([1-9][0-9]{0,3}) ([0-9a-f]{64})\n\Z")
CHECKSUM_BYTES = len(f"cosmos-table-backup {VERSION} \n") + 64
MAX_MANIFEST_BYTES = 200_000
AT_ONCE = 1 << 20  # bytes
CUT_OFF = "{} is cut off, or no backup of a table: nothing was changed."
DAMAGED = "{} is damaged, or no backup of a table: nothing was changed."
Name = Annotated[str, msgspec.Meta(pattern=PATTERN)]  # a file from anyone may hold it

Moment = Annotated[str, msgspec.Meta(pattern=r"^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)?$")]
Reason = Literal["by-hand", "before-update", "before-restore"]
BY_HAND: Reason = "by-hand"
BEFORE_UPDATE: Reason = "before-update"
BEFORE_RESTORE: Reason = "before-restore"
SECRETS = ("combat_encounter", "dice_secret")  # the column that no copy holds: it tells the coming rolls


class Origin(TypedDict):
    """Where a copy comes from, as its manifest says it."""

    release: str
    made: str
    reason: Reason
    update: str | None


class TableContent(msgspec.Struct, forbid_unknown_fields=True):
    """What a backup holds of one table."""

    columns: list[str]
    rows: int


class Manifest(msgspec.Struct, forbid_unknown_fields=True):
    """What a backup holds: the kind of database, all its tables, and the release whose data it is.

    `made` is the time in UTC. `reason` says why it was made; before an update, `update` is the new release.
    """

    kind: str
    migrations: Migrations
    tables: dict[str, TableContent]
    program: Name = PROGRAM
    release: Name = RELEASE
    made: Moment = ""
    reason: Reason = BY_HAND
    update: Name | None = None


def append_manifest(file: Path, manifest: Manifest) -> None:
    """Write manifest and checksum after the content of a file."""
    with file.open("rb+") as opened:
        digest = _hash(opened, file.stat().st_size)
        ending = b"\n" + msgspec.json.encode(manifest) + b"\n"
        digest.update(ending)
        opened.seek(0, os.SEEK_END)
        opened.write(ending + f"cosmos-table-backup {VERSION} {digest.hexdigest()}\n".encode())


def read_manifest(file: Path) -> tuple[Manifest, int]:
    """The manifest of a backup, and the length of its content in bytes; BackupError if it is damaged."""
    with file.open("rb") as opened:
        wanted = _read_checksum(file, opened)
        if _hash(opened, file.stat().st_size - CHECKSUM_BYTES).hexdigest().encode() != wanted:
            raise BackupError(DAMAGED.format(file))
        return _read_manifest(file, opened)


def glance(file: Path) -> Manifest:
    """What the end of a backup says of it, without the checksum of the rest; BackupError if it is cut off."""
    with file.open("rb") as opened:
        _read_checksum(file, opened)
        return _read_manifest(file, opened)[0]


def _read_manifest(file: Path, opened: BinaryIO) -> tuple[Manifest, int]:
    """The manifest of a backup, and the length of the content before it in bytes."""
    length = file.stat().st_size - CHECKSUM_BYTES
    start = max(0, length - MAX_MANIFEST_BYTES)
    opened.seek(start)
    line = opened.read(length - start).removesuffix(b"\n").rpartition(b"\n")[2]
    try:
        manifest = read_json(line, Manifest)
    except (ValueError, RecursionError):
        raise BackupError(DAMAGED.format(file)) from None
    return manifest, length - len(line) - 2


def _read_checksum(file: Path, opened: BinaryIO) -> bytes:
    """The digest in the last line of a file; leaves the file at its beginning."""
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
    """The digest of the first bytes of a file; leaves the file after them."""
    digest = hashlib.sha256()
    while length > 0 and (part := opened.read(min(AT_ONCE, length))):
        digest.update(part)
        length -= len(part)
    return digest


# What all kinds of backups share.


Migrations = list[tuple[str, str]]  # app and name of each applied migration


class BackupError(Exception):
    """A backup that cannot be made or restored; the message says what would help."""


class SchemaMismatch(Exception):
    """A whole backup that this program did not make; the message says what is odd."""


@contextmanager
def explain_errors(task: str) -> Iterator[None]:
    """Turn errors of the disk or the database into a sentence; `task` is what could not be done."""
    try:
        yield
    except OSError as problem:
        raise BackupError(f"{task}: {problem.strerror or problem}.") from None
    except (Error, sqlite3.Error) as problem:
        raise BackupError(f"{task}: {first_line(problem)}.") from None


def first_line(problem: BaseException) -> str:
    """The first line of another program's message, without its full stop."""
    words = str(problem).strip() or type(problem).__name__
    return words.splitlines()[0].removesuffix(".")
