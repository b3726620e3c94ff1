"""How far somebody gets with a movement action, and how far they have moved lately."""

from __future__ import annotations

import itertools

from combat.rules.core.commands.context import RuleContext
from combat.rules.core.space import Point, distance, metres_through
from combat.rules.core.state.state import Combatant, State, has_condition

from .bands import measure
from .order import mark
from .scene import DIFFICULT

MOVED_M = "moved_m"  # mark: metres gone since the last own turn began, as words
MOVED_ROUND = "moved_round"  # mark: the last round in which somebody moved
CRAWL_METRES = 1.5  # RULING R35
WOUNDED_METRES = 1.5  # a round, RULING R35
ROUGH = frozenset((DIFFICULT,))


def find_step(fighter: Combatant) -> float:
    """Metres of one movement action.

    [CE-MINOR-15] [CE-MINOR-17] 6 m, which are four squares. [CE-MINOR-19] [CE-STANCE-03] Half that
    crouched. RULING R35: the prone crawl 1.5 m.
    """
    if has_condition(fighter, "prone"):
        return CRAWL_METRES
    metres = float(fighter.sheet["move_m"])
    return metres / 2 if has_condition(fighter, "crouched") else metres


def find_allowed(fighter: Combatant, actions: int = 1) -> float:
    """Metres that so many movement actions lead.

    [CE-INJ-04] The seriously wounded hobble 1.5 m, RULING R35: in a whole round.
    """
    metres = find_step(fighter) * actions
    if has_condition(fighter, "seriously_wounded"):
        return max(0.0, min(metres, WOUNDED_METRES - count_moved(fighter)))
    return metres


def find_cost(state: State, path: tuple[Point, ...]) -> float:
    """Metres of movement that a way takes.

    [CE-MINOR-18] Difficult terrain counts double. [CE-MINOR-16] On a grid squares of 1.5 m are counted.
    """
    legs = itertools.pairwise(path)
    return round(sum(measure(state, a, b) * (1 + _rough_share(state, a, b)) for a, b in legs), 3)


def _rough_share(state: State, a: Point, b: Point) -> float:
    """How much of a straight line lies in difficult terrain, 0 to 1."""
    whole = distance(a, b)
    return metres_through(state.scene, (a, b), ROUGH) / whole if whole > 0.01 else 0.0


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
