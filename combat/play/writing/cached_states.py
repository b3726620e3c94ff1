"""The newest state of each encounter that this process has read or written: decoded once.

What was computed about the combatants of a state is kept with it (`core/basics/memory.py`) for the next
request. States are frozen, so requests can share them. An entry holds for the very bytes that are stored, so
what another process wrote, a restored table or a step that was rolled back can never be taken for another.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

from combat.rules.core.state.state import State, decode

MAX_BYTES = 8_000_000  # of encoded states; the objects take about ten times as much

_cached: OrderedDict[int, tuple[bytes, State]] = OrderedDict()  # by encounter
_lock = threading.Lock()


def find_state(encounter: int, raw: bytes) -> State:
    """The state of these bytes; decoded unless it is kept. Raises what `decode` does."""
    with _lock:
        known, state = _cached.get(encounter, (b"", None))
    if state is None or known != raw:
        state = decode(raw)
        cache_state(encounter, raw, state)
    return state


def cache_state(encounter: int, raw: bytes, state: State) -> None:
    """Keep the newest state of an encounter; those that were written or read first make room."""
    with _lock:
        _cached[encounter] = raw, state
        _cached.move_to_end(encounter)
        while sum(len(each) for each, _ in _cached.values()) > MAX_BYTES:
            _cached.popitem(last=False)


def forget() -> None:
    """Keep nothing, as in a new process."""
    _cached.clear()
