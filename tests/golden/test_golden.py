"""The pages of every demo fight read as they were stored: `python -m tests.golden GAME…` stores them."""

from __future__ import annotations

import os
from concurrent.futures import Future
from datetime import UTC, datetime
from pathlib import Path

import pytest
import time_machine
from django.contrib.auth.models import User
from zeal import zeal_ignore

from combat.play.whatif import workers
from combat.rules import SYSTEMS
from tests.golden.answering import read_answers
from tests.golden.pasting import read_pasted
from tests.golden.playing import FOLDER, Pages, describe_change, play_golden, read_stored, write_stored
from tests.golden.site import read_site
from tests.thinning import thin


@pytest.fixture(autouse=True)
def same_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The app rolls the same, whatever this test is called."""
    for room in ("sealing", "encounter_service"):
        monkeypatch.setattr(f"combat.play.writing.{room}.make_secret", lambda: "5" * 64)


@pytest.mark.parametrize("slug", thin(SYSTEMS, next(iter(SYSTEMS))))
def test_pages_read_as_before(gm: User, slug: str) -> None:
    # Caches tell fights of one number in two tests apart by when they were made
    with time_machine.travel(datetime(2026, 3, 1 + list(SYSTEMS).index(slug), 12, tzinfo=UTC), tick=False):
        compare(slug, play_golden(gm, slug) | read_pasted(gm, slug) | read_answers(gm, slug))


@pytest.mark.slow
def test_pages_around_the_table_read_as_before(
    transactional_db: None, gm: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fields name rows by their numbers, which start over for tests that store them."""
    monkeypatch.setattr(workers, "submit", lambda *args, **more: Future[object]())  # no forecast comes on
    with time_machine.travel(datetime(2026, 3, 20, 12, tzinfo=UTC), tick=False), zeal_ignore():
        compare("site", read_site(gm))


def compare(slug: str, pages: Pages) -> None:
    """Check that pages read as they are stored, or store them."""
    if into := os.environ.get("GOLDEN_INTO"):  # `python -m tests.golden`
        write_stored(pages, Path(into) / slug)
        return
    changed = describe_change(read_stored(FOLDER / slug), pages)
    assert not changed, f"{changed}\nIf that is meant: python -m tests.golden {slug}"
