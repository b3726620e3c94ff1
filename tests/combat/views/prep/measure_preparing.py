"""How long a GM takes from an empty table to a running fight of ten:
`python -m tests.combat.views.prep.measure_preparing [--frames FOLDER] [GAME …]`.

The robot of tests/characters/measure_creation.py, at 1440 px: it reads what is new at 250 words a minute in
the part of the page where it acts (with --all in the whole page), taps once a second, and pastes notes. The
goal is 2 minutes. With a folder, it keeps a picture after each step.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.characters.measure_creation import CHROMIUM, Robot, prepare
from tests.site.hosting.table import open_table

GOAL_SECONDS = 120
PASTE = 2  # seconds to paste what the clipboard holds
LAPTOP = {"width": 1440, "height": 900}
NOTES = {
    "cepheus": "4 pirates with cutlass and snub pistol, 1 pirate captain; 3 marines (allies), 2 thugs",
}


class Gm(Robot):
    """A GM who keeps pictures of the way."""

    frames: Path | None = None
    reads_all = False

    def look_at(self, part: str) -> None:
        """Turn to a part of the page, and read it."""
        self.part = "#main" if self.reads_all else part
        self.read()

    def read(self) -> None:
        """Read what is new, and keep a picture."""
        super().read()
        if self.frames:
            number = len(list(self.frames.glob("*.png"))) + 1
            self.page.screenshot(path=self.frames / f"{number:02}-{self.seconds:.0f}s.png")


def begin_fight(gm: Gm, base: str, game: str, notes: str) -> int:
    """From the first page to a running fight with a scene; returns how many are in it."""
    page = gm.page
    gm.part = "#main" if gm.reads_all else ".starts"
    gm.open(base)
    gm.finish(page.get_by_role("link", name="New encounter"), "/encounters/")
    gm.look_at("#new")
    gm.type(page.get_by_label("Name", exact=True), "Tonight")
    page.get_by_label("Game").select_option(game)
    gm.finish(page.get_by_role("button", name="Create encounter"), r"/encounters/\d+/")
    gm.look_at("#scene")
    gm.tap(page.locator(".ready-scenes button").first, waits=True)
    gm.look_at("#people")
    gm.tap(page.locator("#people-notes"))
    page.locator("#people-notes").fill(notes)
    gm.seconds += PASTE
    page.locator("#people-add").wait_for()
    gm.read()
    gm.tap(page.locator("#people-add"), waits=True)
    gm.look_at(".ready-bar")
    gm.finish(page.get_by_role("link", name="Go to table"), r"/encounters/\d+/$")
    gm.look_at("[data-panel=turn]")
    gm.tap(page.get_by_role("button", name="Roll initiative"))
    page.get_by_role("button", name="Next turn").wait_for()
    return page.locator("[data-order-id]").count()


def measure(browser: Browser, base: str, session: str, game: str, asked: argparse.Namespace) -> float:
    """The seconds that one game takes, printed."""
    context = browser.new_context(viewport=LAPTOP)  # type: ignore[arg-type]
    context.add_cookies([{"name": "sessionid", "value": session, "url": base}])
    gm = Gm(context.new_page())
    gm.frames, gm.reads_all = asked.frames, asked.all
    people = begin_fight(gm, base, game, NOTES[game])
    told = f"{gm.seconds:.0f} s, {gm.taps} taps, {gm.words} words, {people} combatants"
    sys.stdout.write(f"{game}: {told}\n")
    context.close()
    return gm.seconds


def main() -> None:
    """Measure the games that are named, and say if one takes too long."""
    words = argparse.ArgumentParser()
    words.add_argument("games", nargs="*", default=list(NOTES))
    words.add_argument("--frames", type=Path)
    words.add_argument("--all", action="store_true")
    asked = words.parse_args()
    if asked.frames:
        asked.frames.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["COSMOS_DATA"] = folder
        session = prepare([])["gm"]
        with open_table(Path(folder), "--no-demo") as table, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            base = f"http://localhost:{table.port}"
            took = [measure(browser, base, session, game, asked) for game in asked.games]
    if max(took) > GOAL_SECONDS:
        raise SystemExit("too slow")


if __name__ == "__main__":
    main()
