"""The worker in a real browser: what it shows and keeps, where there is none, and how it is removed."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer
from pytest_playwright.pytest_playwright import CreateContextCallback

from tests.browser import SIZES, find_barriers, find_overflow

PAGE = "/accounts/login/"
ELSEWHERE = "http://table.test"  # not localhost, and no https
CONTROLLED = """async () => {
    await navigator.serviceWorker.ready;
    while (!navigator.serviceWorker.controller) await new Promise((done) => setTimeout(done, 20));
}"""
FIND_KEPT = """async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map((request) => new URL(request.url).pathname);
}"""
GONE = """async () => {
    const workers = await navigator.serviceWorker.getRegistrations();
    return !workers.length && !(await caches.keys()).length;
}"""


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Browsers that have workers, as people have them; those of other tests have none."""
    return {**browser_context_args, "service_workers": "allow"}


@pytest.fixture
def phone(
    new_context: CreateContextCallback, live_server: LiveServer, transactional_db: None
) -> BrowserContext:
    return new_context(viewport=SIZES["narrow"], base_url=live_server.url)


def open_controlled(phone: BrowserContext) -> Page:
    """A page with the worker behind it."""
    page = phone.new_page()
    page.goto(PAGE)
    page.evaluate(CONTROLLED)
    return page


def wait_until_gone(page: Page) -> None:
    """Wait until there is neither a worker nor anything that it kept."""
    page.wait_for_function(GONE)


def test_browser_finds_no_fault_with_the_manifest(phone: BrowserContext, live_server: LiveServer) -> None:
    page = phone.new_page()
    page.goto(PAGE)
    found: dict[str, Any] = phone.new_cdp_session(page).send("Page.getAppManifest")
    assert found["url"] == f"{live_server.url}/manifest.webmanifest"
    assert found["errors"] == []
    assert '"display": "standalone"' in found["data"]


def test_page_says_that_the_table_is_gone_and_opens_again(phone: BrowserContext) -> None:
    page = open_controlled(phone)
    page.goto("/seat/")
    assert urlsplit(page.url).path == "/", "it passes on where a page leads to"
    page.goto("/rules/")
    kept = page.evaluate(FIND_KEPT)
    assert [path for path in kept if not path.startswith("/static/")] == ["/offline/"]

    phone.set_offline(True)
    page.goto("/rules/about/")
    expect(page.get_by_role("heading", name="The table cannot be reached")).to_be_visible()
    assert urlsplit(page.url).path == "/rules/about/"
    assert page.evaluate("getComputedStyle(document.querySelector('.trouble')).display") == "grid"
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        assert find_barriers(page) == [], theme
    assert find_overflow(page) == []

    phone.set_offline(False)
    expect(page.get_by_role("heading", name=re.compile("cannot be reached"))).to_have_count(0)
    assert urlsplit(page.url).path == "/rules/about/"
    assert page.evaluate(FIND_KEPT) == kept


def test_worker_that_is_switched_off_leaves_nothing(phone: BrowserContext, settings: Settings) -> None:
    page = open_controlled(phone)
    settings.COSMOS_WORKER = False
    page.evaluate("navigator.serviceWorker.getRegistration().then((found) => found.update())")
    wait_until_gone(page)  # without opening a page: the new worker removes itself

    settings.COSMOS_WORKER = True
    page = open_controlled(phone)
    settings.COSMOS_WORKER = False
    page.goto(PAGE)
    wait_until_gone(page)  # by the script of the page


def test_there_is_no_worker_over_http(phone: BrowserContext, live_server: LiveServer) -> None:
    asked: list[str] = []

    def lead_here(route: Route) -> None:
        asked.append(urlsplit(route.request.url).path)
        answer = route.fetch(url=route.request.url.replace(ELSEWHERE, live_server.url))
        route.fulfill(response=answer)

    phone.route(f"{ELSEWHERE}/**", lead_here)
    page = phone.new_page()
    page.goto(ELSEWHERE + PAGE, wait_until="networkidle")
    assert not page.evaluate("isSecureContext || Boolean(navigator.serviceWorker)")
    assert PAGE in asked
    assert "/worker.js" not in asked
