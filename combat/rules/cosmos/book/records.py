"""The shapes of the records in data/*.toml: weapons, armor, gear, people, stat blocks, hazards.

Lengths are in meters, costs in credits, times as the field says. `origin` names the source of a
record.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

Notation = Annotated[str, Meta(pattern=r"^(0|\d+d\d+([+-]\d+)?)$")]
Attribute3 = Literal["PRE", "RES", "INT", "MIG", "AWA", "COO"]
Era = Literal["Any", "Primitive", "Industrial", "Advanced", "Stellar", "Cosmic"]
Size = Literal["small", "medium", "large", "huge"]
Mode = Literal["melee", "ranged", "thrown"]
DamageType = Literal["kinetic", "energy", "explosive", "stun"]  # [COS-DMG-01]


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
    """A figure of DrugEffects: its name, and the lowest and the highest that an own drug may have."""

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
    """The abilities of a species as figures; speed_base replaces the 5 in Speed."""

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
