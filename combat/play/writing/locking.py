"""One writer of an encounter at a time: a second one waits, or is refused."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from django.db import connection, transaction

from combat.models import Campaign, Encounter
from combat.rules.core.basics.errors import Refused

_writing = threading.RLock()  # SQLite has one writer: waiting here is fair, waiting there is not


@contextmanager
def alone() -> Iterator[None]:
    """Write everything in the block, or nothing."""
    lock = _writing if connection.vendor == "sqlite" else nullcontext()
    with lock, transaction.atomic():
        yield


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


def busy() -> Refused:
    """The refusal of a step while an open command waits for its answers."""
    return Refused("busy", "An action needs dice or a choice: answer or cancel it first.")


@contextmanager
def hold_campaign(campaign: Campaign, field: str) -> Iterator[None]:
    """A field of a campaign as it is stored now, until the block ends; others who write it wait."""
    with alone():
        rows = Campaign.objects.select_for_update(no_key=True)
        campaign.refresh_from_db(fields=[field], from_queryset=rows)
        yield
