"""Times in real browsers: each reader sees those of their own zone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter
from combat.play.writing.encounter_service import create_encounter
from tests.browser import sign_in

WHEN = datetime(2026, 11, 22, 23, 40, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "scripts", "said"),
    [
        ("America/New_York", True, ("Sunday 22 November, 18:40", "22 Sun Nov")),
        ("Asia/Tokyo", True, ("Monday 23 November, 08:40", "23 Mon Nov")),
        ("Asia/Tokyo", False, ("Sunday 22 November, 23:40", "22 Sun Nov")),
    ],
)
def test_reader_sees_times_of_their_own_zone(
    live_server: LiveServer,
    browser: Browser,
    transactional_db: None,
    gm: User,
    gm_client: Client,
    started: Encounter,
    zone: str,
    scripts: bool,
    said: tuple[str, str],
) -> None:
    create_encounter(gm, "cosmos", "Later")
    create_encounter(gm, "cosmos", "Later still")
    Encounter.objects.update(changed=WHEN)
    page = browser.new_context(timezone_id=zone, java_script_enabled=scripts).new_page()
    sign_in(page.context, live_server, gm_client)
    page.goto(f"{live_server.url}/encounters/")
    found = [" ".join((one.text_content() or "").split()) for one in page.locator("main time").all()]
    assert found[:3] == [*said, said[1]]
    assert page.locator(".enc-day time:visible").count() == (1 if scripts else 2), "the same day is said once"
