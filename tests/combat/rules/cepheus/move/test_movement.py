"""Moving on foot, stances, and the groups' starting places."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.move.movement import find_reach
from combat.rules.cepheus.world.bands import find_band
from combat.rules.cepheus.world.motion import count_moved, has_stood_still
from combat.rules.core.state.state import Berth
from tests.combat.rules.cepheus.figures import ADA, BO, CepheusStage, lone


def field(**settings: str) -> CepheusStage:
    """Ada has the turn on open ground; Zed is 30 m away."""
    stage = lone("Ada")
    stage.foe("Zed", at=(30, 0))
    for key, value in settings.items():
        stage.do("set_setting", key=key, value=value)
    return stage.begin(ADA, BO)


def rubble(stage: CepheusStage, **more: object) -> None:
    """Lay difficult ground all around."""
    stage.zone("rubble", x=-50, y=-50, width=100, depth=100, terrain=["difficult"], **more)


# ---------------------------------------------------------------- distances


@pytest.mark.rule("CE-MINOR-15")
@pytest.mark.parametrize(("to", "left"), [("6,0", 2), ("9,0", 1), ("18,0", 0)])
def test_a_path_takes_no_more_minor_actions_than_it_needs(to: str, left: int) -> None:
    stage = field()
    stage.edit(ADA, budget={"minor": 3, "significant": 0})
    stage.do("move", ADA, to=to, actions=3)
    assert stage[ADA].budget["minor"] == left


@pytest.mark.rule("CE-MINOR-15")
def test_short_path_needs_one_minor_action_whatever_was_allowed() -> None:
    stage = field()
    stage.edit(ADA, budget={"minor": 1, "significant": 0})
    stage.do("move", ADA, to="3,0", actions=2)
    assert stage[ADA].at.x == 3
    stage.edit(ADA, budget={"minor": 1, "significant": 0})
    refused = stage.refused("move", ADA, to="15,0", actions=2)
    assert refused.message == "Moving needs 2 minor actions; this turn has 1 left."
    stage.edit(ADA, budget={"minor": 0, "significant": 0})
    refused = stage.refused("move", ADA, to="6,0", actions=2)
    assert refused.message == "No minor action left this turn; Moving needs 1."


@pytest.mark.rule("CE-MINOR-15")
def test_path_too_long_is_refused_with_its_length_rounded_up() -> None:
    refused = field().refused("move", ADA, to="5,5")
    assert refused.message == "Too far: that way takes 7.1 m of movement, Ada has 6 m."


@pytest.mark.rule("CE-MINOR-16", "CE-MINOR-17")
def test_grid_move_is_four_squares_and_diagonals_count_as_one() -> None:
    stage = field(distances="squares")
    assert stage.refused("move", ADA, to="7.5,7.5").code == "out_of_range"
    stage.do("move", ADA, to="6,6")
    assert (stage[ADA].at.x, stage[ADA].at.y) == (6, 6)


@pytest.mark.rule("CE-MINOR-16", "CE-MINOR-17")
def test_on_a_grid_everybody_stands_in_the_middle_of_a_square() -> None:
    stage = field(distances="squares")
    stage.do("move", ADA, to="4,1")
    assert (stage[ADA].at.x, stage[ADA].at.y) == (4.5, 1.5)
    stage.edit(BO, at=type(stage[BO].at)(12, 6))
    stage.edit(ADA, budget={"minor": 1, "significant": 1})
    stage.do("move", ADA, to=f"near:{BO}", far=True)
    assert [stage[ADA].at.x % 1.5, stage[ADA].at.y % 1.5] == [0, 0]
    assert find_band(stage.state, ADA, BO) == "close"


@pytest.mark.rule("CE-MINOR-18")
def test_only_the_meters_in_difficult_terrain_count_double() -> None:
    stage = field()
    stage.zone("rubble", x=2, y=-5, width=2, depth=10, terrain=["difficult"])
    assert stage.refused("move", ADA, to="4.5,0").code == "out_of_range"
    stage.do("move", ADA, to="4,0")


@pytest.mark.rule("CE-MINOR-19", "CE-STANCE-03")
def test_rubble_halves_the_move_of_the_crouched_again() -> None:
    stage = field()
    rubble(stage)
    stage.give(ADA, "crouched")
    assert stage.refused("move", ADA, to="1.6,0").code == "out_of_range"
    stage.do("move", ADA, to="1.5,0")


def test_the_prone_crawl() -> None:
    stage = field()
    stage.give(ADA, "prone")
    assert stage.refused("move", ADA, to="2,0").code == "out_of_range"
    stage.do("move", ADA, to="1.5,0")


def test_the_seriously_wounded_hobble_once_a_round() -> None:
    stage = field()
    stage.wounded(ADA, 6, 6, 6)
    stage.do("move", ADA, to="1.5,0")
    assert "1.5 m a round" in stage.refused("move", ADA, to="3,0").message


def test_long_path_is_cut_short_when_going_as_far_as_it_takes() -> None:
    stage = field()
    stage.do("move", ADA, to=f"near:{BO}", far=True)
    assert stage[ADA].at.x == 6
    stage.edit(ADA, budget={"minor": 1, "significant": 0})
    stage.do("move", ADA, to=f"away:{BO}")
    assert stage[ADA].at.x == 0


@pytest.mark.rule("CE-MINOR-18")
def test_a_long_path_through_rubble_is_cut_short_at_half_a_move() -> None:
    stage = field()
    rubble(stage)
    stage.do("move", ADA, to=f"near:{BO}", far=True)
    assert stage[ADA].at.x == 3


@pytest.mark.rule("CE-MINOR-16", "CE-MINOR-17")
def test_a_long_diagonal_path_is_cut_short_after_four_squares() -> None:
    """Straight, the last square is eight and a half meters away; counted in squares it is six."""
    stage = field(distances="squares")
    stage.do("move", ADA, to="30,30", far=True)
    assert (stage[ADA].at.x, stage[ADA].at.y) == (6, 6)


@pytest.mark.parametrize("wrong", [{"to": "0,0"}, {"to": "zone:nowhere"}, {"to": "3,0", "actions": 4}])
def test_a_path_to_nowhere_is_refused(wrong: dict[str, Any]) -> None:
    stage = field()
    stage.refused("move", ADA, **wrong)
    assert stage[ADA].budget == {"minor": 1, "significant": 1}


def test_who_is_held_or_sits_inside_does_not_walk() -> None:
    stage = field()
    stage.give(ADA, "grappled", by=BO)
    assert "grapple" in stage.refused("move", ADA, to="3,0").message
    stage = field()
    stage.edit(ADA, berth=Berth(BO))
    assert "get out first" in stage.refused("move", ADA, to="3,0").message


@pytest.mark.rule("CE-MINOR-15", "CE-MINOR-18", "CE-MINOR-19")
def test_the_map_marks_what_a_move_reaches() -> None:
    stage = field()
    stage.zone("deck", x=-20, y=-20, width=60, depth=40)
    marked = find_reach(stage.state, ADA)
    assert max(reach.meters for reach in marked) == 6
    stage.give(ADA, "crouched")
    assert max(reach.meters for reach in find_reach(stage.state, ADA)) == 3
    stage.edit(ADA, conditions=())
    rough = field()
    rubble(rough)
    assert max(reach.at.x for reach in find_reach(rough.state, ADA)) == 3
    for reach in marked[:5]:
        stage.edit(ADA, budget={"minor": 1, "significant": 1}, at=type(reach.at)(0, 0))
        stage.do("move", ADA, to=f"{reach.at.x},{reach.at.y}")


@pytest.mark.rule("CE-MINOR-17")
def test_on_a_grid_the_map_marks_four_squares_around() -> None:
    stage = field(distances="squares")
    stage.zone("deck", x=-21, y=-21, width=60, depth=42)
    marked = {(reach.at.x / 1.5, reach.at.y / 1.5) for reach in find_reach(stage.state, ADA)}
    around = range(-4, 5)
    assert marked == {(x, y) for x in around for y in around} - {(0, 0)}


@pytest.mark.rule("CE-MOD-06", "CE-XRANGE-05", "CE-COMMS-12")
def test_meters_gone_are_remembered_until_ones_next_turn() -> None:
    stage = field()
    stage.do("move", ADA, to="18,0", actions=3)
    assert count_moved(stage[ADA]) == 18
    assert not has_stood_still(stage.state, stage[ADA])
    stage.do("next_turn")
    assert count_moved(stage[ADA]) == 18
    stage.do("next_turn")
    assert count_moved(stage[ADA]) == 0
    assert not has_stood_still(stage.state, stage[ADA])
    stage.do("next_turn")
    stage.do("next_turn")
    assert has_stood_still(stage.state, stage[ADA])


# ---------------------------------------------------------------- stances


@pytest.mark.rule("CE-MINOR-11", "CE-STANCE-01")
def test_the_form_offers_the_stances_one_is_not_in() -> None:
    stage = field()
    stage.give(ADA, "prone")
    (offered,) = stage.system.action("stance").find_fields(stage.state, ADA)
    assert ([option.value for option in offered.options], offered.value) == (
        ["standing", "crouched"],
        "standing",
    )


@pytest.mark.rule("CE-STANCE-01")
def test_nobody_changes_into_their_own_stance() -> None:
    stage = field()
    assert stage.refused("stance", ADA, stance="standing").code == "not_allowed"


# ---------------------------------------------------------------- starting range


@pytest.mark.rule("CE-RANGE-19")
def test_the_gm_sets_the_groups_apart() -> None:
    stage = lone("Ada")
    stage.hero("Bo")
    stage.foe("Zed")
    stage.foe("Yan")
    stage.do("place_groups", band="long")
    pairs = [("f1", "f3"), ("f1", "f4"), ("f2", "f3"), ("f2", "f4")]
    assert {find_band(stage.state, *pair) for pair in pairs} == {"long"}
    stage.begin(ADA)
    assert stage.refused("place_groups", band="long").code == "not_allowed"


@pytest.mark.rule("CE-RANGE-20", "CE-RANGE-21", "CE-RANGE-22", "CE-RANGE-23", "CE-RANGE-24")
@pytest.mark.parametrize(
    ("site", "light", "wanted", "band"),
    [
        ("tight", "light", "", "short"),
        ("outdoors", "light", "", "medium"),
        ("open", "light", "", "long"),
        ("open", "light", "very_long", "very_long"),
        ("open", "low_light", "very_long", "medium"),
        ("open", "dark", "very_long", "short"),
    ],
)
def test_groups_start_at_usual_or_wanted_range_as_light_allows(
    site: str, light: str, wanted: str, band: str
) -> None:
    stage = lone("Ada")
    stage.foe("Zed")
    stage.do("set_setting", key="light", value=light)
    stage.do("place_groups", site=site, band=wanted)
    assert find_band(stage.state, ADA, BO) == band


def test_no_darkness_brings_groups_nearer_without_conditions() -> None:
    """RULING R61"""
    stage = CepheusStage(use_conditions=False)
    stage.hero("Ada")
    stage.foe("Zed")
    stage.do("set_setting", key="light", value="dark")
    stage.do("place_groups", site="open")
    assert find_band(stage.state, ADA, BO) == "long"


@pytest.mark.rule("CE-RANGE-19", "CE-RANGE-20", "CE-RANGE-21", "CE-RANGE-22")
def test_the_form_says_what_is_usual_and_offers_all_ranges() -> None:
    stage = field()
    fields = {f.name: f for f in stage.system.action("place_groups").find_fields(stage.state, "")}
    usual = {option.value: option.detail for option in fields["site"].options}
    assert usual == {"tight": "usually Short", "outdoors": "usually Medium", "open": "usually Long"}
    offered = [option.value for option in fields["band"].options]
    assert offered == ["", "personal", "close", "short", "medium", "long", "very_long", "distant"]


def test_one_group_alone_is_not_placed() -> None:
    stage = lone("Ada")
    assert stage.refused("place_groups").code == "not_allowed"
    stage.foe("Zed")
    assert stage.refused("place_groups", site="moon").code == "bad_value"
