"""The last error of each part of the site, kept in the cache for a day: for reports of faults.

It has the type of the error and the lines of our code, never its message: that may hold values.
"""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.utils import timezone

SECONDS = 86_400
MAX_LINES = 20  # of a traceback, the innermost
ROOT = Path(__file__).resolve().parents[2]


def keep_error(path: str, problem: BaseException) -> None:
    """Keep the error of a request to this address."""
    frames = traceback.extract_tb(problem.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(ROOT)]
    found = {
        "type": type(problem).__name__,
        "lines": [_describe(frame) for frame in own[-MAX_LINES:]],
        "at": timezone.now().isoformat(timespec="seconds"),
    }
    cache.set(_key_of(path), found, SECONDS)


def find_error(path: str) -> dict[str, Any] | None:
    """The last error under the first two parts of an address, such as `/encounters/7/`."""
    found: dict[str, Any] | None = cache.get(_key_of(path))
    return found


def _describe(frame: traceback.FrameSummary) -> str:
    return f"{Path(frame.filename).relative_to(ROOT).as_posix()}:{frame.lineno} {frame.name}"


def _key_of(path: str) -> str:
    return "last-error:" + "/".join(path.removeprefix(settings.COSMOS_PATH).split("/")[:3])[:100]
