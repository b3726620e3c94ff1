"""How long a projector shows the moments of a fight:
`python -m tests.combat.views.pages.measure_moments [--frames FOLDER]`.

A table of its own, with the GM's forms sent to it, and three projectors: one that moves, one under
reduced motion, and one to photograph, because that holds a page up. The fight brings a critical result, a
knock-out, deaths and its end; two deaths are followed by a question, one while its moment is shown and
one before it could begin. Each moment may last four seconds, none may be shown under reduced motion, and
none while someone is asked. With a folder, it keeps three frames of each moment, and one of the code to
join, of a handout, and of the end.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Page, sync_playwright

from combat.rules.cosmos.pages.demo import MARCUS, PIRATE, PISTOL, RIFLE, ZARA
from tests.characters.measure_creation import CHROMIUM, prepare
from tests.combat.server import Guest, invite, sign_in
from tests.site.hosting.table import open_table
from tests.site.speed.pages import base_of

LONGEST = 4000  # milliseconds
HEARD = 1500  # milliseconds in which a projector hears of a question
GLANCES = (100, 500, 500)  # milliseconds before each frame of a moment
SIZE = {"width": 1920, "height": 1080}
SLUG = "cosmos"
THUGS = ("f4", "f5")
NOTICE = re.compile(r'id="notice"[^>]*>([^<]*)')
# Notes every moment in sight, frame by frame, with when it came and went
WATCH = """
window.seen = [];
const look = (now) => {
  const found = document.querySelector("[data-moment]:not([hidden])");
  const one = found && getComputedStyle(found).opacity > 0 ? found : null;
  const last = window.seen.at(-1);
  if (one && last?.key === one.dataset.moment) last.gone = 0;
  else if (one) window.seen.push({ key: one.dataset.moment, said: one.dataset.said, came: now, gone: 0 });
  for (const other of window.seen) if (other.key !== one?.dataset.moment) other.gone ||= now;
  requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""


@dataclass
class Show:
    """A fight on projectors, and the faults found there."""

    gm: Guest
    table: str
    moving: Page
    camera: Page
    frames: Path | None
    faults: list[str] = field(default_factory=list)
    count: int = 0  # of the moments that were waited for
    noted: int = 0  # of all that came

    def do(self, action: str, *faces: int, **fields: str) -> None:
        """Send a form of the GM, with typed dice or with those of the app."""
        typed = {f"face-{n}": str(face) for n, face in enumerate(faces, 1)}
        fields |= {} if "dice" in fields else {"dice": "table" if faces else "app"}
        answered = self.gm.post(self.table, "", 0, do=action, **fields, **typed)
        assert answered == 303, (action, NOTICE.findall(self.gm.page))

    def answer(self, *given: str | tuple[int, ...]) -> None:
        """Answer the questions of an action in turn."""
        for one in given:
            if isinstance(one, str):
                self.do("answer", question="0", value=one)
            else:
                self.do("answer", *one, question="0")

    def keep(self, name: str) -> None:
        """Keep a frame."""
        if self.frames:
            self.camera.screenshot(path=self.frames / f"{name}.png")

    def expect_moment(self, name: str) -> None:
        """Wait until a moment has come and gone on the moving projector, with three frames of it."""
        self.count += 1
        self.camera.locator("[data-moment]:not([hidden])").wait_for()
        for number, wait in enumerate(GLANCES if self.frames else (), 1):
            self.camera.wait_for_timeout(wait)
            self.keep(f"{self.count}-{name}-{number}")
        self.moving.wait_for_function("count => window.seen[count]?.gone", arg=self.noted)
        last = self.moving.evaluate("window.seen.at(-1)")
        self.noted += 1
        took = last["gone"] - last["came"]
        sys.stdout.write(f"{name}: “{last['said']}” for {took / 1000:.2f} s\n")
        if took > LONGEST:
            self.faults.append(f"{name} lasts {took:.0f} ms")

    def expect_none(self, name: str) -> None:
        """Look for a while whether a moment is shown that must not be: someone is asked."""
        self.moving.wait_for_timeout(HEARD)
        before = self.moving.evaluate("performance.now()")
        self.moving.wait_for_timeout(HEARD)
        late = self.moving.evaluate(
            "from => window.seen.filter((one) => !one.gone || one.gone > from)", before
        )
        self.noted = self.moving.evaluate("window.seen.length")
        self.faults += [f"{name}: “{one['said']}” is shown while someone is asked" for one in late]
        sys.stdout.write(f"{name}: {len(late)} moments while someone is asked\n")


def make_fight() -> tuple[int, int]:
    """The numbers of a demo fight to come, and of a handout of its campaign; its screen shows the code."""
    from characters.accounts.people import find_or_make_gm
    from combat.play.demo import make_demo_fight
    from combat.play.people.campaigns import create_campaign, move_encounter
    from combat.play.people.handouts import create_handout
    from combat.play.writing.encounter_service import Submission, submit
    from cosmos_site.base.pictures import HANDOUT, remake

    gm = find_or_make_gm()
    fight, campaign = make_demo_fight(gm, SLUG), create_campaign(gm, "The long haul")
    move_encounter(fight.pk, campaign)
    submit(fight.pk, Submission("set_option", {"key": "screen_code", "value": "true"}))
    thugs = {"block": "street_thug", "name": "Thug", "side": "pirates", "count": len(THUGS), "zone": "rubble"}
    submit(fight.pk, Submission("join", thugs))
    poster = create_handout(
        campaign, "The pirate", "Piracy and theft of cargo.", remake(draw_poster(), HANDOUT)
    )
    return fight.pk, poster.pk


def draw_poster() -> bytes:
    """A picture for a handout: an upright poster."""
    out, picture = BytesIO(), Image.new("RGB", (600, 840), "#e8d9b8")
    pen = ImageDraw.Draw(picture)
    pen.rectangle((40, 180, 560, 700), fill="#3a2417")
    pen.ellipse((200, 250, 400, 500), fill="#d9a07a")
    pen.ellipse((120, 500, 480, 900), fill="#7c2534")
    pen.rectangle((40, 700, 560, 840), fill="#e8d9b8")
    pen.text((300, 100), "WANTED", fill="#24150c", anchor="mm", font_size=120)
    pen.text((300, 770), "5,000 credits, alive", fill="#24150c", anchor="mm", font_size=44)
    picture.save(out, "PNG")
    return out.getvalue()


def open_projector(browser: Browser, gm: Guest, table: str, motion: str) -> Page:
    """A spectator's page on a projector."""
    guest = Guest(gm.port)
    assert guest.post(invite(gm, table, "watch"), name=motion, combatant="") == 302
    context = browser.new_context(viewport=SIZE, reduced_motion=motion)  # type: ignore[arg-type]
    cookies = [{"name": name, "value": value, "url": base_of(gm)} for name, value in guest.cookies.items()]
    context.add_cookies(cookies)  # type: ignore[arg-type]  # a list of plain dictionaries
    context.add_init_script(WATCH)
    page = context.new_page()
    page.goto(base_of(gm) + table)
    return page


def begin(show: Show, handout: int) -> None:
    """Before the fight: the code to join, and a handout."""
    invite(show.gm, show.table, "play")
    show.camera.reload()
    show.camera.locator("#h-joining").wait_for()
    show.keep("0-joining")
    assert show.gm.post(f"{show.table}handouts/", handout=str(handout), to="all") in (302, 303)
    show.camera.wait_for_function(
        "() => document.querySelector('.handout-window[open] img')?.naturalWidth > 0"
    )
    show.keep("0-handout")
    assert show.gm.post(f"{show.table}handouts/", handout=str(handout), withdraw="1") in (302, 303)
    show.camera.locator(".handout-window[open]").wait_for(state="detached")
    show.do("start", dice="table")
    show.answer((10,), (8,), (6,), (2,), (1,))


def play(show: Show) -> None:
    """The fight, moment by moment."""
    attack = {"combatant": ZARA, "target": PIRATE, "weapon": PISTOL}
    show.do("attack", 10, 10, **attack)
    show.answer("maximum")
    show.expect_moment("critical")
    show.do("adjust", target=PIRATE, track="hp", by="-62", dice="table")
    show.answer((10, 10))  # a save against falling unconscious
    for _ in range(2):
        show.do("next_turn")
    show.do("attack", 10, 9, combatant=MARCUS, target=PIRATE, weapon=RIFLE)
    show.answer((10,))
    show.expect_moment("down")
    show.do("adjust", target=ZARA, track="hp", by="-300")
    show.expect_moment("death")
    show.do("adjust", target=THUGS[0], track="hp", by="-300")
    show.moving.locator("[data-moment]:not([hidden])").wait_for()
    show.do("adjust", target=MARCUS, track="hp", by="-78", dice="table")  # asks for the same save
    show.expect_none("a question during a moment")
    show.answer((10, 10))
    show.do("adjust", target=MARCUS, track="hp", by="78")
    show.do("adjust", target=THUGS[1], track="hp", by="-300")
    show.do("adjust", target=MARCUS, track="hp", by="-78", dice="table")
    show.expect_none("a question before a moment")
    show.answer((10, 10))
    show.do("end_fight", reason="")
    show.expect_moment("over")
    show.keep(f"{show.count + 1}-end")


def main() -> None:
    """Show a fight, and say what was shown too long or at the wrong time."""
    words = argparse.ArgumentParser()
    words.add_argument("--frames", type=Path)
    asked = words.parse_args()
    if asked.frames:
        asked.frames.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["COSMOS_DATA"] = folder
        prepare([])
        fight, handout = make_fight()
        with open_table(Path(folder), "--no-demo") as table, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            gm, here = sign_in(table.port, table.link), f"/encounters/{fight}/"
            motions = ("no-preference", "no-preference", "reduce")
            moving, camera, still = (open_projector(browser, gm, here, motion) for motion in motions)
            show = Show(gm, here, moving, camera, asked.frames)
            begin(show, handout)
            play(show)
            shown = still.evaluate("window.seen.length")
    sys.stdout.write(f"under reduced motion: {shown} moments\n")
    if shown or show.faults:
        raise SystemExit("\n".join(show.faults) or "a moment is shown under reduced motion")


if __name__ == "__main__":
    main()
