"""The printed figures of the combat page, the shapes of the rows in data/*.toml, and these by id.

Content is read on first use and shared: never change what the functions return.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct

from combat.rules.core.basics.data import table_of

# The shapes of the records in data/*.toml: locations, people, weapons, armor, stat blocks. One rank is
# worth five points of chance; damage, armor and Mortality Points are in points, distances in yards.
# `origin` says where a record comes from: "input" is the combat page, "context:site" another page of the
# same site, "house" a proposal that a table may change, "own" what a user made.


Notation = Annotated[str, Meta(pattern=r"^\d+d\d+$")]
Origin = Literal["input", "context:site", "house", "own"]
Place = Literal["head", "left_arm", "right_arm", "torso", "left_leg", "right_leg"]
Kind = Literal["melee", "unarmed", "thrown", "missile"]
Defense = Literal["dodge", "block"]
Points = Annotated[int, Meta(ge=0)]

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
MOVE_BASE_YARDS = 2  # CG-MOVE-01
REACH_YARDS = 1.0
ZONE_YARDS = 10
BODILY = ("body", "coordination")  # attributes of muscles and limbs: rolling one is physical, RULING R51
HEAD, TORSO = "head", "torso"
ARMS = ("left_arm", "right_arm")
LEGS = ("left_leg", "right_leg")
LIMBS = (*ARMS, *LEGS)
PLACES = (HEAD, "left_arm", "right_arm", TORSO, "left_leg", "right_leg")
ROWS = {2: "left_arm", 3: "right_arm", 4: TORSO, 5: "left_leg", 6: "right_leg", 11: TORSO}  # CG-LOC-03..07
ARMOR_ROW, FALL_ROW, SLEEP_ROW = 7, 8, 9  # CG-LOC-08, CG-LOC-09, CG-LOC-10
SPECIAL_ROWS = (10, 12)  # CG-LOC-11
EXTREMITIES = dict(enumerate(PLACES, 1))  # RULING R12
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
ACTION, YARDS = "action", "yards"
TURN_BUDGET = {ACTION: 1, YARDS: 0}  # CG-ACT-02; the chosen action adds yards, CG-MOVE-01


class Sourced(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A record that names the source of its figures."""

    id: str
    name: str
    origin: Origin


class Location(Sourced, frozen=True, kw_only=True):
    """A part of the body: its Mortality Points in percent of Health, and the effect of losing half or all."""

    mortality_percent: Annotated[int, Meta(ge=1)]
    half: Literal["unconscious", "torso_wound", "disabled"]
    zero: Literal["dead", "destroyed"]


class Attribute(Sourced, frozen=True, kw_only=True):
    """An Attribute and its use."""

    use: str


class Aspect(Sourced, frozen=True, kw_only=True):
    """An Aspect: unlike other ranks, Fatigue does not lower it; a torso wound does."""


class Skill(Sourced, frozen=True, kw_only=True):
    """A skill. `start_ranks` are what everyone has of it.

    `defends` is the defense that it serves, besides parrying; it may take an item that it `needs` on the arm.
    """

    category: Literal["attack", "defense", "movement", "medical"]
    attack_kind: Kind | Literal[""] = ""
    defends: Defense | Literal[""] = ""
    needs: Literal["", "shield"] = ""
    start_ranks: Points = 0


class Used(Sourced, frozen=True, kw_only=True):
    """An item that one uses. One of a table's own may name a counter that each use of it `spends`
    (core/gm/counters.py).
    """

    spends: Annotated[str, Meta(max_length=30)] = ""


class Weapon(Used, frozen=True, kw_only=True):
    """A weapon. `hands` 0 is part of the body; `range_yards` is one step of range, 0 for melee."""

    skill: str
    kind: Kind
    damage: Notation
    damage_attribute: Literal["body", "coordination"]
    range_yards: Points
    hands: Annotated[int, Meta(ge=0, le=2)]
    tags: tuple[str, ...] = ()


class Trait(Sourced, frozen=True, kw_only=True):
    """A trait of weapons, and what it changes. The name may hold its figures.

    A weapon that `severs` cuts limbs off [CG-LIMB-05]; one that `disarms` may do so on a 7 [CG-SPEC-01].
    One with `throw_yards`, a step of range, can also be thrown [CG-ATK-01]. Its blow reaches `reach_yards`.
    """

    severs: bool = False
    disarms: bool = False
    throw_yards: Points = 0
    reach_yards: Points = 0


class Armor(Sourced, frozen=True, kw_only=True):
    """A piece of armor: the damage it takes off a blow to each part of the body."""

    head: Points = 0
    torso: Points = 0
    left_arm: Points = 0
    right_arm: Points = 0
    left_leg: Points = 0
    right_leg: Points = 0


class Shield(Sourced, frozen=True, kw_only=True):
    """A shield: the hands it takes, and its ranks for blocking with the Shield skill."""

    hands: Annotated[int, Meta(ge=0, le=2)] = 1
    block_bonus_ranks: int = 0


class Thing(Used, frozen=True, kw_only=True):
    """Another item that matters in a fight."""

    first_aid_bonus_ranks: int = 0
    torso_penalty_becomes: int = 0
    hands: Annotated[int, Meta(ge=0, le=2)] = 1
    text: str = ""


class NpcBlock(Sourced, frozen=True, kw_only=True):
    """A ready-made opponent: ranks by name, gear, and Mortality Points by part."""

    group: str
    attributes: dict[str, int]
    skills: dict[str, int]
    weapons: tuple[str, ...]
    mortality: dict[str, int]
    armor: str = ""
    shield: str = ""
    trait_initiative: int = 0


DATA = Path(__file__).parents[1] / "data"
PEOPLE, WEAPONS, TRAITS, GEAR, NPCS = (
    DATA / f"{name}.toml" for name in ("people", "weapons", "traits", "gear", "npcs")
)

# ---------------------------------------------------------------- rounds and rolls


# ---------------------------------------------------------------- movement, in yards


# ---------------------------------------------------------------- places of the body


# ---------------------------------------------------------------- states


# ---------------------------------------------------------------- the budget of a turn


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
