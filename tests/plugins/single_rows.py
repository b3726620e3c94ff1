"""Pytest plugin: an object that fixed SQL reads alone counts for zeal as one that `get` reads.

Zeal reports a query for each of many rows. It leaves out objects that were read alone, but knows only those
of `get`, `first` and slices.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from zeal.listeners import n_plus_one_listener
from zeal.patch import get_instance_key

from cosmos_site.base.database.rows import Rows


@pytest.fixture(autouse=True, scope="session")
def _count_single_rows() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Rows, "read", _tell(Rows.read))
        yield


def _tell(read: Callable[..., Any]) -> Callable[..., Any]:
    """The same, and tell zeal of a single row."""

    @functools.wraps(read)
    def read_and_tell(self: Rows[Any], *query: Any) -> Any:
        rows = read(self, *query)
        if len(rows) == 1:
            n_plus_one_listener.ignore(get_instance_key(rows[0][0]))
        return rows

    return read_and_tell
