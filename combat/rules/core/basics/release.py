"""The name and release of this program, for the files it writes."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import version
from pathlib import Path

PROGRAM = "cosmos-table"
PATTERN = r"^[0-9A-Za-z.+-]{1,30}$"  # of a release in a file: anyone may have written it


def find_release() -> str:
    """The version: in a checkout that of pyproject.toml, else that of the installed program."""
    try:
        text = (Path(__file__).parents[4] / "pyproject.toml").read_text("utf-8")
    except FileNotFoundError:
        return version(PROGRAM)
    found: str = tomllib.loads(text)["project"]["version"]
    return found


RELEASE = find_release()


def name_replay(release: object) -> str:
    """The command that verifies a file with the release that wrote it, by that release's wheel.

    It names a file, not a package: a stranger could register the name of a package and run code here.
    """
    known = isinstance(release, str) and re.fullmatch(PATTERN, release)
    version = str(release).replace("-", "_") if known else "VERSION"
    return f"uvx --from ./{PROGRAM.replace('-', '_')}-{version}-py3-none-any.whl {PROGRAM} replay FILE"
