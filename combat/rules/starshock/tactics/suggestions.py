"""Preparations to try before a roll; the engine finds out which are legal and help."""

from __future__ import annotations

from typing import Any

from combat.rules.core.declaration.tactics import Candidate
from combat.rules.core.state.state import Combatant, State

from ..fight.aim import Attack
from ..people.conditions import is_down
from ..world.place import find_neighbours, is_map, zone_id


def find_candidates(state: State, name: str, command: Any) -> tuple[Candidate, ...]:
    """Stand up, use another weapon in hand, or go where the shot is better.

    [SS-PRONE-01] [SS-ATK-04] [SS-ZONE-13] [SS-RANGE-03]
    """
    if not isinstance(command, Attack):
        return ()
    combatant = state[command.actor]
    found = [Candidate("Stand up first", "stand_up", {}, "SS-PRONE-01")] if is_down(combatant) else []
    return (*found, *_weapons(combatant, command), *_places(state, combatant, command))


def _weapons(combatant: Combatant, command: Attack) -> list[Candidate]:
    held = [i for i in combatant.items if i.kind == "weapon" and i.place == "held" and i.id != command.weapon]
    return [Candidate(f"Use {item.name} instead", "", {"weapon": item.id}, "SS-ATK-04") for item in held]


def _places(state: State, combatant: Combatant, command: Attack) -> list[Candidate]:
    """The zones next to the combatant's own, or places nearer to the target on a map."""
    if is_map(state):
        name = state[command.target].name
        near = {"to": f"near:{command.target}", "far": True}
        return [Candidate(f"Move closer to {name} first", "free_move", near, "SS-RANGE-04")]
    names = {zone.id: zone.name for zone in state.scene.zones}
    near_by = find_neighbours(state.scene, zone_id(state, combatant))
    return [
        Candidate(f"Move to {names[zone]} first", "move", {"to": f"zone:{zone}"}, "SS-RANGE-03")
        for zone in near_by
    ]
