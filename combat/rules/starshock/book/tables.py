"""The printed figures of the combat page, the shapes of the rows in data/*.toml, and these by id.

Content is read on first use and shared: never change what the functions return.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct

from combat.rules.core.basics.data import table_of

# The shapes of the records in data/*.toml: weapons, gear, people, stat blocks, actions. Damage and healing
# are in points, prices of maneuvers in maneuvers earned, lengths in meters or zones as the field says.
# `origin` names the source of a record; `house_fields` names its figures that are ours.


Notation = Annotated[str, Meta(pattern=r"^(\d+|\d+d\d+([+-]\d+)?)$")]
AttributeKey = Literal["str", "dex", "int", "prs"]
Value = Literal["armor", "resistance"]
Mode = Literal["melee", "ranged", "thrown"]
EffectType = Literal[
    "damage", "reroll", "reload", "splash", "extra_attack", "inject", "condition", "push",
    "destroy_item", "destroy_limb", "check_or", "swap",
]  # fmt: skip

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
BASE_VALUE = 7  # SS-DEF-03, SS-DEF-05
SKILL_BONUS = 1  # SS-ATK-05
UNTRAINED_SPECIALIST = -1
POINTS_PER_MANEUVER = 2  # SS-MANV-01
ZONE_METERS = 5  # SS-ZONE-06
HANDS = 2
DIFFICULTY = 10
EASIEST, HARDEST = 2, 30  # the lowest and highest number of a check
ASSIST_BONUS = 1  # SS-OTHER-09
ASSIST_MIN = 3  # SS-OTHER-10
TOUCH_METERS = 1  # SS-OTHER-12
DEFENSIVE_BONUS = 1  # SS-OTHER-20, SS-OTHER-21
POOL_METERS = 5  # SS-MAP-06
MAX_REASON = 100  # characters
CHALLENGE = (10, 3, 3)  # difficulty, successes, failures: SS-OTHER-17
CHECK_FROM = 7  # SS-DMG-04
COMA_MARGIN = 7  # SS-DMG-09
DROP_AT = 15  # SS-DMG-10
UNCONSCIOUS_SECONDS = HOUR_SECONDS  # SS-UNC-05
COMA_SECONDS = DAY_SECONDS  # SS-COMA-03
COMA_DAMAGE = 1  # SS-COMA-05
LEAVING_DIFFICULTY = 10  # SS-ZONE-07
SLIPPERY_DIFFICULTY = 8  # SS-ZONE-12
ELEVATED_BONUS = 1  # SS-ZONE-13
VALUES = {"armor": "Armor", "resistance": "Resistance"}  # [SS-DEF-01] exactly these two
AGAINST = {"armor": "against.armor", "resistance": "against.resistance"}
VALUE_RULES = {"armor": "SS-DEF-03", "resistance": "SS-DEF-05"}
VALUE_ATTRIBUTES = {"armor": ("str", "dex"), "resistance": ("int", "prs")}
PHYSICAL = ("str", "dex")  # RULING R38


class Sourced(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A record that names the source of its figures."""

    origin: str
    house_fields: tuple[str, ...] = ()
    id: str
    name: str


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a record."""


class CheckOr(Part, frozen=True, kw_only=True):
    """A check of the victim: the condition for failure, and for success."""

    attribute: AttributeKey
    difficulty: int
    fail: str
    success: str = ""


class Effect(Part, frozen=True, kw_only=True):
    """An effect of a maneuver. `free` attacks cost no action; `penalty` is on them and all later ones.

    `rule` is the one that its condition comes from.
    """

    type: EffectType
    amount: Notation = "0"
    condition: str = ""
    stand_difficulty: int = 0
    attribute: AttributeKey | Literal[""] = ""
    difficulty: int = 0
    free: bool = False
    penalty: int = 0
    other_target: bool = False
    metres: int = 0
    rule: str = "SS-MANV-03"


class Maneuver(Sourced, frozen=True, kw_only=True):
    """A maneuver that a hit may buy; `cost` is in maneuvers earned.

    A `general` one is for any weapon, if the table allows them.  RULING R12
    """

    cost: Annotated[int, Meta(ge=1)]
    effects: tuple[Effect, ...]
    general: bool = False


class Used(Sourced, frozen=True, kw_only=True):
    """An item that one uses. One of a table's own may name a counter that each use of it `spends`
    (core/gm/counters.py).
    """

    spends: Annotated[str, Meta(max_length=30)] = ""


class Weapon(Used, frozen=True, kw_only=True):
    """A weapon. `hands` 0 is part of the body; `magazine` 0 needs no ammunition.

    `zones_per_penalty` is the number of zones (of 5 m) that cost -1; `near_penalty` counts in the same zone;
    `armor` is a bonus to Armor while held; `max_zones` 0 has no limit of its own. `maneuvers` are rows.
    """

    hands: Annotated[int, Meta(ge=0, le=2)]
    modes: tuple[Mode, ...]
    damage: Notation
    attributes: tuple[AttributeKey, ...]
    versus: Value
    skills: tuple[str, ...]
    value: int
    magazine: int = 0
    reload: Literal["", "action", "repair"] = ""
    zones_per_penalty: Annotated[int, Meta(ge=1)] = 1
    near_penalty: int = 0
    max_zones: int = 0
    armor: int = 0
    ignores_action_penalty: bool = False
    takes_payload: bool = False
    maneuvers: tuple[str, ...] = ()


class Armor(Sourced, frozen=True, kw_only=True):
    """A piece of armor: its bonus to Armor and Resistance, and the attributes of the older model."""

    armor: int
    resistance: int
    raises: tuple[AttributeKey, ...]
    value: int = 0
    lost_when_unconscious: bool = False
    rolled_resistance: Notation | Literal[""] = ""


class Consumable(Used, frozen=True, kw_only=True):
    """A dose: it heals, harms, asks for a check or starts a lasting effect."""

    beneficial: bool
    value: int
    restricted: bool = False
    heal: Notation = "0"
    heal_skill: str = ""
    gives: str = ""
    damage: Notation = "0"
    minus: AttributeKey | Literal[""] = ""
    check: CheckOr | None = None


class Lasting(Sourced, frozen=True, kw_only=True):
    """The lasting effect of a dose: for some turns of the user, until rest, or until used up.

    `action_penalty` 1 lowers the Action Penalty by a point, -1 raises it.
    """

    rounds: int = 0
    until_rest: bool = False
    attributes: dict[AttributeKey, int] = {}
    action_penalty: int = 0
    consciousness: int = 0
    heals_after: Notation = "0"
    heals_each_turn: int = 0
    vision: bool = False
    burns: bool = False
    afterwards: str = ""


class Thing(Used, frozen=True, kw_only=True):
    """Another item: its use in words, and its figures if it has any.

    Who carries it has +1 on checks with its `bonus_skills`.  RULING R49
    """

    text: str
    value: int
    medical: bool = False
    check: CheckOr | None = None
    reach_zones: int = 1
    reach_m: int = 5
    radius_m: int = 0
    bonus_skills: tuple[str, ...] = ()
    single_use: bool = False
    restricted: bool = False


class Attribute(Sourced, frozen=True, kw_only=True):
    """One of the four attributes, and the value that it is a base for."""

    id: AttributeKey
    defends: Value


class Skill(Sourced, frozen=True, kw_only=True):
    """A skill; its id is its name. Specialist ones cost -1 untrained."""

    category: str
    specialist: bool = False
    needs_sight: bool = False


class Feature(Sourced, frozen=True, kw_only=True):
    """Part of a background, an implant or a training: its text, and the effects that the app applies.

    `again` names a roll that may be repeated once ("attack" or an attribute), `adds` the attribute that may
    be added once after a roll; with `each_fight`, once means once in each fight. `checks` are bonuses to
    checks of an attribute that are no attacks, `unarmed` one to attacks with a part of the body. Each die
    of a fall counts `fall_die` points.
    """

    text: str
    background: str = ""
    checks: dict[AttributeKey, int] = {}
    unarmed: int = 0
    halves_falls: bool = False
    fall_die: int = 0
    changes_all_items: bool = False
    sees_heat_m: int = 0
    immune: str = ""
    halves_resistance_damage: bool = False
    melee_minimum: int = 0
    ignores_penalty_with: str = ""
    again: AttributeKey | Literal["", "attack"] = ""
    adds: AttributeKey | Literal[""] = ""
    each_fight: bool = False


class Distribution(Sourced, frozen=True, kw_only=True):
    """Ready attributes for opponents, best first."""

    spread: tuple[int, int, int, int]
    armor: int = 0
    resistance: int = 0


class NpcBlock(Sourced, frozen=True, kw_only=True):
    """A stat block. Armor and Resistance follow from the rules; they are kept as a check."""

    group: str
    attributes: dict[AttributeKey, int]
    skills: tuple[str, ...]
    weapons: tuple[str, ...]
    items: tuple[str, ...]
    armor: int
    resistance: int
    wears: str = ""
    natural_armor: int = 0
    natural_resistance: int = 0
    immune: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class ActionEntry(Sourced, frozen=True, kw_only=True):
    """An action of the book: whether it rolls, and the table option for its Rate."""

    roll: bool = False
    rate_option: str = ""
    per: Literal["", "weapon", "object", "patient"] = ""


DATA = Path(__file__).parents[1] / "data"
WEAPONS, GEAR, PEOPLE, NPCS, ACTIONS = (
    DATA / f"{name}.toml" for name in ("weapons", "gear", "people", "npcs", "actions")
)

# ---------------------------------------------------------------- turns


# ---------------------------------------------------------------- attacks and values


# ---------------------------------------------------------------- actions


# ---------------------------------------------------------------- damage


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
