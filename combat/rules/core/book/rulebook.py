"""A game's rulebook: every rule in our own words, rulings where the text is open, and its versions.

A rulebook is a folder with `rulebook.toml` and, if there are rulings, `rulings.toml`.

A rulebook can have a base. Its rules say which rules of the base they restate or replace. Code that cites a
restated rule also cites the rule that restates it. The other rules of the base are borrowed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from ..basics.data import DataError, read_record, read_records, read_toml
from ..basics.errors import Refused
from ..state.state import State, replace

RULES_FILE = "rulebook.toml"
RULINGS_FILE = "rulings.toml"

Automation = Literal["automated", "assisted", "reference"]
Kind = Literal[
    "action", "armor", "comms", "condition", "damage", "derived", "drug", "example",
    "guidance", "hazard", "healing", "modifier", "movement", "protection", "repair", "roll",
    "sensor", "state", "table", "turn-order", "vehicle",
]  # fmt: skip

VERSIONS_FILE = "versions.toml"


class UnknownRule(KeyError):
    """No rule or ruling has this id. The message lists similar ids."""

    def __str__(self) -> str:
        return str(self.args[0])


class Book(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """About the rulebook: the game, the prefix of its rule ids, its source and license.

    `base` is the path from its folder to that of its base; `base_chapter` is the chapter that shows the
    borrowed rules. `answers` are the rules that answer the questions that a page asks every game, by
    the keys of the questions.
    """

    title: str
    prefix: str
    source: str = ""
    license: str = ""
    base: str = ""
    base_chapter: str = ""
    answers: dict[str, tuple[str, ...]] = {}


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One rule. `section` is its path in the book, `line` its line in the source.

    In a rulebook with a base: `restates` are rules of the base with the same content, `replaces` those that
    this rule overrides.
    """

    id: str
    section: str
    text: str
    kind: Kind
    line: int
    automation: Automation = "automated"
    rulings: tuple[str, ...] = ()
    restates: tuple[str, ...] = ()
    replaces: tuple[str, ...] = ()

    @property
    def area(self) -> str:
        """The middle of the id: COS-ATK-01 has the area ATK."""
        return self.id.split("-", 1)[1].rsplit("-", 1)[0]


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How we play an open point: the text, its readings, the default and the reason."""

    id: str
    title: str
    says: str
    default: str
    why: str = ""
    lines: str = ""
    readings: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The whole ruling in four paragraphs."""
        readings = f"Readings: {' '.join(self.readings)}" if self.readings else ""
        reason = f"Why: {self.why}" if self.why else ""
        parts = (f"The text: {self.says}", readings, f"Played: {self.default}", reason)
        return "\n\n".join(part for part in parts if part)


class Rulebook(msgspec.Struct, frozen=True):
    """All rules and rulings of one game, in the order of its book. Shared: never write to it.

    With a base: `borrowed_rules` are rules of the base that the book neither restates nor replaces;
    `overrides` maps ids of the base to the rules of this book that are played instead.
    """

    book: Book
    rules: dict[str, Rule]
    rulings: dict[str, Ruling]
    borrowed_rules: dict[str, Rule] = {}
    overrides: dict[str, str] = {}

    def find(self, rule_id: str) -> Rule:
        """The rule of this id, or the rule played instead; raises UnknownRule with similar ids."""
        wanted = self.resolve(rule_id)
        if found := self.all_rules.get(wanted):
            return found
        near = get_close_matches(wanted.upper(), self.all_rules, n=3)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise UnknownRule(f"There is no rule of {self.book.title} with the id {wanted!r}{hint}")

    def resolve(self, rule_id: str) -> str:
        """The id of a rule here: a restated or replaced rule of the base has that of its successor."""
        return self.overrides.get(rule_id, rule_id)

    @property
    def all_rules(self) -> dict[str, Rule]:
        """Its own rules, then the borrowed ones."""
        return self.rules | self.borrowed_rules if self.borrowed_rules else self.rules

    @property
    def ids(self) -> frozenset[str]:
        """All ids that lead to a rule here."""
        return frozenset((*self.rules, *self.borrowed_rules, *self.overrides))

    def search(self, text: str) -> tuple[Rule, ...]:
        """The rules that contain every word, or a word that begins with it, in id, section, text or kind."""
        words = text.casefold().split()
        found = (rule for rule in self.all_rules.values() if mentions(_text_of(rule), words))
        return tuple(found) if words else ()

    def rules_under(self, ruling_id: str) -> tuple[Rule, ...]:
        """The rules that refer to a ruling."""
        return tuple(rule for rule in self.all_rules.values() if ruling_id in rule.rulings)

    @property
    def areas(self) -> tuple[str, ...]:
        """The areas of the rules, in the order of the book."""
        return tuple(dict.fromkeys(rule.area for rule in self.rules.values()))


def load_rulebook(folder: Path) -> Rulebook:
    """Read and check a game's rulebook, once for each folder.

    Raises DataError, naming file and id, for unknown fields, repeated ids, an unknown kind or automation, an
    id without the book's prefix, an unknown ruling, an answer by no rule; with a base, for a rule that the
    base does not have.
    """
    return _load_rulebook(_resolve(folder))


@cache
def _resolve(folder: Path) -> Path:
    return folder.resolve()


def find_rulebook_folders(rules_folder: Path) -> tuple[Path, ...]:
    """The folders of all games below combat/rules with a rulebook, in order of name.

    A variant is in the folder of its base.
    """
    found = (*rules_folder.glob(f"*/{RULES_FILE}"), *rules_folder.glob(f"*/*/{RULES_FILE}"))
    return tuple(sorted(path.parent for path in found))


def name_folder(rules_folder: Path, folder: Path) -> str:
    """The short name of a rulebook's game: its folders below combat/rules."""
    return "_".join(folder.relative_to(rules_folder).parts)


def find_folders(folder: Path) -> tuple[Path, ...]:
    """The folders of a rulebook: first that of its base, if any, then its own."""
    base = load_rulebook(folder).book.base if (folder / RULES_FILE).exists() else ""
    return (*find_folders((folder / base).resolve()), folder) if base else (folder,)


def find_code_folder(folder: Path) -> Path:
    """The folder of the code that plays a rulebook: that of its base, if any, else its own."""
    return find_folders(folder)[0]


@cache
def _load_rulebook(folder: Path) -> Rulebook:
    path = folder / RULES_FILE
    content = _read_only(path, {"book", "rule"})
    book = read_record(path, "book", content.get("book", {}), Book)
    rules = read_records(path, "rule", content.get("rule", ()), Rule)
    base = load_rulebook(folder / book.base) if book.base else None
    rulings = _read_rulings(folder / RULINGS_FILE)
    if base:
        rulings = base.rulings | rulings
    for rule in rules.values():
        _check(path, book, rule, rulings)
    whole = _inherit(path, Rulebook(book, rules, rulings), base)
    if missing := [one for ids in book.answers.values() for one in ids if one not in whole.all_rules]:
        raise DataError(f"{path}: answers: there is no rule {', '.join(missing)}")
    return whole


def _inherit(path: Path, book: Rulebook, base: Rulebook | None) -> Rulebook:
    """The book with its borrowed rules, and the base rules that its own rules stand for."""
    overrides: dict[str, str] = {}
    for rule in book.rules.values():
        wanted = (*rule.restates, *rule.replaces)
        missing = [other for other in wanted if base is None or other not in base.all_rules]
        if missing:
            raise DataError(f"{path}: rule {rule.id!r}: the base has no rule {', '.join(missing)}")
        for other in wanted:
            overrides.setdefault(other, rule.id)
    if base is None:
        return book
    under = f"{book.book.base_chapter or base.book.title} > "
    borrowed_rules = {
        rule.id: replace(rule, section=under + rule.section)
        for rule in base.all_rules.values()
        if rule.id not in overrides
    }
    return replace(book, borrowed_rules=borrowed_rules, overrides=overrides)


def _read_rulings(path: Path) -> dict[str, Ruling]:
    if not path.exists():
        return {}
    return read_records(path, "ruling", _read_only(path, {"ruling"}).get("ruling", ()), Ruling)


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


def _text_of(rule: Rule) -> str:
    return f"{rule.id} {rule.section} {rule.text} {rule.kind} {rule.automation}".casefold()


def mentions(text: str, words: Iterable[str]) -> bool:
    """Whether each word begins a word of the text; all are casefolded."""
    return all(re.search(rf"(?<!\w){re.escape(word)}", text) for word in words)


# The versions of a game's rules: what each one changed, for fights that began earlier. `versions.toml` is
# beside the rulebook. Each version after the first lists its changes by key, with the rule each is about. A
# procedure asks by this key whether a change holds in the current fight, and otherwise plays the old rule:
# so a fight of any version that is played continues and replays as it began. When an old rule is removed,
# its versions are marked as no longer played. Their fights open, and move to the newest version before
# their next action; the release that played them verifies what came before.


class RuleChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One rule that a version changed: in words, with the id of the rule."""

    key: str
    text: str
    rule: str = ""


class RuleVersion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A version of the rules and its changes; the first version of a list has none.

    One that is not `played` any more has no code here: later versions tell what has changed since.
    """

    number: int
    change: tuple[RuleChange, ...] = ()
    played: bool = True


@dataclass(frozen=True)
class RuleVersions:
    """All versions of a game's rules that are listed, oldest first; those no longer played come first."""

    all: tuple[RuleVersion, ...]

    @property
    def newest(self) -> int:
        """The number of the version for new encounters."""
        return self.all[-1].number

    @property
    def changes(self) -> dict[str, int]:
        """The version that made each change, by key."""
        return {change.key: version.number for version in self.all for change in version.change}

    def begin(self, state: State) -> State:
        """An empty state under the newest version."""
        return replace(state, rules=self.newest)

    def hold(self, state: State, key: str) -> bool:
        """Whether a change holds in a fight; KeyError if no version lists it."""
        return state.rules >= self.changes[key]

    def knows(self, number: int) -> bool:
        """Whether fights of a version can be played exactly as they were."""
        return any(version.number == number and version.played for version in self.all)

    def find_since(self, number: int) -> tuple[RuleVersion, ...]:
        """The versions after a given one, oldest first."""
        return tuple(version for version in self.all if version.number > number)

    def check(self, number: int, name: str) -> None:
        """Refuse a version newer than this program; `name` is the game's."""
        if number > self.all[-1].number:  # in each command of a forecast: without further calls
            text = f"This fight follows version {number} of the rules of {name}; here they are known up to"
            raise Refused("not_allowed", f"{text} version {self.newest}: update it first.")


@cache
def load_versions(folder: Path) -> RuleVersions:
    """The versions in a game's folder; version 1 alone if it has no file.

    DataError unless numbers are consecutive, keys unique, and the newest version is played.
    """
    path = folder / VERSIONS_FILE
    rows = read_toml(path).get("version", []) if path.exists() else [{"number": 1}]
    found = RuleVersions(tuple(read_record(path, "version", row, RuleVersion) for row in rows))
    keys = [change.key for version in found.all for change in version.change]
    numbers = [version.number for version in found.all]
    if not numbers or numbers[0] < 1 or numbers != list(range(numbers[0], numbers[-1] + 1)):
        raise DataError(f"{path}: its versions must count one by one, such as 1, 2, 3")
    played = [version.played for version in found.all]
    if played != sorted(played) or not played[-1]:
        raise DataError(f"{path}: the newest version is played, and so is each after one that is played")
    if len(set(keys)) != len(keys) or found.all[0].change:
        raise DataError(f"{path}: every change has a key of its own, and the first version has none")
    return found
