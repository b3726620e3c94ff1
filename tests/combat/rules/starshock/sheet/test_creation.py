"""The sheet on pages: XP, implants, training and psionics are set there, and count in a fight."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import User
from django.test import Client

from characters.models import Character
from characters.services.character_service import create
from combat.rules.core.sheets.sheets import blank_draft, find_departures, find_faults
from combat.rules.starshock import SYSTEM
from combat.rules.starshock.characters.sheet import is_immune
from combat.rules.starshock.sheet import PLAN
from combat.rules.starshock.time import is_in_mortal_danger
from tests.combat.visit import read


def written(before: dict[str, Any] | None = None, **skills: int) -> dict[str, Any]:
    blank = blank_draft(PLAN)
    return PLAN.write(before or {}, msgspec.structs.replace(blank, skills={**blank.skills, **skills}))


@pytest.mark.rule("SS-COMA-06")
def test_xp_of_a_sheet_decide_on_death_in_a_coma() -> None:
    for xp, deadly in ((9, True), (10, False)):
        combatant = SYSTEM.characters.make_combatant(
            "f1", "Vega", "crew", written(xp=xp) | {"tracks": {"damage": 10}}, {}
        )
        assert is_in_mortal_danger(msgspec.structs.replace(combatant, pc=True)) == deadly


def test_implants_and_training_change_without_touching_the_rest() -> None:
    sheet = written({"features": ["athlete_resilience", "gunner"]}, tenacity=1, cyber_legs_2=1, Firearms=1)
    assert sheet["features"] == ["athlete_resilience", "cyber_legs_2", "tenacity"]
    assert sheet["skills"] == ["Firearms"]
    draft = PLAN.read(sheet)
    assert (draft.skills["tenacity"], draft.skills["gunner"], draft.skills["xp"]) == (1, 0, 0)
    assert is_immune(SYSTEM.characters.make_combatant("f1", "Vega", "crew", sheet, {}), "prone")
    assert {fault.message for fault in find_departures(PLAN, sheet)} == {
        "Cybernetic Legs 2 1: a new character has 0.",
        "Tenacity 1: a new character has 0.",
    }


@pytest.mark.rule("SS-ATK-05")
def test_skill_is_learned_or_not() -> None:
    draft = msgspec.structs.replace(blank_draft(PLAN), skills={**blank_draft(PLAN).skills, "Firearms": 2})
    assert [fault.message for fault in find_faults(PLAN, draft)] == [
        "Firearms 2: a new character has 0 to 1."
    ]


@pytest.mark.django_db
def test_xp_are_typed_on_the_sheet_not_in_a_new_characters_steps(gm: User, gm_client: Client) -> None:
    vega = create(gm, SYSTEM.slug, "Vega", written())
    page = f"/characters/{vega.pk}/"
    form = read(gm_client.get(f"{page}?edit=skills"))
    fields = form.fields(form.one("form", class_="section-form"))
    xp = next(label["for"] for label in form.all("label") if label.text.startswith("XP"))
    name = form.one("input", id=xp)["name"]
    gm_client.post(page, {**fields, name: "12", "do": "skills"})
    assert Character.objects.get().sheet["xp"] == 12
    assert Character.objects.get().summary == "12 XP"
    guided = read(gm_client.get("/characters/new/", {"game": SYSTEM.slug}))
    assert not guided.all("input", name="skills-xp")
    free = read(gm_client.get("/characters/new/", {"game": SYSTEM.slug, "way": "free"}))
    assert free.one("input", name="skills-xp")


def test_what_a_stat_block_notes_stands_in_its_line() -> None:
    block = SYSTEM.book.find_blocks()["mercurian"]
    assert block.summary.endswith("; +1 on grapple checks; heals 1 per shift in direct sun")
    assert PLAN.summarize(block.sheet).endswith("heals 1 per shift in direct sun")
