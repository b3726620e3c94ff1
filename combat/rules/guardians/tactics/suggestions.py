"""Preparations to try before a roll; the engine finds out which are legal and how much they help."""

from __future__ import annotations

from typing import Any

from combat.rules.core.declaration.tactics import Candidate
from combat.rules.core.state.state import Combatant, State, has_condition

from ..book.tables import TORSO
from ..care import FirstAid
from ..fight.aim import Attack


def find_candidates(state: State, name: str, command: Any) -> tuple[Candidate, ...]:
    """Name no part or an easier one, use another weapon, ease a torso wound, rest, come closer.

    [CG-REF-04] [CG-ATK-01] [CG-TORSO-03] [CG-FAT-05] [CG-REF-05]
    """
    if isinstance(command, FirstAid):
        return _ease(state[command.actor])
    if not isinstance(command, Attack):
        return ()
    combatant = state[command.actor]
    return (
        *_call_easier(command),
        *_other_weapons(combatant, command),
        *_ease(combatant),
        *_get_up(combatant),
    )


def _call_easier(command: Attack) -> list[Candidate]:
    """Name no part or an easier one: naming a part costs ranks. [CG-REF-04]"""
    if not command.called:
        return []
    found = [Candidate("Name no part", "", {"called": ""}, "CG-REF-04")]
    if command.called != TORSO:
        found.append(Candidate("Name the torso instead", "", {"called": TORSO}, "CG-REF-04"))
    return found


def _other_weapons(combatant: Combatant, command: Attack) -> list[Candidate]:
    """Other weapons in hand, and throwing those that can be thrown. [CG-ATK-01]"""
    held = [i for i in combatant.items if i.kind == "weapon" and i.place == "held"]
    found = [
        Candidate(f"Use {item.name} instead", "", {"weapon": item.id, "thrown": False}, "CG-ATK-01")
        for item in held
        if item.id != command.weapon
    ]
    throwable = next(
        (i for i in held if i.id == command.weapon and "can_throw" in i.data.get("tags", ())), None
    )
    if throwable:
        label = f"Use {throwable.name} in hand" if command.thrown else f"Throw {throwable.name}"
        found.append(Candidate(label, "", {"thrown": not command.thrown}, "CG-ATK-01"))
    return found


def _ease(combatant: Combatant) -> tuple[Candidate, ...]:
    """Painkillers, at the cost of this round's action. [CG-TORSO-03]"""
    if not has_condition(combatant, "torso_wound") or has_condition(combatant, "painkillers"):
        return ()
    return (Candidate("Take painkillers first", "painkillers", {"target": combatant.id}, "CG-TORSO-03"),)


def _get_up(combatant: Combatant) -> list[Candidate]:
    """Get up: the prone cannot attack. [CG-PRONE-01]"""
    return (
        [Candidate("Get up first", "stand_up", {}, "CG-PRONE-01")]
        if has_condition(combatant, "prone")
        else []
    )
