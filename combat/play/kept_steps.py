"""Steps of logs that this process has read already: a step never changes but in whether it is struck."""

from __future__ import annotations

import threading
from collections import OrderedDict
from copy import copy
from datetime import datetime

from django.db.models import QuerySet

from combat.models import StoredStep

MOST_KEPT = 5000
Key = tuple[int, datetime]

_kept: OrderedDict[Key, StoredStep] = OrderedDict()
_lock = threading.Lock()


def keep(row: StoredStep) -> None:
    """Remember a step as it is stored now."""
    kept = copy(row)
    kept.after = b""  # large, and asked for by no page
    with _lock:
        _kept[row.pk, row.created] = kept
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)


def find_rows(rows: QuerySet[StoredStep]) -> list[StoredStep]:
    """The steps of a query, each read from the database by this process once."""
    found = list(rows.values_list("pk", "created", "struck"))
    missing = [pk for pk, created, _ in found if (pk, created) not in _kept]
    if missing:
        for row in StoredStep.objects.filter(pk__in=missing).defer("after"):
            keep(row)
    taken = (_take(pk, created, struck=struck) for pk, created, struck in found)
    return [row for row in taken if row]


def _take(pk: int, created: datetime, *, struck: bool) -> StoredStep | None:
    """A kept step, struck or not as it is now."""
    with _lock:
        row = _kept.get((pk, created))
        if row is None:
            return None
        _kept.move_to_end((pk, created))
        if row.struck != struck:
            row = _kept[pk, created] = copy(row)
            row.struck = struck
        return row
