"""Make the picture of the README: `python -m tests.site.make_picture`.

It plays the beginning of a demo fight, opens a table with it, and photographs the GM's page and the phone of
the player who acts. The picture, `.github/table.webp`, stays under 200 kB.
"""

from __future__ import annotations

import os
import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageOps
from playwright.sync_api import Browser, ViewportSize, sync_playwright

from tests.site.hosting.table import Table, open_table

TARGET = Path(__file__).resolve().parents[2] / ".github" / "table.webp"
MOST = 200_000  # bytes
LAPTOP: ViewportSize = {"width": 1440, "height": 860}
PHONE: ViewportSize = {"width": 390, "height": 690}
FRAME, EDGE, SCALE, QUALITY = 4, 32, 0.68, 82  # pixels around the phone and from the edge; its size
SLUG, STEPS, PLAYER = "cosmos", 10, "f1"  # an attack of the player's character has just hit
CHROMIUM = next(filter(os.path.exists, ("/usr/bin/chromium-headless-shell", "/usr/bin/chromium")), None)


def main() -> None:
    """Make the picture, and say how large it is."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["COSMOS_DATA"] = folder
        seat = play_demo()
        with open_table(Path(folder), "--no-demo") as table, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            size = TARGET.write_bytes(join(*photograph(browser, table, seat)))
    sys.stdout.write(f"{TARGET.name}: {size:,} bytes\n")
    if size > MOST:
        raise SystemExit(f"more than {MOST:,} bytes: lower QUALITY")


def play_demo() -> str:
    """A table's data with a fight under way; returns the path of a player's link."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "cosmos_site.settings"
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    from characters.accounts.people import find_or_make_gm
    from combat.models import ShareLink
    from combat.play.demo import make_demo_fight
    from combat.rules import find_system
    from combat.sharing.links import make_link
    from tests.combat.visit import play

    fight = make_demo_fight(find_or_make_gm(), SLUG)
    play(fight.pk, find_system(SLUG).demo.make_first().script[:STEPS])
    _, token = make_link(fight, ShareLink.PLAY, "")
    return f"/join/{token}/"


def photograph(browser: Browser, table: Table, seat: str) -> tuple[bytes, bytes]:
    """The GM's page, and the player's on a phone."""
    from tests.browser import skip_hints

    base = f"http://localhost:{table.port}"
    laptop = browser.new_context(viewport=LAPTOP, color_scheme="dark", base_url=base).new_page()
    laptop.goto(table.link)
    laptop.get_by_role("main").get_by_role("button", name="Sign in").click()
    phone = browser.new_context(viewport=PHONE, color_scheme="dark", base_url=base, has_touch=True).new_page()
    phone.goto(seat)
    phone.get_by_label("Your name").fill("Pia")
    phone.locator(f'label:has([name="combatant"][value="{PLAYER}"])').click()
    phone.get_by_role("button", name="Join").click()
    pictures = []
    for page in (laptop, phone):
        skip_hints(page.context)
        page.goto("/encounters/1/")
        page.locator("#h-turn").wait_for()
        page.wait_for_timeout(1500)  # until nothing moves
        pictures.append(page.screenshot())
    return pictures[0], pictures[1]


def join(laptop: bytes, phone: bytes) -> bytes:
    """One picture: the phone lies on the desk, at the lower left, below the combatants."""
    back, front = (Image.open(BytesIO(raw)).convert("RGB") for raw in (laptop, phone))
    smaller = (round(front.width * SCALE), round(front.height * SCALE))
    front = ImageOps.expand(front.resize(smaller, Image.Resampling.LANCZOS), FRAME, "#5fe0c2")
    back.paste(front, (EDGE, back.height - front.height - EDGE))
    out = BytesIO()
    back.save(out, "WEBP", quality=QUALITY, method=6)
    return out.getvalue()


if __name__ == "__main__":
    main()
