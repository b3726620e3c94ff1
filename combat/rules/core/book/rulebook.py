"""A game's rulebook: every rule in our own words, and the rulings on what the text leaves open.

A rulebook is a folder with `rulebook.toml` and, if anything needed one, `rulings.toml`.

One may stand on another (`base`): its rules say which of the base's they restate, and so what code
cites as one of those is theirs; or which they replace. What is left of the base is lent to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec
from msgspec.structs import replace

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
    """What the rulebook is of: the game, the prefix of its rule ids, its source and licence.

    `base` is the way from its folder to that of the rulebook it stands on; `lends` is the chapter
    under which it shows what it takes over from there.
    """

    title: str
    prefix: str
    source: str = ""
    licence: str = ""
    base: str = ""
    lends: str = ""


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One rule. `section` is the way to it in the book, `line` the line of the source.

    In a rulebook that stands on another: the rules of that one which say the same (`restates`), and
    those in whose place this one is played although it says something else (`replaces`).
    """

    id: str
    section: str
    text: str
    kind: Kind
    automation: Automation
    line: int
    rulings: tuple[str, ...] = ()
    restates: tuple[str, ...] = ()
    replaces: tuple[str, ...] = ()

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
    """All rules and rulings of one game, in the order of its book. Shared: never write to it.

    Of a book that stands on another: `lent` are the base's rules that it neither restates nor
    replaces, `stands_for` leads from ids of the base to the rule of this book that is played.
    """

    book: Book
    rules: dict[str, Rule]
    rulings: dict[str, Ruling]
    lent: dict[str, Rule] = {}
    stands_for: dict[str, str] = {}

    def find(self, rule_id: str) -> Rule:
        """The rule of this id, or the one that is played for it; raises UnknownRule with the nearest ids."""
        return _find(self.all_rules, self.resolve(rule_id), f"rule of {self.book.title}")

    def resolve(self, rule_id: str) -> str:
        """The id under which this book has a rule: its own for one of the base that it stands for."""
        return self.stands_for.get(rule_id, rule_id)

    @property
    def all_rules(self) -> dict[str, Rule]:
        """Its own rules and those it is lent, in this order."""
        return self.rules | self.lent if self.lent else self.rules

    @property
    def ids(self) -> frozenset[str]:
        """Every id that leads to a rule here."""
        return frozenset((*self.rules, *self.lent, *self.stands_for))

    def find_ruling(self, ruling_id: str) -> Ruling:
        """The ruling of this id; raises UnknownRule with the nearest ids."""
        return _find(self.rulings, ruling_id, f"ruling of {self.book.title}")

    def search(self, text: str) -> tuple[Rule, ...]:
        """The rules that mention every word, or what begins with it, in id, section, text or kind."""
        words = text.casefold().split()
        found = (rule for rule in self.all_rules.values() if mentions(_text_of(rule), words))
        return tuple(found) if words else ()

    def rules_under(self, ruling_id: str) -> tuple[Rule, ...]:
        """The rules that lean on a ruling."""
        return tuple(rule for rule in self.all_rules.values() if ruling_id in rule.rulings)

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
    automation, an id outside the book's prefix, a ruling that does not exist; with a base, for a
    rule or an option that the base does not have.
    """
    return _load_rulebook(_resolve(folder))


@cache
def _resolve(folder: Path) -> Path:
    return folder.resolve()


def find_rulebook_folders(rules_folder: Path) -> tuple[Path, ...]:
    """The folders of all games below combat/rules that have a rulebook, by name.

    A variant lies in the folder of the game it stands on.
    """
    found = (*rules_folder.glob(f"*/{RULES_FILE}"), *rules_folder.glob(f"*/*/{RULES_FILE}"))
    return tuple(sorted(path.parent for path in found))


def name_folder(rules_folder: Path, folder: Path) -> str:
    """The short name of the game of a rulebook: its folders below combat/rules."""
    return "_".join(folder.relative_to(rules_folder).parts)


def find_folders(folder: Path) -> tuple[Path, ...]:
    """The folder of a rulebook, behind that of the one it stands on, if any."""
    base = load_rulebook(folder).book.base if (folder / RULES_FILE).exists() else ""
    return (*find_folders((folder / base).resolve()), folder) if base else (folder,)


def find_code_folder(folder: Path) -> Path:
    """Where the code that plays a rulebook lies: that of the base, with its variants, if it has one."""
    return find_folders(folder)[0]


@cache
def _load_rulebook(folder: Path) -> Rulebook:
    path = folder / RULES_FILE
    content = _read_only(path, {"book", "rule", "defaults"})
    book = read_record(path, "book", content.get("book", {}), Book)
    rules = read_records(path, "rule", content.get("rule", ()), Rule)
    base = load_rulebook(folder / book.base) if book.base else None
    rulings = _read_rulings(folder / RULINGS_FILE)
    if base:
        rulings = _set_defaults(path, base.rulings, content.get("defaults", {})) | rulings
    for rule in rules.values():
        _check(path, book, rule, rulings)
    return _stand_on(path, Rulebook(book, rules, rulings), base)


def _set_defaults(
    path: Path, rulings: Mapping[str, Ruling], defaults: Mapping[str, Any]
) -> dict[str, Ruling]:
    """The rulings of a base, with the defaults that a book on it has for their options."""
    known = {option.name for ruling in rulings.values() for option in ruling.options}
    if strange := set(defaults) - known:
        raise DataError(f"{path}: defaults: the base has no option {', '.join(sorted(strange))}")
    found = {}
    for ruling in rulings.values():
        options = tuple(replace(o, default=defaults.get(o.name, o.default)) for o in ruling.options)
        for option in options:
            _check_option(path, ruling, option, set())
        found[ruling.id] = replace(ruling, options=options)
    return found


def _stand_on(path: Path, book: Rulebook, base: Rulebook | None) -> Rulebook:
    """The book with what a base lends it, and which of its rules is played for one of the base."""
    stands: dict[str, str] = {}
    for rule in book.rules.values():
        wanted = (*rule.restates, *rule.replaces)
        missing = [other for other in wanted if base is None or other not in base.all_rules]
        if missing:
            raise DataError(f"{path}: rule {rule.id!r}: the base has no rule {', '.join(missing)}")
        for other in wanted:
            stands.setdefault(other, rule.id)
    if base is None:
        return book
    under = f"{book.book.lends or base.book.title} > "
    lent = {
        rule.id: replace(rule, section=under + rule.section)
        for rule in base.all_rules.values()
        if rule.id not in stands
    }
    return replace(book, lent=lent, stands_for=stands)


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
