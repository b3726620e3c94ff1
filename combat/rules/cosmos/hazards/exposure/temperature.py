"""Heat and cold: the checks to endure them."""

from __future__ import annotations

from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import say
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.state import (
    Combatant,
    State,
    has_condition,
)
from combat.rules.core.turn.turns import add_condition

from ...body.damage import hurt
from ...characters.sheet import ability
from ...dice import check_terms, default_tn, did_succeed, roll_check
from .levels import HAZARDS, name_dice

TEMPERATURE_DICE = "1d6"  # RULING R46
TEMPERATURES = {  # for each temperature of a scene: its kind, and the seconds between checks.  RULING R46
    "heat": ("heat", 600),
    "great_heat": ("heat", 60),
    "cold": ("cold", 600),
    "great_cold": ("cold", 60),
}


def endure_terms(state: State, combatant: Combatant, kind: str = "") -> Modifiers:
    """The better of Might and Resolve, and Survival. [COS-ENV-22] [COS-HAZ-24]"""
    rule = "COS-ENV-22" if kind else "COS-HAZ-24"
    both = [check_terms(state, combatant, key, skill_name="Survival", rule=rule) for key in ("MIG", "RES")]
    terms = max(both, key=add_up)
    weak = ability(combatant, "cold_save_penalty") if kind == "cold" else 0
    return (*terms, Modifier("term.species", weak)) if weak else terms


def endure(context: RuleContext, who: str, kind: str) -> None:
    """The check to endure heat or cold. [COS-ENV-22]  RULING R46.

    The first failure tires (heat) or slows (cold) [COS-ENV-17] [COS-ENV-19]; each later one costs 1d6, and
    armor does not help. [COS-ENV-18] [COS-ENV-20]
    """
    terms = endure_terms(context.state, context.state[who], kind)
    roll_check(
        context,
        who,
        terms,
        target=default_tn(context.state),
        rule="COS-ENV-22",
        what="Survival",
        why=say("roll.endure", what=HAZARDS[kind]),
    )
    if did_succeed(context):
        return
    failed = int(context.state[who].marks.get(f"{kind}_failed", 0))
    context.emit(e.Marked(who, f"{kind}_failed", failed + 1), to=e.GM_ONLY)
    first, rule, later = (
        ("fatigued", "COS-ENV-17", "COS-ENV-18") if kind == "heat" else ("slowed", "COS-ENV-19", "COS-ENV-20")
    )
    if failed:
        roll = context.roll(TEMPERATURE_DICE, by=who, rule=later, why=HAZARDS[kind])
        terms = (name_dice(HAZARDS[kind], TEMPERATURE_DICE, roll.total, later),)
        hurt(context, who, roll.total, why=HAZARDS[kind], rule=later, terms=terms, roll=roll)
    elif not has_condition(context.state[who], first):
        add_condition(context, who, first, rule=rule)
