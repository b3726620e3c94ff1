"""Traits of weapons do what their rows say, also for a weapon and a trait of the table's own."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.guardians.book import tables
from combat.rules.guardians.book.tables import Trait
from combat.rules.guardians.system import find_appearance
from tests.combat.rules.guardians.probes import SWORD, arm
from tests.combat.rules.guardians.stage import ADA, BO, GuardStage, duel, lone, open_duel

HERO = {"blades": 12, "thrown_weapons": 12}


@pytest.fixture
def make_up(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Add a trait "odd" to the game, with these columns; without columns it does nothing."""

    def add(**columns: Any) -> None:
        row = Trait(id="odd", name="is odd", origin="own", **columns)
        monkeypatch.setitem(tables.traits(), row.id, row)

    return add


def armed(stage: GuardStage) -> GuardStage:
    """Ada holds a weapon of the table's own, with the made-up trait alone."""
    arm(stage, "odd")
    return stage


@pytest.mark.rule("CG-REF-05")
def test_a_weapon_reaches_as_far_as_its_trait_says(make_up: Any) -> None:
    stage = armed(duel(SWORD, hero=HERO, foe={"at": (7, 0)}))
    make_up()
    weapon = stage.weapon(ADA, "own")
    told = stage.refused("attack", ADA, target=BO, weapon=weapon)
    assert "half a move is" in told.message
    make_up(reach_yards=7)
    stage.do("attack", ADA, dice=(99,), target=BO, weapon=weapon)
    assert stage[ADA].at.x == 0


@pytest.mark.rule("CG-ATK-01")
def test_a_weapon_flies_as_far_as_its_trait_says(make_up: Any) -> None:
    stage = armed(duel(SWORD, hero=HERO, foe={"at": (15, 0)}, range_penalty="minus_2_per_step"))
    make_up()
    weapon = stage.weapon(ADA, "own")
    told = stage.refused("attack", ADA, target=BO, weapon=weapon, thrown=True)
    assert told.message == "Long Sword cannot be thrown: use it hand to hand."
    make_up(throw_yards=5)
    preview = stage.preview("attack", ADA, target=BO, weapon=weapon, thrown=True)
    assert ("term.range", 5 * -2 * 2) in [(term.label, term.value) for term in preview.against]


@pytest.mark.rule("CG-LIMB-05")
@pytest.mark.parametrize("severs", [True, False])
def test_a_weapon_severs_if_its_trait_says_so(make_up: Any, severs: bool) -> None:
    stage = armed(open_duel(SWORD, hero=HERO))
    make_up(severs=severs)
    stage.set_part(BO, "left_arm", 1)
    stage.attack(10, 2, (3, 3), *((10,) if severs else ()), weapon="own")
    assert len(stage.checks("check.severed")) == severs
    assert f"Bo's left arm is {'severed' if severs else 'crushed'}." in stage.said()


@pytest.mark.rule("CG-SPEC-01")
@pytest.mark.parametrize("disarms", [True, False])
def test_a_weapon_disarms_on_a_seven_if_its_trait_says_so(make_up: Any, disarms: bool) -> None:
    stage = armed(open_duel(SWORD, hero=HERO))
    stage.hold_things(BO, "club")
    make_up(disarms=disarms)
    stage.attack(10, 7, *(("disarm",) if disarms else (4, (1, 1))), weapon="own")
    assert (stage.item(BO, "club").place if stage.find(BO, "club") else "ground") == (
        "ground" if disarms else "held"
    )


def test_those_armed_by_nature_alone_look_like_animals() -> None:
    looks = {
        named: find_appearance(lone(*named)[ADA])
        for named in [(), ("fist",), ("claws",), ("claws", "club"), ("club",)]
    }
    assert [named for named, look in looks.items() if look == "animal"] == [("claws",)]
