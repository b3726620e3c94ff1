"""Pytest plugin: an object that fixed SQL reads alone counts for zeal as one that `get` reads.

Zeal reports a query for each of many rows. It leaves out objects that were read alone, but knows only
those of `get`, `first` and slices.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db.models import query
from zeal.listeners import n_plus_one_listener
from zeal.patch import get_instance_key

Fetch = Callable[[Any], None]
RAW: Any = query.RawQuerySet  # the stubs leave out how it reads


@pytest.fixture(autouse=True, scope="session")
def _count_single_rows() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RAW, "_fetch_all", _tell(RAW._fetch_all))
        yield


def _tell(fetch_all: Fetch) -> Fetch:
    """The same, and tell zeal of a single row."""

    @functools.wraps(fetch_all)
    def fetch(rows: Any) -> None:
        fetch_all(rows)
        if len(found := rows._result_cache or []) == 1:
            n_plus_one_listener.ignore(get_instance_key(found[0]))

    return fetch
