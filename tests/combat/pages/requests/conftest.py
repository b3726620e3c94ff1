"""A table that waits for dice."""

from __future__ import annotations

import pytest

from combat.play.writing.encounter_service import Submission, submit
from tests.combat.visit import PIRATE, PISTOL, ZARA, Visit


@pytest.fixture
def asked(visit: Visit) -> Visit:
    """The table with an attack that waits for its two dice."""
    submit(visit.pk, Submission("attack", {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}, typed=True))
    return visit
