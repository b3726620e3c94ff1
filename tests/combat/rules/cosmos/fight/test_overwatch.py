"""Overwatch: readied, set off, called off, and the shot before the trigger completes."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.basics.requests import ChoiceRequest
from combat.rules.core.commands.commands import read_command
from combat.rules.core.engine.engine import AutoDriver, Done, LiveDriver, Waiting, find_action, run
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from combat.rules.core.state.state import find_condition, replace
from tests.combat.rules.core.odds.test_odds import compare, find_ends, walk
from tests.combat.rules.cosmos.figures import CosmosStage
from tests.combat.rules.stage import Script

HIT, MISS = (9, 8), (1, 2)


def watch(
    trigger: str = "", fire: str = "any", zone: str = "", weapon: str = "pistol", **foe: Any
) -> tuple[CosmosStage, str, str]:
    """Ada at (0, 0) on overwatch; it is the turn of Bo at (10, 0). A corridor runs at y 5 to 8."""
    stage = CosmosStage()
    stage.zone("hall", x=-5, y=-5, width=30, depth=10)
    stage.zone("corridor", x=-5, y=5, width=30, depth=3)
    ada, bo = stage.hero(weapons=(weapon,)), stage.foe(**foe)
    stage.draw_all(bo)
    stage.begin()
    stage.do("overwatch", ada, weapon=stage.weapon(ada, weapon), trigger=trigger, when=fire, zone=zone)
    stage.do("next_turn")
    return stage, ada, bo


def rounds(stage: CosmosStage, who: str) -> int | None:
    return stage.item(who, "pistol").loaded


# ---------------------------------------------------------------- readying


@pytest.mark.rule("COS-MANV-15")
def test_overwatch_takes_the_standard_action_and_keeps_its_trigger() -> None:
    stage = CosmosStage()
    ada = stage.hero()
    stage.foe()
    stage.begin()
    stage.do("overwatch", ada, weapon=stage.weapon(ada, "pistol"), trigger="moves in the corridor")
    assert stage[ada].budget == {"standard": 0, "move": 1, "quick": 3}
    (held,) = stage[ada].conditions
    assert (held.kind, held.marks["trigger"]) == ("overwatch", "moves in the corridor")


@pytest.mark.rule("COS-MANV-15")
def test_overwatch_ends_when_the_next_turn_starts() -> None:
    stage, ada, _ = watch()
    stage.do("next_turn")
    assert not stage.has(ada, "overwatch")


@pytest.mark.rule("COS-MANV-15", "COS-COMBO-13")
def test_overwatch_needs_a_ranged_weapon_ready() -> None:
    stage = CosmosStage()
    ada = stage.hero(weapons=("club", "pistol", "grenade"))
    stage.foe()
    stage.begin()
    for entry in ("club", "pistol", "grenade"):
        assert stage.refused("overwatch", ada, weapon=stage.weapon(ada, entry)).code == "not_allowed"
    pistol = stage.put(ada, "pistol", "held")
    assert stage.refused("overwatch", ada, weapon=pistol, zone="nowhere").code == "unknown"
    stage.give(ada, "total_defense")
    assert stage.refused("overwatch", ada, weapon=pistol).code == "not_allowed"
    stage.edit(ada, conditions=())
    items = tuple(replace(i, loaded=0) if i.id == pistol else i for i in stage[ada].items)
    stage.edit(ada, items=items)
    assert stage.refused("overwatch", ada, weapon=pistol).code == "no_budget"


# ---------------------------------------------------------------- triggers


@pytest.mark.rule("COS-MANV-16")
def test_a_move_raises_the_question() -> None:
    stage, ada, bo = watch("moves in the corridor")
    action = find_action(stage.system, "move")
    command = read_command(action, {"actor": bo, "to": "10,6"})
    result = run(stage.system, stage.state, action, command, LiveDriver())
    assert isinstance(result, Waiting)
    (asked,) = result.requests
    assert isinstance(asked, ChoiceRequest)
    assert (asked.who, asked.rule, asked.default) == (ada, "COS-MANV-16", "hold")
    assert asked.question == "Bo moves. Fire? (Trigger: moves in the corridor.)"
    assert [option.value for option in asked.options] == ["shoot", "hold", "abort"]
    assert not any(isinstance(fact.event, e.Moved) for fact in result.facts)


@pytest.mark.rule("COS-MANV-16", "COS-MANV-17")
def test_a_climb_raises_the_question_as_any_way_does() -> None:
    stage, ada, bo = watch()
    stage.do("climb", bo, obstacle="low", to="10,3", dice=["hold"])
    assert stage.asked[0].who == ada
    stage.turn(bo)
    stage.set_track(bo, hp=3)
    stage.do("climb", bo, obstacle="medium", to="10,6", dice=[(9, 9), "shoot", HIT, (5,)])
    assert stage.has(bo, "dying")
    assert stage[bo].at == Point(10, 3)


@pytest.mark.rule("COS-COMBO-13", "COS-MANV-05")
@pytest.mark.parametrize("kind", ["total_defense", "pinned"])
def test_nobody_shoots_on_total_defense_or_under_a_pin(kind: str) -> None:
    stage, ada, bo = watch()
    stage.give(ada, kind)
    stage.do("move", bo, to="9,0")
    stage.do("attack", bo, target=ada, weapon=stage.weapon(bo, "pistol"), dice=[(1, 1)])
    assert {request.who for request in stage.asked} == {bo}
    assert stage.has(ada, "overwatch")


@pytest.mark.rule("COS-MANV-16")
def test_an_attack_raises_the_question() -> None:
    stage, ada, bo = watch()
    stage.do("attack", bo, target=ada, weapon=stage.weapon(bo, "pistol"), dice=["hold", MISS])
    assert stage.asked[0].who == ada


@pytest.mark.rule("COS-MANV-16")
@pytest.mark.parametrize(
    ("fire", "move", "attack"), [("move", True, False), ("action", False, True), ("any", True, True)]
)
def test_the_trigger_narrows_down_what_is_asked(fire: str, move: bool, attack: bool) -> None:
    stage, ada, bo = watch(fire=fire)
    stage.do("move", bo, to="10,2", dice=["hold"] if move else [])
    pistol = stage.weapon(bo, "pistol")
    stage.do("attack", bo, target=ada, weapon=pistol, dice=["hold", MISS] if attack else [MISS])


@pytest.mark.rule("COS-MANV-16")
def test_a_watched_zone_is_entered_or_not() -> None:
    stage, ada, bo = watch(zone="corridor")
    stage.do("move", bo, to="8,0")
    stage.turn(bo)
    stage.do("move", bo, to="8,7", dice=["shoot", MISS])
    first, second = stage.told(e.Moved)
    assert (first.path[-1].y, second.path[-1].y) == (5, 7)
    assert not stage.has(ada, "overwatch")


@pytest.mark.rule("COS-MANV-16")
@pytest.mark.parametrize(("way", "asked"), [("9,0; 9,6", True), ("12,0; 12,6", False), ("4,0; 4,6", False)])
def test_a_way_beside_a_watched_zone_is_not_into_it(way: str, asked: bool) -> None:
    stage, _, bo = watch()
    stage.zone("yard", x=6, y=2, width=5, depth=3)
    stage.edit("f1", conditions=())
    stage.turn("f1")
    stage.do("overwatch", "f1", weapon=stage.weapon("f1", "pistol"), zone="yard")
    stage.place(bo, float(way.partition(",")[0]), -1)
    stage.turn(bo)
    stage.do("full_move", bo, to=way, dice=["hold"] if asked else [])


@pytest.mark.rule("COS-MANV-16")
def test_acts_outside_of_a_watched_zone_are_not_asked_about() -> None:
    stage, ada, bo = watch(zone="corridor")
    stage.do("attack", bo, target=ada, weapon=stage.weapon(bo, "pistol"), dice=[MISS])
    assert stage.has(ada, "overwatch")


@pytest.mark.rule("COS-MANV-16")
def test_what_is_done_in_an_instant_is_answered_before_it_is_done() -> None:
    stage, ada, bo = watch()
    stage.do("complex_device", bo, what="closes the gate", dice=["shoot", MISS])
    assert (stage.has(ada, "overwatch"), stage.log()[-1]) == (
        False,
        "Bo operates a complex device: closes the gate",
    )
    stage, ada, bo = watch()
    stage.set_track(bo, hp=3)
    stage.do("complex_device", bo, what="closes the gate", dice=["shoot", HIT, (5,)])
    assert stage.log()[-1] == "Bo cannot go on."


@pytest.mark.rule("COS-MANV-16", "COS-ACT-09", "COS-ACT-10", "COS-ACT-13", "COS-COMBO-10", "COS-COND-37")
@pytest.mark.parametrize(
    "name",
    [
        "stand",
        "draw",
        "reload",
        "total_defense",
        "simple_device",
        "drop",
        "reactive_defense",
        "coup_de_grace",
    ],
)
def test_every_action_that_takes_something_of_the_turn_sets_it_off(name: str) -> None:
    stage, ada, bo = watch(weapons=("pistol", "club"))
    cy = _friend(stage)
    stage.place(cy, 10, 1)
    stage.give(cy, "unconscious")
    if name == "stand":
        stage.give(bo, "prone")
    if name == "reload":
        stage.edit(bo, items=tuple(replace(i, loaded=1) if i.loaded else i for i in stage[bo].items))
    club = stage.weapon(bo, "club")
    fields = {
        "draw": {"item": club},
        "reload": {"item": stage.weapon(bo, "pistol")},
        "drop": {"item": club},
        "simple_device": {"what": "a lamp"},
        "coup_de_grace": {"target": cy, "weapon": club},
    }
    first = ["yes"] if name == "coup_de_grace" else []
    stage.do(name, bo, dice=[*first, "hold"], **fields.get(name, {}))
    assert stage.asked[-1].who == ada
    assert stage[bo].budget != {"standard": 1, "move": 1, "quick": 3}


@pytest.mark.rule("COS-MANV-16", "COS-ACT-20", "COS-ACT-22", "COS-TERR-09")
def test_free_actions_set_nothing_off() -> None:
    stage, ada, bo = watch()
    stage.do("concentrate", bo)
    stage.do("say", bo, what="Halt!")
    stage.do("move", bo, to="here", low=1)
    assert (stage.asked, stage.has(ada, "overwatch")) == ([], True)


@pytest.mark.rule("COS-MANV-16")
def test_nobody_is_asked_about_what_is_refused() -> None:
    stage, ada, bo = watch()
    assert "is full" in stage.refused("reload", bo, item=stage.weapon(bo, "pistol")).message
    assert stage.refused("stand", bo).code == "not_allowed"
    assert stage.has(ada, "overwatch")


@pytest.mark.rule("COS-MANV-16", "COS-MANV-17")
def test_who_can_no_longer_do_it_after_the_shot_has_lost_the_action() -> None:
    """The shot makes Bo drop the club that is being put away: a critical hit that stuns."""
    stage, ada, bo = watch(weapons=("pistol", "club"))
    stage.change(ada, "pistol", traits=["stunning"])
    club = stage.weapon(bo, "club")
    stage.do("draw", bo, item=club, dice=["shoot", HIT, (1,), (1, 2)])
    assert stage.has(bo, "stunned")
    assert club not in {item.id for item in stage[bo].items}
    assert (stage.log()[-1], stage[bo].budget["move"]) == ("Bo cannot go on.", 0)


@pytest.mark.rule("COS-MANV-17", "COS-COND-33")
@pytest.mark.parametrize(
    "name",
    ["attack", "blast", "disarm", "trip", "coup_de_grace", "grapple", "retreat", "charge", "first_aid"],
)
def test_who_drops_the_weapon_at_the_shot_loses_only_the_action(name: str) -> None:
    """The shot stuns Bo, who drops what is in hand: the shot stands, whatever the action was."""
    stage, ada, bo = watch(weapons=("club", "grenade"))
    stage.change(ada, "pistol", traits=["stunning"])
    cy = _friend(stage)
    stage.place(cy, 4 if name == "charge" else 10, 1)
    if name == "coup_de_grace":
        stage.give(cy, "unconscious")
    weapon = stage.weapon(bo, "grenade" if name == "blast" else "club")
    fields: dict[str, Any] = (
        {"target": cy} if name in ("trip", "grapple", "first_aid") else {"weapon": weapon}
    )
    fields |= {"at": f"near:{ada}"} if name == "blast" else {"target": cy}
    action = find_action(stage.system, name)
    script = Script(
        [*(["yes"] if name == "coup_de_grace" else []), "shoot", HIT, (1,), (1, 2), *[(5, 5)] * 9]
    )
    done = run(stage.system, stage.state, action, read_command(action, {"actor": bo, **fields}), script)
    assert isinstance(done, Done)
    assert not find_condition(done.state[ada], "overwatch")
    assert find_condition(done.state[bo], "stunned")


@pytest.mark.rule("COS-MANV-16", "COS-COMBO-06")
def test_who_holds_fire_at_the_attack_is_asked_again_at_the_move() -> None:
    stage, ada, bo = watch()
    pistol = stage.weapon(bo, "pistol")
    stage.do("retreat", bo, target=ada, weapon=pistol, to="15,0", dice=["hold", MISS, "shoot", MISS])
    assert [check.who for check in stage.checks("attack")] == [bo, ada]
    stage, ada, bo = watch()
    pistol = stage.weapon(bo, "pistol")
    stage.do("retreat", bo, target=ada, weapon=pistol, to="15,0", dice=["abort", MISS])
    assert stage.has(ada, "overwatch")


@pytest.mark.rule("COS-ACT-23")
def test_without_overwatch_nobody_is_asked() -> None:
    stage = CosmosStage()
    ada, bo = stage.hero(), stage.foe()
    stage.begin(bo, ada)
    stage.do("move", bo, to="9,0")
    assert stage.asked == []


@pytest.mark.rule("COS-ACT-23", "COS-MANV-16")
def test_friends_the_unseen_and_the_unreachable_raise_no_question() -> None:
    stage, ada, bo = watch()
    cy = _friend(stage)
    stage.turn(cy)
    stage.do("move", cy, to="1,3")
    stage.turn(bo)
    stage.edit(bo, hidden=True)
    stage.do("move", bo, to="9,0")
    stage.edit(bo, hidden=False)
    stage.place(bo, 500, 0)
    stage.turn(bo)
    stage.do("move", bo, to="501,0")
    stage.give(ada, "unconscious")
    stage.place(bo, 10, 0)
    stage.turn(bo)
    stage.do("move", bo, to="9,0")
    assert stage.asked == []


def _friend(stage: CosmosStage) -> str:
    cy = f"f{stage.state.made + 1}"
    stage.do("join", sheet=stage["f1"].sheet, name="Cy", side="heroes", dice=[1])
    stage.place(cy, 1, 1)
    return cy


# ---------------------------------------------------------------- the shot


@pytest.mark.rule("COS-MANV-17", "COS-ACT-24")
def test_the_shot_is_ordinary_and_falls_where_it_is_first_possible() -> None:
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
def test_a_way_into_range_is_shot_at_where_it_is_in_range() -> None:
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
def test_who_sets_out_on_difficult_ground_is_hampered_at_the_first_step() -> None:
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
    cy = _friend(stage)
    stage.give(cy, "overwatch", marks={"weapon": stage.weapon(cy, "pistol")})
    stage.begin(cy, ada, bo, active=bo)
    stage.do("move", bo, to="9,0", dice=["shoot", MISS, "shoot", MISS])
    assert [check.who for check in stage.checks("attack")] == [cy, ada]


@pytest.mark.rule("COS-MANV-17")
def test_watchers_shoot_in_the_order_along_the_way() -> None:
    """Cy, first in the order of turns, watches the corridor; Bo leaves the hall in front of Ada before."""
    stage, ada, bo = watch(at=(10, 4))
    cy = _friend(stage)
    stage.give(cy, "overwatch", marks={"weapon": stage.weapon(cy, "pistol"), "zone": "corridor"})
    stage.begin(cy, ada, bo, active=bo)
    stage.do("move", bo, to="10,7", dice=["shoot", MISS, "shoot", MISS])
    assert [check.who for check in stage.checks("attack")] == [ada, cy]
    assert [moved.path[-1].y for moved in stage.told(e.Moved)] == [5, 7]


@pytest.mark.rule("COS-MANV-17")
def test_who_is_shot_down_by_one_watcher_is_not_shot_at_by_the_next() -> None:
    stage, _, bo = watch(at=(10, 4))
    cy = _friend(stage)
    stage.give(cy, "overwatch", marks={"weapon": stage.weapon(cy, "pistol"), "zone": "corridor"})
    stage.set_track(bo, hp=3)
    stage.do("move", bo, to="10,7", dice=["shoot", HIT, (5,)])
    assert (stage[bo].at, stage.has(cy, "overwatch")) == (Point(10, 4), True)


def _behind_a_wall(x: float, top: float, low: float, **foe: Any) -> tuple[CosmosStage, str, str]:
    """A wall at x, from y to y, between Ada and where Bo comes from or goes to."""
    stage, ada, bo = watch(**foe)
    wall = {"id": "w", "x1": x, "y1": top, "x2": x, "y2": low}
    stage.do("set_map", map={"walls": [wall]})
    return stage, ada, bo


@pytest.mark.rule("COS-MANV-17", "COS-COVER-05")
def test_a_wall_at_the_end_of_the_way_hides_nothing_of_what_comes_before() -> None:
    """Bo crosses the open and ends, nearest to Ada, behind a wall."""
    stage, _, bo = _behind_a_wall(3.5, -4, 2, at=(10, 8))
    stage.do("move", bo, to="4,0", dice=["shoot", MISS])
    stage, _, bo = _behind_a_wall(3.5, -40, 40, at=(10, 8))
    stage.do("move", bo, to="4,0")
    assert stage.asked == []


@pytest.mark.rule("COS-MANV-17", "COS-COVER-05")
def test_who_comes_out_from_behind_a_wall_is_shot_at_where_they_are_seen() -> None:
    stage, _, bo = _behind_a_wall(3.5, -4, 4, at=(6, 0))
    stage.do("move", bo, to="6,11", dice=["shoot", MISS])
    first, last = stage.told(e.Moved)
    assert 4 < first.path[-1].y < 10
    assert last.path[-1] == Point(6, 11)


@pytest.mark.rule("COS-MANV-16", "COS-COVER-05")
def test_a_wall_at_the_edge_of_a_watched_zone_hides_only_the_edge() -> None:
    """Bo enters the corridor at y 5 behind a wall, and comes out from behind it farther in."""
    stage, _, bo = watch(zone="corridor", at=(3, 4))
    stage.do("set_map", map={"walls": [{"id": "w", "x1": 1, "y1": 3, "x2": 8, "y2": 3}]})
    stage.do("move", bo, to="3,6; 0,7", dice=["shoot", MISS])
    first, last = stage.told(e.Moved)
    assert first.path[-1].y > 5
    assert last.path[-1] == Point(0, 7)


@pytest.mark.rule("COS-MANV-17", "COS-COVER-02")
def test_cover_at_the_end_of_the_way_helps_against_no_shot_before_it() -> None:
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


@pytest.mark.rule("COS-MANV-16", "COS-MANV-17")
@pytest.mark.parametrize(
    "name", ["stand", "complex_device", "total_defense", "move", "retreat", "climb", "full_move"]
)
def test_the_odds_of_any_action_count_the_shot_as_play_does(name: str) -> None:
    """A watcher and flames on the way: the odds are those of every face played on its own."""
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


def test_tactics_take_the_shot() -> None:
    stage, ada, bo = watch()
    action = find_action(stage.system, "move")
    result = run(
        stage.system, stage.state, action, read_command(action, {"actor": bo, "to": "9,0"}), AutoDriver()
    )
    assert isinstance(result, Done)
    assert any(isinstance(f.event, e.Checked) and f.event.who == ada for f in result.facts)


def test_a_watch_without_a_weapon_asks_nobody() -> None:
    stage = CosmosStage()
    ada, bo = stage.hero(), stage.foe()
    stage.begin(bo, ada)
    stage.do("give_condition", target=ada, kind="overwatch")
    stage.do("move", bo, to="9,0")
    stage.do("attack", bo, target=ada, weapon=stage.weapon(bo, "pistol"), dice=[MISS])
