"""The tactics of a turn: aim and shoot, get ready, close in; and suggestions."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rules.cepheus import SYSTEM
from combat.rules.cepheus.fight.aim import Attack
from combat.rules.cepheus.fight.checks import check_attack
from combat.rules.cepheus.quick import SYSTEM as QUICK
from combat.rules.cepheus.tactics import plans
from combat.rules.cepheus.tactics.worth import HITS, count_chance, find_base, find_mark, find_most, make_plan
from combat.rules.core.basics.errors import allows
from combat.rules.core.commands.commands import read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import find_action
from combat.rules.core.odds.forecast import play_many, sum_up
from combat.rules.core.odds.odds import find_odds
from combat.rules.core.odds.proposals import find_suggestions
from combat.rules.core.space import Point
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.vehicles.garage import Garage
from tests.combat.rules.games import set_up
from tests.combat.rules.stage import Stage
from tests.typed import sure

ADA, BO = "f1", "f2"
EPSILON = 1e-9


def make_sheet(*weapons: str, dex: int = 7, **skills: int) -> dict[str, Any]:
    """Someone with 7 in everything else."""
    scores = dict.fromkeys(("str", "dex", "end", "int", "edu", "soc"), 7) | {"dex": dex}
    return {"name": "N", "attributes": scores, "skills": skills, "weapons": list(weapons)}


def face(meters: float, *weapons: str, system: System = SYSTEM, **skills: int) -> Stage:
    """Ada with these weapons has the turn, Bo stands this many meters away."""
    stage = Stage(system)
    stage.add("Ada", "allies", (0, 0), make_sheet(*weapons, **skills))
    stage.add("Bo", "enemies", (meters, 0), make_sheet("dagger"))
    return stage.begin(ADA, BO)


@pytest.mark.rule("CE-VDMG-05")
@pytest.mark.parametrize(
    ("weapon", "meters", "armor", "harms"),
    [("dagger", 1, 5, True), ("dagger", 1, 30, False), ("rifle", 20, 26, True), ("rifle", 20, 60, False)],
)
def test_nobody_strikes_a_machine_whose_armor_stops_it_all(
    weapon: str, meters: float, armor: int, harms: bool
) -> None:
    stage = Garage()
    stage.hero("Ada", weapons=[weapon], skills={"slug_rifle": 1})
    stage.robot(side="foes", at=(meters, 0), attributes={"armor": armor})
    stage.change_item(ADA, weapon, place="held")
    stage.begin(ADA, BO)
    assert (stage.choose()[0] in ("aim", "attack")) == harms


@pytest.mark.rule("CE-MINOR-03")
def test_a_shot_is_aimed_first() -> None:
    stage = face(20, "rifle", slug_rifle=0)
    assert stage.choose() == ("aim", {"target": BO})
    stage.do("aim", ADA, target=BO)
    name, fields = stage.choose()
    assert (name, fields["target"]) == ("attack", BO)
    stage.do("attack", ADA, dice=["none", (1, 1)], **fields)
    assert stage.choose() == ("", {})


def test_who_has_been_aimed_at_stays_the_target() -> None:
    stage = face(20, "rifle", slug_rifle=0)
    stage.state = replace(stage.state, phase="prep", active="")
    nearer = stage.add("Cy", "enemies", (15, 0), make_sheet("dagger"))
    stage.begin(ADA, BO, nearer)
    stage.do("aim", ADA, target=BO)
    assert stage.choose()[1]["target"] == BO
    stage.edit(ADA, conditions=())
    assert stage.choose()[1]["target"] == nearer


@pytest.mark.rule("CE-BURST-02")
def test_an_automatic_weapon_fires_the_burst_that_is_worth_most() -> None:
    sure = face(20, "assault_rifle", slug_rifle=4)
    sure.do("aim", ADA, target=BO)
    assert sure.choose() == ("attack", {"target": BO, "weapon": "f1-1", "rounds": 4, "burst": "grouped"})
    unsure = face(20, "assault_rifle")
    unsure.do("aim", ADA, target=BO)
    assert unsure.choose()[1]["burst"] == "spray"


@pytest.mark.rule("CE-MINOR-12", "CE-MINOR-13")
def test_an_empty_weapon_is_loaded_and_one_put_away_is_drawn() -> None:
    stage = face(20, "rifle", slug_rifle=0)
    (rifle, *others) = stage[ADA].items
    stage.edit(ADA, items=(replace(rifle, loaded=0), *others))
    assert stage.choose() == ("reload", {"weapon": rifle.id})
    stage.edit(ADA, items=(replace(rifle, place="carried"), *others))
    assert stage.choose() == ("ready", {"weapon": rifle.id})


@pytest.mark.rule("CE-MINOR-12", "CE-MINOR-13")
def test_a_gun_is_drawn_or_loaded_before_a_blow_with_bare_hands() -> None:
    stage = face(1, "auto_pistol", "submachinegun", slug_pistol=0)
    pistol, gun, *rest = stage[ADA].items
    fist = next(item for item in rest if item.data.get("id") == "unarmed_strike")
    put_away = replace(pistol, place="carried")
    stage.edit(ADA, items=(put_away, fist))
    assert stage.choose() == ("ready", {"weapon": pistol.id})
    stage.edit(ADA, items=(replace(put_away, loaded=0), fist))
    assert stage.choose() == ("ready", {"weapon": pistol.id}), "there are magazines for it"
    stage.edit(ADA, items=(replace(put_away, loaded=0, spares=0), fist))
    assert stage.choose()[1]["weapon"] == fist.id
    few = replace(gun, place="held", loaded=2)
    stage.edit(ADA, items=(few, fist))
    assert stage.choose() == ("reload", {"weapon": gun.id}), "it fires four rounds at a time"


@pytest.mark.rule("CE-MINOR-12", "CE-MINOR-14", "CE-OTHER-01")
def test_hands_are_freed_for_a_weapon_that_takes_both() -> None:
    stage = face(20, "rifle", "cutlass", slug_rifle=1)
    rifle, cutlass, *rest = stage[ADA].items
    both = (replace(rifle, place="held"), replace(cutlass, place="held"), *rest)
    stage.edit(ADA, items=both)
    assert stage.choose() == ("put_away", {"weapon": cutlass.id})
    stage.do("put_away", ADA, weapon=cutlass.id)
    assert stage.choose()[1]["weapon"] == rifle.id
    stage.edit(ADA, items=both, budget={"minor": 0, "significant": 1})
    assert stage.choose() == ("drop", {"weapon": cutlass.id}), "dropping takes no action"
    stage.edit(ADA, items=(replace(rifle, place="carried"), *both[1:]), budget={"minor": 1, "significant": 1})
    assert stage.choose()[0] in ("put_away", "ready"), "a rifle is drawn although a blade is in hand"


@pytest.mark.rule("CE-OTHER-01", "CE-MINOR-14")
def test_a_spent_gun_makes_room_and_a_lost_one_is_picked_up() -> None:
    stage = face(2, "rifle", "broadsword", slashing_weapons=2)
    rifle, sword, *rest = stage[ADA].items
    spent = replace(rifle, place="held", loaded=0, spares=0)
    stage.edit(ADA, items=(spent, replace(sword, place="carried"), *rest))
    assert stage.choose() == ("drop", {"weapon": rifle.id})
    stage.edit(ADA, items=tuple(rest))
    stage.state = replace(stage.state, ground=(replace(sword, place="ground", at=stage[ADA].at),))
    assert stage.choose() == ("pick_up", {"weapon": sword.id})
    stage.state = replace(stage.state, ground=(replace(sword, place="ground", at=Point(-9, 0)),))
    assert stage.choose() == ("move", {"to": "-9,0", "far": True})


@pytest.mark.rule("CE-RANGE-15")
def test_a_rifle_is_taken_a_step_back_from_a_blade() -> None:
    stage = face(1, "rifle", slug_rifle=2)
    assert stage.choose() == ("move", {"to": f"away:{BO}"})
    stage.do("move", ADA, to=f"away:{BO}")
    assert stage.choose()[0] == "attack"


@pytest.mark.rule("CE-DMG-02", "CE-ARMOR-02")
def test_what_armor_stops_is_not_tried_if_something_gets_through() -> None:
    stage = face(1, "dagger", "auto_pistol", slug_pistol=0, piercing_weapons=0)
    dagger, pistol, *rest = stage[ADA].items
    stage.edit(ADA, items=(replace(dagger, place="held"), replace(pistol, place="held"), *rest))
    stage.do("set_option", key="use_grapple", value=False)
    stage.edit(BO, sheet={**stage[BO].sheet, "natural_armor": 14})
    name, fields = stage.choose()
    assert (name, fields.get("weapon", pistol.id)) in (
        ("attack", pistol.id),
        ("aim", pistol.id),
        ("move", pistol.id),
    )
    stage.edit(BO, sheet={**stage[BO].sheet, "natural_armor": 99})
    assert stage.choose()[0] != "attack", "no throw has an Effect of 6"


@pytest.mark.parametrize("meters", [1, 2, 20])
@pytest.mark.parametrize("armor", [0, 5, 9, 18])
@pytest.mark.parametrize("weapon", ["assault_rifle", "dagger", "laser_pistol", "unarmed_strike"])
def test_a_plan_is_worth_what_the_odds_say(weapon: str, armor: int, meters: int) -> None:
    stage = face(meters, weapon, slug_rifle=2, piercing_weapons=2, energy_pistol=0, natural_weapons=1)
    stage.edit(BO, sheet={**stage[BO].sheet, "natural_armor": armor})
    items = tuple(replace(i, place="held") if i.data.get("id") == weapon else i for i in stage[ADA].items)
    stage.edit(ADA, items=items)
    attack = Attack(actor=ADA, target=BO, weapon=stage.weapon(ADA, weapon))
    plan = make_plan(stage.state, attack, find_mark(stage[BO]))
    if plan is None:
        assert not allows(check_attack, stage.state, attack) or not find_mean(stage, attack)
    else:
        assert plan.worth == pytest.approx(find_mean(stage, plan.command))


def find_mean(stage: Stage, attack: Attack) -> float:
    """The points that Bo loses on average, by the exact odds."""
    odds = find_odds(SYSTEM, stage.state, find_action(SYSTEM, "attack"), attack)
    return sum(each.mean for each in odds.distributions if each.who == BO and each.track == "points")


@pytest.mark.rule("CE-MINOR-15", "CE-STANCE-05")
def test_a_blade_is_brought_to_its_target_on_foot() -> None:
    stage = face(20, "cutlass", slashing_weapons=0)
    assert stage.choose() == ("move", {"to": f"near:{BO}", "far": True})
    stage.give(ADA, "prone")
    assert stage.choose() == ("stance", {"stance": "standing"})


def seat(stage: Stage, who: str, vehicle: str, station: str) -> None:
    stage.do("seat", target=who, vehicle=vehicle, station=station)


@pytest.mark.rule("CE-VEH-05")
def test_driver_stops_to_fight_and_vehicles_are_shot_before_crew() -> None:
    stage = Stage(SYSTEM)
    ada = stage.add("Ada", "allies", (0, 0), make_sheet("rifle", slug_rifle=0, wheeled_vehicle=0))
    car = stage.add("Car", "allies", (0, 0), block="core_ground_car")
    foe = stage.add("Bo", "enemies", (40, 0), make_sheet("rifle"))
    target = stage.add("Truck", "enemies", (40, 0), block="core_ground_car")
    seat(stage, ada, car, "driver")
    seat(stage, foe, target, "driver")
    stage.do("set_motion", target=car, speed=40, facing=90)
    stage.begin(ada, foe)
    assert stage.choose() == ("drive", {"speed": 0})
    stage.do("drive", ada, speed=0)
    assert stage.choose()[1]["target"] == target
    stage.give(target, "wreck")
    assert stage.choose()[1]["target"] == foe
    stage.give(car, "wreck")
    stage.edit(ada, items=())
    assert stage.choose() == ("get_out", {})


@pytest.mark.parametrize("kind", ["unconscious", "dead", "surrendered", "extended_action"])
def test_who_cannot_act_is_advised_nothing(kind: str) -> None:
    stage = face(5, "rifle", slug_rifle=0)
    stage.give(ADA, kind)
    assert stage.choose() == ("", {})
    other = face(5, "rifle", slug_rifle=0)
    other.give(BO, "dead" if kind == "dead" else "unconscious")
    assert other.choose() == ("", {})


@pytest.mark.slow
@pytest.mark.parametrize("system", [SYSTEM, QUICK], ids=["full", "quick"])
def test_forecasts_of_the_demo_come_to_an_end(system: System) -> None:
    endings = list(play_many(system, set_up(system).state, 20, seed=3))
    told = sum_up(endings)
    assert sum(told.wins.values()) > 0.8
    assert 1 < told.rounds < 30
    assert endings == list(play_many(system, set_up(system).state, 20, seed=3))


def test_chances_are_those_of_two_dice() -> None:
    assert [round(36 * count_chance(n)) for n in (-5, -4, 0, 1, 6)] == [0, 1, 15, 21, 36]
    assert [round(sum(36 * hit.chance for hit in HITS[n])) for n in (-5, -4, 0, 1, 6)] == [0, 1, 15, 21, 36]


# ---------------------------------------------------------------- suggestions


def helps(stage: Stage, **fields: Any) -> dict[str, float]:
    action = find_action(SYSTEM, "attack")
    command = read_command(action, {"actor": ADA, "target": BO, **fields})
    candidates = sure(SYSTEM.tactics.find_candidates)(stage.state, "attack", command)
    found = find_suggestions(SYSTEM, stage.state, action, command, candidates)
    return {one.candidate.label: one.gain for one in found}


@pytest.mark.rule("CE-MINOR-03", "CE-BURST-05")
def test_aiming_a_burst_and_another_weapon_improve_the_odds() -> None:
    stage = face(20, "assault_rifle", slug_rifle=1)
    assert set(helps(stage, weapon="f1-1")) == {"Aim first", "Spray 4 rounds"}
    two = face(2, "auto_pistol", "dagger", slug_pistol=0, piercing_weapons=3)
    assert "Use Dagger instead" in helps(two, weapon="f1-1")


def test_without_a_minor_action_nobody_is_told_to_aim() -> None:
    stage = face(20, "rifle", slug_rifle=1)
    stage.edit(ADA, budget={"minor": 0, "significant": 1})
    assert helps(stage, weapon="f1-1") == {}


# ---------------------------------------------------------------- targets worth considering

ARMS = st.lists(
    st.sampled_from(("assault_rifle", "submachinegun", "auto_pistol", "cutlass", "cudgel", "laser_pistol")),
    min_size=1,
    max_size=2,
    unique=True,
)
FOES = st.lists(
    st.tuples(
        st.sampled_from((1, 2, 8, 20, 60)), st.sampled_from(("", "mesh", "cloth", "combat_armor", "reflec"))
    ),
    min_size=1,
    max_size=3,
)


@given(ARMS, FOES, st.integers(-1, 5), st.booleans())
def test_what_cannot_be_the_best_is_left_out_and_nothing_else(
    arms: list[str], foes: list[tuple[int, str]], level: int, aims: bool
) -> None:
    stage = Stage(SYSTEM)
    skills = dict.fromkeys(("slug_rifle", "slug_pistol", "energy_pistol", "slashing_weapons"), level)
    stage.add("Ada", "allies", (0, 0), make_sheet(*arms, **(skills if level >= 0 else {})))
    for meters, armor in foes:
        stage.add("Zed", "enemies", (meters, 0), {**make_sheet("dagger"), "armor": [armor] if armor else []})
    stage.begin(ADA, BO)
    stage.edit(ADA, items=tuple(replace(i, place="held") for i in stage[ADA].items))
    if aims:
        stage.give(ADA, "aiming", level=1, marks={"target": BO})
    state, ada = stage.state, stage[ADA]
    foes_now = plans.find_foes(state, ada)
    for foe, weapon in itertools.product(foes_now, plans.find_weapons(state, ada)):
        plan = make_plan(state, Attack(actor=ADA, target=foe.id, weapon=weapon.id), find_mark(foe))
        assert plan is None or plan.worth <= find_most(ada, find_mark(foe), weapon, find_base(ada)) + EPSILON
    known = plans.find_best(state, ada, foes_now)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plans, "find_most", lambda *given: math.inf)
        assert plans.find_best(state, ada, foes_now) == known
