"""Dodging and parrying: who may, the cost, the effect."""

from __future__ import annotations

from random import Random

import pytest

from combat.rules.cepheus.fight.reactions import count_parry
from combat.rules.core.commands.commands import read_command
from combat.rules.core.engine.engine import Done, LiveDriver, Waiting, find_action, run
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.fight.range import RangeStage, duel
from tests.combat.rules.cepheus.figures import ADA, BO
from tests.combat.rules.cepheus.vehicles.garage import Garage


def offered(stage: RangeStage, *dice: object) -> list[str]:
    """Bo's possible reactions to the attack."""
    stage.attack(*dice)
    return [option.value for question in stage.questions() for option in question.options]


@pytest.mark.rule("CE-ATK-03", "CE-REACT-01")
def test_the_target_is_asked_before_the_dice_fall() -> None:
    stage = duel(ready=True)
    assert stage.attack("none", (1, 1)).total == 2
    assert [type(request).__name__ for request in stage.asked] == ["ChoiceRequest", "RollRequest"]
    assert stage.asked[0].who == BO
    assert not stage.has(BO, "reacted")


@pytest.mark.rule("CE-REACT-10")
def test_a_dodge_among_obstacles_costs_two() -> None:
    open_air = duel(ready=True)
    open_air.zone("yard", x=15, y=-5, width=10, depth=10, terrain=["obstacles"])
    assert open_air.attack("dodge", (4, 4)).total == 8 - 2


@pytest.mark.rule("CE-REACT-10", "CE-MOD-02")
@pytest.mark.parametrize(("told", "scene", "total"), [("half", "", -1 - 2), ("none", "half", -1)])
def test_a_dodge_counts_the_cover_that_is_stated_for_one_attack(told: str, scene: str, total: int) -> None:
    """With half cover stated, Bo dodges behind it; with none stated, the scene's cover does not count."""
    stage = duel(ready=True)
    stage.mark(BO, cover=scene)
    assert stage.attack("dodge", (5, 5), *([(1, 1, 1)] if total > -3 else []), cover=told).total == 10 + total
    dodge = stage.questions()[0].options[1]
    assert dodge.label == f"Dodge: −{2 if told == 'half' else 1} to the shot"
    assert dodge.detail == "your Initiative 9 → 7"


@pytest.mark.rule("CE-REACT-02", "CE-REACT-09")
def test_price_of_a_reaction_is_said_before_it_is_paid() -> None:
    stage = duel("sword", 2, ready=True)
    stage.edit(BO, acted=True)
    stage.give(BO, "aiming_kill")
    stage.attack("none", (1, 1))
    assert [(one.label, one.detail) for one in stage.questions()[0].options[1:]] == [
        ("Dodge: −1 to the blow", "−2 Initiative next round; aim for the kill is lost"),
        ("Parry: 0 to the blow", "−2 Initiative next round; aim for the kill is lost"),
    ]


@pytest.mark.rule("CE-REACT-11")
def test_only_melee_is_parried() -> None:
    assert offered(duel(ready=True), "none", (1, 1)) == ["none", "dodge"]
    assert offered(duel("sword", 2, ready=True), "none", (1, 1)) == ["none", "dodge", "parry"]


@pytest.mark.rule("CE-REACT-12", "CE-MOD-08", "CE-REACT-13")
@pytest.mark.parametrize(
    ("held", "skills", "points"),
    [
        ((), {"natural_weapons": 3}, -3),
        ((), {"natural_weapons": 0}, 0),
        ((), {}, 0),
        (("sword",), {"slashing_weapons": 2, "natural_weapons": 4}, -2),
    ],
)
def test_a_parry_is_worth_the_melee_skill(held: tuple[str, ...], skills: dict[str, int], points: int) -> None:
    stage = duel("sword", 2, ready=True)
    stage.skilled(BO, **skills)
    stage.edit(BO, items=())
    if held:
        stage.arm(BO, *held)
    assert stage.attack("parry", (1, 1)).total == 2 + points
    assert stage.has(BO, "reacted")


@pytest.mark.rule("CE-REACT-12")
def test_nobody_parries_with_a_sword_that_is_put_away() -> None:
    stage = duel("sword", 2, ready=True)
    stage.skilled(BO, slashing_weapons=3, natural_weapons=1)
    stage.arm(BO, "sword")
    (sword,) = stage[BO].items
    stage.edit(BO, items=(replace(sword, place="carried"),))
    assert stage.attack("parry", (1, 1)).total == 2 - 1


@pytest.mark.rule("CE-REACT-12", "CE-MINOR-12")
@pytest.mark.parametrize(("held", "points"), [(("broadsword",), 3), (("broadsword", "dagger"), 2)])
def test_a_blade_for_both_hands_parries_with_both_free(held: tuple[str, ...], points: int) -> None:
    stage = duel("sword", 2, ready=True)
    stage.skilled(BO, slashing_weapons=3, piercing_weapons=2)
    stage.arm(BO, *held)
    assert stage.attack("parry", (1, 1)).total == 2 - points


@pytest.mark.rule("CE-REACT-12", "CE-VLOC-28")
@pytest.mark.full_rules
def test_a_destroyed_weapon_parries_nothing() -> None:
    stage = Garage()
    robot = stage.robot(weapons=["sword"], skills={"slashing_weapons": 3, "natural_weapons": 1})
    sword = stage.change_item(robot, "sword", place="held")
    for hits, points in ((1, 3), (2, 1)):
        stage.hurt(robot, "weapon", hits, sword)
        assert count_parry(stage.state, stage[robot]) == points


@pytest.mark.rule("CE-REACT-12", "CE-ZG-01")
@pytest.mark.parametrize(("floating", "points"), [({}, 0), ({"zero_g": 1}, -1)])
def test_a_parry_without_gravity_is_worth_no_more_than_zero_g(floating: dict[str, int], points: int) -> None:
    """RULING R43"""
    stage = duel("sword", 2, ready=True)
    stage.zone("hold", x=1, y=-1, width=3, depth=2, terrain=["weightless"])
    stage.skilled(BO, natural_weapons=3, **floating)
    stage.edit(BO, items=())
    assert stage.attack("parry", (1, 1)).total == 2 + points


@pytest.mark.rule("CE-STANCE-06", "CE-STANCE-08")
def test_the_prone_parry_but_do_not_dodge() -> None:
    stage = duel("sword", 2, ready=True)
    stage.give(BO, "prone")
    assert offered(stage, "none", (1, 1)) == ["none", "parry"]
    shot = duel(ready=True)
    shot.give(BO, "prone")
    assert offered(shot, (1, 1)) == []


@pytest.mark.rule("CE-OTHER-06", "CE-OTHER-07")
@pytest.mark.parametrize(("answer", "works_on"), [("none", True), ("dodge", False)])
def test_who_reacts_during_an_extended_action_gives_it_up(answer: str, works_on: bool) -> None:
    stage = duel(ready=True)
    stage.give(BO, "extended_action", marks={"skill": "mechanics", "characteristic": "edu"})
    assert offered(stage, answer, (1, 1)) == ["none", "dodge"]
    assert stage.has(BO, "extended_action") is works_on
    assert stage.has(BO, "reacted") is not works_on


@pytest.mark.rule("CE-GRAP-14")
@pytest.mark.parametrize("kind", ["grappled", "unconscious", "bound"])
def test_grappled_unconscious_and_bound_cannot_react(kind: str) -> None:
    stage = duel(ready=True)
    stage.give(BO, kind, marks={"skill": "mechanics", "characteristic": "edu"})
    assert offered(stage, (1, 1)) == []


@pytest.mark.rule("CE-MINOR-08", "CE-MINOR-04")
def test_a_dodge_ends_all_aiming_and_warns_of_it() -> None:
    stage = duel(ready=True)
    stage.aimed(BO, ADA, 2, "aiming_kill")
    stage.aimed(BO, ADA, 2)
    stage.attack("dodge", (1, 1))
    warned = [option.detail for option in stage.questions()[0].options if option.value == "dodge"]
    assert warned == ["your Initiative 9 → 7; aim for the kill is lost"]
    assert not stage.has(BO, "aiming_kill")
    assert not stage.has(BO, "aiming")


def live(stage: RangeStage) -> Done | Waiting:
    """The attack as at a table: the app rolls, people answer questions."""
    action = find_action(stage.system, "attack")
    command = read_command(action, {"actor": ADA, "target": BO, "weapon": f"{ADA}-w1"})
    return run(stage.system, stage.state, action, command, LiveDriver(chance=Random(3)))


@pytest.mark.rule("CE-REACT-01")
def test_a_standing_order_answers_first() -> None:
    stage = duel(ready=True)
    asked = live(stage)
    assert isinstance(asked, Waiting)
    assert [request.who for request in asked.requests] == [BO]
    stage.mark(BO, **{"standing:CE-REACT-01": "dodge"})
    done = live(stage)
    assert isinstance(done, Done)
    assert done.state[BO].initiative == 7
    stage.mark(BO, **{"standing:CE-REACT-01": "parry"})  # not against a shot
    assert isinstance(live(stage), Waiting)
