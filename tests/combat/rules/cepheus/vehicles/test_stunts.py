"""Evasive action, stunts, weaving and chases."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from combat.rules.cepheus.characters import machinery
from combat.rules.cepheus.vehicles.driving import MUST_WEAVE, PURSUES, find_arcs_of
from combat.rules.cepheus.vehicles.gunnery import own_evasion_terms
from combat.rules.cepheus.vehicles.stunts import task_dm
from combat.rules.core.basics.errors import Refused
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.vehicles.garage import Garage, Road, two_dice

# ---------------------------------------------------------------- evasive action


@pytest.mark.rule(
    "CE-VACT-01", "CE-VACT-03", "CE-VACT-04", "CE-VACT-05", "CE-VACT-06", "CE-VACT-07", "CS-VACT-01"
)
@pytest.mark.parametrize(("dice", "level"), [((5, 3), 2), ((6, 6), 6), ((1, 1), 0)])
def test_evasive_action_lasts_until_the_drivers_next_turn(
    road: Road, dice: tuple[int, int], level: int
) -> None:
    road.do("evade", road.driver, dice=[dice])
    found = [held.level for held in road[road.car].conditions if held.kind == "evading"]
    assert found == ([level] if level else [])
    assert road[road.driver].budget == {"minor": 1, "significant": 0}
    assert road[road.car].marks[machinery.CONTROLLED] == 1
    road.do("next_turn")
    road.do("stance", road.driver, stance="crouched")
    assert not road.has(road.car, "evading")


@pytest.mark.rule("CE-VACT-04", "CE-VLOC-22", "CE-VLOC-23")
def test_control_check_adds_agility_and_the_drives_losses(road: Road) -> None:
    road.edit(road.car, sheet={**road[road.car].sheet, "agility": -1})
    road.hurt(road.car, "drive", 2)
    road.set_track(road.driver, dex=9)
    assert sum(term.value for term in road.preview("evade", road.driver).modifiers) == 2 + 1 - 1 - 2
    road.do("evade", road.driver, dice=[(6, 6)])
    assert road.check().total == 12 + 2 + 1 - 1 - 2


@pytest.mark.rule("CE-VACT-07")
def test_evasive_action_lasts_through_own_and_others_turns(road: Road) -> None:
    foe = road.foe(at=(20, -50))
    road.begin(road.driver, foe)
    road.do("evade", road.driver, dice=[(5, 3)])
    road.do("stance", road.driver, stance="crouched")
    road.do("next_turn")
    assert road.state.active == foe
    assert road.has(road.car, "evading")
    road.do("next_turn")
    assert road.state.active == road.driver
    road.do("drive", road.driver)
    assert not road.has(road.car, "evading")


@pytest.mark.rule("CE-VACT-07", "CE-OTHER-11")
def test_a_driver_who_delays_still_evades_until_they_act(road: Road) -> None:
    foe = road.foe(at=(20, -50))
    road.begin(road.driver, foe)
    road.do("evade", road.driver, dice=[(5, 3)])
    road.do("next_turn")
    road.do("next_turn")
    road.do("delay", road.driver)
    assert road.state.active == foe
    assert road.has(road.car, "evading")
    road.do("interrupt", road.driver)
    road.do("drive", road.driver)
    assert not road.has(road.car, "evading")


@pytest.mark.rule("CE-VACT-07", "CE-VEH-05")
def test_whoever_lets_the_vehicle_roll_on_evades_no_longer(road: Road) -> None:
    road.do("evade", road.driver, dice=[(5, 3)])
    road.do("next_turn")
    assert road.has(road.car, "evading")
    road.do("next_turn")
    assert not road.has(road.car, "evading")


@pytest.mark.rule("CE-VACT-06", "CE-VACT-07")
def test_last_turns_evasion_does_not_hamper_the_next_action(road: Road) -> None:
    foe = road.foe(at=(0, -120))
    road.do("evade", road.driver, dice=[(5, 3)])
    own = own_evasion_terms(road.state, road[road.driver], road[foe])
    assert [term.value for term in own] == [-2]
    road.do("next_turn")
    assert not own_evasion_terms(road.state, road[road.driver], road[foe])


@pytest.mark.rule("CE-VACT-07")
def test_no_evasion_is_left_over_in_the_next_fight(road: Road) -> None:
    road.do("evade", road.driver, dice=[(5, 3)])
    road.do("end_fight")
    assert not road.has(road.car, "evading")
    road.do("start", dice=[(4, 4)])
    road.do("drive", road.driver)  # driven in the first round of the fight before


@pytest.mark.rule("CE-VACT-07")
def test_evasive_action_replaces_the_one_before_without_adding(road: Road) -> None:
    road.give(road.car, "evading", level=5)
    road.do("evade", road.driver, dice=[(5, 3)])
    assert [held.level for held in road[road.car].conditions if held.kind == "evading"] == [2]


@pytest.mark.rule("CE-VACT-04")
def test_control_check_uses_the_skill_that_the_vehicle_takes() -> None:
    stage = Garage()
    raft = stage.vehicle("Raft", drives_by="grav_vehicle", open=True, agility=0)
    pilot = stage.crew(raft, profile="797777", skills={"grav_vehicle": 1, "wheeled_vehicle": 3})
    stage.begin(pilot)
    stage.do("evade", pilot, dice=[(5, 3)])
    assert stage.check().total == 8 + 1 + 1
    assert [held.level for held in stage[raft].conditions if held.kind == "evading"] == [2]


# ---------------------------------------------------------------- stunts


@pytest.mark.rule("CE-VACT-15", "CS-VACT-04")
def test_stunt_is_easier_with_dexterity_and_harder_if_clumsy(road: Road) -> None:
    road.edit(road.car, sheet={**road[road.car].sheet, "agility": -2})
    road.set_track(road.driver, dex=9)
    road.do("stunt", road.driver, dice=[(4, 3)])
    assert road.check().total == 7 + 2 + 1 - 2


@pytest.mark.rule("CE-VACT-16")
@pytest.mark.parametrize("dice", [(4, 4), (4, 2)])
def test_a_stunt_puts_a_target_into_one_more_arc_for_the_round(road: Road, dice: tuple[int, int]) -> None:
    foe, other = road.foe(at=(0, -150)), road.foe("Yan", at=(0, -160))
    road.do("stunt", road.driver, aim="arc", target=foe, arc="right", dice=[dice])
    assert find_arcs_of(road.state, road[road.car], road[foe]) == ("front", "right")
    assert find_arcs_of(road.state, road[road.car], road[other]) == ("front",)
    road.do("next_turn")
    assert find_arcs_of(road.state, road[road.car], road[foe]) == ("front",)


@pytest.mark.rule("CE-VACT-16", "CS-VACT-04")
def test_a_stunt_that_fails_adds_no_arc(road: Road) -> None:
    foe = road.foe(at=(0, -150))
    road.do("stunt", road.driver, aim="arc", target=foe, arc="right", dice=[(1, 4)])
    assert find_arcs_of(road.state, road[road.car], road[foe]) == ("front",)


@pytest.mark.rule("CE-VACT-17")
@pytest.mark.parametrize(
    ("effect", "points"), [(0, 1), (5, 1), (6, 2), (9, 2), (-1, -1), (-5, -1), (-6, -2), (-9, -2)]
)
def test_a_task_chain_is_worth_a_dm_by_its_effect(effect: int, points: int) -> None:
    assert task_dm(effect) == points


@pytest.mark.rule("CE-VACT-17")
def test_a_stunt_sets_up_someone_elses_check(road: Road) -> None:
    rider, foe = road.crew(road.car, "passenger", name="Bo", weapons=["rifle"]), road.foe(at=(0, -50))
    road.do("stunt", road.driver, aim="chain", target=rider, dice=[(6, 6)])  # Effect 6
    (held,) = [held for held in road[rider].conditions if held.kind == "set_up"]
    assert road.system.draw(road.system.look.about(held)) == "+2 on checks"
    road.begin(rider, foe)
    terms = road.preview("attack", rider, target=foe, weapon=road.item(rider, "rifle").id).modifiers
    assert [term.value for term in terms if term.rule == "CE-VACT-17"] == [2]


@pytest.mark.rule("CE-VACT-17")
@pytest.mark.parametrize(("dice", "points"), [((4, 2), 1), ((1, 1), -1)])
def test_effect_of_a_stunt_counts_until_the_end_of_that_turn(
    road: Road, dice: tuple[int, int], points: int
) -> None:
    rider = road.crew(road.car, "passenger", name="Bo")
    road.begin(road.driver, rider)
    road.do("stunt", road.driver, aim="chain", target=rider, dice=[dice])
    road.do("next_turn")
    assert road.state.active == rider
    assert [held.marks for held in road[rider].conditions] == [{"checks": points}]
    road.do("next_turn")
    assert not road.has(rider, "set_up")


@pytest.mark.rule("CE-VACT-19")
def test_a_stunt_achieves_several_maneuvers_at_once(road: Road) -> None:
    road.do("stunt", road.driver, aim="maneuvers", to="30,30", speed=80, facing=180, dice=[(4, 4)])
    car = road[road.car]
    assert (car.at, car.marks["speed_kph"], car.marks["facing"]) == (Point(30, 30), 80, 180)


# ---------------------------------------------------------------- weaving


@pytest.mark.rule("CE-VACT-20")
def test_weaving_takes_obstacles(road: Road) -> None:
    assert "Too few obstacles" in road.refused("weave", road.driver).message
    action = road.system.action("weave")
    with pytest.raises(Refused, match="Too few obstacles"):
        action.check_now(road.state, road.driver)
    road.city()
    action.check_now(road.state, road.driver)
    assert sum(term.value for term in road.preview("weave", road.driver, number=3).modifiers) == 2 - 3
    road.do("weave", road.driver, number=1, dice=[(4, 4)])


@pytest.mark.rule("CE-VACT-21")
def test_a_vehicle_at_a_standstill_does_not_weave(road: Road) -> None:
    road.city()
    road.moving(road.car, 0)
    assert "stands still" in road.refused("weave", road.driver).message


@pytest.mark.rule("CE-VACT-23")
def test_failed_weave_is_a_collision_at_the_present_speed(road: Road) -> None:
    road.city()
    road.edit(road.driver, marks={"secured": True})
    road.do("weave", road.driver, number=3, dice=[(1, 1), (2, 2, 2, 1, 1, 1), two_dice(2)])
    assert road.tracks(road.car) == (2, 2, 6)  # 9 points at 60 km/h, 3 through armor
    assert machinery.find_speed(road.state, road[road.car]) == 0


@pytest.mark.rule("CE-VACT-24")
def test_who_pursues_someone_else_has_nothing_to_match(road: Road) -> None:
    road.city()
    hunter, other = (road.vehicle(name, at=(0, 50), side="enemies") for name in ("Hunter", "Other"))
    road.edit(hunter, marks={PURSUES: road.car})
    road.edit(other, marks={PURSUES: hunter})
    road.do("weave", road.driver, number=3, dice=[(6, 4)])
    assert road[hunter].marks[MUST_WEAVE] == 3
    assert MUST_WEAVE not in road[other].marks


@pytest.fixture
def chase(road: Road) -> Callable[[], tuple[str, str]]:
    """A pursuer behind the car after a weave with 3; the pursuer's turn."""

    def begin() -> tuple[str, str]:
        road.city()
        hunter = road.vehicle("Hunter", at=(0, 50), side="enemies")
        pilot = road.crew(hunter, name="Pilot", skills={"wheeled_vehicle": 1}, side="enemies")
        road.edit(hunter, marks={PURSUES: road.car, "speed_kph": 60})
        road.edit(pilot, marks={"secured": True})
        road.begin(road.driver, pilot)
        road.do("weave", road.driver, number=3, dice=[(6, 4)])
        assert road[hunter].marks[MUST_WEAVE] == 3
        road.turn(pilot)
        return hunter, pilot

    return begin


@pytest.mark.rule("CE-VACT-24")
@pytest.mark.parametrize(("total", "good"), [(10, True), (9, False)])
def test_pursuers_face_the_same_check(
    road: Road, chase: Callable[[], tuple[str, str]], total: int, good: bool
) -> None:
    hunter, pilot = chase()
    road.do("weave", pilot, dice=[two_dice(total), *([] if good else [(1,) * 6])])
    assert road.check("check.weave").total == total + 1 - 3
    assert (machinery.find_speed(road.state, road[hunter]) == 60) is good
    assert MUST_WEAVE not in road[hunter].marks  # matched, or ended in a crash


@pytest.mark.rule("CE-VACT-24")
def test_a_pursuer_who_names_another_number_is_refused(
    road: Road, chase: Callable[[], tuple[str, str]]
) -> None:
    _, pilot = chase()
    assert "wove with 3" in road.refused("weave", pilot, number=1).message
    road.do("weave", pilot, number=3, dice=[(6, 6)])


@pytest.mark.rule("CE-VACT-24", "CE-VEH-04")
def test_a_pursuer_weaves_after_the_quarry_with_its_number(
    road: Road, chase: Callable[[], tuple[str, str]]
) -> None:
    hunter, pilot = chase()
    number, *_ = road.system.action("weave").find_fields(road.state, pilot)
    assert (number.value, number.low, number.high) == ("3", 3, 3)
    told = {fact.label: fact.value for fact in road.system.characters.facts_of(road.state, road[pilot])}
    assert told["Weave to match"] == 3
    road.edit(hunter, at=Point(80, -100))  # beside the quarry, which has gone ahead
    road.do("weave", pilot, dice=[(6, 6)])
    assert road[hunter].at == Point(3, -100)


@pytest.mark.rule("CE-VACT-21")
def test_a_weave_goes_no_farther_than_the_speed_it_began_with(road: Road) -> None:
    road.city()
    assert "60 km/h" in road.refused("weave", road.driver, to="0,-120").message


@pytest.mark.rule("CE-VEH-06")
def test_a_pursuit_is_told(road: Road) -> None:
    quarry = road.vehicle("Prey", at=(0, -50))
    road.do("drive", road.driver, why="pursue", target=quarry)
    assert [x.target for x in road.told(e.Said) if x.key == "log.pursues"] == [quarry]


@pytest.mark.rule("CE-VACT-24")
def test_pursuers_match_the_number_at_any_place_and_speed(
    road: Road, chase: Callable[[], tuple[str, str]]
) -> None:
    hunter, pilot = chase()
    road.edit(hunter, at=Point(0, 600), marks={**road[hunter].marks, "speed_kph": 20})
    road.do("weave", pilot, dice=[two_dice(10)])
    assert road.check("check.weave").total == 10 + 1 - 3


@pytest.mark.rule("CE-VACT-25")
def test_breaking_off_takes_no_action_and_someone_to_pursue(
    road: Road, chase: Callable[[], tuple[str, str]]
) -> None:
    hunter, pilot = chase()
    road.edit(pilot, budget={"minor": 0, "significant": 0})
    road.do("break_off", pilot)
    assert not {PURSUES, MUST_WEAVE} & road[hunter].marks.keys()
    assert not road.checks()
    assert "pursues nobody" in road.refused("break_off", pilot).message


@pytest.mark.rule("CE-VACT-25")
def test_who_does_not_match_a_weave_has_lost_the_quarry(
    road: Road, chase: Callable[[], tuple[str, str]]
) -> None:
    hunter, pilot = chase()
    road.do("maneuver", pilot)
    road.do("next_turn")
    assert PURSUES not in road[hunter].marks


@pytest.mark.rule("CE-VACT-24", "CE-VACT-25")
@pytest.mark.parametrize("to", ["", "0,-90"])
@pytest.mark.parametrize("breaks_off", [False, True])
def test_a_quarry_that_wove_is_not_followed_without_a_weave(
    road: Road, chase: Callable[[], tuple[str, str]], to: str, breaks_off: bool
) -> None:
    """Neither with the weave still to match, nor after breaking off in the same turn: only later."""
    hunter, pilot = chase()
    told = "wove with 3: weave with that too, or break off"
    if breaks_off:
        road.do("break_off", pilot)
        told = "got away: pursue again in the next round"
    here = road[hunter].at
    assert told in road.refused("drive", pilot, why="pursue", target=road.car, to=to).message
    assert told in road.refused("ram", pilot, target=road.car, speed=60).message
    fields = {field.name: field for field in road.system.action("drive").find_fields(road.state, pilot)}
    assert next(one for one in fields["target"].options if one.value == road.car).refused
    assert road[hunter].at == here
    assert road[pilot].budget["significant"] == 1
    road.do("drive", pilot)
    road.end_turn()
    road.state = replace(road.state, round=road.state.round + 1)
    road.turn(pilot)
    road.do("drive", pilot, why="pursue", target=road.car)
    assert road[hunter].marks[PURSUES] == road.car


@pytest.mark.rule("CE-VACT-25")
def test_who_pursues_another_instead_has_broken_off(road: Road, chase: Callable[[], tuple[str, str]]) -> None:
    hunter, pilot = chase()
    other = road.vehicle("Other", at=(0, -40))
    road.do("drive", pilot, why="pursue", target=other)
    road.end_turn()
    assert road[hunter].marks[PURSUES] == other
    assert MUST_WEAVE not in road[hunter].marks
