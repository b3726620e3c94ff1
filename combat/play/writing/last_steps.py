"""The last steps of a log: which count, and what they replaced."""

from __future__ import annotations

import zlib

from combat.models import Encounter, StoredStep
from combat.rules.core.state.history import COMMAND, REDO, UNDO, Step
from combat.rules.core.state.state import State, decode


def find_last(encounter: Encounter) -> list[StoredStep]:
    """The last two steps that count, newest first. A redone step counts from its redo."""
    live = encounter.log.filter(kind=COMMAND, struck=False)
    newest = list(live.order_by("-number").values_list("number", flat=True)[:2])
    redone = encounter.log.filter(kind=REDO, number__gt=newest[-1] if newest else 0).order_by("number")
    again = dict(redone.values_list("target", "number"))
    places = {number: again.get(number, number) for number in newest}
    places |= {n: again[n] for n in live.filter(number__in=again).values_list("number", flat=True)}
    last = sorted(places, key=lambda number: -places[number])[:2]
    rows = {row.number: row for row in encounter.log.filter(number__in=last)}
    return [rows[number] for number in last]


def find_replaced(encounter: Encounter, step: Step) -> StoredStep | None:
    """The step that one with an overruled roll replaced; None for others."""
    if not step.command.get("overruled"):
        return None
    undone = encounter.log.filter(kind=UNDO, number__lt=step.number).order_by("-number").first()
    return encounter.log.get(number=undone.target) if undone else None


def state_after(row: StoredStep) -> State:
    """The state after a step."""
    return decode(zlib.decompress(bytes(row.after)))


def state_at(encounter: Encounter, number: int) -> State:
    """The state after a step of the log; before the first for 0."""
    if not number:
        return decode(bytes(encounter.start))
    return state_after(encounter.log.get(number=number))
