"""Moving: Speed, Move Actions, Full Moves, sprints, and moving carefully."""

from __future__ import annotations

import pytest

from combat.rules.core.commands.context import RuleContext
from combat.rules.core.map.moving import Course, WayToMove
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from combat.rules.cosmos.move.moving import Steps, travel
from tests.combat.rules.cosmos.duels import ADA, BO, add_ally, card, duel, pass_turns
from tests.combat.rules.cosmos.figures import CosmosStage, words
from tests.combat.rules.stage import Script


def how_moved(stage: CosmosStage) -> tuple[str, str]:
    """The kind of the last move, and its rule."""
    ((word, rule),) = [(words(f.event.how), f.rule) for f in stage.facts if isinstance(f.event, e.Moved)]
    return word, rule


# ---------------------------------------------------------------- a Move Action


@pytest.mark.rule("COS-MOVE-02")
def test_a_move_may_turn_corners() -> None:
    stage = duel()
    assert stage.refused("move", ADA, to="0,6; 6,5").message.startswith("Too far: that way takes 12.1 m")
    stage.do("move", ADA, to="0,6; 5,6")
    (moved,) = stage.told(e.Moved)
    assert (moved.metres, moved.cost, stage[ADA].at) == (11, 11, Point(5, 6))


CORNER = (Point(0, 0), Point(0, 6), Point(5, 6))


def come_along(stage: CosmosStage, course: Course, way: WayToMove) -> tuple[Point, ...]:
    """The path that somebody is taken along."""
    context = RuleContext(stage.system, stage.state, Script([]))
    travel(context, course, way)
    (path,) = (fact.event.path for fact in context.facts if isinstance(fact.event, e.Moved))
    assert context.state[course.who].at == path[-1]
    return path


@pytest.mark.parametrize("willing", [False, True])
def test_who_is_taken_along_comes_by_the_whole_path(willing: bool) -> None:
    """Round a corner; beside who stands at its end, where the way asks for a place to come to rest."""
    stage = duel()
    way = WayToMove(id="ride", willing=willing, rule="COS-MOVE-02", cost="")
    assert come_along(stage, Course(ADA, CORNER, "ride"), way) == CORNER
    stage.edit(BO, at=CORNER[-1])
    assert come_along(stage, Course(ADA, CORNER, "ride"), way) == CORNER
    landing = WayToMove(id="ride", willing=willing, rule="COS-MOVE-02", cost="", asks={"landing": "R61"})
    *first, last = come_along(stage, Course(ADA, CORNER, "ride"), landing)
    assert tuple(first) == CORNER[:-1]
    assert 0 < abs(last.x - 5) + abs(last.y - 6) < 4, "beside the end"


def test_a_course_of_ones_own_against_ones_will_is_no_walk() -> None:
    stage = duel()
    stage.zone("rubble", x=-1, y=2, width=4, depth=2, terrain=["rubble"])
    way = WayToMove(id="ride", willing=False, rule="COS-MOVE-02", cost="", asks={"terrain": "COS-TERR-02"})
    assert come_along(stage, Steps(ADA, CORNER, "ride"), way) == CORNER
    context = RuleContext(stage.system, stage.state, Script([]))
    travel(context, Steps(ADA, CORNER, "ride"), way)
    assert not context.state[ADA].conditions, "the ground hampers only who walks"


@pytest.mark.rule("COS-MOVE-02")
def test_far_goes_as_far_as_the_movement_lasts() -> None:
    stage = duel(apart=40)
    stage.do("move", ADA, to=f"near:{BO}", far=True)
    assert stage[ADA].at == Point(11, 0)
    stage.turn(ADA)
    stage.do("move", ADA, to=f"away:{BO}")
    assert stage[ADA].at == Point(0, 0)


@pytest.mark.rule("COS-MOVE-02")
def test_zone_is_entered_at_its_middle_or_beside_people_there() -> None:
    stage = duel()
    stage.zone("yard", x=0, y=2, width=8, depth=4, height=0.5)
    stage.edit(BO, at=Point(4, 4, 0.5))
    stage.do("move", ADA, to="zone:yard")
    assert stage[ADA].at == Point(6, 4, 0.5)
    assert stage.told(e.Moved)[0].zone == "yard"


@pytest.mark.rule("COS-MOVE-02")
@pytest.mark.parametrize(
    ("to", "code"),
    [
        ("", "bad_value"),
        ("over there", "bad_value"),
        ("1,nan", "bad_value"),
        ("1,1e9", "bad_value"),
        ("1,2,3", "bad_value"),
        ("zone:moon", "unknown"),
        ("near:f99", "unknown"),
    ],
)
def test_nonsense_is_no_destination(to: str, code: str) -> None:
    stage = duel()
    assert stage.refused("move", ADA, to=to).code == code


@pytest.mark.rule("COS-MOVE-02")
def test_a_move_to_where_one_stands_costs_nothing() -> None:
    stage = duel(apart=1)
    no = stage.refused("move", ADA, to=f"near:{BO}")
    assert (no.code, no.message) == ("bad_value", "Ada is there already: choose another place.")
    assert stage.refused("full_move", ADA, to="0,0").code == "bad_value"
    assert stage.refused("sprint", ADA, to="here").code == "bad_value"


@pytest.mark.rule("COS-MOVE-02")
def test_move_that_gets_nowhere_is_refused_and_costs_nothing() -> None:
    stage = duel(apart=1)
    for x, y in ((0, 1), (0, -1), (1, 1), (1, -1), (2, 1), (2, 0), (2, -1)):
        add_ally(stage, (x, y))
    before = stage[ADA]
    no = stage.refused("move", ADA, to="1,0", far=True)
    assert (no.code, no.message) == (
        "not_allowed",
        "Ada gets nowhere: there is no free place on that way.",
    )
    assert stage[ADA] == before


@pytest.mark.rule("COS-MOVE-02")
def test_without_speed_nobody_moves() -> None:
    stage = duel(ada={"abilities": {"speed_base": 1}, "attributes": {"COO": 1}})
    stage.set_track(ADA, hp=40)
    no = stage.refused("move", ADA, to=f"away:{BO}")
    assert (no.code, no.message) == ("out_of_range", "Ada cannot move: Speed 0 m.")


@pytest.mark.rule("COS-MOVE-02")
def test_the_standard_action_may_become_a_second_move() -> None:
    stage = duel()
    stage.do("move", ADA, to="0,11")
    stage.do("move", ADA, to="0,22")
    assert stage[ADA].budget == {"standard": 0, "move": 0, "quick": 3}
    no = stage.refused("move", ADA, to="0,23")
    assert (no.code, no.message) == ("no_budget", "No Move left this turn; Move needs 1 Move.")


@pytest.mark.rule("COS-MOVE-02")
def test_a_table_may_forbid_the_second_move() -> None:
    stage = duel(trade_standard_for_move=False)
    stage.do("move", ADA, to="0,11")
    no = stage.refused("move", ADA, to="0,12")
    assert (no.code, no.message) == ("no_budget", "No Move left this turn; Move needs 1 Move.")
    assert stage[ADA].budget["standard"] == 1


@pytest.mark.rule("COS-MOVE-02", "COS-COND-22")
def test_the_holder_walks_off_only_without_the_held() -> None:
    stage = duel(apart=1)
    stage.give(BO, "grappled", by=ADA)
    no = stage.refused("move", ADA, to="0,5")
    assert (no.code, no.message) == ("not_allowed", "Ada holds Bo: let go first, that is free.")
    stage.do("let_go", ADA)
    stage.do("move", ADA, to="0,5")
    assert stage[ADA].at == Point(0, 5)


# ---------------------------------------------------------------- Full Move and sprint


@pytest.mark.rule("COS-MOVE-04")
@pytest.mark.parametrize("go", ["full_move", "sprint"])
def test_no_full_move_after_another_action(go: str) -> None:
    stage = duel()
    stage.do("speak", ADA, what="run!")
    no = stage.refused(go, ADA, to="0,20")
    assert no.code == "no_budget"
    assert no.message.endswith("takes the whole turn; a Quick Action has been taken already.")
    moved = duel()
    moved.do("move", ADA, to="0,5")
    assert moved.refused(go, ADA, to="0,20").code == "no_budget"


@pytest.mark.rule("COS-MOVE-05", "COS-MOVE-07")
def test_a_sprint_costs_two_defense_until_the_next_turn() -> None:
    stage = duel()
    stage.do("sprint", ADA, to="0,33")
    assert how_moved(stage) == ("sprints", "COS-MOVE-05")
    assert card(stage, ADA) == 16
    pass_turns(stage, 1)
    assert card(stage, ADA) == 16
    pass_turns(stage, 1)
    assert card(stage, ADA) == 18


@pytest.mark.rule("COS-MOVE-06")
def test_a_sprint_is_one_straight_line() -> None:
    stage = duel()
    for bent in ("10,0; 10,10", "20,0; 10,0"):
        no = stage.refused("sprint", ADA, to=bent)
        assert (no.code, no.message) == ("not_allowed", "A sprint follows one straight line.")
    stage.do("sprint", ADA, to="10,0; 30,0")
    assert stage[ADA].at == Point(30, 0)


# ---------------------------------------------------------------- carefully


@pytest.mark.rule("COS-MOVE-08")
def test_what_is_halved_already_is_not_halved_again() -> None:
    stage = duel()
    stage.give(ADA, "prone")
    stage.do("move", ADA, to="0,5", careful=True)
    assert stage[ADA].at == Point(0, 5)


@pytest.mark.rule("COS-MOVE-09")
def test_careful_movement_does_not_save_the_penalty_of_armor() -> None:
    stage = duel(ada={"armor": "medium"})
    stage.zone("rubble", x=-2, y=-2, width=4, depth=10, terrain=["rubble"])
    stage.do("move", ADA, to="0,2", careful=True)
    assert card(stage, ADA) == 17


# ---------------------------------------------------------------- interplay


@pytest.mark.rule("COS-MOVE-02", "COS-COND-20")
def test_the_steeled_go_where_they_like() -> None:
    stage = duel()
    stage.give(ADA, "frightened", by=BO)
    stage.give(ADA, "steeled")
    stage.do("move", ADA, to=f"near:{BO}")
    assert stage[ADA].at == Point(9, 0)


@pytest.mark.rule("COS-MOVE-02")
def test_who_has_left_frightens_nobody_from_moving() -> None:
    stage = duel()
    add_ally(stage, (0, 9))
    stage.give(ADA, "frightened", by=BO)
    stage.do("remove", target=BO)
    stage.do("move", ADA, to="9,0")
    assert stage[ADA].at == Point(9, 0)


@pytest.mark.rule("COS-MOVE-02")
def test_the_form_tells_how_far_it_is() -> None:
    stage = duel()
    stage.zone("yard", x=0, y=2, width=8, depth=4)
    field = stage.form("move", ADA)["to"]
    assert {(o.value, o.detail) for o in field.options} >= {
        ("zone:yard", "5.7 m"),
        (f"near:{BO}", "10 m"),
        (f"away:{BO}", "10 m"),
    }
    assert "up to 11 m" in field.help


@pytest.mark.rule("COS-MOVE-04")
def test_move_after_handling_a_weapon_takes_the_standard_action() -> None:
    stage = duel("pistol", "club")
    stage.change_item(ADA, "club", place="carried")
    stage.do("draw", ADA, item=stage.weapon(ADA, "club"))
    assert stage.refused("full_move", ADA, to="0,20").code == "no_budget"
    stage.do("move", ADA, to="0,5")
    assert stage[ADA].budget == {"standard": 0, "move": 0, "quick": 3}


@pytest.mark.rule("COS-MOVE-02", "COS-COND-19")
def test_tactics_suggest_no_move_that_is_refused() -> None:
    stage = duel("club", apart=40)
    name, submission = stage.system.tactics.suggest(stage.state, ADA) or ("", None)
    assert (name, getattr(submission, "to", "")) == ("move", f"near:{BO}")
    stage.give(ADA, "frightened", by=BO)
    assert stage.system.tactics.suggest(stage.state, ADA) is None


# ---------------------------------------------------------------- on the map


def marked(stage: CosmosStage, action: str) -> dict[tuple[float, float], float]:
    """The squares the map marks for one of Ada's actions, with their meters."""
    find_reach = stage.system.action(action).find_reach
    assert find_reach
    return {(reach.at.x, reach.at.y): reach.meters for reach in find_reach(stage.state, ADA)}


@pytest.mark.rule("COS-MOVE-02", "COS-MOVE-03", "COS-MOVE-05")
@pytest.mark.parametrize(("action", "farthest"), [("move", 6), ("full_move", 12), ("sprint", 18)])
def test_map_marks_what_speed_allows(action: str, farthest: int) -> None:
    stage = duel(apart=1, ada={"attributes": {"COO": 1}})
    stage.zone("hall", x=-1, y=-1, width=40, depth=4)
    found = marked(stage, action)
    assert max(x for x, y in found if y == 0) == farthest
    assert (0, 0) not in found
    assert (1, 0) not in found
    assert (-2, 0) not in found


@pytest.mark.rule("COS-TERR-02")
def test_map_doubles_difficult_terrain_and_sprints_around_it() -> None:
    stage = duel(apart=30, ada={"attributes": {"COO": 1}})
    stage.zone("hall", x=0, y=0, width=40, depth=2)
    stage.zone("rubble", x=2, y=0, width=40, depth=2, terrain=["rubble"])
    assert marked(stage, "move")[(4, 0)] == 6
    assert (5, 0) not in marked(stage, "move")
    assert max(x for x, _ in marked(stage, "sprint")) <= 2


@pytest.mark.rule("COS-COND-22")
def test_map_marks_nothing_for_the_held() -> None:
    stage = duel(apart=1)
    stage.zone("hall", x=-20, y=-20, width=40, depth=40)
    assert marked(stage, "move")
    stage.give(ADA, "grappled")
    assert marked(stage, "move") == {}


@pytest.mark.rule("COS-MOVE-03", "COS-COMBO-01")
@pytest.mark.parametrize("action", ["full_move", "sprint", "charge"])
def test_whole_turn_is_greyed_once_a_quick_action_is_taken(action: str) -> None:
    stage = duel()
    assert stage.obstacle(action, ADA) == ""
    stage.do("give_budget", target=ADA, pool="quick", left=0)
    assert "takes the whole turn" in stage.obstacle(action, ADA)
