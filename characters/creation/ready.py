"""The ready characters of a game, and what any combatant is best at, for someone who chooses."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.sheets import Archetype, SheetPlan
from combat.rules.core.state.state import Combatant

from ..games import check_sheet, make_combatant, plan_of
from .builder import begin_as, find_archetype, make_sheet

MAX_SKILLS = 1
NATURAL = "natural"  # the trait of fists, claws and the like
MOST_OF_A_NAME = 99  # numbers after a name that is taken


@dataclass(frozen=True)
class Ready:
    """An archetype as people choose it; `skills` and `gear` are its best, in words."""

    archetype: Archetype
    skills: str
    gear: str


def find_ready(system: System) -> tuple[Ready, ...]:
    """The ready characters of a game; none for a game without them."""
    return tuple(_view(system, archetype) for archetype in plan_of(system).creation.archetypes)


def _view(system: System, archetype: Archetype) -> Ready:
    sheet = make_ready_sheet(system, archetype)
    skills = ", ".join(find_best_skills(plan_of(system), sheet))
    gear = ", ".join(find_gear(make_combatant(system, archetype.name, sheet)))
    return Ready(archetype, skills, gear)


def make_ready_sheet(system: System, archetype: Archetype) -> dict[str, Any]:
    """The sheet of an archetype; Refused if it is not valid, which a test rules out."""
    return check_sheet(system, make_sheet(begin_as(system, archetype, "")))


def choose_name(archetype: Archetype, taken: Collection[str]) -> str:
    """The first of its names that nobody has yet; with a number if all are taken."""
    numbered = (f"{archetype.names[0]} {number}" for number in range(2, MOST_OF_A_NAME + 1))
    return next((name for name in (*archetype.names, *numbered) if name not in taken), archetype.names[0])


def find_one(system: System, key: str) -> Archetype | None:
    """The archetype of this id in a game."""
    return find_archetype(plan_of(system), key)


def say_strengths(system: System, combatant: Combatant) -> str:
    """The best skill and what is in hand, else what is worn: "Combat 4, Pistol"."""
    plan = system.book.sheets
    skills = find_best_skills(plan, combatant.sheet) if plan else ()
    return ", ".join(filter(None, (", ".join(skills), next(find_gear(combatant), ""))))


def find_best_skills(plan: SheetPlan, sheet: dict[str, Any]) -> tuple[str, ...]:
    """The highest skills above the usual value, each with its number; those of one value by name."""
    values = plan.read(sheet).skills
    trained = [stat for stat in plan.skills if stat.offers and values.get(stat.key, stat.usual) > stat.usual]
    best = sorted(trained, key=lambda stat: (-values[stat.key], stat.label))[:MAX_SKILLS]
    return tuple(f"{stat.label} {values[stat.key]}" for stat in best)


def find_gear(combatant: Combatant) -> Iterator[str]:
    """The name of the first item in hand, and of the first one worn."""
    for place in ("held", "worn"):
        there = (item for item in combatant.items if item.place == place)
        item = next((one for one in there if NATURAL not in one.data.get("traits", ())), None)
        if item:
            yield item.name
