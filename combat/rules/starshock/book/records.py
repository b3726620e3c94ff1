"""The shapes of the records in data/*.toml: weapons, gear, people, stat blocks, actions.

Damage and healing are in points, prices of maneuvers in maneuvers earned, lengths in meters or zones as the
field says. `origin` names the source of a record; `house_fields` names its figures that are ours.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

Notation = Annotated[str, Meta(pattern=r"^(\d+|\d+d\d+([+-]\d+)?)$")]
AttributeKey = Literal["str", "dex", "int", "prs"]
Value = Literal["armor", "resistance"]
Mode = Literal["melee", "ranged", "thrown"]
EffectType = Literal[
    "damage", "reroll", "reload", "splash", "extra_attack", "inject", "condition", "push",
    "destroy_item", "destroy_limb", "check_or", "swap",
]  # fmt: skip


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
