"""Sight and hearing: what blinded and deafened combatants miss."""

from __future__ import annotations

from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.state import (
    Combatant,
    Condition,
    State,
    find_condition,
    has_condition,
    present,
)

# The condition that removes each sense, and its rule
LOST_TO = {"sight": ("blinded", "COS-COND-05"), "hearing": ("deafened", "COS-COND-09")}
FAILS = {"sight": "note.no_sight", "hearing": "note.no_hearing"}


def find_lost_sense(combatant: Combatant, sense: str) -> Condition | None:
    """The condition that takes this sense from a combatant; None if it has it, or none is named.

    [COS-COND-05] [COS-COND-09] Things that can only be seen or heard are then missed without a roll.
    """
    return find_condition(combatant, LOST_TO[sense][0]) if sense in LOST_TO else None


def describe_lost_sense(combatant: Combatant, sense: str) -> Label:
    """Why a check by this sense alone fails; empty if it does not."""
    lost = find_lost_sense(combatant, sense)
    return say(FAILS[sense], condition=lost.label) if lost else ""


def tell_unheard(context: RuleContext, speaker: str, to: str = "") -> None:
    """Flag words as not heard by every deafened combatant. [COS-COND-11]

    `to` is the audience of the words, if not everyone: then only those on the speaker's side count.
    """
    side = context.state[speaker].side
    for combatant in present(context.state):
        meant = combatant.id != speaker and (not to or combatant.side == side)
        if meant and has_condition(combatant, "deafened"):
            told = e.Said("log.unheard", speaker, combatant.id)
            context.emit(told, "COS-COND-11", to)


def describe_unwary(state: State, actor: str) -> str:
    """The combatants that a stealthy approach surprises easily, for the form; RULING R23. [COS-COND-12]"""
    side = state[actor].side
    deaf = [f.name for f in present(state) if f.side != side and has_condition(f, "deafened")]
    return f"easy with {', '.join(deaf)}: deafened" if deaf else ""
