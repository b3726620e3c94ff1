"""Light, smoke and weather on a line of fire; sensors; who is aware of whom."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.world.senses import can_see, is_aware, modifiers_for_sight
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.figures import ADA, BO, CY, CepheusStage, lone


def look(
    *gear: str,
    kind: str = "person",
    hidden: bool = False,
    options: dict[str, Any] | None = None,
    **settings: str,
) -> CepheusStage:
    """Ada with this gear, 30 m from Zed, under these conditions; her turn."""
    stage = CepheusStage(**(options or {}))
    stage.hero("Ada", gear=list(gear))
    stage.foe("Zed", at=(30, 0))
    stage.edit(BO, hidden=hidden, sheet={**stage[BO].sheet, "kind": kind})
    for key, value in settings.items():
        stage.do("set_setting", key=key, value=value)
    return stage.begin(ADA, BO)


def dm(stage: CepheusStage, **weapon: bool) -> int:
    return add_up(modifiers_for_sight(stage.state, ADA, BO, **weapon))


IR, LI = "infrared_goggles", "light_intensifier_goggles"


# ---------------------------------------------------------------- conditions


@pytest.mark.rule("CE-COND-01", "CE-COND-02")
def test_poor_light_takes_one_darkness_four_and_not_both() -> None:
    assert dm(look()) == 0
    assert dm(look(light="low_light")) == -1
    assert dm(look(light="dark")) == -4
    stage = look(light="low_light")
    stage.zone("hold", x=25, y=-5, width=10, depth=10, light="dark")
    assert dm(stage) == -4


@pytest.mark.rule("CE-COND-03", "CE-SENS-02", "CE-SENS-07")
def test_sensors_make_nothing_of_the_dark() -> None:
    assert dm(look(IR, light="dark")) == 0
    assert dm(look(IR, light="dark", kind="robot")) == -4
    assert dm(look(light="dark"), laser_sight=True) == 0
    assert dm(look(light="dark", smoke="smoke"), laser_sight=True) == -1


@pytest.mark.rule("CE-SENS-08")
def test_light_intensification_helps_in_poor_light_and_by_default_in_the_dark() -> None:
    assert dm(look(LI, light="low_light")) == 0
    assert dm(look(LI, light="dark")) == 0
    narrow = {"light_intensification": "low_light_only"}
    assert dm(look(LI, light="dark", options=narrow)) == -4
    assert dm(look(LI, light="low_light", options=narrow)) == 0


@pytest.mark.rule("CE-COND-04", "CE-COND-05", "CE-COND-06")
@pytest.mark.parametrize(("smoke", "points"), [("clear", 0), ("smoke", -1), ("thick_smoke", -2)])
def test_smoke_is_twice_as_bad_for_lasers(smoke: str, points: int) -> None:
    stage = look(smoke=smoke)
    assert dm(stage) == points
    assert dm(stage, laser=True) == 2 * points


@pytest.mark.rule("CE-COND-04", "CE-COND-05")
def test_smoke_counts_where_the_line_of_fire_passes_and_does_not_add_up() -> None:
    stage = look(smoke="smoke")
    stage.zone("cloud", x=10, y=-2, width=4, depth=4, terrain=["thick_smoke"])
    assert dm(stage) == -2
    stage = look()
    stage.zone("cloud", x=10, y=5, width=4, depth=4, terrain=["thick_smoke"])
    assert dm(stage) == 0


@pytest.mark.rule("CE-COND-07", "CE-COND-08", "CE-MOD-03")
def test_extreme_weather_takes_two_and_sensors_give_back_one() -> None:
    assert dm(look(weather="extreme")) == -2
    assert dm(look(IR, weather="extreme")) == -1
    assert dm(look(LI, weather="extreme")) == -2


@pytest.mark.rule("CE-SENS-03", "CE-SENS-04")
def test_infra_red_sees_through_smoke_unless_a_heat_source_jams_it() -> None:
    assert dm(look(IR, smoke="smoke")) == 0
    assert dm(look(IR, smoke="smoke", heat="jammed")) == -1
    stage = look(IR, smoke="smoke")
    stage.zone("furnace", x=25, y=-5, width=10, depth=10, terrain=["hot"])
    assert dm(stage) == -1


@pytest.mark.rule("CE-SENS-02")
def test_the_gm_says_who_is_warm() -> None:
    stage = look(IR, light="dark", kind="robot")
    stage.do("set_warm", target=BO, warm="yes")
    assert dm(stage) == 0
    stage.do("set_warm", target=BO, warm="as_usual")
    assert dm(stage) == -4


def test_a_table_without_conditions_has_none() -> None:
    off = {"use_conditions": False}
    assert dm(look(light="dark", smoke="thick_smoke", weather="extreme", options=off)) == 0


# ---------------------------------------------------------------- searching


def scan(stage: CepheusStage) -> None:
    stage.do("scan", ADA, item=next(item.id for item in stage[ADA].items if item.data.get("sensor")))


def edit_near(stage: CepheusStage, metres: float = 5) -> None:
    stage.edit(BO, at=type(stage[BO].at)(metres, 0))


@pytest.mark.rule("CE-SENS-02")
@pytest.mark.parametrize(("kind", "found"), [("person", True), ("robot", False)])
def test_infra_red_shows_hidden_warm_bodies(kind: str, found: bool) -> None:
    stage = look(IR, kind=kind, hidden=True)
    edit_near(stage)
    scan(stage)
    assert stage[BO].hidden is not found
    assert stage[ADA].budget["minor"] == 0


@pytest.mark.rule("CE-SENS-02", "CE-SENS-04")
def test_infra_red_finds_nobody_behind_walls_or_before_a_furnace() -> None:
    for terrain, x in (("wall", 2), ("hot", 4)):
        stage = look(IR, hidden=True)
        edit_near(stage)
        stage.zone("spot", x=x, y=-2, width=2, depth=4, terrain=[terrain])
        scan(stage)
        assert stage[BO].hidden
    stage = look(IR, hidden=True, heat="jammed")
    edit_near(stage)
    scan(stage)
    assert stage[BO].hidden


@pytest.mark.rule("CE-SENS-05")
def test_a_densitometer_shows_everything_in_its_reach() -> None:
    for metres, found in ((5, True), (50, True), (51, False)):
        stage = look("densitometer", kind="robot", hidden=True)
        edit_near(stage, metres)
        scan(stage)
        assert stage[BO].hidden is not found


@pytest.mark.rule("CE-SENS-06")
def test_an_electromagnetic_probe_finds_transmitters_and_gauss_weapons_but_no_revolver() -> None:
    for weapon, gear, found in (
        ("revolver", "personal_communicator", True),
        ("gauss_rifle", "", True),
        ("revolver", "", False),
    ):
        stage = look("electromagnetic_probe", hidden=True)
        other = CepheusStage()
        other.hero("Eve", weapons=[weapon], gear=[gear] if gear else [])
        stage.edit(BO, items=other[ADA].items)
        edit_near(stage, 1)
        scan(stage)
        assert stage[BO].hidden is not found


@pytest.mark.rule("CE-SENS-06")
def test_the_probe_does_not_find_what_is_shielded() -> None:
    stage, other = look("electromagnetic_probe", hidden=True), CepheusStage()
    other.hero("Eve", weapons=["gauss_rifle"])
    stage.edit(BO, items=tuple(replace(item, marks={"shielded": True}) for item in other[ADA].items))
    edit_near(stage, 1)
    scan(stage)
    assert stage[BO].hidden


@pytest.mark.rule("CE-SENS-09")
@pytest.mark.parametrize(
    ("marks", "found"), [({"moved_round": 3}, True), ({"moved_round": 2}, False), ({}, False)]
)
def test_a_motion_sensor_finds_who_moved_this_round(marks: dict[str, int], found: bool) -> None:
    stage = look("motion_sensor", hidden=True)
    edit_near(stage)
    stage.state = replace(stage.state, round=3)
    stage.edit(BO, marks=marks)
    scan(stage)
    assert stage[BO].hidden is not found


@pytest.mark.rule("CE-SENS-09")
def test_a_motion_sensor_reaches_as_far_as_it_says() -> None:
    stage = look("motion_sensor", hidden=True)
    edit_near(stage, 5000)
    stage.edit(BO, marks={"moved_round": stage.state.round})
    scan(stage)
    assert stage[BO].hidden


@pytest.mark.rule("CE-SENS-10")
@pytest.mark.parametrize(("score", "grade"), [(12, "complex"), (7, "usual"), (3, "simple")])
def test_a_neural_sensor_grades_the_living_only(score: int, grade: str) -> None:
    stage = lone("Ada", gear=["neural_activity_sensor"])
    stage.foe("Zed", at=(5, 0))
    stage.foe("Drone", at=(3, 0))
    stage.edit(CY, sheet={**stage[CY].sheet, "kind": "robot"})
    stage.begin(ADA, BO, CY)
    stage.set_track(BO, int=score)
    scan(stage)
    (said,) = (x for x in stage.told(e.Said) if x.key == "log.scans")
    text = stage.system.draw(said.args["found"], {"f2": "Zed", "f3": "Drone"})
    assert text == f"Zed ({grade} activity)"
    assert {fact.to for fact in stage.facts if fact.event is said} == {f"seat:{ADA}"}


@pytest.mark.rule("CE-SENS-10")
@pytest.mark.parametrize(("kind", "found"), [("unconscious", True), ("dead", False)])
def test_a_neural_sensor_finds_the_unconscious_and_not_the_dead(kind: str, found: bool) -> None:
    stage = look("neural_activity_sensor", hidden=True)
    stage.give(BO, kind)
    scan(stage)
    assert stage[BO].hidden is not found


@pytest.mark.rule("CE-SENS-01")
@pytest.mark.parametrize(
    ("terrain", "words"), [("pathogen", "an airborne pathogen"), ("chemical", "dangerous chemicals")]
)
def test_a_bioscanner_tells_its_user_what_is_in_the_air(terrain: str, words: str) -> None:
    stage = look("bioscanner")
    stage.zone("lab", x=-5, y=-5, width=10, depth=10, terrain=[terrain])
    scan(stage)
    (said,) = (x for x in stage.told(e.Said) if x.key == "log.scans")
    assert stage.system.draw(said.args["found"]) == words


def test_without_a_sensor_nobody_searches() -> None:
    assert "no sensor" in look().refused("scan", ADA, item="x").message
    assert "switch" in look(IR, options={"use_conditions": False}).refused("scan", ADA, item="x").message


# ---------------------------------------------------------------- awareness


@pytest.mark.rule("CE-REACT-07")
def test_nobody_knows_of_the_hidden_nor_of_whom_the_gm_says() -> None:
    stage = look()
    assert is_aware(stage.state, ADA, BO)
    stage.edit(BO, hidden=True)
    assert not is_aware(stage.state, ADA, BO)
    stage.edit(BO, hidden=False)
    stage.do("set_aware", target=ADA, of=BO, aware=False)
    assert not is_aware(stage.state, ADA, BO)
    assert is_aware(stage.state, BO, ADA)
    assert stage.refused("set_aware", target=ADA, of=BO, aware=False).code == "not_allowed"
    assert stage.refused("set_aware", target=ADA, of=ADA).code == "bad_target"
    stage.do("set_aware", target=ADA, of=BO, aware=True)
    assert is_aware(stage.state, ADA, BO)


@pytest.mark.rule("CE-REACT-07")
def test_the_surprised_notice_an_attacker_once_that_one_has_acted() -> None:
    stage = lone("Ada")
    stage.foe("Zed", at=(30, 0))
    stage.do("start", aware=[BO], dice=[(5, 6)])
    assert stage.state.active == BO
    assert not is_aware(stage.state, ADA, BO)
    stage.do("next_turn")
    assert is_aware(stage.state, ADA, BO)
    stage.do("next_turn")
    assert not stage.has(ADA, "surprised")


@pytest.mark.rule("CE-REACT-07")
def test_the_surprised_know_of_each_other() -> None:
    stage = lone("Ada")
    stage.hero("Bo")
    stage.foe("Zed", at=(30, 0))
    stage.do("start", aware=[ADA], dice=[(3, 3), (2, 3)])
    assert stage.has(BO, "surprised")
    assert stage.has(CY, "surprised")
    assert is_aware(stage.state, CY, BO)
    assert not is_aware(stage.state, CY, ADA)


def test_walls_block_sight_but_not_for_who_stands_in_them() -> None:
    stage = look()
    assert can_see(stage.state, ADA, BO)
    stage.zone("wall", x=10, y=-5, width=1, depth=10, terrain=["wall"])
    assert not can_see(stage.state, ADA, BO)
    stage.edit(BO, at=type(stage[BO].at)(10.5, 0))
    assert can_see(stage.state, ADA, BO)
