"""Parameter sets: the default run takes a few, a run of all tests takes all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def thin(every: Iterable[Any], *first: Any) -> list[Any]:
    """All of these values; those after the first few are marked slow."""
    found = list(every)
    assert set(first) <= set(found), "what is to stand for the others is not among them"
    return [one if one in first else pytest.param(one, marks=pytest.mark.slow) for one in found]
