"""Damage added up: the total, the consciousness check, dropping, and falls."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.state import events as e
from combat.rules.core.wording import describe_facts
from combat.rules.starshock import SYSTEM
from combat.rules.starshock.book.tables import lasting
from combat.rules.starshock.hazards.falling import count_fall_dice
from tests.combat.rules.starshock.fight.test_attack import set_values
from tests.combat.rules.starshock.figures import ADA, BO, StarStage, duel, terms


def hit(stage: StarStage, *more: Any) -> None:
    """Hit Bo for 4, without maneuvers."""
    set_values(stage, BO, resistance=8)
    stage.edit(BO, sheet={**stage[BO].sheet, "natural_resistance": 9 - stage_base(stage)})
    stage.attack("electric_baton", (4, 4), *more)


def stage_base(stage: StarStage) -> int:
    return 7 + max(int(stage[BO].sheet["attributes"][key]) for key in ("int", "prs"))


def hurt_bo(damage: int, points: int, *dice: Any, **bo: Any) -> StarStage:
    """Bo has taken `damage` and now takes `points` more."""
    stage = duel("dagger", foe=bo)
    stage.set_track(BO, damage=damage)
    stage.do("adjust", target=BO, track="damage", by=points, dice=dice)
    return stage


# ---------------------------------------------------------------- the total


@pytest.mark.rule("SS-DMG-01")
def test_damage_starts_at_nothing() -> None:
    stage = duel()
    assert stage[ADA].tracks["damage"] == 0
    health = SYSTEM.people.health(stage[ADA])
    assert (health.now, health.word, health.share, health.rises) == (0, "health.unhurt", 1, True)


@pytest.mark.rule("SS-DMG-02")
def test_damage_is_added_up() -> None:
    stage = duel("dagger")
    stage.set_track(BO, damage=3)
    set_values(stage, BO, armor=9)
    stage.attack("dagger", (4, 3), (6, 6))
    assert stage.damage(BO) == 8


@pytest.mark.rule("SS-DMG-03")
def test_the_total_stands_in_the_damage_taken_box() -> None:
    stage = duel("electric_baton")
    hit(stage)
    assert stage.number(BO, "Damage Taken") == 4
    assert SYSTEM.people.health(stage[BO]).now == 4
    assert next(track for track in SYSTEM.people.tracks if track.key == "damage").rises


# ---------------------------------------------------------------- the check


@pytest.mark.rule("SS-DMG-04")
@pytest.mark.parametrize(("before", "checks"), [(2, 0), (3, 1)])
def test_a_check_from_a_total_of_seven(before: int, checks: int) -> None:
    stage = duel("electric_baton")
    stage.set_track(BO, damage=before)
    hit(stage, *[(6, 6)] * checks)
    assert len(stage.checks("consciousness")) == checks


@pytest.mark.rule("SS-DMG-05", "SS-DMG-07")
def test_str_against_the_total_and_success_changes_nothing() -> None:
    stage = hurt_bo(5, 4, (4, 3), str=2)
    check = stage.check("consciousness")
    assert (check.total, check.against, check.outcome) == (9, 9, "conscious")
    assert stage.damage(BO) == 9
    assert stage[BO].conditions == ()


@pytest.mark.rule("SS-DMG-05")
def test_one_less_fails() -> None:
    stage = hurt_bo(5, 4, (3, 3), str=2)
    assert (stage.check("consciousness").total, stage.has(BO, "unconscious")) == (8, True)


@pytest.mark.rule("SS-DMG-05")
def test_nothing_but_str_and_items_counts() -> None:
    stage = duel("dagger", foe={"str": 2, "features": ("athlete_strength_training",)})
    stage.give(BO, "prone")
    stage.give(BO, "blinded")
    stage.give(BO, "woozy")
    stage.turn(BO, 3)
    stage.do("adjust", target=BO, track="damage", to=9, dice=[(3, 3)])
    assert terms(stage.check("consciousness").modifiers) == {"Str": 2, "Strength Training": 1}


@pytest.mark.rule("SS-DMG-06")
def test_each_later_damage_calls_for_a_new_check() -> None:
    stage = hurt_bo(0, 8, (6, 6))
    stage.do("adjust", target=BO, track="damage", by=1, dice=[(6, 6)])
    assert stage.check("consciousness").against == 9


@pytest.mark.rule("SS-DMG-08")
@pytest.mark.parametrize("dice", [(4, 4), (2, 2)])
def test_failing_makes_unconscious(dice: tuple[int, int]) -> None:
    stage = hurt_bo(6, 4, dice, str=1)
    assert stage.has(BO, "unconscious")
    assert not stage.has(BO, "coma")
    assert stage.has(BO, "prone")
    assert SYSTEM.people.health(stage[BO]).is_out


@pytest.mark.rule("SS-DMG-09")
@pytest.mark.parametrize(("dice", "kind"), [((2, 2), "coma"), ((3, 2), "unconscious")])
def test_failing_by_seven_is_a_coma(dice: tuple[int, int], kind: str) -> None:
    stage = hurt_bo(8, 4, dice, str=1)
    assert [c.kind for c in stage[BO].conditions if c.kind in ("coma", "unconscious")] == [kind]


@pytest.mark.rule("SS-DMG-10")
@pytest.mark.parametrize(("total", "out"), [(14, False), (15, True)])
def test_opponents_may_simply_drop_at_fifteen(total: int, out: bool) -> None:
    stage = duel(npc_drop="at_15")
    stage.do("adjust", target=BO, track="damage", to=total)
    assert stage.checks("consciousness") == []
    assert stage.has(BO, "unconscious") is out
    assert not stage.has(BO, "coma")


@pytest.mark.rule("SS-DMG-10")
def test_players_and_named_opponents_make_their_checks_even_so() -> None:
    stage = duel(npc_drop="at_15", foe={"named": True})
    for who in (ADA, BO):
        stage.do("adjust", target=who, track="damage", to=15, dice=[(6, 6)])
        assert len(stage.checks("consciousness")) == 1


@pytest.mark.rule("SS-DMG-10")
def test_by_default_opponents_check_like_anybody_and_another_number_may_be_set() -> None:
    stage = duel()
    for total, dice in ((6, []), (7, [(6, 6)])):
        stage.do("adjust", target=BO, track="damage", to=total, dice=dice)
        assert len(stage.checks("consciousness")) == len(dice)
    stage = duel(npc_drop="number", npc_drop_damage=8)
    stage.do("adjust", target=BO, track="damage", to=8)
    assert stage.has(BO, "unconscious")


@pytest.mark.rule("SS-DMG-08")
def test_whoever_drops_lets_go_and_has_no_actions_left() -> None:
    stage = duel("dagger")
    stage.turn(ADA, 3)
    stage.do("adjust", target=ADA, track="damage", to=9, dice=[(1, 2)])
    assert [item.data["id"] for item in stage.state.ground] == ["dagger"]
    assert set(stage[ADA].budget.values()) == {0}
    assert "unconscious" in stage.obstacle("attack", ADA)


@pytest.mark.rule("SS-DMG-09", "SS-UNC-07")
def test_whoever_falls_into_a_coma_drops_what_is_held_and_keeps_what_is_carried() -> None:
    stage = StarStage("dock")
    stage.hero("Ada", "dagger", zone="dock", gear=("medical_kit",))
    stage.begin(ADA, actions=3)
    stage.do("adjust", target=ADA, track="damage", to=14, dice=[(1, 2)])
    assert (stage.has(ADA, "coma"), stage.has(ADA, "prone")) == (True, True)
    assert [item.data["id"] for item in stage.state.ground] == ["dagger"]
    assert stage.item(ADA, "medical_kit").place == "carried"
    assert set(stage[ADA].budget.values()) == {0}


@pytest.mark.rule("SS-DMG-08")
def test_two_daggers_that_fall_at_once_are_told_in_one_line() -> None:
    stage = duel("dagger", "dagger")
    stage.do("adjust", target=ADA, track="damage", to=9, dice=[(1, 2)])
    assert [item.data["id"] for item in stage.state.ground] == ["dagger", "dagger"]
    lines = describe_facts(SYSTEM, stage.facts, {ADA: "Ada"})
    assert [line.text for line in lines if "drops" in line.text] == ["Ada drops Dagger × 2."]


@pytest.mark.rule("SS-DMG-08")
def test_the_unconscious_may_stay_on_their_feet() -> None:
    stage = duel(unconscious_prone="no")
    stage.do("adjust", target=BO, track="damage", to=9, dice=[(1, 2)])
    assert stage.has(BO, "unconscious")
    assert not stage.has(BO, "prone")


@pytest.mark.rule("SS-DMG-05")
def test_players_do_not_read_the_total_of_an_enemy_from_its_check() -> None:
    stage = duel()
    stage.do("adjust", target=BO, track="damage", to=9, dice=[(6, 6)])
    (fact,) = (f for f in stage.facts if isinstance(f.event, e.Checked))
    assert isinstance(fact.twin, e.Checked)
    assert (fact.to, stage.check().against, fact.twin.against) == (e.GM_ONLY, 9, None)
    stage.do("adjust", target=ADA, track="damage", to=9, dice=[(6, 6)])
    (fact,) = (f for f in stage.facts if isinstance(f.event, e.Checked))
    assert (fact.to, fact.twin) == (e.EVERYONE, None)


# ---------------------------------------------------------------- falls


def fall(gravity: str, metres: int, *dice: Any, before: int = 0, **more: Any) -> StarStage:
    """Let Bo fall."""
    stage = duel(foe=more.pop("bo", None))
    stage.do("set_setting", key="gravity", value=gravity)
    stage.set_track(BO, damage=before)
    stage.do("fall", target=BO, metres=metres, dice=dice, **more)
    return stage


@pytest.mark.rule("SS-FALL-01")
def test_a_fall_on_earth() -> None:
    assert fall("earth_venus", 6, (2, 5, 1), (6, 6)).damage(BO) == 8
    assert count_fall_dice(fall("earth_venus", 5, (1, 1)).state, 5, False) == 2


@pytest.mark.rule("SS-FALL-02")
def test_a_fall_on_mars_or_in_artificial_gravity() -> None:
    assert fall("mars_artigrav", 12, (3, 4), (6, 6)).damage(BO) == 7


@pytest.mark.rule("SS-FALL-03")
def test_a_fall_on_a_moon() -> None:
    assert fall("asteroid_moon", 25, (6, 2), (6, 6)).damage(BO) == 8
    assert fall("asteroid_moon", 9).damage(BO) == 0


@pytest.mark.rule("SS-FALL-04")
@pytest.mark.parametrize(
    ("gravity", "metres", "deliberate", "dice"),
    [
        ("earth_venus", 2, True, 0),
        ("earth_venus", 2, False, 1),
        ("earth_venus", 4, True, 2),
        ("mars_artigrav", 5, True, 0),
        ("mars_artigrav", 5, False, 1),
        ("asteroid_moon", 10, True, 0),
        ("asteroid_moon", 10, False, 1),
    ],
)
def test_a_drop_on_purpose(gravity: str, metres: int, deliberate: bool, dice: int) -> None:
    rolls = [(1,) * dice] if dice else []
    assert fall(gravity, metres, *rolls, deliberate=deliberate).damage(BO) == dice


@pytest.mark.rule("SS-FALL-04")
def test_a_long_drop_may_be_eased_by_one_stretch() -> None:
    stage = duel(deliberate_drop="subtract_one_increment")
    stage.do("set_setting", key="gravity", value="earth_venus")
    stage.do("fall", target=BO, metres=6, deliberate=True, dice=[(1, 1)])
    assert stage.damage(BO) == 2


@pytest.mark.rule("SS-FALL-04")
def test_jumping_down_from_a_higher_zone_is_a_drop_on_purpose() -> None:
    for height, dice, damage in ((5, [], 0), (10, [(2, 2)], 4)):
        stage = StarStage("catwalk", "floor")
        stage.describe("catwalk", height=height)
        stage.hero("Ada", zone="catwalk")
        stage.begin(ADA)
        stage.do("move", ADA, to="zone:floor", jump=True, dice=dice)
        assert (stage.zone_of(ADA), stage.damage(ADA)) == ("floor", damage)


@pytest.mark.rule("SS-FALL-05")
@pytest.mark.parametrize("armor", [5, 0])
def test_armor_does_not_soften_a_fall(armor: int) -> None:
    bo = {"natural_armor": armor, "str": 0, "dex": 0}
    stage = fall("earth_venus", 4, (3, 3), bo=bo)
    assert (stage.number(BO, "Armor"), stage.damage(BO)) == (7 + armor, 6)
    stage = fall("earth_venus", 4, (3, 3), (6, 6), before=1, bo=bo)
    assert stage.check("consciousness").against == 7


@pytest.mark.rule("SS-FALL-05")
def test_the_gm_may_set_another_gravity() -> None:
    assert fall("earth_venus", 9, (1, 1, 1), per_die=3).damage(BO) == 3


@pytest.mark.rule("SS-FALL-05")
def test_implants_and_training_soften_falls() -> None:
    legs = fall("earth_venus", 6, bo={"features": ("cyber_legs_1",)})
    assert legs.damage(BO) == 3
    acrobat = fall("earth_venus", 6, (5, 3, 1), bo={"features": ("acrobat_controlled_movement",)})
    assert acrobat.damage(BO) == 4


# ---------------------------------------------------------------- what one can bear


@pytest.mark.rule("SS-DMG-05", "SS-DMG-10")
@pytest.mark.parametrize(
    ("options", "foe", "most"),
    [
        ({}, {}, 13),
        ({}, {"str": 3}, 15),
        ({"npc_drop": "at_15"}, {}, 15),
        ({"npc_drop": "at_15"}, {"named": True}, 13),
        ({"npc_drop": "number", "npc_drop_damage": 8}, {}, 8),
    ],
)
def test_the_bar_ends_where_the_house_rules_let_opponents_drop(
    options: dict[str, Any], foe: dict[str, Any], most: int
) -> None:
    stage = duel(foe=foe, **options)
    stage.set_track(BO, damage=4)
    health = SYSTEM.find_health(stage.state, stage[BO])
    assert (health.number, health.share) == (f"4 of {most} damage", 1 - 4 / most)
    assert SYSTEM.find_health(stage.state, stage[ADA]).most == 13


@pytest.mark.rule("SS-OTHER-24")
def test_what_helps_to_stay_conscious_lets_bear_more() -> None:
    stage = duel()
    helps = next(row for row in lasting().values() if row.consciousness)
    stage.give(BO, helps.id)
    assert SYSTEM.find_health(stage.state, stage[BO]).most == 13 + helps.consciousness
