"""What a character is best at, and holds: one short line for someone who chooses between several."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.sheets import SheetPlan
from combat.rules.core.state.state import Combatant

MAX_SKILLS = 1
NATURAL = "natural"  # the trait of fists, claws and the like


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
