"""Pytest plugin: `pytest --game NAME` runs all that one game must pass, slow tests included.

These are its own tests, each case of a suite that takes every game, and the tests of the tree as a whole.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.data import DataError
from combat.rules.core.declaration.system import System

OWN = Path("tests/combat/rules")
# What holds for the tree as a whole: sizes, imports, words
WHOLE = ("tests/test_sizes.py", "tests/combat/rules/core/test_architecture.py")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--game", metavar="NAME", help="run all that this game must pass, and nothing else")


def pytest_configure(config: pytest.Config) -> None:
    """Take slow tests as well; refuse games with wrong data files, and a game that is in no list."""
    if not hasattr(config, "workerinput"):
        refuse_wrong_data()
    if not (slug := config.getoption("--game")):
        return
    if slug not in SYSTEMS:
        known = ", ".join(SYSTEMS)
        raise pytest.UsageError(
            f"There is no game {slug}: add it to SYSTEMS in combat/rules/__init__.py. There are: {known}"
        )
    config.option.markexpr = ""


def refuse_wrong_data() -> None:
    """Say what is wrong with the data files of a game before any test is collected."""
    try:
        for slug in SYSTEMS:
            system = find_system(slug)
            if system.slug != slug:
                raise DataError(f"The game {slug} of SYSTEMS calls itself {system.slug}: write slug={slug!r}")
            for data in ("rulebook", "words", "kinds", "versions"):
                getattr(system, data)
    except DataError as wrong:
        raise pytest.UsageError(str(wrong)) from wrong


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is about other games, or about none."""
    if not (slug := config.getoption("--game")):
        return
    kept = [item for item in items if is_about(item, slug)]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept


def is_about(item: pytest.Item, slug: str) -> bool:
    """Whether a test is one that a game must pass."""
    path = item.path.relative_to(item.config.rootpath)
    if path.is_relative_to(OWN / slug) or path.as_posix() in WHOLE:
        return True
    return any(names(value, slug) for value in find_values(item))


def find_values(item: pytest.Item) -> list[Any]:
    """What a test is given by parametrization."""
    found = getattr(item, "callspec", None)
    return list(found.params.values()) if found else []


def names(value: Any, slug: str) -> bool:
    """Whether a parameter is a game, or something of it."""
    if isinstance(value, tuple):
        return any(names(part, slug) for part in value)
    if isinstance(value, Path):
        return value.stem.rpartition("-")[0] == slug
    return value.slug == slug if isinstance(value, System) else value == slug
