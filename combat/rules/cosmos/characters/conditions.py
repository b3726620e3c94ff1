"""The conditions of the game: their effects and their ends."""

from __future__ import annotations

from pathlib import Path

from combat.rules.core.book.conditions import load_conditions

KINDS = load_conditions(Path(__file__).parents[1] / "conditions.toml")
