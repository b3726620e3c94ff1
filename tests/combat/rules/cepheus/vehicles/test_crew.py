"""Getting in and out, places, belts; drones and their operators; starships; the figure of a machine."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from combat.rules.cepheus.actions import find_pressing, find_unusual
from combat.rules.cepheus.book.options import find_option
from combat.rules.cepheus.characters import machinery
from combat.rules.cepheus.characters.sheet import find_blocks
from combat.rules.cepheus.fight.attacks.volleys import count_volley, volley_fields
from combat.rules.cepheus.fight.reactions import count_parry
from combat.rules.cepheus.fight.weapons import FLECHETTE, LOAD
from combat.rules.cepheus.sheet.wording import make_figure
from combat.rules.cepheus.world.economy import find_budget
from combat.rules.core.basics.dice.requests import RollRequest
from combat.rules.core.declaration.parts import Figure
from combat.rules.core.odds.planner import find_plans
from combat.rules.core.space import Point, plan_distance
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, replace
from tests.combat.rules.cepheus.vehicles.garage import Garage, two_dice
from tests.combat.rules.reading import find_part
from tests.typed import as_a, sure

# ---------------------------------------------------------------- places


@pytest.mark.rule("CE-VEH-08")
@pytest.mark.parametrize(
    ("speed", "told"), [(0, ()), (60, ("Car goes 60 km/h: the GM says what the jump does.",))]
)
def test_getting_in_or_out_in_motion_says_the_gm_rules_the_jump(
    stage: Garage, speed: int, told: tuple[str, ...]
) -> None:
    car = stage.vehicle()
    rider = stage.crew(car, "passenger")
    stage.begin(rider)
    stage.moving(car, speed)
    notes = stage.preview("get_out", rider).notes
    assert tuple(stage.system.draw(note, {car: "Car"}) for note in notes) == told
    walker = stage.hero("Bo", at=(2, 0))
    (option,) = stage.system.action("get_in").find_fields(stage.state, walker)[0].options
    assert option.detail == ("goes 60 km/h: the GM says what the jump does" if speed else "")


@pytest.mark.rule("CE-VEH-08")
def test_a_plan_gets_into_a_vehicle_before_it_drives(stage: Garage) -> None:
    stage.vehicle()
    walker = stage.hero("Bo", at=(2, 0))
    stage.begin(walker)
    action = stage.system.action("drive")
    (plan, *_) = find_plans(stage.system, stage.state, action, {"actor": walker})
    assert plan.key == "get_in drive"
    assert plan.parts[0].label == "Get into Car"
    assert find_plans(stage.system, stage.state, stage.system.action("break_off"), {"actor": walker}) == ()


@pytest.mark.rule("CE-VEH-08")
def test_controls_lead_for_a_passenger_only_while_nobody_drives(stage: Garage) -> None:
    car = stage.vehicle()
    driver, rider = stage.crew(car, "driver"), stage.crew(car, "passenger")
    stage.begin(driver)
    stage.moving(car, 60)
    assert find_pressing(stage.state, stage[driver])[0] == "drive"
    assert find_pressing(stage.state, stage[rider]) == ()
    assert "change_place" in find_unusual(stage.state, stage[rider])
    stage.give(driver, "unconscious")
    assert find_pressing(stage.state, stage[rider]) == ("change_place",)
    assert "change_place" not in find_unusual(stage.state, stage[rider])


@pytest.mark.rule("CE-COLL-07", "CE-VEH-08")
def test_one_gets_in_beside_it_changes_places_and_gets_out(stage: Garage) -> None:
    car, ada = stage.vehicle(), stage.hero(at=(2, 0))
    stage.begin(ada)
    stage.do("get_in", ada, target=car, station="passenger")
    assert (stage[ada].inside, stage[ada].station, stage[ada].at) == (car, "passenger", stage[car].at)
    assert stage[ada].marks["secured"] is True
    stage.turn(ada)
    stage.do("change_place", ada, station="driver")
    assert "secured" not in stage[ada].marks
    stage.do("strap_in", ada, secured=True)
    assert "is already strapped in" in stage.refused("strap_in", ada, secured=True).message
    stage.turn(ada)
    stage.do("get_out", ada)
    assert (stage[ada].inside, stage[ada].budget["minor"]) == ("", 0)
    assert "secured" not in stage[ada].marks
    assert "in no vehicle" in stage.refused("get_out", ada).message


@pytest.mark.rule("CE-VEH-08")
def test_a_vehicle_far_off_full_or_with_a_driver_is_refused(stage: Garage) -> None:
    car, ada = stage.vehicle(crew=1, passengers=1), stage.hero(at=(30, 0))
    stage.begin(ada)
    assert "30 m away" in stage.refused("get_in", ada, target=car).message
    stage.edit(ada, at=stage[car].at)
    stage.crew(car, name="Bo")
    assert "Bo is at the controls" in stage.refused("get_in", ada, target=car, station="driver").message
    assert "no vehicle" in stage.refused("get_in", ada, target=ada).message
    stage.crew(car, "passenger", name="Cy")
    assert "is full" in stage.refused("get_in", ada, target=car).message


@pytest.mark.rule("CE-MINOR-04")
@pytest.mark.parametrize(
    ("action", "fields"),
    [
        ("get_in", {"station": "passenger"}),
        ("change_place", {"station": "driver"}),
        ("drive", {}),
        ("get_out", {}),
    ],
)
def test_getting_in_and_out_and_driving_end_the_aim(
    stage: Garage, action: str, fields: dict[str, str]
) -> None:
    car = stage.vehicle()
    ada = stage.hero(at=(2, 0), skills={"wheeled_vehicle": 1})
    if action != "get_in":
        stage.seat(ada, car, "driver" if action == "drive" else "passenger")
    stage.moving(car, 20)
    stage.begin(ada)
    stage.give(ada, "aiming", marks={"target": ada})
    stage.do(action, ada, **({"target": car} if action == "get_in" else {}), **fields)
    assert not stage.has(ada, "aiming")


@pytest.mark.rule("CE-VDMG-03")
@pytest.mark.parametrize("kind", ["wreck", "destroyed"])
def test_nobody_gets_into_scrap(stage: Garage, kind: str) -> None:
    car, ada = stage.vehicle(), stage.hero()
    stage.begin(ada)
    stage.give(car, kind)
    assert "Car is scrap" in stage.refused("get_in", ada, target=car).message


@pytest.mark.rule("CE-VEH-01", "CE-VEH-08")
def test_a_driver_who_cannot_act_is_pushed_aside(stage: Garage) -> None:
    car = stage.vehicle()
    ada, bo = stage.crew(car, name="Ada"), stage.crew(car, "gunner", name="Bo")
    stage.begin(bo)
    assert "Ada is at the controls" in stage.refused("change_place", bo, station="driver").message
    stage.give(ada, "unconscious")
    stage.do("change_place", bo, station="driver")
    assert (stage[bo].station, stage[ada].station, stage[ada].inside) == ("driver", "passenger", car)


@pytest.mark.rule("CE-VEH-08")
def test_form_of_places_greys_the_controls_that_someone_holds(stage: Garage) -> None:
    car = stage.vehicle()
    stage.crew(car, name="Ada")
    bo = stage.crew(car, name="Bo", station="passenger")
    stage.begin(bo)
    (field,) = stage.system.action("change_place").find_fields(stage.state, bo)
    assert field.value == "gunner"
    assert "Ada is at the controls" in field.options[0].refused


@pytest.mark.rule("CE-VEH-02", "CE-VEH-04")
def test_those_inside_see_its_state_and_the_driver_its_motion(stage: Garage) -> None:
    car = stage.vehicle()
    ada, bo = stage.crew(car, name="Ada"), stage.crew(car, "passenger", name="Bo")
    stage.moving(car, 60, facing=90)

    def shown(who: str) -> dict[str, str]:
        found = stage.system.characters.facts_of(stage.state, stage[who])
        return {number.label: f"{number.shown}{number.unit}" for number in found}

    assert shown(bo)["Hull"] == "3"
    assert "Facing" not in shown(bo)
    assert (shown(ada)["Speed, km/h"], shown(ada)["Facing"]) == ("60", "90° (right)")
    assert shown(car)["Facing"] == "90° (right)"


@pytest.mark.rule("CE-VDMG-01")
def test_vehicle_shows_its_hull_and_structure_now_and_before(stage: Garage) -> None:
    car = stage.vehicle(hull=3, structure=4)
    stage.set_track(car, hull=1, structure=2)
    shown = {
        number.label: number.shown for number in stage.system.characters.facts_of(stage.state, stage[car])
    }
    assert (shown["Hull"], shown["Structure"]) == ("1", "2")
    figure = make_figure(stage.state, stage[car])
    assert figure is not None
    parts = {part.key: (part.now, part.most) for part in figure.parts}
    assert (parts["hull"], parts["structure"]) == ((1, 3), (2, 4))


@pytest.mark.rule("CE-REP-02")
def test_a_machine_is_drawn_anew_once_its_rig_has_run_out(stage: Garage) -> None:
    car = stage.vehicle()
    stage.hurt(car, "drive", 1)
    hurt, state = stage[car], stage.state
    (held,) = hurt.conditions
    rig = replace(held, marks={**held.marks, "rigged": 1, "rig_until": state.clock + 60})
    rigged = replace(hurt, conditions=(rig,))

    def draw(there: Combatant, clock: int) -> Figure:
        return sure(make_figure(replace(state, clock=clock), there))

    def tell(there: Combatant, clock: int) -> str:
        return str(sure(find_part(draw(there, clock), "drive")).text)

    assert tell(hurt, state.clock) == tell(rigged, state.clock + 60) == "speed 90%, control −1"
    assert tell(rigged, state.clock) == ""


@pytest.mark.rule("CE-VDMG-01")
def test_no_points_are_shown_where_hits_on_the_hull_are_counted() -> None:
    stage = Garage(vehicle_damage="flat")
    car = stage.vehicle()
    ada = stage.crew(car)
    for who in (car, ada):
        labels = {number.label for number in stage.system.characters.facts_of(stage.state, stage[who])}
        assert not labels & {"Hull", "Structure"}
        assert labels & {"Armor", "Vehicle armor"}


@pytest.mark.rule("CE-VEH-08")
def test_the_library_says_which_are_open(stage: Garage) -> None:
    blocks = find_blocks()
    named = {key for key, block in blocks.items() if block.sheet.get("open")}
    rafts, floaters = {"core_air_raft", "design_air_raft"}, {"core_grav_floater", "design_grav_floater"}
    assert named == rafts | floaters | {"design_grav_bike"}
    assert not blocks["core_ground_car"].sheet["open"]
    assert all({"hull", "structure"} <= block.sheet["attributes"].keys() for block in blocks.values()
               if block.sheet.get("kind") == "vehicle")  # fmt: skip


# ---------------------------------------------------------------- drones


@pytest.mark.rule("CE-XRANGE-04")
@pytest.mark.full_rules
@pytest.mark.parametrize("level", [2, 3])
def test_drone_shoots_at_extreme_range_with_its_operators_levels(stage: Garage, level: int) -> None:
    drone = stage.robot("Drone", drone=True, weapons=["rifle"])
    ada, foe = stage.hero(skills={"slug_rifle": level}), stage.foe(at=(1100, 0))
    stage.begin(drone, ada, foe)
    stage.do("assign_drone", target=drone, operator=ada)
    shot: dict[str, Any] = {"target": foe, "weapon": stage.item(drone, "rifle").id, "rested": True}
    if level == 3:
        assert level in [term.value for term in stage.preview("attack", drone, **shot).modifiers]
    else:
        assert "3 levels of skill" in stage.refused("attack", drone, **shot).message


@pytest.mark.rule("CE-REACT-12")
def test_a_drone_parries_with_the_skill_of_its_operator(stage: Garage) -> None:
    drone, ada = stage.robot("Drone", drone=True), stage.hero(skills={"natural_weapons": 2})
    assert count_parry(stage.state, stage[drone]) == find_option(stage.state, "parry_minimum")
    stage.do("assign_drone", target=drone, operator=ada)
    assert count_parry(stage.state, stage[drone]) == 2


@pytest.mark.rule("CE-MINOR-04", "CE-VDMG-01")
def test_drone_acts_when_its_operator_has_steered_it_with_skill(stage: Garage) -> None:
    drone = stage.robot("Drone", drone=True, weapons=["rifle"])
    ada, foe = stage.hero(skills={"slug_rifle": 3, "comms": 1}), stage.foe(at=(30, 0))
    stage.begin(ada, drone, foe)
    assert "steers no drone" in stage.refused("steer", ada, target=drone).message
    stage.do("assign_drone", target=drone, operator=ada)
    assert find_budget(stage.state, stage[drone])["significant"] == 0
    stage.give(ada, "aiming", marks={"target": foe})
    stage.do("steer", ada, target=drone)
    assert stage[ada].budget["significant"] == 0
    assert not stage.has(ada, "aiming")
    assert find_budget(stage.state, stage[drone])["significant"] == 1
    stage.turn(drone)
    terms = stage.preview("attack", drone, target=foe, weapon=stage.item(drone, "rifle").id).modifiers
    assert 3 in [term.value for term in terms]


# ---------------------------------------------------------------- starships


def ship(stage: Garage, **more: object) -> str:
    return stage.vehicle("Ship", tags=["starship"], side="enemies", at=(40, 0), hull=20, structure=20, **more)


@pytest.mark.rule("CE-SHIP-02")
@pytest.mark.parametrize(("points", "armor", "hits"), [(60, 0, 1), (60, 4, 0), (99, 0, 1), (49, 0, 0)])
def test_a_fiftieth_of_the_damage_meets_the_armor(stage: Garage, points: int, armor: int, hits: int) -> None:
    target = ship(stage, armor=armor)
    stage.strike(target, points, *([2] if hits else []))
    assert stage.tracks(target)[0] == 20 - hits


@pytest.mark.rule("CE-SHIP-04")
def test_each_weapon_beyond_the_first_adds_half_its_dice() -> None:
    gun = ("a", 16, 2, 0)
    assert count_volley((gun,) * 4) == 40
    assert count_volley((("a", 5, 0, 0), ("b", 16, 0, 0))) == 16 + 2


@pytest.mark.rule("CE-SHIP-01", "CE-SHIP-03", "CE-SHIP-04")
def test_a_volley_rolls_for_each_and_adds_up_what_hits(stage: Garage) -> None:
    target = ship(stage, armor=0)
    people = [stage.hero(name, weapons=["fgmp"], skills={"heavy_weapons": 2}) for name in ("Ada", "Bo", "Cy")]
    stage.begin(*people)
    hits = [(2, 2), (4, 4), (1, 2)]  # totals of 8, 12 and 7
    rolled = [*hits, (3,) * 24, two_dice(2)]  # 16 + 8 dice: 72 and the Effect, a fiftieth is 1
    stage.do("volley", target=target, firers=people, dice=rolled)
    assert len(stage.checks("check.attack")) == 3
    assert stage.tracks(target)[0] == 19


@pytest.mark.rule("CE-SHIP-01", "CE-SHIP-03")
def test_a_shot_that_reaches_one_of_two_ships_is_on_offer(stage: Garage) -> None:
    far = stage.vehicle("Far", tags=["starship"], side="enemies", at=(90_000, 0))
    ada, bo = stage.hero("Ada", weapons=["fgmp"]), stage.hero("Bo", weapons=["fgmp"])
    stage.begin(ada, bo)

    def find_offers() -> dict[str, str]:
        (firers,) = (field for field in volley_fields(stage.state, "") if field.name == "firers")
        return {choice.label: choice.refused for choice in firers.options}

    assert all(find_offers().values()), "one that is too far away"
    near = ship(stage)
    offers = find_offers()
    assert [label.partition(":")[0] for label in offers] == ["Ada", "Bo"]
    assert not any(offers.values()), "it reaches the first"
    stage.edit(near, at=Point(90_000, 10))
    assert all(find_offers().values()), find_offers()
    stage.edit(far, at=Point(40, 0))
    assert not any(find_offers().values()), "it reaches the second"


@pytest.mark.rule("CE-MINOR-03", "CE-SHIP-03")
def test_a_volley_uses_up_the_aim_of_who_fires(stage: Garage) -> None:
    target = ship(stage)
    ada = stage.hero(weapons=["rifle"], skills={"slug_rifle": 0})
    stage.begin(ada)
    stage.give(ada, "aiming", level=2, marks={"target": target})
    stage.do("volley", target=target, firers=[ada], dice=[(1, 1), (1, 1, 1)])
    assert stage.check("check.attack").total == 2 + 4 + 2
    assert not stage.has(ada, "aiming")


@pytest.mark.rule("CE-SHIP-03", "CE-MINOR-07", "CE-COND-06", "CE-XRANGE-08")
@pytest.mark.parametrize(
    ("meters", "cloud", "kill", "dice"),
    [(30, False, 3, "5d6+6"), (30, True, 0, "5d6-10"), (1500, False, 0, "3d6")],
)
def test_a_shot_of_a_volley_does_what_the_same_shot_does_alone(
    stage: Garage, meters: int, cloud: bool, kill: int, dice: str
) -> None:
    """RULING R28"""
    target = ship(stage, armor=0)
    stage.edit(target, at=Point(meters, 0))
    ada = stage.hero(weapons=["laser_rifle"], skills={"energy_rifle": 3})
    if cloud:
        stage.zone("cloud", x=9, y=-5, width=2, depth=10, terrain=["aerosol"])
    stage.begin(ada)
    if kill:
        stage.give(ada, "aiming_kill", level=kill, marks={"target": target})
    stage.do("volley", target=target, firers=[ada], dice=[(6, 6), (1,) * int(dice[0])])
    assert as_a(stage.asked[-1], RollRequest).dice == dice


@pytest.mark.rule("CE-SHIP-03", "CE-SHOT-01", "CE-SHOT-02", "CE-SHOT-03")
@pytest.mark.parametrize(("meters", "dm", "dice"), [(10, 0, "4d6"), (30, 1, "2d6"), (100, 1, "2d6")])
@pytest.mark.full_rules
def test_volley_flechettes_act_as_in_a_shot_on_the_ship_alone(
    stage: Garage, meters: int, dm: int, dice: str
) -> None:
    """RULING R28"""
    target = ship(stage, armor=0)
    stage.edit(target, at=Point(meters, 0))
    ada = stage.hero(weapons=["shotgun"], skills={"shotgun": 3})
    beside = stage.foe("Zed", at=(meters + 1, 0))
    stage.change_item(ada, "shotgun", marks={LOAD: FLECHETTE})
    stage.begin(ada)
    stage.do("volley", target=target, firers=[ada], dice=[(6, 6), (6,) * int(dice[0])])
    found = [term.value for term in stage.check("check.attack").modifiers if term.rule == "CE-SHOT-03"]
    assert (sum(found), as_a(stage.asked[-1], RollRequest).dice) == (dm, dice)
    assert stage.body(beside) == (7, 7, 7)


@pytest.mark.rule("CE-SHIP-02", "CE-SHIP-03", "CE-SHIP-04")
def test_the_effect_of_the_weapon_with_the_most_dice_counts(stage: Garage) -> None:
    target = ship(stage, armor=0)
    bo = stage.hero("Bo", weapons=["rifle"], skills={"slug_rifle": 0})
    ada = stage.hero("Ada", weapons=["fgmp"], skills={"heavy_weapons": 2})
    stage.begin(bo, ada)
    loaded = sure(stage.item(bo, "rifle").loaded)
    rolled = [(2, 2), (3, 2), (3,) * 15 + (2, 2), two_dice(2)]  # 16 + 1 dice: 49, and Effect 1 makes it 50
    stage.do("volley", target=target, firers=[bo, ada], dice=rolled)
    assert [check.total for check in stage.checks("check.attack")] == [8, 9]
    assert stage.tracks(target)[0] == 19
    assert stage.item(bo, "rifle").loaded == loaded - 1


@pytest.mark.rule("CE-SHIP-03", "CE-BURST-02", "CE-BURST-07")
@pytest.mark.parametrize(("burst", "total", "dice"), [("spray", 6 + 4 + 1, 3), ("grouped", 6 + 4, 4)])
def test_who_fires_in_a_volley_chooses_the_weapon_and_the_burst(
    stage: Garage, burst: str, total: int, dice: int
) -> None:
    target = ship(stage, armor=0)
    ada = stage.hero(weapons=["assault_rifle"], skills={"slug_rifle": 0})
    stage.begin(ada)
    rifle = stage.item(ada, "assault_rifle")
    firer = f"{ada}|{rifle.id}|4|{burst}"
    stage.do("volley", target=target, firers=[firer], dice=[(3, 3), (1,) * dice])
    assert stage.check("check.attack").total == total
    assert stage.item(ada, "assault_rifle").loaded == sure(rifle.loaded) - 4


@pytest.mark.rule("CE-SHIP-03")
def test_the_form_of_a_volley_lists_each_weapon_with_its_bursts(stage: Garage) -> None:
    ship(stage)
    ada = stage.hero(weapons=["assault_rifle"], skills={"slug_rifle": 0})
    stage.begin(ada)
    rifle = stage.item(ada, "assault_rifle").id
    _, firers = stage.system.action("volley").find_fields(stage.state, "")
    assert [(option.value, option.detail) for option in firers.options] == [
        (f"{ada}|{rifle}|1|", ""),
        (f"{ada}|{rifle}|4|spray", "4 rounds, sprayed"),
        (f"{ada}|{rifle}|4|grouped", "4 rounds, grouped"),
    ]


@pytest.mark.rule("CE-SHIP-03")
@pytest.mark.parametrize("rest", ["nothing|1|", "f2-w1|many|", "f2-w1|1|wild"])
def test_a_shot_that_a_volley_does_not_know_is_refused(stage: Garage, rest: str) -> None:
    target, ada = ship(stage), stage.hero(weapons=["rifle"], skills={"slug_rifle": 0})
    stage.begin(ada)
    assert stage.refused("volley", target=target, firers=[f"{ada}|{rest}"]).code == "bad_value"


@pytest.mark.rule("CE-SHIP-03")
def test_volley_is_for_starships_and_each_able_firer_fires_once(stage: Garage) -> None:
    car, bo, target = stage.vehicle(), stage.hero("Bo"), ship(stage)
    ada = stage.hero(weapons=["fgmp"], skills={"heavy_weapons": 2})
    assert "no starship" in stage.refused("volley", target=car, firers=[ada]).message
    assert stage.refused("volley", target=target, firers=[]).code == "bad_value"
    assert stage.refused("volley", target=target, firers=[bo]).message
    stage.begin(ada)
    assert "each of them once" in stage.refused("volley", target=target, firers=[ada, ada]).message
    stage.give(ada, "unconscious")
    assert "Ada cannot fire" in stage.refused("volley", target=target, firers=[ada]).message


# ---------------------------------------------------------------- the figure


def test_vehicle_figure_shows_its_parts_and_what_can_be_repaired(stage: Garage) -> None:
    car = stage.vehicle(mounts=[{"weapon": "triple_laser", "mount": "turret"}])
    stage.hurt(car, "drive", 2)
    stage.set_track(car, hull=0)
    figure = make_figure(stage.state, stage[car])
    assert figure is not None
    assert figure.shape == "vehicle"
    drive, hull, sensors = (find_part(figure, key) for key in ("drive", "hull", "sensors"))
    assert drive is not None
    assert hull is not None
    assert sensors is not None
    assert (drive.now, drive.most, drive.text) == (1, 3, "speed 75%, control \N{MINUS SIGN}2")
    assert [name for name, _ in drive.actions] == ["rig", "repair"]
    assert (hull.level, hull.track) == (3, "hull")
    assert (sensors.level, sensors.actions) == (0, ())
    assert find_part(figure, stage[car].items[0].id)


def test_the_figure_of_a_robot_has_limbs(stage: Garage) -> None:
    robot = stage.robot()
    stage.hurt(robot, "limb", 2, "limb_2")
    figure = make_figure(stage.state, stage[robot])
    assert figure is not None
    limb = find_part(figure, "limb_2")
    assert limb is not None
    assert (limb.level, limb.now) == (3, 0)


# ---------------------------------------------------------------- other texts


@pytest.mark.rule("CE-VEH-02")
def test_gm_says_how_fast_a_vehicle_goes_and_where_it_faces(stage: Garage) -> None:
    car, ada = stage.vehicle(), stage.hero()
    stage.do("set_motion", target=car, speed=80, facing=450)
    assert (stage[car].marks["speed_kph"], stage[car].marks["facing"]) == (80, 90)
    assert stage.refused("set_motion", target=car, speed=101).code == "bad_value"
    assert "no vehicle" in stage.refused("set_motion", target=ada, speed=1).message


def test_who_is_taken_out_of_a_vehicle_stands_beside_it(stage: Garage) -> None:
    car = stage.vehicle()
    ada = stage.crew(car)
    stage.do("seat", target=ada, vehicle="")
    assert stage[ada].inside == ""
    assert stage.told(e.Boarded)


def test_on_the_flat_table_figure_and_health_count_hull_hits() -> None:
    """RULING R66"""
    stage = Garage(vehicle_damage="flat")
    car = stage.vehicle(hull=20)
    figure = make_figure(stage.state, stage[car])
    assert figure
    assert [part.key for part in figure.parts] == ["hull", "armor", "drive", "sensors"]
    assert stage.system.characters.health(stage[car]).word == "health.intact"
    stage.land(car, 2, 8)
    hull = find_part(sure(make_figure(stage.state, stage[car])), "hull")
    assert hull
    assert (hull.now, hull.most) == (1, 3)
    health = stage.system.characters.health(stage[car])
    assert (health.now, health.most, health.word) == (1, 3, "health.breached")
    other = Garage(vehicle_damage="flat", flat_hull="hull_points")
    car = other.vehicle()
    other.land(car, 2)
    health = other.system.characters.health(other[car])
    assert (health.now, health.most) == (4, 5)
    assert find_part(sure(make_figure(other.state, other[car])), "structure")


def test_the_numbers_of_a_vehicle_say_how_it_drives(stage: Garage) -> None:
    car = stage.vehicle(agility=1)
    stage.moving(car, 60)
    stage.hurt(car, "drive", 2)
    numbers = {n.label: n.shown for n in stage.system.characters.facts_of(stage.state, stage[car])}
    assert (numbers["Speed, km/h"], numbers["Top speed"]) == ("60", "75")
    assert numbers["Control"] == "\N{MINUS SIGN}1"
    assert "Top speed" not in {
        n.label for n in stage.system.characters.facts_of(stage.state, stage[stage.robot()])
    }


def list_apart(stage: Garage, *people: str) -> list[float]:
    """How far apart each two of these are, in meters."""
    pairs = combinations([stage[who].at for who in people], 2)
    return [max(abs(one.x - other.x), abs(one.y - other.y)) for one, other in pairs]


@pytest.mark.rule("CE-VEH-08")
@pytest.mark.parametrize("meters", [2, 4])
def test_those_who_get_out_stand_beside_vehicle_and_each_other(stage: Garage, meters: float) -> None:
    car = stage.vehicle(metres=meters)
    riders = [stage.crew(car, "passenger", name=name) for name in ("Bo", "Cy", "Di")]
    stage.hero(at=(2, 0))
    stage.begin(*riders)
    for rider in riders[:2]:
        stage.turn(rider)
        stage.do("get_out", rider)
    stage.do("seat", target=riders[2], vehicle="")
    assert min(list_apart(stage, car, *riders)) >= max(1, meters / 2)
    assert max(plan_distance(stage[car].at, stage[rider].at) for rider in riders) < meters + 3


@pytest.mark.rule("CE-VEH-08")
@pytest.mark.parametrize("begun", [True, False])
def test_riders_of_a_vehicle_that_leaves_stand_apart(stage: Garage, begun: bool) -> None:
    """RULING R100: nobody strapped in nowhere, and no two on one spot."""
    car = stage.vehicle(metres=4)
    riders = [stage.crew(car, "passenger", name=name) for name in ("Bo", "Cy", "Di")]
    hero = stage.hero(at=(2, 0))
    if begun:
        stage.begin(*riders)
    stage.do("remove", target=car)
    assert [stage[rider].inside for rider in riders] == ["", "", ""]
    assert min(list_apart(stage, hero, *riders)) >= 1
    assert not any(stage[rider].marks.get(machinery.SECURED) for rider in riders)


@pytest.mark.rule("CE-VEH-08")
def test_who_gets_out_between_walls_stays_on_this_side_of_them(stage: Garage) -> None:
    car = stage.vehicle()
    rider = stage.crew(car, "passenger")
    x, y = stage[car].at.x, stage[car].at.y
    walls = [{"id": f"w{n}", "x1": x - 9, "y1": y + n, "x2": x + 9, "y2": y + n} for n in (-1, 1)]
    stage.do("set_map", map={"walls": walls})
    stage.begin(rider)
    stage.do("get_out", rider)
    assert abs(stage[rider].at.y - y) < 1 <= abs(stage[rider].at.x - x)
