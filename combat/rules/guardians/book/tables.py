"""The printed figures of the combat page as literals, and the content of data/*.toml by id.

Content is read on first use and shared: never change what the accessors return. The shapes of its records are
in records.py.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from combat.rules.core.basics.data import load_table

from .records import Armor, Aspect, Attribute, Location, NpcBlock, Shield, Skill, Thing, Weapon

DATA = Path(__file__).parents[1] / "data"
PEOPLE, WEAPONS, GEAR, NPCS = (DATA / f"{name}.toml" for name in ("people", "weapons", "gear", "npcs"))

# ---------------------------------------------------------------- rounds and rolls

ROUND_SECONDS = 6  # CG-ROUND-02
ROUNDS_PER_MINUTE = 10  # CG-FAT-06
DAY_SECONDS = 86_400
INITIATIVE_DIE = "1d20"  # CG-INIT-01
SKILL_DIE = "1d100"  # CG-ATK-02
SKILL_MOST = 100
PERCENT_PER_RANK = 5  # CG-ATK-02
LOCATION_DIE = "1d12"  # CG-LOC-01
EXTREMITY_DIE = "1d6"  # CG-SPEC-02
MAX_REASON = 100  # characters

# ---------------------------------------------------------------- movement, in yards

MOVE_BASE_YARDS = 2  # CG-MOVE-01
REACH_YARDS = 1.0
ZONE_YARDS = 10

# ---------------------------------------------------------------- places of the body

HEAD, TORSO = "head", "torso"
ARMS = ("left_arm", "right_arm")
LEGS = ("left_leg", "right_leg")
LIMBS = (*ARMS, *LEGS)
PLACES = (HEAD, "left_arm", "right_arm", TORSO, "left_leg", "right_leg")
ROWS = {2: "left_arm", 3: "right_arm", 4: TORSO, 5: "left_leg", 6: "right_leg", 11: TORSO}  # CG-LOC-03..07
ARMOR_ROW, FALL_ROW, SLEEP_ROW = 7, 8, 9  # CG-LOC-08, CG-LOC-09, CG-LOC-10
SPECIAL_ROWS = (10, 12)  # CG-LOC-11
EXTREMITIES = dict(enumerate(PLACES, 1))  # RULING R12

# ---------------------------------------------------------------- states

STUN_ROUNDS = 1  # CG-STUN-02: whole rounds after this one
PRONE_MISSILE_RANKS = 4  # CG-PRONE-02
SEVEN_TOUGHNESS = 1  # CG-SPEC-04
FATIGUE_ROUNDS = 5  # CG-FAT-01, CG-FAT-02
REST_ROUNDS = ROUNDS_PER_MINUTE  # CG-FAT-05, CG-FAT-06
TORSO_RANKS = -5  # CG-TORSO-01
DULLED_TORSO_RANKS = -3  # CG-TORSO-03
FEAR_STEEP = 50  # points by which a failed fear roll costs an action, RULING R32
SEVEREST_FEAR = -6
KNOCK_DIE = "1d6"  # yards that a disarmed weapon flies, RULING R18
RANGE_RANKS = -2  # RULING R35
HANDS = 2

# ---------------------------------------------------------------- the budget of a turn

ACTION, YARDS = "action", "yards"
TURN_BUDGET = {ACTION: 1, YARDS: 0}  # CG-ACT-02; the chosen action adds yards, CG-MOVE-01

# ---------------------------------------------------------------- content by id


@cache
def locations() -> dict[str, Location]:
    """The six parts of the body, from the head down as the d12 counts them."""
    return load_table(PEOPLE, Location, "location")


@cache
def attributes() -> dict[str, Attribute]:
    """The seven named Attributes."""
    return load_table(PEOPLE, Attribute, "attribute")


@cache
def aspects() -> dict[str, Aspect]:
    """The six Aspects."""
    return load_table(PEOPLE, Aspect, "aspect")


@cache
def skills() -> dict[str, Skill]:
    """The skills that matter in a fight."""
    return load_table(PEOPLE, Skill, "skill")


@cache
def weapons() -> dict[str, Weapon]:
    """Every weapon, bare hands and claws included."""
    return load_table(WEAPONS, Weapon, "weapon")


@cache
def armors() -> dict[str, Armor]:
    """Every piece of armor."""
    return load_table(GEAR, Armor, "armor")


@cache
def shields() -> dict[str, Shield]:
    """Every shield."""
    return load_table(GEAR, Shield, "shield")


@cache
def things() -> dict[str, Thing]:
    """Other items that matter in a fight."""
    return load_table(GEAR, Thing, "item")


@cache
def npcs() -> dict[str, NpcBlock]:
    """The stat blocks."""
    return load_table(NPCS, NpcBlock, "npc")
