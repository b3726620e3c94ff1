"""From the dice through armor to the characteristics, in the order of the rules and the players."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rules.cepheus.body.allocation import find_best, find_best_healing, find_ordered, rank
from combat.rules.cepheus.body.damage import damage_terms, find_cuts, lose
from combat.rules.cepheus.body.hits import Hit, find_layers
from combat.rules.core.basics.dice.requests import ChoiceRequest
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.engine.engine import AutoDriver, LiveDriver
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.figures import ADA, CepheusStage, lone

scores = st.tuples(*(st.integers(0, 15),) * 3)


@pytest.fixture
def stage() -> CepheusStage:
    return lone()


def hit(points: int, **more: Any) -> Hit:
    return Hit(target=ADA, dice_total=points, rule="CE-DMG-01", **more)


# ---------------------------------------------------------------- dice, Effect, armor


@pytest.mark.rule("CE-ARMOR-01")
def test_worn_armor_layers_add_up_and_carried_armor_is_ignored() -> None:
    stage = lone(armor=["cloth"], natural_armor=2)
    stage.hit(ADA, 16)
    assert stage.losses() == {"end": 16 - 9 - 2}
    bare = CepheusStage()
    bare.hero(armor=["cloth"])
    bare.edit(ADA, items=tuple(replace(item, place="carried") for item in bare[ADA].items))
    bare.hit(ADA, 5)
    assert bare.losses() == {"end": 5}


def test_what_has_no_effect_is_never_sure() -> None:
    """Victims of blasts and strays add none.  R52"""
    stage = lone(armor=["battle_dress"])
    stage.hit(ADA, 18)
    assert not stage.losses()


def test_lasers_meet_the_laser_rating_and_reflec_lies_outside() -> None:
    stage = lone(armor=["cloth", "reflec"])
    assert find_layers(stage[ADA], "") == (("Cloth", 9),)
    assert find_layers(stage[ADA], "laser") == (("Reflec", 14), ("Cloth", 9))


def test_ablat_loses_a_laser_point_after_each_laser_hit() -> None:
    stage = lone(armor=["ablat"])
    stage.hit(ADA, 8, kind="laser")
    assert not stage.losses()
    stage.hit(ADA, 8, kind="laser")
    assert stage.losses() == {"end": 1}
    stage.hit(ADA, 3)
    assert not stage.losses()
    assert find_layers(stage[ADA], "laser") == (("Ablat", 6),)


@pytest.mark.parametrize(
    ("points", "how"), [(8, {"ap": 5}), (4, {"armored": False})], ids=["pierces", "passes by"]
)
def test_some_damage_gets_through_armor(points: int, how: dict[str, Any]) -> None:
    stage = lone(armor=["cloth"])
    stage.hit(ADA, points, **how)
    assert stage.losses() == {"end": 4}


# ---------------------------------------------------------------- the first wound


@pytest.mark.rule("CE-DMG-03", "CE-DMG-04", "CE-DMG-05")
@pytest.mark.parametrize(("choice", "body"), [("str", (3, 9, 0)), ("dex", (5, 7, 0))])
def test_a_high_endurance_takes_all_it_can_first(choice: str, body: tuple[int, ...]) -> None:
    stage = lone(profile="59A777")
    stage.hit(ADA, 12, choice)
    assert stage.body(ADA) == body
    (asked,) = stage.asked
    assert isinstance(asked, ChoiceRequest)
    assert asked.question == "2 points left: Strength or Dexterity?"


@pytest.mark.rule("CE-DMG-06", "CE-DMG-07", "CE-DMG-12", "CS-DMG-08")
@pytest.mark.rule("CE-DMG-11")
@pytest.mark.parametrize(
    ("points", "choice", "body"),
    [(15, "str", (0, 6, 0)), (18, "dex", (3, 0, 0))],
)
def test_the_chosen_one_is_emptied_first(
    stage: CepheusStage, points: int, choice: str, body: tuple[int, ...]
) -> None:
    stage.hit(ADA, points, choice)
    assert stage.body(ADA) == body
    assert stage.has(ADA, "unconscious")
    assert stage.has(ADA, "seriously_wounded")


# ---------------------------------------------------------------- later wounds


@pytest.mark.rule("CE-DMG-09")
def test_a_division_that_does_not_add_up_is_refused(stage: CepheusStage) -> None:
    stage.wounded(ADA, 7, 7, 2)
    with pytest.raises(Refused, match="1 more to place"):
        stage.hit(ADA, 6, "str=3,dex=2")
    with pytest.raises(Refused, match="Endurance takes 2 at most"):
        stage.hit(ADA, 6, "str=3,end=3")


@pytest.mark.rule("CS-DMG-03")
def test_endurance_first_always_where_the_table_plays_so() -> None:
    stage = CepheusStage(damage_order="endurance_first")
    stage.hero()
    stage.wounded(ADA, 7, 7, 3)
    stage.hit(ADA, 5, "str")
    assert stage.body(ADA) == (5, 7, 0)


def test_the_gm_is_asked_for_opponents_where_the_table_wants_it() -> None:
    stage = CepheusStage(gm_splits_npc_damage=True)
    stage.foe()
    stage.hit(ADA, 10, "dex")
    assert stage.body(ADA) == (7, 4, 0)


def test_forced_order_is_over_while_anything_is_damaged(stage: CepheusStage) -> None:
    """R2: not only Endurance counts."""
    stage.wounded(ADA, 6, 7, 7)
    stage.hit(ADA, 2, "str=2")
    assert stage.body(ADA) == (4, 7, 7)


def test_a_standing_order_says_where_wounds_go(stage: CepheusStage) -> None:
    stage.wounded(ADA, 7, 7, 2)
    stage.begin(ADA)
    stage.do("set_standing", ADA, rule_id="CE-DMG-09", value="dex>str")
    context = RuleContext(stage.system, stage.state, LiveDriver())
    lose(context, ADA, 6, "why.hit", "CE-DMG-01")
    assert context.state[ADA].tracks["dex"] == 1
    assert [(a.value, a.source) for a in context.answers] == [("dex=6", "order")]


@pytest.mark.rule("CE-DMG-05", "CE-DMG-09")
@pytest.mark.parametrize(
    ("endurance", "points", "answer", "body"),
    [(7, 10, ("str", "CE-DMG-05"), (4, 7, 0)), (2, 2, ("end=2", "CE-DMG-09"), (7, 7, 0))],
)
def test_where_a_player_does_not_say_the_best_is_taken(
    stage: CepheusStage, endurance: int, points: int, answer: tuple[str, str], body: tuple[int, ...]
) -> None:
    stage.wounded(ADA, 7, 7, endurance)
    context = RuleContext(stage.system, stage.state, AutoDriver())
    lose(context, ADA, points, "why.hit", "CE-DMG-01")
    assert [(given.value, given.rule) for given in context.answers] == [answer]
    assert tuple(context.state[ADA].tracks[key] for key in ("str", "dex", "end")) == body


def test_the_question_says_how_each_stands(stage: CepheusStage) -> None:
    stage.wounded(ADA, 7, 7, 2)
    stage.hit(ADA, 6, "str=6")
    (asked,) = stage.asked
    assert isinstance(asked, ChoiceRequest)
    assert asked.split is not None
    assert [(p.label, p.most, p.detail) for p in asked.split.places] == [
        ("Endurance", 2, "2 of 7"),
        ("Strength", 7, "7 of 7"),
        ("Dexterity", 7, "7 of 7"),
    ]


# ---------------------------------------------------------------- the best division


def test_best_way_keeps_one_on_their_feet() -> None:
    assert find_best((2, 7, 7), (7, 7, 7), 6) == (2, 4, 0)  # not unconscious, not seriously wounded
    assert find_best((0, 7, 7), (7, 7, 7), 6) == (0, 6, 0)
    assert find_best((0, 4, 7), (7, 7, 7), 4)[2] > 0  # rather seriously wounded than unconscious


@given(scores, st.integers(0, 45))
def test_best_way_is_legal_and_none_is_better(now: tuple[int, ...], points: int) -> None:
    whole = (15, 15, 15)
    best = find_best(now, whole, min(points, sum(now)))
    assert sum(best) == min(points, sum(now))
    assert all(0 <= lost <= score for lost, score in zip(best, now, strict=True))
    for other in find_ordered(now, points):
        assert rank(now, whole, best) <= rank(now, whole, other)


@given(scores, st.integers(0, 45))
def test_best_healing_is_legal(now: tuple[int, ...], points: int) -> None:
    way = find_best_healing(now, (15, 15, 15), points)
    assert sum(way) == min(points, 45 - sum(now))
    assert all(n >= 0 and score + n <= 15 for score, n in zip(now, way, strict=True))


def test_a_score_above_its_whole_leaves_no_room_to_heal() -> None:
    """The GM may set a score above that of the sheet."""
    assert find_best_healing((9, 5, 8), (8, 8, 8), 5) == (0, 3, 0)


# ---------------------------------------------------------------- odds


@pytest.mark.parametrize("armor", [[], ["cloth"], ["battle_dress"]])
@pytest.mark.parametrize("effect", [0, 3, 6])
def test_between_two_cuts_nothing_differs(armor: list[str], effect: int) -> None:
    stage = lone(armor=armor)
    cuts = find_cuts(stage[ADA], effect=effect)
    through: dict[int, set[int]] = {}
    for points in range(5, 31):
        lost = min(21, max(0, add_up(damage_terms(stage[ADA], hit(points, effect=effect)))))
        through.setdefault(sum(points >= cut for cut in cuts), set()).add(lost)
    assert all(len(found) == 1 for found in through.values())
    assert len({n for found in through.values() for n in found}) == len(through)
