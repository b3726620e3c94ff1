"""Gear: the catalogue, and the items of a combatant."""
