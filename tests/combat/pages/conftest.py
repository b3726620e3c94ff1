"""The table in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter


@pytest.fixture
def address(live_server: LiveServer, started: Encounter) -> str:
    """The address of the demo fight, in Zara's first turn."""
    return f"{live_server.url}/encounters/{started.pk}/"


@pytest.fixture
def table(visitor: Page, address: str) -> Page:
    """The GM at the table of the demo fight, in Zara's first turn, on a wide screen."""
    visitor.set_viewport_size({"width": 1440, "height": 900})
    visitor.goto(address)
    expect(visitor.locator("html")).to_have_class(re.compile(r"\bjs\b"))
    return visitor
