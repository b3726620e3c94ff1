"""The GM's decisions about the numbers of combatants: harm, healing, and any other value."""

from __future__ import annotations

from ..basics.errors import Refused
from ..basics.words import say_number
from ..commands.context import RuleContext, Then
from ..declaration.characters import SharedTrack, Track
from ..declaration.system import system_of
from ..state import events as e
from ..state.state import Combatant
from ..turn.spans import find_full
from .decisions import MAX_NUMBER, GmCommand, Target, overrule


class AdjustTrack(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Change a track by `by` points, or set it to `to`."""

    track: str
    by: int = 0
    to: int | None = None


class AdjustEach(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Change a track of several combatants by the same number of points."""

    targets: tuple[str, ...]
    track: str
    by: int


def adjust_track(context: RuleContext, command: AdjustTrack) -> Then | None:
    """Set a number of a combatant by decision; the game then applies what follows.

    The game divides points that several numbers share.
    """
    combatant, shared = context.state[command.target], system_of(context).characters.shared_track
    if shared is not None and command.track == shared.key:
        return _change_shared(context, command, shared)
    track, old, new = _find_change(context, command)
    if abs(new) > MAX_NUMBER:
        raise Refused("bad_value", f"{track.label} stays between −{MAX_NUMBER} and {MAX_NUMBER}.")
    if new == old:
        raise Refused("bad_value", _say_same(combatant, track, command))
    overrule(context, "gm.track", command, combatant.id, what=f"track.{track.key}")
    context.emit(e.TrackChanged(combatant.id, track.key, old, new=new, why=command.reason or "why.gm"))
    system_of(context).turn.after_change(context, combatant)
    return None


def _say_same(combatant: Combatant, track: Track, command: AdjustTrack) -> str:
    """Why a change would change nothing."""
    now = say_number(combatant.tracks.get(track.key, 0))
    if command.to is None and command.by > 0:
        return f"{combatant.name}: {track.label} is at its maximum of {now}; “Set to” goes beyond."
    return f"{combatant.name}: {track.label} is {now} already; enter another number."


def _change_shared(context: RuleContext, command: AdjustTrack, shared: SharedTrack) -> Then | None:
    """Let the game divide points that are lost or given back."""
    if command.to is not None or not 0 < abs(command.by) <= MAX_NUMBER:
        raise Refused("bad_value", f"{shared.label}: enter 1 to {MAX_NUMBER} points of damage or healing.")
    overrule(context, "gm.track", command, command.target, what=f"track.{shared.key}")
    change = shared.harm if command.by < 0 else shared.heal
    return change(context, command.target, abs(command.by), command.reason or "why.gm")


def _find_change(context: RuleContext, command: AdjustTrack) -> tuple[Track, int, int]:
    """The track, its value, and its new value; raises Refused for an unknown track."""
    track = next((t for t in system_of(context).characters.tracks if t.key == command.track), None)
    if track is None:
        raise Refused("unknown", f"There is no stat “{command.track}”.")
    combatant = context.state[command.target]
    old = combatant.tracks.get(track.key, 0)
    return track, old, _find_track(track, old, command, _find_most(context, combatant, track))


def _find_most(context: RuleContext, combatant: Combatant, track: Track) -> int | None:
    """The maximum of a track; None for one that counts harm."""
    if track.rises:
        return None
    if track.most:
        return track.most(context.state, combatant)
    return find_full(system_of(context), combatant).get(track.key)


def _find_track(track: Track, old: int, command: AdjustTrack, most: int | None) -> int:
    """The new value of a track. A change stops at the track's lowest value, and healing at the maximum."""
    least = -MAX_NUMBER - 1 if track.low is None else track.low
    if command.to is None and command.by > 0 and most is not None:
        return max(old, min(most, old + command.by))
    if command.to is None:
        return max(least, old + command.by)
    if command.to < least:
        raise Refused("bad_value", f"{track.label} does not go below {say_number(least)}.")
    return command.to


def adjust_each(context: RuleContext, command: AdjustEach) -> None:
    """Change a number of several combatants by one step of the log.

    A combatant at the limit already is skipped, unless all are.
    """
    if not command.targets:
        raise Refused("bad_target", "Select combatants first.")
    wanted = [
        AdjustTrack(target=who, track=command.track, by=command.by, reason=command.reason)
        for who in dict.fromkeys(command.targets)
    ]
    for one in [one for one in wanted if _changes(context, one)] or wanted[:1]:
        then = adjust_track(context, one)
        while then is not None:
            then = then.step(context, *then.args)


def _changes(context: RuleContext, command: AdjustTrack) -> bool:
    shared = system_of(context).characters.shared_track
    if shared is not None and command.track == shared.key:
        return True
    _, old, new = _find_change(context, command)
    return new != old
