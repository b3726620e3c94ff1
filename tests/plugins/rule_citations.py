"""Pytest plugin: `@pytest.mark.rule("COS-ATK-01")` names the rules of a game that a test shows.

An id that no rulebook has fails the collection. At the end of a run the plugin writes the ids that passing
tests cite into the record at the root of the repository (see combat.rules.core.book.citations). It works with
any number of xdist workers: each worker reports what it found, the controller hears how every test went.
"""

from __future__ import annotations

import warnings
from collections.abc import Generator
from functools import cached_property
from pathlib import Path
from typing import Any, TypeGuard

import pytest

from combat.rules.core.book.citations import (
    RECORD_FILE,
    CitationRecord,
    FinishedRun,
    read_record,
    update_record,
    write_record,
)
from combat.rules.core.book.rulebook import find_rulebook_folders, load_rulebook

FOUND = "rule_citations"


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark and start listening."""
    config.addinivalue_line("markers", "rule(*ids): the rules of a game that this test shows")
    config.pluginmanager.register(RuleCitations(config), "rule-citations")


class RuleCitations:
    """What one pytest process learns of tests and their rule marks."""

    def __init__(self, config: pytest.Config) -> None:
        self.root = Path(config.rootpath)
        self.is_worker = hasattr(config, "workerinput")
        self.found: dict[str, tuple[str, ...]] = {}
        self.passed: dict[str, bool] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        """Fail the collection of a file or class whose tests have wrong rule marks."""
        report = yield
        wrong = [self._describe_wrong(item) for item in report.result or () if _is_marked(item)]
        if any(wrong):
            report.outcome, report.result = "failed", []
            report.longrepr = "\n".join(filter(None, wrong))
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Note every test's marks before deselection."""
        self.found = {item.nodeid: _rules_of(item) for item in items}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note whether a test passed: its call and everything around it."""
        if report.when == "call":
            good = report.passed and not hasattr(report, "wasxfail")
            self.passed[report.nodeid] = good and self.passed.get(report.nodeid, True)
        elif not report.passed:
            self.passed[report.nodeid] = False

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take over the findings of a finished xdist worker."""
        found = getattr(node, "workeroutput", {}).get(FOUND, {})
        self.found.update({test: tuple(rules) for test, rules in found.items()})

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hand over the findings (worker) or update the record (every other process)."""
        if self.is_worker:
            output: dict[str, Any] = session.config.workeroutput  # type: ignore[attr-defined]  # of xdist
            output[FOUND] = {test: list(rules) for test, rules in self.found.items()}
        elif self.passed:
            self._update_record(session.config)

    def _update_record(self, config: pytest.Config) -> None:
        path = self.root / RECORD_FILE
        run = FinishedRun(self.found, self.passed, whole=_is_whole(config))
        old = read_record(path) or CitationRecord()
        try:
            write_record(path, update_record(old, run, lambda file: (self.root / file).exists()))
        except OSError as wrong:
            warnings.warn(pytest.PytestWarning(f"{path} is not written: {wrong}"), stacklevel=1)

    def _describe_wrong(self, item: pytest.Item) -> str:
        rules = _rules_of(item)
        if not rules or not all(isinstance(rule, str) for rule in rules):
            return f'{item.nodeid}: write @pytest.mark.rule("ID", "ID", ...)'
        unknown = [rule for rule in rules if rule not in self.known]
        return f"{item.nodeid}: no rulebook has the rule {', '.join(unknown)}" if unknown else ""

    @cached_property
    def known(self) -> set[str]:
        """The ids of every rule of every game."""
        folders = find_rulebook_folders(self.root / "combat" / "rules")
        return {rule for folder in folders for rule in load_rulebook(folder).rules}


def _is_marked(node: object) -> TypeGuard[pytest.Item]:
    return isinstance(node, pytest.Item) and node.get_closest_marker("rule") is not None


def _rules_of(item: pytest.Item) -> tuple[str, ...]:
    return tuple(dict.fromkeys(rule for mark in item.iter_markers("rule") for rule in mark.args))


def _is_whole(config: pytest.Config) -> bool:
    """Whether files were collected whole, without picking single tests."""
    picked = any("::" in str(argument) for argument in config.args)
    return not picked and not getattr(config.option, "lf", False)
