"""The screen of a phone stays on while the fight at its seat runs."""

from __future__ import annotations

from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from tests.browser import sign_in
from tests.combat.cast import Cast
from tests.combat.visit import PIRATE

# A wake lock that the test can look at: a headless browser has no screen.
STAND_IN = """
window.taken = 0;
window.held = new Set();
const request = async () => {
    const lock = new EventTarget();
    lock.release = async () => { held.delete(lock); lock.dispatchEvent(new Event("release")); };
    held.add(lock);
    taken += 1;
    return lock;
};
Object.defineProperty(Navigator.prototype, "wakeLock", { value: { request } });
"""
HIDE = """async () => {  // as a browser does when someone opens another app
    for (const lock of held) await lock.release();
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_seat_keeps_its_screen_on_until_the_fight_ends(
    live_server: LiveServer, page: Page, transactional_db: None, cast: Cast, started: Encounter
) -> None:
    page.add_init_script(STAND_IN)
    sign_in(page.context, live_server, cast.gm)
    page.goto(f"{live_server.url}/encounters/{started.pk}/")
    assert page.evaluate("[taken, document.featurePolicy.allowsFeature('screen-wake-lock')]") == [0, True]

    page.context.clear_cookies()
    sign_in(page.context, live_server, cast.player)
    page.goto(f"{live_server.url}/encounters/{started.pk}/")
    page.wait_for_function("() => held.size === 1")
    page.evaluate(HIDE)
    page.wait_for_function("() => taken === 2 && held.size === 1")

    submit(started.pk, Submission("give_condition", {"target": PIRATE, "kind": "unconscious"}, by="gm"))
    submit(started.pk, Submission("end_fight", {}, by="gm"))
    page.evaluate("htmx.trigger('[data-live]', 'again')")
    page.wait_for_function("() => held.size === 0")
    assert page.evaluate("taken") == 2
