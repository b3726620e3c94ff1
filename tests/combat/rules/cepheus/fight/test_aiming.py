"""Aiming to hit and for the kill: its bonus, and its end."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.characters.goods import make_gear
from combat.rules.core.state.state import find_condition, replace
from tests.combat.rules.cepheus.fight.range import RangeStage, duel
from tests.combat.rules.cepheus.figures import ADA, BO, CepheusStage
from tests.combat.rules.cepheus.turn.lineup import to_round


def level(stage: RangeStage, kind: str = "aiming") -> int:
    held = find_condition(stage[ADA], kind)
    return held.level if held else 0


def aim(stage: RangeStage, actions: int = 1, action: str = "aim", target: str = BO) -> None:
    stage.turn(ADA)
    stage.do(action, ADA, target=target, actions=actions)


@pytest.mark.rule("CE-MINOR-05", "CE-MINOR-10")
@pytest.mark.parametrize(("action", "kind"), [("aim", "aiming"), ("aim_to_kill", "aiming_kill")])
@pytest.mark.full_rules
def test_aim_is_kept_from_round_to_round(action: str, kind: str) -> None:
    stage = duel()
    for wanted in (1, 2, 3):
        stage.do(action, ADA, target=BO)
        assert level(stage, kind) == wanted
        to_round(stage, wanted + 1)


@pytest.mark.rule("CE-MINOR-04")
@pytest.mark.parametrize(
    ("action", "fields"),
    [
        ("reload", {"weapon": f"{ADA}-w1"}),
        ("put_away", {"weapon": f"{ADA}-w1"}),
        ("stance", {"stance": "prone"}),
        ("move", {"to": "1.5,0"}),
        ("take_drug", {"item": f"{ADA}-d", "target": ADA}),
    ],
)
def test_anything_else_ends_the_aim(action: str, fields: dict[str, Any]) -> None:
    stage = duel()
    stage.load(ADA, 5)
    drug = replace(make_gear("combat_drug"), id=f"{ADA}-d")
    stage.edit(ADA, items=(*stage[ADA].items, drug))
    stage.aimed(ADA, BO, 2)
    stage.do(action, ADA, **fields)
    assert level(stage) == 0


@pytest.mark.rule("CE-MINOR-04")
@pytest.mark.parametrize(
    ("action", "fields", "dice"),
    [
        ("check", {"skill": "mechanics", "characteristic": "edu"}, [(1, 1)]),
        ("scan", {"item": "motion_sensor"}, []),
        ("pick_up", {"weapon": f"{ADA}-w2"}, []),
        ("set_charge", {"weapon": "plastic"}, [(1, 1)]),
        ("first_aid", {"target": BO}, [(1, 1)]),
        ("take_drug", {"item": "combat_drug", "target": BO}, []),
        ("grapple", {"target": BO}, [(1, 1), (6, 6)]),
    ],
)
def test_attention_for_anything_else_ends_the_aim(
    action: str, fields: dict[str, Any], dice: list[tuple[int, ...]]
) -> None:
    stage = duel("auto_pistol", 1)
    stage.arm(ADA, "auto_pistol", "dagger")
    stage.do("drop", ADA, weapon=f"{ADA}-w2")
    things = [replace(make_gear(name), id=name) for name in ("motion_sensor", "plastic", "combat_drug")]
    stage.edit(ADA, items=(*stage[ADA].items, *things))
    stage.hit(BO, 4)
    stage.aimed(ADA, BO, 2)
    stage.do(action, ADA, dice=dice, **fields)
    assert level(stage) == 0


@pytest.mark.rule("CE-MINOR-04")
def test_leading_others_ends_the_aim() -> None:
    stage = duel()
    other = stage.join("Cy", 5, side="allies")
    stage.aimed(ADA, BO, 2)
    stage.do("leadership", ADA, target=other, dice=[(1, 1)])
    assert level(stage) == 0


@pytest.mark.rule("CE-MINOR-04")
def test_finishing_someone_ends_the_aim() -> None:
    stage = duel("dagger", 2)
    other = stage.join("Cy", 5)
    stage.give(BO, "unconscious")
    stage.aimed(ADA, other, 2)
    stage.do("coup_de_grace", ADA, target=BO, weapon=f"{ADA}-w1", sure=True)
    assert level(stage) == 0


@pytest.mark.rule("CE-MINOR-03", "CE-MINOR-04")
def test_another_target_begins_again() -> None:
    stage = duel()
    other = stage.join("Cy", 30)
    aim(stage, 2)
    aim(stage, 1, target=other)
    assert level(stage) == 1
    assert stage.total() == 0
    aim(stage, 1)
    stage.turn(ADA)
    stage.attack((1, 1), on=other)
    assert level(stage) == 0


@pytest.mark.rule("CE-MINOR-04")
def test_one_attack_uses_one_kind_unless_the_table_mixes_them() -> None:
    stage = duel()
    aim(stage)
    aim(stage, action="aim_to_kill")
    assert (level(stage), level(stage, "aiming_kill")) == (0, 1)
    mixed = duel(mix_aiming=True)
    aim(mixed)
    aim(mixed, action="aim_to_kill")
    assert (level(mixed), level(mixed, "aiming_kill")) == (1, 1)


@pytest.mark.rule("CE-MINOR-09")
def test_by_option_a_wound_ends_all_aiming() -> None:
    stage = duel(wound_breaks_aim=True)
    stage.arm(BO, "auto_pistol")
    stage.skilled(BO, slug_pistol=2)
    stage.give(ADA, "unaware", by=BO)
    stage.aimed(ADA, BO, 2)
    stage.turn(BO)
    stage.attack((6, 6), (1, 1), who=BO, on=ADA)
    assert level(stage) == 0


@pytest.mark.rule("CE-MINOR-09")
def test_hit_at_the_same_moment_ends_aim_for_the_kill_after_it() -> None:
    stage = CepheusStage()
    for name, side, x in (("Ada", "allies", 0), ("Bo", "enemies", 5)):
        stage.hero(name, side=side, at=(x, 0), skills={"slug_rifle": 4}, weapons=["rifle"])
    stage.do("start", dice=[(5, 4), (5, 4)])
    rifle = stage.item(ADA, "rifle")
    if rifle.place != "held":
        stage.do("ready", ADA, weapon=rifle.id)
    stage.do("aim_to_kill", BO, target=ADA)
    stage.do("attack", ADA, target=BO, weapon=rifle.id, dice=["none", (2, 2), (1, 1, 1)])
    assert stage.has(BO, "aiming_kill")
    stage.do("next_turn", whole=True)
    assert not stage.has(BO, "aiming_kill")


@pytest.mark.rule("CE-MINOR-08")
@pytest.mark.parametrize(
    ("action", "fields"), [("move", {"to": "1.5,0"}), ("stance", {"stance": "crouched"})]
)
def test_moving_and_ducking_end_aim_for_the_kill(action: str, fields: dict[str, str]) -> None:
    stage = duel(aim_breaks=False)
    stage.aimed(ADA, BO, 2, "aiming_kill")
    stage.do(action, ADA, **fields)
    assert level(stage, "aiming_kill") == 0


def test_what_cannot_be_aimed_at() -> None:
    stage = duel()
    assert stage.refused("aim", ADA, target=ADA).code == "bad_target"
    assert stage.refused("aim", ADA, target=BO, actions=0).code == "bad_value"
    assert stage.refused("aim", ADA, target=BO, actions=4).code == "no_budget"
    stage.zone("wall", x=5, y=-5, width=5, depth=10, terrain=["wall"])
    assert "must see" in stage.refused("aim", ADA, target=BO).message
    assert "without" in duel(use_aim_for_kill=False).refused("aim_to_kill", ADA, target=BO).message


@pytest.mark.rule("CE-MINOR-04")
def test_who_goes_out_of_sight_is_aimed_at_no_longer() -> None:
    stage = duel()
    stage.zone("wall", x=8, y=2, width=4, depth=10, terrain=["wall"])
    stage.aimed(ADA, BO, 2)
    for to, wanted in (("20,-3", 2), ("20,3", 2), ("20,9", 0)):
        stage.turn(BO)
        stage.do("move", BO, to=to)
        assert level(stage) == wanted
