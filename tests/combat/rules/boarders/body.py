"""Body: wounds, and what follows from them."""

from __future__ import annotations

from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import Label
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, has_condition
from combat.rules.core.turn.turns import add_condition, remove_conditions

DEEP = 6  # points through the armor that let someone bleed


def after_change(context: RuleContext, before: Combatant) -> None:
    """Add what follows from fewer or more HP, by a wound or by the GM. [BRD-COND-04]"""
    combatant = context.state[before.id]
    if combatant.tracks["hits"] > 0:
        remove_conditions(context, combatant.id, "down", why="why.up_again")
    elif not has_condition(combatant, "down"):
        add_condition(context, combatant.id, "down")


def wound(context: RuleContext, who: str, roll: Roll, *, rule: str, why: Label, dealt: Modifiers = ()) -> int:
    """Take the points of a roll, less armor, off someone's HP; returns how many. `dealt` halve them."""
    before = context.state[who]
    terms = (Modifier(why, roll.total, rule), *dealt)
    stopped = min(int(before.sheet["armor"]), add_up(terms))
    terms = (*terms, Modifier("term.armor", -stopped, "BRD-SHOOT-02")) if stopped else terms
    points, old = add_up(terms), before.tracks["hits"]
    told = e.TrackChanged(who, "hits", old, max(0, old - points), why, terms, roll, roll.by)
    context.emit(told, rule)
    after_change(context, before)
    return points


def bleed(context: RuleContext, who: str) -> None:
    """Let the bleeding lose a point as their turn begins. [BRD-COND-03]"""
    before = context.state[who]
    if has_condition(before, "bleeding"):
        old = before.tracks["hits"]
        context.emit(e.TrackChanged(who, "hits", old, max(0, old - 1), "why.bleeding"), "BRD-COND-03")
        after_change(context, before)
