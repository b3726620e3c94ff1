"""An own item does what its figures say, whatever it is called."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.book.tables import EXTREME, doses, medicines
from combat.rules.cepheus.care.medicines import MEDICINES
from combat.rules.cepheus.characters.goods import CATALOGUE, DRUGS
from combat.rules.cepheus.fight.aim import Attack, find_sight
from combat.rules.cepheus.fight.attacks.suppression import find_unshakeable
from combat.rules.cepheus.fight.clouds import CLOUD
from combat.rules.cepheus.fight.shots import make_blow
from combat.rules.cepheus.turn.sensing import find_electric
from combat.rules.core.basics.errors import Refused
from combat.rules.core.sheets.catalogue import find_record_problems
from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.figures import ADA, BO, CepheusStage, lone

from ..fight.range import RangeStage

NAMED = {"id": "own", "name": "Glim", "origin": "own"}
PILL = {**NAMED, "text": "Tastes of mint."}
GUN = {**NAMED, "group": "ranged", "range_types": ["rifle"], "skills": ["slug_rifle"], "damage": "3d6"}


def owner(kind: str, record: dict[str, Any], place: str = "carried") -> CepheusStage:
    """Ada's turn, with an item of her own."""
    thing = {"id": "a", "kind": kind, "record": record, "place": place}
    return lone(items=[thing], skills={"medicine": 1})


def swallow(works: str, *dice: Any, **effects: Any) -> CepheusStage:
    """Let Ada, who is tired, take a pill of her own."""
    stage = owner("gear", {**PILL, "works": works})
    stage.give(ADA, "fatigued")
    stage.begin(ADA)
    stage.do("take_drug", ADA, item=stage.item(ADA, "own").id, dice=dice)
    return stage


def test_every_medicine_of_the_form_is_played() -> None:
    assert MEDICINES.keys() == medicines().keys()
    assert DRUGS.keys() == {"", "told", *medicines(), *doses()}


@pytest.mark.parametrize(
    ("works", "dice", "condition"),
    [("antidote", [(6, 6)], "antidote"), ("panacea", [(6, 6)], "antidote"), ("slow", [], "slowed")],
)
def test_an_own_medicine_does_what_it_works_as(works: str, dice: list[Any], condition: str) -> None:
    assert swallow(works, *dice).has(ADA, condition)


def test_an_own_stim_ends_fatigue() -> None:
    stage = swallow("stim")
    assert not stage.has(ADA, "fatigued")
    assert stage.body(ADA) == (7, 7, 6)


def test_own_radiation_drug_costs_endurance_the_second_time() -> None:
    stage = lone(items=[{"id": "a", "kind": "gear", "record": {**PILL, "works": "radiation"}, "count": 2}])
    stage.begin(ADA)
    stage.do("take_drug", ADA, item=stage.item(ADA, "own").id)
    stage.turn(ADA)
    stage.do("take_drug", ADA, item=stage.item(ADA, "own").id, dice=[(4,)])
    assert stage.body(ADA) == (7, 7, 3)


@pytest.mark.parametrize("drug", ["combat_drug", "metabolic_accelerator"])
def test_an_own_dose_begins_after_its_rounds(drug: str) -> None:
    stage = swallow(drug)
    for _ in range(doses()[drug].delay_rounds):
        assert not stage.has(ADA, drug)
        stage.end_turn()
    assert stage.has(ADA, drug)


def test_what_no_rule_plays_is_told() -> None:
    stage = swallow("told")
    assert [said.key for said in stage.told(e.Said)] == ["log.takes", "log.drug_text"]
    assert stage.has(ADA, "fatigued")


def test_no_drug_cannot_be_taken() -> None:
    stage = owner("gear", PILL).begin(ADA)
    item = stage.item(ADA, "own").id
    assert stage.refused("take_drug", ADA, item=item).message == "Ada has no drugs."


@pytest.mark.rule("CE-SUPP-15")
@pytest.mark.parametrize(("unshaken", "rule"), [(True, "CE-SUPP-15"), (False, "")])
def test_own_armor_may_keep_out_suppression_fire(unshaken: bool, rule: str) -> None:
    stage = owner("armor", {**NAMED, "ar": 9, "ar_laser": 9, "unshaken": unshaken}, "worn")
    assert find_unshakeable(stage.state, stage[ADA]) == rule


@pytest.mark.rule("CE-SENS-06")
@pytest.mark.parametrize(("kind", "record"), [("weapon", GUN), ("gear", PILL)])
def test_detectors_find_own_electrics(kind: str, record: dict[str, Any]) -> None:
    plain, powered = owner(kind, record), owner(kind, {**record, "electric": True})
    assert find_electric(plain[ADA].items) == ()
    assert [item.name for item in find_electric(powered[ADA].items)] == ["Glim"]


# ---------------------------------------------------------------- grenades


def throw(**figures: Any) -> CepheusStage:
    """Let Ada throw a grenade of her own at Bo, 12 m away."""
    arm = {**NAMED, "range_types": ["thrown"], "skills": ["athletics"]}
    thing = {"id": "a", "kind": "grenade", "record": {**arm, **figures}}
    stage = lone(items=[thing], skills={"athletics": 2})
    stage.foe("Bo", at=(12, 0))
    stage.begin(ADA, BO)
    stage.give(BO, "unaware", by=ADA)  # and so does not react
    stage.change_item(ADA, "own", place="held")
    dice: list[Any] = [(6, 6), (4,)] if figures.get("rounds_dice") else [(6, 6), (3, 3)]
    if figures.get("stuns"):
        dice.append((1, 1))
    stage.do("lob", ADA, weapon=stage.item(ADA, "own").id, to="12,0", dice=dice)
    return stage


@pytest.mark.rule("CE-EXPL-01")
def test_an_own_grenade_explodes() -> None:
    assert sum(throw(damage="2d6", radius_m=3).body(BO)) == 15


def test_an_own_grenade_may_stun() -> None:
    stage = throw(damage="2d6", radius_m=3, stuns=True)
    assert stage.has(BO, "unconscious")
    assert stage.body(BO) == (7, 7, 7)


@pytest.mark.rule("CE-COND-04")
@pytest.mark.parametrize(("dm", "terrain"), [(-1, "smoke"), (-2, "thick_smoke")])
def test_an_own_grenade_may_leave_a_cloud(dm: int, terrain: str) -> None:
    stage = throw(radius_m=4, attack_dm=dm, rounds_dice="1d6", rounds_times=2)
    (cloud,) = stage.state.scene.zones
    assert (cloud.name, cloud.width, cloud.terrain) == ("Glim", 8, (terrain,))
    assert stage.state.marks[f"{CLOUD}{cloud.id}"] == stage.state.round + 8


@pytest.mark.parametrize(
    ("figures", "place"),
    [({"damage": "2d6"}, "radius_m"), ({"radius_m": 3}, "damage")],
)
def test_an_own_grenade_that_does_nothing_is_no_grenade(figures: dict[str, Any], place: str) -> None:
    record = {**NAMED, "range_types": ["thrown"], "skills": ["athletics"], **figures}
    assert [problem.place for problem in find_record_problems(CATALOGUE, "grenade", record)] == [place]


# ---------------------------------------------------------------- weapons and armor


def answer(stage: CepheusStage, action: str, **fields: Any) -> Any:
    """What the game says about an action of Ada's, and the state of their items after it, without their
    records."""
    stage.turn(ADA)
    try:
        if action == "attack":
            return stage.preview(action, ADA, target=BO, **fields)
        stage.do(action, ADA, **fields)
    except Refused as refusal:
        return refusal.message
    return stage[ADA].budget, [(i.place, i.loaded, i.spares, i.marks) for i in stage[ADA].items]


def use_gun(**figures: Any) -> list[Any]:
    """Draw, load and fire a gun of one's own, in zero gravity, through smoke, and too far away."""
    record = {**GUN, "magazine": 6, **figures}
    gun = {"id": "a", "kind": "weapon", "record": record, "loaded": record["magazine"], "spares": 1}
    knife = {"id": "b", "kind": "weapon", "entry": "dagger", "place": "held"}
    found = []
    for place in ("carried", "held"):
        stage = RangeStage()
        stage.hero("Ada", items=[gun, knife], skills={"slug_rifle": 0, "zero_g": 0})
        stage.foe("Bo", at=(20, 0))
        stage.begin(ADA, BO)
        weapon = stage.change_item(ADA, "own", place=place, loaded=1)
        stage.setting("gravity", "zero")
        stage.setting("smoke", "smoke")
        found += [answer(stage, "attack", weapon=weapon)]
        sight = find_sight(stage.state, Attack(actor=ADA, target=BO, weapon=weapon))
        found += [make_blow(stage.state, replace(sight, band=EXTREME), sight.arm.damage).halved]
        found += [answer(stage, "ready", weapon=weapon), answer(stage, "reload", weapon=weapon)]
    return found


@pytest.mark.full_rules
@pytest.mark.parametrize(
    "figures",
    [
        {"damage": "4d6"},
        {"range_types": ["shotgun"]},
        {"skills": ["heavy_weapons"]},
        {"magazine": 9},
        {"draw_minor": 2},
        {"reload_minor": 2},
        {"min_strength": 9},
        {"recoil": True},
        {"laser": True},
        {"energy": True},
        {"two_handed": True},
    ],
    ids=lambda figures: next(iter(figures)),
)
def test_every_figure_of_an_own_weapon_is_played(figures: dict[str, Any]) -> None:
    assert use_gun() == use_gun()
    assert use_gun() != use_gun(**figures)


@pytest.mark.parametrize(
    ("figures", "kind", "points"),
    [
        ({}, "", 3),
        ({"ar": 6}, "", 1),
        ({}, "laser", 2),
        ({"ar_laser": 6}, "laser", 1),
        ({"ablates": True}, "laser", 2),
    ],
)
def test_own_armor_keeps_off_what_it_says(figures: dict[str, Any], kind: str, points: int) -> None:
    stage = owner("armor", {**NAMED, "ar": 4, "ar_laser": 5, **figures}, "worn")
    stage.hit(ADA, 7, kind=kind)
    assert stage.losses() == {"end": points}
    assert bool(stage.item(ADA, "own").marks) == bool(figures.get("ablates"))
