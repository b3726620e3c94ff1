"""Pytest plugin: an object that fixed SQL reads alone counts for zeal as one that `get` reads.

Zeal reports a query for each of many rows. It leaves out objects that were read alone, but knows only
those of `get`, `first` and slices.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

import pytest
from django.db.models import Model
from django.db.models.query import RawQuerySet
from zeal.listeners import n_plus_one_listener
from zeal.patch import get_instance_key


@pytest.fixture(autouse=True)
def _count_single_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RawQuerySet, "_fetch_all", _tell(RawQuerySet._fetch_all))


def _tell(fetch_all: Callable[[RawQuerySet[Model]], None]) -> Callable[[RawQuerySet[Model]], None]:
    """The same, and tell zeal of a single row."""

    @functools.wraps(fetch_all)
    def fetch(self: RawQuerySet[Model]) -> None:
        fetch_all(self)
        if len(rows := self._result_cache or []) == 1:
            n_plus_one_listener.ignore(get_instance_key(rows[0]))

    return fetch
