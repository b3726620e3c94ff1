"""What keeps a combatant from acting, the rows of the actions, how people walk, and how places change.

Each action has its form, checks and sums beside its procedure; `TABLE` gives it the words of its row.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import load_actions
from combat.rules.core.gm.everyday import Walks
from combat.rules.core.map.moving import Mover, load_ways
from combat.rules.core.state.state import SURRENDERED, Combatant, State, has_condition

FOLDER = Path(__file__).parent
STEP_M = 6


def is_slippery(state: State) -> bool:
    """Whether the ground halves a step. [TINY-MOVE-02]"""
    return state.scene.settings.get("ground") == "slippery"


def find_step(state: State, combatant: Combatant) -> float:
    """How far a step leads, in meters. [TINY-MOVE-01] [TINY-MOVE-02]"""
    return STEP_M / 2 if is_slippery(state) else float(STEP_M)


WALKS = Walks(find_meters=find_step)
MOVER = Mover(ways=load_ways(FOLDER), find_grid=WALKS.find_grid)


def is_up(combatant: Combatant) -> bool:
    """Whether a combatant gets a turn."""
    return not has_condition(combatant, "down", SURRENDERED)


def check_up(state: State, actor: str) -> None:
    """Refuse all actions of those who are down."""
    if not is_up(state[actor]):
        raise Refused("not_allowed", f"{state[actor].name} is down.")


def can_pay(pool: str) -> Callable[[State, str], None]:
    """A check that something is left of a pool."""

    def check(state: State, actor: str) -> None:
        if not state[actor].budget.get(pool):
            raise Refused("no_budget", f"No {pool} is left this turn.")

    return check


TABLE = load_actions(FOLDER / "actions.toml", bar=check_up)
