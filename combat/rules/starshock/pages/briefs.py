"""The result of each action of a turn in a few words, for its tile."""

from __future__ import annotations

from combat.rules.core.declaration.actions import Brief, name_loaded, name_weapon
from combat.rules.core.state.state import Combatant, State

from ..book.tables import ZONE_METERS
from ..world.place import is_map

ARMOR, RESISTANCE = "+1 Armor until your turn", "+1 Resistance until your turn"


def _move(state: State, combatant: Combatant) -> str:
    return f"{ZONE_METERS} m more" if is_map(state) else "Into the next zone"


def _stroll(state: State, combatant: Combatant) -> str:
    return f"Up to {ZONE_METERS} m" if is_map(state) else "Within your zone"


BRIEFS: dict[str, Brief] = {
    "declare": "How many the turn has",
    "luck": "For a point of luck",
    "attack": name_weapon("Armor or Resistance"),
    "move": _move,
    "free_move": _stroll,
    "stand_up": "From prone",
    "raise_up": "Someone pinned down",
    "block": ARMOR,
    "dodge": ARMOR,
    "concentrate": RESISTANCE,
    "meditate": RESISTANCE,
    "assist": "+1 on their next check",
    "emergency_medicate": "Takes off 1 damage",
    "rouse": "Wakes someone",
    "use_consumable": "Take or give a dose",
    "interact": "An object of the scene",
    "door": "One next to you",
    "use_device": "Something you carry",
    "pick_up": "Into a free hand",
    "reload": name_loaded("A weapon that is empty"),
    "check": "Whatever the GM asks",
    "skill_challenge": "One check towards it",
    "drop_prone": "Lie down",
    "change_items": "One away, one in hand",
    "communicate": "Something short",
}
