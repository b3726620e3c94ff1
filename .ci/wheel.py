"""The parts of the wheel that pyproject.toml cannot name: static files, templates, packed rulebooks."""

import bz2
import json
import os
import re
import runpy
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TARGET = "cosmos_site/built"
LISTS = "cosmos_site/bundles/lists.py"
CUTS = "cosmos_site/bundles/cuts.py"
DATA = "combat/data.json.bz2"  # read by combat/rules/core/basics/data.py
MANIFEST = "staticfiles.json"  # original name -> name with a digest
NAMED = re.compile(r"""\{% static ['"]([^'"]+)['"]""")
INDENT = re.compile(r"\n +")
COMMENT = re.compile(r"\{% comment %\}.*?\{% endcomment %\}\n?", re.DOTALL)
LARGEST = "examples.toml"
# Pages use htmx 2, and of its extensions only the live stream
OTHER_HTMX = re.compile(r"^django_htmx/(.*-4(\.min)?\.js|ext/(?!hx-sse).*)$")


class Pages(BuildHookInterface):
    """Puts the pages into the wheel.

    Static files have names with digests, so that no start has to collect them. All templates are one file:
    as five hundred small ones they would take four times the room. All data files are one as well.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Collect the files in a folder that lives until the wheel is written."""
        self.scratch = TemporaryDirectory(prefix="cosmos-table-")
        folder = Path(self.scratch.name, "static")
        collect(Path(self.root), folder, data=Path(self.scratch.name, "data"))
        texts = read_templates(Path(self.root, "templates"))
        keep_served(folder, find_parts(Path(self.root), texts))
        cut_comments(folder, Path(self.root))
        build_data["force_include"][str(folder)] = f"{TARGET}/static"
        templates = Path(self.scratch.name, "templates.json.bz2")
        templates.write_bytes(pack(texts))
        build_data["force_include"][str(templates)] = f"{TARGET}/{templates.name}"
        data = Path(self.scratch.name, "data.json.bz2")
        data.write_bytes(pack(read_data(Path(self.root, "combat"))))
        build_data["force_include"][str(data)] = DATA

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Pack the wheel as small as it gets, and remove the folder."""
        self.scratch.cleanup()
        with zipfile.ZipFile(artifact_path) as packed:
            files = [(entry, packed.read(entry)) for entry in packed.infolist()]
        with zipfile.ZipFile(artifact_path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
            for entry, content in files:
                packed.writestr(entry, content, compresslevel=9)


def collect(root: Path, folder: Path, data: Path) -> None:
    """Run Django's collectstatic; leave no trace in the tree or in the builder's own data."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("COSMOS_", "DJANGO_"))}
    ours = {"COSMOS_STATIC_ROOT": str(folder), "COSMOS_DATA": str(data), "PYTHONDONTWRITEBYTECODE": "1"}
    for name in ("DATABASE_URL", "REDIS_URL"):
        kept.pop(name, None)
    command = [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity", "0"]
    subprocess.run(command, cwd=root, env=kept | ours, check=True)  # noqa: S603 - our own command


def pack(files: dict[str, Any]) -> bytes:
    """Files by name as one, as small as it gets."""
    return bz2.compress(json.dumps(files, ensure_ascii=False, separators=(",", ":")).encode())


def read_templates(folder: Path) -> dict[str, str]:
    """All templates by name, without comments and indentation, which say nothing on a page."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    texts = {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in files}
    return {name: INDENT.sub("\n", COMMENT.sub("", text)) for name, text in texts.items()}


def read_data(folder: Path) -> dict[str, Any]:
    """What all TOML files of the rules and the ready scenes hold, by name: an installed table reads no TOML.

    Those of one kind lie together and the largest last: so they take the least room.
    """
    files = sorted(folder.rglob("*.toml"), key=lambda path: (path.name == LARGEST, path.name, path))
    return {path.relative_to(folder).as_posix(): tomllib.loads(path.read_text("utf-8")) for path in files}


def find_parts(root: Path, templates: dict[str, str]) -> set[str]:
    """The static files that are parts of bundles and that no page asks for by themselves."""
    bundles: dict[str, tuple[str, ...]] = runpy.run_path(str(root / LISTS))["BUNDLES"]
    named = {name for text in templates.values() for name in NAMED.findall(text)}
    return {name for parts in bundles.values() for name in parts} - named


def keep_served(folder: Path, parts: set[str]) -> None:
    """Remove what no page asks for: original names, `parts`, notes, readable twins of scripts, another htmx.

    Compressed twins go as well: the wheel would hold each file twice, and a browser loads it once.
    """
    names: dict[str, str] = json.loads((folder / MANIFEST).read_text())["paths"]
    readable = (name for name in names if name.removesuffix(".js") + ".min.js" in names)
    notes = (name for name in names if name.endswith(".md"))
    unused = {*parts, *notes, *readable, *filter(OTHER_HTMX.search, names)}
    for name in [*names, *map(names.__getitem__, unused)]:
        (folder / name).unlink(missing_ok=True)
    for twin in folder.rglob("*.gz"):
        twin.unlink()


def cut_comments(folder: Path, root: Path) -> None:
    """Leave comments out of styles and scripts that pages ask for by themselves, as bundles do."""
    cuts = runpy.run_path(str(root / CUTS))
    for kind, cut in (("css", cuts["cut_style"]), ("js", cuts["cut_script"])):
        for path in (folder / kind).rglob(f"*.{kind}"):
            path.write_text(cut(path.read_text("utf-8")), "utf-8")
