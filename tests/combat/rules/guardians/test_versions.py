"""What version 2 of the rules changed, and how fights that began under version 1 go on."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import UNSET

from combat.rules.core.state.state import replace
from combat.rules.guardians.fight.defense import find_defenses
from combat.rules.guardians.people.values import find_ranks
from combat.rules.guardians.world.things import find_held
from tests.combat.rules.guardians.stage import ADA, BO, CY, RANKS, GuardStage, acting, duel, helpless

OLD, NEW = 1, 2
KNIGHT = {"blades": 12, "running": 10}
STARS = {"id": "i1", "kind": "weapon", "entry": "throwing_star", "count": 3, "place": "held"}
TONIC = {
    "id": "i1", "kind": "item",
    "record": {"id": "tonic", "name": "Tonic", "origin": "house", "torso_penalty_becomes": -1},
}  # fmt: skip


def under(rules: int, stage: GuardStage) -> GuardStage:
    """The stage as a fight that began under a version of the rules."""
    stage.state = replace(stage.state, rules=rules if rules > 1 else UNSET)
    return stage


def fight(rules: int, *dice: Any, **options: Any) -> GuardStage:
    """Round 1 with Ada, Bo and Cy, who roll these dice."""
    stage = under(rules, GuardStage(**options))
    stage.hero("Ada", "long_sword", **KNIGHT)
    stage.foe("Bo", "long_sword", **KNIGHT)
    stage.hero("Cy", "long_sword", at=(1, 1), **KNIGHT)
    stage.begin_fight(*dice)
    return stage


# ---------------------------------------------------------------- things in hand


@pytest.mark.rule("CG-ATK-01")
@pytest.mark.parametrize(("rules", "left", "flying"), [(OLD, [], 3), (NEW, [2], 1)])
def test_a_throw_takes_one_star_of_a_stack(rules: int, left: list[int], flying: int) -> None:
    stage = under(rules, GuardStage())
    sheet = {"ranks": {**RANKS, "thrown_weapons": 12}, "items": [STARS]}
    stage.add("Ada", "heroes", (0, 0), sheet, pc=True)
    stage.foe("Bo", at=(3, 0))
    stage.begin(ADA, BO)
    helpless(stage)
    stage.attack(10, 9)
    assert [item.count for item in stage[ADA].items if item.data["id"] == "throwing_star"] == left
    (star,) = stage.state.ground
    assert (star.count, star.at) == (flying, stage[BO].at)
    if left:
        stage.turn(ADA)
        stage.edit(ADA, at=stage[BO].at)
        stage.do("pick_up", ADA, item=star.id)
        assert sum(i.count for i in stage[ADA].items if i.data["id"] == "throwing_star") == 3


@pytest.mark.rule("CG-LIMB-02")
@pytest.mark.parametrize(("rules", "falls"), [(OLD, False), (NEW, True)])
def test_the_last_arm_drops_what_it_had_taken_up(rules: int, falls: bool) -> None:
    stage = under(rules, duel(hero={"shields": ("buckler",), "shield": 9}))
    stage.set_part(ADA, "left_arm", 5)
    (shield,) = stage.state.ground
    stage.do("pick_up", ADA, item=shield.id)
    stage.set_part(ADA, "right_arm", 5)
    assert (stage.find(ADA, "buckler") is None) is falls


@pytest.mark.rule("CG-LIMB-02")
@pytest.mark.parametrize(("rules", "kept"), [(OLD, ["Buckler", "Painkillers"]), (NEW, ["Buckler"])])
def test_one_arm_keeps_the_shield_and_no_more(rules: int, kept: list[str]) -> None:
    stage = under(rules, duel(hero={"shields": ("buckler",), "gear": ("painkillers",)}))
    stage.do("draw", ADA, item=stage.item(ADA, "painkillers").id)
    stage.set_part(ADA, "right_arm", 5)
    assert sorted(item.name for item in find_held(stage[ADA])) == kept


@pytest.mark.rule("CG-SPEC-07")
@pytest.mark.parametrize(("rules", "die", "x"), [(OLD, 4, 5), (NEW, 4, 2), (NEW, 1, 2)])
def test_a_weapon_knocked_away_stops_at_a_wall(rules: int, die: int, x: float) -> None:
    stage = under(rules, duel("long_sword", hero=KNIGHT))
    stage.hold_things(BO, "club")
    stage.do("set_map", map={"walls": [{"id": "w", "x1": 2.5, "y1": -5, "x2": 2.5, "y2": 5}]})
    helpless(stage)
    stage.attack(10, 10, "disarm", die)
    (club,) = stage.state.ground
    assert club.at is not None
    assert club.at.x == x


@pytest.mark.rule("CG-ACT-05")
@pytest.mark.parametrize(("rules", "left"), [(OLD, 0), (NEW, 1)])
def test_a_free_draw_of_an_earlier_fight_does_not_count(rules: int, left: int) -> None:
    stage = fight(rules, 10, 5, 1, draw_weapon="free_once")
    stage.do("arm", target=ADA, weapon="club")
    stage.do("draw", ADA, item=stage.item(ADA, "club").id)
    stage.do("put_away", ADA, item=stage.item(ADA, "club").id)
    stage.do("end_fight")
    stage.begin_fight(10, 5, 1)
    stage.do("draw", ADA, item=stage.item(ADA, "club").id)
    assert stage[ADA].budget["action"] == left


@pytest.mark.rule("CG-TORSO-03")
@pytest.mark.parametrize(("rules", "ranks"), [(OLD, 7), (NEW, 9)])
def test_painkillers_of_ones_own_ease_to_their_own_figure(rules: int, ranks: int) -> None:
    stage = under(rules, GuardStage())
    stage.add("Ada", "heroes", (0, 0), {"ranks": {**RANKS, "blades": 10}, "items": [TONIC]}, pc=True)
    stage.begin(ADA)
    stage.set_part(ADA, "torso", 10)
    stage.do("painkillers", ADA, target=ADA)
    assert find_ranks(stage.state, stage[ADA], "blades") == ranks


@pytest.mark.rule("CG-TORSO-03")
def test_of_two_painkillers_the_better_counts_while_it_lasts() -> None:
    stage = duel(hero={"blades": 10, "gear": ("painkillers", "painkillers")}, painkiller_rounds=1)
    stage.set_part(ADA, "torso", 10)
    stage.give(ADA, "painkillers", marks={"ends_at": 600, "eased": -4})
    assert find_ranks(stage.state, stage[ADA], "blades") == 6
    for _ in range(2):
        stage.turn(ADA)
        stage.do("painkillers", ADA, target=ADA)
        assert find_ranks(stage.state, stage[ADA], "blades") == 7
    clocks = [held.marks["ends_at"] for held in stage[ADA].conditions if held.kind == "painkillers"]
    assert clocks == [600, 12]


# ---------------------------------------------------------------- moving and defending


@pytest.mark.rule("CG-PRONE-01", "CG-MOVE-03")
@pytest.mark.parametrize(("rules", "yards"), [(OLD, 6), (NEW, 1)])
def test_the_fallen_crawl_on(rules: int, yards: int) -> None:
    stage = under(rules, duel("long_sword", hero=KNIGHT))
    stage.attack(99)
    stage.give(ADA, "prone")
    assert stage.refused("walk_on", ADA, to=f"-{yards + 1},0").code == "out_of_range"
    stage.do("walk_on", ADA, to=f"-{yards},0")
    assert stage[ADA].budget["yards"] == 0


@pytest.mark.rule("CG-PRONE-01")
def test_the_fallen_crawl_in_pieces_too_and_not_for_ever() -> None:
    stage = duel("long_sword", hero=KNIGHT, crawl_yards=2)
    stage.attack(99)
    stage.give(ADA, "prone")
    stage.do("walk_on", ADA, to="-1,0")
    assert stage[ADA].budget["yards"] == 1
    stage.do("walk_on", ADA, to="-2,0")
    assert "No movement left" in stage.obstacle("walk_on", ADA)


@pytest.mark.rule("CG-MOVE-01", "CG-MOVE-03")
@pytest.mark.parametrize(
    ("rules", "said"), [(OLD, "Ada moves 5 yd, 4.6 yd of movement."), (NEW, "Ada moves 4.6 yd.")]
)
def test_yards_are_told_once(rules: int, said: str) -> None:
    for name, fields, dice in (
        ("move", {"to": "0,4.6"}, ()),
        ("attack", {"target": BO, "weapon": "f1-w0"}, (99,)),
    ):
        stage = under(rules, duel("long_sword", hero=KNIGHT, foe={"at": (4.6, 0)}))
        stage.do(name, ADA, dice=dice, **fields)
        assert said in stage.said()


@pytest.mark.rule("CG-DEF-02")
@pytest.mark.parametrize(("rules", "chance"), [(OLD, 5), (NEW, 15)])
def test_the_better_of_two_skills_is_found_below_nothing_too(rules: int, chance: int) -> None:
    foe = {"coordination": 2, "acrobatics": 4, "unarmed_combat": 0, "bludgeon_weapons": 0}
    stage = under(rules, duel("long_bow", foe=foe))
    stage.set_part(BO, "torso", 10)
    stage.give(BO, "prone")
    found = {one.key: one.chance for one in find_defenses(stage.state, stage[BO], True)}
    assert found["dodge"] == chance


@pytest.mark.rule("CG-ACT-04", "CG-DEF-01")
@pytest.mark.parametrize(("rules", "answers"), [(OLD, ("none", "none")), (NEW, ("none",))])
def test_who_lets_an_attack_through_is_asked_once(rules: int, answers: tuple[str, ...]) -> None:
    stage = under(rules, duel("long_sword", hero=KNIGHT))
    stage.turn(BO)
    stage.do("guard", BO)
    stage.turn(ADA)
    stage.attack(10, *answers, 9)
    assert stage.has(BO, "unconscious")


# ---------------------------------------------------------------- fear


@pytest.mark.rule("CG-REF-02")
@pytest.mark.parametrize(("rules", "rounds"), [(OLD, [1, 2]), (NEW, [1])])
def test_great_fear_takes_the_action_still_to_come(rules: int, rounds: list[int]) -> None:
    stage = fight(rules, 20, 10, 1)
    stage.do("fear", dice=(100,), target=BO, severity=-2)
    assert find_stunned(stage, BO) == rounds


@pytest.mark.rule("CG-REF-02")
@pytest.mark.parametrize("rules", [OLD, NEW])
def test_great_fear_after_a_turn_takes_the_next_one(rules: int) -> None:
    stage = fight(rules, 20, 10, 1)
    stage.attack(99, who=ADA, on=BO)
    stage.do("fear", dice=(100,), target=ADA, severity=-2)
    assert find_stunned(stage, ADA) == [1, 2]


@pytest.mark.rule("CG-REF-02", "CG-ACT-06")
def test_great_fear_takes_a_held_action_and_no_other() -> None:
    stage = fight(NEW, 20, 10, 1)
    stage.do("hold", ADA)
    stage.do("fear", dice=(100,), target=ADA, severity=-2)
    assert not stage.has(ADA, "holding")
    assert find_stunned(stage, ADA) == [1]


@pytest.mark.rule("CG-REF-02")
@pytest.mark.parametrize("rules", [OLD, NEW])
def test_great_fear_before_a_fight_takes_its_first_rounds(rules: int) -> None:
    stage = under(rules, GuardStage())
    stage.hero("Ada")
    stage.do("fear", dice=(100,), target=ADA, severity=-2)
    (held,) = (c for c in stage[ADA].conditions if c.kind == "stunned")
    assert held.marks["ends_at"] == 12


def find_stunned(stage: GuardStage, who: str) -> list[int]:
    """The rounds, up to the second, in which somebody is stunned."""
    found = []
    while stage.state.round < 3:
        here = stage.state.round
        if stage.has(who, "stunned") and here not in found:
            found.append(here)
        last = all(
            stage[f].acted or f == stage.state.active or stage.has(f, "stunned") for f in (ADA, BO, CY)
        )
        stage.end_turn(*((20, 10, 1) if last else ()))
    return found


# ---------------------------------------------------------------- what the GM says


@pytest.mark.rule("CG-REF-11", "CG-STUN-02")
@pytest.mark.parametrize(("rules", "ends"), [(OLD, 12), (NEW, None)])
def test_stunned_for_no_rounds_is_until_it_is_ended(rules: int, ends: int | None) -> None:
    stage = fight(rules, 20, 10, 1)
    stage.do("impose", target=BO, kind="stunned", rounds=0)
    (held,) = (c for c in stage[BO].conditions if c.kind == "stunned")
    assert held.marks.get("ends_at") == ends
    stage.do("take_condition", target=BO, condition=held.id)
    assert not stage.has(BO, "stunned")


@pytest.mark.rule("CG-LIMB-02", "CG-REF-11")
@pytest.mark.parametrize(("rules", "falls"), [(OLD, False), (NEW, True)])
def test_an_arm_disabled_by_the_gm_drops_what_it_holds(rules: int, falls: bool) -> None:
    stage = under(rules, duel("long_sword"))
    stage.do("limb", target=ADA, place="right_arm", state="disabled")
    assert (stage.find(ADA, "long_sword") is None) is falls
    for leg in ("left_leg", "right_leg"):
        stage.do("limb", target=ADA, place=leg, state="disabled")
    assert stage.has(ADA, "prone") is falls


@pytest.mark.rule("CG-LIMB-03", "CG-REF-11")
@pytest.mark.parametrize(
    ("rules", "points", "now", "later"),
    [(OLD, 0, {"disabled", "bleeding"}, {"destroyed", "bleeding"}), (NEW, 1, {"disabled"}, {"disabled"})],
)
def test_a_limb_that_the_gm_calls_disabled_is_not_destroyed_again(
    rules: int, points: int, now: set[str], later: set[str]
) -> None:
    stage = under(rules, duel())

    def found() -> set[str]:
        return {kind for kind in ("disabled", "destroyed", "bleeding") if stage.is_so(BO, kind, "left_arm")}

    stage.set_part(BO, "left_arm", 0)
    stage.do("limb", target=BO, place="left_arm", state="disabled")
    assert (stage.part(BO, "left_arm"), found()) == (points, now)
    stage.set_part(BO, "head", 9)
    assert found() == later


@pytest.mark.rule("CG-BLEED-01")
@pytest.mark.parametrize(("rules", "bleeds"), [(OLD, True), (NEW, False)])
def test_a_disabled_limb_bleeds_no_more_when_it_is_healed(rules: int, bleeds: bool) -> None:
    stage = under(rules, duel(bleeding_from="disabled_or_destroyed"))
    stage.set_part(BO, "left_arm", 5)
    stage.do("heal", target=BO, place="left_arm", points=1)
    assert stage.is_so(BO, "bleeding", "left_arm") is bleeds


@pytest.mark.rule("CG-REF-11")
@pytest.mark.parametrize(
    ("place", "points", "kind", "said"),
    [
        ("left_arm", 0, "destroyed", "Left arm crushed: it follows from Left arm MP 0. Change that first."),
        ("left_leg", 7, "disabled", "Left leg disabled: it follows from Left leg MP 7. Change that first."),
        ("torso", 9, "torso_wound", "Torso wound: it follows from Torso MP 9. Change that first."),
        ("head", 4, "unconscious", "Unconscious: it follows from Head MP 4. Change that first."),
        ("torso", 0, "dead", "Dead: it follows from Torso MP 0. Change that first."),
    ],
)
def test_what_follows_from_points_is_not_ended_before_them(
    place: str, points: int, kind: str, said: str
) -> None:
    stage = duel()
    stage.set_part(BO, place, points)
    assert end(stage, kind) == said


@pytest.mark.rule("CG-REF-11", "CG-FAT-04")
def test_nor_what_follows_from_fatigue_or_from_two_legs() -> None:
    stage = duel()
    stage.do("adjust", target=BO, track="fatigue", to=10)
    assert end(stage, "exhausted") == "Exhausted: it follows from Fatigue 10. Change that first."
    for leg in ("left_leg", "right_leg"):
        stage.set_part(BO, leg, 7)
    assert end(stage, "prone") == "Neither leg of Bo can be used: heal one first."


def end(stage: GuardStage, kind: str) -> str:
    """Why the GM cannot end a state of Bo."""
    held = next(c for c in stage[BO].conditions if c.kind == kind)
    return stage.refused("take_condition", target=BO, condition=held.id).message


@pytest.mark.rule("CG-REF-11")
@pytest.mark.parametrize(("rules", "refused"), [(OLD, False), (NEW, True)])
def test_one_of_two_lost_limbs_stays_lost_too(rules: int, refused: bool) -> None:
    stage = under(rules, duel())
    for limb in ("left_arm", "right_arm"):
        stage.set_part(BO, limb, 0)
    held = next(c for c in stage[BO].conditions if c.kind == "destroyed")
    if refused:
        stage.refused("take_condition", target=BO, condition=held.id)
    else:
        stage.do("take_condition", target=BO, condition=held.id)
    assert stage.is_so(BO, "destroyed", "left_arm")


# ---------------------------------------------------------------- shared counts


def shared(rules: int, **options: Any) -> GuardStage:
    """Ada, with a sword in hand and a club at her belt, and Bo on one number."""
    stage = under(rules, duel("long_sword", hero=KNIGHT, **options))
    stage.do("arm", target=ADA, weapon="club")
    stage.do("arm", target=ADA, weapon="great_sword")
    stage.turn(ADA, BO)
    return stage


def in_hand(stage: GuardStage) -> list[str]:
    """What Ada holds when the count is over."""
    stage.end_turn(5, 9, whole=True)
    return [item.name for item in stage[ADA].items if item.place == "held" and item.data.get("hands")]


@pytest.mark.rule("CG-INIT-05", "CG-LIMB-02")
def test_two_hands_take_what_two_hands_hold_at_a_shared_count_too() -> None:
    stage = shared(NEW, draw_weapon="free_once")
    stage.do("draw", ADA, item=stage.item(ADA, "club").id)
    stage.do("let_go", ADA, item=stage.item(ADA, "long_sword").id)
    refused = stage.refused("draw", ADA, item=stage.item(ADA, "great_sword").id)
    assert "takes 2 free hands" in refused.message
    assert in_hand(stage) == ["Club"]


@pytest.mark.rule("CG-INIT-05", "CG-ACT-02")
@pytest.mark.parametrize(("rules", "names"), [(OLD, None), (NEW, ["Great Sword"])])
def test_what_is_dropped_at_a_shared_count_leaves_the_hand_free(rules: int, names: list[str] | None) -> None:
    stage = shared(rules)
    stage.do("let_go", ADA, item=stage.item(ADA, "long_sword").id)
    great = stage.item(ADA, "great_sword").id
    if names is None:
        assert "free hands" in stage.refused("draw", ADA, item=great).message
    else:
        stage.do("draw", ADA, item=great)
        assert in_hand(stage) == names


@pytest.mark.rule("CG-INIT-05", "CG-ACT-05")
@pytest.mark.parametrize(("rules", "picks"), [(OLD, True), (NEW, False)])
def test_a_thing_picked_up_at_a_shared_count_fills_the_hand(rules: int, picks: bool) -> None:
    stage = shared(rules, draw_weapon="free_once")
    for name in ("club", "great_sword"):
        stage.do("thing", target=ADA, item=stage.item(ADA, name).id, fate="dropped")
    club, great = (item.id for item in stage.state.ground)
    stage.do("pick_up", ADA, item=club)
    stage.edit(ADA, budget={"action": 1, "yards": 0})
    stage.do("let_go", ADA, item=stage.item(ADA, "long_sword").id)
    assert "free hands" in stage.refused("pick_up", ADA, item=great).message
    assert in_hand(stage) == ["Club"] or picks


@pytest.mark.rule("CG-INIT-05", "CG-LIMB-02")
@pytest.mark.parametrize(("rules", "number"), [(OLD, 2), (NEW, 1)])
def test_what_is_drawn_at_a_shared_count_falls_where_the_gm_has_hurt_an_arm(rules: int, number: int) -> None:
    stage = shared(rules)
    stage.do("draw", ADA, item=stage.item(ADA, "club").id)
    stage.set_part(ADA, "left_arm", 5)
    assert len(in_hand(stage)) == number


@pytest.mark.rule("CG-INIT-05", "CG-HEAD-02", "CG-PRONE-01")
@pytest.mark.parametrize(("rules", "held"), [(OLD, ["Club"]), (NEW, [])])
def test_whom_the_gm_kills_at_a_shared_count_draws_nothing(rules: int, held: list[str]) -> None:
    stage = shared(rules)
    stage.do("draw", ADA, item=stage.item(ADA, "club").id)
    stage.set_part(ADA, "head", 0)
    stage.end_turn(9, whole=True)
    assert [i.name for i in stage[ADA].items if i.place == "held" and i.data.get("hands")] == held
    assert stage.has(ADA, "prone")


# ---------------------------------------------------------------- one state beside another


@pytest.mark.rule("CG-REF-11", "CG-ACT-04")
@pytest.mark.parametrize(("rules", "number"), [(OLD, 2), (NEW, 1)])
def test_an_extra_defense_given_for_good_is_not_gained_beside_itself(rules: int, number: int) -> None:
    stage = under(rules, duel())
    stage.do("give_condition", target=ADA, kind="extra_defense")
    stage.do("guard", ADA)
    assert [held.kind for held in stage[ADA].conditions] == ["extra_defense"] * number


@pytest.mark.rule("CG-REF-11", "CG-LIMB-03")
@pytest.mark.parametrize(
    ("rules", "first", "then", "states"),
    [
        (OLD, "destroyed", "disabled", {"destroyed", "disabled"}),
        (NEW, "destroyed", "disabled", {"destroyed"}),
        (OLD, "disabled", "destroyed", {"destroyed", "disabled"}),
        (NEW, "disabled", "destroyed", {"destroyed"}),
    ],
)
def test_no_limb_is_disabled_and_destroyed(rules: int, first: str, then: str, states: set[str]) -> None:
    stage = under(rules, duel())
    for kind in (first, then):
        stage.do("give_condition", target=BO, kind=kind)
    assert {kind for kind in ("disabled", "destroyed") if stage.is_so(BO, kind, "right_arm")} == states


@pytest.mark.rule("CG-REF-11", "CG-LIMB-03")
def test_a_limb_disabled_by_its_points_may_be_destroyed_by_the_gms_word() -> None:
    stage = duel()
    stage.set_part(BO, "right_arm", 4)
    stage.do("give_condition", target=BO, kind="destroyed")
    stage.set_part(BO, "left_leg", 14)
    assert [kind for kind in ("disabled", "destroyed") if stage.is_so(BO, kind, "right_arm")] == ["destroyed"]


@pytest.mark.rule("CG-REF-11", "CG-ACT-06")
def test_the_gm_lets_nobody_hold_who_has_nothing_to_hold() -> None:
    stage = duel()
    assert "nothing to hold" in stage.refused("give_condition", target=ADA, kind="holding").message
    stage.do("give_condition", target=BO, kind="holding")
    stage.do("give_condition", target=BO, kind="exhausted")
    assert not stage.has(BO, "holding")
    assert "nothing to hold" in stage.refused("give_condition", target=BO, kind="holding").message


@pytest.mark.rule("CG-REF-11", "CG-LOC-10")
@pytest.mark.parametrize(("rules", "lies"), [(OLD, False), (NEW, True)])
def test_the_senseless_lie_longer_than_the_turns_the_gm_said(rules: int, lies: bool) -> None:
    stage = fight(rules, 20, 10, 1)
    stage.do("give_condition", target=BO, kind="prone", turns=1)
    stage.do("impose", target=BO, kind="unconscious", rounds=9)
    stage.end_turn()
    assert acting(stage) == (CY,)
    assert stage.has(BO, "prone") is lies


@pytest.mark.rule("CG-HEAD-01", "CG-HEAD-02", "CG-REF-11")
@pytest.mark.parametrize(("rules", "out"), [(OLD, False), (NEW, True)])
def test_whoever_is_brought_back_with_half_a_head_lies_senseless(rules: int, out: bool) -> None:
    stage = under(rules, duel())
    stage.set_part(BO, "head", 0)
    stage.set_part(BO, "head", 3)
    assert not stage.has(BO, "dead")
    assert stage.has(BO, "unconscious") is out
