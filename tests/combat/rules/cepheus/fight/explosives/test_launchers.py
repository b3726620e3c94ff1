"""Grenade launchers under rifles: weapons of their own, ready when the rifle is.  RULING R96"""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus import SYSTEM
from combat.rules.cepheus.characters.goods import make_items, make_weapon
from combat.rules.cepheus.characters.sheet import check_sheet
from combat.rules.cepheus.tactics.plans import suggest
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.sheets.sheets import Carried
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.figures import ADA, BO
from tests.typed import sure

from ..range import RangeStage, duel

LAUNCHER = f"{ADA}-a1"
RIFLE = f"{ADA}-w1"
TOUGH = {"profile": "FFF777"}


def fitted(weapon: str = "rifle", meters: float = 20, **item: Any) -> RangeStage:
    """Ada with a launcher under the weapon in her hands, Bo this far away."""
    stage = duel(weapon, meters, foe=TOUGH)
    stage.fit(ADA, "underslung_grenade_launcher")
    gun, launcher = stage[ADA].items
    stage.edit(ADA, items=(gun, replace(launcher, **item)))
    stage.skilled(ADA, slug_rifle=0, heavy_weapons=1)
    return stage


def options(stage: RangeStage, action: str, field: str) -> dict[str, Choice]:
    """The options of a field of Ada's form, by value."""
    found = next(f for f in SYSTEM.action(action).find_fields(stage.state, ADA) if f.name == field)
    return {option.value: option for option in found.options}


@pytest.mark.rule("CE-EXPL-01", "CE-RANGE-17", "CE-ATK-08")
def test_launcher_under_a_rifle_is_fired_as_a_weapon_of_its_own() -> None:
    stage = fitted(loaded=1)
    offered = options(stage, "attack", "weapon")[LAUNCHER]
    assert (offered.label, offered.detail, offered.refused) == (
        "Underslung Grenade Launcher",
        "by its load, 1/1",
        "",
    )
    assert stage.terms(weapon=LAUNCHER) == {"Heavy Weapons": 1}
    stage.attack((5, 5), (1, 1, 1, 1, 1), weapon=LAUNCHER)
    assert stage[BO].tracks["end"] == 10
    rifle, launcher = stage[ADA].items
    assert (rifle.loaded, launcher.loaded, launcher.kind, launcher.place) == (10, 0, "accessory", "worn")
    stage.turn(ADA)
    assert "is empty" in stage.refused("attack", ADA, target=BO, weapon=LAUNCHER).message
    assert "is empty" in options(stage, "attack", "weapon")[LAUNCHER].refused


def test_fitted_launcher_is_full_by_default() -> None:
    stage = fitted()
    stage.attack((5, 5), (1, 1, 1, 1, 1), weapon=LAUNCHER)
    assert stage[ADA].items[1].loaded == 0


@pytest.mark.rule("CE-THROW-02")
def test_launcher_can_be_fired_at_a_place() -> None:
    stage = fitted(loaded=1)
    assert LAUNCHER in options(stage, "lob", "weapon")
    stage.do("lob", ADA, dice=((6, 6), (2, 2, 2, 2, 2)), weapon=LAUNCHER, to=f"front:{BO}")
    assert stage[ADA].items[1].loaded == 0
    assert stage[BO].tracks["end"] == 5


@pytest.mark.rule("CE-MINOR-13")
@pytest.mark.full_rules
def test_four_minor_actions_load_it_with_a_grenade_of_any_kind() -> None:
    stage = fitted(loaded=0, spares=2)
    assert LAUNCHER in options(stage, "reload", "weapon")
    assert "grenade_smoke" in options(stage, "reload", "load")
    stage.do("reload", ADA, weapon=LAUNCHER, load="grenade_smoke")
    assert stage[ADA].items[1].loaded == 0
    stage.turn(ADA)
    stage.do("reload", ADA, weapon=LAUNCHER, load="grenade_smoke")
    now = stage[ADA].items[1]
    assert (now.kind, now.loaded, now.spares, now.marks) == ("accessory", 1, 1, {"load": "grenade_smoke"})
    assert stage[ADA].budget == {"minor": 0, "significant": 1}
    stage.attack((5, 5), 2, weapon=LAUNCHER)
    assert stage.state.scene.zones


def test_launcher_is_reloaded_only_with_spares_and_not_when_full() -> None:
    stage = fitted(loaded=0, spares=0)
    stage.load(ADA, 3, spares=1)
    assert "No magazine" in stage.refused("reload", ADA, weapon=LAUNCHER).message
    stage = fitted(loaded=1, spares=2)
    assert "is full" in stage.refused("reload", ADA, weapon=LAUNCHER).message


@pytest.mark.rule("CE-MINOR-12")
def test_launcher_is_ready_when_its_rifle_is() -> None:
    stage = fitted(loaded=1)
    rifle, launcher = stage[ADA].items
    dagger = replace(make_weapon("dagger"), id=f"{ADA}-w2", place="held")
    stage.edit(ADA, items=(replace(rifle, place="carried"), dagger, launcher))
    refused = stage.refused("attack", ADA, target=BO, weapon=LAUNCHER)
    assert refused.message.endswith("is not in hand: draw its rifle (Ready a weapon).")
    assert LAUNCHER not in options(stage, "ready", "weapon")
    stage.do("drop", ADA, weapon=dagger.id)
    stage.do("ready", ADA, weapon=RIFLE)
    stage.attack((5, 5), (1, 1, 1, 1, 1), weapon=LAUNCHER)


def test_launcher_takes_the_hands_that_its_rifle_takes() -> None:
    stage = duel("rifle", 20)
    stage.arm(ADA, "rifle", "dagger")
    stage.fit(ADA, "underslung_grenade_launcher")
    refused = stage.refused("attack", ADA, target=BO, weapon=f"{ADA}-a2")
    assert refused.message == "Rifle takes both hands: put Dagger away or drop it."


@pytest.mark.parametrize("weapon", ["carbine", "submachinegun", "shotgun", "crossbow", "auto_pistol"])
def test_launcher_goes_under_rifles_alone(weapon: str) -> None:
    stage = fitted(weapon, loaded=1)
    assert LAUNCHER not in options(stage, "attack", "weapon")
    assert stage.refused("attack", ADA, target=BO, weapon=LAUNCHER).code == "bad_value"


def test_launcher_that_is_not_fitted_cannot_be_fired() -> None:
    stage = fitted(loaded=1, place="carried")
    assert LAUNCHER not in options(stage, "attack", "weapon")
    assert stage.refused("attack", ADA, target=BO, weapon=LAUNCHER).code == "bad_value"


def test_launcher_cannot_suppress_fire_blindly_or_finish() -> None:
    stage = fitted(meters=2, loaded=1)
    assert "goes off" in stage.refused("blind_fire", ADA, target=BO, weapon=LAUNCHER).message
    assert "cannot suppress" in stage.refused("suppress", ADA, target=BO, weapon=LAUNCHER).message
    stage.give(BO, "unconscious")
    finish = stage.refused("coup_de_grace", ADA, target=BO, weapon=LAUNCHER, sure=True)
    assert "explodes" in finish.message


def test_what_plays_for_someone_fires_it_where_it_does_most() -> None:
    stage = fitted(meters=30, loaded=1)
    for name, meters in (("Cy", 31), ("Di", 32)):
        stage.edit(stage.join(name, meters), side=stage[BO].side)
    name, command = suggest(stage.state, ADA) or ("", None)
    assert (name in ("attack", "lob"), getattr(command, "weapon", "")) == (True, LAUNCHER)


# ---------------------------------------------------------------- sheets


def carried(**item: Any) -> dict[str, Any]:
    """A launcher on a sheet."""
    return {"id": "i1", "kind": "accessory", "entry": "underslung_grenade_launcher", "place": "worn", **item}


def sheet(**item: Any) -> dict[str, Any]:
    """A sheet with a launcher on it."""
    scores = dict.fromkeys(("str", "dex", "end", "int", "edu", "soc"), 7)
    return {"kind": "person", "attributes": scores, "weapons": ["rifle"], "items": [carried(**item)]}


def test_a_sheet_keeps_what_is_in_it_and_older_ones_need_not() -> None:
    for rounds, spares in ((1, 3), (0, 0)):
        launcher = make_items("x", check_sheet(sheet(loaded=rounds, spares=spares)))[0]
        assert (launcher.loaded, launcher.spares) == (rounds, spares)
    assert make_items("x", check_sheet(sheet()))[0].loaded is None
    with pytest.raises(ValueError, match=r"items\[0\].loaded: must be 0 to 1"):
        check_sheet(sheet(loaded=2))


def test_ram_grenades_are_its_spares() -> None:
    catalogue = SYSTEM.book.catalogue
    assert catalogue is not None
    grenade = catalogue.find_entry("ammo", "ammo_underslung_grenade_launcher")
    assert grenade is not None
    assert grenade.spare_for == ("accessory", "underslung_grenade_launcher")
    assert grenade.summary.startswith("Underslung Grenade Launcher")
    assert catalogue.capacity("accessory", sure(catalogue.look_up(Carried(**carried()))).record) == 1


@pytest.mark.rule("CE-MINOR-13")
@pytest.mark.full_rules
def test_two_of_three_minor_actions_may_load_and_one_move() -> None:
    stage = duel("rocket_launcher")
    stage.load(ADA, 0)
    fields = {f.name: f for f in stage.system.action("reload").find_fields(stage.state, ADA)}
    assert (fields["actions"].low, fields["actions"].high) == (1, 3)
    stage.do("reload", ADA, weapon=f"{ADA}-w1", actions=2)
    assert stage[ADA].budget == {"minor": 1, "significant": 0}
    assert stage[ADA].items[0].loaded == 0
    stage.do("move", ADA, to="-3,0")
    stage.turn(ADA)
    stage.do("reload", ADA, weapon=f"{ADA}-w1")
    assert stage[ADA].items[0].loaded == 1
    assert stage[ADA].budget == {"minor": 0, "significant": 1}
    stage.load(ADA, 0)
    assert "1 or more" in stage.refused("reload", ADA, weapon=f"{ADA}-w1", actions=0).message
