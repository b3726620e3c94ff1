"""Table options and scene conditions, each with its ruling, and the defaults of both games.

The quick rules are the same code with other defaults: `find_option` reads what the table set, or
the default of the game that is played.
"""

from __future__ import annotations

from typing import Any

from combat.rules.core.state.state import Scalar, State, replace
from combat.rules.core.system import Setting, TableOption

FULL, QUICK = "cepheus", "cepheus_quick"


def _switch(key: str, label: str, default: bool, ruling: str) -> TableOption:
    return TableOption(key, label, default, ruling=ruling)


def _choice(key: str, label: str, ruling: str, *choices: tuple[Scalar, str]) -> TableOption:
    """An option whose first choice is the default."""
    values, labels = tuple(value for value, _ in choices), tuple(label for _, label in choices)
    return TableOption(key, label, values[0], values, ruling, labels=labels)


def _number(key: str, label: str, default: int, low: int, high: int, ruling: str) -> TableOption:
    return TableOption(key, label, default, (default,), ruling, number=(low, high))


CHARACTERS = (
    _switch("wounds_lower_dms", "Wounds lower characteristic DMs", True, "R1"),
    _choice(
        "damage_order",
        "Order of damage",
        "R2",
        ("first_forced", "Endurance first while unhurt, then as one likes"),
        ("endurance_first", "Endurance first, always"),
    ),
    _switch("gm_splits_npc_damage", "The GM is asked where opponents take their damage", False, "R3"),
    _choice(
        "reaction_penalty_ends",
        "The DM of a reaction ends",
        "R5",
        ("next_round", "when the next round starts"),
        ("end_of_next_turn", "at the end of their next turn"),
    ),
    _choice(
        "reaction_penalty_on",
        "The DM of a reaction is on",
        "R82",
        ("skill_checks", "skill checks"),
        ("all_checks", "all checks"),
    ),
    _choice(
        "reaction_limit",
        "Reactions",
        "R61",
        ("unlimited", "as many as one likes"),
        ("purse", "as the Initiative left in the round allows"),
    ),
    _choice(
        "hasten", "Hastening", "R6", ("once_a_round", "once a round"), ("once_a_combat", "once a combat")
    ),
    _switch("wound_breaks_aim", "A wound breaks all aiming", False, "R8"),
    _switch("mix_aiming", "Both kinds of aiming add up on one attack", False, "R9"),
    _choice("leadership_lasts", "Leadership lasts", "R30", ("round", "one round"), ("combat", "the combat")),
    _switch("three_minors", "The significant action trades for two minor ones", True, "R86"),
    _switch("aim_breaks", "Aim is lost by doing anything else", True, "R71"),
)
ATTACKS = (
    _choice(
        "range_table",
        "Difficulty by range",
        "R62",
        ("chapter", "the chapter's table, seven bands"),
        ("summary", "the summary's table, as printed"),
    ),
    _choice(
        "close_quarters_reach",
        "Close quarters weapons reach",
        "R62",
        ("table", "as far as the table says"),
        ("three_metres", "no further than 3 m"),
    ),
    _switch("prone_counts_as_dived", "Who lies prone in a blast takes half damage", False, "R11"),
    _choice("parry_minimum", "A parry is worth at least", "R12", (0, "nothing"), (1, "DM −1")),
    _switch("prone_short_penalty", "A prone target is harder to hit at Short range", True, "R13"),
    _switch("prone_close_penalty", "A prone target is harder to shoot at Close range", False, "R68"),
    _choice(
        "extra_cover_step",
        "One step better than full cover",
        "R14",
        ("cannot_be_hit", "cannot be hit, cannot fire"),
        ("minus_six", "DM −6"),
        ("stays_at_four", "still DM −4"),
    ),
    _choice(
        "grid_distance",
        "Distances on squares",
        "R31",
        ("squares", "in squares"),
        ("straight", "as the crow flies"),
    ),
    _number("extreme_range_m", "Extreme range begins beyond, m", 1000, 500, 100_000, "R44"),
    _choice(
        "light_intensification",
        "Light intensification removes the penalties of",
        "R45",
        ("both", "low light and darkness"),
        ("low_light_only", "low light only"),
    ),
    _choice(
        "moving_vehicle_cap",
        "DM for moving vehicles",
        "R49",
        (0, "−1 each 10 m, no limit"),
        (6, "at most −6"),
    ),
    _number("tolerance_model_0", "Tolerance of intelligent weapons, Model 0", 2, 0, 12, "R51"),
    _number("tolerance_model_1", "Tolerance of intelligent weapons, Model 1", 4, 0, 12, "R51"),
    _choice(
        "flechette_damage",
        "Damage of flechettes",
        "R20",
        ("together", "rolled once"),
        ("apart", "rolled for each"),
    ),
    _choice(
        "scatter",
        "A miss scatters, in meters",
        "R22",
        ("six_minus_effect", "6 − Effect"),
        ("six_plus_effect", "6 + Effect"),
    ),
    _switch("walls_stop_blasts", "Walls keep explosions and smoke out", True, "R93"),
    _choice(
        "blast_damage", "Damage of a blast", "R60", ("together", "rolled once"), ("apart", "rolled for each")
    ),
    _switch("coup_de_grace", "Coup de grace", True, "R36"),
    _switch("grapple_armor", "Armor counts against damage in a grapple", True, "R21"),
    _choice(
        "grapple_effect",
        "What a grapple check counts",
        "R21",
        ("margin", "the margin of the totals"),
        ("own", "the winner's own Effect"),
    ),
    _choice(
        "suppression_effect",
        "Suppressed targets",
        "R64",
        ("penalty", "have a penalty"),
        ("next_action", "lose their next significant action"),
    ),
)
HEALING = (
    _switch("daily_healing_may_harm", "A day with a low Endurance DM may cost points", True, "R38"),
    _switch("treatment_time_limits", "Time limits of treatment", True, "R39"),
    _switch("late_first_aid", "First aid helps for an hour, half as well after five minutes", True, "R39"),
    _choice(
        "serious_wounds",
        "The seriously wounded",
        "R65",
        ("first_aid_first", "first aid, then surgery"),
        ("surgery_first", "surgery before anything else"),
    ),
)
VEHICLES = (
    _choice(
        "vehicle_damage",
        "Damage to vehicles",
        "R66",
        ("locations", "by the damage table and two columns of locations"),
        ("flat", "one roll on a flat table"),
    ),
    _choice(
        "flat_hull",
        "On the flat table a vehicle is destroyed by",
        "R66",
        ("three_hits", "a third Hull hit"),
        ("hull_points", "as many Hull hits as there are points of Hull and Structure"),
    ),
    _choice(
        "hull_zero",
        "At Hull 0",
        "R25",
        ("hull_results", "Hull results go inside"),
        ("whole_column", "all results go inside"),
    ),
    _switch("collision_armor", "Armor counts in collisions", True, "R27"),
    _choice(
        "collision_speed_cap",
        "Speed counted in collisions, km/h",
        "R27",
        (0, "in full"),
        (100, "at most 100"),
        (200, "at most 200"),
    ),
    _choice(
        "control_minor",
        "Who drives with the significant action",
        "R46",
        ("instead", "keeps the minor action"),
        ("as_well", "spends the minor action as well"),
    ),
    _switch("design_vehicles", "Vehicles of the design appendix", False, "R57"),
    _switch("vehicle_size_dm", "Vehicles are easier to hit for their size", True, "R86"),
    _switch("evasive_hampers_own_fire", "Evasive driving hampers fire from the vehicle", True, "R86"),
)
# What the summary leaves out. The quick rules play without, unless the table wants it.  RULING R61
SPECIALS = tuple(
    _switch(f"use_{key}", label, True, "R61")
    for key, label in (
        ("hasten", "Hastening"),
        ("delay", "Delaying"),
        ("extended_actions", "Extended actions"),
        ("aim_for_kill", "Aiming for the kill"),
        ("tactics", "Tactics and Leadership"),
        ("comms", "Battlefield communications"),
        ("conditions", "Battlefield conditions and sensors"),
        ("blind_fire", "Blind firing"),
        ("extreme_range", "Extreme range"),
        ("zero_gravity", "Zero gravity"),
        ("firing_into_combat", "Stray shots into combat"),
        ("grapple", "Grappling"),
        ("panic_fire", "Panic fire"),
        ("flechettes", "Shotgun flechettes"),
        ("fatigue", "Fatigue"),
        ("mental", "Loss of mental characteristics"),
        ("chases", "Weaving and chases"),
        ("repairs", "Repairs"),
    )
)
OPTIONS = (*CHARACTERS, *ATTACKS, *HEALING, *VEHICLES, *SPECIALS)
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
    **{option.key: False for option in SPECIALS},  # CS-INIT-05: stepping in too
}
DEFAULTS: dict[str, dict[str, Scalar]] = {FULL: _FULL, QUICK: {**_FULL, **_QUICK}}


def options_of(slug: str) -> tuple[TableOption, ...]:
    """The options of one of the two games, with its own defaults."""
    return tuple(replace(option, default=DEFAULTS[slug][option.key]) for option in OPTIONS)


def find_option(state: State, key: str) -> Any:
    """A table option of this encounter, or its default in the game that is played."""
    if key in state.options:
        return state.options[key]
    return DEFAULTS[state.system][key]


NORMAL, ZERO_G = "normal", "zero"
LIGHT, LOW_LIGHT, DARK = "light", "low_light", "dark"
CLEAR, SMOKE, THICK_SMOKE = "clear", "smoke", "thick_smoke"
FAIR, EXTREME = "fair", "extreme"
FREE, JAMMED = "free", "jammed"
SETTINGS = (
    Setting("gravity", "Gravity", ((NORMAL, "Normal"), (ZERO_G, "Zero gravity")), NORMAL, "CE-ZG-01"),
    Setting(
        "light",
        "Light",
        ((LIGHT, "Light"), (LOW_LIGHT, "Low light"), (DARK, "Complete darkness")),
        LIGHT,
        "CE-COND-01",
    ),
    Setting(
        "smoke",
        "Smoke or fog",
        ((CLEAR, "None"), (SMOKE, "Smoke or fog"), (THICK_SMOKE, "Thick smoke")),
        CLEAR,
        "CE-COND-04",
    ),
    Setting(
        "distances",
        "Distances",
        (("metres", "In meters"), ("squares", "Squares of 1.5 m")),
        "metres",
        "CE-MINOR-16",
    ),
    Setting("weather", "Weather", ((FAIR, "Fair"), (EXTREME, "Extreme weather")), FAIR, "CE-COND-07"),
    Setting("radio", "Radio", ((FREE, "Free"), (JAMMED, "Jammed")), FREE, "CE-COMMS-07"),
    Setting(
        "heat", "Heat sources", ((FREE, "None"), (JAMMED, "Strong: infra-red is jammed")), FREE, "CE-SENS-04"
    ),
)


_USUAL = {setting.key: setting.default for setting in SETTINGS}


def find_setting(state: State, key: str) -> str:
    """A scene condition of this encounter, or its usual value."""
    found = state.scene.settings.get(key)
    return _USUAL[key] if found is None else found
