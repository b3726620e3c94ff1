"""The GM's field for health: points that are damage, healing, or read as a sheet reads them."""

from __future__ import annotations

from collections.abc import Mapping

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.numbers import read_whole, say_no_number
from combat.rules.core.basics.typed import (
    TypedPoints,
    has_sign,
    read_typed_points,
    say_change,
    say_how,
    say_typed_points,
)
from combat.rules.core.commands.commands import read_command
from combat.rules.core.declaration.characters import SharedTrack
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import Done, TryDriver, find_action, run
from combat.rules.core.gm.decisions import AdjustTrack, find_change
from combat.rules.core.state.state import State, replace
from combat.rules.core.turn.turns import find_most
from combat.rules.core.wording import pen_of

ADJUST = "adjust"  # the action of the GM that harms and heals
HARM, TYPED = "-", "typed"  # the `sign` of a form: plain points are damage; they are read as on a sheet
OTHERWISE = "With − it is damage, with + healing."  # of points without a sign, beside the buttons for both


def read_points(system: System, posted: Mapping[str, str]) -> dict[str, str]:
    """What a form does to a number: points are added (`by`), or are its new value (`to`).

    Points typed with a sign, "−8" or "+3", are added as they are. Plain ones are damage or healing by the
    `sign` of the form, which programs send as well; only a form that says so reads them as a sheet does.
    """
    if posted.get("sign") != TYPED:
        return {"by": _read_signed(system, posted)}
    typed = read_typed_points(str(posted["points"]))
    if typed.to is None:
        return {"by": str(typed.by)}
    if shared := _find_shared(system, posted):
        raise Refused("bad_value", f"{shared.label} are divided: {say_how(False, divided=True)}.")
    return {"to": str(typed.to)}


def _read_signed(system: System, posted: Mapping[str, str]) -> str:
    """The signed points of a form for harm or healing; a track that counts harm rises by harm.

    A form that corrects what `was` lost or gained changes the track by the difference.
    """
    rises = any(track.rises for track in system.characters.tracks if track.key == posted.get("track"))
    word = str(posted["points"])
    harms, points = posted.get("sign") == HARM, read_whole(word)
    if points is None:
        raise Refused("bad_value", f"Points {say_no_number(word)}")
    if "was" not in posted and has_sign(word):
        return str(points)
    if points < 0:
        raise Refused("bad_value", "Points must be a whole number, 0 or more.")
    was = read_whole(str(posted.get("was", "0")))
    if was == points and "was" in posted:
        raise Refused("not_allowed", f"Points were {was}: enter what they should have been.")
    points -= was or 0
    return str(points if harms == rises else -points)


def _find_shared(system: System, posted: Mapping[str, str]) -> SharedTrack | None:
    """The points of several numbers, if a form is about them."""
    shared = system.characters.shared_track
    return shared if shared and shared.key == posted.get("track") else None


def say_how_to_type(system: System, posted: Mapping[str, str]) -> str:
    """What can be typed for a number, before anything is."""
    rises = any(track.rises for track in system.characters.tracks if track.key == posted.get("track"))
    return say_how(rises, divided=_find_shared(system, posted) is not None)


def foresee_points(system: System, state: State, posted: Mapping[str, str]) -> str:
    """What the points of a form would do, in words, before they are set; Refused if they would be."""
    if not str(posted.get("points", "")).strip():
        return say_how_to_type(system, posted)
    if posted.get("target") not in state.combatants:
        raise Refused("bad_target", "They are no longer here: close this window.")
    action = find_action(system, ADJUST)
    fields = {"target": posted["target"], "track": posted.get("track", ""), **read_points(system, posted)}
    command = read_command(action, fields, state)
    assert isinstance(command, AdjustTrack)
    done = run(system, state, action, command=command, driver=TryDriver())
    typed = TypedPoints(command.by, command.to)
    after = done.state if isinstance(done, Done) else None
    said = say_typed_points(typed, *_say_result(system, state, command, after))
    return f"{said}. {OTHERWISE}" if typed.to is not None else said


def _say_result(
    system: System, state: State, command: AdjustTrack, after: State | None
) -> tuple[str, bool, str]:
    """The change of a number in words, whether it counts harm, and the health after it if that is another.

    Without a state `after` it something is asked first: the health is that of the number alone.
    """
    find_track, shared = system.characters.find_track, system.characters.shared_track
    if shared and shared.key == command.track:
        return f"divided among {', '.join(find_track(key).label for key in shared.tracks)}", False, ""
    one = state[command.target]
    track, old, new = find_change(system, state, command)
    most = find_most(system, state, one, track)
    is_above = command.to is not None and most is not None and new > most
    above = f", above the maximum of {most}" if is_above else ""
    then = after[one.id] if after else replace(one, tracks={**one.tracks, track.key: new})
    words = [str(pen_of(system, state).health(system.find_health(state, each)).word) for each in (one, then)]
    return (
        f"{say_change(track.label, old, new)}{above}",
        track.rises,
        words[1] if words[0] != words[1] else "",
    )
