"""Sight and hearing: what the blinded and the deafened miss."""

from __future__ import annotations

from ..core import events as e
from ..core.state import Combatant, Condition, State, find_condition, has_condition, present
from ..core.table import Table

# Which condition takes a sense away, and the rule that says so
LOST_TO = {"sight": ("blinded", "COS-COND-05"), "hearing": ("deafened", "COS-COND-09")}


def find_lost_sense(fighter: Combatant, sense: str) -> Condition | None:
    """The condition that takes this sense from a fighter; None when it has it, or none is named.

    [COS-COND-05] [COS-COND-09] What can only be seen or heard is then missed without a roll.
    """
    return find_condition(fighter, LOST_TO[sense][0]) if sense in LOST_TO else None


def describe_lost_sense(fighter: Combatant, sense: str) -> str:
    """Why a check by this sense alone fails; empty when it does not."""
    lost = find_lost_sense(fighter, sense)
    return f"{lost.label}: a check by {sense} alone fails without a roll." if lost else ""


def tell_unheard(table: Table, speaker: str) -> None:
    """[COS-COND-11] Flag words as not heard by everybody who is deafened."""
    for fighter in present(table.state):
        if fighter.id != speaker and has_condition(fighter, "deafened"):
            table.tell(e.Said("{target} is deafened: not heard.", speaker, fighter.id), "COS-COND-11")


def describe_unwary(state: State, actor: str) -> str:
    """[COS-COND-12] Whom a stealthy approach surprises easily, for the form; RULING R23."""
    side = state[actor].side
    deaf = [f.name for f in present(state) if f.side != side and has_condition(f, "deafened")]
    return f"easy with {', '.join(deaf)}: deafened" if deaf else ""
