"""The site's own pages in a real browser: nothing blocked, all accessible, in both themes."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from characters.accounts.users import can_sign_in_alone, make_sign_in_link
from tests.browser import BY_THEME, find_barriers

PASSWORD = "seven purple moons"
READ_COLORS = """() => {
  const style = getComputedStyle(document.body);
  return [style.backgroundColor, ...["--way", "--face-ground"].map((one) => style.getPropertyValue(one))];
}"""
PAGES = ["/sign-in/none/", "/nothing/"]  # test_every_page.py looks at all that open


def add_virtual_key(page: Page) -> None:
    """Give the browser a passkey store that always agrees."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
    }
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})


@pytest.mark.slow
def test_pages_are_open_to_everybody(live_server: LiveServer, page: Page, complaints: list[str]) -> None:
    for address in PAGES:
        page.emulate_media(color_scheme="dark")
        page.goto(live_server.url + address)
        assert find_barriers(page) == [], address
        page.emulate_media(color_scheme="light")
        assert find_barriers(page, only=BY_THEME) == [], f"{address}, light"
    assert complaints == []


@pytest.mark.slow
def test_chosen_theme_stays_whatever_the_system_shows(
    live_server: LiveServer, page: Page, complaints: list[str]
) -> None:
    page.goto(f"{live_server.url}/help/")
    button, of_system = page.locator("[data-theme-toggle]"), {}
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme=theme)
        of_system[theme] = page.evaluate(READ_COLORS)
    assert of_system["dark"] != of_system["light"]
    button.click()
    assert page.evaluate(READ_COLORS) == of_system["dark"]
    page.reload()
    assert page.evaluate(READ_COLORS) == of_system["dark"]
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).getPropertyValue('--green')") == "#19682f", (
        "on paper"
    )
    page.emulate_media(media="screen", color_scheme="dark")
    button.click()
    assert page.evaluate(READ_COLORS) == of_system["light"]
    assert complaints == []


@pytest.mark.slow
def test_gm_signs_in_by_link_and_adds_an_authenticator_app(
    live_server: LiveServer, page: Page, complaints: list[str], transactional_db: None, gm: User
) -> None:
    page.goto(f"{live_server.url}/sign-in/{make_sign_in_link(gm)}/")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password (again)").fill(PASSWORD)
    page.get_by_role("button", name="Set password").click()
    page.goto(f"{live_server.url}/accounts/2fa/totp/activate/")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button").click()
    code = page.get_by_role("img", name="QR code")
    size = code.bounding_box()
    assert size
    assert min(size["width"], size["height"]) > 100
    assert find_barriers(page) == []
    assert complaints == []


@pytest.mark.slow
def test_gm_adds_a_passkey_and_signs_in_with_it(
    live_server: LiveServer, page: Page, complaints: list[str], transactional_db: None, gm: User
) -> None:
    here = live_server.url.replace("127.0.0.1", "localhost")  # browsers keep no passkeys for IP addresses
    gm.set_password(PASSWORD)
    gm.save()
    add_virtual_key(page)
    page.goto(f"{here}/accounts/login/")
    page.get_by_label("Username").fill("gm")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("button", name="Account and settings").click()
    page.get_by_role("link", name="Account").click()
    expect(page.get_by_role("heading", name="Your account")).to_be_visible()
    assert find_barriers(page) == []
    page.get_by_role("link", name="Add a passkey").click()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_text("It works only at localhost")).to_be_visible()
    page.evaluate(
        """document.dispatchEvent(new CustomEvent("allauth.error", {
            cancelable: true, detail: {exception: new DOMException("", "NotAllowedError")}}))"""
    )
    expect(page.get_by_role("alert")).to_have_text("No passkey was used. Try again, or sign in another way.")
    page.get_by_label("Name").fill("Laptop")
    page.get_by_role("button", name="Add", exact=True).click()
    page.wait_for_url(lambda url: "/add/" not in url)
    expect(page.get_by_text("Passkey added.")).to_be_visible()
    page.get_by_role("button", name="Account and settings").click()
    page.get_by_role("button", name="Sign out").click()
    page.goto(f"{here}/accounts/login/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("heading", name="Welcome, gm")).to_be_visible()
    assert complaints == []


@pytest.mark.slow
def test_passkey_is_all_that_a_gm_without_a_password_needs(
    live_server: LiveServer, page: Page, complaints: list[str], transactional_db: None, gm: User
) -> None:
    here = live_server.url.replace("127.0.0.1", "localhost")
    add_virtual_key(page)
    page.goto(f"{here}/sign-in/{make_sign_in_link(gm)}/")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.goto(f"{here}/accounts/2fa/webauthn/add/")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("heading", name="Confirm it's you")).to_be_visible()
    assert find_barriers(page) == []
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    assert can_sign_in_alone(gm)
    page.context.clear_cookies()
    page.goto(f"{here}/accounts/login/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("heading", name="Welcome, gm")).to_be_visible()
    assert complaints == []
