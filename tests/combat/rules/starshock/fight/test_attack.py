"""Attacks: rolls, target numbers, and the effects of a hit."""

from __future__ import annotations

import pytest

from combat.rules.core.state import events as e
from tests.combat.rules.starshock.figures import ADA, BO, CY, StarStage, duel, terms
from tests.typed import as_a


def give_skills(stage: StarStage, who: str, *skills: str, **attributes: int) -> None:
    sheet = stage[who].sheet
    changed = {**sheet, "skills": list(skills), "attributes": {**sheet["attributes"], **attributes}}
    stage.edit(who, sheet=changed)


def set_values(stage: StarStage, who: str, armor: int = 9, resistance: int = 8) -> None:
    """Set Armor and Resistance to the example's totals."""
    sheet = {**stage[who].sheet, "attributes": {"str": 0, "dex": 0, "int": 0, "prs": 0}}
    sheet |= {"natural_armor": armor - 7, "natural_resistance": resistance - 7}
    stage.edit(who, sheet=sheet)


# ---------------------------------------------------------------- the roll


@pytest.mark.rule("SS-ATK-03")
def test_the_table_may_add_its_own_modifier() -> None:
    stage = duel("dagger")
    shot = stage.attack("dagger", (1, 1), adjust=-1, because="smoke")
    assert (shot.total, terms(shot.modifiers)["Situational: smoke"]) == (3, -1)


@pytest.mark.rule("SS-ATK-04")
def test_attacker_may_choose_the_other_attribute_of_the_staff() -> None:
    stage = duel("tungsten_staff")
    give_skills(stage, ADA, str=3, dex=1)
    set_values(stage, BO, armor=12)
    assert stage.attack("tungsten_staff", (3, 3), using="dex").total == 7
    stage.turn(ADA)
    staff = stage.weapon(ADA, "tungsten_staff")
    refused = stage.refused("attack", ADA, target=BO, weapon=staff, using="int")
    assert refused.message == "Tungsten Staff is used with Str or Dex, not Int."


@pytest.mark.rule("SS-ATK-05")
@pytest.mark.parametrize(
    ("weapon", "skills"), [("electron_revolver", ("Firearms", "Energy Weapons")), ("ray_gun", ("Melee",))]
)
def test_two_fitting_skills_count_once_and_another_does_not(weapon: str, skills: tuple[str, ...]) -> None:
    stage = duel(weapon)
    give_skills(stage, ADA, *skills, dex=2, int=3)
    set_values(stage, BO, resistance=12)
    assert stage.attack(weapon, (3, 4)).total == 10


# ---------------------------------------------------------------- means and target


@pytest.mark.rule("SS-ATK-01")
def test_an_attack_names_one_weapon_in_hand() -> None:
    stage = duel("dagger", "electric_baton")
    weapons = [option.value for option in stage.field("attack", ADA, "weapon").options]
    assert weapons[:2] == [stage.weapon(ADA, "dagger"), stage.weapon(ADA, "electric_baton")]
    assert stage.refused("attack", ADA, target=BO, weapon="").code == "unknown"


@pytest.mark.rule("SS-ATK-01")
def test_a_weapon_in_the_pack_is_refused() -> None:
    stage = StarStage("dock")
    stage.hero("Ada", "dagger", "dagger", "ray_gun", zone="dock")
    stage.foe("Bo", zone="dock")
    stage.begin(ADA, BO)
    refused = stage.refused("attack", ADA, target=BO, weapon=stage.weapon(ADA, "ray_gun"))
    assert "not in hand" in refused.message
    shown = stage.field("attack", ADA, "weapon").options
    assert next(o for o in shown if o.label == "Ray-Gun").refused == refused.message


@pytest.mark.rule("SS-ATK-02")
def test_target_list_omits_the_attacker_and_those_out_of_reach() -> None:
    stage = duel("venusian_machete")
    stage.foe("Cy", zone="hold")
    options = {o.value: o.refused for o in stage.field("attack", ADA, "target").options}
    assert ADA not in options
    assert options[BO] == ""
    assert "No weapon in hand reaches Cy: move closer." in options[CY]


@pytest.mark.rule("SS-ATK-02")
def test_an_attack_on_oneself_or_on_nobody_is_refused() -> None:
    stage = duel("dagger")
    weapon = stage.weapon(ADA, "dagger")
    assert stage.refused("attack", ADA, target=ADA, weapon=weapon).code == "bad_target"
    assert stage.refused("attack", ADA, target="", weapon=weapon).code == "unknown"


# ---------------------------------------------------------------- damage


@pytest.mark.rule("SS-ATK-10")
@pytest.mark.parametrize(("who", "target", "audience"), [(ADA, BO, e.GM_ONLY), (BO, ADA, e.EVERYONE)])
def test_damage_is_told_to_the_gm_and_the_targets_player(who: str, target: str, audience: str) -> None:
    stage = duel()
    stage.hold(who, "plasticate_longbow")
    set_values(stage, target, armor=9)
    give_skills(stage, who, str=2, dex=2)
    stage.turn(who)
    stage.attack("plasticate_longbow", (5, 4), "0", who=who, on=target)
    (fact,) = (fact for fact in stage.facts if isinstance(fact.event, e.TrackChanged))
    assert (as_a(fact.event, e.TrackChanged).new, fact.to) == (5, audience)


@pytest.mark.rule("SS-ATK-12")
def test_knock_out_before_maneuvers_where_the_table_says_so() -> None:
    stage = duel("plasticate_longbow", maneuver_order="after_knockout_check")
    set_values(stage, BO, armor=9)
    stage.set_track(BO, damage=4)
    stage.attack("plasticate_longbow", (5, 5), (6, 6), "0", (6, 6))
    changes = [(event.old, event.new) for event in stage.told(e.TrackChanged)]
    assert changes == [(4, 8), (8, 9)]
    assert len(stage.checks("consciousness")) == 2
