"""What all tests share."""

import gc
import os
import re
import sys
from collections.abc import Iterator
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright.pytest_playwright import CreateContextCallback

from characters.accounts.people import make_gm
from combat.display.odds_budget import COUNTER, MAX_SECONDS
from tests.browser import sign_in
from tests.combat.services import describe_missing
from tests.gate import Gate

pytest_plugins = ["tests.plugins.rule_citations"]

ROOT = Path(__file__).resolve().parents[1]
# Debian's browser without its windows takes half the time of the whole one
BROWSERS = [Path("/usr/bin/chromium-headless-shell"), Path("/usr/bin/chromium")]
CHROMIUM = next((path for path in BROWSERS if path.exists()), BROWSERS[0])
MAX_STEPS = 5_000  # of one panel of odds
# What browser and htmx say of every request that is refused or broken off, and of a stream: an event
# without words. Tests look at such answers themselves
ANSWERS = re.compile(
    r"Failed to load resource|Response Status Error Code|\[object Event\]"
    r"|htmx:(afterRequest|sendError|sendAbort|timeout)"
)
BROWSER_FIXTURES = {"page", "context", "browser", "browser_type", "new_context"}

hypothesis.settings.register_profile("quick", deadline=None, max_examples=5)
hypothesis.settings.register_profile("default", deadline=None, max_examples=10)
# The gate gives a tree the same answer each time; whoever runs the tests by hand looks for new examples.
hypothesis.settings.register_profile("gate", deadline=None, max_examples=100, derandomize=True, database=None)
hypothesis.settings.register_profile("thorough", deadline=None, max_examples=2000)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def keep_bytecode() -> None:
    """Let no process of a test compile what another has, not even where Python is told to keep nothing."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False


keep_bytecode()


def is_browser_test(item: pytest.Item) -> bool:
    """Whether it drives a real browser."""
    return bool(BROWSER_FIXTURES & set(getattr(item, "fixturenames", ())))


def pytest_xdist_auto_num_workers() -> int:
    """Three for two cores: much of a run is spent waiting for browsers, servers and databases."""
    return max(1, (os.cpu_count() or 1) * 3 // 2)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put files with browser tests last, as their event loop stays; skip those where there is no browser.

    Otherwise files with slow tests come first: so no worker is left alone with one at the end.
    """
    files = list(dict.fromkeys(item.path for item in items))
    browsing = {item.path for item in items if is_browser_test(item)}
    slow = {item.path for item in items if is_slow(item)}
    order = {file: (file in browsing, file not in slow, number) for number, file in enumerate(files)}
    items.sort(key=lambda item: (order[item.path], is_browser_test(item)))
    if not CHROMIUM.exists():
        for item in filter(is_browser_test, items):
            item.add_marker(pytest.mark.skip(reason=f"no browser at {CHROMIUM}"))


def pytest_collection() -> None:
    """Look for no garbage while tests are collected: all that is made stays."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Let no later look for garbage go through what is there for good: modules, ten thousand tests.

    Later looks come seldom: nearly all that tests make goes without them.
    """
    gc.enable()
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


def is_slow(item: pytest.Item) -> bool:
    """Whether only those who ask for it run it."""
    return item.get_closest_marker("slow") is not None


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Say loudly that something is left out."""
    slow = "!!! SLOW TESTS ARE LEFT OUT. Run all of them: uv run pytest -m '' !!!"
    browser = f"!!! NO BROWSER AT {CHROMIUM}: ITS TESTS ARE SKIPPED (apt-get install {CHROMIUM.name}) !!!"
    found = (
        slow if config.option.markexpr == "not slow" else "",
        "" if CHROMIUM.exists() else browser,
        describe_missing(),
    )
    return [text for text in found if text]


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """Debian's browser, in a way that works as root and in a container."""
    # Playwright's event loop runs in this thread from now on; Django would refuse the database beside it.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    expect.set_options(timeout=30_000)  # however busy the machine is
    return {
        "executable_path": str(CHROMIUM),
        "args": ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
    }


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Browsers of people who want nothing to move: drawing what does takes a third of a browser's time."""
    return {**browser_context_args, "reduced_motion": "reduce"}


@pytest.fixture
def new_context(new_context: CreateContextCallback) -> Iterator[CreateContextCallback]:
    """Browsers in which no script may fail, nor any library complain, unnoticed."""
    failed: list[str] = []

    def hear(said: ConsoleMessage) -> None:
        if said.type == "error" and not ANSWERS.match(said.text):
            failed.append(f"{said.page and said.page.url}: {said.text} ({said.location})")

    def listen(**options: Any) -> BrowserContext:
        context = new_context(**options)
        context.on("weberror", lambda found: failed.append(f"{found.page and found.page.url}: {found.error}"))
        context.on("console", hear)
        return context

    yield listen
    assert not failed, failed


@pytest.fixture(scope="session")
def gate(live_server: LiveServer) -> Gate:
    """The only way into the server of browser tests."""
    found = Gate(live_server.thread.httpd.get_app())
    live_server.thread.httpd.set_app(found)
    return found


@pytest.fixture(autouse=True)
def emptied_server(request: pytest.FixtureRequest) -> Iterator[None]:
    """Before the database is emptied, let every request have its answer."""
    if "live_server" not in request.fixturenames:
        yield
        return
    request.getfixturevalue("transactional_db")
    with request.getfixturevalue("gate").open():
        yield


@pytest.fixture(autouse=True)
def empty_cache() -> None:
    """Let no test see what another put into the cache, such as counted sign-in attempts."""
    cache.clear()


@pytest.fixture(autouse=True)
def unhurried_odds(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a page says hangs on no clock: odds may be counted for so many steps, not for so long."""
    steps = count()
    monkeypatch.setattr(COUNTER, "clock", lambda: next(steps) * MAX_SECONDS / MAX_STEPS)


@pytest.fixture(autouse=True)
def settled_dice(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The app rolls the same in a test each time: what it shows hangs on no luck."""
    made = count()

    def make_secret() -> str:
        return sha256(f"{request.node.nodeid} {next(made)}".encode()).hexdigest()

    for room in ("sealing", "encounter_service"):
        monkeypatch.setattr(f"combat.play.{room}.make_secret", make_secret)


@pytest.fixture
def gm(db: None) -> User:
    """A game master without a password."""
    return make_gm("gm")


@pytest.fixture
def gm_client(gm: User) -> Client:
    """The game master's browser."""
    client = Client()
    client.force_login(gm)
    return client


@pytest.fixture
def strict_client() -> Client:
    """A browser whose forms need their secret, as real ones do."""
    return Client(enforce_csrf_checks=True)


@pytest.fixture
def visitor(live_server: LiveServer, page: Page, transactional_db: None, gm_client: Client) -> Page:
    """The GM's browser, signed in."""
    sign_in(page.context, live_server, gm_client)
    return page


@pytest.fixture
def complaints(page: Page) -> list[str]:
    """What the browser refuses or stumbles over."""
    found: list[str] = []
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on(
        "console", lambda message: found.append(message.text) if "Content Security" in message.text else None
    )
    return found
