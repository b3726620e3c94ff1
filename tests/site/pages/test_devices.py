"""The browsers that someone is signed in with."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client

from characters.accounts.accounts import name_browser
from characters.accounts.users import make_sign_in_link
from tests.combat.markup import Page

FIREFOX = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"
CHROME = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36"
SAFARI = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1"
DEVICES = "/accounts/devices/"


def sign_in(person: User, browser: str) -> Client:
    """A browser in which a person has signed in."""
    client = Client(headers={"user-agent": browser})
    assert client.post(f"/sign-in/{make_sign_in_link(person)}/").status_code == 302
    return client


def is_signed_in(client: Client) -> bool:
    return client.get("/accounts/me/").status_code == 200


@pytest.fixture
def browsers(gm: User) -> list[Client]:
    """Three browsers of the GM."""
    return [sign_in(gm, browser) for browser in (FIREFOX, CHROME, SAFARI)]


def test_everybody_sees_their_own_browsers(gm: User, browsers: list[Client]) -> None:
    """This one first, then the newest; never the key of a session, which would sign in."""
    stranger = sign_in(User.objects.create_user("stranger"), CHROME)
    page = browsers[0].get(DEVICES).content.decode()
    names = [found.text for found in Page(page).all("b") if " on " in found.text]
    assert names[0] == "Firefox on Android"
    assert set(names[1:]) == {"Chrome on Windows", "Safari on an iPhone"}
    assert not [key for key in Session.objects.values_list("session_key", flat=True) if key in page]
    theirs = stranger.get(DEVICES).content.decode()
    assert len(Page(theirs).all("li", class_="shelf-line")) == 1
    assert "Sign out everywhere else" not in theirs


def test_one_browser_is_signed_out(browsers: list[Client]) -> None:
    here, *others = browsers
    page = Page(here.get(DEVICES).content.decode())
    mark = page.all("input", name="device")[0]["value"]
    answer = here.post(DEVICES, {"device": mark}, follow=True)
    assert "Signed out in 1 browser." in answer.content.decode()
    assert is_signed_in(here)
    assert [is_signed_in(client) for client in others].count(True) == 1


def test_all_other_browsers_are_signed_out(gm: User, browsers: list[Client]) -> None:
    stranger, guest = sign_in(User.objects.create_user("stranger"), CHROME), Client()
    guest.get("/")
    here, *others = browsers
    assert "Signed out in 2 browsers." in here.post(DEVICES, follow=True).content.decode()
    assert is_signed_in(here)
    assert not any(map(is_signed_in, others))
    assert is_signed_in(stranger)


def test_no_one_signs_out_others(gm: User, browsers: list[Client]) -> None:
    """The mark of another person's session does nothing."""
    page = Page(browsers[0].get(DEVICES).content.decode())
    marks = [found["value"] for found in page.all("input", name="device")]
    stranger = sign_in(User.objects.create_user("stranger"), CHROME)
    assert (
        "Signed out in 0 browsers." in stranger.post(DEVICES, {"device": marks}, follow=True).content.decode()
    )
    assert all(map(is_signed_in, browsers))


@pytest.mark.parametrize(
    ("description", "name"),
    [
        (FIREFOX, "Firefox on Android"),
        (CHROME, "Chrome on Windows"),
        (f"{CHROME} Edg/140.0", "Edge on Windows"),
        (SAFARI, "Safari on an iPhone"),
        ("curl/8", "A browser"),
        ("", "A browser"),
    ],
)
def test_browser_is_named_by_what_it_says(description: str, name: str) -> None:
    assert name_browser(description) == name
