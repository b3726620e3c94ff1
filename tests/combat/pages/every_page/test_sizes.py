"""What fits on a screen, and how few taps and keys frequent tasks take."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from msgspec import to_builtins
from playwright.sync_api import Page, ViewportSize, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter, ShareLink
from combat.play.scenes.ready import find_ready_scene
from combat.play.writing.encounter_service import Submission, create_encounter, submit, undo
from tests.browser import BY_THEME, find_barriers, find_overflow, sign_in, wait_for_map
from tests.combat.cast import Cast, come
from tests.combat.display.mess_hall import settle_blast, throw_grenade
from tests.combat.pages.every_page.test_accessibility import ask_for_dice
from tests.combat.visit import DEMO, PIRATE, PISTOL, ZARA, load, play, roll_fives, state_of
from tests.typed import sure

LAPTOP: ViewportSize = {"width": 1440, "height": 900}
PROJECTOR: ViewportSize = {"width": 1920, "height": 1080}
MAX_TABS = 5
NO_BANNER = "document.getElementById('banner').remove()"  # the live stream of these servers is never open
MAX_ROW, ONE_LINE = 66, 58  # pixels
SHOWN = """() => [...document.querySelectorAll(".row")].filter((row) => {
  const box = row.getBoundingClientRect();
  return box.height > 20 && box.top >= 0 && box.bottom <= innerHeight && box.right <= innerWidth + 1;
}).length"""
STRIP = """() => [...document.querySelectorAll(".row")]
  .map((row) => [row.getBoundingClientRect(), row])
  .sort(([a], [b]) => a.top - b.top || a.left - b.left)
  .map(([, row]) => row.id)"""
IN_FOCUS = "() => document.activeElement.textContent.trim().split(/\\s+/).join(' ')"


def crowd(encounter: Encounter, number: int) -> None:
    """Fill the fight up to this many combatants."""
    submit(encounter.pk, Submission("join", {"block": "pirate", "count": number - 3}))


@pytest.fixture
def laptop(visitor: Page) -> Page:
    """The GM's laptop, with no page yet."""
    visitor.set_viewport_size(LAPTOP)
    return visitor


@pytest.fixture
def gm_page(laptop: Page, address: str) -> Page:
    """The GM at a laptop, in Zara's first turn."""
    laptop.goto(address)
    return laptop


HEIGHTS = "() => [...document.querySelectorAll('.row')].map((row) => row.getBoundingClientRect().height)"
CONDITIONS = ("prone", "stunned", "blinded", "deafened", "fatigued", "irradiated", "slowed")


def test_twelve_combatants_show_in_low_rows_with_many_conditions(
    laptop: Page, address: str, started: Encounter
) -> None:
    """Icons stand for them, in a narrow column four and how many are left, and a tap shows their words."""
    crowd(started, 12)
    laptop.goto(address)
    expect(laptop.locator(".row")).to_have_count(12)
    assert laptop.evaluate(SHOWN) == 12
    for kind in CONDITIONS:
        submit(started.pk, Submission("give_condition", {"target": PIRATE, "kind": kind}, by="gm"))
    for arrangement, icons in (("numbers", len(CONDITIONS)), ("map", 4)):
        laptop.evaluate("name => localStorage.setItem('arrange', name)", arrangement)
        laptop.reload()
        check_rows(laptop, arrangement)
        check_conditions(laptop, icons)


def check_rows(page: Page, arrangement: str) -> None:
    """All are equally low."""
    heights = page.evaluate(HEIGHTS)
    assert max(heights) <= MAX_ROW, arrangement
    assert len({round(height) for height in heights}) == 1, arrangement


def check_conditions(page: Page, icons: int) -> None:
    """So many icons are shown, and all words after a tap."""
    chips, words = page.locator(f"#conditions-{PIRATE}"), page.locator(f"#chips-{PIRATE}")
    expect(chips.locator(".chip:has(.icon):visible")).to_have_count(icons)
    left = chips.get_by_text(f"+{len(CONDITIONS) - 4}")
    expect(left, f"{icons} icons").to_be_visible(visible=icons < len(CONDITIONS))
    expect(words, f"{icons} icons").to_be_hidden()
    chips.click()
    expect(words.locator(".chip"), f"{icons} icons").to_have_count(len(CONDITIONS))
    expect(words.get_by_text("Prone"), f"{icons} icons").to_be_visible()


def test_small_laptop_shows_the_turn_beside_one_of_the_others(gm_page: Page, started: Encounter) -> None:
    """Tabs choose which: the combatants at first, in the other arrangement the map.

    Beside the others the combatants are a strip of one line. The bar fits there, and at 200 percent.
    """
    check_bar_at_200_percent(gm_page)
    gm_page.set_viewport_size({"width": 1024, "height": 768})
    for arrangement, first in (("numbers", "#combatants"), ("map", "#scene")):
        gm_page.evaluate("name => localStorage.setItem('arrange', name)", arrangement)
        gm_page.reload()
        shown = first
        for tab in ("Log", "Scene", "Combatants"):
            for panel in ("#combatants .panel-head", "#scene", "#log"):
                expect(gm_page.locator(panel)).to_be_visible(visible=panel.startswith(shown))
            expect(gm_page.locator("#turn")).to_be_visible()
            expect(gm_page.locator("#rows > .row:visible")).to_have_count(3)
            tops = {round(sure(row.bounding_box())["y"]) for row in gm_page.locator("#rows > .row").all()}
            assert len(tops) == (3 if shown == "#combatants" else 1)
            if arrangement == "numbers" and shown != "#combatants":
                assert find_barriers(gm_page, without=BY_THEME) == [], shown
            gm_page.locator(".tabs label", has_text=tab).click()
            shown = f"#{tab.lower()}"
        assert find_barriers(gm_page, without=BY_THEME) == [], arrangement
        assert find_overflow(gm_page) == [], arrangement
        assert sure(gm_page.locator("#table-bar").bounding_box())["height"] <= ONE_LINE
        assert max(gm_page.evaluate(HEIGHTS)) <= MAX_ROW
    check_scene_with_a_setting(gm_page, started)


# Names of people that lie on each other
OVER = """() => {
  const boxes = [...document.querySelectorAll("[data-map] .token-name")]
    .filter((name) => name.checkVisibility({ visibilityProperty: true }))
    .map((name) => [name.textContent, name.getBBox(), name.getScreenCTM()])
    .map(([words, box, { a, d, e, f }]) =>
      [words, box.x * a + e, box.y * d + f, box.width * a, box.height * d]);
  const meet = ([, x, y, wide, tall], [, left, top, w, h]) =>
    x < left + w && left < x + wide && y < top + h * .75 && top < y + tall * .75;
  const follow = (n) => boxes.slice(n + 1).filter((two) => meet(boxes[n], two));
  return boxes.flatMap(([words], n) => follow(n).map(([other]) => `${words}, ${other}`));
}"""


def check_scene_with_a_setting(page: Page, fight: Encounter) -> None:
    """The bar stays one line beside what is unusual there, and names of people side by side stay apart."""
    submit(fight.pk, Submission("set_scene", {"scene": to_builtins(find_ready_scene("asteroid_base").scene)}))
    submit(fight.pk, Submission("set_setting", {"key": "light", "value": "dark"}))
    page.reload()
    expect(page.locator(".token-name:visible")).to_have_count(3)
    assert sure(page.locator("#table-bar").bounding_box())["height"] <= ONE_LINE
    wait_for_map(page)
    assert page.evaluate(OVER) == []


def check_bar_at_200_percent(page: Page) -> None:
    """A window of 1440 px whose text is twice as large: the bar stays together."""
    for height, lines in ((450, 1), (900, 2)):
        page.set_viewport_size({"width": 720, "height": height})
        assert sure(page.locator("#table-bar").bounding_box())["height"] <= lines * ONE_LINE, height
        tops = page.locator("#bar-actions > :visible").evaluate_all(
            "all => all.map((one) => Math.round(one.getBoundingClientRect().top))"
        )
        assert len(set(tops)) == 1, f"buttons of the bar, {height} px high"
        assert find_overflow(page) == [], f"{height} px high"


def count_tabs(page: Page, name: str) -> int:
    """How often to press the key, from the head of the turn on, until the element of this name has focus."""
    page.locator("#h-turn").focus()
    for count in range(1, 3 * MAX_TABS):
        page.keyboard.press("Tab")
        if page.evaluate(IN_FOCUS).startswith(name):
            return count
    raise AssertionError(f"{name} is farther than {3 * MAX_TABS} tabs away")


@pytest.mark.slow
def test_projector_shows_what_all_look_at(
    live_server: LiveServer, page: Page, transactional_db: None, cast: Cast, address: str, started: Encounter
) -> None:
    sign_in(page.context, live_server, cast.watcher)
    page.set_viewport_size(PROJECTOR)
    page.goto(address)
    check_last_result(page, started)
    crowd(started, 20)
    submit(started.pk, Submission("next_turn", {}))
    page.reload()
    check_twenty(page, started)


def check_last_result(page: Page, started: Encounter) -> None:
    """The last of several is shown: no one stands at the projector to page through them."""
    expect(page.locator("[data-result]")).to_have_count(1)
    play(started.pk, DEMO.script[1:5])
    page.evaluate("htmx.trigger('[data-live]', 'again')")
    expect(page.locator("[data-result]")).not_to_have_count(1)
    expect(page.locator("[data-result].is-shown")).to_have_count(1)
    expect(page.locator("[data-result]").last, "the last result").to_be_visible()
    expect(page.get_by_role("button", name="Next result")).to_be_hidden()


def check_twenty(page: Page, started: Encounter) -> None:
    """Twenty combatants are seen in the order of their turns, above a map that fills the rest."""
    page.evaluate(NO_BANNER)
    expect(page.locator(".row")).to_have_count(20)
    assert page.evaluate(SHOWN) == 20
    expect(page.locator(".map-frame")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("navigation")).not_to_be_in_viewport()
    order, acting = state_of(started.pk).order, state_of(started.pk).active
    now = order.index(acting)
    assert page.evaluate(STRIP) == [f"row-{who}" for who in (*order[now:], *order[:now])]
    filled = page.evaluate("document.querySelector('.map-frame').getBoundingClientRect().bottom")
    assert filled == PROJECTOR["height"], "the map fills the rest"


def test_projector_turns_the_pages_of_a_card_that_is_too_long(
    live_server: LiveServer, page: Page, transactional_db: None, gm: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Forty people in one blast: those who are out appear on the first page, and all on one page."""
    roll_fives(monkeypatch)
    pk = throw_grenade(gm, people=40)
    settle_blast(pk)
    client = come(load(pk), ShareLink.WATCH, "Wim")
    sign_in(page.context, live_server, client)
    page.clock.install()
    page.set_viewport_size(PROJECTOR)
    page.goto(f"{live_server.url}/encounters/{pk}/")
    page.evaluate(NO_BANNER)
    page.evaluate("dispatchEvent(new Event('resize'))")
    card, seen = page.locator(".result"), []
    expect(card.locator(".result-page")).to_have_text(re.compile(r"1 of \d"))
    pages = int(card.locator(".result-page").inner_text()[-1])
    for _ in range(pages):
        expect(card).to_be_in_viewport(ratio=1)
        seen += card.locator(".result-crowd li:not([hidden]) b").all_inner_texts()
        page.clock.run_for(6100)
    assert len(seen) == len(set(seen)) == 40
    expect(card.locator(".result-page")).to_have_text(f"1 of {pages}")


def test_why_stays_open_for_its_card_only(laptop: Page, address: str, started: Encounter) -> None:
    attack = {"actor": ZARA, "target": PIRATE, "weapon": PISTOL}
    submit(started.pk, Submission("attack", attack, faces=(1, 2)))
    laptop.goto(address)
    why = laptop.locator(".result-why")
    laptop.locator(".result-why > summary").click()
    expect(why).to_have_attribute("open", "")
    expect(why.locator(".sums").first).to_contain_text(re.compile(r"Attack\s*11\b"))
    expect(why.locator(".sums").first).to_contain_text(re.compile(r"Defense\s*12\b"))
    submit(started.pk, Submission("give_condition", {"target": PIRATE, "kind": "prone"}, by="gm"))
    laptop.evaluate("htmx.trigger('[data-live]', 'again')")
    expect(laptop.locator("#log")).to_contain_text("Pirate")
    expect(laptop.locator(f"#conditions-{PIRATE}")).to_be_visible()
    expect(why).to_have_attribute("open", "")
    undo(started.pk)
    undo(started.pk)
    submit(started.pk, Submission("attack", attack, faces=(1, 3)))
    laptop.evaluate("htmx.trigger('[data-live]', 'again')")
    expect(laptop.locator(".result-sum")).not_to_have_text("11")
    expect(why).not_to_have_attribute("open", "")


def test_rows_of_the_list_of_encounters_break_nothing_in_two(
    laptop: Page, live_server: LiveServer, gm: User, started: Encounter
) -> None:
    """Neither an encounter's state, nor the links to its pages."""
    create_encounter(gm, "cosmos", "Warehouse yard: two guardians against a gang and their dogs")
    submit(started.pk, Submission("end_fight", {}, by="gm"))
    laptop.goto(f"{live_server.url}/encounters/")
    expect(laptop.locator(".enc")).to_have_count(2)
    lines = """() => [...document.querySelectorAll(".enc :is(.chip, .enc-acts > .btn > span)")].map((part) =>
      Math.round(part.offsetHeight / parseFloat(getComputedStyle(part).lineHeight)))"""
    assert set(laptop.evaluate(lines)) == {1}
    assert find_overflow(laptop) == []


def test_main_buttons_are_few_tabs_from_the_head_of_the_turn(gm_page: Page, started: Encounter) -> None:
    assert count_tabs(gm_page, "Next turn") <= MAX_TABS
    assert count_tabs(gm_page, "Attack") <= MAX_TABS
    gm_page.keyboard.press("Enter")
    expect(gm_page.locator("#form-attack")).to_be_focused()
    gm_page.keyboard.press("Escape")
    expect(gm_page.locator("#form-attack")).to_have_count(0)
    expect(gm_page.locator("#act-attack")).to_be_focused()
    ask_for_dice(started.pk)
    gm_page.reload()
    assert count_tabs(gm_page, "Roll") <= MAX_TABS
    check_answer(gm_page)


def check_answer(page: Page) -> None:
    """A question is answered by one tap."""
    prompt = page.locator(".prompt")
    asked = prompt.filter(has_text="attack on Pirate")
    expect(asked).to_have_count(1)
    prompt.get_by_role("button", name="Roll").first.click()
    expect(asked, "one tap").to_have_count(0)  # a hit asks for the damage, a miss for nothing
