"""Overwatch: the shot comes before the trigger completes, and hits at the right place."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.commands.commands import read_command
from combat.rules.core.engine.engine import AutoDriver, Done, find_action, run
from combat.rules.core.odds.odds import brief_chance, brief_odds
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from tests.combat.rules.core.odds.test_odds import compare, find_ends, walk
from tests.combat.rules.cosmos.fight.watch import HIT, MISS, add_friend, rounds, watch
from tests.combat.rules.cosmos.figures import CosmosStage, pair


@pytest.mark.rule("COS-MANV-17", "COS-ACT-24")
def test_shot_is_ordinary_and_falls_where_it_is_first_possible() -> None:
    stage, ada, bo = watch(at=(10, 4), zone="corridor")
    stage.do("move", bo, to="10,7", dice=["shoot", (5, 6), (4,)])
    shot = stage.check("attack")
    assert shot.total - int(stage.item(ada, "pistol").data["equipment"]) == 19
    course = [fact.event for fact in stage.facts if isinstance(fact.event, e.Moved | e.Checked)]
    assert [type(event) for event in course] == [e.Moved, e.Checked, e.Moved]
    assert [m.path[-1].y for m in stage.told(e.Moved)] == [5, 7]
    assert (stage.hp(bo), rounds(stage, ada)) == (92, 14)
    stage.do("next_turn")
    assert stage[ada].budget == {"standard": 1, "move": 1, "quick": 3}


@pytest.mark.rule("COS-MANV-17", "COS-ATK-09")
def test_a_path_into_range_is_shot_at_where_it_is_in_range() -> None:
    stage, ada, bo = watch(at=(125, 0))
    stage.do("move", bo, to="122,0")
    assert stage.asked == []
    stage.turn(bo)
    stage.do("move", bo, to="115,0", dice=["shoot", MISS])
    assert rounds(stage, ada) == 14


@pytest.mark.rule("COS-MANV-17")
def test_a_mover_who_drops_goes_no_farther() -> None:
    stage, _, bo = watch(at=(4, 4), zone="corridor")
    stage.set_track(bo, hp=3)
    stage.do("move", bo, to="4,7", dice=["shoot", HIT, (5,)])
    assert stage.has(bo, "dying")
    assert (stage[bo].at.x, stage[bo].at.y) == (4, 5)


@pytest.mark.rule("COS-MANV-17")
def test_a_mover_who_stands_goes_on() -> None:
    stage, _, bo = watch(at=(10, 4), zone="corridor")
    stage.do("move", bo, to="5,4; 5,7; 8,7", dice=["shoot", MISS])
    moved = stage.told(e.Moved)
    assert [(m.path[-1].x, m.path[-1].y) for m in moved] == [(5, 5), (8, 7)]
    assert (stage[bo].at.x, sum(m.metres for m in moved)) == (8, 11)


@pytest.mark.rule("COS-MANV-17")
def test_who_is_shot_down_does_not_act() -> None:
    stage, ada, bo = watch()
    stage.set_track(bo, hp=3)
    pistol = stage.weapon(bo, "pistol")
    stage.do("attack", bo, target=ada, weapon=pistol, dice=["shoot", HIT, (5,)])
    assert [check.who for check in stage.checks("attack")] == [ada]
    assert (stage.hp(ada), rounds(stage, bo)) == (96, 15)


@pytest.mark.rule("COS-TERR-04", "COS-MANV-17")
@pytest.mark.parametrize(("rubble_x", "careful", "defense"), [(1, False, 16), (1, True, 18), (-2, False, 18)])
def test_difficult_ground_costs_defense_while_it_is_crossed(
    rubble_x: float, careful: bool, defense: int
) -> None:
    stage, _, bo = watch(at=(2, 4))
    stage.zone("rubble", x=rubble_x, y=3, width=1, depth=2, terrain=["rubble"])
    stage.do("move", bo, to="-2,4", careful=careful, dice=["shoot", MISS])
    assert stage.check("attack").against == defense
    assert stage.has(bo, "rough_going") is not careful


@pytest.mark.rule("COS-TERR-04", "COS-MANV-17")
def test_starting_on_difficult_ground_hampers_at_the_first_step() -> None:
    stage, _, bo = watch(at=(10, 0))
    stage.zone("rubble", x=8, y=-2, width=8, depth=4, terrain=["rubble"])
    stage.do("move", bo, to="12,0", dice=["shoot", MISS])
    assert stage.check("attack").against == 16


@pytest.mark.rule("COS-MOVE-07", "COS-MANV-17")
def test_a_sprint_costs_defense_while_it_lasts() -> None:
    stage, _, bo = watch(at=(10, 4))
    stage.do("sprint", bo, to="-5,4", dice=["shoot", MISS])
    assert stage.check("attack").against == 16


@pytest.mark.rule("COS-COMBO-05", "COS-MANV-17")
def test_the_approach_of_a_charge_costs_defense_already() -> None:
    stage, ada, bo = watch(weapons=("club",))
    stage.do("charge", bo, target=ada, weapon=stage.weapon(bo, "club"), dice=["shoot", MISS, MISS])
    assert stage.checks("attack")[0].against == 16


@pytest.mark.rule("COS-MANV-17")
def test_a_charge_that_is_stopped_does_not_strike() -> None:
    stage, ada, bo = watch(weapons=("club",))
    stage.set_track(bo, hp=3)
    stage.do("charge", bo, target=ada, weapon=stage.weapon(bo, "club"), dice=["shoot", HIT, (5,)])
    assert [check.who for check in stage.checks("attack")] == [ada]


@pytest.mark.rule("COS-MANV-16", "COS-MANV-18")
@pytest.mark.parametrize("answers", [("hold", "hold"), ("abort",)])
def test_a_charge_is_a_move_and_an_attack(answers: tuple[str, ...]) -> None:
    stage, ada, bo = watch(weapons=("club",))
    stage.do("charge", bo, target=ada, weapon=stage.weapon(bo, "club"), dice=[*answers, MISS])
    assert stage.has(ada, "overwatch")


@pytest.mark.rule("COS-MANV-17")
def test_one_shot_and_no_more() -> None:
    stage, ada, bo = watch()
    stage.do("move", bo, to="9,0", dice=["shoot", MISS])
    stage.do("attack", bo, target=ada, weapon=stage.weapon(bo, "pistol"), dice=[MISS])
    assert rounds(stage, ada) == 14


@pytest.mark.rule("COS-MANV-18")
@pytest.mark.parametrize("answer", ["abort", "hold"])
def test_the_shot_may_be_called_off(answer: str) -> None:
    stage, ada, bo = watch()
    stage.do("move", bo, to="9,0", dice=[answer])
    assert (stage.has(ada, "overwatch"), rounds(stage, ada), stage.checks()) == (True, 15, [])
    assert any(said.key == "log.calls_off" for said in stage.told(e.Said)) is (answer == "abort")
    stage.do("attack", bo, target=ada, weapon=stage.weapon(bo, "pistol"), dice=["shoot", MISS, MISS])


@pytest.mark.rule("COS-MANV-17")
def test_two_watchers_shoot_in_the_order_of_turns() -> None:
    stage, ada, bo = watch()
    cy = add_friend(stage)
    stage.give(cy, "overwatch", marks={"weapon": stage.weapon(cy, "pistol")})
    stage.begin(cy, ada, bo, active=bo)
    stage.do("move", bo, to="9,0", dice=["shoot", MISS, "shoot", MISS])
    assert [check.who for check in stage.checks("attack")] == [cy, ada]


@pytest.mark.rule("COS-MANV-17")
def test_watchers_shoot_in_the_order_along_the_way() -> None:
    """Cy, first in the order of turns, watches the corridor; Bo leaves the hall in front of Ada before."""
    stage, ada, bo = watch(at=(10, 4))
    cy = add_friend(stage)
    stage.give(cy, "overwatch", marks={"weapon": stage.weapon(cy, "pistol"), "zone": "corridor"})
    stage.begin(cy, ada, bo, active=bo)
    stage.do("move", bo, to="10,7", dice=["shoot", MISS, "shoot", MISS])
    assert [check.who for check in stage.checks("attack")] == [ada, cy]
    assert [moved.path[-1].y for moved in stage.told(e.Moved)] == [5, 7]


@pytest.mark.rule("COS-MANV-17")
def test_one_shot_down_by_a_watcher_is_not_shot_at_by_the_next() -> None:
    stage, _, bo = watch(at=(10, 4))
    cy = add_friend(stage)
    stage.give(cy, "overwatch", marks={"weapon": stage.weapon(cy, "pistol"), "zone": "corridor"})
    stage.set_track(bo, hp=3)
    stage.do("move", bo, to="10,7", dice=["shoot", HIT, (5,)])
    assert (stage[bo].at, stage.has(cy, "overwatch")) == (Point(10, 4), True)


def _behind_a_wall(x: float, top: float, low: float, **foe: Any) -> tuple[CosmosStage, str, str]:
    """A wall at x, from y to y, between Ada and the start or end of Bo's move."""
    stage, ada, bo = watch(**foe)
    wall = {"id": "w", "x1": x, "y1": top, "x2": x, "y2": low}
    stage.do("set_map", map={"walls": [wall]})
    return stage, ada, bo


@pytest.mark.rule("COS-MANV-17", "COS-COVER-05")
def test_wall_at_the_end_of_the_path_hides_nothing_before_it() -> None:
    """Bo crosses the open and ends, nearest to Ada, behind a wall."""
    stage, _, bo = _behind_a_wall(3.5, -4, 2, at=(10, 8))
    stage.do("move", bo, to="4,0", dice=["shoot", MISS])
    stage, _, bo = _behind_a_wall(3.5, -40, 40, at=(10, 8))
    stage.do("move", bo, to="4,0")
    assert stage.asked == []


@pytest.mark.rule("COS-MANV-17", "COS-COVER-05")
def test_one_coming_out_from_behind_a_wall_is_shot_at_where_seen() -> None:
    stage, _, bo = _behind_a_wall(3.5, -4, 4, at=(6, 0))
    stage.do("move", bo, to="6,11", dice=["shoot", MISS])
    first, last = stage.told(e.Moved)
    assert 4 < first.path[-1].y < 10
    assert last.path[-1] == Point(6, 11)


@pytest.mark.rule("COS-MANV-16", "COS-COVER-05")
def test_wall_at_the_edge_of_a_watched_zone_hides_only_the_edge() -> None:
    """Bo enters the corridor at y 5 behind a wall, and emerges farther in."""
    stage, _, bo = watch(zone="corridor", at=(3, 4))
    stage.do("set_map", map={"walls": [{"id": "w", "x1": 1, "y1": 3, "x2": 8, "y2": 3}]})
    stage.do("move", bo, to="3,6; 0,7", dice=["shoot", MISS])
    first, last = stage.told(e.Moved)
    assert first.path[-1].y > 5
    assert last.path[-1] == Point(0, 7)


@pytest.mark.rule("COS-MANV-17", "COS-COVER-02")
def test_cover_at_the_paths_end_helps_against_no_earlier_shot() -> None:
    stage, _, bo = watch(at=(10, 3))
    zones = [replace(z, cover="heavy") if z.id == "corridor" else z for z in stage.state.scene.zones]
    stage.state = replace(stage.state, scene=replace(stage.state.scene, zones=tuple(zones)))
    stage.do("move", bo, to="10,6", dice=["shoot", MISS])
    assert stage.check("attack").against == 18


@pytest.mark.rule("COS-MANV-17")
@pytest.mark.parametrize(("answer", "defense"), [("shoot", 22), ("hold", 18)])
def test_who_holds_fire_is_asked_again_where_the_shot_is_best(answer: str, defense: int) -> None:
    stage, _, bo = watch(at=(10, 6))
    zones = [replace(z, cover="heavy") if z.id == "corridor" else z for z in stage.state.scene.zones]
    stage.state = replace(stage.state, scene=replace(stage.state.scene, zones=tuple(zones)))
    stage.do("move", bo, to="10,3", dice=["shoot", MISS] if answer == "shoot" else ["hold", "shoot", MISS])
    assert stage.check("attack").against == defense


@pytest.mark.rule("COS-MANV-17")
def test_the_odds_of_a_move_count_the_shot() -> None:
    stage, _, bo = watch()
    stage.set_track(bo, hp=1)
    odds = stage.odds("move", bo, to="9,0")
    drops = next(m.chance for m in odds.measures if m.label == "Bo drops")
    assert 0.5 < drops < 1


@pytest.mark.slow
@pytest.mark.rule("COS-MANV-16", "COS-MANV-17")
@pytest.mark.parametrize(
    "name", ["stand", "complex_device", "total_defense", "move", "retreat", "climb", "full_move"]
)
def test_the_odds_of_any_action_count_the_shot_as_play_does(name: str) -> None:
    """A watcher and flames on the way: the odds equal those of every face played separately."""
    stage, ada, bo = watch(at=(10, 4))
    stage.zone("fire", x=0, y=5, width=20, depth=1, terrain=["fire"])
    stage.change(ada, "pistol", damage="1d4")
    stage.set_track(bo, hp=3)
    fields: dict[str, dict[str, Any]] = {
        "move": {"to": "10,5.5"},
        "full_move": {"to": "10,7"},
        "climb": {"obstacle": "low", "to": "10,5.5"},
        "total_defense": {"to": "10,5.5"},
        "retreat": {"target": ada, "weapon": stage.change(bo, "pistol", damage="1d4"), "to": "10,5.5"},
    }
    if name == "stand":
        stage.give(bo, "prone")
    action = find_action(stage.system, name)
    command = read_command(action, {"actor": bo, **fields.get(name, {})})
    expected = walk(stage.system, stage.state, action, command)
    assert expected is not None
    assert len(expected) > 1
    compare(find_ends(stage.system, stage.state, action, command), expected)


@pytest.mark.rule("COS-MANV-16", "COS-ATK-02")
@pytest.mark.parametrize(
    ("name", "fields", "label", "chance"),
    [
        ("attack", {"weapon": "pistol"}, "to succeed: attack", 0.72),
        ("trip", {}, "to succeed: trip", 0.36),
        ("grapple", {}, "to succeed: grapple", 0.79),
    ],
)
def test_the_headline_of_the_odds_is_about_ones_own_check(
    name: str, fields: dict[str, str], label: str, chance: float
) -> None:
    """A watcher who shoots first hits at other odds, and adds nothing to those of the action."""
    stage, ada, bo = watch(at=(1, 0))
    fields = {key: stage.weapon(bo, entry) for key, entry in fields.items()} | {"target": ada}
    odds = stage.odds(name, bo, **fields)
    assert odds.headline is not None
    assert (odds.headline.label, odds.headline.chance) == (label, chance)
    assert {m.who for m in odds.measures if m.kind == "check.attack"} >= {bo}
    action = find_action(stage.system, name)
    asked = (stage.system, stage.state, action, read_command(action, {"actor": bo, **fields}))
    assert brief_chance(*asked) == chance
    brief = brief_odds(*asked)
    assert brief.headline == odds.headline
    assert {m.who for m in brief.measures} == {ada}


@pytest.mark.rule("COS-MANV-16")
def test_a_move_past_a_watcher_has_no_check_of_its_own() -> None:
    stage, _, bo = watch()
    odds = stage.odds("move", bo, to="9,0")
    assert odds.headline is None
    assert {m.label: m.chance for m in odds.measures}["attack: hit (Bo)"] == 0.71


def test_tactics_take_the_shot() -> None:
    stage, ada, bo = watch()
    action = find_action(stage.system, "move")
    result = run(
        stage.system, stage.state, action, read_command(action, {"actor": bo, "to": "9,0"}), AutoDriver()
    )
    assert isinstance(result, Done)
    assert any(isinstance(f.event, e.Checked) and f.event.who == ada for f in result.facts)


def test_a_watch_without_a_weapon_asks_nobody() -> None:
    stage, ada, bo = pair()
    stage.begin(bo, ada)
    stage.do("give_condition", target=ada, kind="overwatch")
    stage.do("move", bo, to="9,0")
    stage.do("attack", bo, target=ada, weapon=stage.weapon(bo, "pistol"), dice=[MISS])
