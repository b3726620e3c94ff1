"""Prone, blinded, and the other conditions from the GM or a dose."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from tests.combat.rules.starshock.fight.test_attack import give_skills, set_values
from tests.combat.rules.starshock.figures import ADA, BO, CY, StarStage, duel, terms
from tests.combat.rules.starshock.turn.test_everyday import party

# ---------------------------------------------------------------- prone


@pytest.mark.rule("SS-PRONE-01")
def test_the_prone_attack_at_minus_one() -> None:
    stage = duel("dagger")
    give_skills(stage, ADA, "Melee", dex=2)
    stage.give(ADA, "prone")
    assert stage.attack("dagger", (4, 3)).total == 9


@pytest.mark.rule("SS-PRONE-02")
def test_some_physical_checks_are_hindered_unless_the_gm_says_otherwise() -> None:
    stage = party(1, skills=("Move",))
    stage.give(ADA, "prone")
    for more, total, outcome in (({}, 9, "failure"), ({"prone": "no"}, 10, "success")):
        stage.turn(ADA)
        stage.do("check", ADA, dice=[(4, 3)], attribute="dex", skill="Move", **more)
        assert (stage.check().total, stage.check().outcome) == (total, outcome)
    stage.turn(ADA)
    stage.do("check", ADA, dice=[(4, 3)], attribute="int")
    assert "Prone" not in terms(stage.check().modifiers)


@pytest.mark.rule("SS-PRONE-02", "SS-BLIND-02")
def test_consciousness_is_never_hindered() -> None:
    stage = duel()
    stage.give(ADA, "prone")
    stage.give(ADA, "blinded")
    stage.do("adjust", target=ADA, track="damage", to=8, dice=[(6, 6)])
    assert terms(stage.check("consciousness").modifiers) == {"Str": 1}


@pytest.mark.rule("SS-PRONE-03")
@pytest.mark.parametrize("weapon", ["dagger", "needle_gun"])
def test_attacks_on_the_prone_gain_one(weapon: str) -> None:
    for kind, outcome in (("", "miss"), ("prone", "hit")):
        stage = duel(weapon)
        set_values(stage, BO, armor=10)
        if kind:
            stage.give(BO, kind)
        shot = stage.attack(weapon, (4, 3))
        assert (shot.total, shot.outcome) == (10 if kind else 9, outcome)


@pytest.mark.rule("SS-PRONE-04")
def test_getting_up_takes_the_only_action() -> None:
    stage = duel("dagger")
    stage.give(ADA, "prone")
    stage.do("stand_up", ADA)
    assert not stage.has(ADA, "prone")
    dagger = stage.weapon(ADA, "dagger")
    assert stage.refused("attack", ADA, target=BO, weapon=dagger).code == "no_budget"


@pytest.mark.rule("SS-PRONE-04")
def test_only_the_prone_stand_up() -> None:
    assert "already standing" in duel().refused("stand_up", ADA).message


# ---------------------------------------------------------------- blinded


@pytest.mark.rule("SS-BLIND-01")
def test_the_blinded_attack_at_minus_one_and_it_adds_to_prone() -> None:
    for kinds, total in ((("blinded",), 12), (("blinded", "prone"), 11)):
        stage = duel("ray_gun")
        give_skills(stage, ADA, "Energy Weapons", int=3)
        set_values(stage, BO, resistance=14)
        for kind in kinds:
            stage.give(ADA, kind)
        assert stage.attack("ray_gun", (5, 4)).total == total


@pytest.mark.rule("SS-BLIND-02")
def test_checks_that_need_sight_are_hindered_unless_the_gm_says_otherwise() -> None:
    stage = party(1, prs=1, skills=("Recon",))
    stage.give(ADA, "blinded")
    for more, total in (({}, 9), ({"sight": "no"}, 10)):
        stage.turn(ADA)
        stage.do("check", ADA, dice=[(4, 4)], attribute="prs", skill="Recon", **more)
        assert stage.check().total == total
    stage.turn(ADA)
    stage.do("check", ADA, dice=[(4, 4)], attribute="prs", skill="Insight", sight="yes")
    assert terms(stage.check().modifiers)["Blinded"] == -1


@pytest.mark.rule("SS-BLIND-03")
def test_blindness_ends_with_the_targets_next_turn() -> None:
    stage = duel("ray_gun")
    stage.hold(BO, "dagger")
    set_values(stage, BO, resistance=7)
    stage.state = replace(stage.state, round=3, order=(BO, ADA))
    stage.edit(BO, acted=True)
    stage.attack("ray_gun", (5, 5), "0")
    (gained,) = [g for g in stage.told(e.ConditionGained) if g.condition.kind == "blinded"]
    assert (gained.condition.until.who, gained.condition.until.edge) == (BO, "end")
    stage.next_turn_of(BO)
    assert (stage.state.round, blinded_by(stage)) == (4, -1)
    stage.end_turn()
    assert not stage.has(BO, "blinded")
    assert blinded_by(stage) == 0


def blinded_by(stage: StarStage) -> int:
    """The penalty of being blinded for Bo's dagger."""
    shown = stage.preview("attack", BO, target=ADA, weapon=stage.weapon(BO, "dagger"))
    return terms(shown.modifiers).get("Blinded", 0)


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
    submission: dict[str, Any] = {"target": BO, "name": "Paralyzed", "source": "nerve agent"}
    assert "Describe" in stage.refused("make_up", text="", **submission).message
    assert "what ends" in stage.refused("make_up", text="Cannot move.", **submission).message
    stage.do("make_up", text="Cannot move.", stops=True, turns=1, **submission)
    (held,) = stage[BO].conditions
    assert (held.label, held.marks["source"], held.marks["text"]) == (
        "Paralyzed",
        "nerve agent",
        "Cannot move.",
    )
    assert stage.obstacle("drop_prone", BO) == "Paralyzed: Bo has no actions."


@pytest.mark.rule("SS-COND-02")
def test_it_ends_by_itself_with_the_targets_next_turn() -> None:
    stage = duel()
    stage.do("make_up", target=ADA, name="Dizzy", text="Everything turns.", checks=-1, turns=1)
    stage.do("check", ADA, dice=[(4, 4)], attribute="dex")
    assert terms(stage.check().modifiers)["Dizzy"] == -1
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
def test_a_condition_may_end_by_words_alone() -> None:
    stage = duel()
    stage.do("make_up", target=BO, name="Stuck", text="Glued to the floor.", ends="solvent")
    (held,) = stage[BO].conditions
    assert (held.until, held.ends) == (None, "solvent")


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
def test_a_lantern_reaches_ten_metres_or_two_zones() -> None:
    stage = party(2, gear=("atomic_lantern",))
    lantern = stage.item(ADA, "atomic_lantern").id
    assert stage.refused("use_device", ADA, item=lantern, target=BO).code == "out_of_range"
    stage.put(BO, "deck")
    stage.do("use_device", ADA, item=lantern, target=BO, dice=[(1, 1)])
    assert stage.has(BO, "blinded")


@pytest.mark.rule("SS-COND-01")
def test_flashpowder_blinds_friend_and_enemy_and_who_stands_in_it() -> None:
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


def rounds(stage: StarStage, count: int, *dice: Any) -> None:
    """Begin n of Ada's turns; the last one with these dice."""
    for number in range(count):
        while True:
            before = stage.state.active
            answers = dice if number == count - 1 and _is_last(stage) else ()
            stage.do("next_turn", dice=answers)
            if stage.state.active == ADA != before:
                break


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
def test_adrenaline_raises_str_and_dex_for_six_rounds_and_then_lowers_them() -> None:
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
