"""Table options of the game, each with its ruling, default and reason; and its scene conditions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from combat.rules.core.declaration.book import Setting, load_options
from combat.rules.core.state.state import State

OPTIONS = load_options(Path(__file__).parents[1] / "options.toml")

FOOTING = (
    ("100", "Good ground (whole move)"),
    ("75", "Rough ground (¾ of a move)"),
    ("50", "Mud, rubble (half a move)"),
    ("25", "Deep water, ice (¼ of a move)"),
)
SETTINGS = (Setting("footing", "Footing", FOOTING, default="100", rule="CG-MOVE-02"),)
_DEFAULTS = {option.key: option.default for option in OPTIONS}


def find_option(state: State, key: str) -> Any:
    """The value of a table option in this encounter, or the game's default."""
    return state.options.get(key, _DEFAULTS[key])


def find_footing(state: State) -> int:
    """The percentage of a move on this ground, as the GM says. [CG-MOVE-02]  RULING R10"""
    return int(state.scene.settings.get("footing", FOOTING[0][0]))
