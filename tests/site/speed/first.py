"""Measure the first times after a start beside the tenth: `python -m tests.site.speed.first`.

A GM opens their table again: `manage.py play` starts with data that has a running demo fight of each game.
For each game it starts once more, and the same browser opens the first page, the table and the form of an
attack, rolls, passes the turn and asks for a forecast, each ten times over one kept connection. `--wait` are
the seconds that the GM reads the terminal first. The times are on the clock, of this machine now.
"""

from __future__ import annotations

import argparse
import http.client
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from combat.rules import SYSTEMS
from tests.combat.markup import Page
from tests.combat.server import SECRET, Guest, sign_in
from tests.site.hosting.table import PATIENCE, open_table

TIMES = 10
STEPS = ("first page", "table", "form", "roll", "next turn", "forecast")


@dataclass
class Visit:
    """The GM at a table that has just started, and the milliseconds of each request by its name."""

    guest: Guest
    connection: http.client.HTTPConnection
    table: str
    took: dict[str, list[float]] = field(default_factory=lambda: {name: [] for name in STEPS})

    def ask(self, name: str, path: str, form: dict[str, str] | None = None) -> str:
        """Send a request, note its time under a name if there is one, and return the page."""
        headers = {"Cookie": self.guest.cookie, "Accept-Encoding": "identity"}
        if form is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        body, began = urlencode(form) if form is not None else None, time.monotonic()
        self.connection.request("POST" if body is not None else "GET", path, body, headers)
        answer = self.connection.getresponse()
        page = answer.read().decode()
        if name:
            self.took[name].append(1000 * (time.monotonic() - began))
        assert answer.status in (200, 303, 409), (answer.status, path, page[:500])
        return page

    def go_round(self) -> None:
        """Do everything once; an attack that waits for someone is cancelled."""
        self.ask("first page", "/")
        page = self.ask("table", self.table)
        secret = SECRET.search(page)
        assert secret
        token = {"csrfmiddlewaretoken": secret[1]}
        page = self.ask("form", f"{self.table}?do=attack")
        if posted := read_form(page):
            self.ask("roll", self.table, {**posted, "dice": "app"})
            self.ask("", self.table, {**token, "do": "cancel"})
        self.ask("next turn", self.table, {**token, "do": "next_turn", "dice": "app"})
        self.ask("forecast", f"{self.table}forecast/", {**token, "do": "start"})
        self.ask("", f"{self.table}forecast/", {**token, "do": "cancel"})


def read_form(page: str) -> dict[str, str]:
    """What a browser would send of the form of an attack; empty if no attack is possible now."""
    read = Page(page)
    forms = read.all("form", id="form-attack")
    fields = read.fields(forms[0]) if forms else {}
    return fields if any(fields.get(name) for name in ("target", "targets")) else {}


def prepare(folder: Path) -> tuple[dict[str, str], dict[str, str]]:
    """Start the demo fight of each game; return the GM's cookies and the address of each table."""
    tables = {}
    with open_table(folder) as table:
        gm = sign_in(table.port, table.link)
        for slug in SYSTEMS:
            assert gm.post("/encounters/", "/", demo=slug) in (302, 303)
            tables[slug] = gm.leads
            assert gm.post(gm.leads, do="start", dice="app") in (302, 303)
    return gm.cookies, tables


def measure(folder: Path, cookies: dict[str, str], address: str, wait: float) -> dict[str, list[float]]:
    """The times of a table that starts with this data."""
    with open_table(folder) as table:
        time.sleep(wait)
        guest = Guest(table.port)
        guest.cookies = dict(cookies)
        connection = http.client.HTTPConnection("127.0.0.1", table.port, timeout=PATIENCE)
        visit = Visit(guest, connection, address)
        for _ in range(TIMES):
            visit.go_round()
        connection.close()
    return visit.took


def main() -> None:
    """Print a line for each game: the first time and the tenth of each request, in milliseconds."""
    asked = argparse.ArgumentParser(prog="python -m tests.site.speed.first", description=__doc__)
    asked.add_argument(
        "--wait", type=float, default=0.0, help="seconds until the first request (%(default)s)"
    )
    asked.add_argument("--game", default="", help="part of a game's short name")
    options = asked.parse_args()
    sys.stdout.write(f"| game | {' | '.join(STEPS)} |\n{'| --- ' * (len(STEPS) + 1)}|\n")
    with tempfile.TemporaryDirectory() as name:
        data = Path(name) / "data"
        cookies, tables = prepare(data)
        for slug, address in tables.items():
            if options.game not in slug:
                continue
            fresh = Path(name) / slug
            shutil.copytree(data, fresh)
            took = measure(fresh, cookies, address, options.wait)
            cells = (f"{times[0]:.0f}, {times[-1]:.0f}" if times else "–" for times in took.values())
            sys.stdout.write(f"| {slug} | {' | '.join(cells)} |\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
