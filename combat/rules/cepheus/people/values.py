"""Scores, DMs and skill levels, as they are now."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from combat.rules.core.basics.memory import remember_each
from combat.rules.core.state.state import Combatant

from ..book import tables
from ..book.tables import PHYSICAL, UNSKILLED, dm_of
from .conditions import OUT

PERSON, ANIMAL, ROBOT, VEHICLE = "person", "animal", "robot", "vehicle"
MACHINES = (ROBOT, VEHICLE)
BODY = ("hull", "structure", "armor")  # of machines
JACK = "jack_of_all_trades"
BONUSES = {"str": "str_bonus", "dex": "dex_bonus"}  # what a suit of armor may give
FULL_DMS = "full_dms"  # the mark of who fights at a table where wounds lower no DMs
SPELLINGS = {  # RULING R55
    "medic": "medicine",
    "laser_pistol": "energy_pistol",
    "laser_rifle": "energy_rifle",
    "mechanic": "mechanics",
}


def is_vehicle(fighter: Combatant) -> bool:
    """Whether it is a vehicle: it has a driver and takes damage by its own table."""
    kind: str = fighter.sheet["kind"]
    return kind == VEHICLE


def is_robot(fighter: Combatant) -> bool:
    """Whether it is a robot or drone: acts as a person, takes damage as a vehicle.  RULING R74"""
    kind: str = fighter.sheet["kind"]
    return kind == ROBOT


def is_machine(fighter: Combatant) -> bool:
    """Whether damage goes by Hull and Structure."""
    return fighter.sheet["kind"] in MACHINES


def is_person(fighter: Combatant) -> bool:
    """Whether damage comes off characteristics: people and animals."""
    return fighter.sheet["kind"] not in MACHINES


def is_out(fighter: Combatant) -> bool:
    """Whether a fighter cannot act any more: gone, unconscious, dead, a wreck."""
    if fighter.gone:
        return True
    for held in fighter.conditions:  # noqa: SIM110 - asked of everybody in every turn
        if held.kind in OUT:
            return True
    return False


def is_conscious(fighter: Combatant) -> bool:
    """Whether a fighter is present and can still act."""
    return not is_out(fighter)


# ---------------------------------------------------------------- scores


def find_full(fighter: Combatant, key: str) -> int:
    """The undamaged score of a characteristic, or of hull, structure and armor."""
    return int(fighter.sheet["attributes"].get(key, 0))


def find_score(fighter: Combatant, key: str) -> int:
    """The score of a characteristic as it is now; what is never damaged is always whole.  RULING R72"""
    now = fighter.tracks.get(key)
    return find_full(fighter, key) if now is None else now


def find_dm(fighter: Combatant, key: str) -> int:
    """The DM of a characteristic, by its score now and with the bonus of armor.

    RULING R1: wounds lower DMs unless the table plays otherwise. RULING R58: a suit's bonus counts
    for DMs, never for damage. RULING R74: machines have no Endurance, its DM is 0.
    """
    if is_machine(fighter) and key not in fighter.sheet["attributes"]:
        return 0
    score = find_full(fighter, key) if fighter.marks.get(FULL_DMS) else find_score(fighter, key)
    return dm_of(score + _find_bonus(fighter, key))


def _find_bonus(fighter: Combatant, key: str) -> int:
    name = BONUSES.get(key)
    if name is None:
        return 0
    bonus = 0
    for item in fighter.items:  # asked for every attack: a generator takes twice as long
        if item.kind == "armor" and item.place == "worn":
            bonus += int(item.data.get(name, 0))
    return bonus


def owns_track(fighter: Combatant, key: str) -> bool:
    """Whether a number is one of this combatant's: machines have a body, everybody else characteristics."""
    return (key in BODY) == is_machine(fighter)


def count_lost(fighter: Combatant, key: str) -> int:
    """The points missing from a characteristic, or from hull and structure."""
    return max(0, find_full(fighter, key) - find_score(fighter, key))


def is_wounded(fighter: Combatant) -> bool:
    """[CE-DMG-10] Whether at least one physical characteristic is damaged."""
    return is_person(fighter) and any(count_lost(fighter, key) for key in PHYSICAL)


def is_seriously_wounded(fighter: Combatant) -> bool:
    """[CE-DMG-11] Whether all three physical characteristics are damaged."""
    return is_person(fighter) and all(count_lost(fighter, key) for key in PHYSICAL)


def count_zeros(fighter: Combatant) -> int:
    """How many physical characteristics are at 0: two is unconscious, three is dead."""
    return sum([find_score(fighter, key) <= 0 for key in PHYSICAL]) if is_person(fighter) else 0


# ---------------------------------------------------------------- skills


@lru_cache(maxsize=4096)  # names come from files and forms
def read_skill(name: str) -> str:
    """The id of a skill as people write it: "Slug Rifle", "medic"; itself if there is none.  RULING R55"""
    key = re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_")
    return SPELLINGS.get(key, key)


@cache
def find_relatives(skill: str) -> frozenset[str]:
    """The other skills of the same cascade, up to its outermost."""
    known, parts = tables.cascades(), tables.skills()
    root = parts[skill].cascade if skill in parts else ""
    while root and known[root].parent:
        root = known[root].parent
    return frozenset(_spread(root)) - {skill} if root else frozenset()


def _spread(cascade: str) -> tuple[str, ...]:
    """All skills under a cascade, through the cascades inside it."""
    inner = tables.cascades()
    found: list[str] = []
    for name in inner[cascade].specialities:
        found += _spread(name) if name in inner else [name]
    return tuple(found)


def has_skill(fighter: Combatant, name: str) -> bool:
    """Whether a fighter is trained: the skill itself, or another of its cascade.  RULING R55"""
    skill, levels = read_skill(name), fighter.sheet["skills"]
    return skill in levels or not find_relatives(skill).isdisjoint(levels)


def find_skill(fighter: Combatant, name: str) -> int:
    """The level of a skill as a DM: 0 where another of its cascade is known, −3 untrained.

    RULING R55: Jack-of-all-Trades takes its level off the −3, up to 0.
    """
    return _find_level(fighter.sheet["skills"], name)


@remember_each
def _find_level(levels: dict[str, int], name: str) -> int:
    skill = read_skill(name)
    if skill in levels:
        return int(levels[skill])
    if not find_relatives(skill).isdisjoint(levels):
        return 0
    return min(0, UNSKILLED + int(levels.get(JACK, 0)))


def find_best_skill(fighter: Combatant, names: tuple[str, ...]) -> str:
    """The skill of several that a fighter has the highest level of; the first of equals."""
    if len(names) < 2:
        return names[0] if names else ""
    return max(names, key=lambda name: find_skill(fighter, name))
