"""The name and the release of this program, as they stand in what it writes."""

from __future__ import annotations

import re

PROGRAM = "cosmos-table"
RELEASE = "0.1.0"  # as in pyproject.toml
PATTERN = r"^[0-9A-Za-z.+-]{1,30}$"  # of a release in a file: anybody may have written it


def name_replay(release: object) -> str:
    """The command that verifies a file with the release that wrote it."""
    known = isinstance(release, str) and re.fullmatch(PATTERN, release)
    return f"uvx {PROGRAM}@{release if known else 'latest'} replay FILE"
