"""Where the keyboard's focus is after an answer, and what is read out, without a mouse and without sight."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from combat.models import Encounter
from combat.play.writing.encounter_service import Submission, submit
from tests.combat.visit import PIRATE, ZARA, state_of

FRESH = "#table[data-fresh]"
# The widths of outlines and rings of the focused token, in pixels
RINGS = """() => [document.activeElement, ...document.activeElement.querySelectorAll(".token-focus")]
  .map((one) => [getComputedStyle(one), one.getScreenCTM().a])
  .filter(([style]) => style.display !== "none")
  .map(([style, scale]) => style.vectorEffect !== "none" ? parseFloat(style.strokeWidth)
    : style.outlineStyle === "none" ? 0 : parseFloat(style.outlineWidth) * scale)"""


# Whether the bar at the foot of the page lies over the middle of the focused element
IS_BEHIND = """() => {
  const one = document.activeElement;
  const { x, y, width, height } = one.getBoundingClientRect();
  const bar = document.querySelector(".ready-bar");
  return !bar.contains(one) && bar.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""


def settle(table: Page) -> None:
    """Wait until the last answer is in the page."""
    expect(table.locator(".htmx-request, .htmx-settling, .htmx-added, [data-busy]")).to_have_count(0)
    expect(table.locator(FRESH)).to_have_count(0)


def happen(table: Page, pk: int, name: str, **fields: object) -> None:
    """Let someone else do something, and the page hear of it."""
    submit(pk, Submission(name, fields))
    with table.expect_response(lambda answer: "/encounters/" in answer.url):
        table.evaluate("window.htmx.trigger('#stream [data-live]', 'again')")
    settle(table)


def press(table: Page, *keys: str) -> None:
    for key in keys:
        table.keyboard.press(key)
        settle(table)


def test_focus_stays_in_a_row(table: Page, started: Encounter) -> None:
    """The next key is for the same combatant."""
    row = table.locator("#row-f3 [data-row-main]")
    row.focus()
    press(table, "v")
    expect(row, "hidden").to_be_focused()
    press(table, "v")
    combatants = state_of(started.pk).combatants
    assert [who for who, one in combatants.items() if one.hidden] == []
    press(table, "t")
    table.keyboard.type("3")
    press(table, "Enter")
    expect(row, "damaged").to_be_focused()
    press(table, "t")
    table.locator("#row-window").get_by_role("link", name="Close").focus()
    press(table, "Enter")
    expect(row, "its form closed").to_be_focused()
    happen(table, started.pk, "hide", target="f3")
    expect(table.locator("#row-f3")).to_contain_text("hidden from players")
    expect(row, "changed by others").to_be_focused()


def test_focus_is_never_lost(table: Page, started: Encounter) -> None:
    steps = table.locator("[data-step='1,0']")
    steps.press("Enter")
    table.locator("[data-step-off]").press("Enter")
    expect(steps, "no move").to_be_focused()
    closer = table.locator("[data-map-view=in]")
    closer.focus()
    happen(table, started.pk, "place", target=PIRATE, x=12, y=3)
    expect(table.locator(f"[data-token={PIRATE}]")).to_have_attribute(
        "transform", re.compile(r"translate\(12 3\)")
    )
    expect(closer, "the map was drawn again").to_be_focused()
    press(table, "l")
    table.keyboard.press("Tab")
    assert table.evaluate("document.activeElement.closest('#places') !== null"), "the list"
    table.keyboard.press("Escape")
    expect(table.locator(".places-open"), "the list closed").to_be_focused()
    undo = table.locator("button[data-key=u]")
    while undo.is_enabled():
        undo.focus()
        press(table, "Enter")
    assert table.evaluate("document.activeElement !== document.body"), "undone"


def test_a_refusal_is_told_each_time(table: Page, started: Encounter) -> None:
    """By the alert alone, also with the same words as before."""
    here = table.locator("[data-map-view=in]")
    notice = table.get_by_role("alert").filter(has_text="Someone acted first")
    for _ in range(2):
        submit(started.pk, Submission("note", {"text": "Meanwhile."}))
        here.focus()
        table.get_by_role("button", name="Next turn").press("Enter")
        expect(notice).to_be_visible()
        settle(table)
        expect(table.locator("#live")).not_to_contain_text("Someone acted first")
        notice.get_by_role("button", name="Dismiss").press("Enter")
        expect(notice).not_to_be_visible()
        assert table.evaluate("document.activeElement !== document.body")


def test_tokens_are_read_out_and_ringed(table: Page) -> None:
    with table.expect_response(lambda answer: "/lines/" in answer.url):
        table.locator(f"a:has(> [data-token={ZARA}])").focus()
    table.keyboard.press("ArrowRight")
    token = table.locator(f"a:has(> [data-token={PIRATE}])")
    expect(token).to_be_focused()
    expect(token).to_have_attribute("aria-description", "Healthy, 10 m, Nothing in the way, at 14, 3 m")
    assert 2 <= max(table.evaluate(RINGS)) <= 6


def test_steps_on_the_map_are_read_out(table: Page) -> None:
    table.locator("[data-step='1,0']").press("Enter")
    expect(table.locator("#live")).to_contain_text("6, 2 m. Loading ramp. Move: 2.2 m, 7.8 m left")


def test_focus_is_not_behind_the_bar_of_the_preparation(
    live_server: LiveServer, visitor: Page, prepared: Encounter
) -> None:
    visitor.set_viewport_size({"width": 1440, "height": 900})
    visitor.goto(f"{live_server.url}/encounters/{prepared.pk}/prep/")
    visitor.locator("#env-setting-light > summary").focus()
    for _ in range(40):
        visitor.keyboard.press("Tab")
        assert not visitor.evaluate(IS_BEHIND), visitor.evaluate("document.activeElement.outerHTML")


def test_banner_gives_the_focus_back(table: Page) -> None:
    table.context.set_offline(True)
    retry = table.get_by_role("button", name="Try again")
    table.get_by_role("button", name="Next turn").press("Enter")
    expect(retry).to_be_visible()
    retry.focus()
    table.context.set_offline(False)
    expect(retry).not_to_be_visible()
    expect(table.locator("#h-turn")).to_be_focused()


def test_scene_is_drawn_by_keys(live_server: LiveServer, visitor: Page, prepared: Encounter) -> None:
    """Each answer leaves the focus where the next key is meant for, and says what is on the map."""
    visitor.set_viewport_size({"width": 1440, "height": 900})
    visitor.goto(f"{live_server.url}/encounters/{prepared.pk}/scene/")
    visitor.locator("summary", has_text="Type coordinates").press("Enter")
    visitor.locator("#tool-zone").check()
    visitor.locator("#draw-points").fill("20,20; 26,26")
    draw = visitor.get_by_role("button", name="Draw shape")
    draw.press("Enter")
    expect(visitor.locator("#live")).to_contain_text(re.compile(r"Zones: \d\."))
    expect(draw).to_be_focused()
    visitor.locator(".draw-list a").first.press("Enter")
    chosen = visitor.get_by_role("heading", name="Selected")
    expect(chosen).to_be_focused()
    expect(chosen).to_be_in_viewport()
    visitor.keyboard.press("Escape")
    expect(visitor.get_by_role("heading", name="On the map")).to_be_focused()


def test_replay_is_read_out_step_by_step(live_server: LiveServer, visitor: Page, over: Encounter) -> None:
    visitor.goto(f"{live_server.url}/encounters/{over.pk}/log/?step=1")
    expect(visitor.locator("#h-step")).to_contain_text("Step 1")
    visitor.keyboard.press("ArrowRight")
    expect(visitor.locator("#h-step")).to_contain_text("Step 2")
    expect(visitor.locator("#live")).to_have_text(re.compile(r"^Step 2 of \d+\. Zara joins"))
    for number in (1, 0):
        visitor.locator("#replay-back").press("Enter")
        expect(visitor.locator("#h-step")).to_contain_text(f"Step {number}")
    expect(visitor.locator("#replay-play"), "no step before the first").to_be_focused()


def test_code_is_typed_at_once_and_the_page_stays_at_its_top(page: Page, live_server: LiveServer) -> None:
    """Where letters are large, the field is low."""
    page.set_viewport_size({"width": 390, "height": 300})
    page.goto(f"{live_server.url}/join/")
    code = page.get_by_label("Code")
    expect(code).to_be_focused()
    assert page.evaluate("[scrollY, document.documentElement.scrollHeight > innerHeight]") == [0, True]
