"""The copies of all data, as their page shows them to the host."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.utils import timezone

from characters.models import Character
from combat.backups import NAMES, find_backend, find_release
from combat.backups.copies import Copy
from combat.backups.manifest import BEFORE_RESTORE, BEFORE_UPDATE, BY_HAND, Manifest
from combat.backups.schema import find_strange
from combat.models import Encounter

COUNTED: tuple[tuple[str, str, Callable[[], int]], ...] = (
    ("Fights", "combat_encounter", Encounter.objects.count),
    ("Characters", "characters_character", Character.objects.count),
    ("People with an account", "auth_user", User.objects.count),
)


@dataclass(frozen=True)
class CopyRow:
    """One copy. `obstacle` says why it cannot be restored here; empty if nothing is known against it."""

    name: str
    bytes: int
    made: datetime
    reason: str
    release: str
    automatic: bool
    obstacle: str


@dataclass(frozen=True)
class Difference:
    """One line of the question before a restore."""

    label: str
    now: object
    then: object
    is_time: bool = False


def view_copy(copy: Copy) -> CopyRow:
    """A copy for the list."""
    known = copy.manifest
    return CopyRow(
        name=copy.name,
        bytes=copy.bytes,
        made=copy.made,
        reason=_describe(copy),
        release=known.release if known else "",
        automatic=copy.reason in (BEFORE_UPDATE, BEFORE_RESTORE) and not copy.is_uploaded,
        obstacle=_find_obstacle(known),
    )


def _describe(copy: Copy) -> str:
    """Why a copy was made, in words."""
    words = "By hand"
    if copy.reason == BEFORE_UPDATE:
        update = copy.manifest.update if copy.manifest else None
        words = f"Before the update to {update}" if update else "Before an update"
    elif copy.reason == BEFORE_RESTORE:
        words = "Before a restore"
    if not copy.is_uploaded:
        return words
    return "Uploaded" if copy.reason == BY_HAND else f"Uploaded, made {words[0].lower()}{words[1:]}"


def _find_obstacle(known: Manifest | None) -> str:
    if known is None:
        return "Damaged or cut off"
    if known.kind != find_backend().KIND:
        return f"Of a table on {NAMES.get(known.kind, 'another database')}"
    return f"Restore it with release {known.release}" if find_strange(known) else ""


def compare(copy: Copy) -> list[Difference]:
    """What the table has now, and what it would have after a restore."""
    lines = [Difference(label, count(), copy.count(table)) for label, table, count in COUNTED]
    release = copy.manifest.release if copy.manifest else ""
    lines.append(Difference("Release", find_release(), release))
    return [*lines, Difference("As of", timezone.now(), copy.made, is_time=True)]
