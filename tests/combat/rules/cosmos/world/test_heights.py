"""Up and down: what a path may cross, how high a climb gets, and how far arms reach upward."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import command_data
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.engine.engine import find_action
from combat.rules.core.space import Point, on_ground
from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from combat.rules.cosmos.environment import tags_at
from combat.rules.cosmos.fight.blast import smoke
from combat.rules.cosmos.hazards.electricity import Shock, find_shocked
from combat.rules.cosmos.hazards.ground import spread_fire
from combat.rules.cosmos.world.scene import look_at
from tests.combat.rules.cosmos.figures import CosmosStage, sheet, words
from tests.combat.rules.stage import Given, Script


def beside(height: float, *weapons: str, x: float = 1, **scene: str) -> tuple[CosmosStage, str, str]:
    """Ada at (0, 0) on her turn, and Bo on a roof of this many meters that begins `x` m away."""
    stage = CosmosStage()
    stage.zone("street", x=-20, y=-20, width=60, depth=40)
    stage.zone("roof", x=x, y=-5, width=10, depth=10, height=height)
    ada, bo = stage.hero(weapons=weapons or ("club",)), stage.foe(at=(x, 0, height))
    for key, value in scene.items():
        stage.do("set_setting", key=key, value=value)
    stage.begin()
    return stage, ada, bo


# ---------------------------------------------------------------- walking


@pytest.mark.rule("COS-TERR-10", "COS-TERR-12")
@pytest.mark.parametrize(
    ("height", "message"),
    [
        (8, "The way leads 8 m up: climb (high)."),
        (2, "The way leads 2 m up: climb (medium)."),
        (1.5, "The way leads 1.5 m up: climb (medium)."),
        (-3, "The way drops 3 m: climb down (high)."),
    ],
)
@pytest.mark.parametrize("to", ["4,0", "zone:roof"])
def test_a_move_does_not_walk_up_a_wall(height: float, message: str, to: str) -> None:
    stage, ada, _ = beside(height)
    assert stage.refused("move", ada, to=to).message == message
    assert stage.refused("full_move", ada, to=to).message == message
    assert stage.refused("sprint", ada, to=to).message == message


@pytest.mark.rule("COS-TERR-12")
def test_a_move_does_not_walk_over_a_wall_either() -> None:
    stage, ada, _ = beside(0)
    stage.zone("wall", x=2, y=-5, width=1, depth=10, height=8)
    assert stage.refused("move", ada, to="6,0").message == "The way leads 8 m up: climb (high)."
    stage.do("move", ada, to="0,6")


@pytest.mark.rule("COS-TERR-08", "COS-TERR-09")
@pytest.mark.parametrize(("height", "cost"), [(0.5, 4), (1, 6), (-2, 4)])
def test_low_rise_costs_two_meters_and_a_step_or_small_drop_none(height: float, cost: int) -> None:
    stage, ada, _ = beside(height)
    stage.do("move", ada, to="4,0")
    assert stage[ada].at == Point(4, 0, height)
    (moved,) = stage.told(e.Moved)
    assert (moved.metres, moved.cost) == (4, cost)


@pytest.mark.rule("COS-TERR-12")
def test_terraces_beyond_the_end_of_a_path_are_not_on_it() -> None:
    stage, ada, _ = beside(3, x=5)
    stage.zone("tower", x=15, y=-5, width=10, depth=10, height=9)
    stage.do("move", ada, to="4,0")
    assert stage[ada].at == Point(4, 0)


@pytest.mark.rule("COS-TERR-12")
def test_as_far_as_it_goes_ends_at_the_foot_of_the_wall() -> None:
    stage, ada, bo = beside(8, x=5)
    stage.edit(bo, at=Point(9, 0, 8))
    stage.do("move", ada, to=f"near:{bo}", far=True)
    assert stage[ada].at == Point(4.9, 0, 0)
    stage.turn(ada)
    assert "8 m up" in stage.refused("move", ada, to=f"near:{bo}", far=True).message


@pytest.mark.rule("COS-TERR-12")
def test_the_map_marks_no_square_up_a_wall() -> None:
    stage, ada, _ = beside(8)
    find_reach = find_action(stage.system, "move").find_reach
    assert find_reach is not None
    squares = find_reach(stage.state, ada)
    assert squares
    assert all(square.at.x < 1 or abs(square.at.y) > 5 for square in squares)


@pytest.mark.rule("COS-COMBO-01", "COS-TERR-12")
def test_no_charge_up_a_wall() -> None:
    stage, ada, bo = beside(3, x=5)
    stage.edit(bo, at=Point(8, 0, 3))
    no = stage.refused("charge", ada, target=bo, weapon=stage.weapon(ada, "club"))
    assert no.message == "The way leads 3 m up: climb (high)."


@pytest.mark.rule("COS-ENV-01")
def test_a_push_in_zero_gravity_minds_no_wall() -> None:
    stage, ada, _ = beside(8, gravity="zero")
    stage.do("move", ada, to="3,0")
    assert stage[ada].at.z == 8


@pytest.mark.rule("COS-ENV-01", "COS-TERR-12")
@pytest.mark.parametrize(("weightless", "goes"), [("roof", True), ("street", True), ("", False)])
def test_a_wall_counts_by_the_gravity_at_its_foot_and_on_it(weightless: str, goes: bool) -> None:
    stage, ada, _ = beside(8)
    zones = [replace(z, terrain=("zero-g",)) if z.id == weightless else z for z in stage.state.scene.zones]
    stage.state = replace(stage.state, scene=replace(stage.state.scene, zones=tuple(zones)))
    if goes:
        stage.do("move", ada, to="1.5,0")
        assert stage[ada].at.z == 8
    else:
        assert stage.refused("move", ada, to="1.5,0").code == "out_of_range"


@pytest.mark.rule("COS-ENV-01", "COS-TERR-12")
def test_push_off_into_gravity_becomes_a_climb() -> None:
    stage, ada, _ = beside(8, x=3)
    stage.zone("lift", x=-5, y=-2, width=6, depth=4, terrain=["zero-g"])
    assert stage.refused("move", ada, to="3.4,0").message == "The way leads 8 m up: climb (high)."


# ---------------------------------------------------------------- climbing


@pytest.mark.rule("COS-TERR-08", "COS-TERR-10", "COS-TERR-12", "COS-TERR-13", "COS-ACT-12")
@pytest.mark.parametrize(
    ("obstacle", "meters", "height", "message"),
    [
        ("low", 3, 10, "That way is 10 m up or down: choose high, 10 m."),
        ("low", 3, 2, "That way is 2 m up or down: choose medium."),
        ("medium", 3, 2.5, "That way is 2.5 m up or down: choose high, 3 m."),
        ("high", 4, 8, "That way is 8 m up or down: choose high, 8 m."),
        ("high", 3, -8, "That way is 8 m up or down: choose high, 8 m."),
        ("low", 3, 1, ""),
        ("medium", 3, 2, ""),
        ("high", 8, 8, ""),
    ],
)
def test_a_climb_leads_no_higher_than_its_obstacle(
    obstacle: str, meters: int, height: float, message: str
) -> None:
    stage, ada, _ = beside(height)
    fields: dict[str, Any] = {"obstacle": obstacle, "metres": meters, "to": "3,0"}
    if message:
        assert stage.refused("climb", ada, **fields).message == message
        with pytest.raises(Refused):
            stage.preview("climb", ada, **fields)
        return
    stage.do("climb", ada, **fields, dice=[] if obstacle == "low" else [(10, 10)])
    assert stage[ada].at == Point(3, 0, height)


def test_tactics_climb_to_an_enemy_on_a_roof() -> None:
    stage, ada, bo = beside(4)
    submission = stage.system.tactics.suggest(stage.state, ada)
    assert submission is not None
    name, command = submission
    assert (name, *map(command_data(command).get, ("obstacle", "metres", "to"))) == (
        "climb",
        "high",
        4,
        f"near:{bo}",
    )


@pytest.mark.rule("COS-TERR-12")
def test_tactics_go_to_the_foot_of_a_roof_and_climb_its_edge() -> None:
    stage, ada, bo = beside(4, x=5)
    stage.edit(bo, at=Point(13, 0, 4))
    for at in (Point(4.9, 0, 0), Point(7.9, 0, 4)):
        submission = stage.system.tactics.suggest(stage.state, ada)
        assert submission is not None
        name, command = submission
        stage.do(name, dice=[(10, 10)] if name == "climb" else [], **command_data(command))
        assert stage[ada].at == at
        stage.turn(ada)


@pytest.mark.rule("COS-TERR-12", "COS-MOVE-02")
def test_a_climb_towards_a_zone_begins_next_to_it() -> None:
    stage, ada, _ = beside(4, x=5)
    no = stage.refused("climb", ada, obstacle="high", metres=4, to="zone:roof")
    assert no.message == "A climb covers 3 m: move next to it first."


@pytest.mark.rule("COS-COND-28", "COS-TERR-09")
def test_the_prone_step_over_nothing_freely_but_crawl_over_it() -> None:
    stage, ada, _ = beside(0)
    stage.give(ada, "prone")
    assert "crawl over it" in stage.refused("move", ada, to="here", low=1).message
    stage.do("move", ada, to="0,3", low=1)
    assert stage[ada].at == Point(0, 3)


# ---------------------------------------------------------------- thrown

THROW: Given = [(9, 9), (1, 2), 1]  # both sides of the contest, and Bo's unarmed damage: 3 and no armor
SLIPS, LANDS = (4, 3), (4, 4)  # Coordination 6 against 14


def throw_over(height: float, *dice: tuple[int, ...], **more: object) -> tuple[CosmosStage, str]:
    """Ada throws Bo 2 m, across an edge half-way; the ground behind it is this many meters higher."""
    stage, ada, bo = beside(height, x=2)
    if more:
        zones = [replace(zone, **more) if zone.id == "roof" else zone for zone in stage.state.scene.zones]
        stage.state = replace(stage.state, scene=replace(stage.state.scene, zones=tuple(zones)))
    stage.edit(bo, at=Point(1, 0, 0))
    stage.give(bo, "grappled", by=ada)
    stage.do("squeeze", ada, target=bo, effect="throw", dice=[*THROW, *dice])
    return stage, bo


@pytest.mark.rule("COS-MANV-06", "COS-HAZ-01", "COS-HAZ-03")
@pytest.mark.parametrize(
    ("height", "dice", "lost"),
    [
        (-2.9, [], 0),
        (-3, [SLIPS, (5,)], 5),
        (-7, [SLIPS, (5, 4)], 9),
        (-7, [LANDS, (5, 4)], 4),
    ],
)
def test_who_is_thrown_over_an_edge_falls(height: float, dice: list[tuple[int, ...]], lost: int) -> None:
    level, thrown = throw_over(0)
    stage, bo = throw_over(height, *dice)
    assert stage[bo].at == Point(3, 0, height)
    assert stage.hp(bo) == level.hp(thrown) - lost
    assert ("Bo falls 7 m." in stage.log()) == (height == -7)


@pytest.mark.rule("COS-HAZ-04")
@pytest.mark.parametrize("terrain", ["water", "underwater"])
def test_water_below_an_edge_softens_the_fall(terrain: str) -> None:
    stage, bo = throw_over(-7, SLIPS, (5,), terrain=(terrain,))
    assert "COS-HAZ-01" in stage.rules()
    assert stage.hp(bo) == throw_over(0)[0].hp(bo) - 5


@pytest.mark.rule("COS-ENV-03")
def test_nobody_thrown_falls_where_there_is_no_gravity() -> None:
    stage, _ = throw_over(-7, terrain=("zero-g",))
    assert "COS-HAZ-01" not in stage.rules()


@pytest.mark.rule("COS-MANV-06")
@pytest.mark.parametrize(
    ("height", "at"), [(1, Point(3, 0, 1)), (1.5, Point(1.9, 0, 0)), (8, Point(1.9, 0, 0))]
)
def test_nobody_is_thrown_up_a_wall(height: float, at: Point) -> None:
    stage, bo = throw_over(height)
    assert stage[bo].at == at
    assert stage.has(bo, "prone")


@pytest.mark.rule("COS-MANV-06", "COS-ENV-01")
def test_a_throw_in_zero_gravity_minds_no_wall() -> None:
    stage, ada, bo = beside(8, x=2, gravity="zero")
    stage.edit(bo, at=Point(1, 0, 0))
    stage.give(bo, "grappled", by=ada)
    stage.do("squeeze", ada, target=bo, effect="throw", dice=THROW)
    assert stage[bo].at == Point(3, 0, 8)


@pytest.mark.rule("COS-HAZ-01", "COS-DEATH-11")
def test_whom_the_throw_kills_falls_no_more() -> None:
    stage, ada, bo = beside(-7, x=2)
    stage.edit(bo, at=Point(1, 0, 0))
    stage.give(bo, "grappled", by=ada)
    stage.set_track(bo, hp=-4)
    stage.do("squeeze", ada, target=bo, effect="throw", dice=THROW)
    assert stage.has(bo, "dead")


# ---------------------------------------------------------------- reach


@pytest.mark.rule("COS-ATK-05", "COS-MANV-01", "COS-MANV-11")
@pytest.mark.parametrize(("height", "reached"), [(1, True), (2, False), (6, False)])
def test_arms_reach_as_far_up_as_along(height: float, reached: bool) -> None:
    stage, ada, bo = beside(height)
    club = stage.weapon(ada, "club")
    for name, fields in (
        ("attack", {"weapon": club}),
        ("grapple", {}),
        ("trip", {}),
        ("disarm", {"weapon": club}),
    ):
        if not reached:
            assert f"{height} m away" in stage.refused(name, ada, target=bo, **fields).message
    if reached:
        stage.do("attack", ada, target=bo, weapon=club, dice=[(1, 2)])
        assert stage.check("attack").outcome == "outcome.miss"


@pytest.mark.rule("COS-ATK-05")
def test_a_long_weapon_reaches_two_meters_up() -> None:
    stage, ada, bo = beside(2, "spear")
    stage.do("attack", ada, target=bo, weapon=stage.weapon(ada, "spear"), dice=[(1, 2)])
    stage.turn(ada)
    stage.edit(bo, at=Point(1, 0, 3))
    assert "reaches 2 m" in stage.refused("attack", ada, target=bo, weapon=stage.weapon(ada, "spear")).message


@pytest.mark.rule("COS-ATK-05", "COS-POS-03")
def test_nobody_flanks_from_a_roof() -> None:
    stage, ada, bo = beside(0)
    stage.state = replace(stage.state, phase="prep")
    cy = stage.add("Cy", "allies", (2, 0, 6), sheet(("club",)))
    stage.begin(ada, bo, cy)
    preview = stage.preview("attack", ada, target=bo, weapon=stage.weapon(ada, "club"))
    assert "Flanking" not in [words(term.label) for term in preview.modifiers]


@pytest.mark.rule("COS-ATK-09")
@pytest.mark.parametrize(("height", "penalty"), [(30, 0), (31, -2), (60, -2), (61, -4), (120, -4)])
def test_a_shot_upward_is_as_far_as_one_along(height: float, penalty: int) -> None:
    stage, ada, bo = beside(height, "pistol")
    terms = stage.preview("attack", ada, target=bo, weapon=stage.weapon(ada, "pistol")).modifiers
    assert sum(term.value for term in terms if term.rule == "COS-ATK-09") == penalty


@pytest.mark.rule("COS-ATK-09", "COS-DMG-04", "COS-ACT-07")
def test_nothing_reaches_farther_up_than_along() -> None:
    stage, ada, bo = beside(200, "pistol", "grenade")
    pistol = {"target": bo, "weapon": stage.weapon(ada, "pistol")}
    assert stage.refused("attack", ada, **pistol).message == (
        "Out of reach: Pistol reaches 120 m, Bo is 200 m away."
    )
    items = tuple(replace(item, place="held") for item in stage[ada].items)
    stage.edit(ada, items=items)
    grenade = {"weapon": stage.weapon(ada, "grenade"), "at": f"near:{bo}"}
    assert "that is 200 m away" in stage.refused("blast", ada, **grenade).message
    stage.edit(bo, side="allies")
    stage.give(bo, "frightened", by=ada)
    assert stage.refused("rally", ada, target=bo).message == "Bo is more than 10 m away."


@pytest.mark.rule("COS-HAZ-11")
@pytest.mark.parametrize(("height", "caught"), [(0, True), (0.75, True), (1, False), (4, False)])
def test_arc_along_the_ground_passes_below_those_higher_up(height: float, caught: bool) -> None:
    stage, _, bo = beside(0, x=3)
    stage.edit(bo, at=Point(4, 0, height))
    shock = Shock(actor="", target="", kind="arc", start="0,0", to="9,0")
    assert (bo in find_shocked(stage.state, shock)) is caught


@pytest.mark.rule("COS-COVER-09")
def test_smoke_in_the_street_leaves_the_roofs_alone() -> None:
    stage, _, bo = beside(30, x=3)
    context = RuleContext(stage.system, stage.state, Script(()))
    smoke(context, Point(0, 0), 5, 3)
    stage.state = context.state
    assert "thick smoke" in tags_at(stage.state, Point(0, 0))
    assert "thick smoke" not in tags_at(stage.state, stage[bo].at)
    assert on_ground(stage.state.scene, Point(4, 0)).z == 30
    assert look_at(stage.state.scene, Point(9, 0, 30), stage[bo].at, (0, 0), False).by_growth == "none"


@pytest.mark.rule("COS-HAZ-06")
def test_fire_does_not_spread_up_a_wall() -> None:
    stage, _, _ = beside(30, x=1)
    context = RuleContext(stage.system, stage.state, Script(()))
    spread_fire(context, Point(0, 0))
    stage.state = context.state
    burning = [zone for zone in stage.state.scene.zones if "fire" in zone.terrain]
    assert burning
    assert {zone.height for zone in burning} == {0}
    assert on_ground(stage.state.scene, Point(2, 0)).z == 30
