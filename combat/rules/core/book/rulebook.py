"""A game's rulebook: every rule in our own words, and the rulings on what the text leaves open.

A rulebook is a folder with `rulebook.toml` and, if anything needed one, `rulings.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from ..basics.data import DataError, read_record, read_records, read_toml

E = TypeVar("E")

RULES_FILE = "rulebook.toml"
RULINGS_FILE = "rulings.toml"

Automation = Literal["automated", "assisted", "reference"]
Kind = Literal[
    "action", "armor", "comms", "condition", "damage", "derived", "drug", "example",
    "guidance", "hazard", "healing", "modifier", "movement", "protection", "repair", "roll",
    "sensor", "state", "table", "turn-order", "vehicle",
]  # fmt: skip


class UnknownRule(KeyError):
    """No rule or ruling has this id. The message says which ids are near."""

    def __str__(self) -> str:
        return str(self.args[0])


class Book(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the rulebook is of: the game, the prefix of its rule ids, its source and licence."""

    title: str
    prefix: str
    source: str = ""
    licence: str = ""


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One rule. `section` is the way to it in the book, `line` the line of the source."""

    id: str
    section: str
    text: str
    kind: Kind
    automation: Automation
    line: int
    rulings: tuple[str, ...] = ()

    @property
    def area(self) -> str:
        """The middle of the id: COS-ATK-01 is of the area ATK."""
        return self.id.split("-", 1)[1].rsplit("-", 1)[0]


class RulingOption(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A switch of the table that belongs to a ruling. Without choices it takes a free value."""

    name: str
    default: bool | int | str
    says: str
    choices: tuple[bool | int | str, ...] = ()


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How an open point is played: the text, the ways to read it, the default and its reason."""

    id: str
    title: str
    says: str
    default: str
    why: str = ""
    lines: str = ""
    readings: tuple[str, ...] = ()
    options: tuple[RulingOption, ...] = ()

    @property
    def text(self) -> str:
        """The whole ruling as four paragraphs."""
        readings = f"Readings: {' '.join(self.readings)}" if self.readings else ""
        reason = f"Why: {self.why}" if self.why else ""
        parts = (f"The text: {self.says}", readings, f"Played: {self.default}", reason)
        return "\n\n".join(part for part in parts if part)


class Rulebook(msgspec.Struct, frozen=True):
    """All rules and rulings of one game, in the order of its book. Shared: never write to it."""

    book: Book
    rules: dict[str, Rule]
    rulings: dict[str, Ruling]

    def find(self, rule_id: str) -> Rule:
        """The rule of this id; raises UnknownRule with the nearest ids."""
        return _find(self.rules, rule_id, f"rule of {self.book.title}")

    def find_ruling(self, ruling_id: str) -> Ruling:
        """The ruling of this id; raises UnknownRule with the nearest ids."""
        return _find(self.rulings, ruling_id, f"ruling of {self.book.title}")

    def search(self, text: str) -> tuple[Rule, ...]:
        """The rules that mention every word, or what begins with it, in id, section, text or kind."""
        words = text.casefold().split()
        found = (rule for rule in self.rules.values() if mentions(_text_of(rule), words))
        return tuple(found) if words else ()

    def rules_under(self, ruling_id: str) -> tuple[Rule, ...]:
        """The rules that lean on a ruling."""
        return tuple(rule for rule in self.rules.values() if ruling_id in rule.rulings)

    @property
    def areas(self) -> tuple[str, ...]:
        """The areas of the rules, in the order of the book."""
        return tuple(dict.fromkeys(rule.area for rule in self.rules.values()))

    @property
    def options(self) -> dict[str, RulingOption]:
        """Every table option of the rulings by name."""
        return {option.name: option for r in self.rulings.values() for option in r.options}


def load_rulebook(folder: Path) -> Rulebook:
    """Read and check a game's rulebook, one time for each folder.

    Raises DataError, naming file and id, for unknown fields, repeated ids, an unknown kind or
    automation, an id outside the book's prefix, a ruling that does not exist.
    """
    return _load_rulebook(folder.resolve())


def find_rulebook_folders(rules_folder: Path) -> tuple[Path, ...]:
    """The folders of all games below combat/rules that have a rulebook, by name."""
    return tuple(sorted(path.parent for path in rules_folder.glob(f"*/{RULES_FILE}")))


@cache
def _load_rulebook(folder: Path) -> Rulebook:
    path = folder / RULES_FILE
    content = _read_only(path, {"book", "rule"})
    book = read_record(path, "book", content.get("book", {}), Book)
    rules = read_records(path, "rule", content.get("rule", ()), Rule)
    rulings = _read_rulings(folder / RULINGS_FILE)
    for rule in rules.values():
        _check(path, book, rule, rulings)
    return Rulebook(book, rules, rulings)


def _read_rulings(path: Path) -> dict[str, Ruling]:
    if not path.exists():
        return {}
    rulings = read_records(path, "ruling", _read_only(path, {"ruling"}).get("ruling", ()), Ruling)
    seen: set[str] = set()
    for ruling in rulings.values():
        for option in ruling.options:
            _check_option(path, ruling, option, seen)
            seen.add(option.name)
    return rulings


def _check_option(path: Path, ruling: Ruling, option: RulingOption, seen: set[str]) -> None:
    where = f"{path}: ruling {ruling.id!r}: option {option.name!r}"
    if option.name in seen:
        raise DataError(f"{where} occurs more than once")
    if option.choices and option.default not in option.choices:
        raise DataError(f"{where}: the default {option.default!r} is none of its choices")


def _read_only(path: Path, allowed: set[str]) -> dict[str, Any]:
    content = read_toml(path)
    strange = set(content) - allowed
    if strange:
        raise DataError(f"{path}: unknown table {', '.join(sorted(strange))}")
    return content


def _check(path: Path, book: Book, rule: Rule, rulings: Mapping[str, Ruling]) -> None:
    if not re.fullmatch(rf"{re.escape(book.prefix)}-[A-Z0-9]+(-[A-Z0-9]+)*-\d+", rule.id):
        raise DataError(f"{path}: rule {rule.id!r}: an id looks like {book.prefix}-AREA-01")
    missing = [ruling for ruling in rule.rulings if ruling not in rulings]
    if missing:
        raise DataError(f"{path}: rule {rule.id!r}: there is no ruling {', '.join(missing)}")


def _find(entries: Mapping[str, E], wanted: str, what: str) -> E:
    found = entries.get(wanted)
    if found is None:
        near = get_close_matches(wanted.upper(), entries, n=3)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise UnknownRule(f"There is no {what} with the id {wanted!r}{hint}")
    return found


def _text_of(rule: Rule) -> str:
    return f"{rule.id} {rule.section} {rule.text} {rule.kind} {rule.automation}".casefold()


def mentions(text: str, words: Iterable[str]) -> bool:
    """Whether every word begins one of a text's; both casefolded."""
    return all(re.search(rf"(?<!\w){re.escape(word)}", text) for word in words)
