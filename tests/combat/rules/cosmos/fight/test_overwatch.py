"""Overwatch: readying, and triggers."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.basics.dice.requests import ChoiceRequest
from combat.rules.core.commands.commands import read_command
from combat.rules.core.engine.engine import Done, LiveDriver, Waiting, find_action, run
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from combat.rules.core.state.state import find_condition, replace
from tests.combat.rules.cosmos.fight.watch import HIT, MISS, add_friend, watch
from tests.combat.rules.cosmos.figures import lone
from tests.combat.rules.stage import Script

# ---------------------------------------------------------------- readying


@pytest.mark.rule("COS-MANV-15")
def test_overwatch_ends_when_the_next_turn_starts() -> None:
    stage, ada, _ = watch()
    stage.do("next_turn")
    assert not stage.has(ada, "overwatch")


@pytest.mark.rule("COS-MANV-15", "COS-COMBO-13")
def test_overwatch_needs_a_ranged_weapon_ready() -> None:
    stage, ada = lone(weapons=("club", "pistol", "grenade"))
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
    assert [option.detail for option in asked.options[1:]] == [
        "stay on overwatch, may be asked again in this move or action",
        "stay on overwatch, not asked again in this move or action",
    ]
    assert not any(isinstance(fact.event, e.Moved) for fact in result.facts)


@pytest.mark.rule("COS-MANV-16", "COS-MANV-17")
def test_a_climb_raises_the_question_as_any_path_does() -> None:
    stage, ada, bo = watch(fire="move")
    stage.do("climb", bo, obstacle="low", to="10,3", dice=["hold"])
    assert stage.asked[0].who == ada
    stage.turn(bo)
    stage.set_track(bo, hp=3)
    stage.do("climb", bo, obstacle="medium", to="10,6", dice=[(9, 9), "shoot", HIT, (5,)])
    assert stage.has(bo, "dying")
    assert stage[bo].at == Point(10, 3)


@pytest.mark.rule("COS-MANV-16", "COS-MANV-17")
@pytest.mark.parametrize(("obstacle", "rolls"), [("low", []), ("medium", [(9, 9)]), ("high", [(1, 2)])])
def test_a_climb_is_an_action_also_where_it_fails(obstacle: str, rolls: list[tuple[int, int]]) -> None:
    """RULING R34: the shot comes before the climb is rolled."""
    stage, ada, bo = watch(fire="action")
    stage.do("climb", bo, obstacle=obstacle, to="10,3", dice=["shoot", MISS, *rolls])
    assert not stage.has(ada, "overwatch")
    assert (stage[bo].at == Point(10, 3)) == (obstacle != "high")


@pytest.mark.rule("COS-MANV-16")
def test_a_failed_climb_is_no_movement() -> None:
    stage, ada, bo = watch(fire="move")
    stage.do("climb", bo, obstacle="medium", to="10,3", dice=[(1, 2)])
    assert stage.has(ada, "overwatch")


@pytest.mark.rule("COS-MANV-17", "COS-TERR-12")
def test_who_is_shot_down_before_a_climb_stays_and_has_paid() -> None:
    stage, _, bo = watch(fire="action")
    stage.set_track(bo, hp=3)
    stage.do("climb", bo, obstacle="high", to="10,3", dice=["shoot", HIT, (5,)])
    assert (stage[bo].at, stage[bo].budget["standard"]) == (Point(10, 0), 0)
    assert stage.log()[-1] == "Bo cannot go on."


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
def test_a_path_beside_a_watched_zone_is_not_into_it(way: str, asked: bool) -> None:
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
def test_instant_act_is_answered_before_it_is_done() -> None:
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
def test_any_action_that_costs_part_of_a_turn_sets_off_overwatch(name: str) -> None:
    stage, ada, bo = watch(weapons=("pistol", "club"))
    cy = add_friend(stage)
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
def test_one_disabled_by_the_overwatch_shot_loses_the_action() -> None:
    """The shot makes Bo drop the club while putting it away: a critical hit that stuns."""
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
    cy = add_friend(stage)
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


@pytest.mark.rule("COS-ACT-23", "COS-MANV-16")
def test_friends_unseen_and_unreachable_raise_no_question() -> None:
    stage, ada, bo = watch()
    cy = add_friend(stage)
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
