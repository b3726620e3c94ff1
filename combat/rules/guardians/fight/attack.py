"""Attacks from the declaration to the hit.

[CG-DEF-01] [CG-LOC-01] The order is fixed: roll, defense, location, damage less armor and Toughness.
"""

from __future__ import annotations

from combat.rules.core.basics.words import say
from combat.rules.core.commands.context import Defend, RuleContext, Then
from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from combat.rules.core.turn.turns import spend

from ..body.effects import Effect
from ..body.happen import carry_out, find_spot
from ..book.options import find_option
from ..book.tables import ACTION, YARDS
from ..dice import roll_under
from ..world.strides import find_place_beside, stride_yards
from .aim import Aim, Attack, Use, attack_terms, check_attack, find_use
from .defense import ward_off
from .interrupt import is_forestalled
from .location import locate

PHYSICAL = "physical"  # the mark of a physical round, RULING R40
ACTIVE = "active"  # the mark of a round without rest


def attack(context: RuleContext, command: Attack) -> Then | None:
    """Take the round's action for one attack; held actions may come first. [CG-ATK-01] [CG-ACT-02]"""
    found = check_attack(context.state, command)
    if is_forestalled(context, command.actor):
        return None
    spend(context, command.actor, {ACTION: 1}, "an attack", "CG-ACT-02")
    exert(context, command.actor, found.use.kind != "missile")
    if not found.use.is_distant:
        go_up_to(context, command, found)
    return Then(strike, command)


def exert(context: RuleContext, who: str, physical: bool) -> None:
    """Mark the kind of this round. [CG-FAT-01]  RULING R39 R40"""
    context.emit(e.Marked(who, ACTIVE, True), "CG-FAT-06", e.GM_ONLY)
    if physical:
        context.emit(e.Marked(who, PHYSICAL, True), "CG-FAT-01", e.GM_ONLY)


def go_up_to(context: RuleContext, command: Attack, found: Aim) -> None:
    """Move up to the target before the blow; the rest of half a move may follow it. [CG-MOVE-03]"""
    who, needed = command.actor, found.needed
    half = stride_yards(context.state, context.state[who], melee=True)
    if needed:
        combatant = replace(context.state[who], at=find_spot(context.state, who))
        target = context.state[command.target]
        at = find_place_beside(context.state, combatant, target, found.use.reach)
        move = Effect(
            kind="move",
            who=who,
            rule="CG-MOVE-03",
            at=at,
            points=round(needed),
            cost=needed,
            how="how.moves",
        )
        carry_out(context, move)
    left = int(half - needed)
    if left > 0:
        budget = {**context.state[who].budget, YARDS: left}
        context.emit(e.BudgetSet(who, budget), "CG-MOVE-03")


def strike(context: RuleContext, command: Attack) -> Then | None:
    """Roll d100 within the ranks [CG-ATK-02]; a defense may still ward it off. [CG-DEF-05]"""
    use = find_use(context.state, command)
    terms = attack_terms(context.state, command, use)
    why = say("roll.attack", item=use.item.name, target=command.target)
    if command.called:
        args = {**why.args, "part": f"place.{command.called}"}
        why = say("roll.called", **args)
    result = roll_under(
        context,
        command.actor,
        terms,
        rule="CG-ATK-02",
        what="check.attack",
        target=command.target,
        why=why,
        words=("outcome.succeeds", "outcome.miss"),
        exact=find_option(context.state, "defense_rule") == "match_margin",
    )
    if not result.good:
        return finish(context, command, use)
    return Defend(face_defense, command, result.margin)


def face_defense(context: RuleContext, command: Attack, margin: int) -> Then | None:
    """Let the target defend, only against an attack that succeeded. [CG-DEF-01]"""
    use = find_use(context.state, command)
    if ward_off(context, command.actor, command.target, use.is_distant, margin):
        return finish(context, command, use)
    return Then(locate, command, 0)


def finish(context: RuleContext, command: Attack, use: Use) -> Then | None:
    """Drop a weapon thrown in vain beside its target."""
    if use.kind == "thrown":
        carry_out(context, find_landing(context, command, use))
    return None


def find_landing(context: RuleContext, command: Attack, use: Use) -> Effect:
    """The effect that puts a thrown weapon on the ground."""
    at = context.state[command.target].at
    return Effect(kind="land", who=command.actor, rule="CG-ATK-01", item=use.item.id, at=at)
