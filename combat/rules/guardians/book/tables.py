"""The printed figures of the combat page as literals, and the content of data/*.toml by id.

Content is read on first use and shared: never change what the functions return. The shapes of its records are
in records.py.
"""

from __future__ import annotations

from pathlib import Path

from combat.rules.core.basics.data import table_of

from .records import Armor, Aspect, Attribute, Location, NpcBlock, Shield, Skill, Thing, Trait, Weapon

DATA = Path(__file__).parents[1] / "data"
PEOPLE, WEAPONS, TRAITS, GEAR, NPCS = (
    DATA / f"{name}.toml" for name in ("people", "weapons", "traits", "gear", "npcs")
)

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
SEVEN_TOUGHNESS = 1  # CG-SPEC-04
FATIGUE_ROUNDS = 5  # CG-FAT-01, CG-FAT-02
REST_ROUNDS = ROUNDS_PER_MINUTE  # CG-FAT-05, CG-FAT-06
FEAR_STEEP = 50  # points by which a failed fear roll costs an action, RULING R32
SEVEREST_FEAR = -6
KNOCK_DIE = "1d6"  # yards that a disarmed weapon flies, RULING R18
RANGE_RANKS = -2  # RULING R35
HANDS = 2
UNARMED = "fist"  # the weapon that everyone has

# ---------------------------------------------------------------- the budget of a turn

ACTION, YARDS = "action", "yards"
TURN_BUDGET = {ACTION: 1, YARDS: 0}  # CG-ACT-02; the chosen action adds yards, CG-MOVE-01

# ---------------------------------------------------------------- content by id

locations = table_of(PEOPLE, Location, "location")  # from the head down as the d12 counts them
attributes = table_of(PEOPLE, Attribute, "attribute")
aspects = table_of(PEOPLE, Aspect, "aspect")
skills = table_of(PEOPLE, Skill, "skill")  # those that matter in a fight
weapons = table_of(WEAPONS, Weapon, "weapon")  # bare hands and claws included
traits = table_of(TRAITS, Trait, "trait")  # of weapons
armors = table_of(GEAR, Armor, "armor")
shields = table_of(GEAR, Shield, "shield")
things = table_of(GEAR, Thing, "item")  # other items that matter in a fight
npcs = table_of(NPCS, NpcBlock, "npc")
