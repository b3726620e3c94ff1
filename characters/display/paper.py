"""A sheet on paper: what fits on one side, each number once."""

from __future__ import annotations

from typing import Any

from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.sheets import DerivedGroup

from ..models import Character
from .sheet_view import SheetView, view_sheet

# Lines in large type; items and attacks on a page of small type
SPACIOUS, MAX_PRINTED, MAX_ATTACKS = 24, 42, 12
LETTERS, LETTERS_WHEN_FULL = 1200, 600  # characters of the notes on paper


def view_paper(system: System, character: Character) -> dict[str, Any]:
    """What the printed page shows: the numbers as they are without wounds, and boxes to write in."""
    character.sheet = {**character.sheet, "tracks": {}}
    view = view_sheet(system, character)
    return {"view": view, "character": character, "system": system, **_fit_paper(view), **_say_once(view)}


def _say_once(view: SheetView) -> dict[str, Any]:
    """The numbers on paper, each once: at a part of the figure, else as an attribute, else as derived."""
    parts = view.figure.parts if view.figure else ()
    keys, names = {part.key for part in parts}, {part.label for part in parts}
    known = names | {stat.stat.label for stat in view.attributes}
    groups = (
        DerivedGroup(
            group.label, tuple(n for n in group.numbers if n.label not in (names if group.label else known))
        )
        for group in view.numbers
    )
    return {
        "attributes": [stat for stat in view.attributes if stat.stat.key not in keys],
        "numbers": [group for group in groups if group.numbers],
        "profile": view.profile,
    }


def _fit_paper(view: SheetView) -> dict[str, Any]:
    """The items and skills that fit on one page, their type size, and what is left out."""
    items = [(place, item) for place, items in view.places for item in items]
    skills, attacks = view.trained, view.attacks[:MAX_ATTACKS]
    full = len(items) + len(skills) + len(attacks) > SPACIOUS
    return {
        "full": full,
        "items": items[:MAX_PRINTED],
        "left_out": max(0, len(items) - MAX_PRINTED),
        "skills": skills,
        "attacks": attacks,
        "most_notes": LETTERS_WHEN_FULL if full else LETTERS,
    }
