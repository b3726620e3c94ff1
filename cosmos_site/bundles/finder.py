"""Finds the bundles as if they were static files: each is written from its sources when someone asks for it.

So `collectstatic` collects them, `play` serves them after its start, and a server in debug mode shows an
edited source at the next request.
"""

from __future__ import annotations

import os
import posixpath
import re
import tempfile
from collections.abc import Iterable, Iterator
from hashlib import sha256
from importlib.metadata import distribution, version
from pathlib import Path
from typing import Any

import django
import msgspec
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.files.storage import FileSystemStorage
from django.core.management import call_command

from combat.rules.core.basics.release import RELEASE

PACKAGES = ("django-htmx", "django-allauth")  # which bring the scripts of others
HTMX = "By Big Sky Software, under the Zero-Clause BSD License (0BSD)."
WEBAUTHN_JSON = "MIT License\n\nCopyright (c) 2019 GitHub, Inc."  # its LICENSE.md has this line
# the text of this license, which the package of htmx for Python leaves out
ZERO_CLAUSE = """\
Permission to use, copy, modify, and/or distribute this software for any purpose with or without
fee is hereby granted.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS
SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE
AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES
WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT,
NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE
OF THIS SOFTWARE."""
ADDRESS = re.compile(r"""url\((?!["']?(?:data:|https?:|/|#))(["']?)([^"')]+)\1\)""")
FOLDER = "bundles"
STYLES = {
    "site": (
        "page/cosmos",
        "page/table",
        "page/layout",
        "page/results",
        "page/overlays",
        "book",
        "map",
        "table/decks",
        "front",
    ),
    "table": (
        "table/phone",
        "table/map-head",
        "table/first",
        "table/shot",
        "page/road",
        "page/board",
        "prep",
        "live",
        "sharing/join",
        "table/map-first",
        "table/end",
        "table/window",
        "table/players",
        "table/fold",
        "table/scene-now",
        "table/before-fight",
        "table/wishes",
        "table/planned",
        "table/between",
        "charts",
    ),
    "prep": ("prep", "desk", "sharing/share"),
    "own": ("characters", "live", "characters/sheet"),
    "sheet": ("table/shot", "characters", "characters/sheet"),
    "watch": ("watch", "table/moments"),
    "branch": ("table/phone", "table/shot", "page/board", "table/map-first", "whatif"),
}
SCRIPTS = {
    "site": (
        "page/keys", "page/fields", "page/controls", "page/live", "page/press", "page/saves", "page/swaps",
        "page/needs", "page/says",
        "page/results", "page/calls",
        "page/cards", "page/rules", "page/find", "page/times", "page/pictures", "device/worker",
    ),
    "table": (
        "table/timer", "table/order", "table/handouts", "device/awake", "table/regions", "table/swipe",
        "table/ask", "table/ways", "table/places", "table/source", "table/hints", "table/drawer",
        "table/aim", "table/first", "table/bar",
        "map/map", "map/ping", "map/pen", "map/ruler", "map/move", "map/lines", "map/area",
        "map/tap", "map/things", "map/window", "map/phone", "map/decks",
    ),
    "share": ("table/ways", "table/places", "table/source"),
    "watch": ("table/moments", "table/nav"),
    "branch": ("map/ruler", "map/move", "map/tap", "map/decks"),
    "draw": ("map/draw", "map/decks"),
    "prep": ("table/order", "map/ruler", "map/starts", "map/put", "map/desk", "map/decks"),
}  # fmt: skip
# The library that comes before the scripts of a bundle
STREAMS = "django_htmx/ext/hx-sse-2.min.js"
BEFORE = {"site": "django_htmx/htmx-2.min.js", "table": STREAMS, "share": STREAMS}
# What is published of others: by where it begins among the static files, whose it is, and its license.
LICENSES = f"{FOLDER}/licenses.txt"  # their texts; NOTICE names them all
OTHERS = {
    "django_htmx/django-htmx": ("django-htmx", "MIT"),
    "django_htmx/": ("htmx", "0BSD"),
    "mfa/js/webauthn-json": ("webauthn-json", "MIT"),
    "mfa/js/": ("django-allauth", "MIT"),
    "account/js/": ("django-allauth", "MIT"),
}
MARK = "collected.txt"  # beside the collected files: what they were made from
MANIFEST = "staticfiles.json"


class BundleFinder(finders.BaseFinder):
    """Django's interface to find static files by name, and to list them."""

    def check(self, **kwargs: Any) -> list[Any]:
        """Nothing to set up."""
        return []

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        """The file of a bundle, fresh; an empty list for any other name."""
        if path not in (*BUNDLES, LICENSES):
            return []
        found = str(write_bundle(path))
        return [found] if find_all else found

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, FileSystemStorage]]:
        """Every bundle, with the storage that it lies in."""
        storage = FileSystemStorage(location=find_folder())
        for name in (*BUNDLES, LICENSES):
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
    if name == LICENSES:
        return write_licenses()
    prepare = prepare_style if name.endswith(".css") else prepare_script
    return "".join(f"/* {source} */\n{prepare(source, read_source(source))}" for source in BUNDLES[name])


def write_licenses() -> str:
    """The licenses of the scripts of others in the bundles and beside them, as their packages have them."""
    mit, allauth = (distribution(name).read_text("licenses/LICENSE") or "" for name in PACKAGES)
    _, _, permission = mit.partition("\n\nPermission is hereby granted")
    texts = {
        "htmx and its extensions": f"{HTMX}\n\n{ZERO_CLAUSE}",
        PACKAGES[0]: mit,
        PACKAGES[1]: allauth,
        "webauthn-json": f"{WEBAUTHN_JSON}\n\nPermission is hereby granted{permission}",
    }
    return "\n\n".join(f"{name}\n{'=' * len(name)}\n\n{text.strip()}" for name, text in texts.items()) + "\n"


def read_source(name: str) -> str:
    """The text of a source, ours or a library's."""
    found = finders.find(name)
    if not isinstance(found, str):
        raise FileNotFoundError(
            f"{name} is in a bundle (cosmos_site/bundles/finder.py) but not among the static files"
        )
    return Path(found).read_text("utf-8")


def prepare_style(name: str, text: str) -> str:
    """A style whose addresses are relative to the bundle."""

    def move(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(name), found[2]))
        return f"url({found[1]}{posixpath.relpath(target, FOLDER)}{found[1]})"

    return ADDRESS.sub(move, text)


def prepare_script(name: str, text: str) -> str:
    """A script that stops no other: if it fails as it starts, the console says so and the next one starts."""
    return f"try {{\n{text}\n}} catch (error) {{ reportError(error) }}\n"


# The bundles: which sources make each file that pages ask for, in this order. A page asks for `site`, and
# for one bundle of its own where it needs several sources that few other pages need; other sources are
# asked for by themselves. Scripts are deferred, so `site.js` runs before the others.


def list_bundles() -> dict[str, tuple[str, ...]]:
    """By the name of a bundle: the names of its sources, in order, as static files."""
    styles = {
        f"{FOLDER}/{name}.css": tuple(f"css/{one}.css" for one in made) for name, made in STYLES.items()
    }
    scripts = {
        f"{FOLDER}/{name}.js": (*filter(None, [BEFORE.get(name)]), *(f"js/{one}.js" for one in made))
        for name, made in SCRIPTS.items()
    }
    return styles | scripts


BUNDLES = list_bundles()

# Collects the static files before a table opens, unless that was done with these files.


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
