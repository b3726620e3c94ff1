"""No page has texts on each other, weak contrast, small text or targets, or parts beyond its window."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from playwright.sync_api import BrowserType, Page
from pytest_django.live_server_helper import LiveServer
from zeal import zeal_ignore

from tests.browser import find_overflow
from tests.tools.layout.looking import SETTLED, enter, look_at, open_place
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


def test_no_page_is_wider_than_a_phone_where_letters_are_twice_as_large(
    live_server: LiveServer,
    browser_type: BrowserType,
    browser_type_launch_args: dict[str, Any],
    transactional_db: None,
    gm: User,
) -> None:
    switches = [*browser_type_launch_args.get("args", []), "--blink-settings=defaultFontSize=32"]
    found = {}
    with zeal_ignore(), browser_type.launch(**(browser_type_launch_args | {"args": switches})) as browser:
        world, page = World(gm), browser.new_page(viewport={"width": 360, "height": 740})
        paper = Place("paper", "gm", f"/characters/{world.sheet.pk}/print/")
        for place in (*world.list_places(), paper, Place("hosting", "gm", "/help/hosting/")):
            if place.how in ("", "map"):
                enter(page.context, live_server.url, world, place.who)
                open_place(page, live_server.url, place, "")
                page.evaluate(SETTLED)
                found[place.name] = find_overflow(page)
    assert {name: wide for name, wide in found.items() if wide} == {}
