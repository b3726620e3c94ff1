"""No browser stores a page that holds a secret, and no page may ask for features we do not use."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.urls import get_resolver
from playwright.sync_api import BrowserType, Page
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter
from combat.rules import SYSTEMS
from tests.combat.visit import demo_fight

SECRET = "The Quiet Mutiny"
VALUES = {"slug": next(iter(SYSTEMS)), "key": "none", "token": "none", "digest": "none"}


def find_addresses(number: int = 1) -> list[str]:
    """An address for every URL pattern of the site, with this number of everything."""
    values: dict[str, Any] = defaultdict(lambda: number, VALUES)
    book = get_resolver().reverse_dict
    forms = {form for name in book for found in book.getlist(name) for form, _names in found[0]}
    return sorted("/" + form % values for form in forms)


@pytest.fixture
def fight(gm: User) -> Encounter:
    made = demo_fight(gm, next(iter(SYSTEMS)))
    Encounter.objects.filter(pk=made.pk).update(name=SECRET)
    made.refresh_from_db()
    return made


def test_addresses_are_of_the_whole_site() -> None:
    found = find_addresses()
    assert {
        "/",
        "/encounters/1/",
        "/characters/1/print/",
        "/accounts/me/",
        "/accounts/2fa/totp/activate/",
    } <= {*found}
    assert len(found) > 60


@pytest.mark.slow
def test_nothing_is_kept_of_whatever_the_signed_in_open(gm: User, fight: Encounter) -> None:
    """Neither of any page nor of the part that htmx asks for."""
    wrong, opened = [], set()
    for address in find_addresses(fight.pk):
        for headers in ({}, {"HX-Request": "true"}):
            with transaction.atomic():  # each is opened as by a newcomer
                client = Client(raise_request_exception=False)
                client.force_login(gm)
                answer = client.get(address, headers=headers)
                transaction.set_rollback(True)
            if "no-store" not in answer["Cache-Control"] or "camera=()" not in answer["Permissions-Policy"]:
                wrong.append((address, headers))
            opened |= {address} if answer.status_code == 200 else set()
    assert wrong == []
    here = f"/encounters/{fight.pk}/"
    assert {here, *(f"{here}{page}/" for page in ("prep", "log", "export", "share", "forecast"))} <= opened


def test_only_passkeys_copying_and_the_screen_are_allowed(client: Client, db: None) -> None:
    policy = dict(
        rule.split("=") for rule in client.get("/accounts/login/")["Permissions-Policy"].split(", ")
    )
    allowed = {name for name, to in policy.items() if to != "()"}
    assert allowed == {
        "clipboard-write",
        "publickey-credentials-create",
        "publickey-credentials-get",
        "screen-wake-lock",
    }
    assert {policy[name] for name in allowed} == {"(self)"}


@pytest.fixture
def keeping_page(
    browser_type: BrowserType,
    browser_type_launch_args: dict[str, Any],
    live_server: LiveServer,
    transactional_db: None,
    gm_client: Client,
) -> Iterator[Page]:
    """The GM's browser with a back/forward cache, as people have it; test browsers have none."""
    kept = ["--disable-back-forward-cache"]
    session = gm_client.cookies[settings.SESSION_COOKIE_NAME].value
    with browser_type.launch(**browser_type_launch_args, ignore_default_args=kept) as browser:
        context = browser.new_context(base_url=live_server.url)
        context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
        yield context.new_page()


def test_going_back_after_signing_out_shows_nothing(keeping_page: Page, fight: Encounter) -> None:
    page, said = keeping_page, []
    page.on("console", lambda message: said.append(message.text))
    for address in ("", "log/", "prep/", "share/"):
        page.goto(f"/encounters/{fight.pk}/{address}")
        assert SECRET in page.content()
    page.get_by_role("button", name="Menu", exact=True).click()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("link", name="Sign in").first.wait_for()
    for _ in range(4):
        page.go_back()
        assert SECRET not in page.content(), page.url
    assert not [text for text in said if "Permissions-Policy" in text]


def test_going_back_while_signed_in_shows_the_page(keeping_page: Page, fight: Encounter) -> None:
    keeping_page.goto(f"/encounters/{fight.pk}/log/")
    keeping_page.goto("/rules/")
    keeping_page.go_back()
    assert SECRET in keeping_page.content()
