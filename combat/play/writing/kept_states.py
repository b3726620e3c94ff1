"""States that this process has read or written, by their bytes: each is decoded once.

What was computed about the combatants of a state is kept with it (`core/basics/memory.py`) for the next
request. States are frozen, so requests can share them. A state that another process wrote shares what is
unchanged with the last state of its encounter that is known here.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

from combat.rules.core.state.sharing import share_with
from combat.rules.core.state.state import State, decode

MAX_BYTES = 8_000_000  # of encoded states; the objects take about ten times as much
MAX_SPARE = 100  # encounters beyond twice the kept states

_kept: OrderedDict[bytes, State] = OrderedDict()
_latest: dict[int, bytes] = {}  # by encounter; what is no longer kept counts as unknown
_lock = threading.Lock()
_size = 0


def find_state(raw: bytes, encounter: int = 0) -> State:
    """The state of these bytes, of this encounter; decoded unless it is kept. Raises what `decode` does."""
    with _lock:
        known = _kept.get(_latest.get(encounter, b""))
        if (state := _kept.get(raw)) is not None:
            _kept.move_to_end(raw)
            return state
    state = decode(raw) if known is None else share_with(decode(raw), known)
    keep_state(raw, state, encounter)
    return state


def keep_state(raw: bytes, state: State, encounter: int = 0) -> None:
    """Keep a state under its bytes; the least recently used ones are dropped."""
    global _size
    if len(raw) > MAX_BYTES:
        return
    with _lock:
        if raw not in _kept:
            _size += len(raw)
        _kept[raw] = state
        _kept.move_to_end(raw)
        if encounter:
            _latest[encounter] = raw
        while _size > MAX_BYTES:
            _size -= len(_kept.popitem(last=False)[0])
        if len(_latest) > 2 * len(_kept) + MAX_SPARE:
            _forget_dropped()


def _forget_dropped() -> None:
    """Forget the last states of encounters that are no longer kept."""
    for encounter, raw in tuple(_latest.items()):
        if raw not in _kept:
            del _latest[encounter]
