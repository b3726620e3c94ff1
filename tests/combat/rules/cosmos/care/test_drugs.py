"""Combat drugs: their effects on the numbers, their duration, and the aftermath."""

from __future__ import annotations

import pytest

from combat.rules.core.basics.dice.requests import ChoiceRequest
from combat.rules.core.basics.modifiers import Modifier, add_up
from combat.rules.core.state.state import replace
from combat.rules.cosmos.book.tables import drugs
from tests.combat.rules.cosmos.figures import CosmosStage, lone, words
from tests.combat.rules.stage import Given

DAY = 86_400


def user(*doses: str, hp: int = 96, **options: object) -> tuple[CosmosStage, str, str]:
    """Ada on her turn with the doses, and Bo 1 m away."""
    stage = CosmosStage(**options)
    ada, bo = stage.hero(weapons=("pistol", "club"), gear=list(doses)), stage.foe(at=(1, 0))
    stage.draw_all(ada)
    stage.begin()
    stage.set_track(ada, hp=hp)
    return stage, ada, bo


def take(stage: CosmosStage, who: str, drug: str, dice: Given = (), **fields: str) -> None:
    stage.turn(who)
    stage.do("drug", who, item=stage.item(who, drug).id, dice=dice, **fields)


def total(stage: CosmosStage, who: str, target: str, entry: str) -> int:
    """The attack total with dice 5 and 6, without the weapon's own bonus."""
    weapon = stage.item(who, entry)
    terms = stage.preview("attack", who, target=target, weapon=weapon.id).modifiers
    return 11 + add_up(terms) - int(weapon.data["equipment"])


# ---------------------------------------------------------------- effects


@pytest.mark.rule("COS-DRUG-01")
def test_adrenaline_raises_the_score_from_the_next_round() -> None:
    stage, ada, bo = user("adrenaline")
    for who, score in ((ada, 12), (bo, 13)):
        stage.edit(who, initiative=score)
    stage.begin(bo, ada, active=ada)
    stage.edit(bo, acted=True)
    take(stage, ada, "adrenaline")
    assert (stage[ada].initiative, stage.state.order) == (12, (bo, ada))
    stage.do("next_turn")
    assert (stage[ada].initiative, stage.state.order) == (14, (ada, bo))


@pytest.mark.rule("COS-DRUG-01")
def test_adrenaline_counts_once_when_initiative_is_rolled() -> None:
    stage, ada = lone()
    stage.do("give_drug", target=ada, drug="adrenaline")
    stage.do("start", dice=[7])
    assert stage[ada].initiative == 14
    stage.do("next_turn")
    assert stage[ada].initiative == 14


@pytest.mark.rule("COS-DRUG-01")
def test_the_score_falls_when_adrenaline_wears_off() -> None:
    stage, ada, _ = user("adrenaline", drug_crash=False)
    stage.edit(ada, initiative=12)
    take(stage, ada, "adrenaline")
    stage.begin(ada)
    stage.do("next_turn")
    assert stage[ada].initiative == 14
    stage.wait(600)
    stage.do("next_turn")
    stage.do("next_turn")
    assert (stage[ada].initiative, stage.has(ada, "drug")) == (12, False)


ADRENALINE, SUPPRESSOR = ("adrenaline",), ("pain_suppressor",)


@pytest.mark.rule("COS-DRUG-02", "COS-DRUG-03")
@pytest.mark.parametrize(
    ("doses", "hp", "before", "after"),
    [
        (ADRENALINE, 60, 18, 19),
        (ADRENALINE, 40, 17, 17),
        (ADRENALINE, 10, 16, 16),
        (SUPPRESSOR, 96, 19, 19),
        (SUPPRESSOR, 60, 18, 19),
        (SUPPRESSOR, 40, 17, 18),
        (SUPPRESSOR, 10, 16, 17),
        (ADRENALINE + SUPPRESSOR, 60, 18, 19),
        (ADRENALINE + SUPPRESSOR, 40, 17, 18),
        (ADRENALINE + SUPPRESSOR, 10, 16, 17),
    ],
)
def test_adrenaline_cancels_wounded_and_suppressors_ease_a_state(
    doses: tuple[str, ...], hp: int, before: int, after: int
) -> None:
    """RULING R41: together they do not cancel Injured."""
    stage, ada, bo = user(*doses, hp=hp)
    assert total(stage, ada, bo, "pistol") == before
    for dose in doses:
        take(stage, ada, dose)
    assert total(stage, ada, bo, "pistol") == after


@pytest.mark.rule("COS-DRUG-03")
def test_a_suppressor_says_so_in_the_sum_and_changes_no_movement() -> None:
    stage, ada, bo = user("pain_suppressor", hp=40)
    take(stage, ada, "pain_suppressor")
    terms = stage.preview("attack", ada, target=bo, weapon=stage.weapon(ada, "pistol")).modifiers
    assert Modifier("health.injured", -2, "COS-STATE-11") in terms
    assert Modifier("Pain suppressor", 1, "COS-DRUG-03") in terms
    assert stage.derived(ada, "Speed").value == 9


@pytest.mark.rule("COS-DRUG-05")
def test_a_strength_boost_raises_melee_and_not_hit_points() -> None:
    stage, ada, bo = user("strength_boost")
    assert total(stage, ada, bo, "club") == 18
    take(stage, ada, "strength_boost")
    assert total(stage, ada, bo, "club") == 20
    assert stage[ada].marks["max_hp"] == 96
    stage.do("adjust", target=ada, track="hp", to=-5)
    assert not stage.has(ada, "dead")
    stage.do("adjust", target=ada, track="hp", to=-6)  # the limit stays at minus 5
    assert stage.has(ada, "dead")


def test_other_drugs_do_what_their_record_says() -> None:
    stage, ada, bo = user("combat_enhancer", "berserker", "antitoxin")
    take(stage, ada, "combat_enhancer")
    assert total(stage, ada, bo, "pistol") == 20
    social = stage.preview("skill", ada, attribute="PRE", skill="Social", tn=14).modifiers
    assert add_up(social) == 5 - 2
    take(stage, ada, "berserker")
    assert stage.derived(ada, "Defense").value == 16
    stage.turn(ada)
    stage.do("attack", ada, target=bo, weapon=stage.weapon(ada, "pistol"), dice=[(9, 9), (5,)])
    assert stage.hp(bo) == 96 - 7
    take(stage, ada, "antitoxin", dice=())
    stage.do("expose", target=ada, hazard="toxic", level="severe", dice=[(4, 5)])
    assert stage.check("Might save").total == 17


def test_every_drug_of_the_catalogue_can_be_taken() -> None:
    for drug in drugs():
        stage, ada, _ = user(drug)
        take(stage, ada, drug)
        assert stage.has(ada, "drug")


# ---------------------------------------------------------------- taking and giving


@pytest.mark.rule("COS-DRUG-01")
def test_dose_takes_a_move_action_and_the_log_tells_its_effect() -> None:
    stage, ada, _ = user("adrenaline")
    take(stage, ada, "adrenaline")
    assert stage[ada].budget == {"standard": 1, "move": 0, "quick": 3}
    assert not any(item.kind == "drug" for item in stage[ada].items)
    assert stage.obstacle("drug", ada)
    assert stage.log()[-2:] == [
        "Ada takes Adrenaline.",
        "Ada is on Adrenaline for 10 minutes: Initiative +2 and no penalty for Wounded.",
    ]
    stage.do("pass_time", minutes=10)
    assert "Ada is no longer on Adrenaline." in stage.log()


def test_a_willing_neighbour_can_be_given_one() -> None:
    stage, ada, bo = user("adrenaline", "reflex_enhancer")
    stage.state = replace(stage.state, phase="prep")
    cy = stage.hero("Cy", at=(0, 1))
    stage.begin(ada, bo, cy)
    take(stage, ada, "adrenaline", target=cy)
    assert (stage.has(cy, "drug"), stage.has(ada, "drug")) == (True, False)
    item = stage.item(ada, "reflex_enhancer").id
    stage.turn(ada)
    assert stage.refused("drug", ada, item=item, target=bo).code == "bad_target"
    stage.place(cy, 0, 3)
    assert stage.refused("drug", ada, item=item, target=cy).code == "out_of_range"


def test_an_enemy_takes_no_drug_unless_they_cannot_refuse() -> None:
    stage, ada, bo = user("antitoxin")
    dose = stage.item(ada, "antitoxin").id
    assert stage.refused("drug", ada, item=dose, target=bo).message == "Bo does not want the drug."
    stage.give(bo, "unconscious")
    stage.do("drug", ada, item=dose, target=bo)
    assert stage.has(bo, "drug")


def test_only_drugs_are_taken() -> None:
    stage, ada, _ = user("adrenaline")
    assert stage.refused("drug", ada, item=stage.weapon(ada, "pistol")).code == "bad_value"
    assert stage.refused("give_drug", target=ada, drug="tea").code == "unknown"


def test_the_same_drug_does_not_stack() -> None:
    stage, ada, _ = user("reflex_enhancer", "reflex_enhancer")
    take(stage, ada, "reflex_enhancer")
    stage.wait(300)
    take(stage, ada, "reflex_enhancer", dice=("works",))
    assert stage.derived(ada, "Defense").value == 19
    assert [c.marks["ends_at"] for c in stage[ada].conditions if c.kind == "drug"] == [900]


# ---------------------------------------------------------------- afterwards


@pytest.mark.rule("COS-DRUG-07")
def test_after_ten_minutes_comes_the_crash_for_an_hour() -> None:
    stage, ada, _ = user("reflex_enhancer")
    take(stage, ada, "reflex_enhancer")
    stage.do("pass_time", minutes=9)
    assert (stage.has(ada, "drug"), stage.has(ada, "fatigued")) == (True, False)
    stage.do("pass_time", minutes=1)
    assert (stage.has(ada, "drug"), stage.has(ada, "fatigued")) == (False, True)
    assert "COS-DRUG-07" in stage.rules()
    stage.do("pass_time", minutes=59)
    assert stage.has(ada, "fatigued")
    stage.do("pass_time", minutes=1)
    assert not stage.has(ada, "fatigued")


@pytest.mark.rule("COS-DRUG-07")
def test_in_rounds_a_drug_ends_with_the_round_its_time_is_over() -> None:
    stage, ada, _ = user("reflex_enhancer")
    take(stage, ada, "reflex_enhancer")
    stage.begin(ada)
    stage.wait(594)
    stage.do("next_turn")
    assert (stage.has(ada, "drug"), stage.has(ada, "fatigued")) == (False, True)


@pytest.mark.rule("COS-DRUG-07")
def test_a_crash_does_not_shorten_a_longer_fatigue() -> None:
    stage, ada, _ = user("reflex_enhancer")
    stage.give(ada, "fatigued")
    take(stage, ada, "reflex_enhancer")
    stage.do("pass_time", hours=3)
    assert stage.has(ada, "fatigued")


@pytest.mark.rule("COS-DRUG-07")
def test_a_second_crash_begins_the_hour_again() -> None:
    stage, ada, _ = user("reflex_enhancer", "adrenaline")
    take(stage, ada, "reflex_enhancer")
    stage.do("pass_time", minutes=5)
    take(stage, ada, "adrenaline")
    stage.do("pass_time", minutes=69)
    assert stage.has(ada, "fatigued")
    stage.do("pass_time", minutes=6)
    assert not stage.has(ada, "fatigued")


def test_a_table_may_play_without_the_crash() -> None:
    stage, ada, _ = user("reflex_enhancer", drug_crash=False)
    take(stage, ada, "reflex_enhancer")
    stage.do("pass_time", minutes=10)
    assert (stage.has(ada, "drug"), stage.has(ada, "fatigued")) == (False, False)


@pytest.mark.rule("COS-DRUG-08")
@pytest.mark.parametrize(("answer", "works"), [("works", True), ("void", False)])
def test_a_second_dose_in_a_day_is_flagged(answer: str, works: bool) -> None:
    stage, ada, _ = user("reflex_enhancer", "reflex_enhancer")
    take(stage, ada, "reflex_enhancer")
    stage.do("pass_time", hours=2)
    take(stage, ada, "reflex_enhancer", dice=(answer,))
    (asked,) = stage.asked
    assert isinstance(asked, ChoiceRequest)
    assert (asked.who, asked.rule, asked.question.startswith("Tolerance")) == ("gm", "COS-DRUG-08", True)
    assert stage.has(ada, "drug") is works


@pytest.mark.rule("COS-DRUG-08")
@pytest.mark.parametrize("days", [1, 2])
def test_after_a_day_or_with_another_drug_there_is_no_tolerance(days: int) -> None:
    stage, ada, _ = user("reflex_enhancer", "reflex_enhancer", "adrenaline")
    take(stage, ada, "reflex_enhancer")
    take(stage, ada, "adrenaline")
    assert not stage.asked
    stage.wait(days * DAY)
    take(stage, ada, "reflex_enhancer")
    assert not stage.asked


@pytest.mark.rule("COS-DRUG-05")
def test_a_strength_boost_is_a_term_of_its_own_in_every_sum() -> None:
    stage, ada, bo = user("strength_boost")
    take(stage, ada, "strength_boost")
    stage.turn(ada)
    club = stage.weapon(ada, "club")
    for name, fields in (("attack", {"weapon": club}), ("grapple", {}), ("trip", {"using": "MIG"})):
        terms = stage.preview(name, ada, target=bo, **fields).modifiers
        assert terms[:2] == (terms[0], Modifier("Strength boost", 2, "COS-DRUG-05")), name
        assert (words(terms[0].label), terms[0].value) == ("Might", 5)
    shown = stage.preview("skill", ada, attribute="MIG", skill="Athletics").modifiers
    assert [(words(term.label), term.value) for term in shown[:2]] == [("Might", 5), ("Strength boost", 2)]


@pytest.mark.rule("COS-DRUG-05")
def test_a_strength_boost_lasts_for_the_scene() -> None:
    stage, ada, bo = user("strength_boost", drug_crash=False)
    take(stage, ada, "strength_boost")
    stage.do("end_fight")
    stage.do("pass_time", minutes=9)
    assert total(stage, ada, bo, "club") == 20
    stage.do("pass_time", minutes=1)
    assert total(stage, ada, bo, "club") == 18


@pytest.mark.rule("COS-DRUG-06")
@pytest.mark.parametrize(("dice", "addicted"), [((4, 5), True), ((5, 5), False)])
def test_the_third_dose_in_a_day_may_addict(dice: tuple[int, int], addicted: bool) -> None:
    stage, ada, bo = user("adrenaline", "reflex_enhancer", "strength_boost", drug_addiction=True)
    take(stage, ada, "adrenaline")
    take(stage, ada, "reflex_enhancer")
    take(stage, ada, "strength_boost", dice=(dice,))
    save = stage.check("Resolve save")
    assert (save.total, save.against) == (4 + sum(dice), 14)
    assert stage.has(ada, "addicted") is addicted
    stage.edit(ada, conditions=tuple(c for c in stage[ada].conditions if c.kind == "addicted"))
    assert total(stage, ada, bo, "pistol") == 19
    stage.wait(DAY)  # clean for a day
    assert total(stage, ada, bo, "pistol") == (18 if addicted else 19)


@pytest.mark.rule("COS-DRUG-06")
def test_an_addict_with_a_dose_in_them_suffers_nothing_for_a_day() -> None:
    stage, ada, bo = user("antitoxin", drug_addiction=True)
    stage.give(ada, "addicted")
    stage.wait(2 * DAY)
    assert total(stage, ada, bo, "pistol") == 18
    take(stage, ada, "antitoxin")
    assert total(stage, ada, bo, "pistol") == 19
    stage.wait(DAY - 1)
    assert total(stage, ada, bo, "pistol") == 19
    stage.wait(1)
    assert total(stage, ada, bo, "pistol") == 18


@pytest.mark.rule("COS-DRUG-06")
def test_without_the_option_nobody_is_addicted() -> None:
    stage, ada, _ = user("adrenaline", "reflex_enhancer", "strength_boost")
    for drug in ("adrenaline", "reflex_enhancer", "strength_boost"):
        take(stage, ada, drug)
    assert not stage.checks()
