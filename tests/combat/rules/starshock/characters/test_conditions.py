"""Prone, blinded, and the other conditions from the GM or a dose."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.state import events as e
from combat.rules.starshock.body.doses import BEGINS
from combat.rules.starshock.characters.conditions import KINDS
from tests.combat.rules.starshock.figures import ADA, BO, CY, StarStage, duel, terms
from tests.combat.rules.starshock.turn.test_stance import party


def test_every_row_names_a_way_to_begin_that_exists() -> None:
    assert {row.begins for row in KINDS.values()} - {""} == set(BEGINS)


# ---------------------------------------------------------------- prone


@pytest.mark.rule("SS-PRONE-02")
def test_some_physical_checks_are_hindered_unless_gm_overrules() -> None:
    stage = party(1, skills=("Move",))
    stage.give(ADA, "prone")
    for fields in ({"attribute": "dex", "skill": "Move", "prone": "no"}, {"attribute": "int"}):
        stage.turn(ADA)
        stage.do("check", ADA, dice=[(4, 3)], **fields)
        assert "Prone" not in terms(stage.check().modifiers)


@pytest.mark.rule("SS-PRONE-02", "SS-BLIND-02")
def test_consciousness_is_never_hindered() -> None:
    stage = duel()
    stage.give(ADA, "prone")
    stage.give(ADA, "blinded")
    stage.do("adjust", target=ADA, track="damage", to=8, dice=[(6, 6)])
    assert terms(stage.check("consciousness").modifiers) == {"Str": 1}


@pytest.mark.rule("SS-PRONE-04")
def test_only_the_prone_stand_up() -> None:
    assert "already standing" in duel().refused("stand_up", ADA).message


# ---------------------------------------------------------------- blinded


@pytest.mark.rule("SS-BLIND-02")
def test_checks_that_need_sight_are_hindered_unless_gm_overrules() -> None:
    stage = party(1, prs=1, skills=("Recon",))
    stage.give(ADA, "blinded")
    for skill, sight, hindered in (("Recon", "no", False), ("Insight", "yes", True)):
        stage.turn(ADA)
        stage.do("check", ADA, dice=[(4, 4)], attribute="prs", skill=skill, sight=sight)
        assert ("Blinded" in terms(stage.check().modifiers)) is hindered


@pytest.mark.rule("SS-BLIND-03")
def test_blinded_in_ones_own_turn_lasts_through_the_next() -> None:
    stage = duel()
    stage.do("expose", target=ADA, thing="flashpowder_packet", dice=[(1, 2)])
    stage.end_turn()
    assert stage.has(ADA, "blinded")
    stage.next_turn_of(ADA)
    stage.end_turn()
    assert not stage.has(ADA, "blinded")


@pytest.mark.rule("SS-BLIND-03")
def test_blinding_again_lasts_longer_but_is_no_deeper() -> None:
    stage = duel()
    for _ in range(2):
        stage.do("expose", target=BO, thing="flashpowder_packet", dice=[(1, 2)])
    assert len([c for c in stage[BO].conditions if c.kind == "blinded"]) == 1
    stage.turn(BO)
    stage.do("expose", target=BO, thing="flashpowder_packet", dice=[(1, 2)])
    (held,) = (c for c in stage[BO].conditions if c.kind == "blinded")
    assert held.until is not None
    assert held.until.count == 2


@pytest.mark.rule("SS-BLIND-01")
def test_an_artificial_eye_sees_heat() -> None:
    stage = duel("ray_gun")
    stage.edit(ADA, sheet={**stage[ADA].sheet, "features": ["artificial_eye_1"]})
    stage.give(ADA, "blinded")
    for zone, blind in (("dock", False), ("deck", False), ("roof", True)):
        stage.put(BO, zone)
        shown = stage.preview("attack", ADA, target=BO, weapon=stage.weapon(ADA, "ray_gun"))
        assert ("Blinded" in terms(shown.modifiers)) is blind


# ---------------------------------------------------------------- others


@pytest.mark.rule("SS-COND-01")
def test_a_condition_is_described_and_has_an_end() -> None:
    stage = duel()
    stage.do("define_condition", name="Webbed", effects=["no_actions"], turns=1, note="A spider's web.")
    stage.do("give_condition", target=BO, kind="o1", turns=1)
    assert stage.obstacle("drop_prone", BO) == "Webbed: Bo has no actions."


@pytest.mark.rule("SS-COND-02")
def test_it_ends_by_itself_after_the_targets_next_turns() -> None:
    stage = duel()
    stage.do("define_condition", name="Dizzy", changes={"checks": -1}, note="Everything turns.")
    stage.do("give_condition", target=ADA, kind="o1", turns=2)
    stage.do("check", ADA, dice=[(4, 4)], attribute="dex")
    assert terms(stage.check().modifiers)["Dizzy (table condition)"] == -1
    for _ in range(2):  # two turns from the next one on
        stage.next_turn_of(ADA)
        assert [c.label for c in stage[ADA].conditions] == ["Dizzy"]
    stage.end_turn()
    assert stage[ADA].conditions == ()


@pytest.mark.rule("SS-COND-02")
def test_woozy_costs_one_on_all_checks_until_the_next_turn_ends() -> None:
    stage = duel("dagger")
    stage.do("expose", target=ADA, thing="hypnotoxin", dice=[(5, 5)])
    assert stage.has(ADA, "woozy")
    assert terms(stage.attack("dagger", (1, 1)).modifiers)["Woozy"] == -1
    stage.next_turn_of(ADA)
    assert stage.has(ADA, "woozy")
    stage.end_turn()
    assert not stage.has(ADA, "woozy")


@pytest.mark.rule("SS-COND-01")
def test_a_condition_may_last_until_the_gm_ends_it() -> None:
    stage = duel()
    stage.do("define_condition", name="Stuck", note="Glued to the floor until someone has solvent.")
    stage.do("give_condition", target=BO, kind="o1")
    (held,) = stage[BO].conditions
    assert (held.until, stage.system.characters.describe_held(held).ends) == (None, "the GM ends it")


@pytest.mark.rule("SS-COND-01")
def test_a_nerve_agent_takes_a_zone_and_a_turn() -> None:
    stage = party(1, gear=("nerve_agent_capsule",))
    stage.put(BO, "hold")
    stage.foe("Di", zone="hold", prs=4)
    capsule = stage.item(ADA, "nerve_agent_capsule").id
    stage.do("use_device", ADA, item=capsule, target=BO, dice=[(3, 3), (3, 3)])
    assert [check.outcome for check in stage.checks()] == ["failure", "success"]
    assert stage.has(BO, "paralyzed")
    assert stage.find(ADA, "nerve_agent_capsule") is None
    stage.end_turn()
    assert stage[BO].acted
    assert BO not in (stage.state.active, *stage.state.sharing)


@pytest.mark.rule("SS-ZONE-06")
def test_a_lantern_reaches_ten_meters_or_two_zones() -> None:
    stage = party(2, gear=("atomic_lantern",))
    lantern = stage.item(ADA, "atomic_lantern").id
    assert stage.refused("use_device", ADA, item=lantern, target=BO).code == "out_of_range"
    stage.put(BO, "deck")
    stage.do("use_device", ADA, item=lantern, target=BO, dice=[(1, 1)])
    assert stage.has(BO, "blinded")


@pytest.mark.rule("SS-COND-01")
def test_flashpowder_blinds_friend_enemy_and_those_in_it() -> None:
    stage = party(1, gear=("flashpowder_packet",))
    stage.put(BO, "dock")
    packet = stage.item(ADA, "flashpowder_packet").id
    stage.do("use_device", ADA, item=packet, target=BO, dice=[(1, 1), (1, 2), (6, 5)])
    assert [check.who for check in stage.checks()] == [ADA, BO, CY]
    assert [stage.has(who, "blinded") for who in (ADA, BO, CY)] == [True, True, False]


@pytest.mark.rule("SS-COND-01")
def test_a_device_of_ones_own_asks_for_its_own_check() -> None:
    check = {"attribute": "str", "difficulty": 8, "fail": "stunned"}
    record = {"id": "net", "name": "Net", "text": "Holds.", "value": 1, "check": check, "origin": "own"}
    stage = party(1, items=[{"id": "i1", "kind": "item", "record": record}])
    stage.put(BO, "dock")
    stage.do("use_device", ADA, item=stage.item(ADA, "net").id, target=BO, dice=[(3, 3)])
    assert stage.check("Str check").against == 8
    assert stage.has(BO, "stunned")


# ---------------------------------------------------------------- effects of doses


def dosed(item: str, actions: int = 1, **ada: Any) -> StarStage:
    """Let Ada take something, in her turn."""
    stage = party(actions, gear=(item,), **ada)
    stage.do("use_consumable", ADA, item=stage.item(ADA, item).id, target=ADA)
    return stage


def _is_last(stage: StarStage) -> bool:
    """Whether Ada's turn comes next."""
    order = stage.state.order
    place = order.index(stage.state.active)
    return order[(place + 1) % len(order)] == ADA or place + 1 == len(order)


@pytest.mark.rule("SS-OTHER-24", "SS-PEN-01")
def test_a_stimulant_lightens_the_penalty_and_then_adds_to_it() -> None:
    stage = duel("dagger")
    stage.give(ADA, "stimulated")
    for declared, penalty in ((1, None), (2, None), (3, -1)):
        stage.turn(ADA, declared)
        assert terms(stage.attack("dagger", (1, 1)).modifiers).get("Action Penalty") == penalty
    stage.edit(ADA, conditions=())
    stage.give(ADA, "stimulant_crash")
    for declared, penalty in ((1, None), (2, -2), (3, -3)):
        stage.turn(ADA, declared)
        assert terms(stage.attack("dagger", (1, 1)).modifiers).get("Action Penalty") == penalty


@pytest.mark.rule("SS-OTHER-24", "SS-DEF-07")
def test_adrenaline_raises_str_and_dex_for_6_rounds_then_lowers() -> None:
    stage = dosed("adrenaline_injection")
    assert stage.number(ADA, "Armor") == 10
    for _ in range(6):
        assert stage.has(ADA, "adrenaline")
        stage.next_turn_of(ADA)
    assert not stage.has(ADA, "adrenaline")
    assert stage.number(ADA, "Armor") == 8
    stage.do("pass_time", hours=3, resting=True)
    assert stage.has(ADA, "adrenaline_crash")
    stage.do("pass_time", hours=4, resting=True)
    assert stage.number(ADA, "Armor") == 9


@pytest.mark.rule("SS-OTHER-24", "SS-DMG-05")
def test_enzymes_help_consciousness_and_heal_at_their_end() -> None:
    stage = dosed("regenerative_enzymes")
    stage.do("adjust", target=ADA, track="damage", to=8, dice=[(3, 2)])
    assert terms(stage.check("consciousness").modifiers) == {"Str": 1, "Regenerative enzymes": 2}
    stage.set_track(ADA, damage=6)
    for _ in range(5):
        stage.next_turn_of(ADA)
    stage.end_turn()
    while True:
        late = stage.state.order.index(stage.state.active) == len(stage.state.order) - 1
        before = stage.damage(ADA)
        stage.do("next_turn", dice=[(4,)] if late or _is_last(stage) else [])
        if stage.damage(ADA) != before:
            break
    assert stage.damage(ADA) == 2
    assert not stage.has(ADA, "enzymes")


@pytest.mark.rule("SS-OTHER-24")
def test_a_bandage_heals_while_the_dice_fall_below_the_damage() -> None:
    stage = StarStage("dock")
    stage.hero("Ada", zone="dock")
    stage.begin(ADA)
    stage.give(ADA, "bandage")
    stage.set_track(ADA, damage=6)
    stage.do("next_turn")  # the GM's empty place
    stage.do("next_turn", dice=[(2, 3)])
    assert stage.damage(ADA) == 5
    stage.do("next_turn")
    stage.do("next_turn", dice=[(2, 3)])
    assert stage.damage(ADA) == 5
    assert not stage.has(ADA, "bandage")


@pytest.mark.rule("SS-OTHER-24")
def test_visions_end_in_damage_and_sleep() -> None:
    stage = StarStage("dock")
    stage.hero("Ada", zone="dock", gear=("delphenic_mushrooms",))
    stage.begin(ADA)
    mushrooms = stage.item(ADA, "delphenic_mushrooms").id
    stage.do("use_consumable", ADA, item=mushrooms, target=ADA, dice=[(2, 2)])
    vision = stage.check("vision")
    assert (vision.total, vision.against, vision.good) == (5, None, True), "no number is to be reached"
    for _ in range(5):
        stage.do("next_turn")
        stage.do("next_turn")
    stage.do("next_turn")
    stage.do("next_turn")
    assert stage.damage(ADA) == 5
    assert stage.has(ADA, "unconscious")


@pytest.mark.rule("SS-OTHER-24")
def test_bile_burns_with_each_physical_action() -> None:
    stage = duel("dagger")
    stage.do("expose", target=ADA, thing="leviathan_bile", dice=[(2,)])
    stage.attack("dagger", (1, 1))
    assert stage.damage(ADA) == 1
    stage.end_turn()
    assert stage.has(ADA, "bile")
    for left in (True, False):
        stage.next_turn_of(ADA)
        stage.end_turn()
        assert stage.has(ADA, "bile") is left


@pytest.mark.rule("SS-OTHER-24")
def test_poison_placed_by_the_gm_is_softened_by_str() -> None:
    stage = duel()
    stage.do("expose", target=ADA, thing="simple_poison", dice=[(4,)])
    assert stage.damage(ADA) == 3
    assert CY not in stage.state.combatants


@pytest.mark.parametrize(("kind", "kept"), [("prone", -1), ("blinded", -1), ("unconscious", 0), ("coma", 0)])
@pytest.mark.rule("SS-COND-02")
def test_the_gm_gives_a_state_twice_and_one_stays(kind: str, kept: int) -> None:
    """A state keeps its start, so that the hour of the unconscious counts from there."""
    stage = duel()
    given = []
    for turns in (1, 3):
        stage.do("give_condition", target=BO, kind=kind, turns=turns)
        given += [
            event.condition.id for event in stage.told(e.ConditionGained) if event.condition.kind == kind
        ]
    held = [held.id for held in stage[BO].conditions if held.kind == kind]
    assert held == [given[kept]]
