"""Pytest plugin: two workers import tests from opposite ends, so that each rewrites half of their asserts.

In a fresh clone each worker would rewrite the asserts of all tests for itself. They keep what they have
rewritten in files: two that begin at opposite ends meet in the middle, and each reads the other's half.
"""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]


def pytest_collection(session: pytest.Session) -> None:
    """Before all tests are collected, import them backwards in every second worker."""
    config = session.config
    if [(config.rootpath / word).resolve() for word in config.args] == [TESTS]:
        import_all(choose_backwards(getattr(config, "workerinput", {}).get("workerid", "")))


def choose_backwards(worker: str) -> list[str]:
    """The names of all test modules, last first, for a worker with an odd number (gw1); for others none."""
    number = worker.removeprefix("gw")
    if not number.isdigit() or int(number) % 2 == 0:
        return []
    files = sorted(TESTS.rglob("test_*.py"), reverse=True)
    return [".".join(file.relative_to(TESTS.parent).with_suffix("").parts) for file in files]


def import_all(names: list[str]) -> None:
    """Import them; of those that cannot be imported, the collection tells."""
    for name in names:
        with suppress(Exception, pytest.skip.Exception):
            import_module(name)
