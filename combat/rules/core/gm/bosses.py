"""Who leads the others of a fight: the GM says so, and the forecast names how often they go down.

It is a mark that only the GM sees. One combatant at most has it.
"""

from __future__ import annotations

from ..basics.errors import Refused
from ..commands.context import RuleContext
from ..state import events as e
from ..state.state import State, present
from .aliases import real_name
from .decisions import Target

BOSS = f"{e.UNTOLD_MARK}boss"


class SetBoss(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Say that someone leads, or no longer."""

    boss: bool = True


def find_boss(state: State) -> str:
    """The id of the one who leads; empty for nobody."""
    return next((one.id for one in present(state) if one.marks.get(BOSS)), "")


def set_boss(context: RuleContext, command: SetBoss) -> None:
    """Say who leads. The one who did before leads no longer."""
    combatant = context.state[command.target]
    if bool(combatant.marks.get(BOSS)) == command.boss:
        now = "the boss already" if command.boss else "not the boss"
        raise Refused("not_allowed", f"{real_name(combatant)} is {now}.")
    name_boss(context, combatant.id if command.boss else "")
    context.emit(e.Said("log.boss" if command.boss else "log.no_boss", combatant.id), to=e.GM_ONLY)


def name_boss(context: RuleContext, who: str) -> None:
    """Mark the one who leads, and nobody else; nobody at all for an empty id."""
    for one in context.state.combatants.values():
        if one.marks.get(BOSS) and one.id != who:
            context.emit(e.Marked(one.id, BOSS, None), to=e.GM_ONLY)
    if who:
        context.emit(e.Marked(who, BOSS, True), to=e.GM_ONLY)
