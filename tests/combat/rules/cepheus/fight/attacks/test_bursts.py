"""Burst fire, panic fire and suppression."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.dice import hindrances
from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.fight.range import RangeStage, duel
from tests.combat.rules.cepheus.figures import ADA, BO

TOUGH = {"profile": "FFFFFF"}


def lost(stage: RangeStage) -> int:
    return sum(stage.losses().values())


# ---------------------------------------------------------------- bursts


@pytest.mark.rule("CE-BURST-01")
def test_only_the_rates_of_the_weapon() -> None:
    stage = duel("gauss_rifle")
    field = next(f for f in stage.system.action("attack").find_fields(stage.state, ADA) if f.name == "rounds")
    assert [option.value for option in field.options] == ["0", "1", "4", "10"]
    smg = duel("submachinegun")
    assert smg.refused("attack", ADA, target=BO, weapon=f"{ADA}-w1", rounds=1).code == "bad_value"


@pytest.mark.rule("CE-BURST-01")
@pytest.mark.parametrize(
    ("loaded", "why"),
    [
        (5, ""),
        (4, ""),
        (3, "Submachinegun has 3 left of the 4 that takes: reload it."),
    ],
)
def test_a_burst_takes_the_last_rounds_and_no_more(loaded: int, why: str) -> None:
    stage = duel("submachinegun")
    stage.edit(ADA, items=tuple(replace(one, loaded=loaded) for one in stage[ADA].items))
    told: dict[str, Any] = {"target": BO, "weapon": f"{ADA}-w1", "rounds": 4}
    if why:
        assert stage.refused("attack", ADA, **told).message == why
    else:
        stage.do("attack", ADA, dice=((2, 1),), **told)
        assert stage[ADA].items[0].loaded == loaded - 4


@pytest.mark.rule("CE-BURST-02")
@pytest.mark.parametrize("do", ["attack", "blind_fire", "suppress"])
@pytest.mark.parametrize("weapon", ["gauss_rifle", "submachinegun"])
def test_a_burst_is_sprayed_unless_something_else_is_chosen(do: str, weapon: str) -> None:
    """Whichever weapon is in hand: a form cannot know which of them is chosen in it."""
    stage = duel(weapon)
    fields = {field.name: field for field in stage.system.action(do).find_fields(stage.state, ADA)}
    assert (fields["burst"].value, fields["burst"].help) == ("spray", "from 3 rounds on")


@pytest.mark.rule("CE-BURST-03")
@pytest.mark.parametrize("burst", ["spray", "grouped"])
def test_a_burst_is_a_significant_action(burst: str) -> None:
    stage = duel("assault_rifle")
    stage.attack((1, 1), rounds=4, burst=burst)
    assert (stage[ADA].budget["significant"], stage[ADA].items[0].loaded) == (0, 26)


@pytest.mark.rule("CE-BURST-01")
@pytest.mark.rule("CE-BURST-04", "CE-BURST-05", "CE-BURST-06", "CE-BURST-07", "CE-BURST-08", "CE-BURST-09")
@pytest.mark.parametrize(
    ("rounds", "points", "dice", "rule"),
    [
        (1, 0, "6d6", "CE-BURST-04"),
        (2, 0, "6d6", "CE-BURST-04"),
        (3, 1, "6d6+1", "CE-BURST-05"),
        (4, 1, "7d6", "CE-BURST-06"),
        (6, 1, "7d6", "CE-BURST-06"),
        (10, 2, "8d6", "CE-BURST-07"),
        (15, 2, "8d6", "CE-BURST-07"),
        (20, 3, "9d6", "CE-BURST-08"),
        (99, 3, "9d6", "CE-BURST-08"),
        (100, 4, "10d6", "CE-BURST-09"),
        (500, 4, "10d6", "CE-BURST-09"),
    ],
)
def test_every_row_of_the_burst_table(rounds: int, points: int, dice: str, rule: str) -> None:
    """RULING R15: the largest row that is not above the rounds."""
    stage = duel("rifle")
    item = stage[ADA].items[0]
    data = {**item.data, "rate_of_fire": [rounds], "damage": "6d6"}
    stage.edit(ADA, items=(item.__class__(item.id, item.kind, item.name, data, "held", loaded=500),))
    weapon = item.id
    sprayed = stage.preview("attack", ADA, target=BO, weapon=weapon, rounds=rounds, burst="spray").modifiers
    assert sum(term.value for term in sprayed) == points
    assert [term.rule for term in sprayed] == ([rule] if points else [])
    grouped = stage.preview("attack", ADA, target=BO, weapon=weapon, rounds=rounds, burst="grouped")
    assert stage.system.draw(grouped.notes[0]) == f"{dice} damage"


# ---------------------------------------------------------------- panic fire


@pytest.mark.rule("CE-PANIC-01")
@pytest.mark.parametrize(
    ("weapon", "works"), [("auto_pistol", True), ("laser_pistol", False), ("bow", False)]
)
def test_only_slug_throwers_fire_in_panic(weapon: str, works: bool) -> None:
    stage = duel(weapon, 10)
    if works:
        stage.attack((1, 1), action="panic_fire")
    else:
        refused = stage.refused("panic_fire", ADA, target=BO, weapon=f"{ADA}-w1")
        assert refused.message == "No slug thrower is ready: ready one first."
    stage = duel("auto_pistol", 10)
    stage.arm(ADA, "auto_pistol", "laser_pistol")
    assert "no slug thrower" in stage.refused("panic_fire", ADA, target=BO, weapon=f"{ADA}-w2").message
    stage.arm(ADA, "auto_pistol", "body_pistol")
    stage.load(ADA, 0)
    assert "is empty" in stage.refused("panic_fire", ADA, target=BO, weapon=f"{ADA}-w1").message


@pytest.mark.rule("CE-PANIC-02", "CE-PANIC-05")
def test_panic_fire_empties_the_gun() -> None:
    stage = duel("auto_pistol", 10)
    stage.load(ADA, 11)
    stage.attack((5, 4), action="panic_fire")
    assert stage[ADA].items[0].loaded == 0
    stage.turn(ADA)
    assert (
        "No slug thrower is ready" in stage.refused("panic_fire", ADA, target=BO, weapon=f"{ADA}-w1").message
    )


@pytest.mark.rule("CE-PANIC-03", "CE-PANIC-04")
@pytest.mark.parametrize(
    ("loaded", "dice"), [(10, (3, 4, 5, 2)), (11, (3, 4, 5, 2)), (9, (3, 4, 5)), (2, (3, 4))]
)
def test_panic_fire_has_the_damage_of_its_burst(loaded: int, dice: tuple[int, ...]) -> None:
    stage = duel("auto_pistol", 10, foe=TOUGH)
    stage.load(ADA, loaded)
    assert stage.terms("panic_fire") == {"Panic fire": -2}
    stage.attack((5, 5), dice, action="panic_fire")
    assert lost(stage) == sum(dice)


@pytest.mark.rule("CE-MINOR-04", "CE-PANIC-05")
def test_panic_fire_has_nothing_of_an_aim_and_ends_it() -> None:
    """RULING R17"""
    stage = duel("auto_pistol", 10)
    stage.aimed(ADA, BO, 2)
    assert stage.terms("panic_fire") == {"Panic fire": -2}
    assert stage.attack((4, 3), action="panic_fire").total == 7 - 2
    assert not stage.has(ADA, "aiming")


@pytest.mark.rule("CE-MINOR-07", "CE-PANIC-03")
def test_panic_fire_has_no_damage_of_an_aim_for_the_kill() -> None:
    """RULING R17"""
    stage = duel("auto_pistol", 10, foe=TOUGH)
    stage.load(ADA, 2)
    stage.aimed(ADA, BO, 3, "aiming_kill")
    stage.attack((5, 5), (3, 4), action="panic_fire")
    assert lost(stage) == 3 + 4
    assert not stage.has(ADA, "aiming_kill")


# ---------------------------------------------------------------- suppression


def suppress(stage: RangeStage, *dice: tuple[int, ...], **more: Any) -> e.Checked:
    stage.turn(ADA)
    return stage.attack(*dice, action="suppress", **more)


@pytest.mark.rule("CE-BURST-02")
def test_an_unknown_burst_is_refused_with_those_there_are() -> None:
    refused = duel().refused("attack", ADA, target=BO, weapon=f"{ADA}-w1", burst="spray,grouped")
    assert refused.message == "Attack: “Burst” takes one of: spray, grouped."


@pytest.mark.rule("CE-SUPP-02", "CE-MINOR-03")
def test_aim_counts_for_suppression_and_is_used_up() -> None:
    stage = duel()
    stage.aimed(ADA, BO, 3)
    assert suppress(stage, (4, 3)).total == 7 + 3 - 2
    assert not stage.has(ADA, "aiming")


@pytest.mark.rule("CE-SUPP-05")
def test_who_has_acted_pays_in_the_next_round() -> None:
    stage = duel()
    stage.edit(BO, acted=True)
    suppress(stage, (6, 6))
    assert stage[BO].initiative == 9
    assert stage[BO].marks["later"] == -2


@pytest.mark.rule("CE-SUPP-03")
def test_suppression_takes_double_rounds() -> None:
    stage = duel("assault_rifle")
    suppress(stage, (1, 1))
    assert stage[ADA].items[0].loaded == 28
    suppress(stage, (1, 1), rounds=4)
    assert stage[ADA].items[0].loaded == 20
    stage.load(ADA, 7)
    stage.turn(ADA)
    assert stage.refused("suppress", ADA, target=BO, weapon=f"{ADA}-w1", rounds=4).code == "no_budget"


@pytest.mark.rule("CE-SUPP-06", "CE-ROUND-07")
def test_the_suppressed_have_less_in_this_round_and_the_next() -> None:
    stage = duel()
    suppress(stage, (5, 5))
    assert stage[BO].initiative == 9  # Effect 0
    assert stage.has(BO, "suppressed")
    assert [term.value for term in hindrances(stage.state, stage[BO], "slug_rifle")] == [-1]
    assert hindrances(stage.state, stage[BO], "") == []  # a bare characteristic is no skill check
    seen = []
    for _ in range(6):
        seen.append((stage.state.round, stage.has(BO, "suppressed")))
        stage.do("next_turn")
    assert {number for number, held in seen if held} == {1, 2}
    assert (3, False) in seen


@pytest.mark.rule("CE-SUPP-07")
def test_a_burst_may_suppress_several() -> None:
    stage = duel("assault_rifle")
    other, far = stage.join("Cy", 22), stage.join("Di", 25)
    weapon = f"{ADA}-w1"
    refused = stage.refused("suppress", ADA, target=BO, weapon=weapon, rounds=4, also=far)
    assert "within 3 m" in refused.message
    assert stage.refused("suppress", ADA, target=BO, weapon=weapon, also=other).code == "bad_value"
    stage.do("suppress", ADA, dice=((6, 5), (6, 6)), target=BO, weapon=weapon, rounds=4, also=other)
    assert (stage[BO].initiative, stage[other].initiative) == (8, 7)


@pytest.mark.rule("CE-SUPP-09")
def test_nobody_is_suppressed_again_before_a_turn_of_their_own() -> None:
    stage = duel()
    stage.set_track(BO, dex=6)  # so that the two never act at the same moment
    suppress(stage, (6, 6))
    suppress(stage, (6, 6))
    assert stage[BO].initiative == 9 - 2
    stage.do("next_turn")
    assert stage.state.active == BO
    stage.do("next_turn")
    assert not stage.has(BO, "ducking")
    suppress(stage, (6, 6))
    assert stage.has(BO, "ducking")


@pytest.mark.rule("CE-SUPP-15")
def test_battle_dress_that_is_not_worn_steels_nobody() -> None:
    stage = duel(foe={"armor": ["battle_dress"]})
    stage.edit(BO, items=tuple(replace(item, place="carried") for item in stage[BO].items))
    suppress(stage, (6, 6))
    assert stage[BO].initiative == 9 - 2


@pytest.mark.rule("CE-SUPP-12", "CE-SUPP-14")
def test_machines_and_those_shut_in_do_not_care() -> None:
    stage = duel()
    car = {"kind": "vehicle", "attributes": {"hull": 3, "structure": 3, "armor": 6}}
    robot = {"kind": "robot", "attributes": {"str": 7, "dex": 7, "hull": 1, "structure": 1, "armor": 2}}
    car_id, robot_id = stage.machine("Car", (30, 0), car), stage.machine("Bot", (30, 9), robot)
    for who, rule in ((car_id, "CE-SUPP-12"), (robot_id, "CE-SUPP-14")):
        suppress(stage, (6, 6), on=who)
        assert rule in stage.rules()
    stage.put_inside(BO, car_id)
    suppress(stage, (6, 6))
    assert "CE-SUPP-12" in stage.rules()
    stage.edit(car_id, sheet={**stage[car_id].sheet, "open": True})
    suppress(stage, (6, 6))
    assert stage[BO].initiative == 7


def test_cover_does_not_help_against_suppression() -> None:
    stage = duel()
    stage.mark(BO, cover="full")
    stage.give(BO, "crouched")
    assert stage.total(action="suppress") == -2


@pytest.mark.rule("CE-SUPP-03", "CE-SUPP-06", "CS-SUPP-03")
def test_in_the_summary_the_next_action_is_lost() -> None:
    stage = duel(suppression_effect="next_action")
    suppress(stage, (6, 5))
    assert stage[ADA].items[0].loaded == 9
    assert stage[BO].initiative == 8
    assert not stage.has(BO, "suppressed")
    stage.do("next_turn")
    assert (stage.state.active, stage[BO].budget) == (BO, {"minor": 1, "significant": 0})
    stage.do("next_turn")
    assert not stage.has(BO, "pinned")


@pytest.mark.rule("CE-SUPP-04", "CE-MINOR-08")
@pytest.mark.parametrize(("dice", "kept"), [((6, 4), False), ((1, 1), True)])
@pytest.mark.parametrize("effect", ["penalty", "next_action"])
def test_ducking_from_suppression_ends_an_aim_for_the_kill(
    dice: tuple[int, int], kept: bool, effect: str
) -> None:
    """RULING R16: an ordinary aim is kept."""
    stage = duel("assault_rifle", suppression_effect=effect)
    stage.aimed(BO, ADA, 2, "aiming_kill")
    stage.aimed(BO, ADA, 1)
    suppress(stage, dice)
    assert stage.has(BO, "aiming_kill") is kept
    assert stage.has(BO, "aiming")
