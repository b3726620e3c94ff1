"""Repairs: rigs, parts, systems, Hull, Structure, time and money."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.characters import machinery
from combat.rules.cepheus.turn.tasks import finish_task
from combat.rules.cepheus.vehicles import repairs
from combat.rules.cepheus.vehicles.repairs import count_spares, find_damaged
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.commands.commands import Field
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Condition, replace
from combat.rules.core.wording import describe_facts
from tests.combat.rules.cepheus.vehicles.garage import Garage
from tests.combat.rules.stage import Die, Given

HOUR = 3600


class Shop(Garage):
    """A car with a hit on its drive, and a mechanic with Mechanics 1."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.car = self.vehicle(model="core_ground_car")
        self.smith = self.hero("Smith", skills={"mechanics": 1, "electronics": 2})
        self.hurt(self.car, "drive", 1)

    def fix(self, name: str, *dice: Die, **fields: Any) -> None:
        self.do(name, target=self.car, by=self.smith, dice=dice, **fields)

    def rig_now(self, tens_of_rounds: int) -> Condition:
        """Begin a rig of the drive in a fight; return the task."""
        self.do("rig_now", self.smith, target=self.car, part="drive", dice=[tens_of_rounds])
        (task,) = [held for held in self[self.smith].conditions if held.kind == "extended_action"]
        return task

    def aboard(self) -> None:
        """Begin a fight with the mechanic in the car."""
        self.seat(self.smith, self.car)
        self.begin(self.smith)

    def later(self, seconds: int) -> None:
        self.state = replace(self.state, clock=self.state.clock + seconds)

    @property
    def top(self) -> float:
        return machinery.find_top_speed(self.state, self[self.car])


@pytest.fixture
def shop() -> Shop:
    return Shop()


# ---------------------------------------------------------------- sums


@pytest.mark.rule("CE-REP-04", "CE-REP-05")
@pytest.mark.parametrize(
    ("name", "fields", "total"),
    [
        ("rig", {"part": "drive"}, 1),
        ("repair", {"part": "drive", "adjust": 2}, 1 + 2),
        ("repair", {"part": "drive", "skill": "electronics"}, 2),
        ("repair_hull", {}, 1),
    ],
)
def test_the_form_of_a_repair_has_its_sums(
    shop: Shop, name: str, fields: dict[str, object], total: int
) -> None:
    shop.set_track(shop.car, hull=2)
    more = {} if name == "rig" else {"workshop": True}
    sums = shop.preview(name, "", target=shop.car, by=shop.smith, **more, **fields)
    assert (add_up(sums.modifiers), sums.dice) == (total, "2d6")


@pytest.mark.rule("CE-REP-12", "CE-REP-02", "CE-REP-13")
def test_destroyed_part_is_replaced_without_check_or_rig(shop: Shop) -> None:
    shop.hurt(shop.car, "drive", 3)
    assert not shop.preview("repair", "", target=shop.car, by=shop.smith, part="drive", workshop=True).dice
    assert "a workshop" in shop.refused("rig", target=shop.car, by=shop.smith, part="drive").message
    shop.hurt(shop.car, "power", 1)
    shop.aboard()
    assert "a workshop" in shop.refused("rig_now", shop.smith, target=shop.car, part="drive").message


# ---------------------------------------------------------------- rigs


@pytest.mark.rule("CE-REP-02", "CE-REP-03")
def test_a_rig_holds_for_some_hours_and_fails_again(shop: Shop) -> None:
    assert shop.top == 90
    shop.fix("rig", 5, (4, 3), 3, part="drive")
    assert shop.state.clock == 5 * 60
    assert shop.top == 100
    shop.later(3 * HOUR - 1)
    assert shop.top == 100
    shop.later(1)
    assert shop.top == 90


@pytest.mark.rule("CE-REP-02")
def test_failed_rig_changes_nothing_and_each_is_for_one_hit(shop: Shop) -> None:
    shop.fix("rig", 5, (1, 1), part="drive")
    assert shop.top == 90
    shop.hurt(shop.car, "drive", 2)
    shop.fix("rig", 1, (4, 3), 6, part="drive")
    assert shop.top == 90
    shop.fix("rig", 1, (4, 3), 6, part="drive")
    assert shop.top == 100


@pytest.mark.rule("CE-REP-02", "CE-REP-13")
def test_a_rig_is_gone_with_the_hit_that_destroys_the_part(shop: Shop) -> None:
    shop.hurt(shop.car, "drive", 2)
    shop.fix("rig", 5, (4, 3), 3, part="drive")
    assert shop.top == 90
    shop.land(shop.car, 4)
    assert shop.top == 0


@pytest.mark.rule("CE-REP-02", "CE-REP-13")
def test_a_part_that_is_destroyed_during_a_rig_stays_so(shop: Shop) -> None:
    shop.aboard()
    task = shop.rig_now(1)
    shop.land(shop.car, 4, 10)
    shop.run(lambda context: repairs.finish_rig(context, shop.smith, task, 0))
    assert shop.top == 0


@pytest.mark.rule("CE-REP-02", "CE-OTHER-04")
@pytest.mark.full_rules
@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("rig_now", {"part": "drive"}),
        (
            "check",
            {"skill": "mechanics", "characteristic": "edu", "difficulty": "difficult", "takes": "rounds"},
        ),
    ],
)
def test_the_form_of_a_long_task_shows_the_check_at_its_end(
    shop: Shop, name: str, fields: dict[str, Any]
) -> None:
    shop.aboard()
    given = {**fields, "adjust": 1, "because": "a good light"}
    given |= {"target": shop.car} if name == "rig_now" else {}
    shown = shop.preview(name, shop.smith, **given)
    shop.do(name, shop.smith, dice=[1], **given)
    shop.run(lambda context: finish_task(context, context.state[shop.smith]), [(1, 1)])
    check = shop.check()
    assert [(x.label, x.value) for x in check.modifiers] == [(x.label, x.value) for x in shown.modifiers]
    assert (check.roll.dice, check.against) == (shown.dice, 8)


@pytest.mark.rule("CE-REP-02")
def test_a_machine_that_has_been_driven_away_is_not_rigged(shop: Shop) -> None:
    shop.begin(shop.smith)
    task = shop.rig_now(1)
    shop.edit(shop.car, at=Point(0, -100))
    shop.run(lambda context: repairs.finish_rig(context, shop.smith, task, 0))
    assert [x.key for x in shop.told(e.Said)] == ["log.rig_away"]
    assert shop.top < 100


@pytest.mark.rule("CE-REP-06", "CE-REP-15")
@pytest.mark.parametrize("name", ["repair", "repair_hull", "repair_structure"])
def test_what_is_repaired_for_hours_stands_still_afterwards(shop: Shop, name: str) -> None:
    shop.set_track(shop.car, hull=2, structure=1)
    shop.moving(shop.car, 60)
    fields: dict[str, Any] = {"workshop": True}
    fields |= {"part": "drive"} if name == "repair" else {}
    fields |= {} if name == "repair_structure" else {"by": shop.smith}
    shop.do(name, target=shop.car, dice=[3] if name == "repair_structure" else [3, (5, 5)], **fields)
    assert machinery.find_speed(shop.state, shop[shop.car]) == 0


@pytest.mark.rule("CE-REP-01")
def test_repair_form_begins_with_a_part_that_is_not_destroyed(shop: Shop) -> None:
    shop.hurt(shop.car, "drive", 3)
    shop.hurt(shop.car, "power", 1)
    fields = {field.name: field for field in shop.system.action("rig").find_fields(shop.state, shop.smith)}
    assert fields["part"].value == "power"
    assert [choice.value for choice in fields["part"].options] == ["power", "drive"]


def test_giving_points_back_to_a_machine_is_refused_with_advice(shop: Shop) -> None:
    said = shop.refused("adjust", target=shop.car, track="points", by=3).message
    assert said == "Car is a machine: choose Hull, Structure or Armor, or repair a part."


@pytest.mark.rule("CE-REP-02", "CE-REP-06", "CE-REP-14", "CE-REP-15")
@pytest.mark.parametrize("name", ["rig", "repair", "repair_hull", "repair_structure"])
def test_work_of_minutes_or_hours_waits_for_the_end_of_the_fight(shop: Shop, name: str) -> None:
    shop.set_track(shop.car, hull=2, structure=1)
    fields: dict[str, Any] = {"part": "drive"} if name in ("rig", "repair") else {}
    fields |= {} if name == "rig" else {"workshop": True}
    fields |= {} if name == "repair_structure" else {"by": shop.smith}
    shop.begin(shop.smith)
    action = shop.system.action(name)
    with pytest.raises(Refused, match="End the fight"):
        action.check_now(shop.state, "")
    assert "End the fight" in shop.refused(name, target=shop.car, **fields).message
    shop.do("end_fight")
    before = shop.state.clock
    dice: Given = [3] if name == "repair_structure" else [3, (1, 1)]
    action.check_now(shop.state, "")
    shop.do(name, target=shop.car, dice=dice, **fields)
    assert shop.state.clock > before


@pytest.mark.rule("CE-OTHER-05", "CE-REP-02")
def test_the_chip_of_a_rig_says_what_it_is_and_how_far(shop: Shop) -> None:
    shop.aboard()
    task = shop.rig_now(2)
    assert shop.system.draw(shop.system.look.about(task)) == "a rig (Mechanics), 0 of 20 rounds"


@pytest.mark.rule("CE-MINOR-04", "CE-REP-02")
def test_rigging_a_part_ends_the_aim(shop: Shop) -> None:
    shop.aboard()
    shop.give(shop.smith, "aiming", level=2, marks={"target": shop.car})
    shop.rig_now(1)
    assert not shop.has(shop.smith, "aiming")


@pytest.mark.rule("CE-REP-02")
def test_a_rig_does_not_tell_the_damage_again(shop: Shop) -> None:
    shop.hurt(shop.car, "drive", 2)
    shop.fix("rig", 5, (4, 3), 3, part="drive")
    lines = [line.text for line in describe_facts(shop.system, shop.facts, {shop.car: "Car"})]
    assert "Car has a rig for 3 hours: drive hit." in lines
    assert not any("damaged drive" in line or "Drive hit 2" in line for line in lines)


@pytest.mark.rule("CE-REP-02", "CE-REP-03")
def test_a_rig_in_a_fight_is_an_extended_action_of_minutes(shop: Shop) -> None:
    shop.aboard()
    assert add_up(shop.preview("rig_now", shop.smith, target=shop.car, part="drive").modifiers) == 1
    task = shop.rig_now(1)
    assert task.marks["need"] == 10
    assert shop[shop.smith].budget["significant"] == 0
    shop.run(lambda context: repairs.finish_rig(context, shop.smith, task, -1))
    assert shop.top == 90
    shop.run(lambda context: repairs.finish_rig(context, shop.smith, task, 0), [4])
    assert shop.top == 100


@pytest.mark.rule("CE-REP-02")
def test_rigging_takes_its_rounds_and_is_rolled_at_their_end(shop: Shop) -> None:
    shop.seat(shop.smith, shop.car)
    other = shop.hero("Bo")
    shop.begin(shop.smith, other)
    shop.rig_now(1)
    shop.do("next_turn")
    for number in range(1, 11):
        shop.do("next_turn", dice=[(4, 3), 6] if number == 10 else [])
    assert shop.top == 100


@pytest.mark.rule("CE-REP-02")
def test_a_rig_takes_reach(shop: Shop) -> None:
    shop.edit(shop.smith, at=Point(60, 0))
    shop.begin(shop.smith)
    assert "within reach" in shop.refused("rig_now", shop.smith, target=shop.car, part="drive").message


# ---------------------------------------------------------------- systems


@pytest.mark.rule("CE-REP-04", "CE-REP-08")
def test_a_failure_uses_up_time_and_parts_a_workshop_has_its_own(shop: Shop) -> None:
    shop.fix("repair", 2, (1, 2), part="drive", workshop=True)
    assert shop.hits(shop.car, "drive") == 1
    shop.do("spare_parts", target=shop.car, parts=1)
    shop.fix("repair", 2, (1, 2), part="drive")
    assert count_spares(shop[shop.car]) == 0


@pytest.mark.rule("CE-REP-04")
def test_each_repair_takes_one_hit_off_a_part(shop: Shop) -> None:
    shop.hurt(shop.car, "drive", 2)
    shop.fix("repair", 2, (4, 3), part="drive", workshop=True)
    assert (shop.hits(shop.car, "drive"), shop.top) == (1, 90)
    shop.fix("repair", 2, (4, 3), part="drive", workshop=True)
    assert (shop.hits(shop.car, "drive"), shop.top) == (0, 100)


@pytest.mark.rule("CE-REP-05")
@pytest.mark.parametrize("name", ["rig", "repair"])
def test_the_form_offers_the_skills_that_repair_machines(shop: Shop, name: str) -> None:
    skills = [option.value for option in fields_of(shop, name)["skill"].options]
    assert skills == ["", "mechanics", "electronics", "engineering", "gravitics", "computer"]


@pytest.mark.rule("CE-REP-05")
def test_the_fitting_skill_is_suggested_and_the_gm_names_another(shop: Shop) -> None:
    shop.hurt(shop.car, "sensors", 1)
    shop.fix("repair", 1, (3, 3), part="sensors", workshop=True)
    assert shop.check().total == 6 + 2
    shop.hurt(shop.car, "sensors", 1)
    shop.fix("repair", 1, (3, 4), part="sensors", workshop=True, skill="mechanics")
    assert shop.check().total == 7 + 1


@pytest.mark.rule("CE-REP-01")
def test_systems_hull_and_structure_are_repaired_each_in_its_way(shop: Shop) -> None:
    shop.give(shop.car, "evading")  # no damage
    assert [held.kind for held in find_damaged(shop[shop.car])] == ["drive_hit"]
    names = {action.name for action in shop.system.actions.by_name.values() if action.group == "Repairs"}
    assert {"rig", "repair", "repair_hull", "repair_structure"} <= names


# ---------------------------------------------------------------- spare parts


@pytest.mark.rule("CE-REP-08", "CE-REP-09")
def test_parts_come_out_of_another_system_by_a_hit_on_it(shop: Shop) -> None:
    shop.do("cannibalise", target=shop.car, donor=shop.car, part="sensors")
    assert shop.hits(shop.car, "sensors") == 1
    assert count_spares(shop[shop.car]) == 1
    truck = shop.vehicle("Truck")
    shop.do("cannibalise", target=shop.car, donor=truck, part="drive")
    assert (shop.hits(truck, "drive"), count_spares(shop[shop.car])) == (1, 2)


@pytest.mark.rule("CE-REP-09")
def test_a_system_gives_no_more_parts_than_it_can_take_hits(shop: Shop) -> None:
    for _ in range(2):
        shop.do("cannibalise", target=shop.car, donor=shop.car, part="drive")
    assert machinery.is_lost(shop.state, shop[shop.car], "drive")
    refused = shop.refused("cannibalise", target=shop.car, donor=shop.car, part="drive")
    assert "Nothing of that part" in refused.message


@pytest.mark.rule("CE-REP-12")
def test_a_plant_that_is_replaced_brings_a_disabled_vehicle_back(shop: Shop) -> None:
    shop.give(shop.car, "disabled")
    shop.hurt(shop.car, "power", 3)
    shop.fix("repair", (1, 1), 1, part="power", workshop=True)
    assert not shop.has(shop.car, "disabled")


# ---------------------------------------------------------------- Hull and Structure


@pytest.mark.rule("CE-REP-14")
def test_a_repair_of_the_hull_that_fails_uses_up_time_and_parts(shop: Shop) -> None:
    assert "is whole" in shop.refused("repair_hull", target=shop.car, by=shop.smith).message
    shop.set_track(shop.car, hull=1)
    shop.do("spare_parts", target=shop.car, parts=1)
    shop.fix("repair_hull", 4, (1, 2))
    assert (shop.tracks(shop.car)[0], count_spares(shop[shop.car])) == (1, 0)
    assert shop.state.clock == 4 * HOUR
    assert shop.refused("repair_hull", target=shop.car, by=shop.smith).code == "no_budget"


@pytest.mark.rule("CE-REP-15", "CE-REP-16", "CE-REP-17")
def test_structure_takes_workshop_time_and_a_fifth_of_the_price(shop: Shop) -> None:
    shop.set_track(shop.car, structure=0, hull=0)
    shop.give(shop.car, "wreck")
    assert "workshop only" in shop.refused("repair_structure", target=shop.car).message
    shop.do("repair_structure", target=shop.car, points=2, workshop=True, dice=[4, 6])
    assert shop.tracks(shop.car)[1] == 2
    assert shop.state.clock == 100 * HOUR
    assert not shop.checks()
    assert not shop.has(shop.car, "wreck")
    (cost,) = [x.args["n"] for x in shop.told(e.Said) if x.key == "log.repair_cost"]
    assert cost == 2 * 6000 // 5


def test_repair_is_of_machines_not_by_vehicles_and_can_be_off(shop: Shop) -> None:
    assert "no machine" in shop.refused("repair", target=shop.smith, by=shop.smith, part="drive").message
    van = shop.vehicle("Van")
    assert "cannot repair" in shop.refused("repair", target=shop.car, by=van, part="drive").message
    assert "not damaged" in shop.refused("rig", target=shop.car, by=shop.smith, part="power").message
    shop.do("set_option", key="use_repairs", value=False)
    assert "without repairs" in shop.refused("rig", target=shop.car, by=shop.smith, part="drive").message


@pytest.mark.rule("CE-REP-04", "CE-REP-05")
def test_a_repair_robot_repairs(shop: Shop) -> None:
    robot = shop.robot("Fix", skills={"mechanics": 1})
    shop.do("spare_parts", target=shop.car, parts=1)
    shop.do("repair", target=shop.car, by=robot, part="drive", dice=[3, (4, 4)])
    assert shop.hits(shop.car, "drive") == 0


def fields_of(shop: Shop, name: str) -> dict[str, Field]:
    return {field.name: field for field in shop.system.action(name).find_fields(shop.state, "")}


@pytest.mark.rule("CE-REP-05")
def test_the_form_names_the_most_skilled_who_can_act_first(shop: Shop) -> None:
    shop.hero("Amateur")
    best = shop.hero("Best", skills={"mechanics": 3})
    assert fields_of(shop, "repair")["by"].value == best
    shop.give(best, "unconscious")
    by = fields_of(shop, "repair")["by"]
    assert by.value == shop.smith
    assert "cannot act" in next(option.refused for option in by.options if option.value == best)


@pytest.mark.rule("CE-REP-07", "CE-REP-16")
def test_forms_say_what_parts_exist_and_what_a_point_costs(shop: Shop) -> None:
    assert "workshop" not in fields_of(shop, "rig")
    assert fields_of(shop, "repair")["workshop"].help == "no spare parts at hand"
    shop.do("spare_parts", target=shop.car, parts=2)
    assert fields_of(shop, "repair_hull")["workshop"].help == "Car has spare parts for 2"
    shop.set_track(shop.car, structure=1)
    assert fields_of(shop, "repair_structure")["points"].help == "Car: Cr 1,200 each"
    own = shop.vehicle("Own")
    shop.set_track(shop.car, structure=2)
    shop.set_track(own, structure=1)
    assert fields_of(shop, "repair_structure")["points"].help == "each costs 20% of the price of the machine"
