"""No page has texts on each other, weak contrast, small text or targets, or parts beyond its window.

Nor beyond the window of a phone where letters are twice as large.
"""

from __future__ import annotations

import os
from pathlib import Path

from django.contrib.auth.models import User
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer
from zeal import zeal_ignore

from tests.tools.layout.looking import look_at, measure
from tests.tools.layout.pages import WHOLE, Look, Place, World, take_turns


def choose(world: World, wanted: str) -> list[tuple[Place, list[Look]]]:
    """All windows for “all” pages or those named, with slashes between; one or two for each otherwise."""
    if not wanted:
        return take_turns(world.list_tables(), world.list_site())
    named = wanted.split("/")
    return [(place, WHOLE) for place in world.list_places() if wanted == "all" or place.name in named]


def test_every_page_in_its_windows(
    live_server: LiveServer, page: Page, transactional_db: None, gm: User
) -> None:
    """Each in one or two windows, in turn all of them; `python -m tests.tools.layout` takes all for each."""
    with zeal_ignore():
        world = World(gm)
        rows = choose(world, os.environ.get("LAYOUT_PAGES", ""))
        found = look_at(page, live_server.url, world, rows)
    if report := os.environ.get("LAYOUT_REPORT"):
        Path(report).write_text("".join(f"{finding}\t{finding.reason}\n" for finding in found), "utf-8")
    assert [str(finding) for finding in found if not finding.reason] == []


ON_A_PICTURE = """<body style="background: #000; color: #fff"><div style="position: relative; height: 9rem">
    <svg width="400" height="144" style="position: absolute; inset: 0"><pattern id="p" width="12" height="12"
      patternUnits="userSpaceOnUse"><path d="M0 0H6V12H0z" fill="#555"/></pattern>
      <rect width="400" height="144" fill="url(#p)"/></svg>
    <p style="position: absolute; margin: 0; inset: 2rem auto auto 1rem; font: 16px sans-serif; {shade}">
      A hall of pillars</p>
  </div></body>"""


def test_words_on_a_picture_need_a_shade(page: Page) -> None:
    """White on dark stripes has contrast enough everywhere, but is restless to read."""
    place, look = Place("pillars", "nobody", ""), Look(1440, 900, "dark")
    page.set_content(ON_A_PICTURE.format(shade=""))
    assert [one.kind for one in measure(page, place, look)] == ["bare picture"]
    page.set_content(ON_A_PICTURE.format(shade="background: rgb(0 0 0 / 0.8)"))
    assert [str(one) for one in measure(page, place, look)] == []
