"""The pages of every demo fight read as they were stored: `python -m tests.golden GAME…` stores them."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
import time_machine
from django.contrib.auth.models import User

from combat.rules import SYSTEMS
from tests.golden.playing import describe_change, play_golden, read_stored, write_stored
from tests.thinning import thin


@pytest.fixture(autouse=True)
def same_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The app rolls the same, whatever this test is called."""
    for room in ("sealing", "encounter_service"):
        monkeypatch.setattr(f"combat.play.writing.{room}.make_secret", lambda: "5" * 64)
    monkeypatch.setattr("combat.play.after.reports.MAX_SECONDS", 600.0)  # on any machine all luck is counted


@pytest.mark.parametrize("slug", thin(SYSTEMS, next(iter(SYSTEMS))))
def test_pages_read_as_before(gm: User, slug: str) -> None:
    # Caches tell fights of one number in two tests apart by when they were made
    with time_machine.travel(datetime(2026, 3, 1 + list(SYSTEMS).index(slug), 12, tzinfo=UTC), tick=False):
        pages = play_golden(gm, slug)
    if into := os.environ.get("GOLDEN_INTO"):  # `python -m tests.golden`
        write_stored(slug, pages, Path(into))
    changed = describe_change(read_stored(slug), pages)
    assert not changed or into, f"{changed}\nIf that is meant: python -m tests.golden {slug}"
