"""Finds the bundles as if they were static files: each is written from its sources when someone asks for it.

So `collectstatic` collects them, `play` serves them after its start, and a server in debug mode shows an
edited source at the next request. An installed program has its files collected and needs no finder.
"""

from __future__ import annotations

import os
import posixpath
import re
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.files.storage import FileSystemStorage

from .cuts import cut_script, cut_style
from .lists import BUNDLES, FOLDER

ADDRESS = re.compile(r"""url\((?!["']?(?:data:|https?:|/|#))(["']?)([^"')]+)\1\)""")


class BundleFinder(finders.BaseFinder):
    """Django's interface to find static files by name, and to list them."""

    def check(self, **kwargs: Any) -> list[Any]:
        """Nothing to set up."""
        return []

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        """The file of a bundle, fresh; an empty list for any other name."""
        if path not in BUNDLES:
            return []
        found = str(write_bundle(path))
        return [found] if find_all else found

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, FileSystemStorage]]:
        """Every bundle, with the storage that it lies in."""
        storage = FileSystemStorage(location=find_folder())
        for name in BUNDLES:
            write_bundle(name)
            yield name, storage


def find_folder() -> Path:
    """Where bundles are written."""
    return Path(settings.COSMOS_DATA)


def write_bundle(name: str) -> Path:
    """The path of a bundle, which is up to date. Threads and processes may ask at once."""
    path, content = find_folder() / name, make_bundle(name).encode()
    if not path.is_file() or path.read_bytes() != content:
        path.parent.mkdir(exist_ok=True)
        number, scratch = tempfile.mkstemp(dir=path.parent)
        try:
            with os.fdopen(number, "wb") as fresh:
                fresh.write(content)
            Path(scratch).replace(path)
        finally:  # on a full disk
            Path(scratch).unlink(missing_ok=True)
    return path


def make_bundle(name: str) -> str:
    """The text of a bundle; each part begins with the name of its source."""
    prepare = prepare_style if name.endswith(".css") else prepare_script
    return "".join(f"/* {source} */\n{prepare(source, read_source(source))}" for source in BUNDLES[name])


def read_source(name: str) -> str:
    """The text of a source, ours or a library's."""
    found = finders.find(name)
    if not isinstance(found, str):
        raise FileNotFoundError(
            f"{name} is in a bundle (cosmos_site/bundles/lists.py) but not among the static files"
        )
    return Path(found).read_text("utf-8")


def prepare_style(name: str, text: str) -> str:
    """A style without its comments and indentation; its addresses are relative to the bundle."""

    def move(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(name), found[2]))
        return f"url({found[1]}{posixpath.relpath(target, FOLDER)}{found[1]})"

    return ADDRESS.sub(move, cut_style(text))


def prepare_script(name: str, text: str) -> str:
    """A script without its head and its lines of comment.

    If it fails while it starts, the console says so and the next one starts.
    """
    return f"try {{\n{cut_script(text)}}} catch (error) {{ reportError(error) }}\n"
