"""What passing a mark of health upward brings."""

from __future__ import annotations

from ..core.requests import GM, Choice
from ..core.state import Combatant, has_condition
from ..core.table import Table
from ..core.turns import lift
from .sheet import max_hp
from .tables import HEALTH_STATES, find_health_state

CLEARED = ("bleeding", "stunned", "unconscious")  # RULING R14
ANSWERS = (Choice("clear", "They clear"), Choice("keep", "They stay"))


def has_passed_mark(fighter: Combatant, old: int) -> bool:
    """Whether HP have risen into a better state.

    [COS-HEAL-05] At 25 percent Critical ends, [COS-HEAL-06] at 50 Injured, at 75 Wounded.  RULING R14.
    """
    was = find_health_state(old, max_hp(fighter))
    now = find_health_state(fighter.tracks["hp"], max_hp(fighter))
    return HEALTH_STATES.index(now) < HEALTH_STATES.index(was)


def offer_clearing(table: Table, who: str, old: int) -> None:
    """[COS-HEAL-07] On passing a mark upward the GM may let wounds' conditions clear.  RULING R14.

    What has its own time, such as a sleep from gas, is no matter of wounds.
    """
    fighter = table.state[who]
    held = [c for c in fighter.conditions if c.kind in CLEARED and "ends_at" not in c.marks]
    if not held or not has_passed_mark(fighter, old) or has_condition(fighter, "dead"):
        return
    names = ", ".join(dict.fromkeys(condition.label for condition in held))
    question = f"{fighter.name} is better: does {names} clear?"
    if table.ask(GM, question, ANSWERS, rule="COS-HEAL-07", default="clear") == "clear":
        for condition in held:
            lift(table, who, condition, "better", "COS-HEAL-07")
