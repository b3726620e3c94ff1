"""Steps and states as they were read, cached by what is stored, and the last steps of a log."""

from __future__ import annotations

import threading
import zlib
from collections import OrderedDict
from collections.abc import Iterable
from datetime import datetime

from django.db.models import QuerySet

from combat.models import Encounter, StoredStep
from combat.rules.core.state.history import COMMAND, REDO, UNDO, Step
from combat.rules.core.state.state import State, decode

MAX_CACHED = 8000

_cached: OrderedDict[tuple[int, datetime, bool], StoredStep] = OrderedDict()  # by number, time, and `struck`
_lock = threading.Lock()

MAX_BYTES = 8_000_000  # of encoded states; the objects take about ten times as much
MAX_KEPT = 16  # states after steps whose cards are shown


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


# The newest state of each encounter that this process has read or written: decoded once. What was computed
# about the combatants of a state is kept with it (`core/basics/memory.py`) for the next request. States are
# frozen, so requests can share them. An entry holds for the very bytes that are stored, so what another
# process wrote, a restored table or a step that was rolled back can never be taken for another.


_cached_states: OrderedDict[int, tuple[bytes, State]] = OrderedDict()  # by encounter


def find_state(encounter: int, raw: bytes) -> State:
    """The state of these bytes; decoded unless it is kept. Raises what `decode` does."""
    with _lock:
        known, state = _cached_states.get(encounter, (b"", None))
    if state is None or known != raw:
        state = decode(raw)
        cache_state(encounter, raw, state)
    return state


def cache_state(encounter: int, raw: bytes, state: State) -> None:
    """Keep the newest state of an encounter; those that were written or read first make room."""
    with _lock:
        _cached_states[encounter] = raw, state
        _cached_states.move_to_end(encounter)
        while sum(len(each) for each, _ in _cached_states.values()) > MAX_BYTES:
            _cached_states.popitem(last=False)


def forget() -> None:
    """Keep nothing, as in a new process."""
    _cached_states.clear()


# The last steps of a log: which count, and what they replaced.


_kept: OrderedDict[tuple[int, datetime], State] = OrderedDict()  # by number and time of the step


def find_order(encounter: Encounter) -> list[int]:
    """The numbers of the steps that count, in their order. A redone step counts from its redo."""
    redone = encounter.log.filter(kind=REDO).order_by("number")
    again = dict(redone.values_list("target", "number"))
    live = encounter.log.filter(kind=COMMAND, struck=False).values_list("number", flat=True)
    return sorted(live, key=lambda number: again.get(number, number))


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


def find_undone(encounter: Encounter) -> StoredStep | None:
    """The first step that one undo takes back: of those done again after an overruled roll, that one."""
    rows = {row.number: row for row in encounter.log.filter(kind=COMMAND, struck=False).defer("after")}
    order = (rows[number] for number in reversed(find_order(encounter)))
    return next((row for row in order if not row.target), None)


def find_replaced(encounter: Encounter, step: Step) -> StoredStep | None:
    """The step that an overruled one replaced, or one done again after it; None for others."""
    if step.kind == COMMAND and step.target:
        return encounter.log.get(number=step.target)
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
