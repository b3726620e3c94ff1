"""A fight step by step, and its story to take along: each as one viewer may read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from .models import Encounter
from .play import read_state, state_at
from .rules import find_system
from .rules.core.state import State, present, replace
from .rules.core.wording import Line
from .secrecy import find_unknown, redact
from .shapes import FighterView, LogStep, Viewer
from .story import view_log
from .viewing import find_steps, view_fighter

FORMAT, VERSION = "cosmos-table-story", 1


@dataclass(frozen=True)
class Moment:
    """The fight as it was after a step, and what that step told.

    The GM's steps are all there are. Everybody else's are those that they can read, counted from 1:
    how many there are besides is nothing they may know.
    """

    number: int
    last: int
    round: int
    fighters: tuple[FighterView, ...]
    lines: tuple[Line, ...]

    @property
    def earlier(self) -> int:
        """The step before."""
        return self.number - 1

    @property
    def later(self) -> int:
        """The step after."""
        return self.number + 1


def find_moment(encounter: Encounter, viewer: Viewer, number: int | None) -> Moment | None:
    """The fight after a step, as a viewer may see it today; before the first step for 0. None without it."""
    rows = find_steps(encounter, viewer).order_by("number")
    last = encounter.steps if viewer.is_gm else rows.count()
    if number is None or number > last:
        return None
    row = rows[number - 1] if number else None
    system, now = find_system(encounter.system), read_state(encounter)
    state = look_back(state_at(encounter, row.number if row else 0), now, viewer)
    told = view_log(system, redact(now, viewer), [row] if row else [], viewer)
    places = {who: place for place, who in enumerate(state.order)}
    fighters = [view_fighter(system, state, fighter, viewer) for fighter in present(state)]
    fighters.sort(key=lambda view: places.get(view.id, len(places)))
    return Moment(number, last, state.round, tuple(fighters), tuple(x for step in told for x in step.lines))


def look_back(then: State, now: State, viewer: Viewer) -> State:
    """A former state as a viewer may know it today: without those hidden then or now."""
    if viewer.is_gm:
        return then
    unknown = find_unknown(now, viewer)
    people = {w: replace(f, hidden=True) if w in unknown else f for w, f in then.combatants.items()}
    return redact(replace(then, combatants=people, options=now.options), viewer)


def find_story(encounter: Encounter, viewer: Viewer) -> tuple[LogStep, ...]:
    """All that a viewer can read of the log, oldest first."""
    rows = find_steps(encounter, viewer).order_by("number")
    return view_log(find_system(encounter.system), redact(read_state(encounter), viewer), rows, viewer)


def write_story(encounter: Encounter, viewer: Viewer) -> bytes:
    """The story as JSON: every line with its round, its dice and its rule."""
    lines = [_plain(line, step) for step in find_story(encounter, viewer) for line in step.lines]
    document = {
        "format": FORMAT,
        "version": VERSION,
        "name": encounter.name,
        "game": find_system(encounter.system).name,
        "lines": lines,
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=2)


def _plain(line: Line, step: LogStep) -> dict[str, Any]:
    """A line without what it has nothing of."""
    found = {
        "round": step.round,
        "text": line.text,
        "rule": line.rule,
        "dice": line.roll.dice if line.roll else "",
        "faces": line.roll.faces if line.roll else (),
        "undone": step.struck,
    }
    return {key: value for key, value in found.items() if value or key == "round"}


def tell_story(encounter: Encounter, viewer: Viewer) -> str:
    """The story as plain text, a line for each sentence."""
    told = [f"{encounter.name} ({find_system(encounter.system).name})"]
    for step in find_story(encounter, viewer):
        for line in step.lines:
            mark = " (undone)" if step.struck else ""
            told.append(f"\n{line.text}" if line.kind == "round" else f"  {line.text}{_dice(line)}{mark}")
    return "\n".join(told) + "\n"


def _dice(line: Line) -> str:
    faces = line.roll.faces if line.roll else ()
    return f" [{line.roll.dice}: {', '.join(map(str, faces))}]" if line.roll and faces else ""
