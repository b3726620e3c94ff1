"""Critical hits: when they happen, each of the five effects chosen and rolled, confirmation, fumbles."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.basics.dice.requests import ChoiceRequest, RollRequest
from combat.rules.core.state import events as e
from tests.combat.rules.cosmos.figures import CosmosStage, words
from tests.combat.rules.cosmos.shots import duel, shoot
from tests.typed import as_a

TENS, ONES = (10, 10), (1, 1)
ROLLED = (4, 2)  # 2d6+3 shows 9, at most 15


def crit(*dice: Any, options: dict[str, Any] | None = None, **bo: Any) -> tuple[CosmosStage, str, str]:
    """Ada's critical hit with a weapon of 2d6+3 on Bo in medium armor (4); the dice after the tens."""
    stage, ada, bo_id = duel(options=options, **{"armor": "medium", **bo})
    stage.change(ada, "pistol", damage="2d6+3")
    shoot(stage, ada, bo_id, TENS, *dice)
    return stage, ada, bo_id


# ---------------------------------------------------------------- when


@pytest.mark.rule("COS-CRIT-01")
def test_two_tens_hit_what_no_total_could_reach() -> None:
    stage, ada, bo = duel()
    stage.give(ada, "blinded")
    stage.give(bo, "total_defense")
    shoot(stage, ada, bo, TENS, "maximum", cover="heavy", concealment="heavy", adjust=-20)
    shot = stage.check("attack")
    assert shot.total < (shot.against or 0)
    assert shot.outcome == "outcome.critical"


@pytest.mark.rule("COS-CRIT-01")
def test_the_chance_of_a_critical_is_1_in_100() -> None:
    stage, ada, bo = duel()
    odds = stage.odds("attack", ada, target=bo, weapon=stage.weapon(ada, "pistol"))
    chances = {m.label: m.chance for m in odds.measures}
    assert chances["attack: critical (Bo)"] == pytest.approx(0.01)


# ---------------------------------------------------------------- chosen or rolled


@pytest.mark.rule("COS-CRIT-02")
def test_the_attacker_chooses_among_five() -> None:
    stage, ada, _ = crit("bypass_armor", ROLLED)
    question = stage.asked[1]
    assert isinstance(question, ChoiceRequest)
    assert (question.who, question.rule, question.default) == (ada, "COS-CRIT-02", "maximum")
    assert [option.value for option in question.options] == [
        "maximum",
        "bypass_armor",
        "condition",
        "equipment",
        "injury",
    ]


@pytest.mark.rule("COS-CRIT-02")
@pytest.mark.parametrize(
    ("die", "more", "lost"),
    [
        (1, (), 11),
        (2, (), 11),
        (3, (ROLLED,), 9),
        (4, (ROLLED,), 9),
        (5, (ROLLED, "bleeding"), 5),
        (6, (ROLLED, "stunned"), 5),
        (7, (ROLLED, "f2-3"), 5),
        (8, (ROLLED, "f2-1"), 5),
        (9, (ROLLED, "arm"), 5),
        (10, (ROLLED, "leg"), 5),
    ],
)
def test_the_effect_rolled_on_a_d10(die: int, more: tuple[Any, ...], lost: int) -> None:
    stage, _, bo = crit(die, *more, options={"critical_effect": "roll"})
    assert isinstance(stage.asked[1], RollRequest)
    assert stage.hp(bo) == 96 - lost


def test_effect_that_is_not_among_the_five_is_refused_unchanged() -> None:
    stage, ada, bo = duel()
    weapon = stage.weapon(ada, "pistol")
    refused = stage.refused("attack", ada, target=bo, weapon=weapon, dice=[TENS, "death"])
    assert refused.code == "bad_value"
    assert stage.item(ada, "pistol").loaded == 15


# ---------------------------------------------------------------- the five effects


@pytest.mark.rule("COS-CRIT-03")
def test_maximum_concerns_the_dice_and_the_rest_is_added() -> None:
    stage = CosmosStage()
    ada, bo = stage.hero(weapons=("sword",)), stage.foe(at=(1, 0))
    stage.begin()
    shoot(stage, ada, bo, TENS, "maximum")
    assert stage.hp(bo) == 96 - (8 + 5)


@pytest.mark.rule("COS-CRIT-04")
def test_natural_armor_is_bypassed_as_well_but_no_energy_shield() -> None:
    stage, _, bo = crit("bypass_armor", ROLLED, armor="none", natural_armor=2)
    assert stage.hp(bo) == 96 - 9
    stage, ada, bo = duel("laser_pistol", armor="medium", shield="energy_shield")
    shoot(stage, ada, bo, TENS, "bypass_armor", (4, 5))
    assert stage.hp(bo) == 96 - 5


@pytest.mark.rule("COS-CRIT-05")
def test_a_kinetic_critical_makes_bleed() -> None:
    stage, _, bo = crit("condition", ROLLED, "bleeding")
    assert stage.hp(bo) == 96 - 5
    (held,) = stage[bo].conditions
    assert (held.kind, held.level) == ("bleeding", 1)
    question = stage.asked[-1]
    assert isinstance(question, ChoiceRequest)
    assert question.default == "bleeding"


@pytest.mark.rule("COS-CRIT-05")
def test_an_energy_critical_stuns_unless_the_attacker_swaps() -> None:
    for chosen in ("stunned", "bleeding"):
        stage, ada, bo = duel("laser_pistol")
        shoot(stage, ada, bo, TENS, "condition", (1, 2), chosen)
        question = stage.asked[-1]
        assert isinstance(question, ChoiceRequest)
        assert question.default == "stunned"
        assert stage.has(bo, chosen)


@pytest.mark.rule("COS-CRIT-05")
def test_the_bloodless_cannot_be_made_to_bleed() -> None:
    stage, ada, bo = duel(immune=("bleeding",))
    weapon = stage.weapon(ada, "pistol")
    refused = stage.refused(
        "attack", ada, target=bo, weapon=weapon, dice=[TENS, "condition", (1, 2), "bleeding"]
    )
    assert (refused.code, refused.message) == ("not_allowed", "Bo is immune.")
    shoot(stage, ada, bo, TENS, "condition", (1, 2), "stunned")
    question = stage.asked[-1]
    assert isinstance(question, ChoiceRequest)
    assert question.default == "stunned"


@pytest.mark.rule("COS-CRIT-05")
def test_one_who_cannot_bleed_or_be_stunned_takes_only_damage() -> None:
    stage, ada, bo = duel(immune=("bleeding", "stunned"))
    shoot(stage, ada, bo, TENS, "condition", (1, 2))
    assert stage.hp(bo) == 93
    assert stage[bo].conditions == ()
    assert stage.told(e.Said)[-1].key == "log.immune"


@pytest.mark.rule("COS-CRIT-06")
def test_damaged_armor_protects_by_one_less_from_the_next_hit_on() -> None:
    stage, ada, bo = crit("equipment", ROLLED, "f2-3")
    assert stage.hp(bo) == 96 - 5
    assert stage.derived(bo, "Armor").value == 3
    shoot(stage, ada, bo, (9, 9), ROLLED)
    assert stage.hp(bo) == 96 - 5 - 6


@pytest.mark.rule("COS-CRIT-06")
def test_damage_adds_up_until_nothing_is_left_to_break() -> None:
    stage, ada, bo = duel(armor="light", weapons=("knife",))
    for _ in range(2):
        shoot(stage, ada, bo, TENS, "equipment", (1, 2), stage.item(bo, "light").id)
    assert stage.derived(bo, "Armor").value == 0
    shoot(stage, ada, bo, TENS, "equipment", (1, 2))
    assert stage.told(e.Said)[-1].key == "log.nothing_breaks"


@pytest.mark.rule("COS-CRIT-06")
def test_armor_worn_down_and_damaged_loses_both() -> None:
    stage, _, bo = crit("equipment", ROLLED, "f2-3", options={"armor_degradation": True})
    stage.mark(bo, "medium", taken=40)
    assert stage.derived(bo, "Armor").value == 1


@pytest.mark.rule("COS-CRIT-06")
def test_reliable_weapons_lose_nothing() -> None:
    stage, ada, bo = duel(weapons=("revolver",))
    shoot(stage, ada, bo, TENS, "equipment", (1, 2))
    assert stage.told(e.Said)[-1].key == "log.nothing_breaks"


@pytest.mark.rule("COS-CRIT-07")
def test_the_gm_picks_an_injury_that_hinders_physical_actions() -> None:
    stage, ada, bo = crit("injury", ROLLED, "arm", skills={"Medicine": 4})
    assert stage.asked[-1].who == "gm"
    assert stage.hp(bo) == 96 - 5
    (held,) = stage[bo].conditions
    assert (held.kind, words(held.label), held.ends, held.until) == ("injury", "Injured arm", "", None)
    shoot(stage, bo, ada, (2, 2))
    assert stage.check("attack").total == 4 + 6 + 2 + 1 - 2
    stage.turn(bo)
    stage.do("skill", bo, attribute="INT", skill="Medicine", tn=14, dice=[(4, 4)])
    assert stage.check("Medicine").total == 14


@pytest.mark.rule("COS-CRIT-07")
def test_a_second_injury_costs_no_second_penalty() -> None:
    stage, ada, bo = crit("injury", ROLLED, "arm")
    shoot(stage, ada, bo, TENS, "injury", ROLLED, "leg")
    assert [words(held.label) for held in stage[bo].conditions] == ["Injured arm", "Injured leg"]
    shoot(stage, bo, ada, (2, 2))
    assert stage.check("attack").total == 4 + 6 + 2 + 1 - 2


@pytest.mark.rule("COS-DEATH-12")
def test_a_severe_injury_may_be_death_but_only_if_the_gm_says_so() -> None:
    stage, _, bo = crit("injury", ROLLED, "dead")
    assert stage.has(bo, "dead")
    assert stage.hp(bo) == 91
    stage, _, bo = crit("injury", ROLLED, "head")
    assert not stage.has(bo, "dead")


def test_a_target_killed_by_the_damage_suffers_no_further_effect() -> None:
    stage, ada, bo = duel(armor="medium")
    stage.set_track(bo, hp=1)
    shoot(stage, ada, bo, TENS, "condition", (6, 6))
    assert stage.has(bo, "dead")
    assert not stage.has(bo, "bleeding")


def test_second_attack_follows_a_critical_on_the_first() -> None:
    stage, ada, bo = duel()
    shoot(stage, ada, bo, TENS, "maximum", (2, 2), attacks=2)
    assert [shot.outcome for shot in stage.checks("attack")] == ["outcome.critical", "outcome.miss"]


def test_the_brittle_take_more_from_criticals_and_only_from_them() -> None:
    stage, ada, bo = duel(abilities={"extra_damage_from_criticals": 2})
    shoot(stage, ada, bo, TENS, "maximum")
    assert stage.hp(bo) == 96 - 12 - 2
    shoot(stage, ada, bo, (9, 9), (1, 2))
    assert stage.hp(bo) == 96 - 12 - 2 - 3


# ---------------------------------------------------------------- confirming


@pytest.mark.rule("COS-CRIT-08", "COS-CRIT-01")
def test_two_tens_are_a_critical_hit_but_a_total_of_20_is_not() -> None:
    stage, *_ = crit("maximum")
    assert not stage.checks("check.confirm")
    assert stage.check("attack").outcome == "outcome.critical"
    stage, ada, bo = duel()
    shoot(stage, ada, bo, (9, 9), (1, 1), adjust=-7)
    shot = stage.check("attack")
    assert (shot.roll.natural, shot.total, shot.outcome) == (18, 20, "outcome.hit")
    shoot(stage, ada, bo, (9, 10), (1, 1))
    shot = stage.check("attack")
    assert (shot.roll.natural, shot.outcome) == (19, "outcome.hit")


@pytest.mark.rule("COS-CRIT-09", "COS-CRIT-10")
def test_a_confirmed_critical_has_its_full_effect() -> None:
    stage, _, bo = crit((5, 5), "bypass_armor", ROLLED, options={"confirm_criticals": True})
    first, second = stage.check("attack"), stage.check("check.confirm")
    assert second.modifiers == first.modifiers
    assert (second.total, second.against, second.outcome) == (19, 17, "outcome.confirmed")
    assert stage.asked[1].rule == "COS-CRIT-09"
    assert "COS-CRIT-10" in stage.rules()
    assert stage.hp(bo) == 96 - 9


@pytest.mark.rule("COS-CRIT-09")
def test_two_tens_again_confirm_and_two_ones_do_not() -> None:
    stage, _, bo = crit(TENS, "maximum", options={"confirm_criticals": True})
    assert stage.check("check.confirm").good
    assert stage.hp(bo) == 96 - 11
    stage, *_ = crit(ONES, options={"confirm_criticals": True})
    assert not stage.check("check.confirm").good


@pytest.mark.rule("COS-CRIT-02", "COS-CRIT-10")
def test_confirmed_effects_are_rolled_where_the_table_rolls_them() -> None:
    options = {"confirm_criticals": True, "critical_effect": "roll"}
    stage, _, bo = crit((9, 9), 3, ROLLED, options=options)
    assert stage.hp(bo) == 96 - 9


# ---------------------------------------------------------------- two ones


def fumble(chosen: str = "", weapon: str = "pistol", **options: Any) -> tuple[CosmosStage, str, str]:
    """Ada's attack shows two ones, and the GM picks."""
    stage, ada, bo = duel(weapon, {"fumbles": True, **options})
    shoot(stage, ada, bo, ONES, *([chosen] if chosen else []))
    return stage, ada, bo


def test_two_ones_miss_even_the_helpless_and_nothing_more() -> None:
    stage, ada, bo = duel()
    stage.give(bo, "unconscious")
    shoot(stage, ada, bo, ONES)
    assert stage.check("attack").outcome == "outcome.miss"
    assert stage[ada].conditions == ()
    assert stage.item(ada, "pistol").place == "held"


def test_a_fumble_may_drop_the_weapon_with_the_round_spent() -> None:
    stage, ada, _ = fumble("drop")
    (fallen,) = stage.state.ground
    assert (fallen.name, fallen.loaded) == ("Pistol", 14)
    assert all(item.data.get("id") != "pistol" for item in stage[ada].items)


def test_a_fumble_drops_the_weapon_that_fumbled() -> None:
    stage = CosmosStage(fumbles=True)
    ada, bo = stage.hero(weapons=("pistol", "revolver")), stage.foe()
    stage.draw_all(ada)
    stage.begin()
    stage.do("attack", ada, target=bo, weapon=stage.weapon(ada, "revolver"), dice=[ONES, "drop"])
    assert [item.name for item in stage.state.ground] == ["Revolver"]


def test_fumble_may_jam_the_weapon_until_a_move_action_clears_it() -> None:
    stage, ada, bo = fumble("jam")
    weapon = stage.weapon(ada, "pistol")
    stage.turn(ada)
    refused = stage.refused("attack", ada, target=bo, weapon=weapon)
    assert refused.message == "Pistol has jammed: clear it with a Move Action."
    stage.do("reload", ada, item=weapon)
    assert stage[ada].budget["move"] == 0
    assert (stage.item(ada, "pistol").loaded, stage.item(ada, "pistol").spares) == (14, 2)
    stage.do("attack", ada, target=bo, weapon=weapon, dice=[(2, 2)])


def test_a_fumble_may_bring_the_attacker_down() -> None:
    stage, ada, _ = fumble("prone")
    assert stage.has(ada, "prone")


def test_a_fumble_may_open_the_attacker_to_the_next_attack_alone() -> None:
    stage, ada, bo = fumble("open")
    shoot(stage, bo, ada, (2, 2))
    assert stage.check("attack").against == 16
    shoot(stage, bo, ada, (2, 2))
    assert stage.check("attack").against == 18


def test_an_opening_nobody_uses_closes_with_the_next_turn() -> None:
    stage, ada, _ = fumble("open")
    stage.do("next_turn")
    assert stage.has(ada, "off_guard")
    stage.do("next_turn")
    assert not stage.has(ada, "off_guard")


@pytest.mark.parametrize(
    ("weapon", "choices"),
    [
        ("pistol", ["drop", "jam", "prone", "open", "nothing"]),
        ("revolver", ["drop", "prone", "open", "nothing"]),
        ("knife", ["drop", "prone", "open", "nothing"]),
        ("unarmed", ["prone", "open", "nothing"]),
    ],
)
def test_the_gm_is_offered_what_can_go_wrong_with_the_weapon(weapon: str, choices: list[str]) -> None:
    stage, *_ = fumble("nothing", weapon)
    question = stage.asked[-1]
    assert isinstance(question, ChoiceRequest)
    assert (question.who, [option.value for option in question.options]) == ("gm", choices)


def test_a_thrown_weapon_is_gone_and_cannot_be_dropped() -> None:
    stage, _, _ = fumble("nothing", "throwing_knife")
    assert "drop" not in [option.value for option in as_a(stage.asked[-1], ChoiceRequest).options]
