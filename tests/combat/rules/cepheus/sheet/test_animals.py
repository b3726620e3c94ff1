"""Animals in the form: their natural weapons and hide, and which of these stay untouched."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import QueryDict

from characters.creation import builder
from combat.rules.cepheus import SYSTEM
from combat.rules.cepheus.characters.sheet import check_sheet, find_blocks, make_combatant
from tests.typed import sure

PLAN = sure(SYSTEM.book.sheets)
ANIMALS = [block for block in find_blocks().values() if block.sheet["kind"] == "animal"]


def make(**fields: str) -> dict[str, Any]:
    """The sheet of a form with this animal chosen."""
    data = QueryDict(mutable=True)
    named = {"chosen-kind": "animal", **{key.replace("__", "-"): value for key, value in fields.items()}}
    for name, value in named.items():
        data[name] = value
    sheet = builder.make_sheet(builder.read(SYSTEM, True, data))
    check_sheet(sheet)
    return sheet


def test_teeth_and_a_sting_with_their_dice() -> None:
    sheet = make(
        chosen__attack_1="teeth", attributes__dice_1="2", chosen__attack_2="stinger", attributes__dice_2="3"
    )
    assert sheet["natural_attacks"] == [
        {"name": "Teeth", "damage": "2d6"},
        {"name": "Stinger", "damage": "3d6"},
    ]


def test_animals_natural_weapons_and_armor_come_into_the_fight() -> None:
    sheet = make(chosen__attack_1="claws", attributes__dice_1="2", attributes__natural_armor="3")
    combatant = make_combatant("f1", "Cat", "allies", {**sheet, "name": "Cat"}, {})
    weapons = {item.name: (item.place, item.data["damage"]) for item in combatant.items}
    assert weapons["Claws"] == ("held", "2d6")
    assert combatant.sheet["natural_armor"] == 3


def test_without_any_it_has_none() -> None:
    sheet = make(attributes__move_m="12")
    assert sheet["natural_attacks"] == []
    assert (sheet["move_m"], sheet["natural_armor"]) == (12, 0)


@pytest.mark.parametrize("block", ANIMALS, ids=lambda block: block.id)
def test_an_animal_of_the_library_stays_as_it_is(block: Any) -> None:
    draft = PLAN.read(block.sheet)
    again = PLAN.write(block.sheet, draft)
    for key in ("natural_attacks", "natural_armor", "move_m"):
        assert again[key] == block.sheet[key]


def test_a_name_of_ones_own_is_kept_when_its_dice_change() -> None:
    sheet = {**ANIMALS[0].sheet, "natural_attacks": [{"name": "Tail", "damage": "1d6+2"}]}
    draft = PLAN.read(sheet)
    assert PLAN.write(sheet, draft)["natural_attacks"] == sheet["natural_attacks"]
    draft.attributes["dice_1"] = 4
    assert PLAN.write(sheet, draft)["natural_attacks"] == [{"name": "Tail", "damage": "4d6"}]


def test_people_get_no_natural_attacks_or_animal_speed() -> None:
    sheet = make(chosen__kind="person", chosen__attack_1="claws")
    assert not sheet.get("natural_attacks")
    assert "move_m" not in sheet or sheet["move_m"] == 6
