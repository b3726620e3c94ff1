"""Extended actions: being hit while busy with a task longer than a round."""

from __future__ import annotations

from combat.rules.core.basics.modifiers import Modifier
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.state import find_condition, replace
from combat.rules.core.turn.turns import remove_condition

from ..book.tables import EXCEPTIONAL
from .rolls import roll_check

DONE, NEED, SPOILED = "done", "need", "spoiled"


def disturb_task(context: RuleContext, who: str, damage: int) -> None:
    """Roll for the extended action of someone who is hit, less the damage after armor.

    [CE-OTHER-08] [CE-OTHER-09] On a failure this round does not count. [CE-OTHER-10] A failure by 6 or more
    ruins the task. RULING R42: without damage there is no check, and a ruined task restarts only by choice.
    """
    held = find_condition(context.state[who], "extended_action")
    if held is None or damage < 1:
        return
    effect = roll_check(
        context,
        who,
        what="check.keep_working",
        skill=str(held.marks.get("skill", "")),
        characteristic=str(held.marks.get("characteristic", "")),
        terms=(Modifier("term.damage_taken", -damage, "CE-OTHER-08"),),
        rule="CE-OTHER-08",
    )
    if effect >= 0:
        return
    if effect <= -EXCEPTIONAL:
        remove_condition(context, who, held, why="why.ruined", rule="CE-OTHER-10")
        context.emit(e.Said("log.work_ruined", who), "CE-OTHER-10")
        return
    marks = {**held.marks, SPOILED: True}
    context.emit(e.ConditionChanged(who, replace(held, marks=marks)), "CE-OTHER-09")
    context.emit(e.Said("log.work_delayed", who), "CE-OTHER-09")
