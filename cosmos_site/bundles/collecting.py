"""Collects the static files before a table opens, unless that was done with these files."""

from __future__ import annotations

from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

import django
import msgspec
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.management import call_command

from combat.rules.core.basics.release import RELEASE

MARK = "collected.txt"  # beside the collected files: what they were made from
MANIFEST = "staticfiles.json"


class Manifest(msgspec.Struct):
    """Django's list of the collected files: their names, by those of their sources."""

    paths: dict[str, str]


def collect() -> None:
    """Collect, compress and name all static files, if any of their sources or their makers is another."""
    folder, sources = Path(settings.STATIC_ROOT), describe_sources()
    mark = folder / MARK
    if mark.is_file() and mark.read_bytes() == sources.encode() and is_complete(folder):
        return
    for file in (mark, folder / MANIFEST):  # what breaks off is done again, and a damaged list is not read
        file.unlink(missing_ok=True)
    call_command("collectstatic", verbosity=0, interactive=False)
    mark.write_text(sources)


def is_complete(folder: Path) -> bool:
    """Whether every file that pages ask for is there."""
    try:
        paths = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest).paths
    except (OSError, ValueError):
        return False
    return bool(paths) and all((folder / name).is_file() for name in paths.values())


def describe_sources() -> str:
    """A digest of names, sizes and times of all sources, and of the releases that collect them."""
    found: list[Any] = [RELEASE, django.get_version(), version("whitenoise")]
    for finder in finders.get_finders():
        for name, storage in finder.list([]):
            state = Path(storage.path(name)).stat()
            found.append((name, state.st_size, state.st_mtime_ns))
    return sha256(repr(found).encode()).hexdigest()
