"""Values the GM types: each with effect and reason in the log."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.state import events as e
from combat.rules.guardians.characters.values import find_ranks
from tests.combat.rules.guardians.stage import ADA, BO, GuardStage, lone

WHY = "the lamp falls"


def table(**options: Any) -> GuardStage:
    stage = GuardStage(**options)
    stage.hero("Ada", "long_sword", blades=11, spirit=10)
    stage.foe("Bo", wears=("riot_gear",))
    return stage.begin(ADA, BO)


def reasons(stage: GuardStage) -> list[str]:
    return [fact.event.reason for fact in stage.facts if isinstance(fact.event, e.Overruled)]


# ---------------------------------------------------------------- body


@pytest.mark.rule("CG-SPEC-07", "CG-SPEC-06")
@pytest.mark.parametrize(("soak", "left"), [(False, 13), (True, 20)])
def test_special_damage_as_typed(soak: bool, left: int) -> None:
    stage = table()
    typed: dict[str, Any] = {"target": BO, "place": "torso", "damage": "2d6", "soak": soak, "reason": WHY}
    stage.do("harm", dice=((3, 4),), **typed)
    assert stage.part(BO, "torso") == left
    assert reasons(stage) == [WHY]


@pytest.mark.rule("CG-SPEC-07", "CG-LIMB-05")
def test_special_damage_may_be_a_number_and_sever() -> None:
    stage = table()
    stage.do("harm", dice=(50,), target=BO, place="left_arm", damage="12", severs=True)
    assert stage.is_so(BO, "destroyed", "left_arm")
    assert stage.first().what == "check.severed"
    for wrong in ("lots", "0", "-3"):
        assert stage.refused("harm", target=BO, place="head", damage=wrong).code == "bad_value"


@pytest.mark.rule("CG-REF-11")
def test_points_are_overruled_with_old_and_new_value() -> None:
    stage = table()
    stage.set_part(ADA, "left_arm", 3)
    stage.do("adjust", target=ADA, track="mp.left_arm", to=5, reason=WHY)
    (told,) = stage.told(e.TrackChanged)
    assert (told.old, told.new) == (3, 5)
    assert reasons(stage) == [WHY]


@pytest.mark.rule("CG-LIMB-03", "CG-BLEED-01", "CG-REF-11")
def test_the_gm_says_what_a_limb_is() -> None:
    stage = table()

    def limb(state: str, *dice: int) -> set[str]:
        stage.do("limb", dice=dice, target=BO, place="left_leg", state=state, reason=WHY)
        assert reasons(stage) == [WHY]
        return {kind for kind in ("disabled", "destroyed", "bleeding") if stage.is_so(BO, kind, "left_leg")}

    assert limb("disabled") == {"disabled"}
    assert limb("severed", 50) == {"destroyed", "bleeding"}
    assert limb("crushed") == {"destroyed", "bleeding"}
    assert [c.marks["how"] for c in stage[BO].conditions if c.kind == "destroyed"] == ["crushed"]
    assert limb("stanched") == {"destroyed"}
    assert limb("bleeding") == {"destroyed", "bleeding"}
    assert limb("sound") == set()
    assert stage.part(BO, "left_leg") == 15


@pytest.mark.rule("CG-LIMB-03")
def test_a_limb_disabled_by_the_gm_stays_so() -> None:
    stage = table()
    stage.do("limb", target=BO, place="left_leg", state="disabled")
    stage.set_part(BO, "left_arm", 8)
    assert stage.is_so(BO, "disabled", "left_leg")


def test_a_limbs_state_without_a_limb_finds_one() -> None:
    stage = table()
    for kind in ("disabled", "bleeding"):
        stage.do("give_condition", target=BO, kind=kind)
        assert stage.is_so(BO, kind, "right_arm")


# ---------------------------------------------------------------- conditions


@pytest.mark.rule("CG-REF-11", "CG-STUN-02")
@pytest.mark.parametrize(("rounds", "ends"), [(1, 6), (3, 18), (0, None)])
def test_a_condition_for_so_many_rounds(rounds: int, ends: int | None) -> None:
    stage = table()
    stage.do("impose", target=BO, kind="painkillers", rounds=rounds, reason=WHY)
    (held,) = (c for c in stage[BO].conditions if c.kind == "painkillers")
    assert held.marks.get("ends_at") == (None if ends is None else stage.state.clock + ends)
    assert reasons(stage) == [WHY]
    assert stage.refused("impose", target=BO, kind="dead", rounds=1).code == "unknown"
    assert stage.refused("impose", target=BO, kind="stunned", rounds=-1).code == "bad_value"


@pytest.mark.rule("CG-REF-11")
def test_conditions_of_the_gms_own_change_ranks() -> None:
    stage = table()
    stage.do("define_condition", name="Blinded", changes={"rolls": -3})
    stage.do("give_condition", target=ADA, kind="o1", reason=WHY)
    assert find_ranks(stage.state, stage[ADA], "blades") == 8
    stage.do("define_condition", name="Blessed blade", changes={"rolls of blades": 2})
    stage.do("give_condition", target=ADA, kind="o2")
    assert find_ranks(stage.state, stage[ADA], "blades") == 10
    assert find_ranks(stage.state, stage[ADA], "spirit") == 7
    assert stage.refused("define_condition", name="Odd", changes={"rolls": 21}).code == "bad_value"
    assert stage.refused("define_condition", name="Odd", changes={"rolls of singing": 1}).code == "bad_value"


@pytest.mark.rule("CG-REF-02")
@pytest.mark.parametrize(
    ("die", "severity", "kinds"),
    [
        (41, -2, {"frightened"}),
        (40, -2, set()),
        (91, -2, {"frightened", "terrified"}),
        (90, -2, {"frightened"}),
    ],
)
def test_fear_is_a_spirit_roll(die: int, severity: int, kinds: set[str]) -> None:
    stage = table()
    stage.do("fear", dice=(die,), target=ADA, severity=severity)
    assert stage.first().against == 40
    assert {kind for kind in ("frightened", "terrified") if stage.has(ADA, kind)} == kinds


@pytest.mark.rule("CG-REF-02")
def test_it_is_spirit_that_stands_against_fear() -> None:
    stage = lone(spirit=12, mind=6)
    stage.do("fear", dice=(60,), target=ADA)
    assert stage.first().against == 60
    assert not stage.has(ADA, "frightened")


@pytest.mark.rule("CG-REF-02")
def test_the_frightened_lose_ranks_for_some_rounds() -> None:
    stage = table(fear_ranks=-3, fear_rounds=2)
    stage.do("fear", dice=(99,), target=ADA)
    assert find_ranks(stage.state, stage[ADA], "blades") == 8
    (held,) = (c for c in stage[ADA].conditions if c.kind == "frightened")
    assert held.marks["ends_at"] == stage.state.clock + 12
    assert "no fear rolls" in table(fear="off").refused("fear", target=ADA).message
    assert stage.refused("fear", target=ADA, severity=-7).code == "bad_value"


# ---------------------------------------------------------------- items


@pytest.mark.rule("CG-SPEC-06", "CG-LOC-11")
@pytest.mark.parametrize(("fate", "lying"), [("dropped", 1), ("destroyed", 0)])
def test_the_gm_disarms_or_breaks(fate: str, lying: int) -> None:
    stage = table()
    sword = stage.item(ADA, "long_sword").id
    stage.do("thing", target=ADA, item=sword, fate=fate, reason=WHY)
    assert stage.find(ADA, "long_sword") is None
    assert len(stage.state.ground) == lying
    assert reasons(stage) == [WHY]


@pytest.mark.rule("CG-REF-05", "CG-REF-11")
def test_a_weapon_as_typed() -> None:
    stage = table()
    stage.do("arm", target=ADA, weapon="long_sword", name="Sun blade", damage="4d6", skill="energy_weapons")
    found = next(item for item in stage[ADA].items if item.name == "Sun blade")
    assert (found.data["damage"], found.data["skill"], found.place) == ("4d6", "energy_weapons", "carried")
    assert stage.refused("arm", target=ADA, weapon="long_sword", damage="lots").code == "bad_value"
    assert stage.refused("arm", target=ADA, weapon="spork").code == "unknown"


@pytest.mark.rule("CG-FAT-01")
def test_a_round_is_judged_only_in_a_fight() -> None:
    stage = table()
    stage.do("toil", target=BO, physical=True, reason=WHY)
    assert reasons(stage) == [WHY]
    assert "already counts as physical alone" in stage.refused("toil", target=BO, physical=True).message
    stage.do("end_fight")
    assert stage.refused("toil", target=BO, physical=False).code == "not_allowed"


@pytest.mark.rule("CG-SPEC-07")
def test_special_damage_is_for_the_living() -> None:
    stage = table()
    stage.set_part(BO, "head", 0)
    assert "is dead" in stage.refused("harm", target=BO, place="torso", damage="5").message


# ---------------------------------------------------------------- consequences of the GM's changes


@pytest.mark.rule("CG-REF-11", "CG-LOC-10")
@pytest.mark.parametrize("kind", ["unconscious", "dead"])
def test_who_goes_down_by_the_gms_word_lies_with_empty_hands(kind: str) -> None:
    stage = table()
    stage.do("give_condition", target=ADA, kind=kind)
    assert stage.has(ADA, "prone")
    assert [item.name for item in stage.state.ground] == ["Long Sword"]


@pytest.mark.rule("CG-REF-11")
def test_condition_given_again_replaces_the_earlier_one() -> None:
    stage = table()
    for rounds in (5, 2):
        stage.do("impose", target=BO, kind="frightened", rounds=rounds)
    (held,) = stage[BO].conditions
    assert held.marks["ends_at"] == stage.state.clock + 12
    stage.do("give_condition", target=BO, kind="frightened")
    (again,) = stage[BO].conditions
    assert again.id != held.id


@pytest.mark.rule("CG-REF-05")
def test_ranks_are_no_part_of_typed_dice() -> None:
    refused = table().refused("arm", target=ADA, weapon="club", damage="2d6+3")
    assert "added automatically" in refused.message
