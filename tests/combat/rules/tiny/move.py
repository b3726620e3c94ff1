"""Moving, and the doors and ways on it."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.gm.everyday_moves import Moves
from combat.rules.core.state.state import State
from combat.rules.core.turn.turns import spend
from tests.combat.rules.tiny.world import MOVER, TABLE, WALKS, can_pay, is_slippery

NAMES = {"move": "A step", "door": "A door", "way": "A way"}


def check_step(state: State, who: str) -> None:
    """A step, or the act in its place, is left. [TINY-MOVE-01]"""
    if not any(state[who].budget.get(pool) for pool in ("step", "act")):
        raise Refused("no_budget", "No step is left this turn.")


def find_rule(state: State, deed: str) -> str:
    """The rule of a walk, a door or a way now. [TINY-MOVE-02]"""
    if deed == "move":
        return "TINY-MOVE-02" if is_slippery(state) else "TINY-MOVE-01"
    return "TINY-MOVE-03" if deed == "door" else "TINY-MOVE-04"


def pay(context: RuleContext, who: str, deed: str) -> None:
    """A door takes the act, the others take the step, or the act instead."""
    if deed == "door":
        spend(context, who, {"act": 1}, NAMES[deed], "TINY-MOVE-03")
    else:
        rule = "TINY-MOVE-01" if deed == "move" else "TINY-MOVE-04"
        spend(context, who, {"step": 1}, NAMES[deed], rule, step=("act",))


MOVES = Moves(
    walks=WALKS,
    mover=MOVER,
    checks={"move": check_step, "door": can_pay("act"), "way": check_step},
    pay=pay,
    find_rule=find_rule,
    verb="how.steps",
)
ACTIONS = MOVES.make_actions(TABLE)
