"""One test over many cases of one pattern: a test for each would be collected by every process of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any


def find_wrong(check: Callable[..., Any], cases: Iterable[tuple[Any, ...]]) -> list[str]:
    """The cases that fail a check, each with what it says; all are tried."""
    wrong = []
    for case in cases:
        try:
            check(*case)
        except AssertionError as failed:
            named = ", ".join(str(getattr(part, "name", getattr(part, "id", part))) for part in case)
            wrong.append(f"{named}: {failed}")
    return wrong
