"""Items imported without a character: what a file holds and what is wrong, before anything is stored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from combat.rules.core.basics.checking import Problem
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.foreign import ForeignItem, ItemReader, Question

from ..games import find_games
from .reading import ValidationFailed, check_count, list_questions, read_values
from .unreadable import say_what_items


@dataclass(frozen=True)
class ItemPreview:
    """The items of a file: those that would be made, those already in the catalogue, those left out."""

    system: System
    kind: str
    new: tuple[ForeignItem, ...]
    known: tuple[ForeignItem, ...]
    left: tuple[ForeignItem, ...]

    @property
    def remarks(self) -> int:
        """How many figures of the new items found no place or were put elsewhere."""
        return sum(len(item.remarks) for item in self.new)

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions that the new items leave open, each question once."""
        return list_questions(self.new)


def list_item_readers() -> list[tuple[System, ItemReader]]:
    """The item readers of all games; if two read the same format, the first."""
    found: dict[str, tuple[System, ItemReader]] = {}
    for system in find_games():
        for reader in system.book.imports.items:
            found.setdefault(reader.key, (system, reader))
    return list(found.values())


def find_reading_games() -> list[System]:
    """The games with an item reader."""
    return [system for system in find_games() if system.book.imports.items]


def find_item_reader(text: str, usual: str) -> tuple[System, ItemReader, Any] | None:
    """The reader for a text, the game `usual` first, with the text's values; None if no game can read it."""
    try:
        data = read_values(text)
    except ValidationFailed:
        return None
    games = sorted(find_reading_games(), key=lambda system: system.slug != usual)
    readers = ((system, reader) for system in games for reader in system.book.imports.items)
    return next(((system, reader, data) for system, reader in readers if reader.recognizes(data)), None)


def preview_items(text: str, usual: str, answers: Mapping[str, str]) -> ItemPreview:
    """The items that a text would make; raises ValidationFailed if it is unreadable or has nothing new."""
    values = read_values(text)
    found = find_item_reader(text, usual)
    if found is None:
        raise ValidationFailed(Problem("", say_what_items(values)))
    system, reader, data = found
    items = reader.read(data, answers)
    problems = [problem for item in items for problem in item.problems]
    if problems:
        raise ValidationFailed(*problems)
    new = tuple(item for item in items if item.kind and not item.known)
    known = tuple(item for item in items if item.known)
    left = tuple(item for item in items if not item.kind)
    if not new:
        raise ValidationFailed(*_say_nothing_new(known, left))
    check_count(list_questions(new))
    return ItemPreview(system, reader.label, new, known=known, left=left)


def _say_nothing_new(known: Iterable[ForeignItem], left: Iterable[ForeignItem]) -> list[Problem]:
    """The reasons why a file would make nothing."""
    said = [Problem(f"“{item.name[:40]}”", "the catalogue has it already") for item in known]
    return said + [remark for item in left for remark in item.remarks[:1]]
