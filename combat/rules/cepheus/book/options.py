"""Table options and scene conditions, each with its ruling, and the defaults of both games.

The quick rules are the same code with other defaults: `find_option` reads the table's setting, or the default
of the game in play.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.book import Setting, TableOption, load_options
from combat.rules.core.space import Scene
from combat.rules.core.state.state import Scalar, State, replace

FULL, QUICK = "cepheus", "cepheus_quick"


OPTIONS = load_options(Path(__file__).parents[1] / "options.toml")
# The quick rules leave these out unless the table wants them.  RULING R61
SPECIALS = tuple(option for option in OPTIONS if option.key.startswith("use_"))
_FULL: dict[str, Scalar] = {option.key: option.default for option in OPTIONS}
_QUICK: dict[str, Scalar] = {
    "damage_order": "endurance_first",  # CS-DMG-03
    "reaction_penalty_on": "all_checks",  # CS-REACT-04, CS-REACT-08
    "reaction_limit": "purse",  # CS-INIT-04, CS-REACT-01
    "three_minors": False,  # CS-ROUND-03
    "aim_breaks": False,  # CS-MINOR-01
    "range_table": "summary",  # CS-ATK-04, CS-RANGE-01
    "parry_minimum": 1,  # CS-REACT-07
    "prone_close_penalty": True,  # CS-STANCE-05
    "extra_cover_step": "stays_at_four",  # CS-COVER-05
    "suppression_effect": "next_action",  # CS-SUPP-03, CS-SUPP-04
    "coup_de_grace": False,
    "late_first_aid": False,  # CS-MED-01
    "serious_wounds": "surgery_first",  # CS-HEAL-04
    "vehicle_damage": "flat",  # CS-VDMG-01, CS-VLOC-10
    "vehicle_size_dm": False,
    "evasive_hampers_own_fire": False,  # CS-VACT-01
    **{option.key: False for option in SPECIALS},  # CS-INIT-05: interrupting as well
}
DEFAULTS: dict[str, dict[str, Scalar]] = {FULL: _FULL, QUICK: {**_FULL, **_QUICK}}
NORMAL, ZERO_G = "normal", "zero"
LIGHT, LOW_LIGHT, DARK = "light", "low_light", "dark"
CLEAR, SMOKE, THICK_SMOKE = "clear", "smoke", "thick_smoke"
FAIR, EXTREME = "fair", "extreme"
FREE, JAMMED = "free", "jammed"
CONDITIONS, COMMS = ("use_conditions",), ("use_comms",)
SETTINGS = (
    Setting(
        "gravity",
        "Gravity",
        ((NORMAL, "Normal"), (ZERO_G, "Zero gravity")),
        default=NORMAL,
        rule="CE-ZG-01",
        options=("use_zero_gravity",),
    ),
    Setting(
        "light",
        "Light",
        ((LIGHT, "Light"), (LOW_LIGHT, "Low light"), (DARK, "Complete darkness")),
        default=LIGHT,
        rule="CE-COND-01",
        options=CONDITIONS,
    ),
    Setting(
        "smoke",
        "Smoke or fog",
        ((CLEAR, "None"), (SMOKE, "Smoke or fog"), (THICK_SMOKE, "Thick smoke")),
        default=CLEAR,
        rule="CE-COND-04",
        options=(*CONDITIONS, *COMMS),  # it stops lasers, also those that talk
    ),
    Setting(
        "distances",
        "Distances",
        (("metres", "In meters"), ("squares", "Squares of 1.5 m")),
        default="metres",
        rule="CE-MINOR-16",
    ),
    Setting(
        "weather",
        "Weather",
        ((FAIR, "Fair"), (EXTREME, "Extreme weather")),
        default=FAIR,
        rule="CE-COND-07",
        options=CONDITIONS,
    ),
    Setting(
        "radio",
        "Radio",
        ((FREE, "Free"), (JAMMED, "Jammed")),
        default=FREE,
        rule="CE-COMMS-07",
        options=COMMS,
    ),
    Setting(
        "heat",
        "Heat sources",
        ((FREE, "None"), (JAMMED, "Strong: infra-red is jammed")),
        default=FREE,
        rule="CE-SENS-04",
        options=CONDITIONS,
    ),
)
_USUAL = {setting.key: setting.default for setting in SETTINGS}


def options_of(slug: str) -> tuple[TableOption, ...]:
    """The options of one of the two games, with its own defaults."""
    return tuple(replace(option, default=DEFAULTS[slug][option.key]) for option in OPTIONS)


def find_option(state: State, key: str) -> Any:
    """A table option of this encounter, or its default in this game."""
    if key in state.options:
        return state.options[key]
    return DEFAULTS[state.system][key]


def check_used(state: State, option: str, what: str, them: str = "it") -> None:
    """RULING R61: refuse, with a reason, rules that the table does not use."""
    if not find_option(state, option):
        raise Refused("not_allowed", f"This table plays without {what}: the GM can switch {them} on.")


def find_setting(state: State, key: str) -> str:
    """A scene condition of this encounter, or its usual value."""
    return state.scene.settings.get(key, _USUAL[key])


def find_setting_of(scene: Scene, key: str) -> str:
    """A condition of a scene, or its usual value."""
    return scene.settings.get(key, _USUAL[key])
