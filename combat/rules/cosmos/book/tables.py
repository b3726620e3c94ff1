"""The printed tables of the chapter, the shapes of the records in data/*.toml, and their content by id.

Content is read on first use and shared: never change what the functions return.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from combat.rules.core.basics.data import record_of, table_of

# The shapes of the records in data/*.toml: weapons, armor, gear, people, stat blocks, hazards. Lengths are
# in meters, costs in credits, times as the field says. `origin` names the source of a record.


Notation = Annotated[str, Meta(pattern=r"^(0|\d+d\d+([+-]\d+)?)$")]
Attribute3 = Literal["PRE", "RES", "INT", "MIG", "AWA", "COO"]
Era = Literal["Any", "Primitive", "Industrial", "Advanced", "Stellar", "Cosmic"]
Size = Literal["small", "medium", "large", "huge"]
Mode = Literal["melee", "ranged", "thrown"]
DamageType = Literal["kinetic", "energy", "explosive", "stun"]  # [COS-DMG-01]

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
POOR_LIGHT = frozenset({"dim", "dark"})
IN_THE_AIR = frozenset({"thin fog", "thick smoke"})


class Sourced(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A record that names the source of its figures."""

    origin: str


class Named(Sourced, frozen=True, kw_only=True):
    """A record with a name, found by its id."""

    id: str
    name: str


class Thing(Named, frozen=True, kw_only=True):
    """Something of the catalogue; `house_fields` are its figures that are ours.

    One of a table's own may name a counter that each use of it `spends` (core/gm/counters.py).
    """

    house_fields: tuple[str, ...] = ()
    spends: Annotated[str, Meta(max_length=30)] | UnsetType = UNSET


class WeaponEffect(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A weapon's effect besides damage: a save or a condition, or smoke.

    What is `breathed` spares those whom toxic air does not reach, and what helps against toxic air helps.
    """

    save: Attribute3 | Literal[""] = ""
    tn: int = 0
    condition: str = ""
    breathed: bool = False
    concealment: Literal["", "heavy"] = ""
    rounds: int = 0
    minutes: int = 0


class Weapon(Thing, frozen=True, kw_only=True):
    """A weapon. Melee has `reach_m`, ranged and thrown have `range_m`; magazine 0 is unlimited."""

    era: Era
    mode: Mode
    damage: Notation
    type: DamageType
    equipment: Annotated[int, Meta(ge=0, le=3)]
    ap: Annotated[int, Meta(ge=0)]
    traits: tuple[str, ...]
    cost: int
    reach_m: int = 0
    range_m: int = 0
    radius_m: int = 0
    magazine: int = 0
    effect: WeaponEffect | None = None

    def __post_init__(self) -> None:
        if (self.mode == "melee") != (self.reach_m > 0):
            raise ValueError("reach_m belongs to melee weapons, and to all of them")
        if (self.mode == "melee") == (self.range_m > 0):
            raise ValueError("range_m belongs to ranged and thrown weapons, and to all of them")


Tag = Literal[
    "area",
    "built in",
    "finesse",
    "free reload",
    "ignores armor",
    "jams",
    "metal",
    "recoilless",
    "reliable",
    "small",
    "underwater",
]


class Trait(Named, frozen=True, kw_only=True):
    """A trait of weapons or armor, and what it does, column by column.

    - `effect`: the same in words; `tags`: what it is, for rules that ask no number.
    - `attack`: points to every attack roll; `damage_unarmored`: to damage against someone without armor.
    - `min_might`, `hands`: what it takes of its user. `every_rounds`: it attacks in one of so many rounds.
    - `burst_rounds`, `burst_damage`: the rounds of a burst and its points of damage.
    - `max_attacks`, `spray_rounds`: attacks of one action even where the table gives fewer, and their rounds.
    - `save`, `tn`: the save for half of an area, or against the `condition` that a hit brings.
    - `suit`: the suit like which armor protects; `toxin_save`: points to saves in toxic air.
    - `rule`: the rule of its terms.
    """

    effect: str
    rule: str = ""
    tags: tuple[Tag, ...] = ()
    attack: int = 0
    damage_unarmored: int = 0
    min_might: int = 0
    hands: int = 1
    every_rounds: int = 1
    burst_rounds: int = 0
    burst_damage: int = 0
    max_attacks: int = 0
    spray_rounds: int = 0
    save: Attribute3 = "MIG"
    tn: int = 0
    condition: str = ""
    suit: str = ""
    toxin_save: int = 0


class Armor(Thing, frozen=True, kw_only=True):
    """Worn armor: its points of protection, and its change to Defense (0 or less)."""

    armor_class: Literal["None", "Light", "Medium", "Heavy", "Powered"]
    protection: Annotated[int, Meta(ge=0)]
    defense_penalty: Annotated[int, Meta(le=0)]
    era: Era
    cost: int
    traits: tuple[str, ...]


class Shield(Thing, frozen=True, kw_only=True):
    """A bonus to Defense, or protection against energy damage only."""

    defense_bonus: int
    energy_protection: int
    hands: int
    era: Era
    cost: int


class MedicalGear(Thing, frozen=True, kw_only=True):
    """Gear for healers: a bonus to Medicine for some treatments, permission for others."""

    cost: int
    medicine_bonus: int = 0
    applies_to: tuple[str, ...] = ()
    enables: tuple[str, ...] = ()
    uses: int = 0
    era: Era = "Any"
    heal_per_hour: int = 0
    heals: str = ""
    presses: bool = False
    stabilizes: bool = False
    effect: str = ""


class DrugEffects(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The figures a drug changes while it lasts."""

    initiative: int = 0
    ignore_state: tuple[str, ...] = ()
    state_penalty_reduction: int = 0
    defense: int = 0
    might: int = 0
    attack: int = 0
    damage: int = 0
    social: int = 0
    radiation_save: int = 0
    toxin_save: int = 0


class DrugEffect(Named, frozen=True, kw_only=True):
    """A figure of DrugEffects: its name, its rule, and the lowest and the highest that an own drug may have.

    Figures that no drug of Chapter 5 changes have the rule of drugs in general.
    """

    rule: str
    low: int = -10
    high: int = 10


class Drug(Thing, frozen=True, kw_only=True):
    """A dose: its changes, its minutes, and the crash afterwards."""

    effects: DrugEffects
    duration: str
    duration_minutes: int
    crash: str
    cost: int


class Suit(Thing, frozen=True, kw_only=True):
    """Protection from the environment, for hours, minutes or without limit."""

    protects: tuple[str, ...]
    cost: int
    hours: int = 0
    hours_min: int = 0
    hours_max: int = 0
    minutes: int = 0
    vacuum_minutes: int = 0
    indefinite: bool = False
    toxin_save: int = 0
    radiation_save: int = 0


class Gear(Thing, frozen=True, kw_only=True):
    """Other gear, with the checks it helps."""

    cost: int
    effect: str = ""
    magnetic: bool = False
    thrust_m: int = 0
    charges: int = 0
    athletics_climb: int = 0
    tech_repair: int = 0
    survival: int = 0
    refills: int = 0


class Limits(Sourced, frozen=True, kw_only=True):
    """The lowest and highest skills."""

    skill_min: int
    skill_creation_max: int
    skill_absolute_max: int


class Creation(Sourced, frozen=True, kw_only=True):
    """Points for a new character and the cost of each value."""

    attribute_points: int
    attribute_cost: dict[int, int]
    skill_points: int
    skill_points_per_intellect_above_5: int
    career_skill_points: int
    skill_cost: dict[int, int]
    starting_credits: int


class Attribute(Named, frozen=True, kw_only=True):
    """One of the six attributes; its id is the usual three letters."""

    id: Attribute3
    min: int
    creation_max: int
    max: int
    save_against: str


class Skill(Named, frozen=True, kw_only=True):
    """A skill and its usual attributes; its id is its name."""

    linked: tuple[Attribute3, ...]
    group: Literal["core", "optional"]
    uses: str


class SpeciesAbilities(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The abilities of a species as figures; speed_base replaces the 5 in Speed.

    Rules ask for each, those of skills by their rows; being incorporeal and carrying more are told on the
    sheet alone, since no rule counts them.
    """

    hp: int = 0
    defense: int = 0
    initiative: int = 0
    speed_base: int = 5
    extra_quick_actions: int = 0
    melee_damage: int = 0
    natural_armor: int = 0
    reach_bonus_m: int = 0
    extra_damage_from_criticals: int = 0
    save_bonus_pressure_radiation_toxin: int = 0
    save_bonus_radiation_energy: int = 0
    cold_save_penalty: int = 0
    immune_poison_disease_suffocation: bool = False
    ignores_high_gravity_to_g: int = 0
    ignores_low_gravity_penalty: bool = False
    low_light_vision: bool = False
    darkvision_m: int = 0
    bright_light_penalty: int = 0
    incorporeal_rounds_per_scene: int = 0
    jump_multiplier: int = 1
    carry_multiplier: int = 1
    natural_healing: bool = True
    healing_per_day: int = 0
    healed_by_skill: str = ""
    heal_other: Notation = "0"
    heal_other_hours: int = 0
    allies_morale_bonus: int = 0
    investigation_bonus: int = 0
    science_bonus: int = 0
    tech_bonus: int = 0
    intimidation_bonus: int = 0
    negotiation_bonus: int = 0
    deception_penalty: int = 0
    social_civilized_penalty: int = 0
    social_stranger_penalty: int = 0
    stealth_in_darkness: int = 0
    survival_living_world_bonus: int = 0


Look = Literal["person", "alien", "animal", "robot"]  # the figure on the map


class Creature(Named, frozen=True, kw_only=True):
    """A kind of beings of stat blocks that nobody plays."""

    look: Look


class Ability(Named, frozen=True, kw_only=True):
    """An ability of species, by its field of SpeciesAbilities; its name has a place for the figure.

    The figure is added to checks with `skill`: always, in poor light only (`in_the_dark`), or in those uses
    that the word `note` names and the table judges.
    """

    skill: str = ""
    in_the_dark: bool = False
    note: str = ""


class Species(Named, frozen=True, kw_only=True):
    """A people: its size, changes of attributes at creation, and abilities; its `hide` is natural armor."""

    size: Size
    look: Look = "alien"
    hide: str = ""
    attribute_mods: dict[Attribute3, int]
    abilities: SpeciesAbilities


class AttributeArray(Named, frozen=True, kw_only=True):
    """Six ready values for a kind of character."""

    PRE: int
    RES: int
    INT: int
    MIG: int
    AWA: int
    COO: int


class SkillPackage(Named, frozen=True, kw_only=True):
    """Ready skills of a background."""

    skills: dict[str, int]


class NpcTier(Named, frozen=True, kw_only=True):
    """The typical figures of a tier of opponents; a guide, never a limit."""

    attribute_min: int
    attribute_max: int
    skill_min: int
    skill_max: int
    hp_min: int
    hp_max: int
    defense_min: int
    defense_max: int


class NpcBlock(Named, frozen=True, kw_only=True):
    """A stat block. What follows from its attributes is printed for the reader: the rules work it out."""

    tier: Literal["Minion", "Standard", "Elite", "Boss"]
    species: str
    size: Size
    attributes: dict[Attribute3, int]
    skills: dict[str, int]
    hp: int
    speed: int
    defense: int
    armor: str
    protection: int
    weapons: tuple[str, ...]
    gear: tuple[str, ...]
    shield: str = ""
    immune: tuple[str, ...] = ()


class HazardLevel(Sourced, frozen=True, kw_only=True):
    """The level of a hazard: the save, its interval, and the cost of a failure.

    If there are two conditions, the GM picks one.
    """

    id: str
    hazard: Literal["radiation", "toxic"]
    level: str
    save: Attribute3
    tn: int
    interval: Literal["round", "minute", "10 minutes", "hour", "day"]
    damage: Notation
    condition: str
    or_condition: str = ""


DATA = Path(__file__).parents[1] / "data"

# ---------------------------------------------------------------- the game's scale


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
