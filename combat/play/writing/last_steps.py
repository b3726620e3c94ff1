"""The last steps of a log: which count, and what they replaced."""

from __future__ import annotations

import threading
import zlib
from collections import OrderedDict
from collections.abc import Iterable
from datetime import datetime

from combat.models import Encounter, StoredStep
from combat.rules.core.state.history import COMMAND, REDO, UNDO, Step
from combat.rules.core.state.state import State, decode

MAX_KEPT = 16  # states after steps whose cards are shown

_kept: OrderedDict[tuple[int, datetime], State] = OrderedDict()  # by number and time of the step
_lock = threading.Lock()


def find_last(encounter: Encounter) -> list[StoredStep]:
    """The last two steps that count, newest first. A redone step counts from its redo."""
    live = encounter.log.filter(kind=COMMAND, struck=False)
    newest = list(live.order_by("-number").values_list("number", flat=True)[:2])
    redone = encounter.log.filter(kind=REDO, number__gt=newest[-1] if newest else 0).order_by("number")
    again = dict(redone.values_list("target", "number"))
    places = {number: again.get(number, number) for number in newest}
    places |= {n: again[n] for n in live.filter(number__in=again).values_list("number", flat=True)}
    last = sorted(places, key=lambda number: -places[number])[:2]
    rows = {row.number: row for row in encounter.log.filter(number__in=last)}
    return [rows[number] for number in last]


def find_replaced(encounter: Encounter, step: Step) -> StoredStep | None:
    """The step that one with an overruled roll replaced; None for others."""
    if not step.command.get("overruled"):
        return None
    undone = encounter.log.filter(kind=UNDO, number__lt=step.number).order_by("-number").first()
    return encounter.log.get(number=undone.target) if undone else None


def state_after(row: StoredStep) -> State:
    """The state after a step."""
    return decode(zlib.decompress(bytes(row.after)))


def states_after(rows: Iterable[StoredStep]) -> dict[int, State]:
    """The states after steps, by the numbers of these; kept for the next page that shows their cards."""
    keys = {row.number: (row.pk, row.created) for row in rows}
    with _lock:
        found = {key: _kept[key] for key in keys.values() if key in _kept}
    missing = [pk for pk, created in keys.values() if (pk, created) not in found]
    if missing:
        raw = StoredStep.objects.only("after", "created").in_bulk(missing)
        found |= {(pk, row.created): state_after(row) for pk, row in raw.items()}
        with _lock:
            _kept.update(found)
            while len(_kept) > MAX_KEPT:
                _kept.popitem(last=False)
    return {number: found[key] for number, key in keys.items()}


def state_at(encounter: Encounter, number: int) -> State:
    """The state after a step of the log; before the first for 0."""
    if not number:
        return decode(bytes(encounter.start))
    return state_after(encounter.log.get(number=number))
