"""Damage added up: the total, the consciousness check, dropping, and falls."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.wording import describe_facts
from combat.rules.starshock import SYSTEM
from combat.rules.starshock.body.damage import fall_prone
from combat.rules.starshock.book.tables import lasting
from tests.combat.rules.stage import Script
from tests.combat.rules.starshock.figures import ADA, BO, StarStage, duel, find_notes, terms

# ---------------------------------------------------------------- the total


# ---------------------------------------------------------------- the check


@pytest.mark.rule("SS-DMG-05")
def test_nothing_but_str_and_items_counts() -> None:
    stage = duel("dagger", foe={"str": 2, "features": ("athlete_strength_training",)})
    stage.give(BO, "prone")
    stage.give(BO, "blinded")
    stage.give(BO, "woozy")
    stage.turn(BO, 3)
    stage.do("adjust", target=BO, track="damage", to=9, dice=[(3, 3)])
    assert terms(stage.check("consciousness").modifiers) == {"Str": 2, "Strength Training": 1}


@pytest.mark.rule("SS-DMG-10")
def test_players_and_named_opponents_make_their_checks_even_so() -> None:
    stage = duel(npc_drop="at_15", foe={"named": True})
    for who in (ADA, BO):
        stage.do("adjust", target=who, track="damage", to=15, dice=[(6, 6)])
        assert len(stage.checks("consciousness")) == 1


@pytest.mark.rule("SS-DMG-10")
def test_opponents_check_like_others_unless_a_number_is_set() -> None:
    stage = duel()
    for total, dice in ((6, []), (7, [(6, 6)])):
        stage.do("adjust", target=BO, track="damage", to=total, dice=dice)
        assert len(stage.checks("consciousness")) == len(dice)
    stage = duel(npc_drop="number", npc_drop_damage=8)
    stage.do("adjust", target=BO, track="damage", to=8)
    assert stage.has(BO, "unconscious")


@pytest.mark.rule("SS-DMG-08", "SS-DMG-09", "SS-UNC-07")
@pytest.mark.parametrize(("damage", "kind"), [(9, "unconscious"), (14, "coma")])
def test_one_who_drops_loses_held_items_and_keeps_carried_ones(damage: int, kind: str) -> None:
    stage = StarStage("dock")
    stage.hero("Ada", "dagger", zone="dock", gear=("medical_kit",))
    stage.begin(ADA, actions=3)
    stage.do("adjust", target=ADA, track="damage", to=damage, dice=[(1, 2)])
    assert (stage.has(ADA, kind), stage.has(ADA, "prone")) == (True, True)
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
def test_players_do_not_read_an_enemys_total_from_its_check() -> None:
    stage = duel()
    stage.do("adjust", target=BO, track="damage", to=9, dice=[(6, 6)])
    (fact,) = (f for f in stage.facts if isinstance(f.event, e.Checked))
    assert isinstance(fact.redacted, e.Checked)
    assert (fact.to, stage.check().against, fact.redacted.against) == (e.GM_ONLY, 9, None)
    stage.do("adjust", target=ADA, track="damage", to=9, dice=[(6, 6)])
    (fact,) = (f for f in stage.facts if isinstance(f.event, e.Checked))
    assert (fact.to, fact.redacted) == (e.EVERYONE, None)


# ---------------------------------------------------------------- falls


def fall(gravity: str, meters: int, *dice: Any, before: int = 0, **more: Any) -> StarStage:
    """Let Bo fall."""
    stage = duel(foe=more.pop("bo", None))
    stage.do("set_setting", key="gravity", value=gravity)
    stage.set_track(BO, damage=before)
    stage.do("fall", target=BO, metres=meters, dice=dice, **more)
    return stage


@pytest.mark.rule("SS-FALL-04")
@pytest.mark.parametrize(
    ("gravity", "meters", "deliberate", "dice"),
    [
        ("earth_venus", 2, True, 0),
        ("earth_venus", 2, False, 1),
        ("earth_venus", 4, True, 2),
        ("earth_venus", 5, False, 2),
        ("asteroid_moon", 9, False, 0),
        ("mars_artigrav", 5, True, 0),
        ("mars_artigrav", 5, False, 1),
        ("asteroid_moon", 10, True, 0),
        ("asteroid_moon", 10, False, 1),
    ],
)
def test_a_drop_on_purpose(gravity: str, meters: int, deliberate: bool, dice: int) -> None:
    rolls = [(1,) * dice] if dice else []
    assert fall(gravity, meters, *rolls, deliberate=deliberate).damage(BO) == dice


def test_a_fall_of_more_dice_than_a_roll_has_is_refused() -> None:
    stage = duel()
    stage.do("set_setting", key="gravity", value="earth_venus")
    refused = stage.refused("fall", target=BO, metres=202)
    assert (refused.code, stage.damage(BO)) == ("bad_value", 0)
    assert "200 m at 2 m per die" in refused.message
    stage.do("fall", target=BO, metres=201, dice=[(1,) * 100, (1, 1)])
    assert stage.damage(BO) == 100
    assert "400 m at 4 m per die" in stage.refused("fall", target=BO, metres=404, per_die=4).message


@pytest.mark.rule("SS-FALL-04")
def test_a_long_drop_may_be_eased_by_one_stretch() -> None:
    stage = duel(deliberate_drop="subtract_one_increment")
    stage.do("set_setting", key="gravity", value="earth_venus")
    stage.do("fall", target=BO, metres=6, deliberate=True, dice=[(1, 1)])
    assert stage.damage(BO) == 2


@pytest.mark.rule("SS-FALL-04")
def test_jumping_down_from_a_higher_zone_is_a_drop_on_purpose() -> None:
    for height, dice, damage, said in (
        (5, [], 0, "a drop of 5 m: no damage"),
        (10, [(2, 2)], 4, "a drop of 10 m: 2d6"),
        (0, [], 0, "floor is no lower: no drop"),
    ):
        stage = StarStage("catwalk", "floor")
        stage.describe("catwalk", height=height)
        stage.hero("Ada", zone="catwalk")
        stage.begin(ADA)
        assert find_notes(stage.preview("move", ADA, to="zone:floor", jump=True))[1] == said
        stage.do("move", ADA, to="zone:floor", jump=True, dice=dice)
        assert (stage.zone_of(ADA), stage.damage(ADA)) == ("floor", damage)


@pytest.mark.rule("SS-FALL-01", "SS-FALL-04")
@pytest.mark.parametrize(
    ("high", "low", "dice"),
    [(8.2, 2.2, 3), (6.1, 2.1, 2), (3.3, -2.7, 3), (6.0, 0.1, 2), (2.0, 0, 0), (2.4, 0, 1), (1.1, -0.9, 0)],
)
def test_heights_are_not_cut_before_dice_are_counted(high: float, low: float, dice: int) -> None:
    """1d6 for each 2 m on Earth; 2 m on purpose are free, and 2.4 m are more."""
    stage = StarStage("catwalk", "floor")
    stage.do("set_setting", key="gravity", value="earth_venus")
    stage.describe("catwalk", height=high)
    stage.describe("floor", height=low)
    stage.hero("Ada", zone="catwalk")
    stage.begin(ADA)
    stage.do("move", ADA, to="zone:floor", jump=True, dice=[(1,) * dice] if dice else [])
    assert stage.damage(ADA) == dice


def test_a_jump_of_more_dice_than_a_roll_has_is_refused() -> None:
    stage = StarStage("catwalk", "floor")
    stage.describe("catwalk", height=510)
    stage.hero("Ada", zone="catwalk")
    stage.begin(ADA)
    assert "500 m at 5 m per die" in stage.refused("move", ADA, to="zone:floor", jump=True).message
    assert stage.zone_of(ADA) == "catwalk"


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


@pytest.mark.rule("SS-MANV-03")
@pytest.mark.parametrize(
    ("immune", "before", "falls"), [((), (), 1), ((), ("prone",), 0), (("prone",), (), 0)]
)
def test_falling_makes_prone_once_and_nobody_who_cannot_be(
    immune: tuple[str, ...], before: tuple[str, ...], falls: int
) -> None:
    stage = duel()
    stage.edit(BO, sheet={**stage[BO].sheet, "immune": list(immune)})
    for kind in before:
        stage.give(BO, kind)
    context = RuleContext(SYSTEM, stage.state, Script([]))
    fall_prone(context, BO, "SS-MANV-03")
    added = [fact for fact in context.facts if isinstance(fact.event, e.ConditionGained)]
    assert len(added) == falls
    assert any(one.kind == "prone" for one in context.state[BO].conditions) is bool(falls or before)
