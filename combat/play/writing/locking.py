"""Locks on an encounter's row, and limits on what it may hold."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from typing import Any

import msgspec
from django.db import OperationalError, connection, transaction

from combat.models import Campaign, Encounter
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import MAX_COMMAND_NUMBER
from cosmos_site.base.patience import find_left

_writing = threading.RLock()  # SQLite has one writer: waiting here is fair, waiting there is not

MAX_COMMAND_BYTES = 100_000


@contextmanager
def alone() -> Iterator[None]:
    """Write everything in the block, or nothing."""
    lock = _write_alone() if connection.vendor == "sqlite" else nullcontext()
    with lock, transaction.atomic():
        yield


@contextmanager
def _write_alone() -> Iterator[None]:
    """Hold the lock of all writers in this process; OperationalError if its turn does not come in time."""
    left = find_left()
    if not _writing.acquire(timeout=-1 if left is None else left):
        raise OperationalError("database is locked")
    try:
        yield
    finally:
        _writing.release()


@contextmanager
def locked(encounter_id: int) -> Iterator[Encounter]:
    """The encounter, locked until the block ends; Refused("stale") if it was deleted.

    PostgreSQL locks the row. SQLite locks everything as soon as the transaction begins (`transaction_mode`).
    """
    with alone():
        encounter = Encounter.objects.select_for_update().filter(pk=encounter_id).first()
        if encounter is None:
            raise Refused("stale", "This encounter was deleted.")
        yield encounter


def stale() -> Refused:
    """The refusal of a submission from an outdated page."""
    text = "Someone acted first. The page is now current: check, then try again."
    return Refused("stale", text)


def say_busy(is_gm: bool) -> str:
    """Why nothing can begin while an open command waits for its answers; only the GM can cancel it."""
    if is_gm:
        return "An action needs dice or a choice: answer or cancel it first."
    return "An action waits for dice or a choice: that comes first."


def busy(is_gm: bool) -> Refused:
    """The refusal of a step while an open command waits for its answers."""
    return Refused("busy", say_busy(is_gm))


@contextmanager
def hold_campaign(campaign: Campaign, field: str) -> Iterator[None]:
    """A field of a campaign as it is stored now, until the block ends; others who write it wait."""
    with alone():
        rows = Campaign.objects.select_for_update(no_key=True)
        campaign.refresh_from_db(fields=[field], from_queryset=rows)
        yield


# How large a command may be, in bytes and in its numbers.


def check_size(fields: Mapping[str, Any], most: int = MAX_COMMAND_BYTES) -> None:
    """Refuse a command of more than `most` bytes."""
    if len(msgspec.json.encode(fields)) > most:
        raise Refused("bad_value", "That is too much at once.")


def check_numbers(command: Mapping[str, Any]) -> None:
    """Refuse numbers larger than any table needs; a sheet has the bounds of its game."""
    _check_numbers([value for name, value in command.items() if name != "sheet"])


def _check_numbers(data: Any) -> None:
    if isinstance(data, dict | list):
        for value in data.values() if isinstance(data, dict) else data:
            _check_numbers(value)
    elif isinstance(data, int | float) and abs(data) > MAX_COMMAND_NUMBER:
        raise Refused("bad_value", f"Numbers here go up to {MAX_COMMAND_NUMBER:,}.")
