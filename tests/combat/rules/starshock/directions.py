"""What of Star Shock points somewhere, for fights that are turned."""

from __future__ import annotations

from tests.combat.rules.core.turning import Directions

# In zones, a combatant who goes next to another or is pushed takes one of the free spots there
DIRECTIONS = Directions(chosen=("zone:", "near:"), chosen_how=frozenset({"how.pushed"}))
