"""The report in a real browser while its luck is still being counted."""

from __future__ import annotations

import pytest
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter
from combat.play.after import reports
from tests.browser import sign_in


def test_open_fold_and_focus_stay_when_the_luck_comes(
    page: Page, live_server: LiveServer, over: Encounter, gm_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reports, "MAX_SECONDS", -1.0)  # no look has time for any
    address = f"/encounters/{over.pk}/report/"
    sign_in(page.context, live_server, gm_client)
    page.goto(live_server.url + address)
    summary = page.locator("#deeds > summary")
    with page.expect_response(lambda answer: answer.url.endswith(address)):
        summary.click()
    page.evaluate("document.getElementById('deeds').dataset.first = ''")
    expect(page.locator("#deeds[data-first]")).to_have_count(0)
    expect(page.locator("#deeds")).to_have_attribute("open", "")
    expect(summary).to_be_focused()
