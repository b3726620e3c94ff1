"""Hit Points and health states: the limits, each state's cost, fainting, dying, the GM's changes."""

from __future__ import annotations

import pytest

from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.state import events as e
from combat.rules.cosmos.dice import initiative_terms
from tests.combat.rules.cosmos.figures import CosmosStage, alone, pair, sheet, words


def state_at(hp: int, **attributes: int) -> str:
    """The word for a combatant with this many Hit Points."""
    stage, ada = alone(hp, attributes=attributes)
    return words(stage.system.characters.health(stage[ada]).word)


def shoot(stage: CosmosStage, actor: str, target: str, damage: int) -> None:
    """Hit with a shot that costs an unarmored target exactly this many Hit Points."""
    stage.turn(actor)
    weapon = stage.change(actor, "pistol", damage=f"1d4+{damage - 4}")
    stage.do("attack", actor, target=target, weapon=weapon, dice=[(9, 9), 4])


# ---------------------------------------------------------------- maximum Hit Points


@pytest.mark.rule("COS-HP-01")
@pytest.mark.parametrize(("might", "resolve", "most"), [(5, 4, 96), (1, 1, 52), (8, 8, 136)])
def test_maximum_is_40_and_8_might_and_4_resolve(might: int, resolve: int, most: int) -> None:
    stage, ada = alone(attributes={"MIG": might, "RES": resolve})
    assert stage.hp(ada) == most
    assert stage.system.characters.health(stage[ada]).most == most


@pytest.mark.rule("COS-HP-01")
def test_the_gm_heals_up_to_the_maximum_and_sets_any_number() -> None:
    stage, ada = alone(90)
    stage.do("adjust", target=ada, track="hp", by=50)
    assert (stage.hp(ada), len(stage.told(e.TrackChanged))) == (96, 1)
    stage.do("adjust", target=ada, track="hp", to=120)
    assert (stage.hp(ada), stage.system.characters.health(stage[ada]).share) == (120, 1)
    stage.do("end_fight")
    stage.do("rest", kind="full", days=1)
    assert stage.hp(ada) == 120


def test_a_minion_is_healed_to_the_hp_it_joined_with() -> None:
    stage = CosmosStage(minion_hp=30)
    stage.add("Thug", "enemies", sheet=sheet(tier="Minion"))
    stage.do("adjust", target="f1", track="hp", by=-5)
    stage.do("set_option", key="minion_hp", value="off")
    stage.do("adjust", target="f1", track="hp", by=50)
    assert stage.hp("f1") == 30


@pytest.mark.parametrize(
    ("minion_hp", "tier", "most"),
    [("off", "Minion", 96), (30, "Minion", 30), (20, "Minion", 20), (30, "Standard", 96), (40, "Boss", 96)],
)
def test_the_minion_option_changes_minions_only(minion_hp: str | int, tier: str, most: int) -> None:
    stage, ada = alone(options={"minion_hp": minion_hp}, tier=tier)
    assert stage.hp(ada) == most


def test_a_minion_of_30_is_wounded_below_23() -> None:
    stage, ada = alone(23, options={"minion_hp": 30}, tier="Minion")
    assert words(stage.system.characters.health(stage[ada]).word) == "Healthy"
    stage.do("adjust", target=ada, track="hp", by=-1)
    assert words(stage.system.characters.health(stage[ada]).word) == "Wounded"


def test_minion_option_counts_from_the_next_combatant_that_joins() -> None:
    stage = CosmosStage()
    before = stage.foe(tier="Minion")
    stage.do("set_option", key="minion_hp", value="30")
    after = stage.foe("Cy", tier="Minion")
    assert (stage.hp(before), stage.hp(after)) == (96, 30)


# ---------------------------------------------------------------- the limits


@pytest.mark.rule("COS-STATE-01")
@pytest.mark.parametrize(
    ("hp", "word"),
    [
        pytest.param(72, "Healthy", marks=pytest.mark.rule("COS-STATE-02")),
        pytest.param(71, "Wounded", marks=pytest.mark.rule("COS-STATE-06")),
        pytest.param(48, "Wounded", marks=pytest.mark.rule("COS-STATE-06")),
        pytest.param(47, "Injured", marks=pytest.mark.rule("COS-STATE-10")),
        pytest.param(24, "Injured", marks=pytest.mark.rule("COS-STATE-10")),
        pytest.param(23, "Critical", marks=pytest.mark.rule("COS-STATE-14")),
        pytest.param(1, "Critical", marks=pytest.mark.rule("COS-STATE-14")),
        pytest.param(0, "Dying", marks=pytest.mark.rule("COS-STATE-19")),
        pytest.param(-3, "Dying", marks=pytest.mark.rule("COS-STATE-19")),
    ],
)
def test_state_of_96(hp: int, word: str) -> None:
    assert state_at(hp) == word


# ---------------------------------------------------------------- each state's cost


@pytest.mark.rule("COS-STATE-07", "COS-STATE-11", "COS-STATE-15")
@pytest.mark.parametrize(("hp", "penalty"), [(60, -1), (30, -2), (20, -3)])
def test_state_lowers_skills_but_not_saves_defense_or_initiative(hp: int, penalty: int) -> None:
    stage, ada = alone(hp, skills={"Medicine": 4})
    healthy, _ = alone(skills={"Medicine": 4})
    stage.do("skill", ada, attribute="INT", skill="Medicine", tn=14, dice=[(4, 4)])
    assert stage.check().total == 14 + penalty
    assert stage.derived(ada, "Defense").value == healthy.derived(ada, "Defense").value
    assert add_up(initiative_terms(stage[ada])) == 5


@pytest.mark.rule("COS-STATE-13", "COS-STATE-17")
@pytest.mark.parametrize(("hp", "meters"), [(96, 11), (60, 11), (47, 9), (24, 9), (23, 5)])
def test_a_state_slows(hp: int, meters: int) -> None:
    stage, ada = alone(hp)
    assert stage.derived(ada, "Speed").value == meters
    assert stage.refused("move", ada, to=f"{meters + 1},0").code == "out_of_range"
    stage.do("move", ada, to=f"{meters},0")


# ---------------------------------------------------------------- the save of the Critical state


@pytest.mark.rule("COS-STATE-18")
def test_second_wound_in_the_critical_state_takes_no_second_save() -> None:
    stage, ada, bo = pair()
    stage.set_track(bo, hp=20)
    stage.begin()
    shoot(stage, ada, bo, 5)
    assert stage.hp(bo) == 15
    assert not stage.checks("Might save")


@pytest.mark.rule("COS-STATE-18")
def test_falling_back_into_critical_takes_a_new_save() -> None:
    stage, ada = alone(30)
    stage.do("adjust", target=ada, track="hp", to=20, dice=[(5, 5)])
    stage.do("adjust", target=ada, track="hp", to=30)
    stage.do("adjust", target=ada, track="hp", to=23, dice=[(5, 5)])
    assert stage.check("Might save").good


@pytest.mark.rule("COS-STATE-18")
def test_save_counts_the_wound_penalty_only_by_option() -> None:
    stage, ada = alone(30)
    stage.do("adjust", target=ada, track="hp", to=20, dice=[(4, 5)])
    assert stage.check().total == 14
    stage, ada = alone(30, options={"saves_take_penalties": True})
    stage.do("adjust", target=ada, track="hp", to=20, dice=[(4, 5)])
    assert stage.check().total == 11
    assert stage.has(ada, "unconscious")


@pytest.mark.rule("COS-STATE-18")
def test_two_tens_keep_anyone_awake_and_two_ones_fell_anyone() -> None:
    stage, ada = alone(25, attributes={"MIG": 1, "RES": 8})
    stage.do("adjust", target=ada, track="hp", to=10, dice=[(10, 10)])
    assert not stage.has(ada, "unconscious")
    stage, ada = alone(40, attributes={"MIG": 10, "RES": 4})
    stage.do("adjust", target=ada, track="hp", to=10, dice=[(1, 1)])
    assert stage.has(ada, "unconscious")


@pytest.mark.rule("COS-STATE-18")
def test_the_fainted_wake_at_a_quarter_of_their_hit_points() -> None:
    stage, ada = alone(30)
    stage.do("adjust", target=ada, track="hp", to=20, dice=[(1, 2)])
    stage.do("adjust", target=ada, track="hp", to=23)
    assert stage.has(ada, "unconscious")
    stage.do("adjust", target=ada, track="hp", to=24)
    assert (stage.has(ada, "unconscious"), stage.rules()) == (False, {"COS-STATE-18"})


@pytest.mark.rule("COS-STATE-18")
def test_the_fainted_do_not_wake_of_a_few_hit_points() -> None:
    stage, ada = alone(30)
    stage.do("adjust", target=ada, track="hp", to=1, dice=[(1, 2)])
    stage.do("adjust", target=ada, track="hp", to=5)
    assert stage.has(ada, "unconscious")


def next_in_turn(hp: int, **options: str) -> CosmosStage:
    """Ada's turn, that of Bo with this many Hit Points comes next."""
    stage = CosmosStage(**options)
    stage.hero()
    stage.set_track(stage.foe(), hp=hp)
    return stage.begin()


@pytest.mark.rule("COS-STATE-18")
def test_every_turn_option_asks_again_at_each_turn_start() -> None:
    stage = next_in_turn(20, critical_save="every_turn")
    stage.do("next_turn", dice=[(4, 5)])
    assert stage.state.active == "f2"
    stage.do("next_turn")
    stage.do("next_turn", dice=[(4, 4)])
    assert stage.has("f2", "unconscious")


def test_every_turn_option_off_asks_nothing_at_the_turn_start() -> None:
    stage = next_in_turn(20)
    stage.do("next_turn")
    assert stage.state.active == "f2"


@pytest.mark.rule("COS-STATE-18")
def test_bleeding_into_critical_at_the_turn_start_takes_one_save() -> None:
    stage = next_in_turn(24, critical_save="every_turn")
    stage.give("f2", "bleeding")
    stage.do("next_turn", dice=[(5, 5)])
    assert len(stage.checks("Might save")) == 1


# ---------------------------------------------------------------- dying


@pytest.mark.rule("COS-STATE-20")
def test_dropping_takes_no_save_of_the_critical_state_on_the_way() -> None:
    stage, ada = alone(60)
    stage.do("adjust", target=ada, track="hp", to=-2)
    assert not stage.checks()


@pytest.mark.rule("COS-STATE-21")
def test_lethal_dying_option_makes_a_failed_save_fatal() -> None:
    stage = CosmosStage(lethal_dying=True)
    ada, bo = stage.hero(), stage.foe()
    stage.set_track(bo, hp=-3)
    stage.give(bo, "dying")
    stage.begin(ada, bo)
    stage.do("next_turn", dice=[(5, 6)])
    assert stage.has(bo, "dead")


# ---------------------------------------------------------------- aid at once


def beside_the_dying(meters: float, side: str = "allies") -> tuple[CosmosStage, str, str]:
    """Ada on her turn, Cy dying this many meters away, Dee unhurt beside her."""
    stage = CosmosStage()
    ada, cy = stage.hero(), stage.add("Cy", side, (meters, 0), sheet())
    stage.hero("Dee", (0, 1), attributes={"MIG": 2})
    drop(stage, cy, -2)
    stage.begin()
    return stage, ada, cy


def drop(stage: CosmosStage, who: str, hp: int) -> None:
    """Bring a combatant down to this many Hit Points."""
    stage.set_track(who, hp=hp)
    stage.give(who, "dying")
    stage.give(who, "unconscious")


@pytest.mark.rule("COS-STATE-23")
def test_first_aid_is_offered_on_a_comrade_dying_within_2_m() -> None:
    stage, ada, cy = beside_the_dying(2)
    target = stage.form("first_aid", ada)["target"]
    assert target.value == cy
    assert target.help == "Dying: Cy (2 m). Medicine 14 stabilizes, from 1 m."
    assert target.rule == "COS-STATE-23"
    assert not stage.obstacle("first_aid", ada)


@pytest.mark.rule("COS-STATE-23")
@pytest.mark.parametrize(("meters", "side"), [(2.5, "allies"), (1, "enemies")])
def test_nothing_is_offered_for_someone_far_or_hostile(meters: float, side: str) -> None:
    stage, ada, _ = beside_the_dying(meters, side)
    assert stage.form("first_aid", ada)["target"].help == ""


@pytest.mark.rule("COS-STATE-23")
def test_the_one_nearest_to_death_is_offered_first() -> None:
    stage, ada, _ = beside_the_dying(1)
    drop(stage, "f3", -1)  # Might 2: dead in two rounds, Cy with Might 5 in four
    target = stage.form("first_aid", ada)["target"]
    assert target.value == "f3"
    assert target.help.startswith("Dying: Dee (1 m), Cy (1 m).")
