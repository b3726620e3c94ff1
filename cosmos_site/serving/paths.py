"""A site under a path of its host, such as https://home.example/table/: the setting COSMOS_PATH.

Its proxy passes on the whole path. It is cut off here; Django puts it before every address it makes.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.urls import set_script_prefix


def enter_path(scope: dict[str, Any]) -> dict[str, Any] | None:
    """The request as at the root of a host; None if it is for something outside the path."""
    start = settings.COSMOS_PATH
    if not start:
        return scope
    before, found, below = scope["path"].partition(start)
    if before or not found or below[:1] not in ("", "/"):
        return None
    set_script_prefix(f"{start}/")
    return {**scope, "path": below or "/", "root_path": ""}
