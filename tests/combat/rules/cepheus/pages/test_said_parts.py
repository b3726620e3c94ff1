"""Damage to the parts of machines, as the log tells it."""

from __future__ import annotations

import pytest

from combat.rules import find_system
from combat.rules.core.basics.words import Label, say
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Condition
from combat.rules.core.wording import describe

LASER = say("part.weapon_hit", item="Triple Laser")


@pytest.mark.parametrize(
    ("kind", "label", "once", "twice"),
    [
        ("drive_hit", "condition.drive_hit", "Car has a damaged drive.", "Car's drive is damaged: 2 hits."),
        (
            "weapon_hit",
            LASER,
            "Car's Triple Laser is damaged.",
            "Car's Triple Laser is damaged: 2 hits.",
        ),
        (
            "limb_hit",
            say("part.limb_hit", n=3),
            "Car's limb 3 is damaged.",
            "Car's limb 3 is damaged: 2 hits.",
        ),
    ],
)
def test_each_further_hit_on_a_part_is_a_sentence(kind: str, label: Label, once: str, twice: str) -> None:
    def tell(event: e.Event) -> str:
        line = describe(find_system("cepheus"), e.Fact(event), {"f1": "Car"})
        return line.text if line else ""

    first, second = (Condition("k1", kind, label, "", level=level) for level in (1, 2))
    assert tell(e.ConditionGained("f1", first)) == once
    assert tell(e.ConditionGained("f1", second)) == tell(e.ConditionChanged("f1", second)) == twice
