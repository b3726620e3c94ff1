"""The walk by name: `python -m tests.walker` runs this test, whose name keeps it out of other runs."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter

import pytest
from pytest_django import Settings

from tests.combat.rules.games import WITH_DOORS
from tests.walker.people import Found
from tests.walker.walks import walk

PRESSES, SWEPT = 40, 6


@pytest.mark.django_db
def test_walk_on(settings: Settings) -> None:
    """Walk in one world after another until the time is over, and tell all finds at the end."""
    settings.COSMOS_VERIFY = False
    minutes, seed = float(os.environ["WALK_MINUTES"]), os.environ["WALK_SEED"]
    games = os.environ["WALK_GAMES"].split() or WITH_DOORS
    until, total, finds = time.monotonic() + 60 * minutes, Counter[str](), list[str]()
    number = 0
    while time.monotonic() < until:
        slug = games[number % len(games)]
        number += 1
        try:
            total += walk(f"{seed}.{number}" if number > 1 else seed, slug, presses=PRESSES, pages=SWEPT)
        except Found as found:
            finds.append(str(found))
            sys.stdout.write(f"\n{found}\n")
        counted = ", ".join(f"{count} {what}" for what, count in total.items())
        sys.stdout.write(f"{number} walks, the last in {slug}: {counted}, {len(finds)} finds\n")
        sys.stdout.flush()
    assert not finds, "\n\n".join(finds)
