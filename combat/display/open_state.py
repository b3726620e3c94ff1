"""The table as plain values, for overlays, dice trays and other tools: what a spectator sees, and no more."""

from __future__ import annotations

from typing import Any

from combat.rules.core.state.state import Combatant, is_acting, present
from combat.rules.core.wording import Line
from combat.sharing.viewer_context import ViewerContext

from .log_view import view_log
from .shapes import FighterView, LogStep
from .table_view import describe_time, find_steps, view_fighter

FORMAT, VERSION = "cosmos-table-state", 1
STEPS = 30  # of the log, the newest


def write_state(context: ViewerContext) -> dict[str, Any]:
    """The present state for one viewer. Meters, points, rounds; labels are the words of the pages."""
    state, system = context.known_state, context.system
    people = [(f, view_fighter(system, state, f, context.viewer)) for f in present(state)]
    rows = reversed(find_steps(context).order_by("-number")[:STEPS])
    return {
        "format": FORMAT,
        "version": VERSION,
        "name": context.encounter.name,
        "game": system.slug,
        "rules": state.rules,
        "phase": state.phase,
        "round": state.round,
        "elapsed": describe_time(state.clock),
        "active": [f.id for f, _ in people if is_acting(state, f.id)],
        "order": [who for who in state.order if who in state.combatants],
        "combatants": [_write_fighter(*one) for one in people],
        "zones": [{"id": zone.id, "name": zone.name} for zone in state.scene.zones],
        "log": [_write_line(step, line) for step in view_log(context, rows) for line in step.lines],
    }


def _write_fighter(fighter: Combatant, view: FighterView) -> dict[str, Any]:
    health, told = view.health, None
    if health.shown:
        told = {"word": health.word, "percent": health.percent, "number": health.number}
    return {
        "id": view.id,
        "name": view.name,
        "side": view.side,
        "initiative": view.initiative,
        "health": told,
        "conditions": [{"name": chip.label, "ends": chip.ends} for chip in view.chips],
        "zone": view.zone,
        "at": {"x": fighter.at.x, "y": fighter.at.y},
        "out": view.out,
        "acted": view.acted,
    }


def _write_line(step: LogStep, line: Line) -> dict[str, Any]:
    roll = line.roll
    return {
        "round": step.round,
        "text": line.text,
        "rule": line.rule,
        "undone": step.is_undone,
        "tone": line.tone,
        "roll": {"dice": roll.dice, "faces": roll.faces, "total": line.total} if roll else None,
        "against": line.against,
    }
