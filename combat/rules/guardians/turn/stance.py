"""Getting up, and an extra defense."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Command
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state.state import State, has_condition
from combat.rules.core.turn.turns import spend

from ..body.effects import Effect
from ..body.resolve import carry_out
from ..book.tables import ACTION, LEGS
from ..fight.attack import exert
from ..world.acting import act
from ..world.strides import count_lame_legs


def stand_up(context: RuleContext, command: Command) -> None:
    """Get up as the round's combat action. [CG-PRONE-01]  RULING R22 R40"""
    spend(context, command.actor, {ACTION: 1}, on="getting up", rule="CG-PRONE-01")
    exert(context, command.actor, True)
    carry_out(context, Effect(kind="stand", who=command.actor, rule="CG-PRONE-01"))


def check_prone(state: State, actor: str) -> None:
    """Refuse to get up unless prone, with a sound leg.  RULING R25"""
    combatant = state[actor]
    if not has_condition(combatant, "prone"):
        raise Refused("not_allowed", f"{combatant.name} is on their feet.")
    if count_lame_legs(combatant) == len(LEGS):
        raise Refused("not_allowed", f"Neither leg of {combatant.name} can be used: crawl (Move).")


def guard(context: RuleContext, command: Command) -> None:
    """Take an extra defense: one more roll, once, until the end of the round. [CG-ACT-04]  RULING R4"""
    spend(context, command.actor, {ACTION: 1}, on="an extra defensive action", rule="CG-ACT-04")
    exert(context, command.actor, False)
    carry_out(context, Effect(kind="guard", who=command.actor, rule="CG-ACT-04"))


ACTIONS = (act("stand_up", stand_up, check_prone), act("guard", guard))
