"""The cost of an attack, its form and a passed turn, in time of this process.

Off by default: pytest --benchmark-enable -n 0.
"""

from __future__ import annotations

import time
from typing import Any

import pytest
from pytest_django import Settings

from combat.play.writing.encounter_service import Submission, submit, undo
from tests.combat.visit import PIRATE, PISTOL, ZARA, Visit, load, roll_fives
from tests.typed import Answer

ATTACK = {"do": "attack", "combatant": ZARA, "target": PIRATE, "weapon": PISTOL, "dice": "app"}


pytestmark = pytest.mark.benchmark(group="one request", timer=time.process_time)


@pytest.fixture(autouse=True)
def as_hosted(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip the extra checks of tests; the app rolls fives."""
    settings.COSMOS_VERIFY = False
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if "zeal" not in name]
    roll_fives(monkeypatch)


def test_attack(benchmark: Any, visit: Visit) -> None:
    """From the posted form to the changed part of the page."""

    def fresh() -> None:
        if load(visit.pk).log.filter(name="attack", struck=False).exists():
            undo(visit.pk)

    def attack() -> Answer:
        return visit.client.post(visit.here, ATTACK, headers=visit.headers)

    answer = benchmark.pedantic(attack, setup=fresh, rounds=40, warmup_rounds=3)
    assert answer.status_code == 200


def test_attack_form_with_odds(benchmark: Any, visit: Visit) -> None:
    """The table with the form of an attack open: sums and exact odds."""
    answer = benchmark(lambda: visit.get(do="attack", combatant=ZARA))
    assert answer.status_code == 200


def test_attack_form_with_a_plan(benchmark: Any, visit: Visit) -> None:
    """The same with the weapon put away: what has to come first is searched, and its odds are counted."""
    submit(visit.pk, Submission("draw", {"actor": ZARA, "item": PISTOL}))
    answer = benchmark(lambda: visit.get(do="attack", combatant=ZARA, weapon=PISTOL))
    assert 'name="plan"' in answer.content.decode()


def test_next_turn(benchmark: Any, visit: Visit) -> None:
    answer = benchmark.pedantic(
        lambda: visit.client.post(visit.here, {"do": "next_turn"}, headers=visit.headers), rounds=40
    )
    assert answer.status_code == 200
