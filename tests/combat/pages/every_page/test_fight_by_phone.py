"""A fight played from one phone, in every game: whatever button is filled does what it says."""

from __future__ import annotations

from collections import Counter

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page as Browser
from playwright.sync_api import Response
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter, Seat, ShareLink
from combat.play.autopilot import autoplay
from combat.play.writing.encounter_service import Submission, cancel, submit
from combat.rules import SYSTEMS
from combat.rules.core.basics.errors import Refused
from combat.rules.core.sides import find_verdict
from combat.rules.core.state.state import is_acting, present
from tests.browser import skip_hints
from tests.combat.cast import come
from tests.combat.rules.games import find_game
from tests.combat.visit import begun, load, state_of

TURNS = 5  # turns of each fight
# The filled button that a thumb reaches for: of a question or an open form, of the first action, of the turn
FILLED = """() => {
  const names = [".prompt .btn-primary", ".roll-dock .btn-primary", ".lead .btn-primary", ".action-first"];
  const shown = [...names, "#turn .btn-primary"]
    .flatMap((name) => [...document.querySelectorAll(name)])
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest("[hidden]"));
  const one = shown[0];
  if (!one) return "";
  const words = one.textContent.replace(/\\s+/g, " ").trim();
  const off = one.disabled || one.getAttribute("aria-disabled") === "true";
  document.querySelectorAll("[data-next-press]").forEach((old) => delete old.dataset.nextPress);
  one.dataset.nextPress = "";
  return off ? `OFF ${words}` : words;
}"""


# A tap on an enemy of the map, another one in each turn
TAP_MAP = """(turn) => {
  const who = document.getElementById("map-move")?.dataset.actor;
  const foes = [...document.querySelectorAll(".map [data-token]:has(.mark.is-foe)")];
  const foe = who && foes[turn % foes.length];
  foe?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  return Boolean(foe);
}"""
# A tap on one of the squares that an open form offers
TAP_CELL = """(turn) => {
  const cells = [...document.querySelectorAll(".map a:has(> .cell)")];
  const cell = cells[(7 * turn + 3) % cells.length];
  cell?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  return Boolean(cell);
}"""
ON_MAP = """() => {
  const one = [...document.querySelectorAll(".map-card .btn-primary, .map-choice .btn-primary")]
    .find((button) => button.checkVisibility());
  if (!one) return "";
  document.querySelectorAll("[data-next-press]").forEach((old) => delete old.dataset.nextPress);
  one.dataset.nextPress = "";
  const off = one.disabled || one.getAttribute("aria-disabled") === "true";
  return (off ? "OFF " : "") + one.textContent.replace(/\\s+/g, " ").trim();
}"""
ASKED = "() => document.querySelector('.map-card, .map-choice')"
SETTLED = """() => !document.querySelector("[data-next-press]:is(.is-pressed, .htmx-request), .htmx-request")
  && !document.documentElement.matches("[data-busy]") && !document.querySelector("[data-busy]")"""


def go_on(encounter: Encounter, who: str) -> None:
    """Leave what one person was asked, and end their turn, as a thumb that has tried enough does."""
    if load(encounter.pk).open_command:
        cancel(encounter.pk)
    if is_acting(state_of(encounter.pk), who):
        submit(encounter.pk, Submission(find_game(encounter.system).actions.advance, {}))


def play_others(encounter: Encounter, who: str) -> bool:
    """Play everybody but one person up to their turn; whether the fight goes on."""
    for _ in range(6):
        state = state_of(encounter.pk)
        if load(encounter.pk).open_command or is_acting(state, who):
            break
        try:
            autoplay(encounter.pk, everybody=True)
        except Refused:
            return False
    return find_verdict(find_game(encounter.system), state_of(encounter.pk)) is None


def press_on_map(page: Browser, tap: str, turn: int) -> str:
    """A tap on the map, then on the filled button that it brings; the words of that button, if any."""
    page.locator(".tabs label", has_text="Scene").click()
    if not page.evaluate(tap, turn):
        return ""
    page.wait_for_function(ASKED)
    page.wait_for_function(SETTLED)
    words = str(page.evaluate(ON_MAP))
    if words and not words.startswith("OFF "):
        page.locator("[data-next-press]").first.click()
        page.wait_for_function(SETTLED)
    return words


def try_map(page: Browser, slug: str, tap: str, turn: int) -> list[str]:
    """The kind of what was done from the map, and back to the turn."""
    words = press_on_map(page, tap, turn)
    assert not words.startswith("OFF "), (slug, words)
    page.locator(".tabs label", has_text="Turn").click()
    return [("attack" if tap == TAP_MAP else "move")] if words else []


def press_in_turn(page: Browser, slug: str, turn: int) -> list[str]:
    """What a thumb does in one turn: from the map in every other one, then an action, its form, answers."""
    done = try_map(page, slug, TAP_MAP, turn) if turn % 2 else []
    for _ in range(3):
        words = page.evaluate(FILLED)
        assert not words.startswith("OFF "), (slug, words)
        if not words:
            break
        done.append(words)
        page.locator("[data-next-press]").first.click()
        page.wait_for_function(SETTLED)
        if page.locator("#tab-scene").is_checked():  # a move asks where to
            done += try_map(page, slug, TAP_CELL, turn)
    return done


@pytest.mark.slow
def test_no_filled_button_is_refused_and_no_page_fails(
    live_server: LiveServer, page: Browser, transactional_db: None, gm: User
) -> None:
    wrong, done = list[str](), {slug: list[str]() for slug in SYSTEMS}

    def note(answer: Response) -> None:
        is_live = "/live/" in answer.url  # this server has no streams
        if answer.request.method == "POST" and answer.status >= 400 and not is_live:
            wrong.append(f"{answer.status} {answer.url} {answer.request.post_data}")

    page.on("response", note)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    skip_hints(page.context)
    page.set_viewport_size({"width": 390, "height": 844})
    for slug in SYSTEMS:
        encounter = begun(gm, slug)
        state = state_of(encounter.pk)
        who = next(one.id for one in present(state) if one.pc)
        client = come(encounter, ShareLink.PLAY, "Pia")
        Seat.objects.filter(encounter=encounter).update(combatants=[who])
        for name, one in client.cookies.items():
            page.context.add_cookies([{"name": name, "value": one.value, "url": live_server.url}])
        for turn in range(TURNS):
            if turn:
                go_on(encounter, who)
            if not play_others(encounter, who):
                break
            page.goto(f"{live_server.url}/encounters/{encounter.pk}/")
            done[slug] += press_in_turn(page, slug, turn)
            assert wrong == [], (slug, done[slug])
    assert all(done.values()), done
    taps = Counter(one for pressed in done.values() for one in pressed)
    assert taps["attack"] > 3, taps
    assert taps["move"] > 2, taps
