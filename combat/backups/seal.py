"""What every backup ends with: a manifest in one line, and a seal over all that is before it.

A file is: the content, a line feed, the manifest as one line of JSON, and the seal, a line with the
SHA-256 of everything above it. So no bit of a file can change without being found out. The seal is no
signature: who makes a file by hand can seal it, so what is in it is looked at as well.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path
from typing import BinaryIO

import msgspec

from combat.rules.core.basics.typed import read_json

from .shared import OURS, Migrations, Unusable

VERSION = 2
SEAL = re.compile(rb"cosmos-table-backup ([1-9][0-9]{0,3}) ([0-9a-f]{64})\n")
SEAL_BYTES = len("cosmos-table-backup 2 \n") + 64
MAX_MANIFEST_BYTES = 200_000
AT_ONCE = 1 << 20  # bytes
DAMAGED = "{} is damaged, or no backup of a table: nothing was changed."


class Kept(msgspec.Struct, forbid_unknown_fields=True):
    """What a backup holds of one table."""

    columns: list[str]
    rows: int


class Manifest(msgspec.Struct, forbid_unknown_fields=True):
    """What a backup holds: of which kind of database, and all tables of it."""

    kind: str
    migrations: Migrations
    tables: dict[str, Kept]


def seal(file: Path, manifest: Manifest) -> None:
    """Write manifest and seal after the content of a file, and see that all of it is on the disk."""
    with file.open("rb+") as opened:
        digest = _hash(opened, file.stat().st_size)
        ending = b"\n" + msgspec.json.encode(manifest) + b"\n"
        digest.update(ending)
        opened.seek(0, os.SEEK_END)
        opened.write(ending + f"cosmos-table-backup {VERSION} {digest.hexdigest()}\n".encode())
        opened.flush()
        os.fsync(opened.fileno())


def is_sealed(file: Path) -> bool:
    """Whether a file ends as a backup does, be it whole or not. Unusable if by a newer version."""
    with file.open("rb") as opened:
        opened.seek(max(0, file.stat().st_size - SEAL_BYTES - 3))
        found = re.search(SEAL.pattern + rb"\Z", opened.read())
    if found and int(found[1]) > VERSION:
        raise Unusable(f"{file} was made by a newer version of Cosmos Table: update the program first.")
    return bool(found)


def read(file: Path) -> tuple[Manifest, int]:
    """The manifest of a backup, and how many bytes its content has; Unusable if one bit is not as written."""
    with file.open("rb") as opened:
        length = file.stat().st_size - SEAL_BYTES
        if length < 0:
            raise Unusable(DAMAGED.format(file))
        digest = _hash(opened, length)
        found = SEAL.fullmatch(opened.read())
        if not found or int(found[1]) != VERSION or found[2] != digest.hexdigest().encode():
            raise Unusable(DAMAGED.format(file))
        start = max(0, length - MAX_MANIFEST_BYTES)
        opened.seek(start)
        line = opened.read(length - start).removesuffix(b"\n").rpartition(b"\n")[2]
    try:
        manifest = read_json(line, Manifest)
    except (ValueError, RecursionError):
        raise Unusable(DAMAGED.format(file)) from None
    if OURS not in manifest.migrations:
        raise Unusable(DAMAGED.format(file))
    return manifest, length - len(line) - 2


def _hash(opened: BinaryIO, length: int) -> hashlib._Hash:
    """The digest of the first bytes of a file, which stands after them then."""
    digest = hashlib.sha256()
    while length > 0 and (part := opened.read(min(AT_ONCE, length))):
        digest.update(part)
        length -= len(part)
    return digest
