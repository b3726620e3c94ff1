"""Aim and its end: every room whose actions break aim ends it here."""

from __future__ import annotations

from collections.abc import Collection

from combat.rules.core.basics.words import Label
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state.state import State
from combat.rules.core.turn.turns import remove_condition, remove_conditions

from ..book.options import find_option
from ..world.senses import can_see

AIMING, KILL = "aiming", "aiming_kill"


def lose_aim(context: RuleContext, who: str, why: Label) -> int:
    """Lose all aim; returns how many aims were lost. [CE-MINOR-04] [CE-MINOR-08]

    Call this for moving, drawing, loading, another stance, checks, reactions and extended actions, never for
    free actions or delaying.  RULING R8 R71 R88
    """
    return remove_conditions(context, who, *_find_breakable(context.state), why=why, rule="CE-MINOR-04")


def _find_breakable(state: State) -> tuple[str, ...]:
    """The kinds of aim that end by more than the next attack or a change of target.  RULING R71 R88"""
    return (AIMING, KILL) if find_option(state, "aim_breaks") else (KILL,)


def be_hit(context: RuleContext, who: str) -> int:
    """Lose aim for the kill by being hit, even for no damage. [CE-MINOR-09]  RULING R8 R9"""
    if not context.state.combatants[who].conditions:
        return 0
    kinds = (AIMING, KILL) if find_option(context.state, "wound_breaks_aim") else (KILL,)
    return remove_conditions(context, who, *kinds, why="why.hit", rule="CE-MINOR-09")


def use_aim(context: RuleContext, who: str) -> None:
    """Use up aim by an attack, on the target of the aim or on anyone else."""
    remove_conditions(context, who, AIMING, KILL, why="why.used", rule="CE-MINOR-03")


def lose_sight(context: RuleContext, moved: Collection[str]) -> None:
    """Lose the aim at a target out of sight after it or the one who aims has moved or was carried, if aim
    breaks then. [CE-MINOR-04]  RULING R8 R71"""
    state = context.state
    kinds = _find_breakable(state)
    for who, combatant in tuple(state.combatants.items()):
        for held in combatant.conditions:
            target = state.combatants.get(str(held.marks.get("target")))
            if held.kind not in kinds or target is None or (who not in moved and target.id not in moved):
                continue
            if not can_see(state, combatant, target):
                remove_condition(context, who, held, why="why.out_of_sight", rule="CE-MINOR-04")
