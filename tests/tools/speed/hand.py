"""Measure how soon a slow phone shows that it felt a press: `python -m tests.tools.speed.hand [--game NAME]`.

The GM's table in the running demo fight of each game, at 360 × 780 with touch, in a browser slowed four
times. For each press, over several rounds, in milliseconds: from the press to the next paint (what browsers
call the interaction to next paint; in steps of 8), and from the press until the answer of the server is
painted. The goal is 100 ms for the next paint. Other work on the machine only ever adds, so the least is
given beside the median.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, ViewportSize, sync_playwright
from playwright.sync_api import TimeoutError as TooLate

from combat.rules import SYSTEMS
from tests.combat.server import Guest, sign_in
from tests.site.hosting.table import open_table
from tests.tools.pictures import CHROMIUM

GOAL, PATIENCE = 100, 20_000  # milliseconds
PHONE: ViewportSize = {"width": 360, "height": 780}
WATCH = """
const felt = [];
let pressed = 0;
window.hand = { felt, answered: 0, reset() { felt.length = 0; pressed = this.answered = 0; } };
new PerformanceObserver((seen) => {
  for (const one of seen.getEntries()) if (one.interactionId) felt.push(one.duration);
}).observe({ type: "event", durationThreshold: 16 });
addEventListener("pointerdown", (event) => { pressed = event.timeStamp; }, true);
document.addEventListener("htmx:afterSettle", () => requestAnimationFrame(() => setTimeout(() => {
  window.hand.answered = performance.now() - pressed;
})));
"""
SHOW = "(e) => e.scrollIntoView({ block: 'center', behavior: 'instant' })"  # not below a fixed bar
READ = "() => ({ felt: Math.max(0, ...window.hand.felt), answered: window.hand.answered })"


class Hand:
    """Someone who presses things on a slow phone; it keeps the times by the name of the press."""

    def __init__(self, page: Page, slower: float) -> None:
        self.page = page
        self.felt: dict[str, list[float]] = {}
        self.answered: dict[str, list[float]] = {}
        devtools = page.context.new_cdp_session(page)
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": slower})

    def show(self, tab: str) -> None:
        """Show another tab, without measuring."""
        label = self.page.locator(f'label[for="tab-{tab}"]').first
        if label.is_visible():
            label.tap()

    def press(self, name: str, target: Locator, waits: bool = True) -> bool:
        """Press something and note the times; False if it is not there to be pressed."""
        if not target.count() or not target.first.is_visible() or target.first.get_attribute("aria-disabled"):
            return False
        target.first.evaluate(SHOW)  # the browser tool's own checks would take time in the page
        self.page.wait_for_timeout(150)
        self.page.evaluate("window.hand.reset()")
        box = target.first.bounding_box()
        assert box
        self.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        if waits:
            self.page.wait_for_function("() => window.hand.answered > 0", polling=50)
        self.page.wait_for_timeout(250)
        found = self.page.evaluate(READ)
        self.felt.setdefault(name, []).append(found["felt"])
        if waits:
            self.answered.setdefault(name, []).append(found["answered"])
        return True

    def say(self) -> str:
        """A line for each press."""
        lines = []
        for name, felt in self.felt.items():
            line = f"  {name:24} next paint {describe(felt)}"
            if answers := self.answered.get(name):
                line += f"; answer painted {describe(answers)}"
            lines.append(line + (" ABOVE THE GOAL" if statistics.median(felt) > GOAL else ""))
        return "\n".join(lines)


def describe(times: list[float]) -> str:
    """The least, the median and the worst."""
    least, middle, worst = min(times), statistics.median(times), max(times)
    return f"{least:4.0f} least {middle:4.0f} median {worst:4.0f} worst ({len(times)})"


def attack(hand: Hand) -> None:
    """Open the form of the first attack, and roll it."""
    hand.show("turn")
    page = hand.page
    if not hand.press("open the attack form", page.locator("a[data-focus-key=a], #turn a.action")):
        return
    hand.press("roll the attack", page.locator("#roll-app"))
    for _ in range(8):
        if not hand.press(
            "answer a question", page.locator("#prompt [name=value]:visible:enabled, #prompt [name=dice]")
        ):
            return


def damage_by_hand(hand: Hand) -> None:
    """Open the menu of a combatant, then the form, and take a point from them."""
    hand.show("combatants")
    page = hand.page
    hand.press("open a menu", page.locator("#rows details.menu > summary"), waits=False)
    hand.press("open the damage form", page.locator("#rows a[data-row-key=t]"))
    page.locator("#row-by").fill("1")
    hand.press("damage by hand", page.locator(".row-form button[name=do]"))


def next_turn(hand: Hand) -> None:
    """End the turn; if a question is still open, cancel its action first."""
    hand.show("turn")
    page = hand.page
    cancel = page.get_by_role("button", name="Cancel action")
    if cancel.count():
        cancel.tap()
        cancel.wait_for(state="detached")
    hand.press("next turn", page.locator("button[name=do][value=next_turn]"))


def change_tabs(hand: Hand) -> None:
    """Show the map and the log, which change nothing at the server."""
    for tab in ("scene", "log", "combatants", "turn"):
        hand.press(f"show the {tab}", hand.page.locator(f'label[for="tab-{tab}"]'), waits=False)
    hand.press("open the bar's menu", hand.page.locator("[popovertarget=bar-more]"), waits=False)
    hand.page.keyboard.press("Escape")


ROUND: tuple[Callable[[Hand], None], ...] = (attack, damage_by_hand, next_turn, change_tabs)


def open_page(browser: Browser, guest: Guest) -> Page:
    """A page of a browser that keeps nothing but the guest's cookies."""
    base = f"http://localhost:{guest.port}"
    context = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True, base_url=base)
    cookies = [{"name": name, "value": value, "url": base} for name, value in guest.cookies.items()]
    context.add_cookies(cookies)  # type: ignore[arg-type]  # a list of plain dictionaries
    context.add_init_script(WATCH)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    return page


def walk(browser: Browser, gm: Guest, game: str, rounds: int, slower: float) -> Hand:
    """Go round the running demo fight of a game that many times."""
    assert gm.post("/encounters/", "/", demo=game) in (302, 303)
    table = gm.leads
    assert gm.post(table, do="start", dice="app") == 303
    page = open_page(browser, gm)
    page.goto(table)
    hints = page.get_by_role("button", name="No more hints")
    if hints.count():
        hints.tap()
    hand = Hand(page, slower)
    for _ in range(rounds):
        for part in ROUND:
            try:
                part(hand)
            except TooLate as late:
                sys.stdout.write(f"  {part.__name__}: {str(late).splitlines()[0]}\n")
                page.goto(table)
    with suppress(TooLate):
        page.context.close()
    return hand


def measure(wanted: str, rounds: int, slower: float) -> None:
    """Open a table, and print what was measured in each game whose short name contains these words."""
    with (
        tempfile.TemporaryDirectory() as folder,
        open_table(Path(folder), "--no-demo") as table,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        gm = sign_in(table.port, table.link)
        for game in (slug for slug in SYSTEMS if wanted in slug):
            sys.stdout.write(f"{game}\n{walk(browser, gm, game, rounds, slower).say()}\n")
            sys.stdout.flush()


def main() -> None:
    """Measure the games asked for."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--game", default="", help="part of a game's short name")
    asked.add_argument("--rounds", type=int, default=7)
    asked.add_argument("--slower", type=float, default=4)
    options = asked.parse_args()
    measure(options.game, options.rounds, options.slower)


if __name__ == "__main__":
    main()
