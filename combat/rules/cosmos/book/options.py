"""Table options and scene conditions of the game, each with its ruling and default."""

from __future__ import annotations

from combat.rules.core.system import Pool, Setting, TableOption

from .tables import ERAS, LIGHT_LEVELS
from .weather import WEATHER

OPTIONS = (
    TableOption(
        "round_half_skill",
        "Half of an odd skill",
        "down",
        ("down", "up"),
        "R1",
        labels=("rounds down", "rounds up"),
    ),
    TableOption("saves_take_penalties", "Saves take wound penalties", False, (), "R4"),
    TableOption(
        "skill_adds",
        "Skill in checks",
        "half",
        ("half", "full"),
        "R5",
        labels=("half the skill", "the full skill"),
    ),
    TableOption("fumbles", "Two ones on an attack are a fumble", False, (), "R7"),
    TableOption(
        "combat_damage",
        "Combat in damage",
        "melee_full",
        ("melee_full", "melee_half", "all_half", "none"),
        "R8",
        labels=("full in melee", "half in melee", "half in every attack", "not at all"),
    ),
    TableOption("armor_adds_defense", "Armor raises Defense too", False, (), "R9"),
    TableOption("coup_de_grace", "Coup de grace", True, (), "R12"),
    TableOption("unconscious_fall_prone", "Those who faint fall prone", False, (), "R12"),
    TableOption(
        "critical_save",
        "Save in Critical state",
        "on_entry",
        ("on_entry", "every_turn"),
        "R15",
        labels=("once, at the start", "every turn"),
    ),
    TableOption("lethal_dying", "A failed death save kills", False, (), "R16"),
    TableOption("first_aid_stabilises_at_11", "First aid stabilizes at 11", False, (), "R19"),
    TableOption("field_medicine_in_rounds", "Field medicine in rounds", False, (), "R20"),
    TableOption("era", "Era of the campaign", "Stellar", ERAS, "R20"),
    TableOption("group_initiative", "Identical enemies share one initiative", False, (), "R21"),
    TableOption("interrupt_only_when_delaying", "Interrupt only when delaying", False, (), "R22"),
    TableOption("surprised_lose_first_turn", "The surprised lose their first turn", False, (), "R23"),
    TableOption("trade_standard_for_move", "Standard Action may become a Move", True, (), "R24"),
    TableOption("ranged_flanking", "Flanking helps shots too", False, (), "R27"),
    TableOption("range_bands", "Shots beyond the listed range", True, (), "R28"),
    TableOption("quick_aim", "Quick aim", True, (), "R29"),
    TableOption("max_attacks", "Attacks per Standard Action", 3, (1, 2, 3), "R30"),
    TableOption("grapple_combat", "Combat in a grapple", "full", ("full", "half"), "R32"),
    TableOption("trip_combat", "Combat in a trip", "none", ("none", "half", "full"), "R33"),
    TableOption(
        "critical_effect",
        "Critical effect",
        "choose",
        ("choose", "roll"),
        "R35",
        labels=("the attacker chooses", "rolled"),
    ),
    TableOption("confirm_criticals", "Confirm criticals", False, (), "R35"),
    TableOption("minimum_damage_1", "A hit costs at least 1 HP", False, (), "R37"),
    TableOption("stunned_loses_whole_turn", "Stunned loses the whole turn", False, (), "R39"),
    TableOption("fear_save_ends_it", "A fear save ends the fear", False, (), "R39"),
    TableOption("drug_crash", "Drugs end in a crash", True, (), "R41"),
    TableOption("drug_addiction", "Drugs may addict", False, (), "R41"),
    TableOption("walls_stop_blasts", "Walls keep blasts and smoke out", True, (), "R50"),
    TableOption("armor_degradation", "Armor wears down", False, (), "R51"),
    TableOption("default_tn", "Target number where none is given", 14, (11, 14, 17, 20), "R52"),
    TableOption("grenades_at_hand", "Grenades are thrown straight from the belt", False, (), "R58"),
    TableOption("track_ammunition", "Count ammunition", True, (), "R56"),
    TableOption("minion_hp", "Hit Points of minions", "off", ("off", 20, 30, 40), "R57", number=(1, 999)),
)

LIGHTS = tuple((key, key.capitalize()) for key in LIGHT_LEVELS)
GRAVITIES = (("zero", "Zero"), ("low", "Low"), ("normal", "Normal"), ("high", "High"))
SURFACES = (("metal", "Metal"), ("other", "Not metal"), ("none", "None: open space"))
AIRS = (
    ("normal", "Good"),
    ("vacuum", "Vacuum"),
    ("toxic_mild", "Toxic, mild"),
    ("toxic_moderate", "Toxic, moderate"),
    ("toxic_severe", "Toxic, severe"),
    ("toxic_lethal", "Toxic, lethal"),
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
    ("low", "Low"),
    ("moderate", "Moderate"),
    ("high", "High"),
    ("severe", "Severe"),
    ("lethal", "Lethal"),
)
WEATHERS = tuple((key, weather.label) for key, weather in WEATHER.items())
WATERS = (("dry", "None"), ("underwater", "All under water"))
FACILITIES = (("none", "None"), ("facility", "Medical facility"), ("ward", "Advanced medical ward"))
SETTINGS = (
    Setting("light", "Light", LIGHTS, "bright", "COS-COVER-07"),
    Setting("gravity", "Gravity", GRAVITIES, "normal", "COS-ENV-01"),
    Setting("surfaces", "Surfaces to hold on to", SURFACES, "metal", "COS-ZG-01"),
    Setting("air", "Air", AIRS, "normal", "COS-HAZ-18"),
    Setting("temperature", "Temperature", TEMPERATURES, "normal", "COS-ENV-17"),
    Setting("radiation", "Radiation", RADIATIONS, "none", "COS-HAZ-15"),
    Setting("weather", "Weather", WEATHERS, "fair", "COS-XENV-09"),
    Setting("water", "Water", WATERS, "dry", "COS-XENV-01"),
    Setting("facility", "Medical care here", FACILITIES, "none", "COS-MED-14"),
)

# What a turn can be spent on
POOLS = (
    Pool("standard", "Standard", 1, "COS-ACT-02"),
    Pool("move", "Move", 1, "COS-ACT-08"),
    Pool("quick", "Quick", 3, "COS-ACT-14"),
)
