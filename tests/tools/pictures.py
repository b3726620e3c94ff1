"""Make the pictures of the README: `python -m tests.tools.pictures`.

It opens a table with three demo fights (under way, not begun, over) and photographs the GM's page after an
attack, the sum behind its result, the attacker's phone before it, the page that prepares a fight, and the
report of one. Each picture in `.github` stays under 150 kB.
"""

from __future__ import annotations

import os
import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from tests.site.hosting.table import Table, open_table

FOLDER = Path(__file__).resolve().parents[2] / ".github"
MOST = 150_000  # bytes
LAPTOP: ViewportSize = {"width": 1440, "height": 860}
PHONE: ViewportSize = {"width": 390, "height": 720}
TALL = 1600  # pixels of a window in which every result fits
QUALITY = 82
FORECAST = 60_000  # milliseconds that playing it may take
PREPARED = "starshock"
SLUG, STEPS, PLAYER = "cosmos", 10, "f1"  # an attack of the player's character has just hit
UNDONE = 2  # steps that the player's turn has so far
CHROMIUM = next(filter(os.path.exists, ("/usr/bin/chromium-headless-shell", "/usr/bin/chromium")), None)


def main() -> None:
    """Make the pictures, and say how large they are."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["COSMOS_DATA"] = folder
        seat = play_demo()
        with open_table(Path(folder), "--no-demo") as table, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            for name, raw in photograph(browser, table, seat).items():
                size = store(FOLDER / f"{name}.webp", raw)
                sys.stdout.write(f"{name}.webp: {size:,} bytes\n")
                if size > MOST:
                    raise SystemExit(f"more than {MOST:,} bytes: lower QUALITY")


def play_demo() -> str:
    """A table's data with three fights; returns the path of a player's link to the one under way."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "cosmos_site.settings"
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    from characters.accounts.users import find_or_make_gm
    from combat.models import ShareLink
    from combat.play.demo import make_demo_fight
    from combat.rules import find_system
    from combat.sharing.links import make_link
    from tests.combat.visit import play

    gm, script = find_or_make_gm(), find_system(SLUG).demo.make_first().script
    fight, _, over = make_demo_fight(gm, SLUG), make_demo_fight(gm, PREPARED), make_demo_fight(gm, SLUG)
    play(fight.pk, script[:STEPS])
    play(over.pk, script)
    _, token = make_link(fight, ShareLink.PLAY, "")
    return f"/join/{token}/"


def photograph(browser: Browser, table: Table, seat: str) -> dict[str, bytes]:
    """The GM's pages, the result on one with its sum open, and the player's phone as their turn began."""
    base = f"http://localhost:{table.port}"
    laptop = browser.new_context(viewport=LAPTOP, color_scheme="dark", base_url=base).new_page()
    laptop.goto(table.link)
    laptop.get_by_role("main").get_by_role("button", name="Sign in").click()
    phone = browser.new_context(viewport=PHONE, color_scheme="dark", base_url=base, has_touch=True).new_page()
    phone.goto(seat)
    phone.get_by_label("Your name").fill("Pia")
    phone.locator(f'label:has([name="combatant"][value="{PLAYER}"])').click()
    phone.get_by_role("button", name="Join").click()
    pictures = {"table": open_fight(laptop).screenshot()}
    result = laptop.locator("article.result").first
    result.locator(".result-why > summary").click()
    laptop.set_viewport_size({**LAPTOP, "height": TALL})  # the panel scrolls, so all of it must fit
    laptop.wait_for_timeout(500)
    pictures["sum"] = result.screenshot()
    laptop.set_viewport_size(LAPTOP)
    for name, address in (("prepare", "/encounters/2/prep/"), ("report", "/encounters/3/report/")):
        pictures[name] = open_page(laptop, address).screenshot()
    open_fight(laptop)
    for _ in range(UNDONE):
        with laptop.expect_response("**/encounters/1/"):
            laptop.locator("#bar-undo [value=undo]").click()
        laptop.wait_for_timeout(500)
    return {**pictures, "phone": open_fight(phone).screenshot()}


def open_fight(page: Page) -> Page:
    """The page of the fight, once nothing on it moves."""
    open_page(page, "/encounters/1/").locator("#h-turn").wait_for()
    return page


def open_page(page: Page, address: str) -> Page:
    """A page, once nothing on it moves and its forecast is known."""
    from tests.browser import skip_hints

    skip_hints(page.context)
    page.goto(address)
    expect(page.locator("#prep-odds:is([hx-get], [hx-post])")).to_have_count(0, timeout=FORECAST)
    page.wait_for_timeout(1500)
    return page


def store(path: Path, raw: bytes) -> int:
    """Write a screenshot as a small file, and return its bytes."""
    out = BytesIO()
    Image.open(BytesIO(raw)).convert("RGB").save(out, "WEBP", quality=QUALITY, method=6)
    return path.write_bytes(out.getvalue())


if __name__ == "__main__":
    main()
