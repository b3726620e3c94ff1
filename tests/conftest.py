"""What all tests share."""

import os
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from characters.people import make_gm
from tests.combat.sharing.services import describe_missing

pytest_plugins = ["tests.plugins.rule_citations"]

CHROMIUM = Path("/usr/bin/chromium")
BROWSER_FIXTURES = {"page", "context", "browser", "new_context"}

hypothesis.settings.register_profile("default", deadline=None)
hypothesis.settings.register_profile("quick", deadline=None, max_examples=20)
# The gate gives a tree the same answer each time; whoever runs the tests by hand looks for new examples.
hypothesis.settings.register_profile("gate", deadline=None, derandomize=True, database=None)
hypothesis.settings.register_profile("thorough", deadline=None, max_examples=2000)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def is_browser_test(item: pytest.Item) -> bool:
    """Whether it drives a real browser."""
    return bool(BROWSER_FIXTURES & set(getattr(item, "fixturenames", ())))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put browser tests last, because their event loop stays; skip them where there is no browser."""
    items.sort(key=is_browser_test)
    if not CHROMIUM.exists():
        for item in filter(is_browser_test, items):
            item.add_marker(pytest.mark.skip(reason=f"no browser at {CHROMIUM}"))


def pytest_report_header() -> list[str]:
    """Say loudly that something is left out."""
    browser = f"!!! NO BROWSER AT {CHROMIUM}: ALL BROWSER TESTS ARE SKIPPED (apt-get install chromium) !!!"
    return [text for text in ("" if CHROMIUM.exists() else browser, describe_missing()) if text]


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """Debian's browser, in a way that works as root and in a container."""
    # Playwright's event loop runs in this thread from now on; Django would refuse the database beside it.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    return {
        "executable_path": str(CHROMIUM),
        "args": ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
    }


@pytest.fixture(autouse=True)
def empty_cache() -> None:
    """Let no test see what another put into the cache, such as counted sign-in attempts."""
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
    """A browser whose forms need their secret, as real ones do."""
    return Client(enforce_csrf_checks=True)
