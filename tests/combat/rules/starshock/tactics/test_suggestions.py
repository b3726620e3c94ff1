"""Suggestions: standing up, another weapon, a better place; each tried by the engine."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.commands.commands import read_command
from combat.rules.core.odds.proposals import Suggestion, find_suggestions
from combat.rules.core.space import Point
from combat.rules.core.state.state import find_item
from combat.rules.starshock import SYSTEM
from combat.rules.starshock.characters.sheet import read_weapon
from combat.rules.starshock.fight.aim import Attack
from combat.rules.starshock.fight.attack import expected_damage
from combat.rules.starshock.tactics import find_candidates
from tests.combat.rules.starshock.figures import ADA, BO, StarStage, duel


def suggestions_of(stage: StarStage, weapon: str, **more: Any) -> dict[str, Suggestion]:
    """The suggestions for an attack of Ada on Bo, by their words."""
    action = SYSTEM.action("attack")
    data = {"actor": ADA, "target": BO, "weapon": stage.weapon(ADA, weapon), **more}
    command = read_command(action, data)
    candidates = find_candidates(stage.state, "attack", command)
    found = find_suggestions(SYSTEM, stage.state, action, command, candidates)
    return {help_.candidate.label: help_ for help_ in found}


def chance(stage: StarStage, weapon: str) -> float:
    """The present chance to hit Bo."""
    odds = stage.odds("attack", ADA, target=BO, weapon=stage.weapon(ADA, weapon))
    assert odds.headline
    return odds.headline.chance


@pytest.mark.rule("SS-PRONE-01")
def test_prone_are_told_to_stand_up_if_an_action_is_left_for_it() -> None:
    stage = duel("dagger")
    stage.give(ADA, "prone")
    assert "Stand up first" not in suggestions_of(stage, "dagger")
    stage.turn(ADA, 2)
    now, found = chance(stage, "dagger"), suggestions_of(stage, "dagger")["Stand up first"]
    stage.do("stand_up", ADA)
    assert found.chance == pytest.approx(chance(stage, "dagger"))
    assert found.gain == pytest.approx(found.chance - now)
    assert found.gain > 0


@pytest.mark.rule("SS-ATK-04")
def test_the_weapon_one_is_better_with_is_named() -> None:
    stage = duel("dagger", "electric_baton", foe={"str": 3, "dex": 3, "int": 0, "prs": 0})
    suggestions = suggestions_of(stage, "dagger")
    better = max(("electric_baton", "dagger"), key=lambda name: chance(stage, name))
    assert better == "electric_baton"
    assert suggestions["Use Electric Baton instead"].chance == pytest.approx(chance(stage, "electric_baton"))
    assert suggestions_of(stage, "electric_baton") == {}


@pytest.mark.rule("SS-RANGE-03")
def test_only_a_nearer_zone_is_suggested_for_a_shot() -> None:
    stage = duel("ray_gun")
    stage.put(ADA, "hold")
    stage.put(BO, "roof")
    assert suggestions_of(stage, "ray_gun") == {}, "one action is for the shot itself"
    stage.turn(ADA, 2)
    assert set(suggestions_of(stage, "ray_gun")) == {"Move to deck first"}


@pytest.mark.rule("SS-ZONE-13")
def test_a_place_above_helps() -> None:
    stage = duel("ray_gun")
    stage.describe("hold", terrain=["elevated"], height=4)
    stage.put(BO, "roof")
    stage.turn(ADA, 2)
    before, found = chance(stage, "ray_gun"), suggestions_of(stage, "ray_gun")["Move to hold first"]
    stage.do("move", ADA, to="zone:hold", how="climbs up")
    assert found.chance == pytest.approx(chance(stage, "ray_gun"))
    assert found.chance > before


@pytest.mark.rule("SS-RANGE-04", "SS-MAP-07")
def test_on_a_map_one_goes_nearer_with_the_meters_of_the_turn() -> None:
    stage = duel("ray_gun")
    stage.map()
    stage.edit(BO, at=Point(stage[ADA].at.x + 12, stage[ADA].at.y))
    stage.turn(ADA)
    now, found = chance(stage, "ray_gun"), suggestions_of(stage, "ray_gun")["Move closer to Bo first"]
    assert found.candidate.name == "free_move"
    assert found.chance > now


def test_only_attacks_are_helped() -> None:
    stage = duel("dagger")
    action = SYSTEM.action("block")
    assert find_candidates(stage.state, "block", read_command(action, {"actor": ADA})) == ()


@pytest.mark.rule("SS-ATK-01")
@pytest.mark.parametrize("weapons", [("dagger", "electric_baton"), ("electric_baton", "dagger")])
def test_form_of_an_attack_starts_with_the_weapon_that_does_most(weapons: tuple[str, str]) -> None:
    stage = duel(*weapons)
    fields = {field.name: field for field in SYSTEM.action("attack").find_fields(stage.state, ADA)}
    attacks = [Attack(actor=ADA, target=BO, weapon=stage.weapon(ADA, name)) for name in weapons]
    worth = {
        one.weapon: expected_damage(stage.state, one, read_weapon(find_item(stage[ADA], one.weapon)))
        for one in attacks
    }
    assert len({*worth.values()}) == 2
    assert fields["weapon"].value == max(worth, key=worth.__getitem__)
