"""The shapes of the records in data/*.toml: locations, people, weapons, armor, stat blocks.

One rank is worth five points of chance; damage, armor and Mortality Points are in points, distances in yards.
`origin` says where a record comes from: "input" is the combat page, "context:site" another page of the same
site, "house" a proposal that a table may change, "own" what a user made.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

Notation = Annotated[str, Meta(pattern=r"^\d+d\d+$")]
Origin = Literal["input", "context:site", "house", "own"]
Place = Literal["head", "left_arm", "right_arm", "torso", "left_leg", "right_leg"]
Kind = Literal["melee", "unarmed", "thrown", "missile"]
Defense = Literal["dodge", "block"]
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
