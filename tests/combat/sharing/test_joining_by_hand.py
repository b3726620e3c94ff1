"""Joining on a phone, waiting, and being called: in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page as Browser
from playwright.sync_api import ViewportSize, expect
from pytest_django.live_server_helper import LiveServer
from pytest_playwright.pytest_playwright import CreateContextCallback

from combat.models import Encounter, Seat, ShareLink
from combat.play.writing.encounter_service import undo
from tests.browser import BY_THEME, find_barriers, find_overflow, sign_in
from tests.combat.cast import come, invite
from tests.combat.pages.table.test_waiting import pass_turn
from tests.combat.visit import MARCUS, ZARA

PHONE: ViewportSize = {"width": 360, "height": 740}
HEAR = """const Given = AudioContext;
AudioContext = class extends Given { constructor() { super(); window.heard = this; } };"""
LATER = "{ const clock = Date.now; Date.now = () => clock() + 60000; }"
LOOK = """() => window.htmx.trigger(document.querySelector("#stream [data-live]"), "again")"""


@pytest.fixture
def phone(new_context: CreateContextCallback, live_server: LiveServer, transactional_db: None) -> Browser:
    return new_context(viewport=PHONE, is_mobile=True, has_touch=True).new_page()


def check_look(phone: Browser) -> None:
    """Nothing is in anyone's way, in both themes."""
    for theme, only in (("dark", ()), ("light", BY_THEME)):
        phone.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        assert find_barriers(phone, only=only) == [], theme
    assert find_overflow(phone) == []


def test_phone_joins_with_a_name_and_three_taps_and_is_ready(
    phone: Browser, live_server: LiveServer, prepared: Encounter
) -> None:
    taps = 0

    def tap(what: str) -> None:
        nonlocal taps
        taps += 1
        phone.locator(what).tap()

    phone.goto(f"{live_server.url}{invite(prepared)}")
    check_look(phone)
    button = phone.locator("[data-join-button]")
    expect(button).to_be_in_viewport(ratio=1)
    for value, is_free in (("watch", True), ("new", False)):
        phone.locator(f"[name=combatant][value={value}]").evaluate("(radio) => radio.click()")
        assert button.evaluate("(button) => button.formNoValidate") == is_free, (
            "only who watches needs no name"
        )
    phone.locator("#name").fill("Lena")
    tap(".face-option:has([value=scout])")
    tap(f".join-pick:has([value={ZARA}])")
    expect(phone.locator("[data-join-button]")).to_have_text("Join as Zara")
    tap("[data-join-button]")
    expect(phone.locator("#h-turn")).to_have_text("Almost there")
    assert taps == 3
    assert Seat.objects.get().combatants == [ZARA]
    check_look(phone)
    phone.evaluate("window.isSamePage = true")
    phone.locator("#ready").tap()
    expect(phone.locator("#ready")).to_have_attribute("aria-pressed", "true")
    expect(phone.locator(".room-count")).to_have_text("1 of 1 ready")
    assert phone.evaluate("window.isSamePage"), "another page would have to be tapped before it may sound"
    phone.locator("#change-face > summary").tap()
    phone.locator(".face-option:has([value=pilot])").tap()
    phone.get_by_role("button", name="Save face").tap()
    expect(phone.locator(".room-party .is-you use")).to_have_attribute("href", "/static/img/faces.svg#pilot")
    check_look(phone)


def test_calls_are_chosen_by_the_tap_that_lets_the_page_sound(
    phone: Browser, live_server: LiveServer, started: Encounter
) -> None:
    phone.add_init_script(HEAR)
    phone.goto(f"{live_server.url}{invite(started)}")
    phone.locator("#join-calls > summary").tap()
    sound = phone.get_by_role("button", name="Sound", exact=True)
    expect(sound).to_have_attribute("aria-pressed", "false")
    assert phone.evaluate("typeof heard") == "undefined"
    sound.tap()
    expect(sound).to_have_attribute("aria-pressed", "true")
    phone.wait_for_function("() => heard.state === 'running'")
    phone.reload()
    phone.locator("#join-calls > summary").tap()
    expect(phone.get_by_role("button", name="Sound", exact=True)).to_have_attribute("aria-pressed", "true")


def test_player_is_told_once_when_next_and_called_on_their_turn(
    phone: Browser, live_server: LiveServer, started: Encounter
) -> None:
    """The turn order is Zara, Pirate, Marcus."""
    sign_in(phone.context, live_server, come(started, ShareLink.PLAY, "Pia", MARCUS))
    phone.goto(f"{live_server.url}/encounters/{started.pk}/")
    band = phone.locator(".call-band")
    expect(band).to_have_count(0)
    pass_turn(started.pk)
    phone.evaluate(LOOK)
    expect(band).to_have_text("You are nextMarcus")
    expect(phone.locator("#live")).to_have_text("Pirate's turn. You are next.")
    band.tap()
    expect(band).to_be_hidden()
    phone.evaluate(LATER)
    undo(started.pk)
    phone.evaluate(LOOK)
    expect(phone.locator("#h-turn")).to_contain_text("Zara")
    pass_turn(started.pk)
    phone.evaluate(LOOK)
    expect(phone.locator("#h-turn")).to_contain_text("Pirate")
    expect(band).to_be_hidden()
    pass_turn(started.pk)
    phone.evaluate(LOOK)
    expect(band).to_have_text("Your turnMarcus")
    assert find_barriers(phone) == []
    assert phone.title().startswith("● Your turn")
    box = band.bounding_box()
    assert box
    assert (box["x"], box["width"]) == (0, PHONE["width"])
    expect(band).to_have_css("height", "64px")  # soon it leaves the turn in sight
    before = Encounter.objects.get().version
    band.tap()
    expect(band).to_be_hidden()
    assert Encounter.objects.get().version == before, "what is below was not pressed"


def test_first_tap_beside_the_light_does_what_it_says(
    phone: Browser, live_server: LiveServer, started: Encounter
) -> None:
    sign_in(phone.context, live_server, come(started, ShareLink.PLAY, "Pia", MARCUS))
    phone.goto(f"{live_server.url}/encounters/{started.pk}/")
    for _ in range(2):
        pass_turn(started.pk)
    phone.evaluate(LOOK)
    band = phone.locator(".call-band.is-small")
    expect(band).to_be_visible()
    phone.locator("#vitals > summary").tap()
    expect(band).to_be_hidden()
    expect(phone.locator("#vitals")).to_have_attribute("open", "")
