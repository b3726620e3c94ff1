"""What the GM's corrections set right: which loss or cure came out otherwise than it was first told.

A correction is a change of a number with the reason `corrected`, as the form of a line of the log writes it.
It does not name the line. The newest change of the same number that it can have meant is taken.
"""

from __future__ import annotations

import msgspec

from ..declaration.system import System
from ..state import events as e

UNKNOWN = 1_000_000  # points of a change whose reader knows only whether it was a loss or a gain


class Blow(msgspec.Struct):
    """A change of a number in a step, as it stands now: signed `points`, `by` whom and with `what`.

    `is_harm` is None for a number that says nothing of health, and where its points are not known.
    """

    step: int
    points: int
    by: str = ""
    what: str = ""
    is_harm: bool | None = None


class Mended(msgspec.Struct, frozen=True):
    """A change that a correction in the step `at` set right: it came to `more` points, negative for fewer."""

    who: str
    at: int
    blow: Blow
    more: int


class Ledger:
    """The changes of everyone's numbers in order, and which of them were corrected."""

    def __init__(self, system: System) -> None:
        shared = system.characters.shared_track
        self.shared = frozenset(shared.tracks) if shared else frozenset[str]()
        self.blows: dict[tuple[str, str], list[Blow]] = {}
        self.mended: list[Mended] = []

    def add(self, event: e.TrackChanged, blow: Blow) -> None:
        """Take in a change that is no correction."""
        if blow.points:
            self._find(event).append(blow)

    def correct(self, event: e.TrackChanged, step: int) -> tuple[list[Mended], int]:
        """What a correction sets right, and the points that no earlier change explains."""
        change, found = event.new - event.old, list[Mended]()
        for blow in self._choose(self._find(event), change):
            part = change if blow.points * change > 0 else _clamp(change, abs(blow.points))
            found.append(Mended(event.who, step, blow, _count(part, blow)))
            blow.points += part
            change -= part
            if not change:
                break
        self.mended += found
        return found, change

    def _find(self, event: e.TrackChanged) -> list[Blow]:
        """The changes of the same number; numbers that share a wound are one."""
        return self.blows.setdefault((event.who, "" if event.track in self.shared else event.track), [])

    def _choose(self, blows: list[Blow], change: int) -> list[Blow]:
        """The changes that a correction may have meant, the likeliest first."""
        newest = [blow for blow in reversed(blows) if blow.points]
        if newest and newest[0].points * change > 0:
            return newest[:1]
        against = [blow for blow in newest if blow.points * change < 0]
        whole = next((blow for blow in against if abs(blow.points) >= abs(change)), None)
        with_it = next((blow for blow in newest if blow.points * change > 0), None)
        likeliest = whole or with_it
        return [likeliest] if likeliest else against


def _clamp(change: int, most: int) -> int:
    return max(-most, min(most, change))


def _count(part: int, blow: Blow) -> int:
    """How many points more the change came to, by its own direction."""
    return abs(part) if part * blow.points > 0 else -abs(part)
