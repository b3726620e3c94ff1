"""One system on every page: its sizes of letters, its gaps, its buttons, and one left edge for headings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page

LETTERS = {0, 12, 13, 15, 16, 18, 24, 28, 44, 68}  # pixels; 15 on a desk is 16 where one touches
GAPS = {0, 1, 4, 8, 12, 16, 24, 40}
EDGE, EDGE_OF_A_PHONE, PHONE = 24, 16, 768  # where headings begin, and how narrow a phone is
# How buttons look at rest, the accent of a game and the heights of a device set aside
LOOKS = {
    "quiet": "15 500 text 12 plain",
    "quiet in a bar": "15 500 text 8 plain",
    "a sign": "15 500 text 0 plain",
    "plain": "15 600 text 16 edge",
    "plain, a sign": "15 600 text 0 edge",
    "large": "18 600 display 24 edge",
    "filled": "15 600 display 16 full",
    "filled and large": "18 600 display 24 full",
    "next": "15 600 display 16 accent",
    "danger": "15 600 text 16 red",
    "small": "13 600 text 12 edge",
    "one of some": "13 500 text 8 edge",
    "step": "18 600 text 0 edge",
    "quiet step": "18 600 text 0 plain",
}
READ = Path(__file__).with_name("system.js").read_text("utf-8").partition("\n")[2]


def find_strays(page: Page, width: int) -> Iterator[tuple[str, str, str]]:
    """What of an open page is not of the system: its kind, what it is, and where."""
    found = page.evaluate(READ)
    for kind, known in (("letters", LETTERS), ("gaps", GAPS)):
        for value, where in {(round(value, 2), where) for value, where in found[kind]}:
            if value not in known:
                yield kind, f"{value} px", where
    if width >= PHONE * 4 / 3:  # on smaller windows rooms are tight, and buttons with them
        for look, where in {tuple(one) for one in found["looks"]}:
            if look not in LOOKS.values():
                yield "look", look, where
    wanted = EDGE_OF_A_PHONE if width < PHONE else EDGE
    if found["left"] not in (None, wanted):
        yield "heading", f"{found['left']} px", "h1"
