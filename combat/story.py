"""The log as one viewer may read it."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.crypto import salted_hmac

from .models import StoredStep
from .play import read_step
from .rules.core import events as e
from .rules.core.history import CANCEL, COMMAND, REDO, UNDO, Step
from .rules.core.state import State
from .rules.core.system import System
from .rules.core.wording import Line, describe_facts
from .shapes import LogStep, Viewer


def names_of(state: State) -> dict[str, str]:
    """The names of all fighters, those who left included."""
    return {who: fighter.name for who, fighter in state.combatants.items()}


def view_log(system: System, state: State, rows: Iterable[StoredStep], viewer: Viewer) -> tuple[LogStep, ...]:
    """Steps as lines, each step's facts filtered by their audience; what is undone, for the GM."""
    names = names_of(state)
    seen = [row for row in rows if viewer.is_gm or not row.struck]
    steps = (view_step(system, names, row, viewer) for row in seen)
    return tuple(step for step in steps if step.lines or (viewer.is_gm and step.kind != COMMAND))


def view_step(system: System, names: dict[str, str], row: StoredStep, viewer: Viewer) -> LogStep:
    """One step of the log."""
    step = read_step(row)
    if step.kind in (UNDO, REDO):
        lines = _flow_lines(step) if viewer.is_gm else ()
    elif step.kind == CANCEL and not viewer.is_gm:
        lines = ()
    else:
        joined = {
            f.event.combatant.id: f.event.combatant.name
            for f in step.facts
            if isinstance(f.event, e.CombatantJoined)
        }
        known = {**joined, **names} if viewer.is_gm else names
        lines = describe_facts(system, viewer.select(step.facts), known)
    label = step.name if step.kind == CANCEL else ""
    mark = row.number if viewer.is_gm else _veil_number(row)
    return LogStep(mark, row.kind, lines, row.struck, row.by, label, row.round)


def _veil_number(row: StoredStep) -> str:
    """A name for a step that does not tell how many there were."""
    return salted_hmac("combat.step", f"{row.encounter_id}:{row.number}").hexdigest()[:12]


def _flow_lines(step: Step) -> tuple[Line, ...]:
    word = "Undone" if step.kind == UNDO else "Redone"
    return (Line(f"{word}: step {step.target}.", to=e.GM_ONLY),)
