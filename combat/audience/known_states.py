"""What each audience knows of the newest states of encounters: worked out once, for all its requests.

Seats with the same combatants are one audience, and so are all spectators. What one audience knows never
reaches another: an entry is found by its whole viewer, and holds only for the very state it was made from.
Equal parts of entries of one encounter are the same objects, for the caches that compare identity.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from combat.audience.viewer import Viewer
from combat.rules.core.state.sharing import share_with
from combat.rules.core.state.state import State

MAX_KEPT = 1000  # audiences with their newest states; each shares most of its parts with others


@dataclass(frozen=True)
class Known:
    """A state and what an audience knows of it."""

    of: State
    known: State


class KnownStates:
    """The states of one kind of knowledge, by encounter and audience; safe from any thread."""

    def __init__(self, most: int = MAX_KEPT) -> None:
        self.most = most
        self.kept: OrderedDict[tuple[int, Viewer], Known] = OrderedDict()
        self.latest: dict[int, State] = {}  # what any audience knew last, by encounter
        self.lock = threading.Lock()

    def find(self, encounter: int, state: State, viewer: Viewer, find: Callable[[], State]) -> State:
        """What a viewer knows of a state of an encounter; by `find` unless it is kept."""
        key = encounter, viewer
        with self.lock:
            held, other = self.kept.get(key), self.latest.get(encounter)
            if held and held.of is state:
                self.kept.move_to_end(key)
                return held.known
        known, before = find(), held.known if held else other
        if other is not None and other is not before:
            known = share_with(known, other)
        known = known if before is None else share_with(known, before)
        with self.lock:
            self.kept[key] = Known(state, known)
            self.kept.move_to_end(key)
            self.latest[encounter] = known
            while len(self.kept) > self.most:
                (gone, _), _ = self.kept.popitem(last=False)
                self.latest.pop(gone, None)
        return known


KNOWN, OBSCURED = KnownStates(), KnownStates()
