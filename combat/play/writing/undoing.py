"""Undo and redo: steps of the log that do not count any more, or count again."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from combat.audience.changes import find_step_audience
from combat.audience.rights import Grant, author_label, check_gm, find_viewer
from combat.audience.viewer import GM
from combat.models import Encounter, StoredStep
from combat.rules.core.basics.errors import Refused
from combat.rules.core.state.fold import fold_all
from combat.rules.core.state.history import REDO, UNDO, Step, go_back
from combat.rules.core.state.state import decode, encode

from .encounter_service import Seen, SubmissionResult, append_step, check_version, read_state
from .last_steps import find_last, find_replaced, state_after
from .locking import busy, locked
from .verification import read_step


def undo(
    encounter_id: int, *, version: Seen = None, by: str = "", grant: Grant | None = None
) -> SubmissionResult:
    """Undo the last step that counts: restore the state before it, without reusing its numbers.

    Of a step with an overruled roll this undoes the overruling: the step that it replaced counts again.
    """
    with rewriting(encounter_id, version, grant) as encounter:
        rows, author = find_last(encounter), author_label(by, GM, grant)
        if not rows:
            raise Refused("not_allowed", "Nothing to undo.")
        replaced = find_replaced(encounter, read_step(rows[0]))
        done = _strike(encounter, rows, author)
        return _restore(encounter, replaced, author) if replaced else done


def strike(encounter_id: int, *, by: str = "", grant: Grant | None = None) -> SubmissionResult:
    """Undo the last step that counts, whatever it replaced; there is one."""
    with rewriting(encounter_id, None, grant) as encounter:
        return _strike(encounter, find_last(encounter), author_label(by, GM, grant))


def _strike(encounter: Encounter, rows: list[StoredStep], by: str) -> SubmissionResult:
    """Undo the first of the last two steps."""
    before = read_state(encounter)
    state = state_after(rows[1]) if len(rows) > 1 else decode(bytes(encounter.start))
    state = go_back(state, before)
    rows[0].struck = True
    rows[0].save(update_fields=["struck"])
    step = Step(encounter.steps + 1, UNDO, rows[0].name, by=by, target=rows[0].number)
    audience = find_step_audience(read_step(rows[0]), before)
    append_step(encounter, step, before, state, [rows[0].number, *encounter.undone], audience)
    return SubmissionResult(encounter.version, False, state)


def redo(
    encounter_id: int, *, version: Seen = None, by: str = "", grant: Grant | None = None
) -> SubmissionResult:
    """Redo the step undone last: its facts are applied to the present state."""
    with rewriting(encounter_id, version, grant) as encounter:
        if not encounter.undone:
            raise Refused("not_allowed", "Nothing to redo.")
        return _restore(encounter, encounter.log.get(number=encounter.undone[0]), author_label(by, GM, grant))


def _restore(encounter: Encounter, row: StoredStep, by: str) -> SubmissionResult:
    """Let an undone step count again, in place of the one undone last."""
    redone, before = read_step(row), read_state(encounter)
    state = fold_all(before, redone.facts)
    row.struck, row.after = False, zlib.compress(encode(state), 1)
    row.save(update_fields=["struck", "after"])
    step = Step(encounter.steps + 1, REDO, row.name, by=by, target=row.number)
    append_step(encounter, step, before, state, encounter.undone[1:], find_step_audience(redone, state))
    return SubmissionResult(encounter.version, False, state)


@contextmanager
def rewriting(encounter_id: int, version: Seen, grant: Grant | None) -> Iterator[Encounter]:
    """The encounter, locked while the GM rewrites its log; Refused while a command is open."""
    with locked(encounter_id) as encounter:
        check_gm(find_viewer(encounter, grant))
        check_version(encounter, version)
        if encounter.open_command:
            raise busy()
        yield encounter
