"""After a fight, in a browser: changes are selected and written with one tap, then days of rest pass."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import BrowserContext, expect
from pytest_django.live_server_helper import LiveServer

from characters.services import character_service
from combat.play.campaigns.roster import bring
from combat.play.writing.encounter_service import Submission, create_encounter, submit
from tests.browser import check_looks, look, sign_in

SLUG = "cosmos"
SHEET: dict[str, Any] = {"attributes": {"PRE": 3, "RES": 4, "INT": 3, "MIG": 5, "AWA": 3, "COO": 4}}


@pytest.mark.slow
def test_gm_writes_all_sheets_with_one_tap_and_lets_days_pass(
    live_server: LiveServer, context: BrowserContext, gm: User, gm_client: Client
) -> None:
    fight = create_encounter(gm, SLUG, "The alley")
    for number, name in enumerate(("Ada", "Bo"), 1):
        one = character_service.create(gm, SLUG, name, SHEET)
        bring(fight, gm, str(one.pk), side="crew", zone="", by="gm")
        submit(fight.pk, Submission("adjust", {"target": f"f{number}", "track": "hp", "by": -40}))
    submit(fight.pk, Submission("give_condition", {"target": "f1", "kind": "fatigued"}))
    sign_in(context, live_server, gm_client)
    page = context.new_page()
    check_looks(page, f"{live_server.url}/encounters/{fight.pk}/home/")
    write = page.locator(".return-foot .btn-primary")
    expect(write).to_have_text("Write 3 changes")
    page.get_by_label("HP").first.uncheck()
    expect(write).to_have_text("Write 2 changes")
    expect(page.locator(".return-count b")).to_have_text(["1", "1"])
    page.get_by_label("HP").first.check()
    write.click()
    expect(page.locator("#messages")).to_contain_text("2 sheets are updated: Ada, Bo.")

    look(page, "wide", "dark")
    page.get_by_role("link", name="Days of rest").click()
    check_looks(page, page.url)
    look(page, "wide", "dark")
    expect(page.locator(".rest-after b")).to_have_text(["70", "70"])
    page.get_by_text("1 day", exact=True).click()
    expect(page.locator(".rest-after b")).to_have_text(["58", "58"])
    page.get_by_role("checkbox", name="Bo").uncheck()
    expect(page.locator(".rest-after")).to_have_count(1)
    page.get_by_role("button", name="Rest 1 day").click()
    expect(page.locator("h1")).to_have_text("Update sheets")
    expect(page.locator(".return-foot .btn-primary")).to_have_text("Write 2 changes")
