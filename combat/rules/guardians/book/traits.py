"""The traits of weapons: what each does stands in its row, and is asked for here."""

from __future__ import annotations

from collections.abc import Iterator

from .tables import REACH_YARDS, Trait, Weapon, traits


def find_traits(weapon: Weapon) -> Iterator[Trait]:
    """The traits of a weapon that the game knows."""
    known = traits()
    return (known[tag] for tag in weapon.tags if tag in known)


def find_reach_yards(weapon: Weapon) -> float:
    """The reach of a melee weapon or a fist, in yards. [CG-REF-05]"""
    return float(max((row.reach_yards for row in find_traits(weapon)), default=0) or REACH_YARDS)


def find_throw_yards(weapon: Weapon) -> int:
    """A step of range of a weapon for blows that can also be thrown, in yards; else 0. [CG-ATK-01]"""
    return max((row.throw_yards for row in find_traits(weapon)), default=0)


def severs(weapon: Weapon) -> bool:
    """Whether a weapon cuts limbs off. [CG-LIMB-05]"""
    return any(row.severs for row in find_traits(weapon))


def disarms(weapon: Weapon) -> bool:
    """Whether a 7 with a weapon may disarm. [CG-SPEC-01]"""
    return any(row.disarms for row in find_traits(weapon))
