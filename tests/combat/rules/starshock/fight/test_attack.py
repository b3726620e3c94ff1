"""Attacks: rolls, target numbers, and the effects of a hit."""

from __future__ import annotations

import pytest

from combat.rules.core.state import events as e
from tests.combat.rules.starshock.figures import ADA, BO, CY, StarStage, duel, shorten, terms
from tests.typed import as_a

MELEE = {"skills": ("Melee",)}


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


@pytest.mark.rule("SS-ATK-03", "SS-ATK-05")
def test_total_is_dice_attribute_skill_and_modifiers() -> None:
    stage = duel("titanium_revolver", "needle_gun")
    give_skills(stage, ADA, "Firearms", dex=2)
    stage.put(BO, "hold")
    stage.turn(ADA, 2)
    shot = stage.attack("needle_gun", (5, 3))
    assert shot.total == 8 + 2 + 1 - 1 - 1
    assert terms(shot.modifiers) == {"Dex": 2, "Firearms": 1, "Range (1 zone)": -1, "Action Penalty": -1}


@pytest.mark.rule("SS-ATK-03")
def test_the_table_may_add_its_own_modifier() -> None:
    stage = duel("dagger")
    shot = stage.attack("dagger", (1, 1), adjust=-1, because="smoke")
    assert (shot.total, terms(shot.modifiers)["Situational: smoke"]) == (3, -1)


@pytest.mark.rule("SS-ATK-04")
def test_the_weapon_names_the_attribute() -> None:
    for weapon, total in (("venusian_machete", 9), ("dagger", 7)):
        stage = duel(weapon)
        give_skills(stage, ADA, str=3, dex=1)
        set_values(stage, BO, armor=12)
        assert stage.attack(weapon, (3, 3)).total == total


@pytest.mark.rule("SS-ATK-04")
def test_the_staff_uses_the_better_of_its_attributes() -> None:
    stage = duel("tungsten_staff")
    give_skills(stage, ADA, str=3, dex=1)
    set_values(stage, BO, armor=12)
    assert stage.attack("tungsten_staff", (3, 3)).total == 9


@pytest.mark.rule("SS-ATK-04")
def test_the_attacker_may_choose_the_other_attribute_of_the_staff() -> None:
    stage = duel("tungsten_staff")
    give_skills(stage, ADA, str=3, dex=1)
    set_values(stage, BO, armor=12)
    assert stage.attack("tungsten_staff", (3, 3), using="dex").total == 7
    stage.turn(ADA)
    staff = stage.weapon(ADA, "tungsten_staff")
    refused = stage.refused("attack", ADA, target=BO, weapon=staff, using="int")
    assert refused.message == "Tungsten Staff is used with Str or Dex, not Int."


@pytest.mark.rule("SS-ATK-05")
@pytest.mark.parametrize(("skills", "total"), [(("Energy Weapons",), 11), ((), 10), (("Melee",), 10)])
def test_a_fitting_skill_is_worth_one(skills: tuple[str, ...], total: int) -> None:
    stage = duel("ray_gun")
    give_skills(stage, ADA, *skills, int=3)
    set_values(stage, BO, resistance=12)
    assert stage.attack("ray_gun", (3, 4)).total == total


@pytest.mark.rule("SS-ATK-05")
def test_two_fitting_skills_count_once() -> None:
    stage = duel("electron_revolver")
    give_skills(stage, ADA, "Firearms", "Energy Weapons", dex=2)
    set_values(stage, BO, resistance=12)
    assert stage.attack("electron_revolver", (3, 4)).total == 10


# ---------------------------------------------------------------- Armor or Resistance


@pytest.mark.rule("SS-ATK-06")
@pytest.mark.parametrize(
    ("weapon", "outcome", "label"),
    [("dagger", "miss", "armor"), ("tesla_pistol", "hit", "resistance")],
)
def test_the_weapon_fixes_which_value_counts(weapon: str, outcome: str, label: str) -> None:
    stage = duel(weapon)
    give_skills(stage, ADA, dex=2, int=2)
    set_values(stage, BO, armor=10, resistance=8)
    shot = stage.attack(weapon, (4, 3))
    assert (shot.total, shot.outcome, shorten(shot.against_label)) == (9, outcome, label)


@pytest.mark.parametrize(
    ("weapon", "armor", "resistance"),
    [
        pytest.param("dagger", 10, 7, marks=pytest.mark.rule("SS-DEF-02")),
        pytest.param("electron_revolver", 7, 10, marks=pytest.mark.rule("SS-DEF-04")),
    ],
)
def test_a_dagger_meets_armor_and_a_revolver_resistance(weapon: str, armor: int, resistance: int) -> None:
    stage = duel(weapon)
    set_values(stage, BO, armor=armor, resistance=resistance)
    shot = stage.attack(weapon, (4, 3))
    assert (shot.total, shot.against, shot.outcome) == (9, 10, "miss")


@pytest.mark.rule("SS-ATK-07", "SS-DEF-06")
@pytest.mark.parametrize(("dice", "outcome"), [((3, 3), "miss"), ((3, 4), "hit"), ((4, 4), "hit")])
def test_equalling_the_value_hits(dice: tuple[int, int], outcome: str) -> None:
    stage = duel("dagger")
    set_values(stage, BO, armor=9)
    assert stage.attack("dagger", dice).outcome == outcome


@pytest.mark.rule("SS-ATK-07", "SS-OTHER-20")
@pytest.mark.parametrize(("armor", "outcome"), [(9, "hit"), (11, "miss")])
def test_the_current_value_counts(armor: int, outcome: str) -> None:
    stage = duel("dagger")
    set_values(stage, BO, armor=armor)
    shot = stage.attack("dagger", (4, 4))
    assert (shot.total, shot.outcome) == (10, outcome)


@pytest.mark.rule("SS-ATK-07")
def test_a_dodge_raises_what_the_attack_meets() -> None:
    stage = duel("dagger")
    set_values(stage, BO, armor=9)
    stage.give(BO, "dodge")
    shot = stage.attack("dagger", (4, 4))
    assert (shot.total, shot.against, shot.outcome) == (10, 10, "hit")


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
def test_the_target_list_leaves_out_the_attacker_and_who_is_out_of_reach() -> None:
    stage = duel("venusian_machete")
    stage.foe("Cy", zone="hold")
    options = {o.value: o.refused for o in stage.field("attack", ADA, "target").options}
    assert ADA not in options
    assert options[BO] == ""
    assert "No weapon in hand reaches Cy: move closer." in options[CY]


@pytest.mark.rule("SS-ATK-02")
def test_an_attack_on_oneself_or_the_dead_is_refused() -> None:
    stage = duel("dagger")
    weapon = stage.weapon(ADA, "dagger")
    assert stage.refused("attack", ADA, target=ADA, weapon=weapon).code == "bad_target"
    assert stage.refused("attack", ADA, target="", weapon=weapon).code == "unknown"
    stage.give(BO, "dead")
    assert (
        stage.refused("attack", ADA, target=BO, weapon=weapon).message == "Bo is dead: choose another target."
    )


# ---------------------------------------------------------------- damage


@pytest.mark.rule("SS-ATK-11")
@pytest.mark.parametrize(("dice", "total", "maneuvers"), [((3, 2), 9, 0), ((6, 6), 16, 3)])
def test_damage_is_the_weapons_figure_whatever_the_margin(
    dice: tuple[int, int], total: int, maneuvers: int
) -> None:
    stage = duel("aluminum_crossbow")
    give_skills(stage, ADA, str=4)
    set_values(stage, BO, armor=9)
    answers = ("pass",) if maneuvers else ()
    assert stage.attack("aluminum_crossbow", dice, *answers).total == total
    assert stage.told(e.Earned)[0].count == maneuvers
    assert stage.damage(BO) == 5


@pytest.mark.rule("SS-ATK-10")
def test_damage_is_one_event_with_what_maneuvers_add() -> None:
    stage = duel("plasticate_longbow")
    set_values(stage, BO, armor=9)
    stage.attack("plasticate_longbow", (5, 5), "0")
    (hurt,) = stage.told(e.TrackChanged)
    assert (hurt.who, hurt.old, hurt.new) == (BO, 0, 5)
    assert terms(hurt.terms) == {"Plasticate Longbow 4": 4, "Maneuver": 1}
    assert "SS-ATK-10" in stage.rules()


@pytest.mark.rule("SS-ATK-10")
@pytest.mark.parametrize(("who", "target", "audience"), [(ADA, BO, e.GM_ONLY), (BO, ADA, e.EVERYONE)])
def test_damage_is_told_to_the_gm_and_to_the_player_of_the_target(
    who: str, target: str, audience: str
) -> None:
    stage = duel()
    stage.hold(who, "plasticate_longbow")
    set_values(stage, target, armor=9)
    give_skills(stage, who, str=2, dex=2)
    stage.turn(who)
    stage.attack("plasticate_longbow", (5, 4), "0", who=who, on=target)
    (fact,) = (fact for fact in stage.facts if isinstance(fact.event, e.TrackChanged))
    assert (as_a(fact.event, e.TrackChanged).new, fact.to) == (5, audience)


@pytest.mark.rule("SS-ATK-09")
@pytest.mark.parametrize(("dice", "is_out"), [((5, 5), True), ((6, 5), False)])
def test_the_attacker_is_told_whether_the_target_is_out(dice: tuple[int, int], is_out: bool) -> None:
    stage = duel("electric_baton", foe={"str": 1})
    set_values(stage, BO, resistance=8)
    stage.edit(BO, sheet={**stage[BO].sheet, "attributes": {"str": 1, "dex": 0, "int": 0, "prs": 0}})
    stage.set_track(BO, damage=8)
    stage.attack("electric_baton", (4, 4), dice)
    assert stage.damage(BO) == 12
    assert ("Bo is out of the fight." in stage.said()) == is_out
    assert stage.has(BO, "unconscious") == is_out


@pytest.mark.rule("SS-ATK-12")
def test_the_sequence_of_an_attack() -> None:
    stage = duel("tungsten_staff")
    set_values(stage, BO, armor=9)
    stage.set_track(BO, damage=4)
    shot = stage.attack("tungsten_staff", (5, 5), "0", (2,), (5,), (6, 5))
    assert (shot.total, shot.against) == (12, 9)
    kinds = [type(fact.event).__name__ for fact in stage.facts]
    order = [k for k in kinds if k in ("Checked", "Earned", "TrackChanged")]
    assert order == ["Checked", "Earned", "TrackChanged", "Checked"]
    assert stage.damage(BO) == 9
    assert [check.what for check in stage.checks()] == ["attack", "consciousness"]


@pytest.mark.rule("SS-ATK-12")
def test_knock_out_before_maneuvers_where_the_table_says_so() -> None:
    stage = duel("plasticate_longbow", maneuver_order="after_knockout_check")
    set_values(stage, BO, armor=9)
    stage.set_track(BO, damage=4)
    stage.attack("plasticate_longbow", (5, 5), (6, 6), "0", (6, 6))
    changes = [(event.old, event.new) for event in stage.told(e.TrackChanged)]
    assert changes == [(4, 8), (8, 9)]
    assert len(stage.checks("consciousness")) == 2
