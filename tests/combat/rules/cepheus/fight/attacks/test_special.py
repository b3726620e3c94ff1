"""Flechettes, blind fire, coup de grace and weapons as items."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.basics.dice.requests import RollRequest
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.fight.range import RangeStage, duel, losses
from tests.combat.rules.cepheus.figures import ADA, BO
from tests.typed import as_a


def flechettes(meters: float, **options: Any) -> RangeStage:
    stage = duel("shotgun", meters, foe={"profile": "FFF777"}, **options)
    stage.arm(ADA, "shotgun", load="flechette")
    return stage


@pytest.mark.rule("CE-SHOT-01")
def test_up_to_short_range_flechettes_are_like_any_shell() -> None:
    stage = flechettes(10)
    stage.join("Cy", 11)
    assert stage.total() == -2 - 2  # someone beside the target


@pytest.mark.rule("CE-SHOT-04", "CE-ATK-01")
@pytest.mark.parametrize(("meters", "dice"), [(30, (6, 4)), (100, (6, 6))])
@pytest.mark.full_rules
def test_everybody_beside_the_target_is_compared_with_the_roll(meters: int, dice: tuple[int, int]) -> None:
    stage = flechettes(meters)
    friend = stage.join("Cy", meters + 1, profile="FFF777")
    covered = stage.join("Di", meters, 1, profile="FFF777")
    far = stage.join("Ed", meters + 4, profile="FFF777")
    stage.mark(covered, cover="full")
    rounds = stage[ADA].items[0].loaded or 0
    stage.attack(dice, (4, 3))
    assert losses(stage) == {BO: 8, friend: 8}
    assert (stage[ADA].budget["significant"], stage[ADA].items[0].loaded) == (0, rounds - 1)
    assert [check.target for check in stage.checks()] == [BO, friend, covered]
    assert far not in losses(stage)


@pytest.mark.rule("CE-SHOT-04", "CE-COVER-04")
def test_nobody_down_behind_full_cover_is_in_the_spread() -> None:
    stage = flechettes(30)
    down = stage.join("Cy", 31)
    stage.mark(down, cover="full")
    stage.give(down, "crouched")
    stage.attack((6, 4), (1, 1))
    assert [check.target for check in stage.checks()] == [BO]


@pytest.mark.rule("CE-SHOT-02", "CE-MINOR-07")
def test_aiming_for_the_kill_counts_only_on_the_flechette_target() -> None:
    stage = flechettes(30)
    other = stage.join("Cy", 31, profile="FFF777")
    stage.aimed(ADA, BO, 3, "aiming_kill")
    stage.attack((6, 3), (1, 1))
    assert losses(stage) == {BO: 2 + 6, other: 2}
    assert not stage.has(ADA, "aiming_kill")


@pytest.mark.rule("CE-SHOT-04", "CE-MOD-02")
@pytest.mark.full_rules
def test_cover_that_is_stated_for_a_shot_is_that_of_its_target() -> None:
    stage = flechettes(30)
    stage.join("Cy", 31)
    stage.attack((3, 4), cover="full")
    assert [sum(t.value for t in check.modifiers) for check in stage.checks()] == [-1 - 4, -1]


@pytest.mark.rule("CE-REACT-01", "CE-SHOT-04", "CE-ATK-04")
@pytest.mark.full_rules
def test_each_in_the_spread_dodges_alone() -> None:
    stage = flechettes(30)
    other = stage.join("Cy", 31, profile="FFF777")
    stage.edit(other, conditions=())
    stage.attack("dodge", (6, 3), (1, 1))
    assert losses(stage) == {BO: 2}
    assert stage.has(other, "reacted")


@pytest.mark.rule("CE-SHOT-02")
def test_by_option_the_damage_is_rolled_for_each() -> None:
    stage = flechettes(30, flechette_damage="apart")
    other = stage.join("Cy", 31, profile="FFF777")
    stage.attack((6, 3), (1, 1), (6, 6))
    assert losses(stage) == {BO: 2, other: 12}


def test_a_table_may_play_without_flechettes() -> None:
    stage = flechettes(30, use_flechettes=False)
    stage.attack((6, 4), (1, 1, 1, 1))
    assert losses(stage) == {BO: 4}


def losses_by_way(stage: RangeStage, action: str, *dice: Any) -> tuple[int, dict[str, int]]:
    """The DM of flechettes in an attack, and the losses."""
    check = stage.attack(*dice, action=action)
    found = [term.value for term in check.modifiers if term.rule == "CE-SHOT-03"]
    return sum(found), losses(stage)


@pytest.mark.rule("CE-SHOT-02", "CE-SHOT-03", "CE-SHOT-04", "CE-PANIC-02", "CE-PANIC-03")
@pytest.mark.parametrize("meters", [30, 100])
@pytest.mark.full_rules
def test_panic_fire_with_flechettes_hits_all_around_the_target(meters: int) -> None:
    """2D6, and the two dice of ten rounds.  RULING R17"""
    stage = flechettes(meters)
    stage.skilled(ADA, shotgun=3)
    friend = stage.join("Cy", meters + 1, profile="FFF777")
    shown = stage.preview("panic_fire", ADA, target=BO, weapon=f"{ADA}-w1")
    assert {stage.system.draw(note) for note in shown.notes} >= {"4d6 damage", "2 targets in the spread"}
    dm, lost = losses_by_way(stage, "panic_fire", (6, 6), (1, 1, 1, 1))
    effect = stage.checks()[0].total - 8
    assert (dm, lost) == (1, {BO: 4 + effect, friend: 4 + effect})
    assert stage[ADA].items[0].loaded == 0
    assert "CE-INTO-01" not in [term.rule for term in stage.checks()[0].modifiers]


@pytest.mark.rule("CE-PANIC-03", "CE-SHOT-01")
@pytest.mark.full_rules
def test_panic_fire_with_flechettes_up_to_short_range_hits_one() -> None:
    stage = flechettes(10)
    stage.skilled(ADA, shotgun=3)
    stage.join("Cy", 11, profile="FFF777")
    dm, lost = losses_by_way(stage, "panic_fire", (6, 6), (1,) * 6)
    assert (dm, set(lost)) == (0, {BO})


@pytest.mark.rule("CE-BLIND-04", "CE-SHOT-02", "CE-SHOT-03", "CE-SHOT-04")
@pytest.mark.full_rules
def test_blind_fire_with_flechettes_hits_all_around_its_victim() -> None:
    """RULING R18"""
    stage = flechettes(30)
    far = stage.join("Ed", 40, profile="FFF777")
    near = stage.join("Cy", 31, profile="FFF777")
    dm, lost = losses_by_way(stage, "blind_fire", (6, 6, 6), 1, (1, 1))
    effect = stage.checks()[0].total - 8
    assert (dm, lost) == (1, {BO: 2 + effect, near: 2 + effect})
    stage = flechettes(30)
    far = stage.join("Ed", 40, profile="FFF777")
    stage.join("Cy", 31, profile="FFF777")
    assert set(losses_by_way(stage, "blind_fire", (6, 6, 6), 2, (1, 1))[1]) == {far}


@pytest.mark.rule("CE-BLIND-01", "CE-SHOT-02", "CE-SHOT-03")
@pytest.mark.full_rules
def test_blind_fire_with_flechettes_at_a_place_spreads_as_well() -> None:
    stage = flechettes(30)
    near = stage.join("Cy", 31, profile="FFF777")
    stage.do("blind_lob", ADA, weapon=f"{ADA}-w1", to="30,0", dice=[(6, 6, 6), 1, (1, 1)])
    assert losses(stage).keys() == {BO, near}
    assert [term.value for term in stage.check().modifiers if term.rule == "CE-SHOT-03"] == [1]


@pytest.mark.rule("CE-SUPP-02", "CE-SHOT-03")
@pytest.mark.full_rules
def test_suppression_with_flechettes_is_easier_past_short_range() -> None:
    for meters, dm in ((10, 0), (30, 1), (100, 1)):
        stage = flechettes(meters)
        stage.join("Cy", meters + 1)
        check = stage.attack((6, 6), action="suppress")
        assert sum(term.value for term in check.modifiers if term.rule == "CE-SHOT-03") == dm
        crowded = [term.value for term in check.modifiers if term.rule == "CE-INTO-01"]
        assert crowded == ([] if dm else [-2])
        assert [each.target for each in stage.checks()] == [BO]


# ---------------------------------------------------------------- blind fire


@pytest.mark.rule("CE-BLIND-01", "CE-BLIND-02")
def test_blind_fire_has_no_skill() -> None:
    stage = duel("assault_rifle")
    stage.skilled(ADA, slug_rifle=3)
    assert stage.terms("blind_fire") == {}
    stage.skilled(ADA)
    assert stage.terms("blind_fire") == {"Firing blind: level 0": -3}
    assert stage.terms("blind_fire", rounds=4, burst="spray") == {
        "Firing blind: level 0": -3,
        "Burst of 4, sprayed": 1,
    }


@pytest.mark.rule("CE-BLIND-01", "CE-ATK-01")
@pytest.mark.full_rules
def test_a_blind_burst_takes_its_rounds() -> None:
    stage = duel("assault_rifle")
    stage.attack((1, 1, 1), action="blind_fire", rounds=4, burst="spray")
    assert stage[ADA].items[0].loaded == 26
    assert stage[ADA].budget == {"minor": 1, "significant": 0}


@pytest.mark.rule("CE-BLIND-03")
@pytest.mark.parametrize(("dice", "total"), [((6, 4, 3), 7), ((5, 5, 2), 7), ((6, 6, 6), 12)])
def test_the_highest_die_goes(dice: tuple[int, ...], total: int) -> None:
    stage = duel()
    answers = [(1, 1, 1)] if total >= 8 else []
    shot = stage.attack(dice, *answers, action="blind_fire")
    assert (shot.total, shot.roll.faces) == (total, dice)


@pytest.mark.rule("CE-BLIND-03", "CE-BLIND-04", "CE-BLIND-05")
def test_anybody_in_the_line_may_be_hit() -> None:
    stage = duel(foe={"profile": "FFF777"})
    friend = stage.join("Cy", 10, 2, profile="FFF777")
    stage.join("Di", 10, 5)
    stage.join("Ed", -10)
    behind = stage.join("Fa", 60, profile="FFF777", side="enemies")
    stage.attack((4, 4, 4), 2, (1, 1, 1), action="blind_fire")
    assert losses(stage) == {friend: 3}
    stage.turn(ADA)
    stage.attack((4, 4, 4), 3, (1, 1, 1), action="blind_fire")
    assert losses(stage) == {behind: 3}
    assert as_a(stage.asked[1], RollRequest).dice == "1d3"


@pytest.mark.rule("CE-BLIND-05")
@pytest.mark.parametrize(("up", "is_hit"), [(3, True), (4, False), (30, False)])
def test_the_line_of_blind_fire_is_as_high_as_it_is_wide(up: float, is_hit: bool) -> None:
    stage = duel(foe={"profile": "FFF777"})
    cy = stage.join("Cy", 10, profile="FFF777")
    stage.edit(cy, at=Point(10, 0, up))
    stage.attack((4, 4, 4), *((2,) if is_hit else ()), (1, 1, 1), action="blind_fire")
    assert losses(stage) == {cy if is_hit else BO: 3}


@pytest.mark.rule("CE-BLIND-04", "CE-COVER-04", "CE-COVER-01")
def test_blind_fire_hits_nobody_down_behind_full_cover_or_walls() -> None:
    stage = duel(foe={"profile": "FFF777"})
    stage.join("Cy", 40, profile="FFF777")
    stage.mark(BO, cover="full")
    stage.give(BO, "crouched")
    stage.do("set_map", map={"walls": [{"id": "w", "x1": 30, "y1": -90, "x2": 30, "y2": 90}]})
    stage.attack((4, 4, 4), action="blind_fire")
    assert losses(stage) == {}
    assert [said.key for said in stage.told(e.Said)] == ["log.nobody_in_line"]


# ---------------------------------------------------------------- blind fire at a place


@pytest.mark.rule("CE-BLIND-01", "CE-BLIND-04")
def test_shots_at_a_place_hit_whoever_is_in_the_line_through_it() -> None:
    stage = duel(foe={"profile": "FFF777"})
    stage.skilled(ADA)
    stage.do("blind_lob", ADA, weapon=f"{ADA}-w1", to="10,0", dice=((6, 6, 6), (1, 1, 1)))
    assert stage.checks()[0].total == 12 - 3
    assert losses(stage) == {BO: 3 + 1}
    assert stage[ADA].items[0].loaded == 9
    stage.turn(ADA)
    stage.do("blind_lob", ADA, weapon=f"{ADA}-w1", to="-10,0", dice=((6, 6, 6),))
    assert [said.key for said in stage.told(e.Said)] == ["log.nobody_in_line"]


@pytest.mark.rule("CE-BLIND-01", "CE-THROW-02", "CE-EXPL-01")
@pytest.mark.full_rules
def test_a_grenade_is_thrown_blindly_at_an_empty_place() -> None:
    """It lands there, and 2 m from Bo it deals 5D6."""
    stage = duel("grenade_frag", 20, foe={"profile": "FFF777"})
    stage.skilled(ADA, athletics=3)
    stage.do("blind_lob", ADA, weapon=f"{ADA}-w1", to="18,0", dice=((6, 5, 5), (1, 1, 1, 1, 1)))
    assert (stage.checks()[0].roll.faces, stage.checks()[0].total) == ((6, 5, 5), 10 - 2)
    assert losses(stage) == {BO: 5}


@pytest.mark.rule("CE-BLIND-01", "CE-THROW-06")
def test_blindly_thrown_grenade_stops_at_a_wall_and_scatters() -> None:
    stage = duel("grenade_frag", 20, foe={"profile": "FFF777"})
    stage.do("set_map", map={"walls": [{"id": "w", "x1": 15, "y1": -90, "x2": 15, "y2": 90}]})
    fields = {"weapon": f"{ADA}-w1", "to": "20,0"}
    assert "cannot see" in stage.refused("lob", ADA, **fields).message
    stage.do("blind_lob", ADA, dice=((6, 6, 6),), **fields)
    assert losses(stage) == {}
    missed = duel("grenade_frag", 20, foe={"profile": "FFF777"})
    missed.do("blind_lob", ADA, dice=((1, 1, 1), 3), **fields)
    assert [said.args["metres"] for said in missed.told(e.Said) if said.key == "log.scatters"] == [6 + 8]


@pytest.mark.rule("CE-BLIND-01")
def test_what_neither_fires_nor_explodes_is_of_no_use_at_a_place() -> None:
    stage = duel("dagger", 2)
    refused = stage.refused("blind_lob", ADA, weapon=f"{ADA}-w1", to="2,0")
    assert refused.message == "No gun or grenade is ready: ready or reload one first."
    off = duel(use_blind_fire=False)
    assert "without blind" in off.refused("blind_lob", ADA, weapon=f"{ADA}-w1", to="2,0").message


@pytest.mark.rule("CE-BLIND-01")
def test_a_blind_burst_may_be_grouped() -> None:
    stage = duel("assault_rifle", foe={"profile": "FFF777"})
    stage.attack((4, 4, 4), (1, 1, 1, 1), action="blind_fire", rounds=4, burst="grouped")
    assert losses(stage) == {BO: 4}


@pytest.mark.rule("CE-BLIND-04", "CE-BLIND-05")
def test_who_is_out_of_reach_is_not_hit_blindly() -> None:
    stage = duel("auto_pistol", 10)
    stage.join("Cy", 400)
    stage.attack((4, 4, 4), (1, 1), action="blind_fire")
    assert losses(stage) == {BO: 2}


@pytest.mark.rule("CE-BLIND-01")
def test_what_is_behind_a_wall_is_fired_at_blindly() -> None:
    stage = duel()
    stage.zone("wall", x=8, y=-5, width=4, depth=10, terrain=["wall"])
    assert "fire blindly" in stage.refused("attack", ADA, target=BO, weapon=f"{ADA}-w1").message
    stage.attack((1, 1, 1), action="blind_fire")
    assert stage[ADA].items[0].loaded == 9


def test_blind_fire_uses_no_aim_and_by_option_is_not_played() -> None:
    stage = duel()
    stage.aimed(ADA, BO, 3)
    stage.attack((1, 1, 1), action="blind_fire")
    assert not stage.has(ADA, "aiming")
    off = duel(use_blind_fire=False)
    assert "without blind" in off.refused("blind_fire", ADA, target=BO, weapon=f"{ADA}-w1").message


# ---------------------------------------------------------------- coup de grace


@pytest.mark.rule("CE-ATK-11")
def test_a_gun_from_right_beside_takes_a_round() -> None:
    stage = duel("auto_pistol", 2)
    stage.give(BO, "bound")
    assert (
        "select “This kills for good”"
        in stage.refused("coup_de_grace", ADA, target=BO, weapon=f"{ADA}-w1").message
    )
    stage.do("coup_de_grace", ADA, target=BO, weapon=f"{ADA}-w1", sure=True)
    assert (stage[ADA].items[0].loaded, stage[ADA].budget["significant"]) == (14, 0)
    empty = duel("auto_pistol", 2)
    empty.give(BO, "bound")
    empty.arm(ADA, "auto_pistol", "revolver")
    empty.load(ADA, 0)
    assert "reload" in empty.refused("coup_de_grace", ADA, target=BO, weapon=f"{ADA}-w1", sure=True).message


@pytest.mark.rule("CE-ATK-10", "CE-ATK-12")
def test_who_can_defend_themselves_is_not_finished_off() -> None:
    stage = duel("dagger", 2)
    assert "helpless" in stage.refused("coup_de_grace", ADA, target=BO, weapon=f"{ADA}-w1", sure=True).message
    stage.give(stage.join("Cy", 2, 1), "unconscious")
    refused = stage.refused("coup_de_grace", ADA, target=BO, weapon=f"{ADA}-w1", sure=True)
    assert refused.message == "Bo is not helpless: attack instead."
    off = duel("dagger", 2, coup_de_grace=False)
    off.give(BO, "unconscious")
    assert off.refused("coup_de_grace", ADA, target=BO, weapon=f"{ADA}-w1", sure=True).code == "not_allowed"


@pytest.mark.rule("CE-ATK-10", "CE-GRAP-02")
def test_a_refusal_gives_the_reason_of_the_target_that_is_named() -> None:
    stage = duel("dagger", 2)
    far = stage.join("Cy", 30, side="enemies")
    for who in (BO, far):
        stage.give(who, "unconscious")
    stage.edit(BO, gone=True)
    stage.join("Di", 20)
    assert "30 m away" in stage.refused("coup_de_grace", ADA, target=far, weapon=f"{ADA}-w1").message
    assert "Cy is not at Personal" in stage.refused("grapple", ADA, target=far).message


# ---------------------------------------------------------------- weapons as items


def put_by(stage: RangeStage, **changes: Any) -> None:
    """Carry the first weapon instead of holding it."""
    first, *rest = stage[ADA].items
    stage.edit(ADA, items=(replace(first, place="carried", **changes), *rest))


@pytest.mark.rule("CE-MINOR-12")
def test_only_the_weapon_in_hand_strikes() -> None:
    stage = duel()
    stage.arm(ADA, "auto_pistol", "rifle")
    pistol, rifle = stage[ADA].items
    stage.edit(ADA, items=(pistol, replace(rifle, place="carried")))
    assert "draw it" in stage.refused("attack", ADA, target=BO, weapon=rifle.id).message
    assert stage.attack((1, 1), weapon=pistol.id).outcome == "outcome.miss"


@pytest.mark.rule("CE-MINOR-12")
def test_a_slow_weapon_takes_two() -> None:
    stage = duel()
    put_by(stage, data={**stage[ADA].items[0].data, "draw_minor": 2})
    stage.edit(ADA, budget={"minor": 1, "significant": 0})
    stage.do("ready", ADA, weapon=f"{ADA}-w1")
    assert stage[ADA].items[0].place == "carried"
    stage.turn(ADA)
    stage.do("ready", ADA, weapon=f"{ADA}-w1")
    assert stage[ADA].items[0].place == "held"
    assert stage[ADA].budget == {"minor": 0, "significant": 1}


@pytest.mark.rule("CE-MINOR-14")
@pytest.mark.full_rules
def test_an_empty_pistol_is_drawn_and_loaded_in_two_actions() -> None:
    stage = duel("auto_pistol")
    stage.load(ADA, 0)
    put_by(stage)
    stage.do("ready", ADA, weapon=f"{ADA}-w1")
    stage.do("reload", ADA, weapon=f"{ADA}-w1")
    assert stage[ADA].items[0].loaded == 15
    assert stage[ADA].budget == {"minor": 1, "significant": 0}


def test_reload_that_is_impossible_is_refused() -> None:
    stage = duel("auto_pistol")
    assert "is full" in stage.refused("reload", ADA, weapon=f"{ADA}-w1").message
    stage.load(ADA, 3, spares=0)
    assert "No magazine" in stage.refused("reload", ADA, weapon=f"{ADA}-w1").message
    stage.load(ADA, 3)
    assert stage.refused("reload", ADA, weapon=f"{ADA}-w1", load="flechette").code == "bad_value"
    stage.arm(ADA, "dagger")
    assert stage.refused("reload", ADA, weapon=f"{ADA}-w1").code == "not_allowed"


@pytest.mark.rule("CE-SHOT-01")
def test_a_shotgun_is_loaded_with_flechettes() -> None:
    stage = duel("shotgun")
    for _ in range(2):
        stage.turn(ADA)
        stage.do("reload", ADA, weapon=f"{ADA}-w1", load="flechette")
    assert stage[ADA].items[0].marks == {"load": "flechette"}


@pytest.mark.rule("CE-OTHER-02", "CE-MINOR-14")
def test_dropping_is_free_and_picking_up_is_not() -> None:
    stage = duel()
    stage.do("drop", ADA, weapon=f"{ADA}-w1")
    assert stage[ADA].budget == {"minor": 1, "significant": 1}
    assert stage[ADA].items == ()
    stage.do("pick_up", ADA, weapon=f"{ADA}-w1")
    assert (stage[ADA].items[0].place, stage[ADA].budget["minor"]) == ("held", 0)
    stage.turn(ADA)
    stage.do("put_away", ADA, weapon=f"{ADA}-w1")
    assert (stage[ADA].items[0].place, stage[ADA].budget["minor"]) == ("carried", 0)
    assert [fact.event.how for fact in stage.facts if isinstance(fact.event, e.ItemChanged)] == [
        "how.puts_away"
    ]


def test_two_hands_hold_two_things() -> None:
    stage = duel()
    stage.arm(ADA, "dagger", "cudgel", "auto_pistol")
    dagger, cudgel, pistol = stage[ADA].items
    stage.edit(ADA, items=(dagger, cudgel, replace(pistol, place="carried")))
    refused = stage.refused("ready", ADA, weapon=pistol.id)
    assert refused.message == "No free hand for Auto Pistol: put Dagger or Cudgel away first."


@pytest.mark.parametrize("weapon", ["grenade_launcher", "rocket_launcher"])
def test_explosives_cannot_suppress_fire_blindly_or_finish(weapon: str) -> None:
    stage = duel(weapon, 2)
    gun = f"{ADA}-w1"
    assert "goes off" in stage.refused("blind_fire", ADA, target=BO, weapon=gun).message
    assert "cannot suppress" in stage.refused("suppress", ADA, target=BO, weapon=gun).message
    stage.give(BO, "unconscious")
    finish = stage.refused("coup_de_grace", ADA, target=BO, weapon=gun, sure=True)
    assert "explodes" in finish.message


@pytest.mark.parametrize("rounds", [-1, 7, 99_999])
def test_a_number_of_rounds_that_is_none(rounds: int) -> None:
    stage = duel("assault_rifle")
    for action in ("attack", "suppress", "blind_fire"):
        refused = stage.refused(action, ADA, target=BO, weapon=f"{ADA}-w1", rounds=rounds)
        assert refused.code == "bad_value", action


@pytest.mark.rule("CE-BLIND-01", "CE-EXPL-01")
@pytest.mark.full_rules
def test_blind_grenade_form_names_those_where_a_wall_stops_it() -> None:
    stage = duel("grenade_frag", 20)
    stage.join("Cy", 13)
    stage.do("set_map", map={"walls": [{"id": "w", "x1": 15, "y1": -90, "x2": 15, "y2": 90}]})
    found = stage.preview("blind_lob", ADA, weapon=f"{ADA}-w1", to="20,0")
    names = {combatant.id: combatant.name for combatant in stage.state.combatants.values()}
    told = " ".join(stage.system.draw(note, names) for note in found.notes)
    assert "enemy Cy" in told or "ally Cy" in told
    assert "Bo" not in told
