"""The menu of a combatant's row."""

from __future__ import annotations

from django.contrib.auth.models import User

from characters.services import character_service
from combat.models import Encounter
from combat.play.people.roster import submission_to_join
from combat.play.writing.encounter_service import submit
from tests.combat.views.table.patching import OpenPage
from tests.combat.visit import ZARA, state_of

from .test_parts import Pages
from .test_parts import pages as pages


def test_menu_offers_the_sheet_of_its_combatant_as_long_as_there_is_one(
    gm: User, started: Encounter, pages: Pages
) -> None:
    sheet = character_service.create(gm, "cosmos", "Pim", state_of(started.pk)[ZARA].sheet)
    submit(started.pk, submission_to_join(sheet, side="heroes", by="gm"))
    pim = next(one.id for one in state_of(started.pk).combatants.values() if one.name == "Pim")

    def leads() -> list[str]:
        page = OpenPage(pages["gm"].client, pages["gm"].path)
        menu = page.table.find(f"menu-{pim}")
        return [node.attrs["href"] for node in menu.walk() if "/characters/" in node.attrs.get("href", "")]

    assert leads() == [f"/characters/{sheet.pk}/"]
    character_service.delete(sheet)
    assert leads() == []
