"""The map variant: squares and hexes of a meter, and the pool of movement."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.basics.errors import Refused
from combat.rules.core.map.bodies import SIZE
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from combat.rules.starshock.fight.maneuvers import find_cell_behind
from combat.rules.starshock.move.movement import preview_move
from combat.rules.starshock.move.ways import Move
from combat.rules.starshock.world.place import count_meters
from tests.combat.rules.starshock.figures import ADA, BO, CY, StarStage, find_notes, terms


def mapped(actions: int = 1, kind: str = "squares", **options: Any) -> StarStage:
    """Ada at 0,0 and Bo at 20,0 of a map; her turn."""
    stage = StarStage(**options)
    stage.hero("Ada", "ray_gun", at=(0, 0))
    stage.foe("Bo", "dagger", at=(20, 0))
    stage.map(kind)
    return stage.begin(ADA, BO, actions=actions)


@pytest.mark.rule("SS-MAP-01")
def test_zones_unless_the_gm_chooses_a_map() -> None:
    stage = StarStage("dock", "hold")
    stage.hero("Ada", zone="dock")
    stage.begin(ADA)
    assert "metres" not in stage[ADA].budget
    assert [option.value for option in stage.field("move", ADA, "to").options] == ["zone:hold"]
    stage.map()
    stage.turn(ADA)
    assert stage[ADA].budget["metres"] == 5
    options = [option.value for option in stage.field("move", ADA, "to").options]
    assert options == ["zone:dock", "zone:hold"]
    names = [field.name for field in stage.system.action("move").find_fields(stage.state, ADA)]
    assert ("far" in names, "jump" in names) == (True, False)
    stage.do("move", ADA, to="4,2")


@pytest.mark.rule("SS-MAP-07")
def test_nothing_is_left_over_of_the_pool() -> None:
    stage = mapped(1)
    stage.do("free_move", ADA, to="1,0")
    stage.next_turn_of(ADA)
    assert stage[ADA].budget["metres"] == 5


def marked(stage: StarStage) -> dict[tuple[float, float], float]:
    """The squares the map marks for Ada's next Move, with their meters."""
    find_reach = stage.system.action("move").find_reach
    assert find_reach
    found = find_reach(stage.state, ADA)
    assert all(reach.side == 1 for reach in found)
    return {(reach.at.x, reach.at.y): reach.meters for reach in found}


@pytest.mark.rule("SS-MAP-06", "SS-MAP-08")
def test_map_marks_the_squares_that_one_more_action_pays_for() -> None:
    stage = mapped(2)
    assert marked(stage) == {}
    zone = {"id": "hall", "name": "Hall", "x": 0, "y": 0, "width": 40, "depth": 1}
    mud = {**zone, "id": "mud", "name": "Mud", "x": 8, "width": 3, "terrain": ["difficult"]}
    stage.do("set_scene", scene={"zones": [zone, mud], "settings": {"positioning": "squares"}})
    found = marked(stage)
    assert found[(7, 0)] == found[(7, 1)] == 7
    assert found[(8, 0)] == 9
    assert (9, 0) not in found
    stage.do("move", ADA, to="8,1")
    assert stage[ADA].budget["metres"] == 1


@pytest.mark.rule("SS-MAP-04", "SS-MAP-08")
def test_map_marks_the_hexes_around() -> None:
    """Six of them lie one step away: two in the row, two above and two below."""
    stage = mapped(1, kind="hexes")
    hall = {"id": "hall", "name": "Hall", "x": -20, "y": -20, "width": 40, "depth": 40}
    stage.do("set_scene", scene={"zones": [hall], "settings": {"positioning": "hexes"}})
    stage.do("place", target=BO, x=15, y=15)
    found = marked(stage)
    beside = {place for place, meters in found.items() if meters == 1}
    assert beside == {(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)}
    assert len(found) == 3 * 10 * 11, "all within ten steps"
    stage.do("move", ADA, to="6,-10")
    assert stage[ADA].budget["metres"] == 0


@pytest.mark.rule("SS-MAP-01")
def test_zones_mark_no_squares() -> None:
    stage = StarStage("dock", "hold")
    stage.hero("Ada", zone="dock")
    stage.begin(ADA)
    assert marked(stage) == {}


@pytest.mark.rule("SS-OTHER-04")
def test_two_moves_add_ten() -> None:
    stage = mapped(2)
    stage.do("move", ADA)
    stage.do("move", ADA)
    assert stage[ADA].budget["metres"] == 15


@pytest.mark.rule("SS-ZONE-07")
def test_breaking_away_on_a_map_is_for_the_table_to_choose() -> None:
    for option, dice in (("off", []), ("leaving_1m_of_hostile", [(6, 6)])):
        stage = mapped(1, map_leave_check=option)
        stage.do("place", target=BO, x=1, y=0)
        stage.do("free_move", ADA, to="0,3", dice=dice)
        assert len(stage.checks("breaking_away")) == len(dice)
        stage.do("free_move", ADA, to="0,4")
        assert stage.checks("breaking_away") == []


@pytest.mark.rule("SS-ZONE-07", "SS-ZONE-08")
def test_nobody_breaks_away_from_someone_far_above() -> None:
    stage = mapped(1, map_leave_check="leaving_1m_of_hostile")
    stage.edit(BO, at=Point(1, 0, 30))
    stage.do("free_move", ADA, to="0,3")
    assert stage.checks("breaking_away") == []


@pytest.mark.rule("SS-ZONE-07")
@pytest.mark.parametrize("large", [ADA, BO])
@pytest.mark.parametrize(("to", "leaves"), [("0,1", False), ("-2,0", True)])
def test_who_stays_beside_a_large_body_does_not_break_away(large: str, to: str, leaves: bool) -> None:
    stage = mapped(1, map_leave_check="leaving_1m_of_hostile")
    stage.edit(BO, at=Point(2, 0))
    stage.edit(large, marks={**stage[large].marks, SIZE: 30})
    stage.do("free_move", ADA, to=to, dice=[(6, 6)] if leaves else [])
    assert len(stage.checks("breaking_away")) == leaves


@pytest.mark.rule("SS-RANGE-04")
@pytest.mark.parametrize("kind", ["squares", "hexes"])
def test_a_shot_upward_is_as_far_as_one_along(kind: str) -> None:
    stage = mapped(1, kind)
    stage.edit(BO, at=Point(4, 0, 30))
    shown = stage.preview("attack", ADA, target=BO, weapon=stage.weapon(ADA, "ray_gun"))
    assert [term.value for term in shown.modifiers if term.rule == "SS-RANGE-04"] == [-6]


@pytest.mark.rule("SS-MANV-03")
@pytest.mark.parametrize(("height", "x"), [(0, 5), (1, 5), (2, 2), (30, 2), (-30, 5)])
def test_nobody_is_pushed_up_a_wall(height: float, x: int) -> None:
    stage = mapped(1)
    settings = dict(stage.state.scene.settings)
    ledge = {"id": "ledge", "name": "Ledge", "x": 2.5, "y": -5, "width": 9, "depth": 10, "height": height}
    stage.do("set_scene", scene={"zones": [ledge], "settings": settings})
    stage.edit(BO, at=Point(1, 0))
    goal = find_cell_behind(stage.state, stage[ADA], stage[BO], 4)
    assert (goal.x, goal.z) == (x, height if x > 2 else 0)


@pytest.mark.rule("SS-MAP-05")
@pytest.mark.parametrize(("diagonal", "meters"), [("one", 4), ("five_ten_alternate", 6)])
def test_a_way_aslant_upward_counts_like_a_diagonal(diagonal: str, meters: int) -> None:
    stage = mapped(1, diagonal=diagonal)
    assert count_meters(stage.state, Point(0, 0), Point(4, 0, 4)) == meters
    assert count_meters(stage.state, Point(0, 0), Point(4, 4)) == meters


@pytest.mark.rule("SS-ZONE-07", "SS-MAP-08")
def test_map_move_form_shows_the_check_of_breaking_away() -> None:
    stage = mapped(2, map_leave_check="leaving_1m_of_hostile")
    stage.do("place", target=BO, x=1, y=0)
    shown = stage.preview("move", ADA, to="0,7")
    assert terms(shown.modifiers) == {"Dex": 2, "Action Penalty": -1}
    assert (shown.against[0].value, find_notes(shown)) == (10, ("+5 m for 1 action", "7 of 10 m"))
    stage.do("move", ADA, to="0,7", dice=[(6, 6)])
    assert stage.check("breaking_away").modifiers == shown.modifiers


@pytest.mark.rule("SS-ZONE-07", "SS-MAP-06")
def test_the_form_of_free_move_on_a_map_shows_it_too() -> None:
    stage = mapped(1, map_leave_check="leaving_1m_of_hostile")
    stage.do("place", target=BO, x=1, y=0)
    shown = stage.preview("free_move", ADA, to="0,3", adjust=1, because="a smoke screen")
    assert terms(shown.modifiers) == {"Dex": 2, "Situational: a smoke screen": 1}
    assert find_notes(shown) == ("3 of 5 m",)
    stage.do("free_move", ADA, to="0,3", dice=[(6, 6)], adjust=1, because="a smoke screen")
    assert stage.check("breaking_away").modifiers == shown.modifiers


@pytest.mark.rule("SS-ZONE-07", "SS-ZONE-10")
@pytest.mark.parametrize("to", ["", "0,1", "1,1"])
def test_the_form_shows_no_check_where_nobody_is_left_behind(to: str) -> None:
    stage = mapped(1, map_leave_check="leaving_1m_of_hostile")
    stage.do("place", target=BO, x=1, y=0)
    assert stage.preview("move", ADA, to=to).dice == ""


@pytest.mark.rule("SS-OTHER-08", "SS-ZONE-07")
def test_form_shows_the_gms_check_and_that_another_follows() -> None:
    stage = mapped(1, map_leave_check="leaving_1m_of_hostile")
    stage.do("place", target=BO, x=1, y=0)
    shown = stage.preview("move", ADA, to="0,3", difficulty=12, using="str")
    assert (terms(shown.modifiers), shown.against[0].value) == ({"Str": 1}, 12)
    assert "then Dex + Move vs 10 to break away" in find_notes(shown)


@pytest.mark.rule("SS-MAP-07")
def test_a_path_beyond_the_pool_is_refused_in_the_form() -> None:
    stage = mapped(1)
    with pytest.raises(Refused, match="it takes 11 m, Ada has 10 m left"):
        preview_move(stage.state, Move(actor=ADA, to="0,11"))


@pytest.mark.rule("SS-MAP-04", "SS-MANV-03")
@pytest.mark.parametrize(("answer", "x", "prone"), [("free", 6, False), ("wall", 1, True)])
def test_a_push_on_a_map_goes_straight_away(answer: str, x: int, prone: bool) -> None:
    stage = mapped(1)
    stage.hold(ADA, "grav_hammer")
    stage.do("place", target=BO, x=1, y=0)
    stage.attack("grav_hammer", (5, 5), "0", answer)
    assert stage[BO].at.x == x
    assert stage.has(BO, "prone") is prone


@pytest.mark.rule("SS-MANV-03", "SS-FALL-05")
@pytest.mark.parametrize(
    ("depth", "dice", "damage"),
    [(0, (), 0), (1, (), 0), (2, (), 0), (12, ((4, 2), (6, 6)), 6), (900, ((1,) * 100, (1, 1)), 100)],
)
def test_who_is_pushed_over_an_edge_falls(depth: int, dice: tuple[tuple[int, ...], ...], damage: int) -> None:
    """RULING R46: a fall of 12 m is two whole stretches of 5 m; one roll has 100 dice at most."""
    stage = mapped(1)
    settings = dict(stage.state.scene.settings)
    pit = {"id": "pit", "name": "Pit", "x": 2.5, "y": -5, "width": 9, "depth": 10, "height": -depth}
    stage.do("set_scene", scene={"zones": [pit], "settings": settings})
    stage.hold(ADA, "grav_hammer")
    stage.do("place", target=BO, x=1, y=0)
    stage.attack("grav_hammer", (5, 5), "0", "free", *dice)
    assert stage[BO].at == Point(6, 0, -depth)
    falls = [event for event in stage.told(e.TrackChanged) if "why.fall" in str(event.why)]
    assert [event.new - event.old for event in falls] == ([damage] if damage else [])


@pytest.mark.rule("SS-MAP-01", "SS-MANV-03")
def test_push_against_a_map_wall_knocks_prone_without_asking() -> None:
    stage = mapped(1)
    stage.hold(ADA, "grav_hammer")
    stage.do("place", target=BO, x=1, y=0)
    stage.do("set_map", map={"walls": [{"id": "w", "x1": 1.5, "y1": -9, "x2": 1.5, "y2": 9}]})
    stage.attack("grav_hammer", (5, 5), "0")
    assert (stage[BO].at.x, stage.has(BO, "prone")) == (1, True)


@pytest.mark.rule("SS-MAP-04", "SS-MANV-03")
@pytest.mark.parametrize(
    ("kind", "diagonal", "at", "goal"),
    [
        ("squares", "one", (1, 1), (6, 6)),
        ("squares", "five_ten_alternate", (1, 1), (4, 4)),
        ("squares", "one", (0, -1), (0, -6)),
        ("hexes", "one", (-1, 1), (-6, 6)),
        ("hexes", "one", (1, -1), (6, -6)),
        ("hexes", "one", (0, 1), (0, 6)),
    ],
)
def test_a_push_goes_as_many_meters_as_the_map_counts(
    kind: str, diagonal: str, at: tuple[int, int], goal: tuple[int, int]
) -> None:
    stage = mapped(1, kind, diagonal=diagonal)
    stage.hold(ADA, "grav_hammer")
    stage.do("place", target=BO, x=at[0], y=at[1])
    stage.attack("grav_hammer", (5, 5), "0", "free")
    assert stage[BO].at == Point(*goal)
    assert count_meters(stage.state, Point(*at), stage[BO].at) == (4 if diagonal != "one" else 5)


@pytest.mark.rule("SS-MAP-07", "SS-MAP-08")
@pytest.mark.parametrize(("to", "goal"), [(f"near:{BO}", Point(5, 0)), (f"away:{BO}", Point(-5, 0))])
def test_as_far_as_the_pool_allows(to: str, goal: Point) -> None:
    stage = mapped(1)
    stage.do("free_move", ADA, to=to, far=True)
    assert stage[ADA].at == goal
    assert CY not in stage.state.combatants


def test_a_place_that_is_none_is_refused() -> None:
    stage = mapped(1)
    for to in ("somewhere", "1;2", "99999,0", "zone:nowhere"):
        assert stage.refused("free_move", ADA, to=to).code in ("bad_value", "unknown")


@pytest.mark.rule("SS-OTHER-08")
@pytest.mark.parametrize(("dice", "x", "left"), [((1, 1), 0, 5), ((6, 6), 4, 6)])
def test_a_failed_check_on_a_map_costs_the_meters_of_its_move(
    dice: tuple[int, int], x: int, left: int
) -> None:
    stage = mapped(1)
    stage.do("move", ADA, to="4,0", how="climbs", difficulty=10, dice=[dice])
    assert stage[ADA].at == Point(x, 0)
    assert stage[ADA].budget == {"actions": 0, "attacks": 1, "metres": left}


@pytest.mark.rule("SS-MAP-04", "SS-MAP-05")
@pytest.mark.parametrize(
    ("kind", "diagonal", "said"),
    [("squares", "one", "4 m"), ("squares", "five_ten_alternate", "6 m"), ("hexes", "one", "8 m")],
)
def test_ruler_counts_cells_from_middle_to_middle(kind: str, diagonal: str, said: str) -> None:
    stage = mapped(kind=kind, diagonal=diagonal)
    found = stage.system.space.measure(stage.state, Point(0.3, -0.2), Point(4.1, 3.9))
    assert (found.words, found.start, found.end) == (said, Point(0, 0), Point(4, 4))


@pytest.mark.rule("SS-ZONE-02")
def test_ruler_counts_zones_where_there_is_no_map() -> None:
    stage = StarStage("dock", "hold", "bridge")
    dock, hold, bridge = (zone.centre for zone in stage.state.scene.zones)
    said = [stage.system.space.measure(stage.state, dock, there).words for there in (dock, hold, bridge)]
    assert said == ["same zone", "1 zone", "2 zones"]
    assert stage.system.space.measure(stage.state, dock, Point(-99, 0)).words == "outside all zones"
