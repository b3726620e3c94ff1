"""Preparations to try before an attack; the engine finds those that are legal and help."""

from __future__ import annotations

from typing import Any

from combat.rules.core.declaration.tactics import Candidate
from combat.rules.core.state.state import State

from ..fight.aim import Attack, Strike
from ..world.scene import has_trait, is_melee
from ..world.touch import find_thing


def find_candidates(state: State, name: str, command: Any) -> tuple[Candidate, ...]:
    """Aim, another weapon, higher or clearer ground, and a safer way to fight.

    [COS-MOD-08] [COS-EX-07] [COS-POS-01] [COS-COVER-06]
    """
    if not isinstance(command, Strike):
        return ()
    found = [Candidate("Quick aim first, a Quick Action", "quick_aim", {}, "COS-EX-07")]
    if isinstance(command, Attack):
        found.append(Candidate("Aimed shot: the whole turn", "", {"aimed": True}, "COS-MOD-08"))
        if command.attacks > 1:
            found.append(Candidate("One attack only", "", {"attacks": 1}, "COS-MOD-09"))
        found += _weapons(state, command)
    return (*found, *_places(state, command))


def _weapons(state: State, command: Attack) -> list[Candidate]:
    combatant = state[command.actor]
    others = [i for i in combatant.items if i.kind == "weapon" and i.id != command.weapon]
    held = [i for i in others if i.place == "held" and not has_trait(i, "area")]
    return [Candidate(f"{item.name} instead", "", {"weapon": item.id}, "COS-ATK-03") for item in held]


def _places(state: State, command: Strike) -> list[Candidate]:
    """Moves to each zone, and next to the target for melee attackers."""
    moves = [
        Candidate(f"Move to {zone.name} first", "move", {"to": f"zone:{zone.id}"}, "COS-POS-01")
        for zone in state.scene.zones[:6]
    ]
    weapon = find_thing(state, command.actor, command.weapon)
    near = {"to": f"near:{command.target}", "far": True}
    if is_melee(weapon):
        name = state[command.target].name
        moves.insert(0, Candidate(f"Move next to {name} first", "move", near, "COS-ATK-05"))
    return moves
