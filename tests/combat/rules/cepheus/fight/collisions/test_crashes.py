"""Crashes before their rolls: the forms say whether the vehicle may explode, and who would be hit."""

from __future__ import annotations

from typing import Any

import pytest

from tests.combat.rules.cepheus.vehicles.garage import Garage


@pytest.mark.rule("CE-VACT-23", "CE-VLOC-17", "CE-VLOC-18")
def test_weave_form_says_if_the_vehicle_explodes_and_who_is_hit() -> None:
    stage = Garage()
    city = {"id": "city", "name": "City", "x": -500, "y": -500, "width": 1000, "depth": 1000}
    stage.do("set_scene", scene={"zones": [{**city, "terrain": ["obstacles"]}]})
    car = stage.vehicle()
    ada = stage.crew(car)
    stage.foe("Walker", at=(3, 0))
    stage.foe("Runner", at=(11, 0))
    stage.edit(stage.foe("Lurker", at=(2, 0)), hidden=True)
    stage.begin(ada)
    stage.moving(car, 100, 90)
    assert notes_of(stage, "weave", ada, number=1) == [
        "A crash: 10D6 damage to Car",
        "Such a crash may blow up Car",
        "4d6 within 6 m: ally Ada and enemy Walker",
        "2d6 within 12 m: enemy Runner",
    ]
    stage.moving(car, 20, 90)
    assert notes_of(stage, "weave", ada, number=1) == ["A crash: 2D6 damage to Car"]


@pytest.mark.rule("CE-VACT-12", "CE-COLL-04", "CE-VLOC-17")
@pytest.mark.full_rules
def test_the_form_of_a_ram_says_it_where_what_is_struck_is_solid() -> None:
    stage = Garage()
    car = stage.vehicle(hull=0, structure=1, armor=2)
    ada = stage.crew(car)
    van = stage.vehicle("Van", at=(20, 0), side="enemies", pc=False)
    walker = stage.foe("Walker", at=(22, 0))
    stage.begin(ada)
    stage.moving(car, 40, 90)
    told = notes_of(stage, "ram", ada, target=van, speed=40)
    assert told[1] == "Such a crash may blow up Car"
    assert told[2] == "4d6 within 6 m: ally Ada, enemy Van and enemy Walker"
    assert notes_of(stage, "ram", ada, target=walker, speed=40) == ["4D6 damage to Walker"]


@pytest.mark.rule("CE-VACT-12", "CE-VLOC-17")
@pytest.mark.full_rules
def test_the_form_of_a_ram_says_what_the_rammed_vehicle_does_too() -> None:
    stage = Garage()
    car = stage.vehicle(hull=9, structure=9)
    ada = stage.crew(car)
    van = stage.vehicle("Van", at=(20, 0), side="enemies", hull=0, structure=1, armor=2)
    stage.seat(stage.foe("Bo"), van, "driver")
    stage.begin(ada)
    stage.moving(car, 40, 90)
    assert notes_of(stage, "ram", ada, target=van, speed=40) == [
        "4D6 damage to Van",
        "Such a crash may blow up Van",
        "4d6 within 6 m: enemy Bo and ally Car",
        "2d6 within 12 m",
    ]


@pytest.mark.rule("CE-COLL-01", "CE-VLOC-17")
def test_the_form_of_the_gm_says_it_of_both() -> None:
    stage = Garage()
    car, van = stage.vehicle(), stage.vehicle("Van", at=(20, 0))
    stage.crew(van)
    notes = notes_of(stage, "crash", "", target=car, struck=van, speed=100, solid=True)
    assert notes[0] == "10D6 damage to Van and to Car"
    assert [note for note in notes if "blow up" in note] == [
        "Such a crash may blow up Van",
        "Such a crash may blow up Car",
    ]
    assert "4d6 within 6 m: ally Ada" in notes
    assert notes_of(stage, "crash", "", target=car, speed=20, solid=False) == []


def notes_of(stage: Garage, action: str, who: str, **fields: Any) -> list[str]:
    names = {each: combatant.name for each, combatant in stage.state.combatants.items()}
    return [str(stage.system.draw(note, names)) for note in stage.preview(action, who, **fields).notes]
