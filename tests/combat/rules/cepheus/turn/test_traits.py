"""What the GM says about nerves and about shielded electrics."""

from __future__ import annotations

import pytest

from combat.rules.cepheus import SYSTEM
from combat.rules.core.commands.commands import Field
from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.figures import ADA, BO, CepheusStage

from ..fight.range import RangeStage, duel


def suppress(stage: RangeStage) -> None:
    stage.turn(ADA)
    stage.do("suppress", ADA, dice=((6, 6),), target=BO, weapon=f"{ADA}-w1")


def fields(stage: CepheusStage, action: str) -> dict[str, Field]:
    return {field.name: field for field in SYSTEM.action(action).find_fields(stage.state, "")}


# ---------------------------------------------------------------- nerve


def test_nerve_is_ignored_if_suppression_takes_the_next_action() -> None:
    """RULING R87"""
    stage = duel(suppression_effect="next_action")
    assert "house rules" in stage.refused("set_nerve", target=BO, nerve="zealot").message


@pytest.mark.rule("CE-SUPP-11", "CE-SUPP-13", "CE-SUPP-14", "CE-SUPP-16")
@pytest.mark.parametrize(
    ("nerve", "rule"), [("zealot", "CE-SUPP-13"), ("android", "CE-SUPP-14"), ("suicidal", "CE-SUPP-16")]
)
def test_the_gm_says_who_minds_no_suppression_fire(nerve: str, rule: str) -> None:
    stage = duel()
    stage.do("set_nerve", target=BO, nerve=nerve)
    assert rule in stage.rules()
    assert stage.audiences() == {e.GM_ONLY}
    suppress(stage)
    assert stage[BO].initiative == 9
    assert rule in stage.rules()


@pytest.mark.rule("CE-SUPP-11")
def test_nerve_is_changed_and_taken_back() -> None:
    stage = duel()
    assert stage.refused("set_nerve", target=BO, nerve="as_usual").code == "not_allowed"
    assert stage.refused("set_nerve", target=BO, nerve="brave").code == "bad_value"
    stage.do("set_nerve", target=BO, nerve="zealot")
    assert stage.refused("set_nerve", target=BO, nerve="zealot").code == "not_allowed"
    stage.do("set_nerve", target=BO, nerve="suicidal")
    assert stage[BO].marks.get(f"{e.UNTOLD_MARK}zealot") is None
    assert [o.detail for o in fields(stage, "set_nerve")["target"].options] == [
        "as the sheet has it",
        "suicidal",
    ]
    stage.do("set_nerve", target=BO, nerve="as_usual")
    suppress(stage)
    assert stage[BO].initiative == 7


def test_machines_are_not_asked_about() -> None:
    stage = RangeStage()
    car = {"kind": "vehicle", "attributes": {"hull": 3, "structure": 3, "armor": 6}}
    stage.add("Car", "enemies", (0, 0), car)
    with pytest.raises(Exception, match="machines never mind"):
        SYSTEM.action("set_nerve").check_now(stage.state, "")


# ---------------------------------------------------------------- shielding


def search(stage: RangeStage) -> bool:
    """Whether Ada's probe finds Bo, who hides within its reach."""
    stage.turn(ADA)
    stage.edit(BO, hidden=True)
    probe = next(item.id for item in stage[ADA].items if item.data.get("sensor") == "electromagnetic")
    stage.do("scan", ADA, item=probe)
    return not stage[BO].hidden


def probed() -> RangeStage:
    """Ada with a probe; Bo beside her with a gauss rifle."""
    stage, other = duel(meters=1), CepheusStage()
    other.hero("Eve", weapons=["gauss_rifle"], gear=["electromagnetic_probe"])
    rifle, probe = (item for item in other[ADA].items if item.name != "Unarmed Strike")
    stage.edit(BO, items=(replace(rifle, id=f"{BO}-1"),))
    stage.edit(ADA, items=(*stage[ADA].items, replace(probe, id=f"{ADA}-9")))
    return stage


@pytest.mark.rule("CE-SENS-06")
def test_the_gm_says_whose_electrics_are_shielded() -> None:
    stage = probed()
    stage.do("set_shield", item=f"{BO}-1", shielded=True)
    assert stage.audiences() == {e.GM_ONLY, e.for_seat(BO)}
    assert not search(stage)
    assert stage.refused("set_shield", item=f"{BO}-1", shielded=True).code == "not_allowed"
    stage.do("set_shield", item=f"{BO}-1", shielded=False)
    assert search(stage)


@pytest.mark.rule("CE-SENS-06")
def test_only_what_detectors_would_find_is_offered() -> None:
    stage = probed()
    assert [(o.value, o.label) for o in fields(stage, "set_shield")["item"].options] == [
        (f"{BO}-1", "Gauss Rifle, Bo")
    ]
    assert stage.refused("set_shield", item=f"{ADA}-w1", shielded=True).code == "bad_value"
    stage.edit(BO, items=())
    with pytest.raises(Exception, match="gauss weapon or a transmitter"):
        SYSTEM.action("set_shield").check_now(stage.state, "")
