"""Find the rules that code and tests cite.

Code cites a rule by its id, in a docstring, a string or a comment; a test by
`@pytest.mark.rule("COS-ATK-01")`. A record at the root of the repository keeps what passing tests cite, test
by test, so a run of a few tests adds to it.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

import msgspec

from ..basics.data import read_json
from .examples import EXAMPLES_FILE
from .rulebook import RULES_FILE, RULINGS_FILE, Rule, Rulebook

RECORD_FILE = ".rule-citations.json"
_RULE_ID = re.compile(r"\b[A-Z]{2,}(?:-[A-Z0-9]+)+-\d+\b")


class SourceLine(msgspec.Struct, frozen=True):
    """A line of a file; its path is relative to the folder searched."""

    path: str
    line: int


SourceLines = dict[str, tuple[SourceLine, ...]]


def find_citations(folder: Path, rulebook: Rulebook) -> SourceLines:
    """The places where Python files and data tables of a system cite its rules, by rule id.

    In a rulebook with a base, citing a rule of the base also cites the rule that restates it.
    """
    found = ((own, place) for i, place in _read_code(folder) for own in find_cited(rulebook, i))
    return _gather(found)


def find_cited(rulebook: Rulebook, rule_id: str) -> tuple[str, ...]:
    """The rules of a book that an id cites: that rule, and those that restate it."""
    own = (rule_id,) if rule_id in rulebook.rules else ()
    return (*own, *(rule.id for rule in rulebook.rules.values() if rule_id in rule.restates))


def find_unknown_citations(folder: Path, rulebook: Rulebook) -> SourceLines:
    """Ids with the rulebook's prefix that it does not have: typing errors."""
    prefix = f"{rulebook.book.prefix}-"
    found = ((i, place) for i, place in _read_code(folder) if i not in rulebook.rules)
    return _gather((i, place) for i, place in found if i.startswith(prefix))


def find_marks(tests: Path) -> SourceLines:
    """The ids in the rule marks of all tests below a folder, whether they pass or not."""
    files = sorted(tests.rglob("*.py"))
    return _gather(mark for path in files for mark in _read_marks(path, tests))


# ---------------------------------------------------------------- the record of a test run


class CitationRecord(msgspec.Struct, forbid_unknown_fields=True):
    """The rule ids each test cited when it last passed, by the test's pytest id."""

    tests: dict[str, tuple[str, ...]] = {}
    format: int = 1

    @property
    def rules(self) -> set[str]:
        """All ids that a passing test cites."""
        return {rule for rules in self.tests.values() for rule in rules}


class FinishedRun(msgspec.Struct):
    """A finished run: the marks of all tests found, and which tests ran and passed.

    `whole` means that the files were collected whole: a test that is missing from them no longer exists.
    """

    found: dict[str, tuple[str, ...]]
    passed: dict[str, bool]
    whole: bool = True


def read_record(path: Path) -> CitationRecord | None:
    """The record of earlier runs; None if there is no readable one."""
    try:
        return read_json(path.read_bytes(), CitationRecord)
    except (OSError, msgspec.MsgspecError):
        return None


def write_record(path: Path, record: CitationRecord) -> None:
    """Store a record in the order of its tests, so that equal records make equal files."""
    tests = dict(sorted(record.tests.items()))
    text = msgspec.json.format(msgspec.json.encode(CitationRecord(tests, record.format)), indent=1)
    path.write_bytes(text + b"\n")


def update_record(
    record: CitationRecord, run: FinishedRun, file_exists: Callable[[str], bool]
) -> CitationRecord:
    """The record after a run.

    Tests that passed are added. Tests that failed or no longer exist are removed. The others stay, with the
    marks they have now.
    """
    whole = {_file_of(test) for test in run.found} if run.whole else set()
    kept = {
        test: tuple(rule for rule in rules if rule in run.found.get(test, rules))
        for test, rules in record.tests.items()
        if test not in run.passed
        and file_exists(_file_of(test))
        and (test in run.found or _file_of(test) not in whole)
    }
    new = {test: run.found.get(test, ()) for test, passed in run.passed.items() if passed}
    return CitationRecord({test: rules for test, rules in (kept | new).items() if rules})


# ---------------------------------------------------------------- how much is cited


class KindCount(msgspec.Struct, frozen=True):
    """The number of rules of a kind and automation, and how many are in code and tested."""

    kind: str
    automation: str
    rules: int
    in_code: int
    in_tests: int


class OpenRule(msgspec.Struct, frozen=True):
    """A rule that code or a passing test should cite, but does not."""

    id: str
    text: str
    in_code: bool
    in_tests: bool


class Coverage(msgspec.Struct, frozen=True):
    """How much of a rulebook is cited: numbers by kind, and the open rules."""

    counts: tuple[KindCount, ...]
    open: tuple[OpenRule, ...]


def count_coverage(rules: Collection[Rule], code: Collection[str], tests: Collection[str]) -> Coverage:
    """Compare the automated and assisted rules with the ids that code and tests cite."""
    wanted = [rule for rule in rules if rule.automation != "reference"]
    all_rules = Counter((rule.kind, rule.automation) for rule in wanted)
    in_code = Counter((rule.kind, rule.automation) for rule in wanted if rule.id in code)
    in_tests = Counter((rule.kind, rule.automation) for rule in wanted if rule.id in tests)
    counts = (KindCount(*k, n, in_code[k], in_tests[k]) for k, n in sorted(all_rules.items()))
    found = (OpenRule(r.id, r.text, r.id in code, r.id in tests) for r in wanted)
    return Coverage(tuple(counts), tuple(o for o in found if not (o.in_code and o.in_tests)))


# ---------------------------------------------------------------- reading


def _read_code(folder: Path) -> Iterator[tuple[str, SourceLine]]:
    files = sorted([*folder.rglob("*.py"), *folder.rglob("*.toml")])
    for path in files:
        if path.name not in (RULES_FILE, RULINGS_FILE, EXAMPLES_FILE):
            yield from _read_lines(path, folder)


def _read_lines(path: Path, folder: Path) -> Iterator[tuple[str, SourceLine]]:
    name = path.relative_to(folder).as_posix()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        for rule_id in _RULE_ID.findall(line):
            yield rule_id, SourceLine(name, number)


def _read_marks(path: Path, folder: Path) -> Iterator[tuple[str, SourceLine]]:
    name = path.relative_to(folder).as_posix()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Call) and _is_rule_mark(node.func):
            for word in node.args:
                if isinstance(word, ast.Constant) and isinstance(word.value, str):
                    yield word.value, SourceLine(name, word.lineno)


def _is_rule_mark(call: ast.expr) -> bool:
    # pytest.mark.rule(...), or mark.rule(...) after "from pytest import mark"
    if not (isinstance(call, ast.Attribute) and call.attr == "rule"):
        return False
    owner = call.value
    return (isinstance(owner, ast.Attribute) and owner.attr == "mark") or (
        isinstance(owner, ast.Name) and owner.id == "mark"
    )


def _gather(found: Iterator[tuple[str, SourceLine]]) -> SourceLines:
    places: dict[str, list[SourceLine]] = {}
    for rule_id, place in found:
        places.setdefault(rule_id, []).append(place)
    return {rule_id: tuple(where) for rule_id, where in places.items()}


def _file_of(test: str) -> str:
    return test.split("::", 1)[0]
