"""Table options and scene conditions of the game, each with its ruling and default."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct

from combat.rules.core.declaration.book import Setting, load_options
from combat.rules.core.declaration.parts import Pool
from combat.rules.core.state.state import State

from .tables import LIGHT_LEVELS, hazard_levels, medical_gear

LIGHTS = tuple((key, key.capitalize()) for key in LIGHT_LEVELS)
GRAVITIES = (("zero", "Zero"), ("low", "Low"), ("normal", "Normal"), ("high", "High"))
SURFACES = (("metal", "Metal"), ("other", "Not metal"), ("none", "None: open space"))
_LEVELS = tuple(hazard_levels().values())
AIRS = (
    ("normal", "Good"),
    ("vacuum", "Vacuum"),
    *((row.id, f"Toxic, {row.level}") for row in _LEVELS if row.hazard == "toxic"),
)
TEMPERATURES = (
    ("normal", "Bearable"),
    ("heat", "Extreme heat"),
    ("great_heat", "Extreme heat, checks each minute"),
    ("cold", "Extreme cold"),
    ("great_cold", "Extreme cold, checks each minute"),
)
RADIATIONS = (
    ("none", "None"),
    *((row.level, row.level.capitalize()) for row in _LEVELS if row.hazard == "radiation"),
)
WATERS = (("dry", "None"), ("underwater", "All under water"))
FACILITIES = (("none", "None"), *((key, medical_gear()[key].name) for key in ("facility", "ward")))
# What a turn can be spent on
POOLS = (
    Pool("standard", "Standard", 1, "COS-ACT-02", main=True),
    Pool("move", "Move", 1, "COS-ACT-08"),
    Pool("quick", "Quick", 3, "COS-ACT-14"),
)


class Weather(Struct, frozen=True):
    """The effect of weather: on ranged attacks in points, on movement, and its concealment.

    `label` names it in forms, `term` among modifiers.

    [COS-XENV-05] [COS-XENV-06] [COS-XENV-07] [COS-XENV-09]  RULING R48.
    """

    label: str
    term: str
    wind: int = 0
    halves_movement: bool = False
    concealment: str = "none"


WEATHER = {
    "fair": Weather("Fair", "weather.fair"),
    "wind": Weather("Strong wind", "weather.wind", -2, True),
    "gale": Weather("Storm-force wind", "weather.gale", -4, True),
    "rain": Weather("Rain", "weather.rain", concealment="light"),
    "downpour": Weather("Downpour", "weather.downpour", concealment="heavy"),
    "storm": Weather("Storm", "weather.storm", -2, halves_movement=True, concealment="light"),
}


OPTIONS = load_options(Path(__file__).parents[1] / "options.toml")
_DEFAULTS = {option.key: option.default for option in OPTIONS}

WEATHERS = tuple((key, weather.label) for key, weather in WEATHER.items())
SETTINGS = (
    Setting("light", "Light", LIGHTS, default="bright", rule="COS-COVER-07"),
    Setting("gravity", "Gravity", GRAVITIES, default="normal", rule="COS-ENV-01"),
    Setting("surfaces", "Surfaces to hold on to", SURFACES, default="metal", rule="COS-ZG-01"),
    Setting("air", "Air", AIRS, default="normal", rule="COS-HAZ-18"),
    Setting("temperature", "Temperature", TEMPERATURES, default="normal", rule="COS-ENV-17"),
    Setting("radiation", "Radiation", RADIATIONS, default="none", rule="COS-HAZ-15"),
    Setting("weather", "Weather", WEATHERS, default="fair", rule="COS-XENV-09"),
    Setting("water", "Water", WATERS, default="dry", rule="COS-XENV-01"),
    Setting("facility", "Medical care here", FACILITIES, default="none", rule="COS-MED-14"),
)


def find_option(state: State, key: str) -> Any:
    """The value of a table option in this encounter, or the game's default."""
    return state.options.get(key, _DEFAULTS[key])
