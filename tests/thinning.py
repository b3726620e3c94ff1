"""Parameter sets: the default run takes a few, a run of all tests takes all, a thorough one still more."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest


def thin(every: Iterable[Any], *first: Any) -> list[Any]:
    """All of these values; those after the first few are marked slow."""
    found = list(every)
    assert set(first) <= set(found), "what is to stand for the others is not among them"
    return [one if one in first else pytest.param(one, marks=pytest.mark.slow) for one in found]


def by_thoroughness(usual: int, thorough: int) -> int:
    """How many to try: the usual number, or more where HYPOTHESIS_PROFILE is “thorough”."""
    return thorough if os.environ.get("HYPOTHESIS_PROFILE") == "thorough" else usual


def thin_rows(every: Iterable[tuple[Any, ...]], *first: tuple[Any, ...]) -> list[Any]:
    """The same for tests that take several values."""
    return [pytest.param(*one, marks=[pytest.mark.slow] * (one not in first)) for one in every]
