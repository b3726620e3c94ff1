"""Vacuum: holding the breath, suffocation, and rescue."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from combat.rules.core.basics.words import say
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.state import events as e
from combat.rules.core.state.state import (
    Combatant,
    Condition,
    State,
    find_condition,
    has_condition,
    present,
    replace,
)
from combat.rules.core.turn.turns import add_condition, remove_condition

from ...body.damage import die, hurt
from ...book.tables import ROUND_SECONDS
from ...characters.sheet import attribute
from ...environment import find_around
from ..protection import is_exposed
from .levels import name_dice

VACUUM_DICE = "2d6"  # COS-ENV-14
VACUUM = "vacuum"
Args = tuple[Any, ...]


def is_in_vacuum(state: State, combatant: Combatant) -> bool:
    """Whether a combatant's place has no air."""
    return state.scene.settings.get("air") == VACUUM or VACUUM in find_around(state.scene, combatant.at).tags


def is_airless(state: State, combatant: Combatant) -> bool:
    """Whether a combatant is in vacuum with nothing to breathe.  [COS-ENV-13]"""
    return is_in_vacuum(state, combatant) and is_exposed(state, combatant, VACUUM)


def end_round(context: RuleContext, then: Then) -> Then:
    """Advance all clocks of vacuum at the end of a round. [COS-ENV-13] [COS-ENV-14] [COS-ENV-16]

    RULING R42.
    """
    state, left = context.state, []
    for combatant in present(state):  # who has air and no condition neither gasps nor recovers
        if combatant.conditions or is_in_vacuum(state, combatant):
            left.append(combatant.id)
    return Then(_gasp_each, tuple(left), then.step, then.args) if left else then


def _gasp_each(
    context: RuleContext, left: tuple[str, ...], step: Callable[..., Then | None], args: Args
) -> Then:
    if not left:
        return Then(step, *args)
    breathe(context, left[0])
    return Then(_gasp_each, left[1:], step, args)


def is_counted_out(state: State, combatant: Combatant) -> bool:
    """Whether HP stay at 0 without air: no death saves and no loss. [COS-ENV-15]  RULING R42."""
    return has_condition(combatant, "last_breath") or (
        combatant.tracks["hp"] <= 0 and is_airless(state, combatant)
    )


def breathe(context: RuleContext, who: str) -> None:
    """Hold the breath for Resolve rounds [COS-ENV-13]; then 2d6 a round. [COS-ENV-14]  RULING R42.

    HP stop at 0, with a countdown. [COS-ENV-15] Armor does not help; a sealed suit does.
    """
    combatant = context.state[who]
    if has_condition(combatant, "dead"):
        return
    if not is_airless(context.state, combatant):
        rescue(context, who)
    elif held := find_condition(combatant, "last_breath"):
        _count_on(context, who, held)
    elif combatant.tracks["hp"] <= 0:
        count_down(context, who)
    elif _hold_breath(context, who) > attribute(combatant, "RES"):
        _choke(context, who)


def _choke(context: RuleContext, who: str) -> None:
    """Deal 2d6, down to 0 HP. [COS-ENV-14]"""
    roll = context.roll(VACUUM_DICE, by=who, rule="COS-ENV-14", why="roll.vacuum")
    lost = min(roll.total, context.state[who].tracks["hp"])
    terms = (name_dice("why.vacuum", VACUUM_DICE, roll.total, "COS-ENV-14"),)
    hurt(context, who, lost, why="why.vacuum", rule="COS-ENV-14", terms=terms, roll=roll)
    if context.state[who].tracks["hp"] <= 0:
        count_down(context, who)


def _hold_breath(context: RuleContext, who: str) -> int:
    """Count one more round without air; returns the total."""
    combatant = context.state[who]
    held = find_condition(combatant, "airless")
    rounds = int(held.marks.get("rounds", 0)) + 1 if held else 1
    left = attribute(combatant, "RES") - rounds
    label = say("condition.holding_breath", n=left) if left >= 0 else "condition.out_of_breath"
    if held is None:
        add_condition(context, who, "airless", label=label, marks={"rounds": rounds})
    else:
        now = replace(held, label=label, marks={"rounds": rounds})
        context.emit(e.ConditionChanged(who, now), "COS-ENV-13")
    return rounds


def count_down(context: RuleContext, who: str) -> None:
    """Start the countdown at 0 HP without air: death in Resolve rounds. [COS-ENV-16]"""
    rounds = attribute(context.state[who], "RES")
    marks = {"dies_at": context.state.clock + rounds * ROUND_SECONDS}
    add_condition(context, who, "last_breath", label=say("condition.suffocating", n=rounds), marks=marks)


def rescue(context: RuleContext, who: str) -> None:
    """End the countdown when there is air again; at 0 HP the usual rules of dying resume.  RULING R42."""
    for held in context.state.combatants[who].conditions:
        if held.kind in ("airless", "last_breath"):
            plain = replace(held, label=f"condition.{held.kind}")
            remove_condition(context, who, plain, why="why.breathes_again", rule="COS-ENV-16")


def _count_on(context: RuleContext, who: str, held: Condition) -> None:
    """Count one round less; after the last, death. [COS-ENV-16] [COS-DEATH-13]"""
    dies_at = int(held.marks.get("dies_at", 0))
    if not dies_at:  # set by the GM: the countdown begins now
        dies_at = context.state.clock + attribute(context.state.combatants[who], "RES") * ROUND_SECONDS
        held = replace(held, marks={**held.marks, "dies_at": dies_at})
    left = (dies_at - context.state.clock) // ROUND_SECONDS
    if left <= 0:
        remove_condition(context, who, held, why="why.no_air", rule="COS-ENV-16")
        die(context, who, "why.vacuum", "COS-ENV-16")
        return
    now = replace(held, label=say("condition.suffocating", n=left))
    context.emit(e.ConditionChanged(who, now), "COS-ENV-16")
