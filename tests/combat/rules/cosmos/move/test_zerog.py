"""Zero gravity: pushes, and bends on the path."""

from __future__ import annotations

import pytest

from combat.rules.core.engine.engine import find_action
from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from tests.combat.rules.cosmos.figures import CosmosStage
from tests.combat.rules.cosmos.move.weightless import bay, marks, void
from tests.combat.rules.stage import Given

# ---------------------------------------------------------------- pushing


@pytest.mark.rule("COS-ENV-01", "COS-ZG-01")
def test_without_a_map_there_is_always_something_to_push_off() -> None:
    stage = CosmosStage()
    stage.do("set_setting", key="gravity", value="zero")
    ada = stage.hero()
    stage.foe()
    stage.begin()
    stage.do("move", ada, to="0,3")
    assert (stage[ada].at.y, stage.has(ada, "drifting")) == (3, False)
    stage.do("set_setting", key="surfaces", value="none")
    stage.turn(ada)
    assert stage.refused("move", ada, to="0,6").code == "not_allowed"


@pytest.mark.rule("COS-ZG-02")
def test_a_full_move_is_two_pushes() -> None:
    stage, ada, _ = void(at=(2, 0))
    assert stage.refused("full_move", ada, to="8.1,0").code == "out_of_range"
    stage.do("full_move", ada, to="8,0")


@pytest.mark.rule("COS-ZG-02")
def test_wounds_do_not_shorten_a_push() -> None:
    stage, ada, _ = void()
    stage.set_track(ada, hp=20)
    stage.give(ada, "fatigued")
    assert stage.derived(ada, "Speed").value == 3


@pytest.mark.rule("COS-ENV-01")
def test_a_thruster_pack_flies_anywhere_and_spends_a_charge() -> None:
    stage, ada, _ = void(gear=("thruster_pack",), at=(20, 0))
    assert stage.derived(ada, "Speed").value == 10
    stage.do("move", ada, to="24,0; 24,4")
    assert stage.item(ada, "thruster_pack").marks["used"] == 1
    assert not stage.has(ada, "drifting")
    stage.mark(ada, "thruster_pack", used=19)
    assert stage.derived(ada, "Speed").value == 10
    stage.mark(ada, "thruster_pack", used=20)
    stage.turn(ada)
    assert stage.refused("move", ada, to="20,1").code == "not_allowed"


@pytest.mark.rule("COS-ENV-01", "COS-ZG-05", "COS-ZG-06")
@pytest.mark.parametrize(("used", "drift", "x"), [(0, None, 22), (19, (1000, 0), 23)])
def test_thruster_pack_ends_a_drift_and_its_last_use_begins_one(
    used: int, drift: tuple[int, int] | None, x: int
) -> None:
    stage, ada, _ = void(gear=("thruster_pack",), at=(20, 0))
    stage.mark(ada, "thruster_pack", used=used)
    stage.give(ada, "drifting", marks={"x": 0, "y": 1000})
    stage.do("move", ada, to="22,0")
    assert (marks(stage, ada) if stage.has(ada, "drifting") else None) == drift
    stage.do("next_turn")
    assert stage[ada].at.x == x


@pytest.mark.rule("COS-TERR-06")
def test_a_zone_without_gravity_is_rough_but_costs_single() -> None:
    stage = CosmosStage()
    stage.zone("hold", x=0, y=-5, width=30, depth=10, terrain=["zero-g"])
    ada = stage.hero(at=(2, 0))
    stage.foe(at=(20, 0))
    stage.begin()
    stage.do("move", ada, to="5,0")
    (moved,) = stage.told(e.Moved)
    assert (moved.cost, stage.has(ada, "rough_going")) == (3, True)
    assert not any(said.key == "log.in_hazard" for said in stage.told(e.Said))


@pytest.mark.rule("COS-ZG-02", "COS-ENV-01")
def test_who_walks_into_zero_gravity_pushes_from_there_on() -> None:
    """Speed 11: 5.5 m of floor take half of the Move Action; the other half is half a push of 3 m."""
    stage, ada, _ = bay(at=-5.5)
    assert stage.refused("move", ada, to="2,0").code == "out_of_range"
    stage.do("move", ada, to="1.5,0")
    (moved,) = stage.told(e.Moved)
    assert (moved.metres, moved.cost) == (7, 11)
    assert stage.has(ada, "rough_going")


@pytest.mark.rule("COS-ZG-02", "COS-ENV-01")
def test_who_pushes_off_towards_firm_ground_walks_on_from_there() -> None:
    stage, ada, _ = bay(at=1.5)
    assert stage.refused("move", ada, to="-6,0").code == "out_of_range"
    stage.do("move", ada, to="-5.5,0")
    assert stage.told(e.Moved)[0].cost == 3


@pytest.mark.rule("COS-ZG-02", "COS-XENV-01")
@pytest.mark.parametrize(("tag", "x"), [("zero-g", 1.5), ("underwater", 2.5)])
def test_as_far_as_it_goes_counts_the_ground_beyond(tag: str, x: float) -> None:
    stage, ada, _ = bay(tag, at=-5.5)
    stage.do("move", ada, to="20,0", far=True)
    assert stage[ada].at.x == pytest.approx(x, abs=0.11)
    assert stage.told(e.Moved)[0].cost <= 11


@pytest.mark.rule("COS-XENV-01", "COS-MOVE-03")
@pytest.mark.parametrize(("name", "times"), [("move", 1), ("full_move", 2)])
def test_each_meter_under_water_counts_by_half_the_speed(name: str, times: int) -> None:
    """Speed 11 and 5 under water: where the floor ends 5.5 m away, half of the first action is left."""
    stage, ada, _ = bay("underwater", at=-5.5)
    end = 5 * times - 2.5
    assert stage.refused(name, ada, to=f"{end + 0.2},0").code == "out_of_range"
    stage.do(name, ada, to=f"{end},0")
    assert stage.told(e.Moved)[0].cost == 11 * times


@pytest.mark.rule("COS-XENV-01", "COS-MOVE-09")
def test_half_speed_is_not_halved_again_under_water() -> None:
    stage, ada, _ = bay("underwater", at=-2)
    stage.do("move", ada, to="3,0", careful=True)
    assert stage.told(e.Moved)[0].cost == 5


@pytest.mark.rule("COS-XENV-01", "COS-TERR-02")
def test_rubble_under_water_doubles_what_the_water_makes_of_it() -> None:
    stage, ada, _ = bay("underwater", at=0)
    stage.zone("wreck", x=0.01, y=-5, width=20, depth=10, terrain=["underwater", "rubble"])
    stage.place(ada, 0, 0)
    assert stage.refused("move", ada, to="2.7,0").code == "out_of_range"
    stage.do("move", ada, to="2.5,0")


@pytest.mark.rule("COS-MOVE-02", "COS-XENV-01", "COS-ZG-02")
@pytest.mark.parametrize("tag", ["zero-g", "underwater"])
@pytest.mark.parametrize("at", [-4, 2])
def test_the_map_marks_what_the_ground_on_the_way_allows(tag: str, at: float) -> None:
    stage, ada, _ = bay(tag, at=at)
    find_reach = find_action(stage.system, "move").find_reach
    assert find_reach is not None
    marked = {square.at.x: square for square in find_reach(stage.state, ada) if square.at.y == 0}
    before = stage.state
    for x in (n for n in range(-16, 30, 2) if n != at):
        stage.state = before
        if x in marked:
            stage.do("move", ada, to=f"{x},0")
        else:
            assert stage.refused("move", ada, to=f"{x},0").code == "out_of_range"


@pytest.mark.rule("COS-ZG-02", "COS-ZG-04")
def test_magnetic_boots_only_allow_pushes_beyond_the_deck() -> None:
    """Speed 11 on the deck; beyond 1 m from its edge only pushes of 3 m."""
    stage, ada, _ = void(at=(5.5, 0), gear=("magnetic_boots",))
    assert stage.derived(ada, "Speed").value == 11
    assert stage.refused("move", ada, to="16,0").code == "out_of_range"


@pytest.mark.rule("COS-MOVE-05", "COS-COMBO-01")
@pytest.mark.parametrize("name", ["sprint", "charge"])
def test_neither_sprint_nor_charge_into_zero_gravity(name: str) -> None:
    stage, ada, bo = bay(weapons=("club",))
    stage.draw_all(ada)
    stage.place(bo, 3, 0)
    fields = {"to": "2,0"} if name == "sprint" else {"target": bo, "weapon": stage.weapon(ada, "club")}
    refused = stage.refused(name, ada, **fields)
    assert (refused.code, "without gravity" in refused.message) == ("not_allowed", True)


@pytest.mark.rule("COS-TERR-01", "COS-TERR-03", "COS-TERR-04", "COS-XENV-01")
@pytest.mark.parametrize("everywhere", [True, False])
def test_a_place_under_water_is_difficult_terrain(everywhere: bool) -> None:
    stage, ada, bo = bay("floor" if everywhere else "underwater", at=-2, weapons=("club",))
    if everywhere:
        stage.do("set_setting", key="water", value="underwater")
    stage.draw_all(ada)
    stage.change(ada, "club", traits=["underwater"])
    stage.place(bo, 4, 0)
    no = stage.refused("charge", ada, target=bo, weapon=stage.weapon(ada, "club"))
    assert no.message == "No charge through difficult terrain."
    no = stage.refused("sprint", ada, to="2,0")
    assert no.message == "No sprinting through difficult terrain."
    assert ("sprint" in stage.obstacle("sprint", ada)) == everywhere
    stage.do("move", ada, to="1,0")
    assert stage.has(ada, "rough_going")


@pytest.mark.rule("COS-MOVE-09", "COS-XENV-01")
def test_a_careful_move_under_water_keeps_the_guard_up() -> None:
    stage, ada, _ = bay("underwater", at=2)
    stage.do("move", ada, to="3,0", careful=True)
    assert not stage.has(ada, "rough_going")


@pytest.mark.rule("COS-ZG-03")
@pytest.mark.parametrize(("bend", "dice"), [("-2,0; -2,2", []), ("1,0; 1,1", [(9, 9)])])
def test_only_a_bend_in_zero_gravity_takes_the_check(bend: str, dice: Given) -> None:
    stage, ada, _ = bay(at=-3)
    stage.do("full_move", ada, to=bend, dice=dice)


@pytest.mark.rule("COS-ZG-03")
def test_a_failed_bend_goes_straight_on_up_to_a_wall() -> None:
    stage, ada, _ = bay(at=-3)
    stage.do("set_map", map={"walls": [{"id": "w", "x1": 1.8, "y1": -9, "x2": 1.8, "y2": 9}]})
    stage.do("full_move", ada, to="1,0; 1,2", dice=[(1, 2)])
    assert 1 <= stage[ada].at.x < 1.8
    assert stage[ada].at.y == 0


@pytest.mark.rule("COS-ZG-05")
def test_who_walks_into_weightless_open_space_drifts_on() -> None:
    stage, ada, _ = bay(at=-1)
    zones = [
        replace(z, terrain=("zero-g", "open space")) if z.id == "bay" else z for z in stage.state.scene.zones
    ]
    stage.state = replace(stage.state, scene=replace(stage.state.scene, zones=tuple(zones)))
    stage.do("move", ada, to="2,0")
    assert marks(stage, ada) == (1000, 0)


# ---------------------------------------------------------------- turning


@pytest.mark.rule("COS-ZG-03")
def test_a_bend_takes_coordination_and_athletics() -> None:
    stage, ada, _ = void(at=(2, 0), skills={"Athletics": 2})
    stage.do("full_move", ada, to="4,0; 4,2", dice=[(2, 2)])
    check = stage.check("Athletics")
    assert (check.total, check.against, check.outcome) == (11, 11, "outcome.success")
    assert (stage[ada].at.x, stage[ada].at.y) == (4, 2)
