"""Preparations to try before a roll; the engine checks which are legal and help."""

from __future__ import annotations

from typing import Any

from combat.rules.core.declaration.tactics import Candidate
from combat.rules.core.state.state import Combatant, State

from ..fight.aim import Attack
from ..world.economy import MINOR


def find_candidates(state: State, name: str, command: Any) -> tuple[Candidate, ...]:
    """Aim first, a burst, another weapon in hand."""
    if not isinstance(command, Attack):
        return ()
    return (*_aims(state, command), *_bursts(state, command), *_weapons(state[command.actor], command))


def _aims(state: State, command: Attack) -> list[Candidate]:
    """Aim with the minor actions left, except those that the attack is traded for. [CE-MINOR-03]"""
    minors = state[command.actor].budget.get(MINOR, 0)
    target = {"target": command.target}
    return [Candidate("Aim first", "aim", target, "CE-MINOR-03")] if minors else []


def _bursts(state: State, command: Attack) -> list[Candidate]:
    """Sprays at each of the weapon's burst rates. [CE-BURST-02]"""
    item = next((i for i in state[command.actor].items if i.id == command.weapon), None)
    rates = item.data.get("rate_of_fire", ()) if item else ()
    return [
        Candidate(f"Spray {n} rounds", "", {"rounds": n, "burst": "spray"}, "CE-BURST-02")
        for n in rates
        if n > 1 and (n, "spray") != (command.rounds, command.burst)
    ]


def _weapons(combatant: Combatant, command: Attack) -> list[Candidate]:
    """Another weapon in hand, at this range. [CE-RANGE-09]"""
    held = [i for i in combatant.items if i.kind == "weapon" and i.place == "held" and i.id != command.weapon]
    changed = {"rounds": 0, "burst": ""}
    return [
        Candidate(f"Use {item.name} instead", "", {"weapon": item.id, **changed}, "CE-RANGE-09")
        for item in held
    ]
