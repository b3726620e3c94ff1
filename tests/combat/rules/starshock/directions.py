"""The values of Star Shock that name a direction, for turned fights."""

from __future__ import annotations

from tests.combat.rules.every_game.wild.turning import Directions

# In zones, a combatant who goes next to another or is pushed takes one of the free spots there
DIRECTIONS = Directions(chosen=("zone:", "near:"), chosen_how=frozenset({"how.pushed"}))
