"""How large somebody is on the map, as the GM says: a vehicle, a robot, a beast."""

from __future__ import annotations

import math

from ..basics.errors import Refused
from ..bodies import MAX_METRES, SIZE
from ..commands.context import RuleContext
from ..state import events as e
from .decisions import Target


class Resize(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Somebody takes up so many metres of the map along each side; 0: one square or hex."""

    metres: float


def resize(context: RuleContext, command: Resize) -> None:
    """Let a combatant take up more of the map, or one square again. They stay where they are."""
    fighter, metres = context.state[command.target], command.metres
    if not (math.isfinite(metres) and 0 <= metres <= MAX_METRES):
        raise Refused("bad_value", f"Enter 0 to {MAX_METRES} meters; 0 is one square.")
    tenths = round(10 * metres)
    if tenths == fighter.marks.get(SIZE, 0):
        raise Refused("not_allowed", f"{fighter.name} has that size already: enter another.")
    context.emit(e.Marked(fighter.id, SIZE, tenths or None))
    key = "log.resized" if tenths else "log.resized_to_one"
    context.emit(e.Said(key, fighter.id, args={"metres": tenths / 10} if tenths else {}))
