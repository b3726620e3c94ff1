"""Pytest plugin: import all tests and run none, so that their asserts are rewritten once.

Before its first example, hypothesis reads all that is imported for constants, and before its first text the
names of all characters. It keeps both in files. In a fresh clone each worker would do all of this for itself:
as much work again as all else before its first test.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st


class ImportedOnly(pytest.Module):
    """A file of tests in which nobody looks for any."""

    def collect(self) -> list[pytest.Item | pytest.Collector]:
        """Import it, which keeps its bytecode."""
        assert self.obj
        return []


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module:
    """Look into no file."""
    return ImportedOnly.from_parent(parent, path=module_path)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """No test is what was wanted."""
    if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
        draw_examples()
        session.exitstatus = pytest.ExitCode.OK


@settings(
    max_examples=5, database=None, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck)
)
@given(st.lists(st.integers(), min_size=100), st.text())
def draw_examples(drawn: list[int], text: str) -> None:
    """Let hypothesis look for a constant, as it does for one number in twenty, and for characters."""
