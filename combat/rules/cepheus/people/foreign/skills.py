"""Names of skills as other books and programs have them.  RULING R55"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from combat.rules.core.basics.checking import Problem, tidy
from combat.rules.core.sheets.catalogue import Entry

from ...book import tables
from ..lines import MAX_LEVEL, SHORT_CASCADES, spread_levels
from ..values import read_skill

# Skills of the light and deluxe books, and of a later edition, by the nearest one of this book
NEAREST = {
    "administration": "admin",
    "astrogation": "navigation",
    "blade": "slashing_weapons",
    "bludgeon": "bludgeoning_weapons",
    "carouse": "carousing",
    "computers": "computer",
    "demolition": "demolitions",
    "demolition_explosives": "demolitions",
    "diplomat": "liaison",
    "drive": "wheeled_vehicle",
    "driving": "wheeled_vehicle",
    "energy": "energy_rifle",
    "engineer": "engineering",
    "explosives": "demolitions",
    "flyer": "aircraft",
    "gambler": "gambling",
    "grav": "grav_vehicle",
    "gunner": "gunnery",
    "heavy_weapon": "heavy_weapons",
    "jack_o_trades": "jack_of_all_trades",
    "jot": "jack_of_all_trades",
    "language": "linguistics",
    "languages": "linguistics",
    "leader": "leadership",
    "melee_weapons": "melee_combat",
    "natural": "natural_weapons",
    "pilot": "piloting",
    "repair": "mechanics",
    "science": "sciences",
    "shotguns": "shotgun",
    "slug": "slug_rifle",
    "track": "tracked_vehicle",
    "turret": "turret_weapons",
    "unarmed": "natural_weapons",
    "vacc_suit": "zero_g",
    "wheel": "wheeled_vehicle",
}
MAX_LENGTH = 80
INNER = re.compile(r"(?P<family>[^(:]+?)\s*(?:\((?P<inner>[^()]*)\)|:\s*(?P<after>.+))?\s*")


def find_skill(words: str) -> str:
    """The id of a skill or cascade that a name stands for; empty if there is none here."""
    words = tidy(words)[:MAX_LENGTH]
    found = INNER.fullmatch(words)
    parts = (found["inner"] or found["after"] or "", found["family"]) if found else ()
    for part in (words, *parts):
        key = read_skill(part)
        for name in (key, NEAREST.get(key, ""), SHORT_CASCADES.get(key, "")):
            if name in tables.skills() or name in tables.cascades():
                return name
    return ""


def name_of(key: str) -> str:
    """The name of a skill or cascade of this book."""
    row = tables.skills().get(key) or tables.cascades().get(key)
    return row.name if row else key


class SkillList:
    """Skills as they are read, and what is to be said about them."""

    def __init__(self) -> None:
        self.levels: dict[str, int] = {}
        self.remarks: list[Problem] = []

    def add(self, words: str, level: int, place: str) -> None:
        """Take in a skill under the name it has there."""
        key = find_skill(words)
        if not key:
            self.remarks.append(Problem(place, f"{words[:60]} {level}: there is no such skill here"))
        elif not 0 <= level <= MAX_LEVEL:
            self.remarks.append(Problem(place, f"{words[:60]} {level}: a level is 0 to {MAX_LEVEL}"))
        else:
            if read_skill(words) != key and key not in tables.cascades():
                self.remarks.append(Problem(place, f"{words[:60]} is read as {name_of(key)}"))
            if key in self.levels:
                self.remarks.append(Problem(place, f"{name_of(key)} is there twice: the higher level counts"))
            self.levels[key] = max(level, self.levels.get(key, 0))

    def spread(self, entries: Iterable[Entry], place: str) -> dict[str, int]:
        """The levels of this book's skills: a cascade becomes those of it that the weapons need."""
        found = dict(spread_levels(self.levels, entries))
        for key in self.levels:
            if key in tables.cascades():
                named = " and ".join(name_of(name) for name in found if _is_under(name, key)) or "nothing"
                self.remarks.append(Problem(place, f"{name_of(key)} {self.levels[key]} is read as {named}"))
        return {key: level for key, level in found.items() if key in tables.skills()}


def _is_under(skill: str, cascade: str) -> bool:
    above = tables.skills()[skill].cascade
    known: Mapping[str, str] = {key: row.parent for key, row in tables.cascades().items()}
    while above and above != cascade:
        above = known[above]
    return above == cascade
