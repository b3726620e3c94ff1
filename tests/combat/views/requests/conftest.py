"""A table that waits for dice."""

from __future__ import annotations

import pytest

from combat.play.writing.encounter_service import Submission, submit
from tests.combat.desk import PIRATE, PISTOL, ZARA, Desk


@pytest.fixture
def asked(desk: Desk) -> Desk:
    """The table with an attack that waits for its two dice."""
    submit(desk.pk, Submission("attack", {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}, typed=True))
    return desk
