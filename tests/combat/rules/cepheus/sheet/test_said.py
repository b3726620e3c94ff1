"""Damage to people and to the parts of machines, as the log tells it."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules import find_system
from combat.rules.core.basics.modifiers import Modifier
from combat.rules.core.basics.words import Label, say
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Condition
from combat.rules.core.wording import describe, describe_facts

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


def lose(track: str, old: int, new: int, **more: Any) -> e.Fact:
    return e.Fact(e.TrackChanged("f1", track, old, new, **{"why": "why.gm", **more}), "CE-DMG-01")


def read_log(*facts: e.Fact) -> list[str]:
    return [line.text for line in describe_facts(find_system("cepheus"), facts, {"f1": "Kaja"})]


def test_wound_that_several_characteristics_share_is_one_line() -> None:
    wound = (lose("end", 5, 0), lose("str", 7, 1), lose("dex", 7, 6))
    told = "Kaja loses 5 Endurance (5 → 0), 6 Strength (7 → 1) and 1 Dexterity (7 → 6): GM."
    assert read_log(*wound) == [told]
    (line,) = describe_facts(find_system("cepheus"), wound, {"f1": "Kaja"})
    assert (line.who, line.tone, line.correction_query) == ("f1", "bad", "heal&mends=1")
    back = (lose("end", 0, 5, why="corrected"), lose("str", 1, 2, why="corrected"))
    assert read_log(*back) == ["Corrected: Kaja gains 5 Endurance (0 → 5) and 1 Strength (1 → 2)."]


@pytest.mark.parametrize(
    "other",
    [
        lose("str", 7, 1, why="why.fire"),
        lose("str", 1, 7),
        lose("str", 7, 1, by="f2"),
        lose("str", 7, 1, word=e.UNTOLD),
    ],
)
def test_other_causes_and_opposite_changes_are_told_apart(other: e.Fact) -> None:
    assert len(read_log(lose("end", 5, 0), other)) == 2


def test_dice_of_a_shared_wound_stay_with_its_line() -> None:
    dice = (Modifier("term.damage_dice", 11, ""),)
    (line,) = describe_facts(
        find_system("cepheus"), (lose("end", 5, 0), lose("str", 7, 1, terms=dice)), {"f1": "Kaja"}
    )
    assert [term.value for term in line.terms] == [11]
    both = read_log(lose("end", 5, 0, terms=dice), lose("str", 7, 1, terms=dice))
    assert len(both) == 2, "two rolls are two wounds"
