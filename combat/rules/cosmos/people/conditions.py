"""The conditions of the game: their effects and their ends."""

from __future__ import annotations

from pathlib import Path

from combat.rules.core.book.conditions import load_conditions

KINDS = load_conditions(Path(__file__).parents[1] / "conditions.toml")
BOUND = frozenset(kind for kind, row in KINDS.items() if row.bound)
# A combatant's actions in a turn: they count until one of its later turns, and only in this fight
OF_TURNS = (
    *("charging", "sprinting", "rough_going", "total_defense", "reactive_defense", "retreating", "no_sprint"),
    *("quick_aim", "quick_aimed", "off_guard", "moved", "steeled", "overwatch"),
)
