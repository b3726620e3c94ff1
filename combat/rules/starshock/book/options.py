"""Table options and scene conditions of the game, each with its ruling and default."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from combat.rules.core.declaration.book import Setting, load_options
from combat.rules.core.state.state import State

from .tables import GRAVITIES

OPTIONS = load_options(Path(__file__).parents[1] / "options.toml")
DEFAULTS = {option.key: option.default for option in OPTIONS}

ZONES, SQUARES, HEXES = "zones", "squares", "hexes"
POSITIONING = (
    (ZONES, "Zones"),
    (SQUARES, "Map of 1 m squares"),
    (HEXES, "Map of 1 m hexes"),
)
SETTINGS = (
    Setting("positioning", "Positions", POSITIONING, default=ZONES, rule="SS-MAP-01"),
    Setting(
        "gravity",
        "Gravity",
        tuple((row.id, row.name) for row in GRAVITIES.values()),
        default="mars_artigrav",
        rule="SS-FALL-05",
    ),
)


def find_option(state: State, key: str) -> Any:
    """The value of a table option in this encounter, or the game's default."""
    return state.options.get(key, DEFAULTS[key])
