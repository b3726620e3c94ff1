"""Fixtures and settings that all tests share."""

import gc
import os
import sys
from collections.abc import Generator, Iterator
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any, cast

import hypothesis
import pytest
from django.contrib.auth import hashers
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import Client
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright.pytest_playwright import CreateContextCallback

from characters.accounts.users import make_gm
from combat.display.forms.odds_panel import COUNTER, MAX_SECONDS
from combat.pages.report import shapes as report_view
from combat.pages.table import missed_view
from combat.play import autopilot
from combat.play.after import reports
from combat.play.packs import using
from combat.play.whatif import branches, workers
from combat.play.writing import encounter_service, sealing
from combat.rules.core.space import barriers
from tests.browser import sign_in, skip_hints
from tests.combat.services import describe_missing
from tests.gate import Gate
from tests.plugins.missing import watch_templates
from tests.site.hosting.table import share_data
from tests.typed import sure

pytest_plugins = [
    "tests.plugins.rule_citations",
    "tests.plugins.one_game",
    "tests.plugins.settled",
    "tests.tools.breaks.reach",
    "tests.tools.breaks.server",
]

ROOT = Path(__file__).resolve().parents[1]
# the headless build of Debian's browser takes half the time of the whole one
BROWSERS = [Path("/usr/bin/chromium-headless-shell"), Path("/usr/bin/chromium")]
CHROMIUM = next((path for path in BROWSERS if path.exists()), BROWSERS[0])
MAX_STEPS = 5_000  # of one panel of odds
FIGHTS = 20  # for the forecast of one report, where the app plays 200
UNHURRIED = 600.0  # seconds for what the app leaves off after one: busy machines get it done in tests
# What a browser reports of every refused request: tests check such answers themselves
NOT_LOADED = "Failed to load resource"
BROWSER_FIXTURES = {"page", "context", "browser", "browser_type", "new_context"}
# Files with browser tests that take long, by their names here: the longest first
LONG = (
    "combat/pages/every_page/test_demo_fight.py",
    "combat/pages/every_page/test_layout_site.py",
    "combat/pages/every_page/test_layout_around.py",
    "combat/pages/every_page/test_layout.py",
    "combat/pages/every_page/test_accessibility.py",
    "characters/test_browser.py",
    "combat/pages/every_page/test_every_page.py",
    "combat/live/test_three_browsers.py",
    "combat/pages/every_page/test_phone.py",
    "combat/pages/whatif/test_branches_by_hand.py",
)

# Whose first browser test is quick: a table in a fight, a phone that joins, a sheet
IN_BROWSERS = (
    "combat/pages/every_page/test_accessibility.py",
    "combat/sharing/test_joining_by_hand.py",
    "characters/test_browser.py",
)

# The same tree gets the same examples each time; only “thorough” looks for new ones. Pin them with @example.
for name, examples in (("default", 5), ("gate", 40)):
    hypothesis.settings.register_profile(
        name, deadline=None, max_examples=examples, derandomize=True, database=None
    )
hypothesis.settings.register_profile("thorough", deadline=None, max_examples=2000)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def keep_bytecode() -> None:
    """Let the processes of a test share compiled code, even where Python is told to keep none."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False


def fix_passwords() -> None:
    """Give those who have no password the same one in each test: rows that come back fit their sessions."""
    hashers.get_random_string = lambda length, **_: "x" * length  # type: ignore[attr-defined]


keep_bytecode()
watch_templates()
fix_passwords()


def pytest_configure(config: pytest.Config) -> None:
    """Let all workers of a run share what takes long to prepare."""
    if not hasattr(config, "workerinput"):
        share_data()


def pytest_sessionfinish() -> None:
    """End what still plays forecasts: nobody waits for them."""
    workers.close()


def is_browser_test(item: pytest.Item) -> bool:
    """Whether it drives a real browser."""
    return bool(BROWSER_FIXTURES & set(getattr(item, "fixturenames", ())))


def stores_rows(item: pytest.Item) -> bool:
    """Whether a test commits rows. Their numbers start over for each test, since dice follow from them."""
    marker = item.get_closest_marker("django_db")
    fixtures = {"live_server", "transactional_db"} & set(getattr(item, "fixturenames", ()))
    return bool(fixtures or (marker and marker.kwargs.get("transaction")))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Generator[None]:
    """Mark tests before pytest selects by marks, and sort those that are left once they are shuffled."""
    if [(config.rootpath / word).resolve() for word in config.args] == [ROOT / "tests"]:
        leave_browsers_to_all(items)
    for item in filter(stores_rows, items):
        item.add_marker(pytest.mark.django_db(transaction=True, reset_sequences=True), append=False)
    yield
    sort_files(items)
    if not CHROMIUM.exists():
        for item in filter(is_browser_test, items):
            item.add_marker(pytest.mark.skip(reason=f"no browser at {CHROMIUM}"))


def sort_files(items: list[pytest.Item]) -> None:
    """Put files with browser tests last, as their event loop stays.

    Of both, those that take long come first, so no worker is left alone with one at the end.
    """
    files = list(dict.fromkeys(item.path for item in items))
    browsing = {item.path for item in items if is_browser_test(item)}
    slow = {item.path for item in items if is_slow(item)}
    long = {ROOT / "tests" / name: place for place, name in enumerate(LONG)}
    order = {
        file: (file in browsing, long.get(file, len(long)), file not in slow, number)
        for number, file in enumerate(files)
    }
    items.sort(key=lambda item: (order[item.path], is_browser_test(item)))


def leave_browsers_to_all(items: list[pytest.Item]) -> None:
    """Mark browser tests slow except the first of each file that stands for the others in a run of all.

    Runs of folders or files by their names take all quick tests that are there.
    """
    quick = [item for item in items if is_browser_test(item) and not is_slow(item)]
    quick.sort(key=lambda item: (item.path, item.location[1] or 0, item.name))
    first = {item.path: item for item in reversed(quick)}
    standing = {first.get(ROOT / "tests" / name) for name in IN_BROWSERS}
    for item in quick:
        if item not in standing:
            item.add_marker(pytest.mark.slow)


def pytest_collection() -> None:
    """Turn garbage collection off while tests are collected: everything made there stays."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Freeze what is there (modules, ten thousand tests), so garbage collection skips it.

    Nearly all of it stays for good: to look for the rest takes longer than it saves. Collect rarely from now
    on: nearly all that tests make goes away without it.
    """
    gc.enable()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


def is_slow(item: pytest.Item) -> bool:
    """Whether a test runs only on request."""
    return item.get_closest_marker("slow") is not None


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Report loudly what is left out."""
    slow = "!!! SLOW TESTS ARE LEFT OUT. Run all of them: uv run --group dev pytest -m '' !!!"
    browser = f"!!! NO BROWSER AT {CHROMIUM}: ITS TESTS ARE SKIPPED (apt-get install {CHROMIUM.name}) !!!"
    found = (
        slow if config.option.markexpr == "not slow" else "",
        "" if CHROMIUM.exists() else browser,
        describe_missing(),
    )
    return [text for text in found if text]


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """Debian's browser, started so that it works as root and in a container."""
    # Playwright's event loop runs in this thread from now on; Django would refuse the database beside it.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    expect.set_options(timeout=30_000)  # high, for a busy machine
    return {
        "executable_path": str(CHROMIUM),
        "args": ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
    }


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Browsers that ask for reduced motion: drawing animations takes a third of a browser's time.

    They install no worker: each of them would fetch its files again.
    """
    return {**browser_context_args, "reduced_motion": "reduce", "service_workers": "block"}


@pytest.fixture
def new_context(new_context: CreateContextCallback) -> Iterator[CreateContextCallback]:
    """Browsers without hints, in which a failing script or a complaint of a library fails the test."""
    failed: list[str] = []

    def hear(said: ConsoleMessage) -> None:
        is_answer = said.text.startswith(NOT_LOADED) and "/static/" not in said.location.get("url", "")
        if said.type == "error" and not is_answer:
            failed.append(f"{said.page and said.page.url}: {said.text} ({said.location})")

    def listen(**options: Any) -> BrowserContext:
        context = new_context(**options)
        skip_hints(context)
        context.on("weberror", lambda found: failed.append(f"{found.page and found.page.url}: {found.error}"))
        context.on("console", hear)
        return context

    yield cast("CreateContextCallback", listen)
    assert not failed, failed


@pytest.fixture(scope="module", autouse=True)
def own_plans() -> None:
    """Let each file work out its maps by itself: those of tests may be equal, but in whole numbers."""
    barriers._PLANS.clear()


@pytest.fixture(scope="session")
def gate(live_server: LiveServer) -> Gate:
    """The gate, the only way into the server of browser tests."""
    found = Gate(sure(live_server.thread.httpd.get_app()))
    live_server.thread.httpd.set_app(found)
    return found


@pytest.fixture(autouse=True)
def emptied_server(request: pytest.FixtureRequest) -> Iterator[None]:
    """Wait for the answer to every request before the database is emptied."""
    if "live_server" not in request.fixturenames:
        yield
        return
    request.getfixturevalue("transactional_db")
    with request.getfixturevalue("gate").open():
        yield


@pytest.fixture(scope="session", autouse=True)
def kept_connections() -> Iterator[None]:
    """Let nothing that looks after old connections close one in which a test has its transaction."""
    close = BaseDatabaseWrapper.close_if_unusable_or_obsolete

    def close_if_free(wrapper: BaseDatabaseWrapper) -> None:
        if not wrapper.in_atomic_block:
            close(wrapper)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseDatabaseWrapper, "close_if_unusable_or_obsolete", close_if_free)
        yield


class Chance:
    """The dice and the clock of the odds of the test that runs."""

    test = ""
    secrets = count()
    steps = count()

    def begin(self, test: str) -> None:
        """Start over for another test."""
        self.test, self.secrets, self.steps = test, count(), count()

    def make_secret(self) -> str:
        """The app's dice, seeded for each test, so that pages do not depend on luck."""
        return sha256(f"{self.test} {next(self.secrets)}".encode()).hexdigest()

    def clock(self) -> float:
        """Limit the odds by steps, not by time, so that pages do not depend on the clock."""
        return next(self.steps) * MAX_SECONDS / MAX_STEPS


CHANCE = Chance()


@pytest.fixture(scope="session", autouse=True)
def settled_chance() -> Iterator[None]:
    """Put dice and clock in place once: fixtures of each test would cost more."""
    with pytest.MonkeyPatch.context() as patch:
        for room in (sealing, encounter_service, branches, using):
            patch.setattr(room, "make_secret", CHANCE.make_secret)
        patch.setattr(encounter_service, "draw_seed", lambda: "")  # so that ids are numbered
        patch.setattr(COUNTER, "clock", CHANCE.clock)
        for room in (reports, report_view):
            patch.setattr(room, "FIGHTS", FIGHTS)
        for room in (reports, autopilot):
            patch.setattr(room, "MAX_SECONDS", UNHURRIED)
        patch.setattr(autopilot, "LOOK_SECONDS", UNHURRIED)
        patch.setattr(missed_view, "AWAY", UNHURRIED * 1000)
        yield


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Hide from each test what others put into the cache, such as counted sign-in attempts."""
    CHANCE.begin(item.nodeid)
    cache.clear()


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
    """A browser that checks the secrets of forms, as in production."""
    return Client(enforce_csrf_checks=True)


@pytest.fixture
def visitor(live_server: LiveServer, page: Page, transactional_db: None, gm_client: Client) -> Page:
    """The GM's browser, signed in."""
    sign_in(page.context, live_server, gm_client)
    return page


@pytest.fixture
def complaints(page: Page) -> list[str]:
    """The errors and warnings of a browser."""
    found: list[str] = []
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on(
        "console", lambda message: found.append(message.text) if "Content Security" in message.text else None
    )
    return found
