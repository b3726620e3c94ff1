"""Suits, masks and sealed armor: what they keep out and for how long."""

from __future__ import annotations

import pytest

from combat.rules.core.aftermath import make_aftermath
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from combat.rules.cosmos.hazards.protection import (
    count_left,
    count_used,
    find_shield,
    hazard_terms,
    is_exposed,
)
from tests.combat.rules.cosmos.figures import CosmosStage, lone, sheet

HOUR = 3600


def wearing(entry: str, seconds: int = 0, **marks: int) -> tuple[CosmosStage, str]:
    """Ada in a suit that she put on at the start, this many seconds later."""
    stage, ada = lone(gear=[entry])
    stage.put(ada, entry, "worn")
    stage.mark(ada, entry, since=0, **marks)
    stage.state = replace(stage.state, clock=seconds)
    return stage, ada


def is_safe(stage: CosmosStage, who: str, hazard: str = "vacuum") -> bool:
    return find_shield(stage.state, stage[who], hazard) is not None


@pytest.mark.parametrize(
    ("suit", "hours"),
    [
        pytest.param("basic_suit", 4, marks=pytest.mark.rule("COS-PROT-01")),
        pytest.param("advanced_suit", 24, marks=pytest.mark.rule("COS-PROT-02")),
        pytest.param("power_armor_suit", 168, marks=pytest.mark.rule("COS-PROT-03")),
    ],
)
def test_a_suit_protects_for_its_hours(suit: str, hours: int) -> None:
    assert is_safe(*wearing(suit, hours * HOUR - 60))
    assert not is_safe(*wearing(suit, hours * HOUR))


@pytest.mark.rule("COS-PROT-03")
def test_worn_powered_armor_is_a_suit_and_other_armor_is_not() -> None:
    stage = CosmosStage()
    ada, bo = stage.hero(armor="powered"), stage.foe(armor="heavy")
    assert is_safe(stage, ada, "radiation_severe")
    assert not is_safe(stage, bo)


@pytest.mark.rule("COS-PROT-03")
def test_the_gm_sets_how_long_power_armor_lasts() -> None:
    stage, ada = lone(armor="powered", gear=["basic_suit"])
    armor = stage.item(ada, "powered").id
    for hours in (47, 505):
        assert stage.refused("set_suit", target=ada, item=armor, hours=hours).code == "bad_value"
    stage.do("set_suit", target=ada, item=armor, hours=48, worn=False)  # this action does not take armor off
    stage.state = replace(stage.state, clock=48 * HOUR - 1)
    assert is_safe(stage, ada)
    stage.state = replace(stage.state, clock=48 * HOUR)
    assert not is_safe(stage, ada)
    suit = stage.item(ada, "basic_suit").id
    assert stage.refused("set_suit", target=ada, item=suit, hours=100).code == "bad_value"


@pytest.mark.rule("COS-PROT-04")
def test_a_vehicle_protects_without_limit() -> None:
    stage, ada = wearing("vehicle_ship", 10_000 * HOUR)
    assert is_safe(stage, ada)
    assert count_left(stage.state, stage.item(ada, "vehicle_ship")) is None


@pytest.mark.rule("COS-HAZ-21")
@pytest.mark.parametrize(("seconds", "total"), [(4 * HOUR - 12, 17), (4 * HOUR, 14)])
def test_a_filter_mask_helps_for_four_hours(seconds: int, total: int) -> None:
    stage, ada = wearing("filter_mask", seconds)
    stage.do("set_setting", key="air", value="toxic_severe")
    stage.do(
        "expose", target=ada, hazard="toxic", level="severe", dice=[(4, 5), (1,)][: 1 if total == 17 else 2]
    )
    assert stage.check("Might save").total == total


@pytest.mark.parametrize(
    ("seconds", "hazard", "safe"),
    [
        (30, "vacuum", True),
        (60, "vacuum", False),
        (599, "toxic", True),
        (600, "toxic", False),
    ],
)
def test_a_breath_mask_is_for_minutes(seconds: int, hazard: str, safe: bool) -> None:
    assert is_safe(*wearing("breath_mask", seconds), hazard) is safe


@pytest.mark.parametrize(
    ("entry", "level", "safe"),
    [
        ("basic_suit", "high", True),
        ("basic_suit", "severe", False),
        ("hostile_suit", "severe", True),
        ("hostile_suit", "lethal", False),
        ("filter_mask", "low", False),
    ],
)
def test_suits_keep_radiation_out_up_to_a_level(entry: str, level: str, safe: bool) -> None:
    assert is_safe(*wearing(entry), f"radiation_{level}") is safe


def test_a_radiation_suit_helps_the_save_beyond_its_level() -> None:
    stage, ada = wearing("radiation_suit")
    stage.do("expose", target=ada, hazard="radiation", level="severe", dice=[(6, 6)])
    assert stage.check("Resolve save").total == 20


# ---------------------------------------------------------------- on and off


@pytest.mark.rule("COS-ACT-18", "COS-PROT-01")
def test_suit_goes_on_as_a_quick_action_and_saves_time_when_off() -> None:
    stage, ada = lone(gear=["basic_suit"])
    stage.begin()
    suit = stage.item(ada, "basic_suit").id
    assert not is_safe(stage, ada)
    stage.do("suit", ada, item=suit)
    assert (is_safe(stage, ada), stage[ada].budget["quick"]) == (True, 2)
    stage.state = replace(stage.state, clock=HOUR)
    stage.do("suit", ada, item=suit)
    assert not is_safe(stage, ada)
    stage.state = replace(stage.state, clock=9 * HOUR)
    assert count_left(stage.state, stage.item(ada, "basic_suit")) == 3 * HOUR
    assert stage.form("suit", ada)["item"].options[0].detail == "off, 3 h 00 left"


@pytest.mark.rule("COS-HAZ-21")
def test_a_suit_is_used_up_in_the_round_its_time_ends() -> None:
    stage, ada = wearing("basic_suit", 4 * HOUR - 5)
    stage.begin()
    stage.do("next_turn")
    assert stage.item(ada, "basic_suit").place == "carried"
    refused = stage.refused("suit", ada, item=stage.item(ada, "basic_suit").id)
    assert refused.code == "no_budget"


@pytest.mark.rule("COS-PROT-03")
def test_gm_is_told_when_nobody_has_a_suit() -> None:
    stage, ada = lone(armor="heavy")
    refused = stage.refused("set_suit", target=ada, item=stage.item(ada, "heavy").id)
    assert (refused.code, refused.message) == (
        "not_allowed",
        "No one here has a suit, a mask or sealed armor.",
    )


def test_the_suit_action_is_for_suits() -> None:
    stage, ada = lone(armor="powered")
    stage.begin()
    assert stage.obstacle("suit", ada)
    stage, ada = lone(armor="heavy", gear=["basic_suit"])
    stage.begin()
    assert stage.refused("suit", ada, item=stage.item(ada, "heavy").id).code == "not_allowed"
    assert stage.refused("set_suit", target=ada, item=stage.item(ada, "heavy").id).code == "not_allowed"


# ---------------------------------------------------------------- the time kept on the sheet


def sealed_up() -> CosmosStage:
    """Ada (f1) in a basic suit and powered armor of her own; Bo far away. Round 1 begins."""
    stage = CosmosStage()
    things = [
        {"id": "i1", "kind": "suit", "entry": "basic_suit", "place": "worn", "wear": {"used": 60}},
        {"id": "i2", "kind": "armor", "entry": "powered", "place": "worn"},
    ]
    stage.add("Ada", sheet=sheet(items=things))
    stage.foe()
    stage.do("start", dice=[9, 1])
    return stage


@pytest.mark.rule("COS-PROT-01", "COS-PROT-03")
def test_the_time_a_suit_was_worn_goes_home_with_its_owner() -> None:
    stage = sealed_up()
    for _ in range(2 * 10):
        stage.do("next_turn")
    after = make_aftermath(stage.system, stage["f1"])
    assert [thing["wear"] for thing in after.sheet["items"]] == [{"used": 120}, {"used": 60}]
    assert after.lines == (
        "Basic suit, seconds used: 60 → 120",
        "Powered armor, seconds used: 0 → 60",
    )
    fresh = CosmosStage()
    again = fresh.add("Ada", sheet=after.sheet)
    assert fresh.item(again, "basic_suit").marks == {"used": 120}


@pytest.mark.rule("COS-PROT-01")
def test_the_time_before_someone_joined_does_not_count() -> None:
    stage = sealed_up()
    stage.do("end_fight")
    stage.do("pass_time", hours=2)
    suit = {"id": "i1", "kind": "suit", "entry": "basic_suit", "place": "worn"}
    cy = stage.add("Cy", sheet=sheet(items=[suit]))
    assert count_used(stage.state, stage.item(cy, "basic_suit")) == 0
    stage.do("pass_time", hours=1)
    assert count_used(stage.state, stage.item(cy, "basic_suit")) == 3600
    assert count_used(stage.state, stage.item("f1", "basic_suit")) == 60 + 3 * 3600


@pytest.mark.rule("COS-PROT-03", "COS-HAZ-21")
def test_powered_armor_out_of_hours_stays_on_without_protecting() -> None:
    stage, ada = lone(armor="powered")
    stage.do("set_suit", target=ada, item=stage.item(ada, "powered").id, hours=48)
    assert is_safe(stage, ada)
    stage.do("pass_time", hours=48)
    assert not is_safe(stage, ada)
    assert stage.item(ada, "powered").place == "worn"


@pytest.mark.rule("COS-PROT-03")
def test_a_suit_that_is_on_is_not_put_on_again() -> None:
    stage, ada = wearing("basic_suit", HOUR)
    stage.do("set_suit", target=ada, item=stage.item(ada, "basic_suit").id, worn=True)
    assert "how.puts_on" not in {told.how for told in stage.told(e.ItemChanged)}
    assert count_used(stage.state, stage.item(ada, "basic_suit")) == HOUR


@pytest.mark.rule("COS-HAZ-20")
@pytest.mark.parametrize(("place", "plus"), [("worn", 3), ("carried", 0)])
def test_what_armor_adds_to_a_save_it_adds_while_worn(place: str, plus: int) -> None:
    stage, ada = lone(armor="light")
    stage.change(ada, "light", traits=["filter"])
    stage.put(ada, "light", place)
    assert add_up(hazard_terms(stage.state, stage[ada], "toxic")) == plus


@pytest.mark.rule("COS-HAZ-15", "COS-HAZ-18", "COS-ENV-13")
@pytest.mark.parametrize(
    ("hazard", "reaches"),
    [("vacuum", False), ("toxic", False), ("radiation_high", True), ("temperature", True)],
)
def test_who_does_not_breathe_is_open_to_what_is_not_in_the_air(hazard: str, reaches: bool) -> None:
    stage, ada = lone(abilities={"immune_poison_disease_suffocation": True})
    assert is_exposed(stage.state, stage[ada], hazard) is reaches
