"""Attacks by the summary: its worked checks, played by the quick rules."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.fight.explosives.blasts import Blast, explode
from combat.rules.cepheus.people.profile import read_profile
from combat.rules.cepheus.quick import SYSTEM as QUICK
from combat.rules.cepheus.world.motion import find_step
from combat.rules.core.basics.dice.requests import RollRequest
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.fight.range import RangeStage, duel
from tests.combat.rules.cepheus.figures import ADA, BO, PHYSICAL
from tests.typed import as_a

HIT, MISS = "outcome.hit", "outcome.miss"


def spar(weapon: str = "rifle", metres: float = 20, profile: str = "777777", **skills: int) -> RangeStage:
    """Ada with this profile attacks Bo, who does not react; the weapon's skill is 0 by default."""
    stage = duel(weapon, metres, system=QUICK)
    scores = read_profile(profile)
    stage.edit(ADA, sheet={**stage[ADA].sheet, "attributes": scores})
    stage.set_track(ADA, **{key: scores[key] for key in PHYSICAL})
    stage.skilled(ADA, **{**stage[ADA].sheet["skills"], **skills})
    return stage


def ready(weapon: str = "rifle", metres: float = 20) -> RangeStage:
    """Let Bo react."""
    return duel(weapon, metres, ready=True, system=QUICK)


def offered(stage: RangeStage, *dice: Any) -> list[str]:
    """Bo's reactions on offer against an attack."""
    stage.attack("none", *dice)
    (question,) = stage.questions()
    return [option.value for option in question.options]


# ---------------------------------------------------------------- the sums


@pytest.mark.rule("CS-ATK-01")
def test_an_attack_is_two_dice() -> None:
    stage = spar()
    shot = stage.attack((4, 3))
    assert (shot.total, shot.modifiers) == (7, ())
    assert [as_a(request, RollRequest).dice for request in stage.asked] == ["2d6"]


@pytest.mark.rule("CS-ATK-02")
@pytest.mark.parametrize("level", [0, 2])
def test_the_level_of_the_skill_is_added(level: int) -> None:
    assert spar(slug_rifle=level).attack((2, 2)).total == 4 + level


@pytest.mark.rule("CS-ATK-03")
def test_dexterity_is_for_guns_and_the_better_one_for_blows() -> None:
    assert spar("auto_pistol", 5, "797777").total() == 1
    assert spar("auto_pistol", 5, "977777").total() == 0
    assert spar("sword", 2, "977777").total() == 1
    assert spar("sword", 2, "797777").total() == 1


@pytest.mark.rule("CS-ATK-04", "CS-RANGE-05")
def test_range_is_a_difficulty() -> None:
    assert spar("auto_pistol", 30).terms() == {"Difficult": -2}


@pytest.mark.rule("CS-ATK-05")
def test_aim_and_cover_are_added_too() -> None:
    stage = spar()
    stage.aimed(ADA, BO, 1)
    stage.mark(BO, cover="half")
    assert sorted(stage.terms().values()) == [-1, 1]


@pytest.mark.rule("CS-ATK-06", "CS-ATK-01")
@pytest.mark.parametrize(("dice", "total", "outcome"), [((4, 3), 8, HIT), ((3, 3), 7, MISS)])
def test_eight_hits_by_an_effect_of_0(dice: tuple[int, int], total: int, outcome: str) -> None:
    stage = spar("auto_pistol", 30, "797777", slug_pistol=1)
    stage.aimed(ADA, BO, 1)
    shot = stage.attack(dice, *([(2, 3)] if outcome == HIT else []))
    assert (shot.total, shot.outcome) == (total, outcome)
    assert sum(stage.losses().values()) == (5 if outcome == HIT else 0)


@pytest.mark.rule("CS-ATK-07")
def test_a_blow_is_melee_skill_and_strength() -> None:
    shot = spar("sword", 2, "977777", slashing_weapons=1).attack((3, 3), (1, 1, 1))
    assert (shot.total, shot.outcome) == (8, HIT)


@pytest.mark.rule("CS-ATK-08")
def test_a_shot_is_gun_combat_and_dexterity() -> None:
    stage = spar("rifle", 20, "7C7777")
    stage.skilled(ADA, slug_rifle=0)
    shot = stage.attack((3, 3), (1, 1, 1))
    assert (shot.total, shot.outcome) == (8, HIT)


@pytest.mark.rule("CS-ATK-09")
def test_a_throw_is_athletics_and_dexterity() -> None:
    thrown = {"mode": "thrown"}
    shot = spar("dagger", 2.5, athletics=1).attack((4, 3), 1, **thrown)
    assert (shot.total, shot.outcome) == (8, HIT)
    assert spar("dagger", 2.5, "C97777", athletics=0).total(**thrown) == 1


@pytest.mark.rule("CS-DMG-01")
def test_damage_is_the_dice_and_the_effect() -> None:
    stage = spar()
    stage.attack((5, 5), (4, 4, 3))
    assert sum(stage.losses().values()) == 11 + 2


# ---------------------------------------------------------------- range


@pytest.mark.rule(
    "CS-RANGE-01", "CS-RANGE-02", "CS-RANGE-03", "CS-RANGE-04", "CS-RANGE-05", "CS-RANGE-06",
    "CS-RANGE-07", "CS-RANGE-08",
)  # fmt: skip
@pytest.mark.parametrize(
    ("weapon", "metres", "dm"),
    [
        pytest.param("dagger", 1, 0, marks=pytest.mark.rule("CS-RANGE-11")),
        pytest.param("dagger", 5, -2, marks=pytest.mark.rule("CS-RANGE-11")),
        pytest.param("spear", 2, 0, marks=pytest.mark.rule("CS-RANGE-09")),
        pytest.param("rocket_launcher", 30, 0, marks=pytest.mark.rule("CS-RANGE-10")),
        pytest.param("rocket_launcher", 100, -2, marks=pytest.mark.rule("CS-RANGE-10")),
        ("auto_pistol", 1, -2),
        ("auto_pistol", 2, 0),
        ("rifle", 5, 0),
        ("auto_pistol", 30, -2),
        pytest.param("submachinegun", 100, -2, marks=pytest.mark.rule("CS-RANGE-16")),
        ("rifle", 100, 0),
        ("rifle", 300, -2),
        pytest.param("rifle", 600, -6, marks=pytest.mark.rule("CS-RANGE-14")),
    ],
)
def test_the_distance_tells_how_hard_it_is(weapon: str, metres: float, dm: int) -> None:
    stage = spar(weapon, metres)
    mode = {"mode": "melee"} if weapon == "dagger" else {}
    assert stage.total(**mode) == dm


@pytest.mark.rule("CS-RANGE-01")
@pytest.mark.parametrize(
    ("weapon", "metres"),
    [
        pytest.param("auto_pistol", 300, marks=pytest.mark.rule("CS-RANGE-13")),
        pytest.param("shotgun", 300, marks=pytest.mark.rule("CS-RANGE-15")),
        pytest.param("sword", 13, marks=pytest.mark.rule("CS-RANGE-11")),
    ],
)
def test_out_of_range_is_refused(weapon: str, metres: float) -> None:
    stage = spar(weapon, metres)
    assert stage.refused("attack", ADA, target=BO, weapon=f"{ADA}-w1").code == "out_of_range"


@pytest.mark.rule("CS-RANGE-11")
def test_a_table_may_have_it_that_blows_reach_three_metres() -> None:
    assert duel("sword", 5, system=QUICK).total() == -2
    near, far = (
        duel("sword", metres, system=QUICK, close_quarters_reach="three_metres") for metres in (3, 5)
    )
    assert near.total() == 0
    assert far.refused("attack", ADA, target=BO, weapon=f"{ADA}-w1").code == "out_of_range"


# ---------------------------------------------------------------- reactions


@pytest.mark.rule("CS-REACT-02", "CS-REACT-03")
def test_a_dodge_costs_two_points_and_is_dm_minus_1() -> None:
    stage = ready()
    shot = stage.attack("dodge", (4, 4))
    assert (shot.total, shot.outcome) == (7, MISS)
    assert stage[BO].initiative == 7


@pytest.mark.rule("CS-REACT-05")
def test_a_dodge_behind_cover_is_dm_minus_2() -> None:
    stage = ready()
    stage.mark(BO, cover="half")
    assert stage.attack("dodge", (4, 4)).total == 8 - 1 - 2


@pytest.mark.rule("CS-REACT-05", "CS-ATK-05")
def test_a_dodge_behind_the_cover_that_is_stated_for_an_attack_is_dm_minus_2() -> None:
    assert ready().attack("dodge", (4, 4), cover="half").total == 8 - 1 - 2


@pytest.mark.rule("CS-REACT-06")
def test_a_parry_costs_two_points_and_is_for_blows() -> None:
    stage = ready("sword", 2)
    stage.attack("parry", (1, 1))
    assert stage[BO].initiative == 7
    assert offered(ready("sword", 2), (1, 1)) == ["none", "dodge", "parry"]
    assert offered(ready("rifle", 5), (1, 1)) == ["none", "dodge"]


@pytest.mark.rule("CS-REACT-07")
def test_a_parry_takes_its_points_off_the_blow() -> None:
    assert ready("sword", 2).attack("parry", (4, 4)).total == 8 - 1


@pytest.mark.rule("CS-REACT-04", "CS-REACT-08")
@pytest.mark.parametrize("reaction", ["dodge", "parry"])
def test_a_reaction_tells_on_checks_until_the_next_round(reaction: str) -> None:
    stage = ready("sword", 2)
    stage.attack(reaction, (1, 1))
    stage.do("next_turn")
    stage.do("check", BO, characteristic="end", dice=[(4, 4)])
    assert stage.check().total == 7
    stage.do("next_turn")
    stage.do("next_turn")
    stage.do("check", BO, characteristic="end", dice=[(4, 4)])
    assert stage.check().total == 8


# ---------------------------------------------------------------- cover and stance


@pytest.mark.parametrize(
    ("cover", "dm"),
    [
        pytest.param("quarter", 0, marks=pytest.mark.rule("CS-COVER-01")),
        pytest.param("half", -1, marks=pytest.mark.rule("CS-COVER-02")),
        pytest.param("three_quarter", -2, marks=pytest.mark.rule("CS-COVER-03")),
        pytest.param("full", -4, marks=pytest.mark.rule("CS-COVER-04")),
    ],
)
def test_the_rows_of_cover(cover: str, dm: int) -> None:
    stage = spar()
    stage.mark(BO, cover=cover)
    assert stage.total() == dm


@pytest.mark.rule("CS-STANCE-01")
def test_standing_there_is_nothing_to_add() -> None:
    stage = spar()
    assert stage.total() == 0
    assert find_step(stage[BO]) == 6
    assert offered(ready("sword", 2), (1, 1)) == ["none", "dodge", "parry"]


@pytest.mark.rule("CS-STANCE-02")
def test_the_crouched_move_half_as_far() -> None:
    stage = spar()
    stage.give(ADA, "crouched")
    assert stage.refused("move", ADA, to="0,4").code == "out_of_range"
    stage.do("move", ADA, to="0,3")
    assert stage[ADA].at.y == 3


@pytest.mark.rule("CS-STANCE-03", "CS-COVER-05")
def test_the_crouched_use_half_cover_as_three_quarters() -> None:
    stage = spar()
    stage.mark(BO, cover="half")
    stage.give(BO, "crouched")
    assert stage.total() == -2


@pytest.mark.rule("CS-STANCE-04", "CS-STANCE-07")
def test_the_prone_neither_strike_nor_dodge_but_parry() -> None:
    stage = ready("sword", 2)
    stage.give(BO, "prone")
    assert offered(stage, (1, 1)) == ["none", "parry"]
    stage.give(ADA, "prone")
    stage.turn(ADA)
    assert "stand up" in stage.refused("attack", ADA, target=BO, weapon=f"{ADA}-w1").message


@pytest.mark.rule("CS-STANCE-05")
@pytest.mark.parametrize("metres", [2, 5, 30])
def test_shots_at_the_prone_are_dm_minus_2(metres: float) -> None:
    stage = spar("assault_rifle", metres)
    before = stage.total()
    stage.give(BO, "prone")
    assert stage.total() == before - 2


@pytest.mark.rule("CS-STANCE-05")
def test_blows_at_the_prone_are_not() -> None:
    stage = spar("sword", 2)
    stage.give(BO, "prone")
    assert stage.total() == 0


@pytest.mark.rule("CS-STANCE-06")
@pytest.mark.parametrize("weapon", ["dagger", "auto_pistol"])
def test_beside_them_the_prone_are_easier_to_hit(weapon: str) -> None:
    stage = spar(weapon, 1)
    before = stage.total()
    stage.give(BO, "prone")
    assert stage.total() == before + 2


# ---------------------------------------------------------------- bursts


@pytest.mark.rule("CS-BURST-01")
@pytest.mark.parametrize(
    ("rounds", "points", "dice"),
    [
        pytest.param(3, 1, "3d6+1", marks=pytest.mark.rule("CS-BURST-02")),
        pytest.param(4, 1, "4d6", marks=pytest.mark.rule("CS-BURST-03")),
        pytest.param(10, 2, "5d6", marks=pytest.mark.rule("CS-BURST-04")),
        pytest.param(20, 3, "6d6", marks=pytest.mark.rule("CS-BURST-05")),
        pytest.param(100, 4, "7d6", marks=pytest.mark.rule("CS-BURST-06")),
    ],
)
def test_a_burst_is_easier_or_worse(rounds: int, points: int, dice: str) -> None:
    stage = spar()
    item = stage[ADA].items[0]
    stage.edit(ADA, items=(replace(item, data={**item.data, "rate_of_fire": [rounds]}, loaded=200),))
    assert stage.total(rounds=rounds, burst="spray") == points
    assert stage.total(rounds=rounds, burst="grouped") == 0
    for burst, damage in (("spray", "3d6"), ("grouped", dice)):
        form = stage.preview("attack", ADA, target=BO, weapon=item.id, rounds=rounds, burst=burst)
        assert stage.system.draw(form.notes[0]) == f"{damage} damage"


@pytest.mark.rule("CS-BURST-01")
def test_who_attacks_is_asked_which_it_shall_be() -> None:
    stage = spar("assault_rifle")
    fields = stage.system.action("attack").find_fields(stage.state, ADA)
    burst = next(field for field in fields if field.name == "burst")
    assert [option.value for option in burst.options] == ["", "spray", "grouped"]


@pytest.mark.rule("CS-BURST-02")
def test_three_grouped_rounds_are_one_point_more() -> None:
    stage = spar("accelerator_rifle")
    stage.skilled(ADA, **dict.fromkeys(stage[ADA].items[0].data["skills"], 0))
    stage.attack((4, 4), (4, 4, 2), rounds=3, burst="grouped")
    assert sum(stage.losses().values()) == 11


# ---------------------------------------------------------------- explosions


def blast(stage: RangeStage, *answers: Any) -> None:
    """4D6 within 6 m of Bo, by Ada."""
    found = Blast(by=ADA, at=stage[BO].at, weapon="bomb", rings=((6.0, "4d6"),))
    stage.run(lambda context: explode(context, found), answers)


@pytest.mark.rule("CS-EXPL-01")
def test_everybody_within_the_radius_takes_the_blast() -> None:
    stage = duel(system=QUICK)
    near, far = stage.join("Cy", 25), stage.join("Di", 27)
    blast(stage, (3, 3, 3, 3))
    assert [sum(stage.body(who)) for who in (ADA, BO, near, far)] == [21, 9, 9, 21]


@pytest.mark.rule("CS-EXPL-02")
def test_a_dodge_takes_a_die_off_the_blast() -> None:
    stage = ready()
    blast(stage, "dodge", (3, 3, 3, 3), 5)
    assert sum(stage.body(BO)) == 21 - 7
    assert (stage[BO].initiative, stage.has(BO, "reacted")) == (7, True)


@pytest.mark.rule("CS-EXPL-02", "CS-REACT-01")
def test_nobody_dodges_a_blast_without_two_points_left() -> None:
    """RULING R63"""
    stage = ready()
    stage.edit(BO, initiative=1)
    blast(stage, (3, 3, 3, 3))
    assert (stage.questions(), sum(stage.body(BO))) == ([], 21 - 12)


@pytest.mark.rule("CS-EXPL-03")
def test_diving_for_cover_halves_the_blast() -> None:
    stage = ready()
    blast(stage, "dive", (4, 3, 3, 3))
    assert sum(stage.body(BO)) == 21 - 6


@pytest.mark.rule("CS-EXPL-04")
def test_who_dives_is_prone_and_loses_the_next_significant_action() -> None:
    stage = ready()
    blast(stage, "dive", (1, 1, 1, 1))
    assert stage.has(BO, "prone")
    stage.do("next_turn")
    assert (stage.state.active, stage[BO].budget) == (BO, {"minor": 1, "significant": 0})
    stage.do("next_turn")
    stage.do("next_turn")
    assert stage[BO].budget["significant"] == 1


# ---------------------------------------------------------------- suppression


def suppress(stage: RangeStage, *dice: tuple[int, int]) -> Any:
    stage.do("suppress", ADA, dice=dice, target=BO, weapon=f"{ADA}-w1")
    return stage.check("check.suppression")


@pytest.mark.rule("CS-SUPP-01", "CS-SUPP-02")
def test_suppression_is_dm_minus_2_and_hurts_nobody() -> None:
    stage = spar()
    before = stage[ADA].items[0].loaded or 0
    assert suppress(stage, (5, 5)).total == 8
    assert stage.body(BO) == (7, 7, 7)
    assert stage.has(BO, "ducking")
    assert stage[ADA].budget == {"minor": 1, "significant": 0}
    assert stage[ADA].items[0].loaded == before - 1


@pytest.mark.rule("CS-SUPP-02", "CS-SUPP-03")
def test_who_is_not_suppressed_loses_nothing() -> None:
    stage = spar()
    assert suppress(stage, (5, 4)).outcome == MISS
    stage.do("next_turn")
    assert (stage.state.active, stage[BO].budget) == (BO, {"minor": 1, "significant": 1})


@pytest.mark.rule("CS-SUPP-03", "CS-SUPP-04")
@pytest.mark.parametrize("tag", ["zealot", "android", "suicidal"])
def test_nobody_is_too_stubborn_to_duck(tag: str) -> None:
    """RULING R87"""
    stage = spar()
    stage.edit(BO, sheet={**stage[BO].sheet, "tags": [tag]})
    suppress(stage, (6, 6))
    assert stage.has(BO, "ducking")


@pytest.mark.rule("CS-SUPP-04")
def test_the_effect_comes_off_the_initiative_of_the_target() -> None:
    stage = spar()
    suppress(stage, (6, 6))
    assert stage[BO].initiative == 9 - 2
    assert not stage.has(BO, "suppressed")
