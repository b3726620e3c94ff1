"""The effects of rising past a mark of health."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import GM, Choice
from combat.rules.core.basics.words import possessive
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state.state import Combatant, has_condition
from combat.rules.core.turn.turns import remove_condition

from ..book.tables import HEALTH_STATES, find_health_state
from ..people.conditions import KINDS
from ..people.sheet import max_hp

CLEARED = KINDS.ended_by("health mark")  # RULING R14
ANSWERS = (Choice("clear", "End"), Choice("keep", "Keep"))


def has_passed_mark(combatant: Combatant, old: int) -> bool:
    """Whether HP have risen into a better state.

    [COS-HEAL-05] At 25 percent Critical ends, [COS-HEAL-06] at 50 Injured, at 75 Wounded.  RULING R14.
    """
    was = find_health_state(old, max_hp(combatant))
    now = find_health_state(combatant.tracks["hp"], max_hp(combatant))
    return HEALTH_STATES.index(now) < HEALTH_STATES.index(was)


def offer_clearing(context: RuleContext, who: str, old: int) -> None:
    """After a mark is passed upward, let the GM clear conditions of wounds. [COS-HEAL-07]  RULING R14.

    Conditions with their own time, such as a sleep from gas, do not count.
    """
    combatant = context.state[who]
    held = [c for c in combatant.conditions if c.kind in CLEARED and "ends_at" not in c.marks]
    if not held or not has_passed_mark(combatant, old) or has_condition(combatant, "dead"):
        return
    names = ", ".join(dict.fromkeys(context.system.draw(condition.label) for condition in held))
    question = f"{possessive(combatant.name)} health improved. End {names}?"
    if context.ask(GM, question, ANSWERS, rule="COS-HEAL-07", default="clear") == "clear":
        for condition in held:
            remove_condition(context, who, condition, "why.better", "COS-HEAL-07")
