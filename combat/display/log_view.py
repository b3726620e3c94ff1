"""The log as one viewer may read it."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.crypto import salted_hmac

from combat.audience.viewer import Viewer
from combat.models import StoredStep
from combat.play.verification import read_step
from combat.rules.core.basics.errors import Refused
from combat.rules.core.engine.engine import find_action
from combat.rules.core.state import events as e
from combat.rules.core.state.history import CANCEL, COMMAND, REDO, UNDO, Step
from combat.rules.core.state.state import State
from combat.rules.core.system import System
from combat.rules.core.wording import Line, describe_facts
from combat.sharing.viewer_context import ViewerContext

from .shapes import LogStep


def names_of(state: State) -> dict[str, str]:
    """The names of all fighters, those who left included."""
    return {who: fighter.name for who, fighter in state.combatants.items()}


def view_log(context: ViewerContext, rows: Iterable[StoredStep]) -> tuple[LogStep, ...]:
    """Steps as lines, each step's facts filtered by their audience; what is undone, for the GM."""
    names, viewer = names_of(context.known_state), context.viewer
    seen = [row for row in rows if viewer.is_gm or not row.struck]
    steps = (view_step(context.system, names, row, viewer) for row in seen)
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
    label = _name_action(system, step.name) if step.kind == CANCEL else ""
    return LogStep(mark_of(row, viewer), row.kind, lines, row.struck, row.by, label, row.round)


def _name_action(system: System, name: str) -> str:
    """What an action is called; its key, for one that the game no longer has."""
    try:
        return system.draw(find_action(system, name).label)
    except Refused:
        return name


def mark_of(row: StoredStep, viewer: Viewer) -> str:
    """A name for a step: its number for the GM, for others one that does not tell how many there were."""
    if viewer.is_gm:
        return str(row.number)
    return salted_hmac("combat.step", f"{row.encounter_id}:{row.number}").hexdigest()[:12]


def _flow_lines(step: Step) -> tuple[Line, ...]:
    word = "undone" if step.kind == UNDO else "redone"
    return (Line(f"Step {step.target} {word}.", to=e.GM_ONLY),)
