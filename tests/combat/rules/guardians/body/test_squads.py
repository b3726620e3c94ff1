"""A blow on one of a squad: what is beyond the last point of head or torso falls to the next who stands."""

from __future__ import annotations

from combat.rules.core.commands.commands import read_command
from combat.rules.core.engine.engine import find_action
from combat.rules.core.state.state import present
from tests.combat.rules.core.odds.test_odds import compare, find_ends, walk
from tests.combat.rules.guardians.stage import ADA, BO, GuardStage, open_duel

ROWS = {"torso": 4, "left_leg": 5}


def squad(place: str, points: int) -> GuardStage:
    """Ada beside Bo and Cy, who are a squad; a part of Bo has few points left. Ada's turn."""
    stage = open_duel("mace", hero={"bludgeon_weapons": 20})
    cy = stage.foe("Cy", at=(1, 0))
    stage.edit(cy, sheet={**stage[BO].sheet, "name": "Cy"})
    stage.set_part(BO, place, points)
    stage.do("join_squad", targets=[BO, cy], name="Thugs")
    stage.turn(ADA)
    return stage


def lose(place: str, points: int) -> tuple[int, int]:
    """What Bo and Cy lose in a blow with a 9 at a part of Bo with these points left."""
    stage = squad(place, points)
    pair = [one.id for one in present(stage.state) if one.id != ADA]
    before = [stage.part(who, place) for who in pair]
    stage.attack(5, ROWS[place], (4, 4))
    after = [stage.part(who, place) for who in pair]
    return before[0] - after[0], before[1] - after[1]


def test_excess_head_or_torso_damage_goes_to_the_nexts_same_part() -> None:
    assert lose("torso", 18) == (8, 0)
    assert lose("torso", 2) == (2, 11)  # the wound of the torso lets 13 through: Toughness counts for less


def test_the_rest_of_a_limb_is_lost_as_the_text_says() -> None:
    assert lose("left_leg", 2) == (2, 0)


def test_the_odds_are_those_of_the_dumb_count() -> None:
    stage = squad("head", 3)
    action = find_action(stage.system, "attack")
    data = {"actor": ADA, "target": BO, "weapon": stage.find_ready(ADA).id, "called": "head"}
    command = read_command(action, data)
    expected = walk(stage.system, stage.state, action, command)
    assert expected is not None
    compare(find_ends(stage.system, stage.state, action, command), expected)
