"""How long a player takes from the code to a first roll:
`python -m tests.combat.views.sharing.measure_first_action [--text] [--frames FOLDER] [GAME …]`.

The robot of tests/characters/measure_creation.py, at 390 px, follows a player's link into a demo fight in
which a free character is to act. It gives a name, takes that character, chooses an attack or else the first
usual action, and rolls. It reads every word in sight once, at 250 words a minute. The goal is 40 seconds.
With `--text` it prints what it read on each page; with a folder, it keeps a picture of each.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.characters.measure_creation import CHROMIUM, PHONE, TAP, Robot, prepare
from tests.site.hosting.table import open_table

GOAL_SECONDS = 40
STEPS = 5  # of a demo's script, before a hero's turn is looked for
# The button that does what a form is for: Roll, or the answer that is suggested
FILLED = "#turn .action-form button.btn-primary:visible"
LEAD = "#lead button.btn-primary, #lead a.btn-primary"
ATTACK, FIRST = "#turn a.action:has(.action-odds):visible", "#turn a.action:visible"


class Player(Robot):
    """A player who remembers what each page made them read, and keeps pictures."""

    frames: Path | None = None
    tells = False
    waited = 0.0  # seconds for answers of the table, among `seconds`

    def note(self, place: str, before: tuple[float, int, set[str]]) -> None:
        """Print what one page cost."""
        seconds, words, seen = before
        sys.stdout.write(f"  {place}: {self.seconds - seconds:.1f} s, {self.words - words} words\n")
        if self.tells:
            sys.stdout.write("".join(f"    | {line}\n" for line in sorted(self.seen - seen)))
        if self.frames:
            self.page.screenshot(path=self.frames / f"{place}.png")

    def await_part(self, part: str) -> None:
        """Wait until a part of the page has come, and read it."""
        self._wait(lambda: self.page.locator(part).first.wait_for())
        self.read()

    def _wait(self, act: Callable[[], object]) -> None:
        before = self.seconds
        super()._wait(act)
        self.waited += self.seconds - before

    @property
    def now(self) -> tuple[float, int, set[str]]:
        """What to measure the next page from."""
        return self.seconds, self.words, set(self.seen)


def act_first(player: Player, address: str, hero: str, game: str) -> None:
    """From the player's link to the result of a first roll."""
    page, before = player.page, player.now
    player.open(address)
    player.type(page.locator("#name"), "Ada")
    player.tap(page.locator(f".join-pick:has(input[value='{hero}'])"))
    player.note(f"{game} join", before)
    before = player.now
    player.finish(page.locator("[data-join-button]"), r"/encounters/\d+/")
    page.wait_for_timeout(1000)  # a hint comes in after a moment
    player.read()
    player.note(f"{game} turn", before)
    before = player.now
    if page.locator(LEAD).count():
        player.tap(page.locator(LEAD).first)
        player.await_part(FIRST)
    attack = page.locator(ATTACK)
    player.tap((attack if attack.count() else page.locator(FIRST)).first)
    player.await_part(FILLED)
    player.note(f"{game} form", before)
    player.taps += 1
    player.seconds += TAP
    page.locator(FILLED).first.click()
    if player.frames:
        page.locator("#results article, #prompt").first.wait_for()
        page.wait_for_timeout(1000)
        page.screenshot(path=player.frames / f"{game} done.png")


def begin_turn(game: str) -> tuple[str, str]:
    """A demo fight in the turn of a player's character: the path of its link, and who acts."""
    from characters.accounts.people import find_or_make_gm
    from combat.models import ShareLink
    from combat.play.demo import make_demo_fight
    from combat.rules import find_system
    from combat.rules.core.state.state import is_acting, present
    from combat.sharing.links import make_link
    from tests.combat.visit import play_step, state_of

    made, acted = make_demo_fight(find_or_make_gm(), game), set[str]()
    for number, step in enumerate(find_system(game).demo.make_first().script):
        play_step(made.pk, step)
        state = state_of(made.pk)
        heroes = {one.id for one in present(state) if one.pc and is_acting(state, one.id)}
        if number >= STEPS and heroes - acted:
            return f"/join/{make_link(made, ShareLink.PLAY, '')[1]}/", min(heroes - acted)
        acted = heroes
    raise SystemExit(f"no hero acts in {game}")


def measure(
    browser: Browser, base: str, begun: tuple[str, str], game: str, asked: argparse.Namespace
) -> float:
    """The seconds that one game takes, printed."""
    link, hero = begun
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    player = Player(context.new_page())
    player.frames, player.tells = asked.frames, asked.text
    act_first(player, base + link, hero, game)
    effort = f"{player.taps} taps, {player.words} words"
    sys.stdout.write(f"{game}: {player.seconds:.0f} s, {player.waited:.0f} of it for answers, {effort}\n")
    context.close()
    return player.seconds


def main() -> None:
    """Measure the games that are named, and say if one takes too long."""
    from combat.rules import SYSTEMS

    words = argparse.ArgumentParser()
    words.add_argument("games", nargs="*", default=list(SYSTEMS))
    words.add_argument("--frames", type=Path)
    words.add_argument("--text", action="store_true")
    asked = words.parse_args()
    if asked.frames:
        asked.frames.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["COSMOS_DATA"] = folder
        prepare([])
        begun = {game: begin_turn(game) for game in asked.games}
        with open_table(Path(folder), "--no-demo") as table, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            base = f"http://localhost:{table.port}"
            took = [measure(browser, base, begun[game], game, asked) for game in asked.games]
    if max(took) > GOAL_SECONDS:
        raise SystemExit("too slow")


if __name__ == "__main__":
    main()
