"""Grappling: the checks, the seven options, and its end."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.fight.grapple import find_stretch
from combat.rules.cepheus.world.motion import count_moved
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.fight.range import duel, losses
from tests.combat.rules.cepheus.fight.ring import grapple, ring
from tests.combat.rules.cepheus.figures import ADA, BO
from tests.typed import sure


@pytest.mark.rule("CE-GRAP-03")
def test_grapple_form_has_both_sums_and_the_gms_word_counts() -> None:
    stage = ring()
    stage.skilled(ADA, natural_weapons=2)
    stage.skilled(BO, natural_weapons=1)
    shown = stage.preview("grapple", ADA, target=BO, adjust=-1)
    assert add_up(shown.modifiers) == 2 - 1
    assert [stage.system.draw(note, {BO: "Bo"}) for note in shown.notes] == ["Bo rolls 2d6 +1"]
    stage.do("grapple", ADA, target=BO, adjust=-2, dice=((3, 4), (3, 4)))
    assert [check.total for check in stage.checks()] == [7, 8]
    assert not stage.has(BO, "grappled")


@pytest.mark.rule("CE-GRAP-01")
def test_grapple_is_offered_while_there_is_an_action_for_it() -> None:
    stage = ring()
    action = stage.system.action("grapple")
    action.check_now(stage.state, ADA)
    stage.edit(ADA, budget={"minor": 1, "significant": 0})
    with pytest.raises(Refused, match="No significant action left"):
        action.check_now(stage.state, ADA)


@pytest.mark.rule("CE-GRAP-02")
def test_grapple_is_offered_if_anyone_is_at_personal_range() -> None:
    stage = ring(5)
    action = stage.system.action("grapple")
    with pytest.raises(Refused, match="Bo is not at Personal range"):
        action.check_now(stage.state, ADA)
    cy = stage.join("Cy", 1)
    stage.edit(cy, side=stage[ADA].side)  # friends come after enemies in the form
    action.check_now(stage.state, ADA)


@pytest.mark.rule("CE-GRAP-02")
@pytest.mark.parametrize(
    ("distances", "advice"),
    [("metres", "move beside them first"), ("squares", "move into their square first")],
)
def test_one_too_far_to_grapple_reads_where_to_go_and_may_do_it(distances: str, advice: str) -> None:
    stage = ring(3)
    stage.do("set_setting", key="distances", value=distances)
    action = stage.system.action("grapple")
    with pytest.raises(Refused, match=f"^Bo is not at Personal range: {advice}.$"):
        action.check_now(stage.state, ADA)
    stage.edit(ADA, at=stage[BO].at if distances == "squares" else Point(2, 0))
    action.check_now(stage.state, ADA)


@pytest.mark.rule("CE-GRAP-03")
def test_a_tie_of_equals_is_rolled_again() -> None:
    stage = ring()
    stage.do("grapple", ADA, dice=((3, 3), (3, 3), (4, 3), (3, 3), "hold", "continue"), target=BO)
    assert stage.has(BO, "grappled")


@pytest.mark.rule("CE-GRAP-04", "CE-GRAP-05")
def test_the_winner_has_seven_options() -> None:
    stage = ring()
    grapple(stage, 1, "hold", "continue")
    first = stage.questions()[0]
    assert (first.who, first.rule) == (ADA, "CE-GRAP-04")
    assert [o.value for o in first.options] == [
        "hold", "disarm", "drag", "escape", "damage", "prone", "throw",
    ]  # fmt: skip
    assert first.options[1].refused == "Bo holds nothing."
    assert stage.has(ADA, "grappled")
    assert stage.has(BO, "grappled")
    assert not stage.has(BO, "prone")
    assert (stage[ADA].at, stage[BO].at) == (Point(0, 0), Point(1, 0))
    assert losses(stage) == {}


@pytest.mark.rule("CE-GRAP-06")
@pytest.mark.parametrize(("by", "taken"), [(5, False), (6, True)])
def test_disarming_by_6_takes_the_weapon_and_by_less_drops_it(by: int, taken: bool) -> None:
    stage = ring()
    weapon = stage.arm(BO, "dagger")
    grapple(stage, by, "disarm", "continue")
    assert not stage[BO].items
    assert [item.id for item in stage.state.ground] == ([] if taken else [weapon])
    assert (weapon in [item.id for item in stage[ADA].items]) is taken


@pytest.mark.rule("CE-GRAP-07")
def test_dragging_moves_nobody_more_than_three_meters() -> None:
    stage = ring()
    stage.turn(ADA)
    refused = stage.refused("grapple", ADA, dice=((4, 4), (1, 1), "drag", "east-3.5"), target=BO)
    assert refused.code == "bad_value"


@pytest.mark.rule("CE-GRAP-08")
@pytest.mark.parametrize(
    ("state", "ways"),
    [("crouched", ["3", "1.5"]), ("prone", ["1.5", "0.75"]), ("seriously_wounded", ["1.5", "0.75"])],
)
def test_who_breaks_free_gets_no_farther_than_by_moving(state: str, ways: list[str]) -> None:
    stage = ring(held=True)
    stage.give(ADA, state)
    grapple(stage, 1, "escape", f"west-{ways[0]}")
    offered = [option.value.partition("-")[2] for option in stage.questions()[-1].options[1:]]
    assert list(dict.fromkeys(offered)) == ways
    assert stage[ADA].at == Point(-float(ways[0]), 0)


@pytest.mark.rule("CE-GRAP-07", "CE-GRAP-08", "CE-MOD-06")
def test_who_is_moved_in_a_grapple_has_moved() -> None:
    stage = ring(held=True)
    stage.zone("deck", x=-9, y=-5, width=6, depth=10)
    grapple(stage, 1, "escape", "west-6")
    assert count_moved(stage[ADA]) == 6
    assert [moved.zone for moved in stage.told(e.Moved)] == ["deck"]
    dragged = ring()
    grapple(dragged, 1, "drag", "east-3", "continue")
    assert count_moved(dragged[ADA]) == count_moved(dragged[BO]) == 3


@pytest.mark.rule("CE-GRAP-09")
def test_armor_counts_against_damage_in_a_grapple() -> None:
    armored = duel("unarmed_strike", 1, foe={"armor": ["mesh"]})
    armored.skilled(ADA, natural_weapons=0)
    armored.skilled(BO, natural_weapons=0)
    grapple(armored, 6, "damage", "continue")
    assert losses(armored) == {BO: 3}


@pytest.mark.rule("CE-GRAP-09")
def test_by_option_armor_does_not_count_and_the_own_effect_does() -> None:
    bare = duel("unarmed_strike", 1, foe={"armor": ["mesh"]}, grapple_armor=False)
    bare.skilled(ADA, natural_weapons=0)
    bare.skilled(BO, natural_weapons=0)
    grapple(bare, 6, "damage", "continue")
    assert losses(bare) == {BO: 8}
    own = ring(grapple_effect="own")
    grapple(own, 8, "damage", "continue")  # a total of 10
    assert losses(own) == {BO: 2 + 2}


@pytest.mark.rule("CE-GRAP-10")
def test_knocking_someone_prone() -> None:
    stage = ring()
    stage.give(BO, "crouched")
    grapple(stage, 1, "prone", "end")
    assert stage.has(BO, "prone")
    assert not stage.has(BO, "crouched")


@pytest.mark.rule("CE-GRAP-13")
@pytest.mark.parametrize(("answer", "goes_on"), [("continue", True), ("end", False)])
def test_the_winner_says_whether_it_goes_on(answer: str, goes_on: bool) -> None:
    stage = ring()
    grapple(stage, 1, "damage", answer)
    last = stage.questions()[-1]
    assert (last.who, last.default) == (ADA, "continue")
    assert stage.has(BO, "grappled") is goes_on


@pytest.mark.rule("CE-GRAP-14")
def test_the_grappled_do_nothing_else() -> None:
    stage = ring()
    grapple(stage, 1, "hold", "continue")
    assert stage[ADA].budget == {"minor": 0, "significant": 0}
    stage.turn(ADA)
    stage.arm(ADA, "auto_pistol")
    stage.load(ADA, 3)
    weapon = f"{ADA}-w1"
    for name, fields in (
        ("attack", {"target": BO, "weapon": weapon}),
        ("move", {"to": "3,0"}),
        ("reload", {"weapon": weapon}),
        ("aim", {"target": BO}),
        ("drop", {"weapon": weapon}),
        ("put_away", {"weapon": weapon}),
        ("suppress", {"target": BO, "weapon": weapon}),
        ("exchange", {}),
        ("stance", {"stance": "prone"}),
    ):
        assert stage.refused(name, ADA, **fields).code in ("not_allowed", "no_budget"), name


@pytest.mark.rule("CE-GRAP-14")
@pytest.mark.parametrize(
    ("action", "fields"),
    [
        ("check", {"skill": "comms", "characteristic": "int"}),
        ("check", {"skill": "mechanics", "characteristic": "edu", "takes": "rounds"}),
        ("leadership", {"target": "Cy"}),
        ("tactics", {}),
        ("first_aid", {"target": "Cy"}),
        ("move", {"to": "3,0"}),
    ],
)
def test_the_grappled_use_no_skill_and_help_nobody(action: str, fields: dict[str, Any]) -> None:
    stage = ring(held=True)
    cy = stage.join("Cy", 0, 1, side="allies")
    named = {key: cy if value == "Cy" else value for key, value in fields.items()}
    refused = stage.refused(action, ADA, **named)
    assert refused.message == "Ada is grappled: win an opposed check (Grapple)."


@pytest.mark.rule("CE-GRAP-14", "CE-OTHER-02")
@pytest.mark.full_rules
def test_the_grappled_may_shout_and_wait() -> None:
    stage = ring(held=True)
    stage.edit(ADA, budget={"minor": 0, "significant": 1})
    stage.do("free", ADA, what="Help!")
    stage.do("delay", ADA)
    assert stage.has(ADA, "delaying")


@pytest.mark.rule("CE-GRAP-12", "CE-GRAP-13")
@pytest.mark.parametrize("answers", [("throw", 4, "stay"), ("prone", "end"), ("escape", "stay")])
def test_a_grapple_that_ends_at_once_leaves_the_minor_action(answers: tuple[Any, ...]) -> None:
    stage = ring()
    grapple(stage, 1, *answers)
    assert not stage.has(ADA, "grappled")
    assert stage[ADA].budget == {"minor": 1, "significant": 0}
    stage.do("move", ADA, to="-3,0")


@pytest.mark.rule("CE-GRAP-14", "CE-OTHER-12")
def test_who_is_held_while_interrupted_has_no_minor_action_left() -> None:
    stage = ring()
    stage.do("delay", ADA)
    stage.do("interrupt", ADA)
    grapple(stage, 1, "hold", "continue")
    stage.do("next_turn")
    assert (stage.state.active, stage[BO].budget) == (BO, {"minor": 0, "significant": 1})


@pytest.mark.rule("CE-GRAP-14", "CE-OTHER-07")
def test_who_is_grappled_does_not_go_on_with_a_task() -> None:
    stage = ring()
    stage.give(BO, "extended_action", marks={"skill": "mechanics", "characteristic": "edu"})
    grapple(stage, 1, "hold", "continue")
    assert not stage.has(BO, "extended_action")
    stage.turn(BO)
    grapple(stage, 1, "hold", "continue", who=BO, on=ADA)


@pytest.mark.rule("CE-GRAP-14")
def test_the_grappled_have_no_minor_action() -> None:
    stage = ring(held=True)
    stage.do("next_turn")
    assert (stage.state.active, stage[BO].budget) == (BO, {"minor": 0, "significant": 1})


@pytest.mark.rule("CE-GRAP-14")
def test_grappled_prone_or_without_the_rule_nobody_grapples() -> None:
    stage = ring()
    other = stage.join("Cy", 0, 1)
    stage.give(ADA, "grappled", by=other)
    stage.give(other, "grappled", by=ADA)
    assert "someone else" in stage.refused("grapple", ADA, target=BO).message
    off = ring(use_grapple=False)
    assert "without grappling" in off.refused("grapple", ADA, target=BO).message
    low = ring()
    low.give(ADA, "prone")
    assert "stand up" in low.refused("grapple", ADA, target=BO).message


def test_the_hold_ends_with_who_goes_down() -> None:
    stage = ring()
    stage.set_track(BO, end=0, str=1)
    stage.edit(BO, sheet=replace(stage[BO], name="Bo").sheet)
    grapple(stage, 6, "damage")
    assert stage.has(BO, "unconscious") or stage.has(BO, "dead")
    assert not stage.has(ADA, "grappled")


@pytest.mark.rule("CE-ZG-01", "CE-ZG-02", "CE-GRAP-03")
@pytest.mark.parametrize(
    ("skills", "points"),
    [({"natural_weapons": 2}, -3), ({"natural_weapons": 2, "zero_g": 1}, 1), ({"zero_g": 2}, -3)],
)
def test_a_grapple_without_gravity(skills: dict[str, int], points: int) -> None:
    """RULING R43: grappling is an attack, so Zero-G caps it."""
    stage = ring()
    stage.skilled(ADA, **skills)
    stage.skilled(BO, natural_weapons=0, zero_g=0)
    stage.setting("gravity", "zero")
    grapple(stage, 6, "hold", "continue")
    assert next(c for c in stage.checks() if c.who == ADA).total == 8 + points


@pytest.mark.rule("CE-GRAP-11")
def test_a_throw_ends_at_a_wall() -> None:
    stage = ring()
    stage.do("set_map", map={"walls": [{"id": "w", "x1": -9, "y1": -1.75, "x2": 9, "y2": -1.75}]})
    grapple(stage, 1, "throw", 4, "north-3")
    assert losses(stage) == {BO: 4}
    assert stage[BO].at == Point(1, -1.5)


@pytest.mark.rule("CE-GRAP-11")
@pytest.mark.parametrize(("height", "y"), [(1, -3), (2, -1.65), (30, -1.65), (-30, -3)])
def test_nobody_is_thrown_up_a_wall(height: float, y: float) -> None:
    stage = ring()
    stage.zone("ledge", x=-9, y=-9, width=18, depth=7.25, height=height)
    grapple(stage, 1, "throw", 4, "north-3")
    assert stage[BO].at == Point(1, y, height if y == -3 else 0)


@pytest.mark.rule("CE-GRAP-08")
def test_an_escape_climbs_no_farther_than_a_move() -> None:
    stage = ring()
    assert find_stretch(stage.state, BO, "north", 6) == 6
    stage.zone("ledge", x=-9, y=-9, width=18, depth=7.25, height=30)
    assert find_stretch(stage.state, BO, "north", 6) < 2


@pytest.mark.rule("CE-GRAP-03")
def test_a_tie_is_told_as_won_by_the_higher_score() -> None:
    stage = ring()
    stage.edit(BO, tracks={**stage[BO].tracks, "str": 8})
    stage.turn(ADA)
    stage.do("grapple", ADA, dice=((3, 3), (3, 3)), target=BO)
    assert stage.checks()[-1].outcome == "outcome.success"
    assert not stage.has(BO, "grappled")


@pytest.mark.rule("CE-GRAP-03")
def test_the_headline_of_a_grapple_is_the_chance_to_win_it() -> None:
    stage = ring()
    stage.turn(ADA)
    assert sure(stage.odds("grapple", ADA, target=BO).headline).chance == pytest.approx(0.5)
    stage.edit(BO, tracks={**stage[BO].tracks, "str": 8})
    odds = stage.odds("grapple", ADA, target=BO)
    ties = sum(n * n for n in (1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)) / 36**2
    assert sure(odds.headline).chance == pytest.approx((1 - ties) / 2)
    told = {measure.label: measure.chance for measure in odds.measures if measure.kind == "check.grapple"}
    assert told == {
        "grapple: lost (Bo)": pytest.approx((1 + ties) / 2),
        "grapple: won (Bo)": pytest.approx((1 - ties) / 2),
    }
