"""Steps of logs that this process has read: a step never changes, except that it may be struck.

The newest steps of a log are kept as well, by the version of its encounter, so that after the next step
they are known without a query.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from combat.models import Encounter, StoredStep
from combat.rules.core.state.history import COMMAND
from cosmos_site.base.database.rows import Rows, copy_stored

MAX_KEPT = 8000
MAX_LOGS = 200
NEWEST = 40  # steps of a log that a page shows
WINDOW = 60  # newest steps that are kept: some of them only the GM can read
STEPS = Rows(StoredStep, "after")  # large, and no page needs it
NAMED = Rows(StoredStep, only=("id", "struck", "created"))
# Fixed SQL, since to write it from a queryset takes longer than to run it
NUMBERED = f"SELECT {STEPS.name_columns('s')} FROM combat_storedstep s WHERE s.id IN ({{}})"  # noqa: S608 - our columns
LAST = f"""
    SELECT {NAMED.name_columns("s")} FROM combat_storedstep s
    WHERE s.encounter_id = %s ORDER BY s.number DESC LIMIT {WINDOW}
"""  # noqa: S608 - the names of our own columns
Key = tuple[int, datetime]
Version = tuple[int, int, datetime]

_kept: OrderedDict[Key, StoredStep] = OrderedDict()
_newest: OrderedDict[Version, tuple[StoredStep, ...]] = OrderedDict()
_lock = threading.Lock()


def keep(row: StoredStep) -> None:
    """Remember a step as it is stored now; its row is not for others any more."""
    row.after = b""  # large, and no page needs it
    with _lock:
        _kept[row.pk, row.created] = row
        while len(_kept) > MAX_KEPT:
            _kept.popitem(last=False)


def find_rows(rows: QuerySet[StoredStep]) -> list[StoredStep]:
    """The steps of a query; this process reads each from the database only once."""
    return _find_kept(list(rows.values_list("pk", "struck", "created")))


def _find_kept(found: Collection[Sequence[Any]]) -> list[StoredStep]:
    """The steps with these numbers; each is struck or not, and was made at this time."""
    missing = [pk for pk, _, created in found if (pk, created) not in _kept]
    if missing:
        for row in STEPS.find(NUMBERED.format(", ".join("%s" for _ in missing)), missing):
            keep(row)
    taken = (_take(pk, created, struck=struck) for pk, struck, created in found)
    return [row for row in taken if row]


def _take(pk: int, created: datetime, *, struck: bool) -> StoredStep | None:
    """A kept step, with its present `struck`."""
    with _lock:
        row = _kept.get((pk, created))
        if row is None:
            return None
        _kept.move_to_end((pk, created))
        if row.struck != struck:
            row = _kept[pk, created] = copy_stored(row)
            row.struck = struck
        return row


def version_of(encounter: Encounter) -> Version:
    """A key for this version of an encounter, unique even after a restore."""
    return encounter.pk, encounter.version, encounter.changed


def find_newest(encounter: Encounter) -> list[StoredStep]:
    """The newest steps of a whole log, the newest first: at most WINDOW."""
    version = version_of(encounter)
    with _lock:
        kept = _newest.get(version)
    if kept is None:
        kept = tuple(_find_kept(NAMED.read_values(LAST, [encounter.pk])))
        _keep_newest(version, kept)
    return list(kept)


def follow(before: Version, encounter: Encounter, row: StoredStep) -> None:
    """Keep a step that was written, and put it before the newest of the version `before`.

    An undo or redo changes other steps: after those the log is read again.
    """
    keep(row)
    with _lock:
        older = _newest.get(before, ())
    if row.kind == COMMAND and older and older[0].number == row.number - 1:
        _keep_newest(version_of(encounter), (row, *older[: WINDOW - 1]))


def _keep_newest(version: Version, rows: tuple[StoredStep, ...]) -> None:
    with _lock:
        _newest[version] = rows
        while len(_newest) > MAX_LOGS:
            _newest.popitem(last=False)
