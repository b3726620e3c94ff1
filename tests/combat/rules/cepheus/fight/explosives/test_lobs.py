"""Grenades and rockets aimed at a place, with or without someone there."""

from __future__ import annotations

import pytest

from combat.rules.cepheus.fight.explosives.lobs import find_places, find_reach
from combat.rules.core.commands.commands import read_command
from combat.rules.core.declaration.parts import find_brief
from combat.rules.core.odds.odds import find_odds
from combat.rules.core.space import Point, Scene, Zone
from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.fight.range import RangeStage, duel, losses
from tests.combat.rules.cepheus.figures import ADA, BO
from tests.combat.rules.stage import Die

TRENCH = Zone("trench", "Trench", 18, -2, 4, 4, cover="three_quarter")


def lob(stage: RangeStage, *dice: Die, to: str = "22,0") -> None:
    """Ada throws the first item in hand at a place."""
    stage.do("lob", ADA, dice=dice, weapon=stage[ADA].items[0].id, to=to)


def sums(stage: RangeStage, to: str = "22,0") -> dict[str, int]:
    """The DMs of a throw at a place."""
    found = stage.preview("lob", ADA, weapon=stage[ADA].items[0].id, to=to)
    return {stage.system.draw(term.label): term.value for term in found.modifiers}


def notes(stage: RangeStage, to: str = "22,0") -> list[str]:
    """The form's text about the place."""
    found = stage.preview("lob", ADA, weapon=stage[ADA].items[0].id, to=to)
    names = {combatant.id: combatant.name for combatant in stage.state.combatants.values()}
    return [stage.system.draw(note, names) for note in found.notes]


@pytest.mark.rule("CE-THROW-02", "CE-EXPL-01")
def test_two_enemies_by_a_grenade_between_them() -> None:
    stage = duel("grenade_frag", 20, foe={"profile": "FFF777"})
    other = stage.join("Cy", 25, profile="FFF777")
    lob(stage, (5, 5), (4, 4, 4, 3, 3), to=f"between:{BO}:{other}")
    assert losses(stage) == {BO: 18, other: 18}
    assert stage[ADA].budget["significant"] == 0
    assert not [item for item in stage[ADA].items if item.kind == "grenade"]


@pytest.mark.rule("CE-OTHER-12")
def test_who_delays_acts_before_a_grenade_is_thrown() -> None:
    stage = duel("grenade_frag", 20)
    stage.give(BO, "delaying")
    lob(stage, "yes")
    assert stage.state.active == BO
    assert stage[ADA].budget["significant"] == 1
    assert stage.item(ADA, "grenade_frag").place == "held"
    stage.do("next_turn")
    assert stage.state.active == ADA


@pytest.mark.rule("CE-EXPL-01")
def test_who_is_inside_is_said_before_the_roll() -> None:
    stage = duel("grenade_frag", 20)
    stage.join("Cy", 26, side="enemies")
    assert notes(stage)[:3] == ["5d6 within 3 m: enemy Bo", "3d6 within 6 m: enemy Cy", "1d6 within 9 m"]
    assert "No one inside" in notes(stage, "20,30")
    assert "5d6 within 3 m: ally Ada" in notes(stage, "2,0")


@pytest.mark.rule("CE-EXPL-01")
def test_the_same_is_said_of_a_grenade_thrown_at_someone() -> None:
    stage = duel("grenade_frag", 20)
    stage.join("Cy", 26)
    found = stage.preview("attack", ADA, weapon=stage[ADA].items[0].id, target=BO)
    names = {combatant.id: combatant.name for combatant in stage.state.combatants.values()}
    drawn = [stage.system.draw(note, names) for note in found.notes]
    assert drawn[0] == "5d6 within 3 m: enemy Bo"


def test_the_tile_of_an_attack_names_what_free_hands_can_use() -> None:
    stage = duel("rifle")
    attack = stage.system.actions.by_name["attack"]
    assert find_brief(attack, stage.state, stage[ADA]) == "Rifle, 10 left"
    stage.arm(ADA, "rifle", "grenade_frag")
    assert find_brief(attack, stage.state, stage[ADA]) == "Frag grenade"


def test_the_hidden_are_not_named() -> None:
    stage = duel("grenade_frag", 20)
    stage.edit(BO, hidden=True)
    assert "No one inside" in notes(stage)


@pytest.mark.rule("CE-THROW-05", "CE-THROW-06")
def test_a_miss_scatters_from_the_place() -> None:
    stage = duel("grenade_frag", 20, foe={"profile": "FFF777"})
    lob(stage, (3, 4), 1, (1, 1, 1, 1, 1), to="13,0")
    said = next(s for s in stage.told(e.Said) if s.key == "log.scatters")
    assert said.args["metres"] == 9
    assert losses(stage) == {BO: 5}


@pytest.mark.rule("CE-COVER-02")
def test_cover_of_the_zone_counts_but_not_that_of_a_person() -> None:
    """RULING R93"""
    stage = duel("grenade_frag", 20)
    stage.mark(BO, cover="full")
    assert "Full cover" not in sums(stage, "20,0")
    stage.state = replace(stage.state, scene=Scene(zones=(TRENCH,)))
    assert sums(stage, "zone:trench")["Three-quarter cover"] == -2
    stage.give(BO, "prone")
    assert not {"Prone target", "Full cover"} & set(sums(stage, "zone:trench"))


@pytest.mark.rule("CE-COND-01", "CE-COND-04")
def test_light_and_smoke_count_at_a_place() -> None:
    stage = duel("grenade_frag", 20)
    stage.setting("light", "low_light")
    stage.setting("smoke", "smoke")
    assert sums(stage)["Low light"] == sums(stage)["Smoke or fog"] == -1


@pytest.mark.rule("CE-RANGE-13")
def test_how_far_one_can_throw() -> None:
    stage = duel("grenade_frag", 20)
    weapon = stage[ADA].items[0].id
    assert "Difficult" not in sums(stage, "2,0")
    assert sums(stage, "12,0")["Difficult"] == -2
    assert "cannot reach That place" in stage.refused("lob", ADA, weapon=weapon, to="51,0").message


def test_lob_is_refused_with_the_reason() -> None:
    stage = duel("rifle", 20)
    rifle = stage[ADA].items[0].id
    assert "nothing that explodes" in stage.refused("lob", ADA, weapon=rifle, to="5,0").message
    stage.arm(ADA, "auto_pistol", "grenade_frag")
    assert "does not explode" in stage.refused("lob", ADA, weapon=rifle, to="5,0").message
    stage = duel("grenade_frag", 20)
    grenade = stage[ADA].items[0].id
    assert "not part of the scene" in stage.refused("lob", ADA, weapon=grenade, to="zone:moon").message
    assert "meters as x,y" in stage.refused("lob", ADA, weapon=grenade, to="far away").message
    stage.edit(ADA, budget={"minor": 0, "significant": 0})
    stage.refused("lob", ADA, weapon=grenade, to="5,0")


@pytest.mark.rule("CE-COND-04")
def test_smoke_between_the_lines() -> None:
    stage = duel("grenade_smoke", 40)
    assert notes(stage)[:2] == ["Fills 6 m around it", "No one inside"]
    assert notes(stage, "38,0")[0] == "Fills 6 m around it: enemy Bo"
    lob(stage, (5, 5), 2)
    (cloud,) = stage.state.scene.zones
    assert (cloud.x, cloud.y) == (16, -6)


def test_a_rocket_at_the_ground_in_front_of_someone() -> None:
    stage = duel("rocket_launcher", 30, foe={"profile": "FFF777"})
    lob(stage, (6, 5), (1, 1, 1, 2), to=f"front:{BO}")
    assert losses(stage) == {BO: 5}
    assert stage[ADA].items[0].loaded == 0


def test_the_odds_are_those_of_the_throw() -> None:
    stage = duel("grenade_frag", 20)
    action = stage.system.action("lob")
    command = read_command(action, {"actor": ADA, "weapon": stage[ADA].items[0].id, "to": "20,0"})
    odds = find_odds(stage.system, stage.state, action, command)
    assert odds.headline
    assert odds.headline.label == "to succeed: attack"
    assert odds.headline.chance == pytest.approx(6 / 36)


def test_places_and_squares_that_are_offered() -> None:
    stage = duel("grenade_frag", 20)
    other = stage.join("Cy", 25, side="enemies")
    stage.state = replace(stage.state, scene=Scene(zones=(Zone("hall", "Hall", 0, 0, 9, 6),)))
    offered = {choice.value for choice in find_places(stage.state, ADA)}
    assert offered == {f"between:{BO}:{other}", f"front:{BO}", f"front:{other}", "zone:hall"}
    squares = [reach.at for reach in find_reach(stage.state, ADA)]
    assert Point(6, 3) in squares
    assert all(0 <= at.x <= 9 and 0 <= at.y <= 6 for at in squares)
    stage.arm(ADA, "rifle")
    assert find_reach(stage.state, ADA) == ()
