"""The table in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter
from combat.sharing import programs
from tests.combat.cast import Cast
from tests.combat.kept import keep
from tests.combat.pages.programs.asking import Program, make_program
from tests.combat.visit import DEMO, load, play


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


@pytest.fixture
def gm_bot(started: Encounter) -> Program:
    """A program of the GM."""
    return make_program(started)


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test may ask faster than a program."""
    monkeypatch.setitem(programs.RATES, "program", "1000/s/key")


@pytest.fixture
def ended(cast: Cast, started: Encounter) -> Encounter:
    """The demo fight from its first turn to its end, with the whole cast there."""
    keep("played to its end", lambda: play(started.pk, DEMO.script[1:]))
    return load(started.pk)
