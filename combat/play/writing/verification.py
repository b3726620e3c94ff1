"""Check that the stored data of an encounter agrees with its history."""

from __future__ import annotations

import zlib
from typing import Any

from combat.models import Encounter, StoredStep
from combat.rules.core.basics.typed import read_json
from combat.rules.core.state.history import COMMAND, Course, Step
from combat.rules.core.state.state import decode, encode


def read_step(row: StoredStep) -> Step:
    """The step of a row, decoded only once."""
    kept: tuple[Any, Step] | None = row.__dict__.get("read")
    if kept is None or kept[0] is not row.record:
        kept = row.__dict__["read"] = row.record, read_json(bytes(row.record), Step)
    return kept[1]


def verify(encounter: Encounter) -> None:
    """Compare the live state, and what is stored with each step, with a fresh fold of all facts.

    A difference is a bug of ours, or someone has changed the database.
    """
    course, rows = Course(decode(bytes(encounter.start))), list(encounter.log.all())
    for row in rows:
        course.follow(read_step(row))
    for row in rows:
        if encode(course.states[row.number]) != zlib.decompress(bytes(row.after)):
            raise RuntimeError(f"encounter {encounter.pk}: step {row.number} differs from its history")
    struck = {row.number for row in rows if row.kind == COMMAND} - set(course.line.live)
    final = encode(course.state)
    if final != bytes(encounter.state) or struck != {row.number for row in rows if row.struck}:
        raise RuntimeError(f"encounter {encounter.pk}: the state differs from its history")
