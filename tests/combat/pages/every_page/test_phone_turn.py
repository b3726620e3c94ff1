"""A player's turn fits one screen of a phone, and a swipe leads to the map and the log."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from playwright.sync_api import BrowserType, expect
from playwright.sync_api import Page as Browser
from pytest_django.live_server_helper import LiveServer
from pytest_playwright.pytest_playwright import CreateContextCallback

from combat.models import Encounter, Seat, ShareLink
from combat.play.demo import make_demo_fight
from combat.play.writing.encounter_service import Submission, submit, undo
from combat.rules import SYSTEMS, find_system
from combat.rules.core.state.state import is_acting, present
from tests.browser import CUT, find_barriers, find_overflow, skip_hints
from tests.combat.cast import come
from tests.combat.visit import PIRATE, PISTOL, ZARA, play, state_of
from tests.typed import sure

HEIGHT = 780  # pixels, of a phone that is 360 wide
STEPS = 5  # of a demo's script, before a hero's turn is looked at
BELOW = """() => {
  const bottom = (name) => document.querySelector(name)?.getBoundingClientRect().bottom;
  const usual = bottom(".usual .action-list") ?? bottom("#turn-actions .action-list");
  return [bottom("#turn-head"), bottom("#vitals summary"), usual];
}"""


def sit_down(page: Browser, live_server: LiveServer, encounter: Encounter, who: str) -> None:
    """Open the table on a phone, at the seat of the player of a combatant."""
    client = come(encounter, ShareLink.PLAY, "Pia")
    Seat.objects.filter(encounter=encounter).update(combatants=[who])
    for name, one in client.cookies.items():
        page.context.add_cookies([{"name": name, "value": one.value, "url": live_server.url}])
    skip_hints(page.context)
    page.set_viewport_size({"width": 360, "height": HEIGHT})
    page.goto(f"{live_server.url}/encounters/{encounter.pk}/")


def begin_turn(gm: User, slug: str) -> tuple[Encounter, str]:
    """A demo fight in the turn of a player character, with what happened before it."""
    made = make_demo_fight(gm, slug)
    script = find_system(slug).demo.make_first().script
    least = min(STEPS, len(script) // 2)
    for number, step in enumerate(script):
        play(made.pk, [step])
        state = state_of(made.pk)
        heroes = [one.id for one in present(state) if one.pc and is_acting(state, one.id)]
        if heroes and number >= least:
            return made, heroes[0]
    raise AssertionError(f"no hero acts in {slug}")


def test_turn_of_every_game_fits_one_screen(
    live_server: LiveServer, page: Browser, transactional_db: None, gm: User
) -> None:
    for slug in SYSTEMS:
        sit_down(page, live_server, *begin_turn(gm, slug))
        expect(page.locator("#h-turn")).to_have_text("Your turn")
        tabs = sure(page.locator(".tabs").bounding_box())
        for bottom in page.evaluate(BELOW):
            assert bottom <= tabs["y"], slug
        expect(page.locator(".usual .others a > .mark"), slug).to_have_count(
            page.locator(".usual .others a").count()
        )
        expect(page.locator("#numbers"), slug).to_be_hidden()
        page.locator("#vitals > summary").click()
        expect(page.locator("#numbers"), slug).to_be_visible()
        assert find_overflow(page) == [], slug
        assert find_barriers(page, only=("nested-interactive",)) == [], slug


SWIPE = """([name, by]) => {
  const target = document.querySelector(name);
  const touch = (x) => new Touch({ identifier: 1, target, clientX: x, clientY: 300 });
  const send = (kind, x, touches) => target.dispatchEvent(
    new TouchEvent(kind, { bubbles: true, touches, changedTouches: [touch(x)] }));
  send("touchstart", 180, [touch(180)]);
  send("touchend", 180 + by, []);
}"""


def test_swipes_and_the_end_of_a_turn(live_server: LiveServer, page: Browser, started: Encounter) -> None:
    sit_down(page, live_server, started, ZARA)
    check_swipes(page)
    check_end_of_turn(page, started)
    undo(started.pk)
    submit(
        started.pk, Submission("attack", {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}, faces=(1, 2))
    )
    page.reload()
    page.get_by_role("button", name="End turn").click()  # the main action is spent: it asks nothing
    expect(page.locator("#h-turn")).not_to_have_text("Your turn")


def check_swipes(page: Browser) -> None:
    """They lead from tab to tab, but move the map where one is."""

    def swipe(place: str, by: int, shown: str) -> None:
        page.evaluate(SWIPE, [place, by])
        expect(page.locator(f"#tab-{shown}")).to_be_checked()

    swipe("#turn", 120, "turn")  # nothing is left of it
    swipe("#turn", -40, "turn")
    swipe("#turn", -120, "combatants")
    expect(page.locator(f"#row-{PIRATE}")).to_be_visible()
    swipe("#combatants", -120, "scene")
    swipe(".map-frame > svg", -120, "scene")
    swipe("#h-scene", -120, "log")
    swipe("#log", 120, "scene")
    swipe("#h-scene", 120, "combatants")
    swipe("#combatants", 120, "turn")


def check_end_of_turn(page: Browser, started: Encounter) -> None:
    """It asks once while something is left."""
    end, asked = page.get_by_role("button", name="End turn"), page.locator("#turn-head [data-ask]")
    page.locator("a.action[href*='do=attack']").first.click()
    expect(page.locator(".action-form")).to_be_visible()
    end.click()
    expect(asked).to_have_text("A form is open. Unspent: Standard. Press again to end your turn.")
    assert find_overflow(page) == []
    assert state_of(started.pk).active == ZARA
    end.click()
    expect(page.locator("#h-turn")).not_to_have_text("Your turn")
    assert state_of(started.pk).active == PIRATE


# What is tapped and lower than a fingertip, with what reaches beyond its box; a label stands for its field
SMALL = """() => [
    ...document.querySelectorAll("a, button, select, summary, input:not([type=checkbox], [type=hidden])")]
  .filter((one) => one.checkVisibility() && one.offsetHeight > 1 && !one.matches(".vh, .skip, .tabs *"))
  .filter((one) => {
    const { content, position, top } = getComputedStyle(one, "::after");
    const beyond = content !== "none" && position === "absolute" ? Math.min(0, parseFloat(top)) : 0;
    return Math.round(one.getBoundingClientRect().height - 2 * beyond) < 44;
  })
  .map((one) => one.outerHTML.slice(0, 120))"""


def test_everything_is_as_large_as_a_fingertip(
    live_server: LiveServer, new_context: CreateContextCallback, started: Encounter
) -> None:
    page = new_context(is_mobile=True, has_touch=True).new_page()
    submit(started.pk, Submission("give_condition", {"target": PIRATE, "kind": "prone"}))
    sit_down(page, live_server, started, ZARA)
    for tab in ("Combatants", "Scene", "Log", "Turn"):
        page.locator(".tabs label", has_text=tab).click()
        assert page.evaluate(SMALL) == [], tab
    page.locator("#all-actions + .btn").click()
    assert page.evaluate(SMALL) == []
    page.goto(f"{live_server.url}/encounters/{started.pk}/?do=attack&combatant={ZARA}")
    page.locator("#odds-why > summary").click()
    assert page.evaluate(SMALL) == []


def test_words_beside_two_chances_are_whole(
    live_server: LiveServer, page: Browser, transactional_db: None, gm: User
) -> None:
    made, who = begin_turn(gm, "guardians")
    sit_down(page, live_server, made, who)
    page.locator("a.action[href*='do=attack']").first.click()
    expect(page.locator(".odds-after")).to_be_visible()
    for width in (320, 360, 375):
        page.set_viewport_size({"width": width, "height": 568})
        assert page.evaluate(CUT, ".odds-label") == [], width
        assert find_overflow(page) == [], width


def test_letters_twice_as_large_cut_no_words(
    live_server: LiveServer,
    browser_type: BrowserType,
    browser_type_launch_args: dict[str, Any],
    started: Encounter,
) -> None:
    switches = [*browser_type_launch_args.get("args", []), "--blink-settings=defaultFontSize=32"]
    with browser_type.launch(**(browser_type_launch_args | {"args": switches})) as browser:
        page = browser.new_page()
        sit_down(page, live_server, started, ZARA)
        assert page.evaluate(CUT, ".action-strike, .tabs label, #h-turn") == []
        page.locator(".tabs label", has_text="Combatants").click()
        assert page.evaluate(CUT, ".row-main") == []
        assert find_overflow(page) == []


def test_closed_form_leads_back_to_its_action(
    live_server: LiveServer, page: Browser, started: Encounter
) -> None:
    sit_down(page, live_server, started, ZARA)
    page.locator("#all-actions + .btn").click()
    page.locator("#act-delay").click()
    page.get_by_role("link", name="Close").click(position={"x": 50, "y": 40})  # above the mark of a rule
    expect(page.locator("#act-delay")).to_be_focused()
    expect(page.locator("#act-delay")).to_be_in_viewport()


def test_many_conditions_stand_side_by_side(
    live_server: LiveServer, page: Browser, started: Encounter
) -> None:
    for kind in ("prone", "stunned", "blinded", "deafened", "fatigued", "irradiated"):
        submit(started.pk, Submission("give_condition", {"target": ZARA, "kind": kind}, by="gm"))
    sit_down(page, live_server, started, ZARA)
    held = page.locator(".held")
    assert sure(held.bounding_box())["height"] < 4 * 44
    held.locator("summary", has_text="Fatigued").click()
    expect(held.locator("[open] small")).to_be_visible()
