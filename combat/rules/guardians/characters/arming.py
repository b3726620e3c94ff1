"""Ranks for people with other weapons than their stat block has: which they lack, and how they get them."""

from __future__ import annotations

from typing import Any

from combat.rules.core.declaration.book import Lack
from combat.rules.core.state.state import Combatant

from ..book import tables


def train(sheet: dict[str, Any], words: str, level: int) -> dict[str, Any] | None:
    """The sheet with at least these ranks in a skill, by its name; None for a word that is no skill."""
    said = words.casefold()
    skill = next((key for key, one in tables.skills().items() if one.name.casefold() == said), "")
    if not skill:
        return None
    ranks = dict(sheet.get("ranks") or {})
    return {**sheet, "ranks": {**ranks, skill: max(level, int(ranks.get(skill, 0)))}}


def find_lacks(combatant: Combatant) -> tuple[Lack, ...]:
    """The weapons without ranks in their skill, and as many ranks as the best attack has.  RULING R2"""
    ranks, skills = combatant.sheet["ranks"], tables.skills()
    fights = [int(ranks[key]) for key, one in skills.items() if one.category == "attack" and key in ranks]
    found = []
    for item in combatant.items:
        skill = skills.get(str(item.data.get("skill", ""))) if item.kind == "weapon" else None
        if skill is None or ranks.get(skill.id) or skill.start_ranks:
            continue
        text = f"{item.name}: no ranks in {skill.name}."
        found.append(Lack(item.name, text, f"{skill.name} {max(fights, default=1)}"))
    return tuple(found)
