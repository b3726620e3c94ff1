"""The printed tables of the chapter as literals, and the content of data/*.toml by id.

Content is read on first use and shared: never change what the functions return. The shapes of its records
are in records.py.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from combat.rules.core.basics.data import record_of, table_of

from .records import (
    Ability,
    Armor,
    Attribute,
    AttributeArray,
    Creation,
    Creature,
    Drug,
    DrugEffect,
    Gear,
    HazardLevel,
    Limits,
    MedicalGear,
    NpcBlock,
    NpcTier,
    Shield,
    Skill,
    SkillPackage,
    Species,
    Suit,
    Trait,
    Weapon,
)

DATA = Path(__file__).parents[1] / "data"

# ---------------------------------------------------------------- the game's scale

ROUND_SECONDS = 6
UNARMED = "unarmed"  # the weapon that everyone has
ERAS = ("Primitive", "Industrial", "Advanced", "Stellar", "Cosmic")

TARGET_NUMBERS = {
    "trivial": 8,
    "easy": 11,
    "moderate": 14,
    "hard": 17,
    "extreme": 20,
    "legendary": 23,
    "impossible": 26,
}
RALLY_TN = 14  # RULING R53, unless the table sets another

# The larger combatant gains this on a trip for each size step.  [COS-MANV-14]
SIZES = ("small", "medium", "large", "huge")
SIZE_STEP = 2

RANGE_BANDS_M = {"Close": 10, "Short": 30, "Medium": 100, "Long": 250, "Extreme": 500}


class RangeStep(Struct, frozen=True):
    """The modifier of an attack up to this multiple of the listed range."""

    times: int
    label: str
    modifier: int
    rule: str = "COS-ATK-09"


# RULING R28: beyond the last step there is no shot.
RANGE_STEPS = (
    RangeStep(1, "within range", 0),
    RangeStep(2, "beyond range", -2),
    RangeStep(4, "far beyond range", -4),
)

# ---------------------------------------------------------------- health and armor


class HealthState(Struct, frozen=True):
    """A band of health: its lowest share of maximum Hit Points, in percent, and its effects.

    Dying has no lower bound. `rule` is the band's, `penalty_rule` that of the penalty to all actions,
    `movement_rule` that of the change in meters or the halving of movement.
    """

    name: str
    lower_bound: int | None
    rule: str
    action_penalty: int = 0
    penalty_rule: str = ""
    speed_change: int = 0
    halves_movement: bool = False
    movement_rule: str = ""


HEALTHY = HealthState("Healthy", 75, "COS-STATE-02", action_penalty=0, penalty_rule="COS-STATE-03")
WOUNDED = HealthState("Wounded", 50, "COS-STATE-06", action_penalty=-1, penalty_rule="COS-STATE-07")
INJURED = HealthState(
    "Injured",
    25,
    "COS-STATE-10",
    action_penalty=-2,
    penalty_rule="COS-STATE-11",
    speed_change=-2,
    halves_movement=False,
    movement_rule="COS-STATE-13",
)
CRITICAL = HealthState(
    "Critical",
    0,
    "COS-STATE-14",
    action_penalty=-3,
    penalty_rule="COS-STATE-15",
    speed_change=0,
    halves_movement=True,
    movement_rule="COS-STATE-17",
)
DYING = HealthState("Dying", None, "COS-STATE-19")

# From best to worst. A bound belongs to its state, but Critical begins above its own.
HEALTH_STATES = (HEALTHY, WOUNDED, INJURED, CRITICAL, DYING)


def find_health_state(hp: int, maximum: int) -> HealthState:
    """The health state at `hp` Hit Points of a `maximum` (more than 0); 0 is Dying.

    [COS-STATE-01]
    """
    # RULING R13: shares are compared exactly, never rounded to whole percentages
    for state in HEALTH_STATES if hp > 0 else ():
        if state.lower_bound is not None and 100 * hp >= state.lower_bound * maximum:
            return state
    return DYING


class ArmorClass(Struct, frozen=True):
    """A row of the armor table, in points."""

    name: str
    protection: int
    protection_rule: str
    defense_penalty: int
    penalty_rule: str


ARMOR_CLASSES = {
    row.name: row
    for row in (
        ArmorClass("Light", 2, "COS-ARMOR-01", defense_penalty=0, penalty_rule="COS-ARMOR-02"),
        ArmorClass("Medium", 4, "COS-ARMOR-03", defense_penalty=-1, penalty_rule="COS-ARMOR-04"),
        ArmorClass("Heavy", 6, "COS-ARMOR-05", defense_penalty=-2, penalty_rule="COS-ARMOR-06"),
        ArmorClass("Powered", 8, "COS-ARMOR-07", defense_penalty=0, penalty_rule="COS-ARMOR-08"),
    )
}

# ---------------------------------------------------------------- cover, concealment, terrain


class Level(Struct, frozen=True):
    """The bonus of cover to Defense, or the penalty of concealment to the attack roll.

    Total cover cannot be attacked directly; the place of a totally concealed target must be guessed first.
    """

    name: str
    value: int = 0
    rule: str = ""
    total: bool = False


COVER = {
    level.name: level
    for level in (
        Level("none"),
        Level("light", 2, "COS-COVER-01"),
        Level("heavy", 4, "COS-COVER-03"),
        Level("total", rule="COS-COVER-05", total=True),
    )
}

CONCEALMENT = {
    level.name: level
    for level in (
        Level("none"),
        Level("light", -2, "COS-COVER-06"),
        Level("heavy", -4, "COS-COVER-08"),
        Level("total", -4, "COS-COVER-10", total=True),  # RULING R50: a right guess is at -4
    )
}


class Hint(Struct, frozen=True):
    """The suggestion of a scene tag: a level of cover or concealment, and its rule."""

    level: str
    rule: str


COVER_OBJECTS = {
    "table": Hint("light", "COS-COVER-02"),
    "thin wall": Hint("light", "COS-COVER-02"),
    "foliage": Hint("light", "COS-COVER-02"),
    "stone wall": Hint("heavy", "COS-COVER-04"),
    "vehicle": Hint("heavy", "COS-COVER-04"),
    "blast door": Hint("heavy", "COS-COVER-04"),
}

LIGHT_LEVELS = {
    "intense": Hint("none", ""),
    "bright": Hint("none", ""),
    "dim": Hint("light", "COS-COVER-07"),
    "dark": Hint("heavy", "COS-COVER-09"),
}

POOR_LIGHT = frozenset({"dim", "dark"})
IN_THE_AIR = frozenset({"thin fog", "thick smoke"})
CONCEALING_THINGS = {
    "thin fog": Hint("light", "COS-COVER-07"),
    "bushes": Hint("light", "COS-COVER-07"),
    "thick smoke": Hint("heavy", "COS-COVER-09"),
    "dense foliage": Hint("heavy", "COS-COVER-09"),
}


class Terrain(Struct, frozen=True):
    """A kind of ground. Hazardous ground is difficult as well."""

    tag: str
    rule: str = ""
    difficult: bool = False
    hazardous: bool = False


TERRAIN = {
    ground.tag: ground
    for ground in (
        Terrain("floor"),
        Terrain("rubble", "COS-TERR-01", difficult=True),
        Terrain("water", "COS-TERR-01", difficult=True),
        Terrain("steep slope", "COS-TERR-01", difficult=True),
        Terrain("fire", "COS-TERR-05", difficult=True, hazardous=True),
        Terrain("toxic waste", "COS-TERR-05", difficult=True, hazardous=True),
        Terrain("zero-g", "COS-TERR-05", difficult=True, hazardous=True),
        Terrain("open space", "COS-ZG-01"),
        Terrain("vacuum", "COS-ENV-13"),
        Terrain("underwater", "COS-XENV-01", difficult=True),
    )
}

# ---------------------------------------------------------------- attacks


class Situation(Struct, frozen=True):
    """A row of the table of situational modifiers, as printed: what it adds to the attack.

    `side` says where it counts, only once: rows on the Defense side are the same rule as a change of Defense
    (RULING R10) and never enter the roll.
    """

    key: str
    label: str
    value: int
    rule: str
    side: str = "attack"


SITUATIONS = {
    row.key: row
    for row in (
        Situation("prone_melee", "target prone (melee)", 2, rule="COS-MOD-02", side="defense"),
        Situation("prone_ranged", "target prone (ranged)", -2, rule="COS-MOD-03", side="defense"),
        Situation("light_cover", "target behind light cover", -2, rule="COS-MOD-04", side="defense"),
        Situation("heavy_cover", "target behind heavy cover", -4, rule="COS-MOD-04", side="defense"),
        Situation("light_concealment", "target lightly concealed", -2, "COS-MOD-05"),
        Situation("heavy_concealment", "target heavily concealed", -4, "COS-MOD-05"),
        Situation("flanking", "flanking", 2, "COS-MOD-06"),
        Situation("higher_ground", "higher ground", 1, "COS-MOD-07"),
        Situation("aimed_shot", "aimed shot", 3, "COS-MOD-08"),
        Situation("extra_attack", "each extra attack", -2, "COS-MOD-09"),
    )
}


class CriticalEffect(Struct, frozen=True):
    """A row of the table of critical effects, with its faces of a d10."""

    key: str
    label: str
    faces: tuple[int, int]
    rule: str


# Chosen, or rolled on 1d10.  [COS-CRIT-02]
CRITICAL_EFFECTS = (
    CriticalEffect("maximum", "maximum damage", (1, 2), "COS-CRIT-03"),
    CriticalEffect("bypass_armor", "armor is bypassed", (3, 4), "COS-CRIT-04"),
    CriticalEffect("condition", "a condition such as bleeding or stunned", (5, 6), "COS-CRIT-05"),
    CriticalEffect("equipment", "equipment is damaged", (7, 8), "COS-CRIT-06"),
    CriticalEffect("injury", "a severe injury", (9, 10), "COS-CRIT-07"),
)


# ---------------------------------------------------------------- content by id

weapons = table_of(DATA / "weapons.toml", Weapon, "weapon")
traits = table_of(DATA / "traits.toml", Trait, "trait")
armors = table_of(DATA / "armor.toml", Armor, "armor")  # "none" included
shields = table_of(DATA / "armor.toml", Shield, "shield")
medical_gear = table_of(DATA / "gear.toml", MedicalGear, "medical_gear")  # kits, facilities and doses
drugs = table_of(DATA / "gear.toml", Drug, "drug")
drug_effects = table_of(DATA / "gear.toml", DrugEffect, "drug_effect")
suits = table_of(DATA / "gear.toml", Suit, "environment_suit")  # masks and vehicles too
gear = table_of(DATA / "gear.toml", Gear, "gear")  # boots, kits and spare magazines
limits = record_of(DATA / "people.toml", Limits, "limits")
creation = record_of(DATA / "people.toml", Creation, "creation")
attributes = table_of(DATA / "people.toml", Attribute, "attribute")  # by their three letters
skills = table_of(DATA / "people.toml", Skill, "skill")
species = table_of(DATA / "people.toml", Species, "species")  # the playable ones
creatures = table_of(DATA / "people.toml", Creature, "creature")  # those of stat blocks only
abilities = table_of(DATA / "people.toml", Ability, "ability")
attribute_arrays = table_of(DATA / "people.toml", AttributeArray, "attribute_array")
skill_packages = table_of(DATA / "people.toml", SkillPackage, "skill_package")
npc_tiers = table_of(DATA / "people.toml", NpcTier, "npc_tier")
npcs = table_of(DATA / "npcs.toml", NpcBlock, "npc")
# Radiation and toxic air, such as "radiation_low"
hazard_levels = table_of(DATA / "hazards.toml", HazardLevel, "hazard_level")
