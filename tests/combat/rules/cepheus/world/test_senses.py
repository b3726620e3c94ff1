"""Light, smoke and weather on a line of fire; sensors; who is aware of whom."""

from __future__ import annotations

from typing import Any

import pytest

from combat.pages.map.zone_form import ZoneForm, find_initial
from combat.rules.cepheus.book.options import SETTINGS
from combat.rules.cepheus.quick import SYSTEM as QUICK
from combat.rules.cepheus.world.scene import TERRAIN_CHOICES
from combat.rules.cepheus.world.senses import can_see, is_aware, modifiers_for_sight, sees_heat
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.declaration.system import System
from combat.rules.core.space import Point, Zone
from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.figures import ADA, BO, CY, CepheusStage, lone


def look(
    *gear: str,
    kind: str = "person",
    hidden: bool = False,
    options: dict[str, Any] | None = None,
    system: System | None = None,
    **settings: str,
) -> CepheusStage:
    """Ada with this gear, 30 m from Zed, under these conditions; her turn."""
    stage = CepheusStage(system, **(options or {}))
    stage.hero("Ada", gear=list(gear))
    stage.foe("Zed", at=(30, 0))
    stage.edit(BO, hidden=hidden, sheet={**stage[BO].sheet, "kind": kind})
    for key, value in settings.items():
        stage.do("set_setting", key=key, value=value)
    return stage.begin(ADA, BO)


def dm(stage: CepheusStage, **weapon: bool) -> int:
    return add_up(modifiers_for_sight(stage.state, stage[ADA], stage[BO], **weapon))


IR, LI = "infrared_goggles", "light_intensifier_goggles"


# ---------------------------------------------------------------- conditions


@pytest.mark.rule("CE-COND-01", "CE-COND-02")
def test_darkness_in_poor_light_takes_four_and_not_five() -> None:
    stage = look(light="low_light")
    stage.zone("hold", x=25, y=-5, width=10, depth=10, light="dark")
    assert dm(stage) == -4


@pytest.mark.rule("CE-COND-03", "CE-SENS-02", "CE-SENS-07")
def test_sensors_make_nothing_of_the_dark() -> None:
    assert dm(look(IR, light="dark", kind="robot")) == -4
    assert dm(look(light="dark"), laser_sight=True) == 0
    assert dm(look(light="dark", smoke="smoke"), laser_sight=True) == -1


@pytest.mark.rule("CE-SENS-08")
def test_light_intensification_helps_in_poor_light_and_darkness() -> None:
    assert dm(look(LI, light="low_light")) == 0
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
def test_smoke_counts_on_the_line_of_fire_and_does_not_add_up() -> None:
    stage = look(smoke="smoke")
    stage.zone("cloud", x=10, y=-2, width=4, depth=4, terrain=["thick_smoke"])
    assert dm(stage) == -2
    stage = look()
    stage.zone("cloud", x=10, y=5, width=4, depth=4, terrain=["thick_smoke"])
    assert dm(stage) == 0


@pytest.mark.rule("CE-COND-07", "CE-COND-08", "CE-MOD-03")
def test_light_intensification_is_no_help_in_extreme_weather() -> None:
    assert dm(look(LI, weather="extreme")) == -2


@pytest.mark.rule("CE-SENS-03", "CE-SENS-04")
def test_a_heat_source_jams_infra_red() -> None:
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


def test_a_table_without_conditions_has_no_sensors_either() -> None:
    """RULING R61"""
    stage = look(IR, options={"use_conditions": False})
    assert not sees_heat(stage.state, stage[ADA], stage[BO])
    assert "without sensors" in stage.refused("set_warm", target=BO, warm="no").message


def test_environment_asks_only_about_rules_that_the_table_plays() -> None:
    """RULING R61"""
    for stage in (look(), look(system=QUICK)):
        asked = [setting.key for setting in stage.system.find_settings(stage.state)]
        assert asked == (["distances"] if stage.system is QUICK else [setting.key for setting in SETTINGS])
    without = look(options={"use_conditions": False})
    asked = [setting.key for setting in without.system.find_settings(without.state)]
    assert asked == ["gravity", "smoke", "distances", "radio"], "smoke stops lasers that talk"


def test_zones_offer_only_ground_the_table_uses_and_keep_others() -> None:
    """RULING R61"""
    state = look(system=QUICK).state
    offered = [key for key, _ in QUICK.find_terrains(state)]
    assert offered == ["difficult", "wall", "obstacles", "aerosol"]
    old = Zone(id="z", name="Hold", terrain=("difficult", "smoke"))
    form = ZoneForm(QUICK, state, {**find_initial(state.scene, old), "terrain": ["obstacles"]})
    assert form.is_valid(), form.errors
    assert form.make_zone(old, "z", ()).terrain == ("obstacles", "smoke")
    full = look()
    assert full.system.find_terrains(full.state) == TERRAIN_CHOICES


# ---------------------------------------------------------------- searching


def scan(stage: CepheusStage) -> None:
    stage.do("scan", ADA, item=next(item.id for item in stage[ADA].items if item.data.get("sensor")))


PROBE, NEURAL = "electromagnetic_probe", "neural_activity_sensor"
# Rules, sensor, meters to Bo, who is hidden; what is the matter with Bo; whether Ada finds them
SEARCHES: tuple[tuple[str, str, int, dict[str, Any], bool], ...] = (
    ("CE-SENS-02", IR, 5, {}, True),
    ("CE-SENS-02", IR, 5, {"kind": "robot"}, False),
    ("CE-SENS-02", IR, 5, {"behind": ("wall", 2)}, False),
    ("CE-SENS-04", IR, 5, {"behind": ("hot", 4)}, False),
    ("CE-SENS-04", IR, 5, {"heat": "jammed"}, False),
    ("CE-SENS-05", "densitometer", 50, {"kind": "robot"}, True),
    ("CE-SENS-05", "densitometer", 51, {"kind": "robot"}, False),
    ("CE-SENS-06", PROBE, 1, {"carries": {"gear": ["personal_communicator"]}}, True),
    ("CE-SENS-06", PROBE, 1, {"carries": {"weapons": ["gauss_rifle"]}}, True),
    ("CE-SENS-06", PROBE, 1, {"carries": {"weapons": ["revolver"]}}, False),
    ("CE-SENS-09", "motion_sensor", 5, {"moved": 3}, True),
    ("CE-SENS-09", "motion_sensor", 5, {"moved": 2}, False),
    ("CE-SENS-09", "motion_sensor", 5, {}, False),
    ("CE-SENS-09", "motion_sensor", 5000, {"moved": 3}, False),
    ("CE-SENS-10", NEURAL, 30, {"state": "unconscious"}, True),
    ("CE-SENS-10", NEURAL, 30, {"state": "dead"}, False),
)


def hide(
    sensor: str,
    meters: int,
    *,
    behind: tuple[str, float] = ("", 0),
    carries: dict[str, Any] | None = None,
    moved: int = 0,
    state: str = "",
    **more: Any,
) -> CepheusStage:
    """Ada with a sensor in round 3; Bo hidden, behind a zone, with things, or moved in some round."""
    stage = look(sensor, hidden=True, **more)
    stage.state = replace(stage.state, round=3)
    other = lone("Eve", **(carries or {}))
    marks: dict[str, Any] = {"moved_round": moved} if moved else {}
    stage.edit(BO, at=Point(meters, 0), items=other[ADA].items, marks=marks)
    terrain, x = behind
    if terrain:
        stage.zone("spot", x=x, y=-2, width=2, depth=4, terrain=[terrain])
    if state:
        stage.give(BO, state)
    return stage


@pytest.mark.parametrize(
    ("sensor", "meters", "how", "found"),
    [pytest.param(*row, marks=pytest.mark.rule(rule)) for rule, *row in SEARCHES],
)
def test_a_sensor_finds_what_it_is_made_for(
    sensor: str, meters: int, how: dict[str, Any], found: bool
) -> None:
    stage = hide(sensor, meters, **how)
    scan(stage)
    assert stage[BO].hidden is not found
    assert stage[ADA].budget["minor"] == 0


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
def test_surprised_notice_an_attacker_once_that_one_has_acted() -> None:
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
    assert can_see(stage.state, stage[ADA], stage[BO])
    stage.zone("wall", x=10, y=-5, width=1, depth=10, terrain=["wall"])
    assert not can_see(stage.state, stage[ADA], stage[BO])
    stage.edit(BO, at=type(stage[BO].at)(10.5, 0))
    assert can_see(stage.state, stage[ADA], stage[BO])
