"""Current scores, DMs and skill levels."""

from __future__ import annotations

import re

from combat.rules.core.declaration.parts import MACHINE
from combat.rules.core.declaration.parts import PERSON as LIVING
from combat.rules.core.state.state import Combatant, has_condition

from ..book import tables
from ..book.tables import PHYSICAL, UNSKILLED, dm_of
from .conditions import OUT

PERSON, ANIMAL, ROBOT, VEHICLE = "person", "animal", "robot", "vehicle"
MACHINES = (ROBOT, VEHICLE)
BODY = ("hull", "structure", "armor")  # scores of machines
JACK = "jack_of_all_trades"
BONUSES = {"str": "str_bonus", "dex": "dex_bonus"}  # scores that a suit of armor may raise
FULL_DMS = "full_dms"  # mark: wounds lower no DMs at this table
SPELLINGS = {  # RULING R55
    "medic": "medicine",
    "laser_pistol": "energy_pistol",
    "laser_rifle": "energy_rifle",
    "mechanic": "mechanics",
}
NO_LETTERS = re.compile(r"[^a-z0-9]+")


def is_vehicle(combatant: Combatant) -> bool:
    """Whether it is a vehicle: it has a driver and takes damage by its own table."""
    kind: str = combatant.sheet["kind"]
    return kind == VEHICLE


def is_robot(combatant: Combatant) -> bool:
    """Whether it is a robot or drone: acts as a person, takes damage as a vehicle.  RULING R74"""
    kind: str = combatant.sheet["kind"]
    return kind == ROBOT


def is_machine(combatant: Combatant) -> bool:
    """Whether damage goes by Hull and Structure."""
    return combatant.sheet["kind"] in MACHINES


def find_nature(combatant: Combatant) -> str:
    """Whether conditions of people or of machines fit it."""
    return MACHINE if is_machine(combatant) else LIVING


def is_person(combatant: Combatant) -> bool:
    """Whether damage comes off characteristics: people and animals."""
    return combatant.sheet["kind"] not in MACHINES


def is_out(combatant: Combatant) -> bool:
    """Whether a combatant can no longer act: gone, unconscious, dead, a wreck."""
    return combatant.gone or has_condition(combatant, *OUT)


def is_conscious(combatant: Combatant) -> bool:
    """Whether a combatant is present and can still act."""
    return not is_out(combatant)


# ---------------------------------------------------------------- scores


def find_full(combatant: Combatant, key: str) -> int:
    """The undamaged score of a characteristic, or of hull, structure and armor."""
    return int(combatant.sheet["attributes"].get(key, 0))


def find_score(combatant: Combatant, key: str) -> int:
    """The current score of a characteristic; undamageable ones are always full.  RULING R72"""
    now = combatant.tracks.get(key)
    return find_full(combatant, key) if now is None else now


def find_dm(combatant: Combatant, key: str) -> int:
    """The DM of a characteristic, from its current score with the bonus of armor.

    RULING R1: wounds lower DMs, except by table option. RULING R58: a suit's bonus counts for DMs, never for
    damage. RULING R74: machines have no Endurance, its DM is 0.
    """
    if is_machine(combatant) and key not in combatant.sheet["attributes"]:
        return 0
    score = find_full(combatant, key) if combatant.marks.get(FULL_DMS) else find_score(combatant, key)
    return dm_of(score + find_bonus(combatant, key))


def find_bonus(combatant: Combatant, key: str) -> int:
    """The points that worn armor adds to a characteristic. RULING R58: not to what damage is taken from."""
    name = BONUSES.get(key)
    if name is None:
        return 0
    worn = [item for item in combatant.items if item.kind == "armor" and item.place == "worn"]
    return sum([int(item.data.get(name, 0)) for item in worn])


def owns_track(combatant: Combatant, key: str) -> bool:
    """Whether a track belongs to this kind: machines have a body, all others characteristics."""
    return (key in BODY) == is_machine(combatant)


def count_lost(combatant: Combatant, key: str) -> int:
    """The points missing from a characteristic, or from hull and structure."""
    return max(0, find_full(combatant, key) - find_score(combatant, key))


def is_wounded(combatant: Combatant) -> bool:
    """Whether at least one physical characteristic is damaged. [CE-DMG-10]"""
    return combatant.sheet["kind"] not in MACHINES and _count_damaged(combatant) > 0


def is_seriously_wounded(combatant: Combatant) -> bool:
    """Whether all three physical characteristics are damaged. [CE-DMG-11]"""
    return is_person(combatant) and _count_damaged(combatant) == len(PHYSICAL)


def _count_damaged(combatant: Combatant) -> int:
    """How many physical characteristics are below their undamaged score."""
    return sum(count_lost(combatant, key) > 0 for key in PHYSICAL)


def find_least(combatant: Combatant) -> dict[str, int]:
    """The scores with which a combatant comes back: each that carries life at 1 or more."""
    keys = ("structure",) if is_machine(combatant) else PHYSICAL
    return {key: max(1, combatant.tracks[key]) for key in keys}


def count_zeros(combatant: Combatant) -> int:
    """How many physical characteristics are at 0: two is unconscious, three is dead."""
    return sum(find_score(combatant, key) <= 0 for key in PHYSICAL) if is_person(combatant) else 0


# ---------------------------------------------------------------- skills


def read_skill(name: str) -> str:
    """The id of a skill as people write it: "Slug Rifle", "medic"; unchanged if there is none.  RULING R55"""
    key = NO_LETTERS.sub("_", name.casefold()).strip("_")
    return SPELLINGS.get(key, key)


def find_relatives(skill: str) -> frozenset[str]:
    """The other skills of the same cascade, up to its outermost."""
    known, parts = tables.cascades(), tables.skills()
    root = parts[skill].cascade if skill in parts else ""
    while root and known[root].parent:
        root = known[root].parent
    return frozenset(_spread(root)) - {skill} if root else frozenset()


def _spread(cascade: str) -> tuple[str, ...]:
    """All skills under a cascade, including those of inner cascades."""
    inner = tables.cascades()
    found: list[str] = []
    for name in inner[cascade].specialities:
        found += _spread(name) if name in inner else [name]
    return tuple(found)


def has_skill(combatant: Combatant, name: str) -> bool:
    """Whether a combatant is trained: the skill itself, or another of its cascade.  RULING R55"""
    skill, levels = read_skill(name), combatant.sheet["skills"]
    return skill in levels or not find_relatives(skill).isdisjoint(levels)


def find_skill(combatant: Combatant, name: str) -> int:
    """The level of a skill as a DM: 0 if another of its cascade is known, −3 untrained.

    RULING R55: Jack-of-all-Trades raises the −3 by its level, up to 0.
    """
    levels, skill = combatant.sheet["skills"], read_skill(name)
    if skill in levels:
        return int(levels[skill])
    if not find_relatives(skill).isdisjoint(levels):
        return 0
    return min(0, UNSKILLED + int(levels.get(JACK, 0)))


def find_best_skill(combatant: Combatant, names: tuple[str, ...]) -> str:
    """The skill, of several, with the combatant's highest level; the first of equals."""
    if len(names) < 2:
        return names[0] if names else ""
    return max(names, key=lambda name: find_skill(combatant, name))
