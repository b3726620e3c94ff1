"""One writer of an encounter at a time: a second one waits, or finds out when it writes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import cache
from typing import Any

from django.db import connection, models, transaction
from django.utils import timezone

from combat.audience.changes import PendingCommand, read_pending
from combat.audience.fetching import LARGEST, find_whole
from combat.models import Encounter, StoredStep
from combat.rules.core.basics.errors import Refused
from cosmos_site.base.database.queries import change, fetch, stored_json, stored_moment
from cosmos_site.base.database.rows import make_stored

_FIELDS: dict[str, Any] = {field.name: field for field in Encounter._meta.concrete_fields}
_OF_STEP: list[Any] = [field for field in StoredStep._meta.concrete_fields if not field.primary_key]
_AS_THEY_ARE = {  # columns that take such a value without conversion
    models.BinaryField: bytes,
    models.BooleanField: bool,
    models.CharField: str,
    models.ForeignKey: int,
    models.PositiveIntegerField: int,
    models.TextField: str,
}
_STORE: dict[Any, Callable[[Any], Any]] = {models.DateTimeField: stored_moment, models.JSONField: stored_json}
_ADD = f"""
    INSERT INTO "{StoredStep._meta.db_table}" ({", ".join(f'"{field.column}"' for field in _OF_STEP)})
    VALUES ({", ".join("%s" for _ in _OF_STEP)}) RETURNING id
"""  # noqa: S608 - the names of our own columns
_VERSION = f'SELECT version FROM "{Encounter._meta.db_table}" WHERE id = %s'  # noqa: S608 - our own table
_LOCK = f"{_VERSION} FOR UPDATE"
_writing = threading.RLock()  # SQLite has one writer; waiting here is fair, waiting there is not


@contextmanager
def alone() -> Iterator[None]:
    """Write everything in the block, or nothing."""
    lock = _writing if connection.vendor == "sqlite" else nullcontext()
    with lock, transaction.atomic():
        yield


class Overtaken(Exception):
    """Someone else has written to an encounter that was not locked."""


@contextmanager
def locked(
    encounter_id: int, known: Encounter | None = None
) -> Iterator[tuple[Encounter, PendingCommand | None]]:
    """The encounter and its open command, locked until the block ends; `known` itself if it is current."""
    with alone():
        version = _lock(encounter_id)
        if known is None or version != known.version:  # read behind the lock: a join with it may be older
            known = find_whole(encounter_id)
        if known is None:
            raise Refused("stale", "This encounter was deleted.")
        yield known, read_pending(known)


def _lock(pk: int) -> int | None:
    """Lock the row for this writer, and return its version; None if there is none."""
    sql = _LOCK if connection.features.has_select_for_update else _VERSION
    return next((int(version) for (version,) in fetch(sql, [min(pk, LARGEST)])), None)


@contextmanager
def unlocked(known: Encounter) -> Iterator[tuple[Encounter, PendingCommand | None]]:
    """The known encounter and its open command, without a row lock; raises Overtaken if it is outdated.

    The write finds that out, or a refusal, which may rest on old data. `known` is then restored.
    """
    was = dict(vars(known))
    try:
        with alone():
            yield known, read_pending(known)
    except (Overtaken, Refused) as ended:
        if isinstance(ended, Refused) and _is_still(was["id"], was["version"]):
            raise
        vars(known).clear()
        vars(known).update(was)
        raise Overtaken from ended


def _is_still(pk: int, version: int) -> bool:
    """Whether an encounter still has this version."""
    return Encounter.objects.filter(pk=pk, version=version).exists()


def write(encounter: Encounter, version: int, names: tuple[str, ...]) -> None:
    """Write these fields of an encounter, and the time; Overtaken if it no longer has this version."""
    encounter.changed = timezone.now()
    values = _find_values([_FIELDS[name] for name in names], vars(encounter))
    if not change(_say_write(names), (*values, encounter.pk, version)):
        raise Overtaken


@cache
def _say_write(names: tuple[str, ...]) -> str:
    """The SQL that writes these fields of an encounter with a number and a version."""
    written = ", ".join(f'"{_FIELDS[name].column}" = %s' for name in names)
    return f'UPDATE "{Encounter._meta.db_table}" SET {written} WHERE id = %s AND version = %s'  # noqa: S608 - the names of our own columns


def _find_values(fields: Iterable[Any], known: Mapping[str, Any]) -> list[Any]:
    """The values of these columns as the database takes them, from those of a row."""
    values = []
    for field in fields:
        value, kind = known[field.attname], type(field)
        if type(value) is not _AS_THEY_ARE.get(kind, ()):
            store = _STORE.get(kind)
            value = store(value) if store else field.get_db_prep_save(value, connection)
        values.append(value)
    return values


def add_step(values: dict[str, Any]) -> StoredStep:
    """Add a new step to its log, by fixed SQL: `save` takes longer to write the query than to run it."""
    known = {**values, "struck": False, "created": timezone.now()}
    [(known["id"],)] = fetch(_ADD, _find_values(_OF_STEP, known))
    return make_stored(StoredStep, known)
