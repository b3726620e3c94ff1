"""manage.py rules: how many rules of each game are cited by code and by a passing test."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError

from combat.rules.core.book.citations import (
    RECORD_FILE,
    Coverage,
    KindCount,
    OpenRule,
    SourceLines,
    count_coverage,
    find_citations,
    find_cited,
    find_marks,
    find_unknown_citations,
    read_record,
)
from combat.rules.core.book.rulebook import (
    Rule,
    Rulebook,
    find_code_folder,
    find_rulebook_folders,
    load_rulebook,
    name_folder,
)

AUTOMATIONS = ("automated", "assisted")
HEADS = f"{'kind':<12}" + "".join(f"{name:>12} {'code':>5} {'test':>5}" for name in AUTOMATIONS)


class CitedByTests(msgspec.Struct, frozen=True):
    """The ids that tests cite, and a sentence on how we know."""

    rules: frozenset[str]
    known_from: str
    words: str


class SystemReport(msgspec.Struct, frozen=True):
    """The report on one game."""

    slug: str
    name: str
    areas: tuple[str, ...]
    coverage: Coverage
    unknown: SourceLines


class Command(BaseCommand):
    """List cited and uncited rules, for people or as JSON."""

    help = "How many rules of each game are cited by code and by a passing test, and which are not."
    requires_system_checks = ()
    root = Path(__file__).resolve().parents[3]

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the game, the areas and the format."""
        parser.add_argument("system", nargs="?", help="one game by its short name; all by default")
        parser.add_argument("--json", action="store_true", help="print JSON")
        parser.add_argument(
            "--area",
            nargs="+",
            action="extend",
            default=[],
            metavar="AREA",
            help="only rules of these areas: ATK is that of COS-ATK-01",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Count and print."""
        folders = self._find_folders(options["system"])
        areas = tuple(area.upper() for area in options["area"])
        tests = find_test_citations(self.root)
        reports = [make_report(name, folder, areas, tests) for name, folder in folders.items()]
        text = to_json(reports, tests) if options["json"] else to_text(reports, tests)
        self.stdout.write(text)

    def _find_folders(self, slug: str | None) -> dict[str, Path]:
        rules = self.root / "combat" / "rules"
        folders = {name_folder(rules, folder): folder for folder in find_rulebook_folders(rules)}
        found = {name: folder for name, folder in folders.items() if slug in (None, name)}
        if not found:
            names = ", ".join(folders) or "none"
            raise CommandError(f"There is no rulebook of {slug!r}. There is: {names}.")
        return found


def find_test_citations(root: Path) -> CitedByTests:
    """The citations of passing tests by the record; without one, the marks in tests."""
    path = root / RECORD_FILE
    record = read_record(path)
    if record is None:
        words = (
            "No test run is recorded yet (run pytest): counted are the marks found in the tests, "
            "whether those tests pass or not."
        )
        return CitedByTests(frozenset(find_marks(root / "tests")), "marks", words)
    when = datetime.fromtimestamp(path.stat().st_mtime, tz=UTC).astimezone()
    words = f"Tests: as recorded in {RECORD_FILE} by the run of {when:%Y-%m-%d %H:%M}."
    return CitedByTests(frozenset(record.rules), "record", words)


def make_report(name: str, folder: Path, areas: tuple[str, ...], tests: CitedByTests) -> SystemReport:
    """Compare a game's rulebook, or some of its areas, with code and tests."""
    book, code = load_rulebook(folder), find_code_folder(folder)
    rules = _rules_of(book, areas)
    tested = {own for rule_id in tests.rules for own in find_cited(book, rule_id)}
    coverage = count_coverage(rules, find_citations(code, book), tested)
    unknown = find_unknown_citations(code, book)
    return SystemReport(name, book.book.title, areas, coverage=coverage, unknown=unknown)


def to_json(reports: list[SystemReport], tests: CitedByTests) -> str:
    """All figures and open rules as one JSON document."""
    systems = [msgspec.to_builtins(report) for report in reports]
    return json.dumps({"tests_from": tests.known_from, "systems": systems}, indent=2)


def to_text(reports: list[SystemReport], tests: CitedByTests) -> str:
    """All figures and open rules as text for people."""
    return "\n\n".join([*(_describe(report) for report in reports), tests.words])


def _describe(report: SystemReport) -> str:
    areas = f", areas {', '.join(report.areas)}" if report.areas else ""
    lines = [f"{report.name} ({report.slug}){areas}", "", HEADS, *_describe_counts(report.coverage)]
    still_open = report.coverage.open
    lines += ["", f"Not cited by code, by a passing test, or by both: {len(still_open)}"]
    lines += [_describe_open(rule) for rule in still_open]
    for rule_id, places in report.unknown.items():
        where = ", ".join(f"{place.path}:{place.line}" for place in places)
        lines.append(f"  {rule_id}  is cited but not in the rulebook: {where}")
    return "\n".join(lines)


def _describe_counts(coverage: Coverage) -> list[str]:
    counts = {(c.kind, c.automation): c for c in coverage.counts}
    kinds = sorted({c.kind for c in coverage.counts})
    rows = [_describe_row(kind, [counts.get((kind, a)) for a in AUTOMATIONS]) for kind in kinds]
    return [*rows, _describe_row("all", [_add_up(coverage, a) for a in AUTOMATIONS])]


def _describe_row(kind: str, cells: Sequence[KindCount | None]) -> str:
    numbers = [(c.rules, c.in_code, c.in_tests) if c else ("-", "-", "-") for c in cells]
    return f"{kind:<12}" + "".join(f"{n:>12} {code:>5} {test:>5}" for n, code, test in numbers)


def _add_up(coverage: Coverage, automation: str) -> KindCount:
    some = [count for count in coverage.counts if count.automation == automation]
    sums = (sum(c.rules for c in some), sum(c.in_code for c in some), sum(c.in_tests for c in some))
    return KindCount("all", automation, *sums)


def _describe_open(rule: OpenRule) -> str:
    code = "in code" if rule.in_code else "no code"
    test = "tested " if rule.in_tests else "no test"
    return f"  {rule.id:<13} {code}, {test}  {rule.text}"


def _rules_of(book: Rulebook, areas: tuple[str, ...]) -> list[Rule]:
    missing = [area for area in areas if area not in book.areas]
    if missing:
        known = ", ".join(book.areas)
        raise CommandError(f"{book.book.title} has no area {', '.join(missing)}. It has: {known}.")
    return [rule for rule in book.rules.values() if not areas or rule.area in areas]
