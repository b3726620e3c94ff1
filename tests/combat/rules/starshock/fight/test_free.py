"""Free actions: in anyone's turn, once per cycle, again for an action."""

from __future__ import annotations

import pytest

from tests.combat.rules.starshock.figures import ADA, BO, CY, StarStage, duel
from tests.combat.rules.starshock.turn.test_stance import party

PACK = ("dagger", "dagger", "ray_gun", "beam_rifle")


def packed(actions: int = 1, **options: object) -> StarStage:
    """Ada with two daggers in hand and two weapons in the pack."""
    stage = StarStage("dock", "hold", **options)
    stage.hero("Ada", *PACK, zone="dock")
    stage.foe("Bo", zone="hold")
    return stage.begin(ADA, BO, actions=actions)


def named(stage: StarStage, *entries: str) -> list[str]:
    """The ids of Ada's items by catalog name, each a different one."""
    found: list[str] = []
    for entry in entries:
        items = (i.id for i in stage[ADA].items if i.data.get("id") == entry)
        found.append(next(i for i in items if i not in found))
    return found


@pytest.mark.rule("SS-FREE-03")
def test_a_free_action_one_time_per_cycle() -> None:
    stage = packed()
    dagger, ray_gun = named(stage, "dagger", "ray_gun")
    stage.do("change_items", ADA, stow=[dagger], draw=[ray_gun])
    stage.end_turn()
    assert stage.state.active == BO
    refused = stage.refused("change_items", ADA, stow=[ray_gun])
    assert "free once until Ada's next turn" in refused.message
    stage.do("communicate", ADA)
    stage.next_turn_of(ADA)
    stage.do("change_items", ADA, stow=[ray_gun])


# ---------------------------------------------------------------- Free Move


@pytest.mark.rule("SS-FREE-05")
@pytest.mark.parametrize(
    ("option", "zones", "grid"),
    [("zones_only", True, False), ("always", True, True), ("never", False, False)],
)
def test_free_move_in_the_turns_of_others(option: str, zones: bool, grid: bool) -> None:
    for kind, allowed in (("zones", zones), ("squares", grid)):
        stage = packed(1, free_move_out_of_turn=option)
        stage.map(kind)
        stage.turn(ADA, 1)
        stage.turn(BO, 1)
        submission = {"to": "1,1"}
        if allowed:
            stage.do("free_move", ADA, **submission)
            assert stage[ADA].at.x == 1
        else:
            assert stage.refused("free_move", ADA, **submission).code == "not_your_turn"


@pytest.mark.rule("SS-FREE-05")
def test_free_move_may_cross_one_border_where_the_table_says_so() -> None:
    stage = party(1)
    assert "takes a Move" in stage.refused("free_move", ADA, to="zone:hold").message
    stage = party(1, options={"free_move_crosses_zone": "once_per_round"})
    stage.do("free_move", ADA, to="zone:hold")
    assert (stage.zone_of(ADA), stage[ADA].budget["actions"]) == ("hold", 1)
    assert "crossed a border already" in stage.refused("free_move", ADA, to="zone:deck").message


@pytest.mark.rule("SS-FREE-05")
@pytest.mark.parametrize(("option", "inside"), [("in_zone", True), ("none", False), ("normal", True)])
def test_how_the_prone_move(option: str, inside: bool) -> None:
    stage = party(1, options={"prone_crawl": option})
    stage.give(ADA, "prone")
    if inside:
        stage.do("free_move", ADA, to=f"near:{CY}")
    else:
        assert "stand up first" in stage.refused("free_move", ADA, to=f"near:{CY}").message
    if option == "normal":
        stage.do("move", ADA, to="zone:hold")
    else:
        assert "stand up" in stage.refused("move", ADA, to="zone:hold").message


# ---------------------------------------------------------------- prone


@pytest.mark.rule("SS-FREE-08")
def test_standing_is_no_free_action_unless_the_table_says_so() -> None:
    stage = duel()
    stage.turn(ADA, 0)
    stage.give(ADA, "prone")
    assert stage.refused("stand_up", ADA).message == stage.obstacle("stand_up", ADA)
    stage = duel(stand_up="free_once")
    stage.turn(ADA, 0)
    stage.give(ADA, "prone")
    assert not stage.obstacle("stand_up", ADA)
    stage.turn(ADA, 1)
    for left in (1, 0):
        stage.edit(ADA, conditions=())
        stage.give(ADA, "prone")
        stage.do("stand_up", ADA)
        assert not stage.has(ADA, "prone")
        assert stage[ADA].budget["actions"] == left


# ---------------------------------------------------------------- items


@pytest.mark.rule("SS-FREE-09")
def test_a_weapon_and_a_tool_are_put_away_one_at_a_time() -> None:
    stage = StarStage("dock")
    stage.hero("Ada", "dagger", zone="dock", gear=("medical_kit",))
    stage.begin(ADA, actions=1)
    dagger, kit = stage.weapon(ADA, "dagger"), stage.item(ADA, "medical_kit").id
    stage.do("change_items", ADA, draw=[kit])
    assert stage.item(ADA, "medical_kit").place == "held"
    stage.turn(ADA, 1)
    assert "puts away one item" in stage.refused("change_items", ADA, stow=[dagger, kit]).message
    stage.do("change_items", ADA, stow=[dagger])
    assert [stage.item(ADA, entry).place for entry in ("dagger", "medical_kit")] == ["carried", "held"]


@pytest.mark.rule("SS-FREE-10")
def test_then_one_thing_is_drawn() -> None:
    stage = packed()
    dagger, ray_gun, rifle = named(stage, "dagger", "ray_gun", "beam_rifle")
    refused = stage.refused("change_items", ADA, stow=[dagger], draw=[ray_gun, rifle])
    assert "draws one" in refused.message


@pytest.mark.rule("SS-FREE-10")
def test_hands_are_not_counted_where_the_table_ignores_them() -> None:
    careless = packed(two_handed="ignored")
    dagger, rifle = named(careless, "dagger", "beam_rifle")
    careless.do("change_items", ADA, stow=[dagger], draw=[rifle])
    assert careless.item(ADA, "beam_rifle").place == "held"


@pytest.mark.rule("SS-FREE-09")
def test_a_bionic_arm_changes_everything_at_once() -> None:
    stage = packed()
    stage.edit(ADA, sheet={**stage[ADA].sheet, "features": ["bionic_arm_2"]})
    first, second, rifle = named(stage, "dagger", "dagger", "beam_rifle")
    stage.do("change_items", ADA, stow=[first, second], draw=[rifle])
    assert stage.item(ADA, "beam_rifle").place == "held"


@pytest.mark.rule("SS-FREE-11")
def test_a_few_words_are_free() -> None:
    stage = duel()
    stage.do("communicate", ADA, what="Behind {who}!")
    assert stage.said() == ["Ada: “Behind {who}!”"]


@pytest.mark.rule("SS-FREE-05", "SS-OTHER-07")
@pytest.mark.parametrize("zone", [{"terrain": ["difficult"]}, {"links": {"dock": 2}}])
def test_free_move_does_not_cross_what_takes_two_moves(zone: dict[str, object]) -> None:
    stage = party(1, options={"free_move_crosses_zone": "once_per_round"})
    stage.describe("hold", **zone)
    stage.describe("dock", **({"links": {"hold": 2}} if "links" in zone else {}))
    assert "more than one Move" in stage.refused("free_move", ADA, to="zone:hold").message


@pytest.mark.rule("SS-FREE-10", "SS-ATK-01")
@pytest.mark.parametrize("option", ["enforced", "ignored"])
def test_a_weapon_of_two_hands_needs_both_to_be_used(option: str) -> None:
    """Both are in hand since the table began to count hands in the middle of the fight."""
    stage = duel("beam_rifle", "dagger", two_handed=option)
    stage.put(BO, "hold")
    rifle = stage.weapon(ADA, "beam_rifle")
    offered = {o.value: o.refused for o in stage.field("attack", ADA, "weapon").options}
    if option == "ignored":
        assert offered[rifle] == ""
        stage.attack("beam_rifle", (1, 1))
        return
    assert offered[rifle] == "Beam Rifle takes both hands: put Dagger away."
    assert stage.refused("attack", ADA, target=BO, weapon=rifle).message == offered[rifle]
    assert stage[ADA].budget["actions"] == 1
    stage.put(BO, "dock")
    stage.attack("dagger", (1, 1))
