"""Combatants on the battle map: their size, and what they see."""
