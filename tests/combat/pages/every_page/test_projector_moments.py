"""A projector shows the weightiest moment for a few seconds; reduced motion and small screens show none.

Its navigation comes only when it is called.
"""

from __future__ import annotations

from playwright.sync_api import Page as Browser
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter, ShareLink
from combat.play.writing.encounter_service import Submission, submit
from combat.sharing.links import open_lasting_link
from tests.browser import find_barriers
from tests.combat.cast import come
from tests.combat.visit import PIRATE, ZARA

OVER = 4000  # milliseconds after which no moment is shown any longer


def hurt(started: Encounter, who: str, by: int) -> None:
    """Take hit points from someone, as the GM."""
    submit(started.pk, Submission("adjust", {"target": who, "track": "hp", "by": -by}))


def watch(page: Browser, live_server: LiveServer, started: Encounter) -> None:
    """Open the fight on a projector, as a spectator, with a clock that stands still."""
    client = come(started, ShareLink.WATCH, "Wim")
    for name, one in client.cookies.items():
        page.context.add_cookies([{"name": name, "value": one.value, "url": live_server.url}])
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.emulate_media(reduced_motion="no-preference")
    page.clock.install()
    page.goto(f"{live_server.url}/encounters/{started.pk}/")


def test_moment_fills_the_projector_for_four_seconds(
    live_server: LiveServer, page: Browser, transactional_db: None, started: Encounter
) -> None:
    hurt(started, PIRATE, 5)
    watch(page, live_server, started)
    shown = page.locator("[data-moment]:not([hidden])")

    def look() -> None:
        before = page.locator("#table").get_attribute("data-version")
        page.evaluate("htmx.trigger('[data-live]', 'again')")
        page.clock.run_for(100)
        expect(page.locator("#table")).not_to_have_attribute("data-version", before or "")

    hurt(started, PIRATE, 100)
    hurt(started, ZARA, 300)  # weighs more
    look()
    expect(shown).to_have_count(1)
    expect(shown).to_contain_text("Zara dies")
    assert shown.evaluate("one => [one.offsetWidth, one.offsetHeight]") == [1920, 1080]
    page.clock.run_for(OVER)
    expect(shown).to_have_count(0)
    expect(page.locator("#live")).to_contain_text("Zara dies.")
    page.emulate_media(reduced_motion="reduce")
    submit(started.pk, Submission("end_fight", {}))
    look()
    expect(shown).to_have_count(0)
    expect(page.locator("#h-ending")).to_be_in_viewport(ratio=1)
    page.clock.run_for(100)
    for part in ("#h-wall-damage", "#h-wall-moment"):  # all of it on one screen
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    assert page.locator(".ending").evaluate("one => one.scrollHeight - one.clientHeight") == 0
    assert find_barriers(page) == []
    page.reload()
    expect(page.locator("#h-ending")).to_be_visible()
    expect(shown).to_have_count(0)


def test_projector_by_pointer_and_in_the_next_turn(
    live_server: LiveServer, page: Browser, transactional_db: None, started: Encounter
) -> None:
    page.mouse.move(900, 0)
    page.emulate_media(color_scheme="dark")
    watch(page, live_server, started)
    check_navigation(page)
    check_controls(page)
    submit(started.pk, Submission("next_turn"))
    check_acting_combatant(page)


def check_navigation(page: Browser) -> None:
    """It comes when the pointer moves to the upper edge: one that was left there calls nothing."""
    navigation = page.get_by_role("navigation", name="Site")
    for _ in range(2):
        page.clock.run_for(OVER)
        expect(navigation).not_to_be_in_viewport()
        page.reload()
    page.mouse.move(900, 500)
    page.mouse.move(900, 2)
    expect(navigation).to_be_in_viewport()
    page.clock.run_for(OVER)
    expect(navigation).not_to_be_in_viewport()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(navigation).to_be_in_viewport()


def check_controls(page: Browser) -> None:
    """What nobody can press on a wall comes with the pointer."""
    page.evaluate("document.activeElement.blur()")
    page.locator("#combatants").hover()
    for panel, control in (("#scene", "#map-zoom"), ("#log", "#log > .panel-head > .btn >> nth=0")):
        expect(page.locator(control)).to_have_css("opacity", "0")
        page.locator(panel).hover()
        expect(page.locator(control)).to_have_css("opacity", "1")


def check_acting_combatant(page: Browser) -> None:
    """What changed is lit for a moment: not with a colour that hides the words."""
    page.evaluate("htmx.trigger('[data-live]', 'again')")
    acting = page.locator("[data-row][aria-current=true].changed")
    expect(acting).to_contain_text("Pirate")
    expect(acting).to_have_css("animation-name", "none")
    assert find_barriers(page, f"#row-{PIRATE}", only=("color-contrast",)) == []


def test_code_to_join_is_drawn_as_cameras_read_it(
    live_server: LiveServer, page: Browser, transactional_db: None, prepared: Encounter
) -> None:
    """Each square is as wide as the code's grid: no style of the map beside it reaches it."""
    open_lasting_link(prepared, ShareLink.PLAY)
    submit(prepared.pk, Submission("set_option", {"key": "screen_code", "value": "true"}))
    watch(page, live_server, prepared)
    drawn = page.locator(".joining .qr path").last.evaluate(
        "(path) => { const style = getComputedStyle(path);"
        " return [style.stroke, style.strokeWidth, style.strokeLinecap] }"
    )
    assert drawn == ["rgb(0, 0, 0)", "1px", "butt"]
