"""The shapes of the records in data/*.toml: locations, people, weapons, armor, stat blocks.

One rank is worth five points of chance; damage, armor and Mortality Points are in points, distances in yards.
`origin` says where a record comes from: "input" is the combat page, "context:site" another page of the same
site, "house" a proposal that a table may change.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

Notation = Annotated[str, Meta(pattern=r"^\d+d\d+$")]
Origin = Literal["input", "context:site", "house"]
Place = Literal["head", "left_arm", "right_arm", "torso", "left_leg", "right_leg"]
Kind = Literal["melee", "unarmed", "thrown", "missile"]
Defense = Literal["dodge", "parry", "block"]
Points = Annotated[int, Meta(ge=0)]


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
    """A skill. `start_ranks` are what everyone has of it; `defends` is the defense it serves."""

    category: Literal["attack", "defense", "movement", "medical"]
    attack_kind: Kind | Literal[""] = ""
    defends: Defense | Literal[""] = ""
    needs: Literal["", "shield"] = ""
    start_ranks: Points = 0
    note: str = ""


class Weapon(Sourced, frozen=True, kw_only=True):
    """A weapon. `hands` 0 is part of the body; `range_yards` is one step of range, 0 for melee."""

    skill: str
    kind: Kind
    damage: Notation
    damage_attribute: Literal["body", "coordination"]
    range_yards: Points
    hands: Annotated[int, Meta(ge=0, le=2)]
    tags: tuple[str, ...] = ()


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


class Thing(Sourced, frozen=True, kw_only=True):
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
