"""Kinds of actions, conditions and damage: each has one icon and one hue in every game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET

from ..basics.data import DataError, has_toml, read_toml
from ..basics.words import Label, Phrase
from ..book.rulebook import find_folders
from ..sheets.catalogue import Catalogue
from ..space import FLOORS, HAZARDS
from ..space.battle_map import THINGS
from ..state.state import Condition

FILE = "kinds.toml"
CORE = Path(__file__).parent / FILE
ACTION, CONDITION, DAMAGE = "action", "condition", "damage"
SECTIONS = (ACTION, CONDITION, DAMAGE)
GROUND = "ground"  # the terrains of a game by the floor, hazard or thing they look like on a map
_CORE = read_toml(CORE)
PLAIN, HARM = "ruling", "harm"  # for keys that no game declares


def load_kinds() -> dict[str, str]:
    """Every kind with the words for it, in the order of the legend."""
    return dict(_CORE["kinds"])


def list_marks() -> tuple[str, ...]:
    """The kinds of conditions that a token shows as marks, the most urgent first."""
    return tuple(_CORE["on_tokens"])


class Kinds(msgspec.Struct, frozen=True):
    """The kinds of one game's keys, section by section, and the damage of its weapons by name.

    `ground` are the terrains that are drawn on a map, each with the floor, hazard or thing it looks like.
    """

    sections: dict[str, dict[str, str]]
    weapons: dict[str, str] = {}
    ground: tuple[tuple[str, str], ...] = ()

    @property
    def legend(self) -> tuple[tuple[str, str], ...]:
        """The kinds a game has, each with its words."""
        used = {kind for kinds in self.sections.values() for kind in kinds.values()}
        return tuple((kind, words) for kind, words in load_kinds().items() if kind in used)

    def of_action(self, name: str) -> str:
        """The kind of an action."""
        return self.sections[ACTION].get(name, PLAIN)

    def of_condition(self, kind: str) -> str:
        """The kind of a condition; for one that the GM made up, that of a decision."""
        return self.sections[CONDITION].get(kind, PLAIN)

    def sign_of(self, held: Condition) -> str:
        """The kind of a condition that someone has: one of the GM's own names it."""
        return self.of_condition(held.kind) if held.own is UNSET else held.own.sign

    def of_damage(self, why: Label) -> str:
        """The kind of damage from a source: a cause by its key, a weapon by its name."""
        causes, words = self.sections[DAMAGE], _find_words(why)
        found = (self.weapons.get(word) or causes.get(word.rpartition(".")[2]) for word in words)
        return next(filter(None, found), HARM)


def _find_words(why: Label) -> Iterator[str]:
    """The key of a label and all its arguments."""
    if not isinstance(why, Phrase):
        yield why
        return
    yield why.key
    for filled in why.args.values():
        if isinstance(filled, str | Phrase):
            yield from _find_words(filled)


def read_kinds(folder: Path, catalogue: Catalogue | None) -> Kinds:
    """The kinds of a game: those of the core, of its base if it is a variant, and its own."""
    sections: dict[str, dict[str, str]] = {section: {} for section in (*SECTIONS, GROUND)}
    for path in (CORE, *(part / FILE for part in find_folders(folder))):
        for section, kinds in _read_sections(path):
            sections[section] |= {key: kind for kind, keys in kinds.items() for key in keys}
    ground = tuple(sections.pop(GROUND).items())
    return Kinds(sections, find_weapons(sections[DAMAGE], catalogue) if catalogue else {}, ground)


def _read_sections(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for section, kinds in (read_toml(path) if has_toml(path) else {}).items():
        if section in (*SECTIONS, GROUND):
            known = (*FLOORS, *HAZARDS, *THINGS) if section == GROUND else (*load_kinds(),)
            if unknown := kinds.keys() - {*known}:
                wrong, allowed = ", ".join(sorted(unknown)), ", ".join(known)
                raise DataError(f"{path}: [{section}]: {wrong}: no such kind; it is one of {allowed}")
            yield section, kinds


def find_weapons(damage: Mapping[str, str], catalogue: Catalogue) -> dict[str, str]:
    """The damage kind of each catalogue entry that deals damage, by name: the first matching word counts."""
    found = {}
    for entry in catalogue.find_entries():
        words = {entry.kind, *_find_texts(entry.record.values())}
        kind = next((kind for word, kind in damage.items() if word in words), "")
        if kind and ("damage" in entry.record or entry.kind in damage):
            found[entry.name] = kind
    return found


def _find_texts(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, list | tuple):
            yield from (each for each in value if isinstance(each, str))
