"""The form that corrects points which someone lost or gained, filled in from its line of the log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from combat.rules.core.basics.numbers import read_whole
from combat.sharing.viewer_context import ViewerContext


@dataclass(frozen=True)
class Mended:
    """What was lost or gained: the key and label of a track, how many points, and "-" for harm."""

    track: str
    label: str
    points: int
    verb: str
    sign: str


def find_mended(context: ViewerContext, asked: Mapping[str, str]) -> Mended | None:
    """What the address of a form asks to correct; None if there is no such track or no points."""
    points = read_whole(asked.get("points", "")[:10])
    track = next((t for t in context.system.people.tracks if t.key == asked.get("track")), None)
    if track is None or not points:
        return None
    verb = ("took" if points > 0 else "recovered") if track.rises else ("gained" if points > 0 else "lost")
    is_harm = (points > 0) == track.rises
    return Mended(track.key, track.label, abs(points), verb, "-" if is_harm else "")
