"""A table of `play` without a server: what is open to the internet is forgotten after each test."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from cosmos_site.base.outside import OUTSIDE, Outside


@pytest.fixture
def outside(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Outside:
    """Nothing is open yet, and nobody asks."""
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1", "192.168.7.7", "testserver"]
    fresh = Outside()
    for field in fields(Outside):
        monkeypatch.setattr(OUTSIDE, field.name, getattr(fresh, field.name))
    OUTSIDE.begin(None)
    return OUTSIDE
