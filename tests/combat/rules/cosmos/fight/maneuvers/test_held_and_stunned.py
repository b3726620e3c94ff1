"""Grappled, prone, stunned: their costs and limits, and their ends."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules import find_system
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Until, present
from combat.rules.cosmos.characters.sheet import is_able
from combat.rules.cosmos.world.sight_lines import is_within
from tests.combat.rules.cosmos.figures import CosmosStage, lone, pair
from tests.combat.rules.cosmos.plights import MISS, alone, defense, next_turn_of
from tests.combat.rules.cosmos.shots import HIT, duel, shoot
from tests.combat.rules.every_game.wild.wild import play, wild_fights

# ---------------------------------------------------------------- grappled


def held() -> tuple[CosmosStage, str, str]:
    """Ada on her turn in the hold of Bo beside her."""
    stage, ada = lone(weapons=("knife", "rifle"), skills={"Medicine": 4})
    bo = stage.foe(at=(1, 0))
    stage.draw_all(ada)
    stage.begin()
    stage.give(ada, "grappled", by=bo)
    return stage, ada, bo


@pytest.mark.rule("COS-COND-21")
@pytest.mark.parametrize(
    "how", ["faints", "is dying", "is put under", "dies", "lets go", "leaves", "gives up"]
)
def test_a_hold_ends_with_its_holder(how: str) -> None:
    stage, ada, bo = held()
    stage.give(ada, "pinned", by=bo)
    if how == "faints":
        stage.do("give_condition", target=bo, kind="unconscious")
    elif how == "is put under":
        stage.do("give_condition", target=bo, kind="helpless")
    elif how in ("is dying", "dies"):
        stage.do("adjust", target=bo, track="hp", to=0 if how == "is dying" else -50)
    elif how == "gives up":
        stage.do("surrender", target=bo)
    elif how == "lets go":
        stage.turn(bo)
        stage.do("let_go", bo)
    else:
        stage.do("remove", target=bo)
    assert not stage.has(ada, "grappled")
    assert not stage.has(ada, "pinned")


@pytest.mark.rule("COS-COND-22", "COS-ZG-08")
@pytest.mark.parametrize("holds", [True, False])
def test_nobody_pushes_off_out_of_a_hold(holds: bool) -> None:
    stage, ada, bo = held()
    stage.do("set_setting", key="gravity", value="zero")
    who, why = (
        (bo, "Bo holds Ada: let go first, that is free.")
        if holds
        else (ada, "Ada is grappled: break free first.")
    )
    stage.turn(who)
    assert stage.obstacle("hurl", who) == why
    assert stage.refused("hurl", who, item=stage[who].items[0].id, to="9,0").message == why


@wild_fights
def test_in_wild_fights_holds_that_are_taken_reach(seed: int, length: int) -> None:
    """A hold that began within reach is within it after every step."""
    near: set[str] = set()
    for log, _ in play(find_system("cosmos"), seed, length):
        for combatant in present(log.state):
            for hold in combatant.conditions:
                holder = log.state.combatants.get(hold.by)
                if holder is None or holder.gone or hold.kind not in ("grappled", "pinned"):
                    continue
                reaches = is_within(log.state, holder, combatant)
                assert reaches or hold.id not in near, (combatant.name, hold)
                near |= {hold.id} if reaches else set()


@pytest.mark.rule("COS-COND-21")
def test_a_holder_who_falls_ends_its_own_holds_alone() -> None:
    stage = CosmosStage()
    ada, bo, cy, dee = stage.hero(), stage.foe(at=(1, 0)), stage.foe("Cy", (0, 1)), stage.hero("Dee", (1, 1))
    stage.give(ada, "grappled", by=bo)
    stage.give(ada, "frightened", by=bo)
    stage.give(dee, "grappled", by=cy)
    stage.begin()
    stage.do("give_condition", target=bo, kind="unconscious")
    assert [held.kind for held in stage[ada].conditions] == ["frightened"]
    assert stage.has(dee, "grappled")


@pytest.mark.rule("COS-COND-21", "COS-COND-17", "COS-COND-03")
def test_effect_bound_to_someone_ends_as_they_leave_and_says_why() -> None:
    stage = CosmosStage()
    ada, bo, cy = stage.hero(), stage.foe(at=(1, 0)), stage.foe("Cy", (0, 1))
    for kind in ("grappled", "pinned", "frightened", "pressed"):
        stage.give(ada, kind, by=bo)
    stage.give(ada, "bleeding", by=bo)
    stage.give(cy, "frightened", by=ada)
    stage.begin()
    stage.do("remove", target=bo)
    assert [held.kind for held in stage[ada].conditions] == ["bleeding"]
    assert {stage.read(ended.why) for ended in stage.told(e.ConditionEnded)} == {"Bo is gone"}
    assert stage.has(cy, "frightened")


@pytest.mark.rule("COS-COND-21", "COS-COND-17")
@pytest.mark.parametrize(
    ("plight", "kind", "lasts"),
    [
        ("unconscious", "grappled", False),
        ("dying", "pinned", False),
        ("unconscious", "frightened", True),
        ("dead", "frightened", False),
        ("prone", "grappled", True),
    ],
)
def test_nobody_is_held_or_frightened_by_those_who_cannot(plight: str, kind: str, lasts: bool) -> None:
    stage, ada, bo = pair(at=(1, 0))
    stage.give(bo, plight)
    stage.do("give_condition", target=ada, kind=kind, by=bo)
    assert stage.has(ada, kind) is lasts


@pytest.mark.rule("COS-MANV-05", "COS-MANV-03")
def test_pinned_break_free_though_the_gm_ended_only_the_hold() -> None:
    stage, ada, bo = held()
    stage.give(ada, "pinned", by=bo)
    stage.do("take_condition", target=ada, condition=stage[ada].conditions[0].id)
    assert stage.refused("fall_prone", ada).message == "Ada is pinned: only breaking free is left."
    stage.do("break_free", ada, dice=[(5, 6), (1, 2)])
    assert not stage[ada].conditions


@pytest.mark.rule("COS-COND-34", "COS-ACT-20", "COS-MANV-15", "COS-COMBO-11", "COS-DEF-10")
@pytest.mark.parametrize("plight", ["unconscious", "helpless"])
@pytest.mark.parametrize("kind", ["concentrating", "overwatch", "total_defense", "reactive_defense"])
def test_one_who_cannot_act_concentrates_on_and_guards_nothing(plight: str, kind: str) -> None:
    stage, ada, bo = pair()
    stage.begin()
    for who in (ada, bo):
        stage.give(who, kind)
    stage.do("give_condition", target=bo, kind=plight)
    assert (stage.has(ada, kind), stage.has(bo, kind)) == (True, False)


@pytest.mark.rule("COS-COND-21", "COS-COND-03")
def test_letting_go_of_one_is_no_reason_to_let_another_bleed() -> None:
    stage = CosmosStage()
    ada, bo, cy = stage.hero(), stage.foe(at=(1, 0)), stage.hero("Cy", (0, 1))
    stage.give(bo, "grappled", by=ada)
    stage.give(cy, "bleeding")
    stage.give(cy, "pressed", by=ada)
    stage.begin()
    stage.do("let_go", ada)
    assert not stage.has(bo, "grappled")
    assert stage.has(cy, "pressed")


@wild_fights
def test_in_wild_fights_nobody_is_held_by_the_helpless(seed: int, length: int) -> None:
    for log, _ in play(find_system("cosmos"), seed, length):
        for combatant in present(log.state):
            for held in combatant.conditions:
                source = log.state.combatants.get(held.by)
                if source and held.kind in ("grappled", "pinned", "pressed"):
                    assert is_able(source), (combatant.name, held, source.conditions)


@pytest.mark.rule("COS-COND-01", "COS-COND-03", "COS-COND-21")
def test_a_grip_is_no_pressure_on_a_wound() -> None:
    stage, ada, bo = held()
    stage.give(ada, "bleeding", level=2)
    stage.turn(bo)
    stage.do("next_turn")
    assert stage.hp(ada) == 94


@pytest.mark.rule("COS-COND-23")
def test_a_hold_costs_2_on_all_actions() -> None:
    stage, ada, bo = held()
    stage.do("skill", ada, attribute="INT", skill="Medicine", tn=14, dice=[(4, 4)])
    assert stage.check().total == 12
    stage.turn(ada)
    stage.do("attack", ada, target=bo, weapon=stage.weapon(ada, "knife"), dice=[MISS])
    assert stage.check("attack").total == 3 + 6 + 2 - 2


@pytest.mark.rule("COS-COND-24")
def test_the_grappled_use_only_small_weapons() -> None:
    stage, ada, bo = held()
    refused = stage.refused("attack", ada, target=bo, weapon=stage.weapon(ada, "rifle"))
    assert (refused.code, refused.message) == (
        "not_allowed",
        "Grappled: only small weapons work, not Rifle.",
    )
    options = {option.label: option.refused for option in stage.form("attack", ada)["weapon"].options}
    assert options["Knife"] == ""
    assert options["Rifle"] == refused.message
    stage.do("attack", ada, target=bo, weapon=stage.weapon(ada, "knife"), dice=[MISS])


# ---------------------------------------------------------------- stunned


def tased(**options: Any) -> tuple[CosmosStage, str, str]:
    """Ada has just stunned Bo, who has acted this round and is next in round 2."""
    stage, ada, bo = duel("taser", options, weapons=("pistol", "knife"), shield="energy_shield")
    stage.edit(bo, acted=True)
    shoot(stage, ada, bo, HIT, (1, 1), (1, 2))
    return stage, ada, bo


@pytest.mark.rule("COS-COND-30")
def test_a_stun_of_round_1_ends_with_the_own_turn_of_round_2() -> None:
    stage, _, bo = tased()
    assert stage.has(bo, "stunned")
    next_turn_of(stage, bo)
    assert (stage.state.round, stage.has(bo, "stunned")) == (2, True)
    stage.do("next_turn")
    assert not stage.has(bo, "stunned")


@pytest.mark.rule("COS-COND-30")
def test_a_stun_in_ones_own_turn_lasts_over_the_next_one() -> None:
    stage, ada = alone()
    stage.do("give_condition", target=ada, kind="stunned")
    stage.do("next_turn")
    assert stage.has(ada, "stunned")
    stage.do("next_turn")
    assert stage[ada].budget == {"standard": 0, "move": 1, "quick": 3}
    stage.do("next_turn")
    assert not stage.has(ada, "stunned")


@pytest.mark.rule("COS-COND-30")
def test_the_gm_may_stun_for_longer() -> None:
    stage, _, bo = duel()
    stage.do("give_condition", target=bo, kind="stunned", turns=3)
    (stun,) = stage[bo].conditions
    assert stun.until == Until(bo, "end", 3)


@pytest.mark.rule("COS-COND-31")
def test_stunned_loses_whole_turn_option_passes_the_turn_over() -> None:
    stage, ada, bo = tased(stunned_loses_whole_turn=True)
    stage.do("next_turn")
    assert (stage.state.round, stage.state.active, stage.has(bo, "stunned")) == (2, ada, True)
    stage.do("next_turn")
    assert (stage.state.round, stage.state.active, stage.has(bo, "stunned")) == (3, ada, False)


@pytest.mark.rule("COS-COND-31")
def test_delayer_who_is_stunned_steps_in_without_standard_action() -> None:
    stage = CosmosStage()
    ada, bo = stage.hero(weapons=("taser",)), stage.foe()
    stage.begin(bo, ada)
    stage.do("delay", bo, after=ada)
    shoot(stage, ada, bo, HIT, 1, (1, 2))
    stage.do("next_turn")
    assert stage.state.active == bo
    assert stage[bo].budget == {"standard": 0, "move": 1, "quick": 3}


@pytest.mark.rule("COS-COND-32")
def test_a_stun_costs_2_defense_and_reactive_defense() -> None:
    assert defense("stunned") == 16
    assert defense("reactive_defense") == 20
    assert defense("stunned", "reactive_defense") == 16


@pytest.mark.rule("COS-COND-33")
def test_the_stunned_drop_what_they_hold_where_they_stand() -> None:
    stage, _, bo = tased()
    (pistol,) = stage.state.ground
    assert (pistol.name, pistol.at) == ("Pistol", stage[bo].at)
    assert stage.item(bo, "unarmed").place == "held"
    assert stage.item(bo, "knife").place == "carried"
    assert stage.item(bo, "energy_shield").place == "held"


@pytest.mark.rule("COS-COND-33")
def test_a_stun_by_decision_opens_the_hands_too() -> None:
    stage, _, bo = duel(shield="riot_shield")
    stage.do("give_condition", target=bo, kind="stunned")
    assert sorted(item.name for item in stage.state.ground) == ["Pistol", "Riot shield"]
