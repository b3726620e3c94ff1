"""How far somebody has moved lately: for shots at them, for steady shots and for mesons."""

from __future__ import annotations

from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state.state import Combatant, State

from .order import mark

MOVED_M = "moved_m"  # mark: metres gone since the last own turn began, as words
MOVED_ROUND = "moved_round"  # mark: the last round in which somebody moved


def count_moved(fighter: Combatant) -> float:
    """Metres gone since one's last turn began.  [CE-MOD-06] RULING R49"""
    return float(fighter.marks.get(MOVED_M, 0))


def note_moved(context: RuleContext, who: str, metres: float) -> None:
    """Remember metres that somebody has gone or was driven.  [CE-MOD-06] [CE-COMMS-12] [CE-XRANGE-05]"""
    if metres <= 0:
        return
    mark(context, who, MOVED_M, f"{count_moved(context.state[who]) + metres:.2f}", "CE-MOD-06")
    mark(context, who, MOVED_ROUND, context.state.round, "CE-XRANGE-05")


def forget_moved(context: RuleContext, who: str) -> None:
    """One's turn begins: what was gone before no longer tells on shots."""
    mark(context, who, MOVED_M, None, "CE-MOD-06")


def has_stood_still(state: State, fighter: Combatant) -> bool:
    """Whether somebody has moved neither in this round nor in the last one.  [CE-XRANGE-05] RULING R44"""
    last = fighter.marks.get(MOVED_ROUND)
    return last is None or int(last) < state.round - 1


def has_moved_now(state: State, fighter: Combatant) -> bool:
    """Whether somebody has moved in this round.  [CE-SENS-09]"""
    return fighter.marks.get(MOVED_ROUND) == state.round
