"""Moving, and the doors and ways on it."""

from __future__ import annotations

from combat.rules.core.commands.context import RuleContext
from combat.rules.core.gm.everyday_moves import Moves
from combat.rules.core.turn.turns import spend
from tests.combat.rules.boarders.world import MOVER, TABLE, WALKS, check_action

RULES = {"move": "BRD-MOVE-01", "door": "BRD-MOVE-02", "way": "BRD-MOVE-03"}


def pay(context: RuleContext, who: str, deed: str) -> None:
    """Each takes an action. [BRD-TURN-02]"""
    spend(context, who, {"act": 1}, "Moving", RULES[deed])


MOVES = Moves(
    walks=WALKS,
    mover=MOVER,
    checks=dict.fromkeys(RULES, check_action),
    pay=pay,
    find_rule=lambda state, deed: RULES[deed],
)
ACTIONS = MOVES.make_actions(TABLE)
