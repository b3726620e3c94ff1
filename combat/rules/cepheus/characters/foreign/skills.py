"""Skills of a file during reading: the skills of this book that each name stands for.  RULING R55"""

from __future__ import annotations

from collections.abc import Iterable

from combat.rules.core.basics.checking import Problem
from combat.rules.core.sheets.catalogue import Entry
from combat.rules.core.sheets.foreign import LEFT_OUT, Asker

from ..skill_names import MAX_LEVEL, NamedSkill, find_meant, find_needed, find_skills, label_skills, name_of


class SkillList:
    """The skills read so far, and remarks on them."""

    def __init__(self) -> None:
        self.named: list[NamedSkill] = []
        self.remarks: list[Problem] = []

    def add(self, words: str, level: int, place: str) -> None:
        """Add a skill under the name it has in the file."""
        skills = find_skills(words)
        if not skills:
            self.remarks.append(Problem(place, f"{words[:60]} {level}: there is no such skill here"))
        elif not 0 <= level <= MAX_LEVEL:
            self.remarks.append(Problem(place, f"{words[:60]} {level}: a level is 0 to {MAX_LEVEL}"))
        else:
            self.named.append(NamedSkill(words, level, skills, place))

    def settle(self, entries: Iterable[Entry], asker: Asker) -> dict[str, int]:
        """Choose the levels of this book's skills; ask if the weapons do not decide."""
        needed = find_needed(entries)
        levels: dict[str, int] = {}
        exact = {named.skills[0] for named in self.named if named.is_exact}
        for number, named in enumerate(self.named):
            for skill in self._choose(number, named, needed, asker):
                if skill in exact and not named.is_exact:
                    continue  # a skill's own name has priority over a cascade
                if skill in levels:
                    said = f"{name_of(skill)} is there twice: the higher level counts"
                    self.remarks.append(Problem(named.place, said))
                levels[skill] = max(named.level, levels.get(skill, 0))
        return levels

    def _choose(
        self, number: int, named: NamedSkill, needed: tuple[str, ...], asker: Asker
    ) -> tuple[str, ...]:
        """The skills that a name stands for, with a remark unless it is their own name."""
        said = f"{named.words[:60]} {named.level}"
        found = find_meant(named, needed)
        if not found:
            options = (*label_skills(named.skills), (LEFT_OUT, "None: leave it out"))
            chosen = asker.ask(f"skill{number}", f"{said}: which skill?", options, place=named.place)
            return () if chosen in ("", LEFT_OUT) else (chosen,)
        if not named.is_exact:
            read = " and ".join(map(name_of, found))
            self.remarks.append(Problem(named.place, f"{said} is read as {read}"))
        return found
