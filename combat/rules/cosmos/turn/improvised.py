"""Improvised acts: what the game's own actions ask and cost, for acts that are none of them."""

from __future__ import annotations

from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.improvising import Acting, Cost, Fields
from combat.rules.core.state.state import State
from combat.rules.core.turn.turns import spend

from ..book.options import POOLS
from ..fight.overwatch import watched
from ..move.cost import pay_move
from ..world.acting import check_free_to_act, check_unpinned
from ..world.sight_lines import is_within

RULE, ON = "COS-ACT-03", "This act"


def check_act(state: State, actor: str, fields: Fields) -> None:
    """Refuse what any use of a skill refuses: the unconscious and the pinned. [COS-COND-34] [COS-MANV-05]

    RULING R62
    """
    check_free_to_act(state, actor)
    check_unpinned(state, actor)


def _pay_pool(pool: str) -> Cost:
    """A part of the turn as a cost; a Standard Action pays for a Move Action.  RULING R24"""

    def pay(context: RuleContext, who: str) -> None:
        if pool == "move":
            pay_move(context, who, ON, RULE)
        else:
            spend(context, who, {pool: 1}, on=ON, rule=RULE)

    return Cost(pool, next(known.label for known in POOLS if known.key == pool), pay)


COSTS = tuple(map(_pay_pool, ("standard", "move", "quick")))
# Watchers answer what costs part of a turn.  RULING R34
ACTING = Acting(check=check_act, reaches=is_within, watch=watched)
