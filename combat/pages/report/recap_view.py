"""The recap of a fight as Markdown, to paste into a chat or a wiki: only what the whole table knows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from combat.audience.secrecy import redact
from combat.audience.viewer import Viewer
from combat.display.shapes.kin import count_names
from combat.play.after.recaps import Told
from combat.rules.core.basics.words import SOMEONE, Phrase, capitalized
from combat.rules.core.declaration.system import System
from combat.rules.core.report.story import CRITICAL, FALL, FIRST, TurningPoint
from combat.rules.core.sides import find_able
from combat.rules.core.state.state import Combatant, State

from ..table.shapes import describe_time

MARKS = re.compile(r"([\\`*_\[\]<>|#~])")
MAX_POINTS, MAX_CRITICALS, MAX_ESCAPES, MAX_GIVEN, MAX_NAMES = 8, 3, 2, 6, 8


def write_recap(system: System, name: str, state: State, told: Told) -> str:
    """The recap of a fight with a `name`: who fought, turning points, who stands, what was handed out.

    It is the same for every viewer; `state` is the present one, with all its secrets.
    """
    known = redact(state, Viewer())
    names = {who: _plain(one.name) for who, one in known.combatants.items()}
    return "\n".join(
        (
            f"# {_plain(name)}",
            "",
            f"*{_tell_frame(system, told, known)}*",
            "",
            *_tell_sides(system, told.after, names),
            "",
            *_tell_points(system, told, names),
            *_tell_end(system, told, known, names),
            *_tell_given(system, told, names),
        )
    )


def _tell_frame(system: System, told: Told, known: State) -> str:
    rounds, time = told.after.round, describe_time(told.after.clock - told.before.clock)
    parts = [
        system.name,
        _plain(known.scene.name),
        f"{rounds} round{'' if rounds == 1 else 's'}",
        time,
    ]
    return ", ".join(filter(None, parts))


def _tell_sides(system: System, state: State, names: dict[str, str]) -> list[str]:
    """Who fought whom, side by side."""
    sides: dict[str, list[str]] = {}
    for who, one in state.combatants.items():
        if who in names:
            sides.setdefault(one.side, []).append(names[who])
    told = {side: f"{_list(people)} ({_plain(side)})" for side, people in sides.items()}
    fought = " against ".join(told[side] for side in told if side not in system.tactics.neutral)
    others = " and ".join(told[side] for side in told if side in system.tactics.neutral)
    lines = [f"**Who fought:** {fought or 'nobody that everyone knows of'}."]
    return [*lines, f"**Also there:** {others}."] if others else lines


def _tell_points(system: System, told: Told, names: dict[str, str]) -> list[str]:
    """The turning points in order, the most telling if there are many."""
    found = told.story.points
    falls = [one for one in found if one.kind == FALL]
    first = [one for one in found if one.kind == FIRST]
    criticals = [one for one in found if one.kind == CRITICAL][:MAX_CRITICALS]
    wanted = [*first, *falls, *criticals][:MAX_POINTS]
    kept = [one for one in found if any(one is other for other in wanted)]
    lines = [_tell_point(system, one, names) for one in (*kept, *told.story.escapes[:MAX_ESCAPES])]
    return ["## Turning points", "", *(f"- {line}" for line in lines if line), ""] if any(lines) else []


def _tell_point(system: System, point: TurningPoint, names: dict[str, str]) -> str:
    """One turning point as a sentence; empty if nobody in it is known to everyone."""
    who, by = names.get(point.who, ""), names.get(point.by, "")
    if not who and not by:
        return ""
    what = _plain(system.draw(point.what, names)) if point.what else ""
    with_what = f" ({what})" if what else ""
    other = who or SOMEONE
    if point.kind == FIRST:
        words = f"first blood: {by} hurts {other}{with_what}" if by else f"first blood: {other} is hurt"
    elif point.kind == CRITICAL:
        on = f" on {other}" if point.who != point.by else ""
        words = f"{by or SOMEONE} scores a critical hit{on}"
    elif point.kind == FALL:
        words = f"{by} brings down {other}{with_what}" if by else f"{other} falls"
    else:
        words = f"{other} is down to {point.health}, and still stands at the end"
    return f"Round {point.round}: {words}."


def _tell_end(system: System, told: Told, known: State, names: dict[str, str]) -> list[str]:
    if told.after.phase == "fight":
        return ["The fight is still on.", ""]
    able = {one.id for one in find_able(system, told.after)}
    here = [one for one in told.after.combatants.values() if one.id in names and not _is_gone(one, known)]
    standing = [names[one.id] for one in here if one.id in able]
    out = [names[one.id] for one in here if one.id not in able]
    lines = [f"**Still standing:** {_list(standing)}."]
    lines += [f"**Out:** {_list(out)}."] if out else []
    return [*lines, ""]


def _is_gone(one: Combatant, known: State) -> bool:
    return one.gone or known.combatants[one.id].gone


def _tell_given(system: System, told: Told, names: dict[str, str]) -> list[str]:
    """What was handed out after the fight."""
    lines = []
    for said in told.story.given:
        people = {"who": said.who, "target": said.target}
        args = {key: _plain(str(value)) for key, value in said.args.items()}
        lines.append(system.draw(Phrase(said.key, {**args, **people}), names))
    if not lines:
        return []
    more = [f"- … and {len(lines) - MAX_GIVEN} more."] if len(lines) > MAX_GIVEN else []
    return ["## Handed out", "", *(f"- {capitalized(line)}" for line in lines[:MAX_GIVEN]), *more, ""]


def _list(names: Sequence[str]) -> str:
    if not names:
        return "nobody"
    names = count_names(names)
    shown = names[:MAX_NAMES]
    if more := len(names) - MAX_NAMES:
        shown += [f"{more} more"] if more > 0 else []
    return _join(shown)


def _join(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def _plain(text: str) -> str:
    """Text that Markdown shows as it is, and that calls nobody in a chat."""
    return MARKS.sub(r"\\\1", " ".join(text.split())).replace("@", "@\N{ZERO WIDTH SPACE}")
