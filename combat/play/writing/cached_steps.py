"""Steps of logs that this process has read: a step never changes, except that it may be struck."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from datetime import datetime

from django.db.models import QuerySet

from combat.models import StoredStep

MAX_CACHED = 8000

_cached: OrderedDict[tuple[int, datetime, bool], StoredStep] = OrderedDict()  # by number, time, and `struck`
_lock = threading.Lock()


def cache_steps(rows: Iterable[StoredStep]) -> None:
    """Remember steps as they are stored now; those not asked for longest make room."""
    with _lock:
        for row in rows:
            key = row.pk, row.created, row.struck
            _cached[key] = row
            _cached.move_to_end(key)
        while len(_cached) > MAX_CACHED:
            _cached.popitem(last=False)


def find_rows(rows: QuerySet[StoredStep]) -> list[StoredStep]:
    """The steps of a query, without the states after them; this process reads each only once."""
    keys = list(rows.values_list("pk", "created", "struck"))
    with _lock:
        found = {key[0]: _cached[key] for key in keys if key in _cached}
    missing = [key[0] for key in keys if key[0] not in found]
    if missing:
        found |= StoredStep.objects.defer("after").in_bulk(missing)
    cache_steps(found.values())
    return [found[key[0]] for key in keys if key[0] in found]
