"""A whole log at once, of an imported, copied or packed encounter: made without a lock, then stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from combat.models import Encounter, StoredStep
from combat.rules.core.basics.errors import Refused
from combat.rules.core.state.history import COMMAND, StateTimeline, Step
from combat.rules.core.state.state import State, encode

from .encounter_service import make_row, summarize
from .sealing import list_seals

MAX_LOG_BYTES = 200_000_000  # of a log as it is stored: one of 1,500 steps on a large map
TOO_LARGE = f"The log would take more than {MAX_LOG_BYTES // 1_000_000} MB, with its map in every step."


@dataclass(frozen=True)
class WholeLog:
    """The steps of a log, their rows, and the course they take from a state."""

    start: State
    steps: Sequence[Step]
    rows: list[StoredStep]
    course: StateTimeline


def without(data: Any, is_dropped: Callable[[str, Any], bool]) -> Any:
    """Plain data without those keys, at any depth, that are dropped with their value."""
    if isinstance(data, list):
        return [without(each, is_dropped) for each in data]
    if not isinstance(data, dict):
        return data
    return {k: without(value, is_dropped) for k, value in data.items() if not is_dropped(k, value)}


def prepare_log(start: State, steps: Sequence[Step]) -> WholeLog:
    """The rows of these steps, each with the state after it.

    Refused if one cannot be put into words, or if all of them would take too much room.
    """
    course, unsaved = StateTimeline(start), Encounter(system=start.system)
    rounds = [course.follow(step).round for step in steps]
    live, rows, room = set(course.line.live), list[StoredStep](), MAX_LOG_BYTES
    for step, rounded in zip(steps, rounds, strict=True):
        row = _make_row(unsaved, step, rounded, encode(course.states[step.number]))
        row.struck = step.kind == COMMAND and step.number not in live
        rows.append(row)
        room -= len(row.record) + len(row.after)
        if room < 0:
            raise Refused("bad_value", f"{TOO_LARGE} Nothing was imported.")
    return WholeLog(start, steps, rows, course)


def store_log(encounter: Encounter, log: WholeLog, secret: str = "") -> None:
    """Store a log as that of a new encounter, and its last state as the present one.

    Without the secret of its dice, which belongs to another log, the next step has to renew them.
    """
    for row in log.rows:
        row.encounter = encounter
    StoredStep.objects.bulk_create(log.rows)
    state = log.course.state
    encounter.start = encode(log.start)
    encounter.state, encounter.steps = encode(state), len(log.steps)
    encounter.undone = list(log.course.line.undone)
    summarize(encounter, state)
    encounter.version = len(log.steps)
    encounter.seals, encounter.dice_secret = list_seals(log.steps), secret
    _count_rolls(encounter, log.steps)
    encounter.save()


def _count_rolls(encounter: Encounter, steps: Sequence[Step]) -> None:
    """Continue the counts of rolls from the end of the log."""
    last: dict[str, int] = {}
    for answer in (answer for step in steps for answer in step.answers):
        last[answer.series] = max(answer.number, last.get(answer.series, 0))
    encounter.rolled = last.pop("", 0)
    encounter.secret_rolls = {series: number for series, number in last.items() if number}


def _make_row(encounter: Encounter, step: Step, in_round: int, after: bytes) -> StoredStep:
    """The row of a step; Refused if the step cannot be drawn."""
    try:
        return make_row(encounter, step, in_round, after)
    except (LookupError, TypeError, ValueError, AttributeError):
        said = f"Step {step.number} cannot be put into words: export the encounter again."
        raise Refused("bad_value", said) from None
