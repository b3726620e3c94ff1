"""Parametrisations of which the default run takes some, and a run of all tests takes all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def thin(every: Iterable[Any], *first: Any) -> list[Any]:
    """All of these, every one slow but the first ones, which stand for the others by default."""
    found = list(every)
    assert set(first) <= set(found), "what is to stand for the others is not among them"
    return [one if one in first else pytest.param(one, marks=pytest.mark.slow) for one in found]
