"""Names of skills as people, other books and other programs write them.  RULING R55"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from combat.rules.core.basics.checking import tidy
from combat.rules.core.declaration.book import Lack
from combat.rules.core.sheets.catalogue import Entry
from combat.rules.core.state.state import Combatant

from ..book import tables
from .goods import UNARMED
from .values import find_best_skill, find_skill, read_skill

MAX_LEVEL, MAX_LENGTH = 9, 80
INNER = re.compile(r"(?P<family>[^(:]+?)\s*(?:\((?P<inner>[^()]*)\)|:\s*(?P<after>.+))?\s*")
# Names from other books, and the skills or cascades of this book that each may stand for
OTHER_NAMES = {
    "administration": ("admin",),
    "animal": ("animals",),
    "astrogation": ("navigation",),
    "blade": ("piercing_weapons", "slashing_weapons"),
    "bludgeon": ("bludgeoning_weapons",),
    "carouse": ("carousing",),
    "computers": ("computer",),
    "demolition": ("demolitions",),
    "demolition_explosives": ("demolitions",),
    "diplomat": ("liaison",),
    "drive": ("wheeled_vehicle", "tracked_vehicle", "mole"),
    "driving": ("wheeled_vehicle", "tracked_vehicle", "mole"),
    "energy": ("energy_pistol", "energy_rifle"),
    "engineer": ("engineering",),
    "explosives": ("demolitions",),
    "flyer": ("aircraft",),
    "gambler": ("gambling",),
    "grav": ("grav_vehicle",),
    "grav_vehicles": ("grav_vehicle",),
    "gun": ("gun_combat",),
    "gunner": ("gunnery",),
    "guns": ("gun_combat",),
    "heavy_weapon": ("heavy_weapons",),
    "jack_o_trades": ("jack_of_all_trades",),
    "jot": ("jack_of_all_trades",),
    "language": ("linguistics",),
    "languages": ("linguistics",),
    "leader": ("leadership",),
    "melee": ("melee_combat",),
    "melee_weapons": ("melee_combat",),
    "natural": ("natural_weapons",),
    "pilot": ("piloting",),
    "repair": ("mechanics",),
    "science": ("sciences",),
    "scientist": ("sciences",),
    "seafarer": ("watercraft",),
    "shotguns": ("shotgun",),
    "slug": ("slug_pistol", "slug_rifle"),
    "track": ("tracked_vehicle",),
    "turret": ("turret_weapons",),
    "unarmed": ("natural_weapons",),
    "vacc_suit": ("zero_g",),
    "wheel": ("wheeled_vehicle",),
}


class NamedSkill(NamedTuple):
    """A skill by its written name, its level, and the ids that it may stand for."""

    words: str
    level: int
    skills: tuple[str, ...]
    place: str = ""

    @property
    def is_exact(self) -> bool:
        """Whether the written name is that of this book."""
        return self.skills == (read_skill(self.words),)


def find_skills(words: str) -> tuple[str, ...]:
    """The ids that a name may stand for: several for a cascade, none for an unknown name."""
    words = tidy(words)[:MAX_LENGTH]
    found = INNER.fullmatch(words)
    inner = (found["inner"] or found["after"] or "", found["family"]) if found else ()
    for part in (words, *inner):
        key = read_skill(part)
        skills = tuple(skill for name in OTHER_NAMES.get(key, (key,)) for skill in _spread(name))
        if skills:
            return skills
    return ()


def _spread(name: str) -> tuple[str, ...]:
    """A skill, or the skills of a cascade."""
    if name in tables.skills():
        return (name,)
    return tuple(flatten(name)) if name in tables.cascades() else ()


def flatten(cascade: str) -> Iterator[str]:
    """The skills of a cascade, including those of inner cascades."""
    for name in tables.cascades()[cascade].specialities:
        yield from flatten(name) if name in tables.cascades() else (name,)


def name_of(skill: str) -> str:
    """The name of a skill of this book."""
    return tables.skills()[skill].name


def label_skills(skills: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Skills as choices: each id with its name."""
    return tuple((skill, name_of(skill)) for skill in skills)


def list_names() -> dict[str, str]:
    """All names of skills and cascades, by their lower-case form."""
    names = [*map(name_of, tables.skills()), *(row.name for row in tables.cascades().values())]
    return {name.casefold(): name for name in names}


def find_needed(entries: Iterable[Entry]) -> tuple[str, ...]:
    """The skills that weapons need, the first of each, in their order; that of bare hands comes last."""
    weapons = [entry.record for entry in entries if entry.kind in ("weapon", "grenade")]
    used = (skill for record in weapons for skill in record.get("skills", ())[:1])
    return tuple(dict.fromkeys((*used, tables.weapons()[UNARMED].skills[0])))


def find_meant(named: NamedSkill, needed: Iterable[str]) -> tuple[str, ...]:
    """The skill that a name stands for: of a cascade the first that is needed, none if that stays open."""
    if len(named.skills) == 1:
        return named.skills
    return tuple(skill for skill in needed if skill in named.skills)[:1]


# Skills for people with other weapons than their stat block has: which they lack, and how they get them.


def train(sheet: dict[str, Any], words: str, level: int) -> dict[str, Any] | None:
    """The sheet with a skill by its name, at least at this level; None for a word that is no one skill."""
    skills = find_meant(NamedSkill(words, level, find_skills(words)), find_needed(()))
    if len(skills) != 1 or not 0 <= level <= MAX_LEVEL:
        return None
    known = dict(sheet.get("skills") or {})
    return {**sheet, "skills": {**known, skills[0]: max(level, int(known.get(skills[0], 0)))}}


def find_lacks(combatant: Combatant) -> tuple[Lack, ...]:
    """The weapons for which someone has no skill: its DM hardly lets them hit.  RULING R55"""
    found = []
    for item in combatant.items:
        is_armed = item.kind == "weapon" and item.data.get("id") != UNARMED
        skills = tuple(item.data.get("skills", ())) if is_armed else ()
        skill = find_best_skill(combatant, skills)
        if skill and (level := find_skill(combatant, skill)) < 0:
            text = f"{item.name}: {level}, no skill.".replace("-", "\N{MINUS SIGN}")
            found.append(Lack(item.name, text, f"{name_of(skill)} 0"))
    return tuple(found)
