"""Disarming and tripping."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.basics.errors import Refused
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from tests.combat.rules.cosmos.duels import ADA, BO, duel, labels, rule_of, strike, sums, terms
from tests.combat.rules.cosmos.fight.maneuvers.test_maneuvers import attempt
from tests.combat.rules.cosmos.figures import CosmosStage


def disarm(stage: CosmosStage, faces: tuple[int, int], *dice: Any, weapon: str = "club") -> e.Checked:
    return attempt(stage, "disarm", faces, *dice, weapon=stage.weapon(ADA, weapon))


def disarm_with(stage: CosmosStage, item: str) -> e.Checked:
    """Ada's disarm of one weapon of Bo's, which succeeds."""
    return attempt(stage, "disarm", (9, 9), 4, weapon=stage.weapon(ADA, "club"), item=item)


@pytest.mark.rule("COS-MANV-07", "COS-MANV-08", "COS-ACT-04")
def test_a_disarm_at_minus_two_knocks_the_weapon_away() -> None:
    stage = duel("club", apart=1, bo={"armor": "heavy"})
    check = disarm(stage, (5, 6), 4)
    assert (check.total, check.against) == (16, 16)
    assert rule_of(check.modifiers, "Disarm") == (-2, "COS-MANV-07")
    (lying,) = stage.state.ground
    assert (lying.name, lying.place, lying.at) == ("Pistol", "ground", Point(5, 0))
    assert stage.hp(BO) == 96
    assert stage[ADA].budget == {"standard": 0, "move": 1, "quick": 3}


@pytest.mark.rule("COS-MANV-08")
@pytest.mark.parametrize(("height", "x", "z"), [(1, 5, 1), (30, 1.9, 0), (-30, 5, -30)])
def test_a_weapon_struck_away_stays_below_a_wall(height: float, x: float, z: float) -> None:
    stage = duel("club", apart=1, bo={"armor": "heavy"})
    stage.zone("roof", x=2, y=-5, width=9, depth=10, height=height)
    disarm(stage, (5, 6), 4)
    assert stage.state.ground[0].at == Point(x, 0, z)


@pytest.mark.rule("COS-MANV-08")
def test_a_lost_weapon_is_picked_up_from_where_it_lies() -> None:
    stage = duel("club", apart=1, bo={"weapons": ("club",)})
    disarm(stage, (9, 9), 4)
    lost = stage.state.ground[0].id
    stage.turn(BO)
    no = stage.refused("pick_up", BO, item=lost)
    assert (no.code, no.message) == ("out_of_range", "Out of reach: Club lies 4 m away.")
    stage.do("move", BO, to="5,0")
    stage.do("pick_up", BO, item=lost)
    assert stage.item(BO, "club").place == "held"
    assert not stage.state.ground


@pytest.mark.rule("COS-MANV-07", "COS-MANV-08")
def test_the_attacker_chooses_which_weapon_to_knock_away() -> None:
    stage = duel("club", apart=1, bo={"weapons": ("sword", "pistol")})
    pistol = stage.weapon(BO, "pistol")
    field = stage.form("disarm", ADA)["item"]
    assert [option.label for option in field.options] == [
        "the first one in hand", "Sword of Bo", "Pistol of Bo"
    ]  # fmt: skip
    disarm_with(stage, item=pistol)
    assert [item.name for item in stage.state.ground] == ["Pistol"]
    assert stage.item(BO, "sword").place == "held"


@pytest.mark.rule("COS-MANV-07")
def test_a_disarm_is_about_a_weapon_in_hand() -> None:
    stage = duel("club", apart=1, bo={"weapons": ("sword", "pistol")})
    carried = stage.put(BO, "pistol", "carried")
    no = stage.refused("disarm", ADA, target=BO, weapon=stage.weapon(ADA, "club"), item=carried)
    assert (no.code, no.message) == ("bad_value", "Bo does not hold that weapon: choose Sword.")


@pytest.mark.rule("COS-MANV-08", "COS-MANV-09")
def test_a_critical_from_afar_catches_nothing() -> None:
    stage = duel("pistol", apart=10, bo={"weapons": ("sword",)})
    assert disarm(stage, (10, 10), 4, weapon="pistol").outcome == "outcome.critical"
    assert [item.name for item in stage.state.ground] == ["Sword"]


@pytest.mark.rule("COS-MANV-10")
@pytest.mark.parametrize(("faces", "sum_", "dropped"), [((4, 4), 13, True), ((4, 5), 14, False)])
def test_a_disarm_that_fails_by_five_drops_the_own_weapon(
    faces: tuple[int, int], sum_: int, dropped: bool
) -> None:
    stage = duel("club", apart=1)
    check = disarm(stage, faces)
    assert (check.total, check.against, check.outcome) == (sum_, 18, "outcome.miss")
    assert [item.name for item in stage.state.ground] == (["Club"] if dropped else [])


@pytest.mark.rule("COS-MANV-10")
def test_fists_are_not_dropped() -> None:
    stage = duel("club", apart=1)
    disarm(stage, (1, 2), weapon="unarmed")
    assert not stage.state.ground


@pytest.mark.rule("COS-MANV-10")
def test_a_thrown_knife_is_not_dropped_as_well() -> None:
    stage = duel("throwing_knife", apart=5)
    disarm(stage, (1, 2), weapon="throwing_knife")
    assert [(item.name, item.at) for item in stage.state.ground] == [("Throwing knife", Point(5, 0))]


@pytest.mark.rule("COS-MANV-07")
def test_a_shot_may_disarm_and_uses_its_round_and_aim() -> None:
    stage = duel("pistol")
    stage.do("quick_aim", ADA)
    check = disarm(stage, (5, 6), 2, weapon="pistol")
    assert check.total == 19 + 1 - 2
    assert stage.item(ADA, "pistol").loaded == 14
    assert not stage.has(ADA, "quick_aim")


@pytest.mark.rule("COS-MANV-07")
def test_empty_hands_lose_nothing() -> None:
    stage = duel("club", apart=1)
    for item in stage[BO].items:
        stage.change_item(BO, item.data["id"], place="carried")
    no = stage.refused("disarm", ADA, target=BO, weapon=stage.weapon(ADA, "club"))
    assert (no.code, no.message) == ("bad_target", "Bo holds no weapon.")
    stage.change_item(BO, "unarmed", place="held")
    assert stage.refused("disarm", ADA, target=BO, weapon=stage.weapon(ADA, "club")).code == "bad_target"


# ---------------------------------------------------------------- trip


@pytest.mark.rule("COS-MANV-11", "COS-MANV-12", "COS-ACT-04")
@pytest.mark.parametrize(
    ("using", "label", "faces", "sum_", "down"),
    [
        ("COO", "Coordination", (7, 5), 18, True),
        ("COO", "Coordination", (6, 5), 17, False),
        ("MIG", "Might", (7, 6), 18, True),
        ("MIG", "Might", (7, 5), 17, False),
    ],
)
def test_a_trip_rolls_one_attribute_alone(
    using: str, label: str, faces: tuple[int, int], sum_: int, down: bool
) -> None:
    stage = duel("club", apart=1)
    check = attempt(stage, "trip", faces, using=using)
    assert (check.total, check.against) == (sum_, 18)
    assert terms(check.modifiers) == [(label, sum_ - sum(faces), "COS-MANV-11")]
    assert stage.has(BO, "prone") == down
    assert (stage.hp(BO), stage[ADA].budget["standard"]) == (96, 0)


@pytest.mark.rule("COS-MANV-11")
def test_the_form_offers_the_better_attribute_first() -> None:
    assert duel(apart=1).form("trip", ADA)["using"].value == "COO"
    strong = duel(apart=1, ada={"attributes": {"MIG": 9}})
    assert strong.form("trip", ADA)["using"].value == "MIG"
    assert strong.refused("trip", ADA, target=BO, using="INT").code == "bad_value"


@pytest.mark.rule("COS-MANV-11", "COS-MANV-13")
def test_who_lies_is_not_tripped_with_a_blow_either() -> None:
    stage = duel("club", apart=1)
    stage.give(BO, "prone")
    no = stage.refused("attack", ADA, target=BO, weapon=stage.weapon(ADA, "club"), trip=True)
    assert no.message == "Bo is prone already."


@pytest.mark.rule("COS-MANV-13")
@pytest.mark.parametrize(("faces", "sum_", "both"), [((5, 6), 17, True), ((5, 5), 16, False)])
def test_a_trip_joins_an_attack_at_minus_two(faces: tuple[int, int], sum_: int, both: bool) -> None:
    stage = duel("knife", apart=1, bo={"armor": "medium"})
    blow = strike(stage, "knife", faces, damage=2, trip=True)
    assert (blow.total, blow.against) == (sum_, 17)
    assert rule_of(blow.modifiers, "With a trip") == (-2, "COS-MANV-13")
    assert stage.has(BO, "prone") == both
    assert (stage.hp(BO) < 96) == both


@pytest.mark.rule("COS-MANV-13")
def test_a_trip_joins_one_melee_attack_only() -> None:
    stage = duel("pistol", "club", apart=1)
    for weapon, attacks in (("pistol", 1), ("club", 2)):
        with_one = stage.weapon(ADA, weapon)
        no = stage.refused("attack", ADA, trip=True, target=BO, weapon=with_one, attacks=attacks)
        assert (no.code, no.message) == ("not_allowed", "A trip joins one melee attack.")


@pytest.mark.rule("COS-MANV-14", "COS-MANV-13")
def test_size_counts_in_a_joined_trip_but_not_in_a_plain_attack() -> None:
    stage = duel("club", apart=1, ada={"size": "small"}, bo={"size": "large"})
    assert rule_of(sums(stage, "club", trip=True).modifiers, "Size") == (-4, "COS-MANV-14")
    assert labels(sums(stage, "club").modifiers) == ["Might", "Half Combat"]


@pytest.mark.rule("COS-MANV-01", "COS-MANV-07", "COS-MANV-11")
@pytest.mark.parametrize("name", ["grapple", "disarm", "trip"])
def test_the_forms_refuse_what_the_maneuvers_would_refuse(name: str) -> None:
    stage = duel("club", apart=3)
    fields = {"weapon": stage.weapon(ADA, "club")} if name == "disarm" else {}
    with pytest.raises(Refused, match="Bo is 3 m away"):
        stage.preview(name, ADA, target=BO, **fields)
