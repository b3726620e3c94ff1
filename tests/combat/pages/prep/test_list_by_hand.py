"""The list of encounters in a real browser: its looks, the search while typing, the menu of a row."""

from __future__ import annotations

from django.contrib.auth.models import User
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter
from combat.play.writing.encounter_service import create_encounter
from tests.browser import check_looks


def test_list_is_searched_while_typing_and_archived_in_its_menu(
    live_server: LiveServer, visitor: Page, gm: User, started: Encounter, complaints: list[str]
) -> None:
    made = create_encounter(gm, "cosmos", "Warehouse yard")
    Encounter.objects.filter(pk=made.pk).update(tags=",rain,")
    check_looks(visitor, f"{live_server.url}/encounters/", is_measured=True)
    rows = visitor.locator(".enc")
    expect(rows).to_have_count(1)
    visitor.get_by_role("searchbox").fill("nobody")
    expect(visitor.locator("#found .empty")).to_contain_text("Try a shorter word")
    visitor.get_by_role("searchbox").fill("rai")
    expect(rows).to_have_count(1)
    expect(visitor).to_have_url(f"{live_server.url}/encounters/?q=rai")
    visitor.get_by_label("Warehouse yard: more").click()
    visitor.get_by_role("button", name="Archive").click()
    expect(visitor.locator(".list-live")).to_be_visible()
    expect(rows).to_have_count(0)
    assert complaints == []
