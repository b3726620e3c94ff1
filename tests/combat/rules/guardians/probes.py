"""What the game does in play with a record of a table, for the test of its figures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from combat.rules.core.basics.errors import why_refused
from combat.rules.core.state.state import replace
from combat.rules.guardians.book.tables import Trait, Weapon
from combat.rules.guardians.fight.aim import Attack, check_attack
from combat.rules.guardians.fight.damage import make_blow
from combat.rules.guardians.fight.defense import find_defenses
from tests.combat.rules.guardians.stage import ADA, BO, GuardStage, duel, open_duel, sheet

SWORD = "long_sword"


def arm(stage: GuardStage, *traits: str) -> None:
    """Give Ada a weapon of her own with these traits, and no others."""
    sword = stage.item(ADA, SWORD)
    made = replace(sword, data={**sword.data, "id": "own", "tags": list(traits), "origin": "own"})
    stage.edit(ADA, items=tuple(made if item.id == sword.id else item for item in stage[ADA].items))


def hurl(stage: GuardStage, **more: Any) -> str:
    """Why Ada cannot strike Bo with her own weapon, or how far and with which range it goes."""
    weapon = stage.item(ADA, "own").id
    command = Attack(actor=ADA, target=BO, weapon=weapon, **more)
    refused = why_refused(check_attack, stage.state, command)
    if refused:
        return refused
    found = check_attack(stage.state, command)
    return repr((found.needed, found.use.weapon.range_yards))


def play_trait(trait: Trait) -> list[object]:
    """Reach and throws with a weapon of this trait, its cut, and what a 7 with it asks."""
    near, far = duel(SWORD), duel(SWORD, hero={"running": 10}, foe={"at": (7, 0)})
    for stage in (near, far):
        arm(stage, trait.id)
    blow = make_blow(near.state, Attack(actor=ADA, target=BO, weapon=near.item(ADA, "own").id), "torso", True)
    return [hurl(far), hurl(far, thrown=True), blow.severs, ask_on_seven(trait.id)]


def ask_on_seven(*traits: str) -> str:
    """What is asked after a 7 with a weapon of these traits: whether to disarm, or for the part."""
    stage = open_duel(SWORD, hero={"blades": 12})
    stage.hold_things(BO, "club")
    arm(stage, *traits)
    with pytest.raises(AssertionError) as told:
        stage.attack(10, 7, weapon="own")
    return str(told.value)


def play_weapon(weapon: Weapon) -> list[object]:
    """Where a combatant with a sword has the weapon, and how they defend."""
    stage = GuardStage()
    stage.add("Ada", "allies", (0, 0), sheet(SWORD, weapon.id))
    places = [(item.name, item.place) for item in stage[ADA].items]
    return [places, find_defenses(stage.state, stage[ADA], distant=False)]


PROBES: dict[str, Callable[[Any], Any]] = {"traits": play_trait, "weapons": play_weapon}
