"""People press what pages offer in random worlds of every game, and all that has to hold then holds."""

from __future__ import annotations

import sys

import pytest
from django.utils import timezone
from pytest_django import Settings

from tests.combat.rules.games import WITH_DOORS
from tests.thinning import thin
from tests.walker import long_walk
from tests.walker.walks import walk

FIXED = "1"
PRESSES, LONGER, SWEPT = 8, 24, 1  # of walks, and pages of each person in a sweep beside their table


@pytest.fixture(autouse=True)
def as_in_play(settings: Settings) -> None:
    """The walk verifies the history itself."""
    settings.COSMOS_VERIFY = False


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("slug", thin(WITH_DOORS, WITH_DOORS[0]))
def test_what_is_offered_can_be_done(slug: str) -> None:
    walk(FIXED, slug, presses=PRESSES, pages=SWEPT)


@pytest.mark.slow
@pytest.mark.django_db
def test_what_is_offered_can_be_done_in_another_world_each_day() -> None:
    today = timezone.localdate()
    slug = WITH_DOORS[today.toordinal() % len(WITH_DOORS)]
    sys.stdout.write(f"To walk so again: python -m tests.walker --seed {today} --game {slug}\n")
    walk(str(today), slug, presses=LONGER, pages=SWEPT)


def test_the_walk_by_name_can_begin() -> None:
    """No other run collects it: what it imports is asked here."""
    assert long_walk.PRESSES > LONGER
