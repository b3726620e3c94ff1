"""Measure "Next turn" of every demo fight beside two views, over a kept connection: medians, ratios, bytes.

One view writes a number and answers nothing. The other is the least that Django needs for an action: 20 KB of
state read, changed and written, a row for the event, and a small page. The turn reads none of it. `python -m
tests.tools.speed` measures `manage.py play` and, where PostgreSQL and Redis run, a hosted worker.
"""

from __future__ import annotations

import argparse
import gzip
import statistics
import sys
import tempfile
import time
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode

from combat.rules import SYSTEMS, find_system
from tests.combat.markup import find_versions
from tests.combat.server import SECRET, Guest, set_up, sign_in
from tests.combat.services import REDIS_URL, describe_missing, make_database
from tests.site.hosting.table import LINK, PATIENCE, open_table

SETTINGS = "tests.tools.speed.settings"
EMPTY, FLOOR = "/empty/", "/floor/"
DEMOS = [f"{slug}/{n}" for slug in SYSTEMS for n in range(len(find_system(slug).demo.make_all()))]


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


class Browser:
    """The GM's browser on one kept connection: it sends the page's fields as htmx does."""

    def __init__(self, guest: Guest, table: str) -> None:
        self.guest = guest
        self.connection = HTTPConnection("127.0.0.1", guest.port, timeout=PATIENCE)
        assert guest.get(table) == 200
        secret = SECRET.search(guest.page)
        assert secret
        self.secret, self.regions = secret[1], find_versions(guest.page)

    def post(self, path: str, **fields: str) -> tuple[float, int]:
        """Send a form; return the milliseconds until the whole answer was there, and its bytes."""
        headers = {
            "Cookie": self.guest.cookie,
            "Content-Type": "application/x-www-form-urlencoded",
            "Accept-Encoding": "gzip, br",
            "HX-Request": "true",
            "X-CSRFToken": self.secret,
            "X-Regions": self.regions,
        }
        started = time.perf_counter()
        self.connection.request("POST", path, urlencode(fields), headers)
        answer = self.connection.getresponse()
        body = answer.read()
        took = 1000 * (time.perf_counter() - started)
        assert answer.status in (200, 204), (answer.status, path, body[:500])
        is_small = answer.headers["Content-Encoding"] == "gzip"
        page = (gzip.decompress(body) if is_small else body).decode()
        self.regions = find_versions(page) or self.regions
        return took, len(body) + len(str(answer.headers))


def measure_demos(guest: Guest, options: argparse.Namespace) -> None:
    """Start the demo fights of all games, and measure each."""
    for demo in DEMOS:
        if options.game in demo:
            assert guest.post("/encounters/", "/", demo=demo.removesuffix("/0")) in (302, 303)
            table = guest.leads
            assert guest.post(table, do="start", dice="app") == 303
            for _ in range(options.times):
                measure(guest, demo, table, options.rounds)


def measure(guest: Guest, demo: str, table: str, rounds: int) -> None:
    """Print the medians of a demo, measured in turns, so that a busy machine slows all alike."""
    browser = Browser(guest, table)
    found: dict[str, list[float]] = {table: [], EMPTY: [], FLOOR: []}
    sizes: list[int] = []
    for number in range(rounds + 10):
        for path, times in found.items():
            took, size = browser.post(path, **({"do": "next_turn"} if path == table else {}))
            if number >= 10:
                times.append(took)
                sizes += [size] if path == table else []
    turn, empty, floor = (statistics.median(times) for times in found.values())
    say(
        f"  {demo:15} next_turn {turn:.2f} ms; empty {empty:.2f} ms: {turn / empty:.2f} times; "
        f"floor {floor:.2f} ms: {turn / floor:.2f} times; "
        f"bytes {statistics.median(sizes):.0f}, at most {max(sizes)}"
    )


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--rounds", type=int, default=150)
    asked.add_argument("--times", type=int, default=1)
    asked.add_argument("--game", default="", help="part of a game's short name")
    asked.add_argument("--only", choices=("play", "hosted"))
    options = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if options.only != "hosted":
            say("manage.py play, SQLite")
            with open_table(Path(folder) / "play", settings=SETTINGS) as table:
                found = LINK.search(table.said)
                assert found
                measure_demos(sign_in(table.port, found[1]), options)
        if options.only != "play" and not describe_missing():
            say("uvicorn, PostgreSQL, Redis")
            with make_database() as database:
                where = {"DATABASE_URL": database, "REDIS_URL": REDIS_URL}
                site = set_up(Path(folder) / "hosted", DJANGO_SETTINGS_MODULE=SETTINGS, **where)
                with site.serve() as server:
                    measure_demos(sign_in(server.port, site.link), options)


if __name__ == "__main__":
    main()
