"""Characters: a playable one in a few steps, any rank and value, the table's own names."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from characters.models import Character
from characters.services import character_service
from combat.rules.core.sheets.sheets import (
    blank_draft,
    find_departures,
    find_faults,
    find_sheet_problems,
    with_preset,
)
from combat.rules.core.state.state import replace
from combat.rules.guardians import SYSTEM
from combat.rules.guardians.book.tables import PLACES
from combat.rules.guardians.characters.sheet import Sheet, make_combatant
from combat.rules.guardians.sheet import PACKAGES, PLAN, find_own, put_own
from tests.combat.visit import read


def blank_sheet() -> dict[str, Any]:
    return PLAN.write({"name": "", "items": []}, blank_draft(PLAN))


def test_a_blank_character_is_average_and_sound() -> None:
    sheet = blank_sheet()
    assert not find_faults(PLAN, blank_draft(PLAN))
    assert not find_sheet_problems(PLAN, Sheet, sheet)
    combatant = make_combatant("f1", "New", "", sheet, {})
    assert combatant.sheet["ranks"]["health"] == 10
    assert combatant.sheet["ranks"]["unarmed_combat"] == 5
    assert combatant.tracks["mp.torso"] == 20


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.key)
def test_each_package_makes_a_legal_character_able_to_fight(package: Any) -> None:
    draft = blank_draft(PLAN)
    draft = replace(draft, skills=with_preset(draft.skills, package))
    assert not find_faults(PLAN, draft)
    sheet = PLAN.write(blank_sheet(), draft)
    assert not find_departures(PLAN, sheet)
    assert sheet["ranks"]["running"] >= 8
    assert sum(value > 5 for value in package.values.values()) == 3


def test_a_sheet_says_the_same_after_it_was_read_and_written() -> None:
    sheet = {
        **blank_sheet(),
        "mortality": {"head": 12},
        "natural_armor": {"torso": 2},
        "initiative": -2,
        "footing": 75,
        "hand": "left",
        "own": {"Luck": "aspect"},
    }
    sheet["ranks"]["Luck"] = 7
    again = PLAN.write(sheet, PLAN.read(sheet))
    assert again == sheet


def test_typed_values_reach_the_combatant() -> None:
    draft = blank_draft(PLAN)
    draft = replace(draft, skills={**draft.skills, "mp_head": 3, "natural_torso": 4, "initiative": 2})
    combatant = make_combatant("f1", "New", "", PLAN.write(blank_sheet(), draft), {})
    assert combatant.tracks["mp.head"] == 3
    assert combatant.sheet["natural_armor"] == {"torso": 4}
    assert set(draft.skills) >= {f"mp_{place}" for place in PLACES}


def test_too_many_points_are_told() -> None:
    draft = blank_draft(PLAN)
    rich = replace(draft, skills={**draft.skills, "blades": 15, "archery": 15, "running": 15})
    assert [fault.place for fault in find_faults(PLAN, rich)] == ["skills"]


def test_names_of_the_tables_own_are_put_changed_and_taken_away() -> None:
    sheet = {**blank_sheet(), "own": {}}
    more = put_own(sheet, "Sailing", "skill", 8)
    assert find_own(more) == (("Sailing", "skill", 8),)
    assert not find_sheet_problems(PLAN, Sheet, more)
    assert find_own(put_own(more, "Sailing", "skill", 9)) == (("Sailing", "skill", 9),)
    assert put_own(more, "Sailing", "skill", None) == sheet
    taken = put_own(sheet, "blades", "skill", 3)
    assert [str(p.place) for p in find_sheet_problems(PLAN, Sheet, taken)] == ["own.blades"]
    assert put_own(sheet, "body", "attribute", None)["ranks"]["body"] == 10, "known names are not taken away"


@pytest.mark.django_db
def test_a_name_of_the_tables_own_is_added_on_the_sheet(gm: User, gm_client: Client) -> None:
    made = character_service.create(gm, SYSTEM.slug, "Ada", {**blank_sheet(), "own": {}})
    here, sailing = f"/characters/{made.pk}/", {"do": "own", "name": "Sailing", "kind": "skill"}
    for wrong, said in (
        ({"name": " "}, "Enter a name."),
        ({"points": "-1"}, "Must be 0 to"),
        ({"kind": "x"}, "Choose one of"),
    ):
        refused = gm_client.post(here, {**sailing, **wrong})
        assert refused.status_code == 422
        (error,) = read(refused).all("ul", class_="errors")
        assert said in error.text
    gm_client.post(here, {**sailing, "points": "8"})
    assert find_own(Character.objects.get().sheet) == (("Sailing", "skill", 8),)
    gm_client.post(here, sailing)
    assert find_own(Character.objects.get().sheet) == ()


def test_the_page_says_that_gear_costs_nothing(gm_client: Client) -> None:
    page = read(gm_client.get("/characters/new/", {"game": SYSTEM.slug, "at": "gear"}))
    assert "This game counts no money here" in page.one("main").text
    assert page.one("button", value="weapon:long_sword")["name"] == "add"
