"""A sheet on paper: what fits on one side, each number once."""

from __future__ import annotations

from typing import Any

from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.sheets import DerivedGroup

from ..models import Character
from ..story import read_story
from .sheet_view import ItemView, SheetView, view_sheet

# Items, skills and attacks in large type; all lines in large type; items and attacks in small type
SPACIOUS, CROWDED, MAX_PRINTED, MAX_ATTACKS, MAX_TRAITS = 24, 27, 42, 12, 10
LETTERS, LETTERS_WHEN_FULL = 1200, 600  # characters of the notes on paper
A_LINE, UNTRAINED_A_LINE, CONDITIONS_A_LINE = 100, 8, 8  # characters, and what takes the room of a line


def view_paper(system: System, character: Character) -> dict[str, Any]:
    """What the printed page shows: the numbers as they are without wounds, and boxes to write in."""
    character.sheet = {**character.sheet, "tracks": {}}
    view = view_sheet(system, character)
    story, kinds = read_story(character.story), _list_conditions(system, character.sheet)
    told = [text for _, text in story.parts] + [character.notes[:LETTERS]]
    lines = sum(map(_count_lines, told)) + len(kinds) // CONDITIONS_A_LINE
    return {
        "view": view,
        "character": character,
        "system": system,
        "story": story,
        "kinds": kinds,
        **_fit_paper(view, lines),
        **_say_once(view),
    }


def _count_lines(text: str) -> int:
    """About how many lines a text has on paper; 0 for an empty one."""
    return sum(1 + len(line) // A_LINE for line in text.splitlines())


def _list_conditions(system: System, sheet: dict[str, Any]) -> list[str]:
    """The conditions of the book that fit a sheet, each once, to tick at the table."""
    plan, known = system.book.sheets, system.characters.conditions
    fitting = (
        one for key, one in known.items() if not plan or key not in plan.lasting or plan.fits(sheet, key)
    )
    return sorted({kind.label for kind in fitting if not kind.silent})


def _list_traits(view: SheetView, items: list[tuple[str, ItemView]]) -> list[tuple[str, str]]:
    """The traits of what they carry, each once, with its meaning in words."""
    known = view.system.book.catalogue.traits if view.system.book.catalogue else {}
    found = {trait: known[trait] for _, one in items for trait in one.entry.traits if trait in known}
    return [(trait.label, trait.detail) for trait in found.values() if trait.detail][:MAX_TRAITS]


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


def _fit_paper(view: SheetView, lines: int) -> dict[str, Any]:
    """The items and skills that fit on one page beside some lines, their type size, and what is left out."""
    items = [(place, item) for place, items in view.places for item in items]
    skills, attacks = view.trained, view.attacks[:MAX_ATTACKS]
    untrained = [stat for _, stats in view.untrained for stat in stats if stat.best]
    things = len(items) + len(skills) + len(attacks)
    full = things > SPACIOUS or things + len(untrained) // UNTRAINED_A_LINE + lines > CROWDED
    return {
        "full": full,
        "items": items[:MAX_PRINTED],
        "left_out": max(0, len(items) - MAX_PRINTED),
        "skills": skills,
        "attacks": attacks,
        "untrained": untrained,
        "traits": [] if things > SPACIOUS else _list_traits(view, items),
        "most_notes": LETTERS_WHEN_FULL if full else LETTERS,
    }
