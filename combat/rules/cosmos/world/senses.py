"""Sight and hearing: what blinded and deafened combatants miss."""

from __future__ import annotations

from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.state import (
    Combatant,
    Condition,
    State,
    present,
)

from ..people.conditions import KINDS

FAILS = {"sight": "note.no_sight", "hearing": "note.no_hearing"}


def find_lost_sense(combatant: Combatant, sense: str) -> tuple[Condition, str] | None:
    """The condition that takes this sense from a combatant, with its rule; None if none does.

    [COS-COND-05] [COS-COND-09] Things that can only be seen or heard are then missed without a roll.
    """
    return KINDS.find_loss(combatant, sense) if sense else None


def describe_lost_sense(combatant: Combatant, sense: str) -> Label:
    """Why a check by this sense alone fails; empty if it does not."""
    lost = find_lost_sense(combatant, sense)
    return say(FAILS[sense], condition=lost[0].label) if lost else ""


def tell_unheard(context: RuleContext, speaker: str, to: str = "") -> None:
    """Flag words as not heard by every deafened combatant. [COS-COND-11]

    `to` is the audience of the words, if not everyone: then only those on the speaker's side count.
    """
    side = context.state[speaker].side
    for combatant in present(context.state):
        meant = combatant.id != speaker and (not to or combatant.side == side)
        if meant and KINDS.loses(combatant, "hearing"):
            told = e.Said("log.unheard", speaker, combatant.id)
            context.emit(told, "COS-COND-11", to)


def describe_unwary(state: State, actor: str) -> str:
    """The combatants that a stealthy approach surprises easily, for the form; RULING R23. [COS-COND-12]"""
    side = state[actor].side
    deaf = [f.name for f in present(state) if f.side != side and KINDS.loses(f, "hearing")]
    return f"easy with {', '.join(deaf)}: deafened" if deaf else ""
