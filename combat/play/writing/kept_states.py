"""States that this process has read or written, by their bytes: each is decoded once.

What was computed about the combatants of a state is kept with it (`core/basics/memory.py`) for the next
request. States are frozen, so requests can share them.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

from combat.rules.core.state.state import State, decode

MAX_BYTES = 8_000_000  # of encoded states; the objects take about ten times as much

_kept: OrderedDict[bytes, State] = OrderedDict()
_lock = threading.Lock()
_size = 0


def find_state(raw: bytes) -> State:
    """The state of these bytes; decoded unless it is kept. Raises what `decode` does."""
    with _lock:
        if (state := _kept.get(raw)) is not None:
            _kept.move_to_end(raw)
            return state
    state = decode(raw)
    keep_state(raw, state)
    return state


def keep_state(raw: bytes, state: State) -> None:
    """Keep a state under its bytes; the least recently used ones are dropped."""
    global _size
    if len(raw) > MAX_BYTES:
        return
    with _lock:
        if raw not in _kept:
            _size += len(raw)
        _kept[raw] = state
        _kept.move_to_end(raw)
        while _size > MAX_BYTES:
            _size -= len(_kept.popitem(last=False)[0])
