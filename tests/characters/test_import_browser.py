"""The questions of an import in a real browser: answered by touch, with and without scripts."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from characters.models import Character
from tests.browser import sign_in
from tests.characters.test_browser import find_barriers, is_too_wide
from tests.combat.rules.cepheus.characters.foreign.actors import actor, armor, being, item, skill, weapon

WIDTHS = [1440, 360]
ANN = actor(
    "traveller",
    "Ann Ivarsdottir of the Far Stations",
    being(movement={"walk": 0, "units": "ft"}, heroPoints=2),
    skill("Gun Combat", 2),
    skill("Driving", 1),
    weapon("Needler", "3d6+3", rangeBand="none", range="20/100", damageType="NONE", equipped="equipped"),
    armor("Cloth", 9, equipped="ship"),
    item("equipment", "Binoculars", equipped="ship"),
)


@pytest.mark.slow
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_questions_are_answered_and_stored(
    live_server: LiveServer, browser: Browser, transactional_db: None, ana_client: Client, scripts: bool
) -> None:
    page = browser.new_context(java_script_enabled=scripts).new_page()
    sign_in(page.context, live_server, ana_client)
    page.goto(f"{live_server.url}/characters/import/?game=cepheus")
    page.get_by_label("or paste it").fill(json.dumps(ANN))
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_role("heading", name="Check the import")).to_be_visible()
    if scripts:
        _look(page)
    page.get_by_role("button", name="Import 1 character").click()  # one choice is open: the page stays
    expect(page.get_by_role("heading", name="Check the import")).to_be_visible()
    assert not Character.objects.exists()
    page.get_by_label("Driving 1: which skill?").select_option("Wheeled Vehicle")
    page.get_by_label("Needler, range 20/100: which range?").select_option("Assault Weapon")
    page.get_by_role("button", name="Show with these choices").click()
    expect(page.get_by_label("Needler, range 20/100: which range?")).to_have_value("assault_weapon")
    page.get_by_role("button", name="Import 1 character").click()
    expect(page.get_by_role("heading", name=ANN["name"], exact=True)).to_be_visible()
    sheet = Character.objects.get().sheet
    assert sheet["items"][0]["record"]["range_types"] == ["assault_weapon"]
    assert (sheet["skills"]["wheeled_vehicle"], sheet["move_m"]) == (1, 6)
    page.context.close()


def _look(page: Page) -> None:
    """Check the preview in both widths and themes."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        for theme in ("dark", "light"):
            page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
            assert find_barriers(page) == [], (width, theme)
            assert not is_too_wide(page), width
