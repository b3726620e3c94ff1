"""Count what pages ask for, each in a browser that keeps nothing yet: `python -m tests.site.speed.pages`.

For each page: all requests, those for scripts and styles, their bytes as sent, and the files that hold up the
first paint. The pages are those of a demo fight, on a phone.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from tests.characters.measure_creation import CHROMIUM, Robot, take_ready
from tests.combat.server import Guest, come, invite, sign_in
from tests.site.hosting.table import open_table

PHONE: ViewportSize = {"width": 360, "height": 780}
PERSON = re.compile(r'name="combatant" value="(f\d+)"')
RESOURCES = """() => performance.getEntriesByType("resource").map((one) => ({
    name: one.name, bytes: one.transferSize, blocks: one.renderBlockingStatus === "blocking",
}))"""


@dataclass(frozen=True)
class Way:
    """A page: its name, its address, and who opens it."""

    name: str
    address: str
    guest: Guest


def start_fight(gm: Guest, game: str) -> str:
    """The address of a running demo fight of a game."""
    assert gm.post("/encounters/", "/", demo=game) in (302, 303)
    table = gm.leads
    assert gm.post(table, do="start", dice="app") == 303
    return table


def sit(gm: Guest, table: str) -> Guest:
    """Someone in the seat of the first combatant that a player may have."""
    guest, link = Guest(gm.port), invite(gm, table, "play")
    assert guest.get(link) == 200
    assert guest.post(link, name="Ada", combatant=PERSON.findall(guest.page)[0]) == 302
    return guest


def find_ways(browser: Browser, gm: Guest, game: str) -> Iterator[Way]:
    """The pages to measure."""
    table = start_fight(gm, game)
    seat = sit(gm, table)
    stranger = Guest(gm.port)
    yield Way("home", "/", stranger)
    yield Way("table of the GM", table, gm)
    yield Way("phone's seat", table, seat)
    yield Way("projector", table, come(gm, table, "watch", "Wall"))
    yield Way("join", invite(gm, table, "play"), stranger)
    yield Way("share", f"{table}share/", gm)
    yield Way("sheet", make_sheet(browser, gm, game), gm)
    yield Way("make a character", "/characters/new/", gm)
    yield Way("prep", f"{table}prep/", gm)
    yield Way("rulebook", f"/rules/{game}/", stranger)


def make_sheet(browser: Browser, gm: Guest, game: str) -> str:
    """The address of a ready character that the GM makes."""
    robot = Robot(open_page(browser, gm))
    take_ready(robot, base_of(gm), game)
    address = urlsplit(robot.page.url).path
    robot.page.context.close()
    return address


def base_of(guest: Guest) -> str:
    """Where the guest's site is."""
    return f"http://localhost:{guest.port}"


def open_page(browser: Browser, guest: Guest) -> Page:
    """A page of a browser that keeps nothing but the guest's cookies."""
    context = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True)
    cookies = [{"name": name, "value": value, "url": base_of(guest)} for name, value in guest.cookies.items()]
    context.add_cookies(cookies)  # type: ignore[arg-type]  # a list of plain dictionaries
    return context.new_page()


def read_resources(browser: Browser, way: Way) -> list[dict[str, Any]]:
    """What the page asked for until it was loaded."""
    page = open_page(browser, way.guest)
    page.goto(base_of(way.guest) + way.address, wait_until="load")
    page.wait_for_timeout(500)
    found: list[dict[str, Any]] = page.evaluate(RESOURCES)
    page.context.close()
    return found


def describe(way: Way, found: list[dict[str, Any]]) -> str:
    """One line about a page."""
    kinds = {kind: [one for one in found if one["name"].endswith(kind)] for kind in (".js", ".css")}
    said = ", ".join(
        f"{len(files)} {kind[1:]} {sum(one['bytes'] for one in files) / 1000:.1f} kB"
        for kind, files in kinds.items()
    )
    blocking = [one for one in found if one["blocks"]]
    return f"{way.name:17} {len(found) + 1:3} requests; {said}; {len(blocking)} blocking"


def main() -> None:
    """Print a line for each page, and with --files each file."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--game", default="cepheus")
    asked.add_argument("--files", action="store_true")
    options = asked.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        open_table(Path(folder), "--no-demo") as table,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for way in find_ways(browser, sign_in(table.port, table.link), options.game):
            found = read_resources(browser, way)
            lines = [f"    {one['bytes']:6} {one['name']}" for one in found] if options.files else []
            sys.stdout.write("\n".join([describe(way, found), *lines]) + "\n")


if __name__ == "__main__":
    main()
