"""What keeps a combatant from acting, the rows of the actions, how people walk, and how places change.

Each action has its form, checks and sums beside its procedure; `TABLE` gives it the words of its row.
"""

from __future__ import annotations

from pathlib import Path

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import load_actions
from combat.rules.core.declaration.book import load_options
from combat.rules.core.gm.everyday import Walks
from combat.rules.core.map.areas import Areas
from combat.rules.core.map.moving import Mover, load_ways
from combat.rules.core.state.state import SURRENDERED, Combatant, State, has_condition

FOLDER = Path(__file__).parent
OPTIONS = load_options(FOLDER / "options.toml")
STEP_M, THROW_M, BLAST_M, HAND_M, SHOT_M = 6, 15, 3, 2, 30


def find_step(state: State, combatant: Combatant) -> float:
    """How far an action leads, in meters. [BRD-MOVE-01]"""
    return STEP_M / 2 if has_condition(combatant, "prone") else float(STEP_M)


WALKS = Walks(find_meters=find_step)
BLASTS = Areas(find_grid=WALKS.find_grid, meters=THROW_M, radius=BLAST_M)
MOVER = Mover(ways=load_ways(FOLDER), find_grid=WALKS.find_grid)


def is_up(combatant: Combatant) -> bool:
    """Whether a combatant gets a turn."""
    return not has_condition(combatant, "down", SURRENDERED)


def check_up(state: State, actor: str) -> None:
    """Refuse all actions of those who are down."""
    if not is_up(state[actor]):
        raise Refused("not_allowed", f"{state[actor].name} is down.")


def check_action(state: State, actor: str) -> None:
    """Refuse without an action left. [BRD-TURN-02]"""
    if not state[actor].budget.get("act"):
        raise Refused("no_budget", "No action is left this turn.")


TABLE = load_actions(FOLDER / "actions.toml", bar=check_up)
