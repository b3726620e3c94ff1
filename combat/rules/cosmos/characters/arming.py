"""Might for people with other weapons than their stat block has: who lacks it, and how they get it."""

from __future__ import annotations

from typing import Any

from combat.rules.core.declaration.book import Lack
from combat.rules.core.state.state import Combatant

from ..book.traits import find_demands
from .sheet import attribute

MIGHT, HIGHEST = "MIG", 10


def train(sheet: dict[str, Any], words: str, level: int) -> dict[str, Any] | None:
    """The sheet with at least this much Might; None for any other word."""
    if words.casefold() != "might" or not 1 <= level <= HIGHEST:
        return None
    attributes = dict(sheet.get("attributes") or {})
    return {**sheet, "attributes": {**attributes, MIGHT: max(level, int(attributes.get(MIGHT, 0)))}}


def find_lacks(combatant: Combatant) -> tuple[Lack, ...]:
    """The weapons that someone is not strong enough to use."""
    has, found = attribute(combatant, MIGHT), []
    for item in combatant.items:
        needed = find_demands(item.data)[0] if item.kind == "weapon" else 0
        if needed > has:
            text = f"{item.name}: needs Might {needed}, has {has}."
            found.append(Lack(item.name, text, f"Might {needed}"))
    return tuple(found)
