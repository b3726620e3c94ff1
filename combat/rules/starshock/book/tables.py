"""The printed figures of the combat page as literals, and the content of data/*.toml by id.

Content is read on first use and shared: never change what the functions return. The shapes of its records are
in records.py.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from combat.rules.core.basics.data import table_of

from .records import (
    ActionEntry,
    Armor,
    Attribute,
    Consumable,
    Distribution,
    Feature,
    Lasting,
    Maneuver,
    NpcBlock,
    Skill,
    Thing,
    Weapon,
)

DATA = Path(__file__).parents[1] / "data"
WEAPONS, GEAR, PEOPLE, NPCS, ACTIONS = (
    DATA / f"{name}.toml" for name in ("weapons", "gear", "people", "npcs", "actions")
)

# ---------------------------------------------------------------- turns

ROUND_SECONDS = 10  # SS-INIT-09
UNARMED = "unarmed"  # the weapon that everyone has
HOUR_SECONDS = 3600
DAY_SECONDS = 24 * HOUR_SECONDS
SHIFT_SECONDS = 4 * HOUR_SECONDS
INITIATIVE_DIFFICULTY = 10  # SS-INIT-03
GM_MODIFIER_MAX = 3  # RULING R6
MAX_DECLARED = 3  # SS-ACT-02
TWO_ACTIONS = 2  # SS-TURN-01
ATTACKS_PER_TURN = 1  # SS-TURN-02

# ---------------------------------------------------------------- attacks and values

BASE_VALUE = 7  # SS-DEF-03, SS-DEF-05
SKILL_BONUS = 1  # SS-ATK-05
UNTRAINED_SPECIALIST = -1
POINTS_PER_MANEUVER = 2  # SS-MANV-01
ZONE_METERS = 5  # SS-ZONE-06
HANDS = 2

# ---------------------------------------------------------------- actions

DIFFICULTY = 10
EASIEST, HARDEST = 2, 30  # the lowest and highest number of a check
ASSIST_BONUS = 1  # SS-OTHER-09
ASSIST_MIN = 3  # SS-OTHER-10
TOUCH_METERS = 1  # SS-OTHER-12
DEFENSIVE_BONUS = 1  # SS-OTHER-20, SS-OTHER-21
POOL_METERS = 5  # SS-MAP-06
MAX_REASON = 100  # characters
CHALLENGE = (10, 3, 3)  # difficulty, successes, failures: SS-OTHER-17

# ---------------------------------------------------------------- damage

CHECK_FROM = 7  # SS-DMG-04
COMA_MARGIN = 7  # SS-DMG-09
DROP_AT = 15  # SS-DMG-10
UNCONSCIOUS_SECONDS = HOUR_SECONDS  # SS-UNC-05
COMA_SECONDS = DAY_SECONDS  # SS-COMA-03
COMA_DAMAGE = 1  # SS-COMA-05
LEAVING_DIFFICULTY = 10  # SS-ZONE-07
SLIPPERY_DIFFICULTY = 8  # SS-ZONE-12
ELEVATED_BONUS = 1  # SS-ZONE-13


class Gravity(Struct, frozen=True):
    """A row of the table of falls: the meters for each 1d6, also the longest harmless drop."""

    id: str
    name: str
    metres: int
    rule: str


GRAVITIES = {
    row.id: row
    for row in (
        Gravity("earth_venus", "Earth, Venus", 2, "SS-FALL-01"),
        Gravity("mars_artigrav", "Mars, artificial gravity", 5, "SS-FALL-02"),
        Gravity("asteroid_moon", "Large asteroids and moons", 10, "SS-FALL-03"),
    )
}


class Ground(Struct, frozen=True):
    """A property a zone may have."""

    id: str
    name: str
    rule: str


GROUNDS = {
    row.id: row
    for row in (
        Ground("slippery", "Slippery", "SS-ZONE-12"),
        Ground("elevated", "Elevated", "SS-ZONE-13"),
        Ground("difficult", "Difficult", "SS-OTHER-07"),
    )
}


class Defensive(Struct, frozen=True):
    """A defensive action: the value it raises, and the word for doing it."""

    id: str
    name: str
    doing: str
    value: str
    rule: str


DEFENSIVES = {
    row.id: row
    for row in (
        Defensive("block", "Block", "Blocking", value="armor", rule="SS-OTHER-20"),
        Defensive("dodge", "Dodge", "Dodging", value="armor", rule="SS-OTHER-20"),
        Defensive("concentrate", "Concentrate", "Concentrating", value="resistance", rule="SS-OTHER-21"),
        Defensive("meditate", "Meditate", "Meditating", value="resistance", rule="SS-OTHER-21"),
    )
}

VALUES = {"armor": "Armor", "resistance": "Resistance"}  # [SS-DEF-01] exactly these two
AGAINST = {"armor": "against.armor", "resistance": "against.resistance"}
VALUE_RULES = {"armor": "SS-DEF-03", "resistance": "SS-DEF-05"}
VALUE_ATTRIBUTES = {"armor": ("str", "dex"), "resistance": ("int", "prs")}
PHYSICAL = ("str", "dex")  # RULING R38

# ---------------------------------------------------------------- content by id

weapons = table_of(WEAPONS, Weapon, "weapon")  # bare hands included
maneuvers = table_of(WEAPONS, Maneuver, "maneuver")  # of weapons, and of any weapon by RULING R12
armors = table_of(GEAR, Armor, "armor")
consumables = table_of(GEAR, Consumable, "consumable")  # the harmful ones included
lasting = table_of(GEAR, Lasting, "lasting")  # effects of doses
things = table_of(GEAR, Thing, "item")  # other items that matter in a fight
attributes = table_of(PEOPLE, Attribute, "attribute")
skills = table_of(PEOPLE, Skill, "skill")  # by name, in the order of their categories
features = table_of(PEOPLE, Feature, "feature")  # backgrounds, implants and trainings
distributions = table_of(PEOPLE, Distribution, "spread")  # ready attributes for opponents
npcs = table_of(NPCS, NpcBlock, "npc")
actions = table_of(ACTIONS, ActionEntry, "action")  # with the unit of their Rate, SS-OTHER-01
free_actions = table_of(ACTIONS, ActionEntry, "free_action")
