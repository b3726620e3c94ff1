"""The tactics with grenades, in a grapple and behind a wheel; and their answers to questions."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus import SYSTEM
from combat.rules.cepheus.demo import CAR, DRIVER, SARN
from combat.rules.cepheus.demo import ROAD_SETUP as SETUP
from combat.rules.cepheus.fight.explosives.blasts import Blast, explode
from combat.rules.cepheus.fight.grapple import find_best_option
from combat.rules.cepheus.quick import SYSTEM as QUICK
from combat.rules.cepheus.tactics.chases import find_driving
from combat.rules.cepheus.tactics.plans import weigh_contest
from combat.rules.core.declaration.system import System
from combat.rules.core.odds.forecast import play_many, sum_up
from combat.rules.core.space import Point, Scene, Zone
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.fight.range import RangeStage, duel
from tests.combat.rules.cepheus.figures import ADA, BO
from tests.combat.rules.cepheus.vehicles.garage import Garage
from tests.combat.rules.stage import Stage

# ---------------------------------------------------------------- grenades


def squad(meters: float = 20, apart: float = 4, *weapons: str) -> RangeStage:
    """Ada with a frag grenade, Bo and Cy beside each other."""
    stage = duel("grenade_frag", meters)
    stage.join("Cy", meters + apart, side="enemies")
    stage.arm(ADA, *(weapons or ("grenade_frag",)))
    return stage


@pytest.mark.rule("CE-EXPL-01", "CE-THROW-02")
def test_a_grenade_is_thrown_between_two_enemies() -> None:
    stage = squad()
    name, fields = stage.choose()
    assert (name, fields["to"]) == ("lob", f"between:{BO}:f4")
    stage.do(name, ADA, dice=[(6, 5), (1, 1, 1, 1, 1)], **fields)
    assert stage[BO].tracks["end"] == 2


def test_grenade_on_the_belt_is_drawn_before_it_is_thrown() -> None:
    stage = squad(20, 4, "auto_pistol", "grenade_frag")
    stage.skilled(ADA, slug_pistol=0, athletics=1)
    pistol, grenade = stage[ADA].items[:2]
    stage.edit(ADA, items=(pistol, replace(grenade, place="carried")))
    assert stage.choose() == ("ready", {"weapon": grenade.id})
    stage.do("ready", ADA, weapon=grenade.id)
    assert stage.choose()[0] == "lob"
    stage.edit(ADA, budget={"minor": 0, "significant": 1}, items=(pistol, replace(grenade, place="carried")))
    assert stage.choose()[0] == "attack"


def test_nobody_throws_where_their_own_side_stands() -> None:
    stage = squad()
    stage.join("Di", 31)
    assert stage.choose()[0] not in ("lob", "attack")
    near = squad(6)
    assert near.choose()[0] not in ("lob", "attack")


@pytest.mark.parametrize("system", [SYSTEM, QUICK], ids=["full", "quick"])
@pytest.mark.parametrize("weapon", ["rocket_launcher", "grenade_launcher", "ram_grenade_launcher"])
@pytest.mark.parametrize("meters", [12, 30, 60])
def test_an_empty_launcher_is_loaded_and_fired_again(system: System, weapon: str, meters: float) -> None:
    """It is loaded at a distance, not once the enemy is inside its blast."""
    stage = duel(weapon, meters, system=system)
    launcher = replace(stage[ADA].items[0], loaded=0, spares=5)
    stage.edit(ADA, items=(launcher, *stage[ADA].items[1:]))
    for _ in range(6):
        stage.turn(ADA)
        while (chosen := stage.choose())[0] not in ("", "attack"):
            assert chosen[0] != "move", "it comes no closer"
            stage.do(chosen[0], ADA, **chosen[1])
        if chosen[0]:
            break
    assert chosen == ("attack", {"target": BO, "weapon": launcher.id})


@pytest.mark.parametrize("system", [SYSTEM, QUICK], ids=["full", "quick"])
@pytest.mark.parametrize("weapon", ["grenade_launcher", "grenade_frag"])
def test_person_in_their_own_blast_steps_back_if_that_suffices(system: System, weapon: str) -> None:
    """One that is no better from there is not worth the steps: nobody flees for ever from who follows."""
    stage = duel(weapon, 8, system=system)
    stage.skilled(ADA, athletics=1, heavy_weapons=1)
    name, fields = stage.choose()
    assert (name, fields["to"]) == ("move", f"away:{BO}")
    stage.do(name, ADA, **fields)
    assert stage.choose()[0] == "attack"
    for meters, skill in ((3, 1), (8, -3)):
        near = duel(weapon, meters, system=system)
        near.skilled(ADA, athletics=skill, heavy_weapons=skill)
        assert near.choose()[1].get("to") != f"away:{BO}"


def test_a_single_enemy_in_armor_is_rather_shot_at() -> None:
    stage = squad(20, 40, "auto_pistol", "grenade_smoke")
    stage.skilled(ADA, slug_pistol=2)
    stage.aimed(ADA, BO, 6)
    assert stage.choose()[1]["weapon"] == stage[ADA].items[0].id


@pytest.mark.rule("CE-EXPL-04")
@pytest.mark.parametrize(("dice", "default"), [("5d6", "dive"), ("3d6", "dive"), ("2d6", "none")])
def test_without_people_one_dives_from_what_would_take_half(dice: str, default: str) -> None:
    stage = duel(ready=True)
    bomb = Blast(by=ADA, at=stage[BO].at, weapon="bomb", rings=((3.0, dice),))
    stage.run(lambda context: explode(context, bomb), ["none", (1,) * int(dice[0])])
    (question,) = stage.questions()
    assert question.default == default
    assert f"{dice.upper()} damage" in question.question


# ---------------------------------------------------------------- grapples


def ring(**skills: int) -> RangeStage:
    """Ada beside Bo, both unarmed."""
    stage = duel("unarmed_strike", 1)
    stage.skilled(ADA, **({"natural_weapons": 0} | skills))
    stage.skilled(BO, natural_weapons=0)
    return stage


def test_who_is_trained_grabs_and_holds_on() -> None:
    stage = ring(natural_weapons=2)
    assert stage.choose()[0] == "attack", "a blow does more than a grip that the other may win"
    stage.edit(BO, sheet={**stage[BO].sheet, "skills": {}})
    assert stage.choose() == ("grapple", {"target": BO})
    assert ring().choose()[0] == "attack"
    stage.give(ADA, "grappled", by=BO)
    stage.give(BO, "grappled", by=ADA)
    assert stage.choose() == ("grapple", {"target": BO})
    assert stage.choose(BO)[0] == ""
    stage.turn(BO)
    assert stage.choose(BO) == ("grapple", {"target": ADA})


def test_a_table_without_grappling_is_advised_none() -> None:
    stage = ring(natural_weapons=2)
    stage.do("set_option", key="use_grapple", value=False)
    assert stage.choose()[0] == "attack"


def test_what_a_check_is_worth() -> None:
    assert weigh_contest(0, 0) == pytest.approx(2928 / 36**2)
    assert weigh_contest(20, 0) == 22
    assert weigh_contest(0, 20) == 0


@pytest.mark.parametrize(
    ("armor", "weapon", "effect", "option"),
    [
        ([], "", 1, "damage"),
        (["jack"], "", 1, "hold"),
        (["cloth"], "", 1, "escape"),
        (["cloth"], "dagger", 1, "disarm"),
        ([], "dagger", 6, "disarm"),
        ([], "dagger", 1, "damage"),
    ],
)
def test_what_a_winner_does_unless_they_say(armor: list[str], weapon: str, effect: int, option: str) -> None:
    stage = duel("unarmed_strike", 1, foe={"armor": armor})
    worn = tuple(item for item in stage[BO].items if item.kind == "armor")
    if weapon:
        stage.arm(BO, weapon)
    else:
        stage.edit(BO, items=worn)
    assert find_best_option(stage.state, BO, effect) == option


# ---------------------------------------------------------------- chases


class Chase(Garage):
    """Ada drives a car, a truck with a driver is this far ahead on the road."""

    def __init__(self, meters: float, *, skill: int = 1, speed: int = 60) -> None:
        super().__init__()
        self.car = self.vehicle("Car")
        self.ada = self.crew(self.car, skills={"wheeled_vehicle": skill})
        self.truck = self.vehicle("Truck", side="enemies", at=(meters, 0))
        self.bo = self.crew(self.truck, name="Bo", side="enemies", skills={"wheeled_vehicle": skill})
        self.moving(self.car, 40, 90)
        self.moving(self.truck, speed, 90)
        self.begin(self.ada, self.bo)

    def mark(self, who: str, **marks: Any) -> None:
        self.edit(who, marks={**self[who].marks, **marks})

    def town(self) -> None:
        """Lay obstacles everywhere."""
        town = Zone("town", "Town", -500, -500, 2000, 1000, terrain=("obstacles",))
        self.state = replace(self.state, scene=Scene(zones=(town,)))


@pytest.mark.rule("CE-VEH-06")
def test_one_who_drives_away_is_pursued_and_one_nearby_is_fought() -> None:
    far = Chase(100)
    name, fields = far.choose(far.ada)
    assert (name, fields) == ("drive", {"why": "pursue", "to": "80.0,0.0", "target": far.truck})
    far.do(name, far.ada, **fields)
    assert far[far.car].at == Point(80, 0)
    assert far[far.car].marks["pursues"] == far.truck
    near = Chase(40)
    assert near.choose(near.ada)[1]["why"] == "pursue"
    near.moving(near.truck, 0, 90)
    assert near.choose(near.ada) == ("drive", {"speed": 0})
    near.moving(near.truck, 60, 270)
    assert near.choose(near.ada) == ("drive", {"speed": 0}), "it comes"


def test_one_who_drives_away_is_followed_where_chases_are_off() -> None:
    """RULING R61"""
    far = Chase(100)
    far.do("set_option", key="use_chases", value=False)
    name, fields = far.choose(far.ada)
    assert (name, fields) == ("drive", {"why": "obstacles", "to": "80.0,0.0"})
    far.do(name, far.ada, **fields)
    assert "pursues" not in far[far.car].marks


@pytest.mark.rule("CE-VEH-05", "CE-VEH-06")
def test_pursued_driver_goes_on_and_stops_for_nobody_far_behind() -> None:
    chase = Chase(40)
    chase.turn(chase.bo)
    assert chase.choose(chase.bo) == ("evade", {"speed": 100})
    chase.edit(chase.bo, budget={"minor": 1, "significant": 0})
    assert chase.choose(chase.bo) == ("drive", {"speed": 100})
    chase.zone("wreckage", x=150, y=-20, width=40, depth=40, terrain=["obstacles"])
    assert chase.choose(chase.bo) == ("drive", {"speed": 60}), "as fast as the road is free"
    chase.moving(chase.car, 0, 90)
    assert chase.choose(chase.bo) == ("drive", {"speed": 0}), "who stands near is fought"
    chase.edit(chase.car, at=Point(-100, 0))
    assert chase.choose(chase.bo) == ("drive", {"speed": 60})


@pytest.mark.rule("CE-VACT-25")
def test_nobody_pursues_for_ever_who_is_no_slower() -> None:
    chase = Chase(100, speed=100)
    chase.mark(chase.car, pursues=chase.truck)
    assert chase.choose(chase.ada)[0] == "drive"
    chase.state = replace(chase.state, round=10)
    assert chase.choose(chase.ada) == ("break_off", {})
    chase.moving(chase.truck, 60, 90)
    assert chase.choose(chase.ada)[0] == "drive"


def test_the_pursuer_of_the_demo_pursues_and_the_pursued_flees() -> None:
    stage = Stage(SYSTEM)
    for step in SETUP:
        stage.do(step.name, dice=step.answers, **step.command)
    stage.begin(SARN, DRIVER)
    assert stage.choose(SARN)[0] == "evade"
    stage.turn(DRIVER)
    name, fields = stage.choose(DRIVER)
    assert (name, fields["why"], fields["target"]) == ("drive", "pursue", CAR)


def test_no_faster_one_is_pursued() -> None:
    chase = Chase(100)
    chase.hurt(chase.car, "drive", 3)
    assert chase.choose(chase.ada)[0] != "drive"


@pytest.mark.rule("CE-VACT-24", "CE-VACT-25")
@pytest.mark.parametrize(("number", "name"), [(1, "weave"), (3, "break_off")])
def test_a_weave_is_matched_if_that_is_likely_to_go_well(number: int, name: str) -> None:
    chase = Chase(100, skill=2)
    chase.town()
    chase.mark(chase.car, pursues=chase.truck, must_weave=number)
    assert chase.choose(chase.ada)[0] == name


def test_a_quarry_that_is_done_for_is_left_alone() -> None:
    chase = Chase(100)
    chase.mark(chase.car, pursues=chase.truck)
    chase.give(chase.bo, "unconscious")
    chase.vehicle("Other truck", side="enemies", at=(300, 0))
    stray = chase.hero("Cy", side="enemies", at=(90, 0))
    assert chase[stray].side == "enemies"
    assert chase.choose(chase.ada) == ("break_off", {})


@pytest.mark.rule("CE-VACT-20", "CE-VACT-03")
def test_pursued_driver_weaves_where_possible_and_else_evades() -> None:
    chase = Chase(100, skill=4)
    chase.mark(chase.car, pursues=chase.truck)
    chase.turn(chase.bo)
    assert chase.choose(chase.bo) == ("evade", {"speed": 100})
    chase.give(chase.truck, "evading", level=2)
    assert chase.choose(chase.bo) == ("evade", {"speed": 100})  # that of the last turn ends
    chase.town()
    name, fields = chase.choose(chase.bo)
    assert (name, fields) == ("weave", {"number": 2})
    chase.do("set_option", key="use_chases", value=False)
    assert chase.choose(chase.bo)[0] != "weave"


@pytest.mark.rule("CE-VEH-05", "CE-VEH-08")
def test_passenger_takes_the_controls_of_a_driver_who_cannot_act() -> None:
    chase = Chase(40)
    guard = chase.crew(chase.truck, "passenger", name="Guard", side="enemies")
    chase.turn(guard)
    assert chase.choose(guard)[0] != "change_place"
    chase.give(chase.bo, "dead")
    assert chase.choose(guard) == ("change_place", {"station": "driver"})
    dog = chase[guard].sheet | {"kind": "animal"}
    assert find_driving(chase.state, replace(chase[guard], sheet=dog), []) is None
    chase.do("change_place", guard, station="driver")
    chase.moving(chase.car, 0, 90)
    name, fields = chase.choose(guard)
    assert (name, fields) == ("drive", {"speed": 0}), "the significant action is given up for it"
    chase.do(name, guard, **fields)
    chase.seat(guard, chase.truck)
    chase.turn(guard)
    assert chase.choose(guard)[0] != "change_place", "a car that stands still can wait"


@pytest.mark.rule("CE-VMOUNT-01")
@pytest.mark.parametrize(("station", "name"), [("gunner", "attack"), ("passenger", "")])
def test_who_sits_at_the_guns_fires_them(station: str, name: str) -> None:
    stage = Garage()
    tank = stage.vehicle("Tank", mounts=[{"weapon": "triple_laser", "mount": "turret"}])
    ada = stage.crew(tank, station)
    truck = stage.vehicle("Truck", side="enemies", at=(40, 0))
    stage.begin(ada, stage.crew(truck, name="Bo", side="enemies"))
    stage.edit(ada, budget={"minor": 0, "significant": 1})
    chosen, fields = stage.choose(ada)
    assert (chosen, fields.get("weapon", "").split("-")[0]) == (name, tank if name else "")


def test_a_forecast_of_the_road_comes_to_an_end() -> None:
    stage = Stage(SYSTEM)
    for step in SETUP:
        stage.do(step.name, dice=step.answers, **step.command)
    told = sum_up(list(play_many(SYSTEM, stage.state, 10, seed=3)))
    assert sum(told.wins.values()) + sum(told.escapes.values()) > 0.8
    assert told.escapes["couriers"] > 0.25 > told.wins.get("raiders", 0), "who drives away is not beaten"
    assert told.rounds > 5, "a car that drives on is followed, and has not fled in its first turn"
    stage.give(DRIVER, "dead")
    told = sum_up(list(play_many(SYSTEM, stage.state, 10, seed=3)))
    assert sum(told.wins.values()) + sum(told.escapes.values()) > 0.8, "the gunman takes the controls"


# ---------------------------------------------------------------- hopeless and dangerous shots


@pytest.mark.rule("CE-MOD-06")
def test_nobody_shoots_without_a_chance_but_may_take_aim() -> None:
    stage = duel("rifle", 20, ready=True)
    stage.skilled(ADA, slug_rifle=0)
    stage.edit(BO, marks={**stage[BO].marks, "moved_m": "100.00"})
    assert stage.choose() == ("move", {"to": f"near:{BO}", "far": True})
    stage.edit(ADA, sheet={**stage[ADA].sheet, "move_m": 0})
    assert stage.choose() == ("aim", {"target": BO})
    stage.edit(ADA, budget={"minor": 0, "significant": 1})
    assert stage.choose() == ("aim", {"target": BO}), "the significant action is of no other use"
    stage.edit(BO, marks={**stage[BO].marks, "moved_m": "300.00"})
    stage.edit(ADA, budget={"minor": 1, "significant": 1})
    assert stage.choose() == ("", {})


@pytest.mark.rule("CE-INTO-02")
def test_a_miss_that_may_hit_a_friend_counts() -> None:
    stage = duel("rifle", 20, ready=True)
    stage.skilled(ADA, slug_rifle=0)
    stage.edit(ADA, budget={"minor": 0, "significant": 1})
    assert stage.choose()[0] == "attack"
    stage.join("Cy", 20.5)
    assert stage.choose()[0] != "attack"
    stage.aimed(ADA, BO, 6)
    assert stage.choose()[0] == "attack"
